/*
 * What actions did: a line for each claim, constant and node that changed.
 *
 *   input       [3, 10] -> [batch, 10]
 *   + Shape     /Reshape/Shape
 */
#ifndef EDIT_DESCRIPTION_H
#define EDIT_DESCRIPTION_H

#include "base/str.h"
#include "edit/document.h"

enum description_kind {
	DESCRIPTION_CLAIM,
	DESCRIPTION_CONSTANT,
	DESCRIPTION_NODE,
	DESCRIPTION_KIND_COUNT
};

struct description {
	enum description_kind kind;
	struct str what;   /* a tensor or node, with its graph */
	struct str before; /* empty for something new */
	struct str after;  /* empty for something removed */
	bool inside;       /* a value_info: what the file says about a tensor in between */
	bool copies;       /* a shape in which a 0 copies the size of the input */
};

struct descriptions {
	struct description *at; /* owned */
	size_t len;
	size_t cap;
};

/* Of the done actions from `from` on, against the state before them. */
void describe_actions(struct descriptions *out, const struct document *d, size_t from);
void descriptions_release(struct descriptions *list);

#endif
