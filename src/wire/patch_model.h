/*
 * Changing what the file has and adding to it: dims, nodes, tensors, attributes,
 * claims.
 *
 * An origin is the piece of an object that stands in the file, never 0.  Only the field
 * that carries the change is touched; names, docs, metadata and fields from the future
 * stay byte for byte, and what had a form (packed, raw, padded) keeps it.
 *
 * A patch describes the final state: one call for each object and aspect, and none for
 * what is inside something removed (patch_finish refuses two changes of one place).
 */
#ifndef WIRE_PATCH_MODEL_H
#define WIRE_PATCH_MODEL_H

#include "ir/graph.h"
#include "ir/type.h"
#include "wire/patch.h"

/* The message goes, in all its pieces. */
void patch_remove(struct patch *p, const struct wire *w, uint32_t origin);

/*
 * Makes a dimension of the file say something else: a number, a name, or nothing.  Its
 * denotation and what else stands in it stay.  `origin` is the dim's; for a sharded
 * dimension too, which has the same fields.
 */
bool patch_dim(struct patch *p, const struct wire *w, uint32_t origin, const struct dim *to,
	       struct sv param, struct err *err) MUST_USE;

/*
 * All inputs (outputs) of a node, an empty name for one that is not given.  Names that
 * differ are replaced where they stand, more follow the last one, trailing ones go.
 */
bool patch_node_inputs(struct patch *p, const struct wire *w, uint32_t node, const struct sv *names,
		       size_t count, struct err *err) MUST_USE;
bool patch_node_outputs(struct patch *p, const struct wire *w, uint32_t node,
			const struct sv *names, size_t count, struct err *err) MUST_USE;

/*
 * Other elements and dims, in memory; the element type stays.  Data stays raw or in its
 * typed field; what was external becomes raw_data in the file.
 */
bool patch_tensor(struct patch *p, const struct wire *w, uint32_t tensor, const struct tensor *to,
		  struct err *err) MUST_USE;
/*
 * Another value, which may be of another kind and takes the place of the old.  For numbers
 * and texts; to change a tensor's elements there is patch_tensor.
 */
bool patch_attr(struct patch *p, const struct wire *w, uint32_t attr, const struct model *m,
		const struct attr *to, struct err *err) MUST_USE;

/* A new attribute behind all that the node has. */
bool patch_insert_attr(struct patch *p, const struct wire *w, uint32_t node, const struct model *m,
		       const struct attr *attr, struct err *err) MUST_USE;
/*
 * A new node: right before an original one, else (0) right behind one, else at the end of
 * the graph.  `graph` is m's and stands in the file; a function's too.
 */
bool patch_insert_node(struct patch *p, const struct wire *w, const struct model *m, uint32_t graph,
		       uint32_t before, uint32_t after, const struct node *n,
		       struct err *err) MUST_USE;
/* A new row of inputs, outputs or value_info; functions have only the last. */
bool patch_append_claim(struct patch *p, const struct wire *w, const struct model *m,
			uint32_t graph, const struct claim *c, struct err *err) MUST_USE;
/* A claim says another type; its name, doc and metadata stay. */
bool patch_claim_type(struct patch *p, const struct wire *w, uint32_t claim, const struct model *m,
		      const struct type *to, struct err *err) MUST_USE;
/* A new initializer; functions have none. */
bool patch_append_tensor(struct patch *p, const struct wire *w, const struct model *m,
			 uint32_t graph, const struct tensor *t, struct err *err) MUST_USE;

#endif
