/*
 * Changing a model.  Only wire (which reads files) and edit may include this.
 *
 * While a model is built, what nodes read and graphs give back are names, for a name may
 * be used before the line that defines it.  model_connect turns them into values, ties
 * claims to values and indexes the whole.
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
/* A row about a name; the caller fills in the rest. */
uint32_t claim_new(struct model *m, uint32_t graph, enum claim_kind kind, uint32_t name);

/*
 * Takes a node out of its graph's list, or puts it back at a place there; what it makes
 * dies and lives with it.  So does an initializer.  The index is wrong until model_index.
 */
void node_unlist(struct model *m, uint32_t node);
void node_list(struct model *m, uint32_t node, uint32_t index);
/* The place it had. */
uint32_t initializer_unlist(struct model *m, uint32_t value);
void initializer_list(struct model *m, uint32_t value, uint32_t index);
/* A claim about a value that is known already. */
uint32_t claim_about(struct model *m, enum claim_kind kind, uint32_t value);

/* Names that are read become values: the graph's own, or of the graphs around it. */
void model_connect(struct model *m);
/* Who reads what, in which order nodes can run, and which cannot.  Linear in the model. */
void model_index(struct model *m);

#endif
