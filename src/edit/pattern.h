/*
 * Axes of inputs by a pattern: `*:0`, `past_key_values.*:2`.
 *
 * Only inputs of the main graph that the caller must give are matched: one that is also an
 * initializer is not.  Those without such an axis (scalars, for axis 0) are skipped.
 */
#ifndef EDIT_PATTERN_H
#define EDIT_PATTERN_H

#include "base/err.h"
#include "base/sv.h"
#include "ir/graph.h"
#include "ir/place.h"

struct places {
	struct place *at; /* owned */
	size_t len;
	size_t cap;
};

/* Has it the form PATTERN:AXIS? */
bool pattern_is(struct sv text);
/* In the order of the inputs; fails when there is none. */
bool pattern_find(const struct model *m, struct sv text, struct places *out,
		  struct err *err) MUST_USE;
/* The same for axis 0 of every input. */
bool pattern_find_batch(const struct model *m, struct places *out, struct err *err) MUST_USE;
void places_release(struct places *p);

#endif
