/*
 * Looks at everything a model says, as the program would: names, types, paths, flaws,
 * the first elements of every tensor and list.  What must hold in any model is checked.
 */
#ifndef TESTS_FUZZ_LOOK_H
#define TESTS_FUZZ_LOOK_H

#include "ir/graph.h"

/* Called after each tensor was read; may be NULL. */
typedef void after_tensor(void *context);

void look_at_model(const struct model *m, after_tensor *after, void *context);

#endif
