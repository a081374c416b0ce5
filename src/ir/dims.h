/*
 * Every dimension that a model declares: in inputs, outputs, value_info, nested
 * types, attributes and sharding, in every graph and function.
 */
#ifndef IR_DIMS_H
#define IR_DIMS_H

#include "ir/graph.h"
#include "ir/type.h"

typedef void visit_dim(void *context, const struct dim *dim);

void model_each_dim(const struct model *m, visit_dim *visit, void *context);

/* A non-empty dim_param, and how many dims have it. */
struct symbol_count {
	uint32_t name;
	uint64_t count;
};

struct symbol_counts {
	struct symbol_count *at; /* owned */
	size_t len;
	size_t cap;
};

/* In order of first appearance: inputs first. */
void model_symbols(const struct model *m, struct symbol_counts *out);

#endif
