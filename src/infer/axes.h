/*
 * Which input axes can be dynamic, and what stops the others.
 *
 * Every axis is tried with a symbol of its own, whatever name or number the file gives it.
 * The needs of the nodes decide: it is forced to one size by something an export baked in
 * (pinned) or by a weight (fixed), tied to another axis or to a data-dependent size, or
 * free.
 */
#ifndef INFER_AXES_H
#define INFER_AXES_H

#include "infer/verdict.h"
#include "ir/graph.h"

void axes_find(struct axes *out, const struct model *m);

#endif
