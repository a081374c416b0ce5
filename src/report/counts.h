/*
 * How many nodes of each operator a model has, and how many bytes of weights.
 */
#ifndef REPORT_COUNTS_H
#define REPORT_COUNTS_H

#include "base/intern.h"
#include "ir/graph.h"

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

/* Of all graphs; most frequent first, then by name. */
void op_counts_make(struct op_counts *out, const struct model *m);
/* The same of some nodes. */
void op_counts_of(struct op_counts *out, const struct model *m, const uint32_t *nodes,
		  size_t node_count);

/* Initializers of all graphs, sparse ones included. */
struct weight_counts {
	uint64_t inline_count;
	uint64_t inline_bytes;
	uint64_t external_count;
	uint64_t external_bytes; /* both saturate */
	struct intern files;     /* their locations */
};

void weight_counts_make(struct weight_counts *out, const struct model *m);
void weight_counts_release(struct weight_counts *w);
/* The elements of all initializers; those of a sparse one that are stored.  False if unknown. */
bool weight_elements(const struct model *m, uint64_t *out) MUST_USE;

#endif
