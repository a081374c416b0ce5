/*
 * Every shape rule, declared from the rows of the operators, and the words for their column
 * `argument`: what the operators that share a rule differ in.
 */
#ifndef OPS_RULES_H
#define OPS_RULES_H

#include "ops/arith.h"
#include "ops/rule.h"

/* elementwise: an operation of arith.h, and these. */
enum elementwise_flag {
	ELEMENTWISE_OP = (1 << 6) - 1,  /* the bits of the operation */
	ELEMENTWISE_BOOL = 1 << 6,      /* the result is bool */
	ELEMENTWISE_ONE_SHAPE = 1 << 7, /* all inputs have it */
	ELEMENTWISE_LIMITED = 1 << 8    /* the second is broadcast to the first, on request */
};

/* reduce: how elements are combined; the axes are an attribute or an input. */
enum reduce_fold {
	REDUCE_UNTRACKED,
	REDUCE_SUM,
	REDUCE_PROD,
	REDUCE_MAX,
	REDUCE_MIN,
	REDUCE_FOLD_COUNT
};

enum {
	REDUCE_AXES_INPUT = 1 << 4
};

/* arg_extreme */
enum arg_argument {
	ARG_MIN,
	ARG_MAX
};

#define OP(domain, name, since, properties, min, max, rule, ...) rule_function rule_##rule;
#include "ops/ops.def"
#undef OP

#endif
