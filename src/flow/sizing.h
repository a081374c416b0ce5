/*
 * Numbers for the names of a model, so that every size is one.
 *
 * Sizes coincide with nothing, as far as the model's conditions allow: names that must be equal
 * to others get their size.  Where a model does not work at such sizes, those of the export are
 * taken, and then multiples that meet most conditions.
 */
#ifndef FLOW_SIZING_H
#define FLOW_SIZING_H

#include "infer/infer.h"

/* The same model at these sizes; *out is to be released. */
void flow_bind(struct infer *in, struct infer *out);

#endif
