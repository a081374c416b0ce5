/*
 * The order of reading: nodes in the order in which they run, each followed by what is in its
 * bodies; inputs of a graph come before its nodes, outputs after them.
 */
#ifndef UI_SEARCH_READING_H
#define UI_SEARCH_READING_H

#include "base/vec.h"
#include "ir/graph.h"
#include "layout/scope/scope.h"

struct reading {
	VEC(uint64_t) of_node;  /* by node; 0 if nothing shows it */
	VEC(uint64_t) of_value; /* by value; of inputs and outputs, else 0 */
	VEC(uint32_t) graphs;   /* in this order */
};

void reading_init(struct reading *r, const struct model *m);
void reading_release(struct reading *r);
/* By scope: before its first node, and after the scopes around it; 0 if it has none. */
void reading_scopes(const struct reading *r, const struct scopes *scopes, uint64_t *out_at);

#endif
