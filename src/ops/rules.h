/*
 * Every shape rule, declared from the rows of the operators, and the words for their column
 * `argument`: what the operators that share a rule differ in.
 */
#ifndef OPS_RULES_H
#define OPS_RULES_H

#include "ops/rule.h"

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
