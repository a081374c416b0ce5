/*
 * Constants and attributes in a few characters.  Nothing is read from disk: a constant
 * that is not in memory is shown by its shape.
 */
#ifndef LAYOUT_CONSTANTS_H
#define LAYOUT_CONSTANTS_H

#include "base/str.h"
#include "ir/graph.h"

/* The constants that a node reads: small ones by value, weights by shape. */
void label_constants(const struct model *m, const struct node *n, struct str *out);
void label_attr(const struct model *m, const struct attr *a, struct str *out);

#endif
