/*
 * Expressions as nodes that compute a size at run time.
 *
 * A size is taken from the shape of a value that has it (an input of the reading node or
 * of the model), and the rest is computed from there.  Nodes are inserted right before
 * their reader and named after it.
 */
#ifndef EDIT_REPAIR_EMIT_H
#define EDIT_REPAIR_EMIT_H

#include "base/str.h"
#include "edit/change.h"
#include "edit/document.h"
#include "ir/graph.h"
#include "sym/sym.h"

struct emitter {
	struct document *document; /* borrowed */
	struct change_log *log;    /* borrowed */
	uint32_t reader;           /* node */
	struct str name;           /* of the reader, for the names of new nodes */
};

void emitter_init(struct emitter *e, struct document *d, struct change_log *log, uint32_t reader);
void emitter_release(struct emitter *e);

/* Inserts a node with one output; returns its value. */
uint32_t emit_node(struct emitter *e, const char *op, const uint32_t *inputs, uint32_t count,
		   const struct attr *attrs, uint32_t attr_count);
uint32_t emit_ints(struct emitter *e, const int64_t *numbers, uint32_t count);
/* A size as one int64: a scalar, or a list of one.  0 when it cannot be computed. */
uint32_t emit_size(struct emitter *e, struct sym size, bool scalar);
/* A list of sizes. */
uint32_t emit_sizes(struct emitter *e, const struct sym *sizes, uint32_t count);
/* A visible value with exactly this dim, and its axis; 0 for none. */
uint32_t emit_anchor(const struct emitter *e, struct sym size, uint32_t *out_axis);
/* The version of the default opset for the reader. */
int64_t emit_version(const struct emitter *e);

#endif
