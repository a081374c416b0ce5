/*
 * Reads everything in a model, as the program would: names, types, paths, flaws, the first
 * elements of every tensor and list.  Checks the invariants of any model.
 */
#ifndef TESTS_FUZZ_LOOK_H
#define TESTS_FUZZ_LOOK_H

#include "ir/graph.h"

/* Called after each tensor is read; may be NULL. */
typedef void after_tensor(void *context);

void look_at_model(const struct model *m, after_tensor *after, void *context);

#endif
