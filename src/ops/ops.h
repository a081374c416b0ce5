/*
 * Which rule an operator has: by domain, name and version.
 */
#ifndef OPS_OPS_H
#define OPS_OPS_H

#include "base/map.h"
#include "ir/graph.h"
#include "ops/rule.h"

/* A version of an operator whose shapes differ from those of the previous version. */
struct op {
	const char *domain; /* "" is ai.onnx */
	const char *name;
	int64_t since;
	uint64_t properties; /* see ops/property.h */
	uint32_t min_inputs; /* that must be given */
	uint32_t max_inputs;
	rule_function *rule;
	int argument; /* see ops/rules.h */
};

/* Built once; finds rows by name numbers of one model. */
struct op_index {
	struct map rows; /* domain name << 32 | operator name -> first row + 1 */
};

void op_index_init(struct op_index *index, const struct model *m);
/*
 * The row for an operator at an opset version; NULL for an unknown operator.  A version before the
 * first row gets the first: old files use operators early.
 */
const struct op *op_find(const struct op_index *index, const struct model *m, const struct node *n,
			 int64_t version);
/* Runs its rule. */
void op_run(const struct op *op, struct rule *r);
void op_index_release(struct op_index *index);

#endif
