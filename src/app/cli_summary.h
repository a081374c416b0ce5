/*
 * What `show` prints about a model, counted once for both text and JSON.
 */
#ifndef APP_CLI_SUMMARY_H
#define APP_CLI_SUMMARY_H

#include "base/intern.h"
#include "base/map.h"
#include "ir/dims.h"
#include "ir/graph.h"
#include "ir/type.h"

struct op_count {
	uint32_t domain;
	uint32_t op;
	uint64_t count;
};

struct op_counts {
	struct op_count *at; /* owned */
	size_t len;
	size_t cap;
};

/* Initializers of all graphs, sparse ones included. */
struct weight_counts {
	uint64_t inline_count;
	uint64_t inline_bytes;
	uint64_t external_count;
	uint64_t external_bytes;
	struct intern files; /* their locations */
};

struct summary {
	struct op_counts ops; /* most frequent first */
	struct symbol_counts symbols;
	struct map symbol_places; /* name -> place in symbols, plus 1 */
	struct weight_counts weights;
	uint64_t nodes;
	uint32_t bodies; /* graphs inside nodes */
};

void summary_init(struct summary *s, const struct model *m);
/* Index of a dim in symbols; -1 when it is not one. */
int summary_symbol(const struct summary *s, const struct dim *d);
void summary_release(struct summary *s);

#endif
