/*
 * What actions did, for people: a line for each claim, constant and node that changed.
 *
 *   input       [3, 10] -> [batch, 10]
 *   + Shape     /Reshape/Shape
 */
#ifndef EDIT_DESCRIPTION_H
#define EDIT_DESCRIPTION_H

#include "edit/document.h"

struct description {
	struct str what;   /* a tensor or node, with its graph */
	struct str before; /* empty for what is new */
	struct str after;  /* empty for what is gone */
};

struct descriptions {
	struct description *at; /* owned */
	size_t len;
	size_t cap;
};

/* Of the actions from `from` on that are done; against the state before them. */
void describe_actions(struct descriptions *out, const struct document *d, size_t from);
void descriptions_release(struct descriptions *list);

#endif
