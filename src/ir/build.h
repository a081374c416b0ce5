/*
 * Changing a model.  Only wire (which reads files) and edit may include this.
 *
 * While a model is built, node inputs and graph outputs are names, because a name may be
 * used before its definition.  model_connect turns them into values, ties claims to
 * values and builds the index.
 */
#ifndef IR_BUILD_H
#define IR_BUILD_H

#include "base/sv.h"
#include "ir/graph.h"

/* The "none" entries and the empty main graph. */
void model_init(struct model *m);
uint32_t model_intern(struct model *m, struct sv text);

uint32_t graph_new(struct model *m, enum graph_kind kind);
uint32_t node_new(struct model *m, uint32_t graph);
uint32_t tensor_new(struct model *m);

/*
 * A value that the graph defines: by a node (else 0), with flags.  A second definition
 * of the name becomes a separate value that cannot be read, and a flaw.
 */
uint32_t value_define(struct model *m, uint32_t graph, uint32_t name, uint32_t node, uint32_t port,
		      unsigned flags);
/* A claim about a name; the caller fills in the rest. */
uint32_t claim_new(struct model *m, uint32_t graph, enum claim_kind kind, uint32_t name);

/*
 * Removes a node from its graph's list, or puts it back at an index; its outputs die and
 * come back with it.  The same for an initializer.  The index is stale until model_index.
 */
void node_unlist(struct model *m, uint32_t node);
void node_list(struct model *m, uint32_t node, uint32_t index);
/* Returns the index it had. */
uint32_t initializer_unlist(struct model *m, uint32_t value);
void initializer_list(struct model *m, uint32_t value, uint32_t index);
/* A claim about an existing value. */
uint32_t claim_about(struct model *m, enum claim_kind kind, uint32_t value);

/* Resolves the names that are read to values of the graph or of enclosing graphs. */
void model_connect(struct model *m);
/*
 * Finds readers of values, an order in which nodes can run, and cycles.  Linear in the
 * model.
 */
void model_index(struct model *m);

#endif
