/*
 * Changing and adding objects of the file: dims, nodes, tensors, attributes, claims.
 *
 * An origin is the piece of an object in the file, never 0.  Only the field that carries
 * the change is touched; names, docs, metadata and unknown fields stay byte for byte, and
 * the encoding (packed, raw, padded) is kept.
 *
 * A patch describes the final state: one call per object and aspect, and none inside
 * a removed object (patch_finish refuses two changes of one place).
 */
#ifndef WIRE_PATCH_MODEL_H
#define WIRE_PATCH_MODEL_H

#include "base/err.h"
#include "base/sv.h"
#include "ir/graph.h"
#include "ir/tensor.h"
#include "ir/type.h"
#include "wire/patch.h"
#include "wire/wire.h"

/* Removes all pieces of the message. */
void patch_remove(struct patch *p, const struct wire *w, uint32_t origin);

/*
 * Changes a dimension to a number, a name, or nothing.  Its denotation and other fields
 * stay.  `origin` is the dim's, or that of a sharded dimension, which has the same fields.
 */
bool patch_dim(struct patch *p, const struct wire *w, uint32_t origin, const struct dim *to,
	       struct sv param, struct err *err) MUST_USE;

/*
 * All inputs (outputs) of a node, an empty name for an omitted one.  Names that differ are
 * replaced in place, additional ones follow the last, trailing ones are removed.
 */
bool patch_node_inputs(struct patch *p, const struct wire *w, uint32_t node, const struct sv *names,
		       size_t count, struct err *err) MUST_USE;
bool patch_node_outputs(struct patch *p, const struct wire *w, uint32_t node,
			const struct sv *names, size_t count, struct err *err) MUST_USE;

/*
 * Changes elements and dims; the element type stays.  Data stays raw or in its typed
 * field; external data becomes raw_data in the file.
 */
bool patch_tensor(struct patch *p, const struct wire *w, uint32_t tensor, const struct tensor *to,
		  struct err *err) MUST_USE;
/*
 * Replaces the value, which may change its kind.  For numbers and strings;
 * patch_tensor changes a tensor's elements.
 */
bool patch_attr(struct patch *p, const struct wire *w, uint32_t attr, const struct model *m,
		const struct attr *to, struct err *err) MUST_USE;

/* Adds an attribute after all others of the node. */
bool patch_insert_attr(struct patch *p, const struct wire *w, uint32_t node, const struct model *m,
		       const struct attr *attr, struct err *err) MUST_USE;
/*
 * Adds a node: before an original one, else (0) after one, else at the end of the graph.
 * `graph` is m's graph or function, and is in the file.
 */
bool patch_insert_node(struct patch *p, const struct wire *w, const struct model *m, uint32_t graph,
		       uint32_t before, uint32_t after, const struct node *n,
		       struct err *err) MUST_USE;
/* Adds an input, output or value_info; functions have only the last. */
bool patch_append_claim(struct patch *p, const struct wire *w, const struct model *m,
			uint32_t graph, const struct claim *c, struct err *err) MUST_USE;
/* Changes a claim's type; its name, doc and metadata stay. */
bool patch_claim_type(struct patch *p, const struct wire *w, uint32_t claim, const struct model *m,
		      const struct type *to, struct err *err) MUST_USE;
/* Adds an initializer; functions have none. */
bool patch_append_tensor(struct patch *p, const struct wire *w, const struct model *m,
			 uint32_t graph, const struct tensor *t, struct err *err) MUST_USE;

#endif
