/*
 * Changing a model.  Only wire (which reads files) and edit may include this.
 *
 * Build order for one graph: graph_new, then define every value the graph itself
 * defines (inputs, initializers, node outputs), then resolve what its nodes read, so
 * that a name may be used before the line that defines it.  At the end model_index.
 */
#ifndef IR_BUILD_H
#define IR_BUILD_H

#include "ir/graph.h"

/* The "none" entries and the empty main graph. */
void model_init(struct model *m);
uint32_t model_intern(struct model *m, struct sv text);

uint32_t graph_new(struct model *m, enum graph_kind kind);
uint32_t node_new(struct model *m, uint32_t graph);
uint32_t tensor_new(struct model *m);

/*
 * A value that the graph defines: by a node (else 0), with flags.  A second definition
 * of the name becomes a value of its own that nobody can read, and a flaw.
 */
uint32_t value_define(struct model *m, uint32_t graph, uint32_t name, uint32_t node, uint32_t port,
		      unsigned flags);
/* The value that a node (0: the graph's output) reads; 0 for the empty name. */
uint32_t value_read(struct model *m, uint32_t graph, uint32_t name, uint32_t node);
/* The value of that name in this very graph, made as "only claimed" when there is none. */
uint32_t value_claimed(struct model *m, uint32_t graph, uint32_t name);
/* Adds a claim about a value; the caller fills in the rest. */
uint32_t claim_new(struct model *m, uint32_t graph, enum claim_kind kind, uint32_t value);

/* Who reads what, in which order nodes can run, and which cannot.  Linear in the model. */
void model_index(struct model *m);

#endif
