/*
 * What dims depend on, in reading order of the inputs.
 */
#ifndef UI_OVERLAYS_WHY_H
#define UI_OVERLAYS_WHY_H

#include "infer/infer.h"
#include "infer/why.h"

enum {
	REASONS_MAX = 16 /* per query */
};

/* As why_find, in a fixed order: by port, dims before contents. */
size_t why_reasons(struct infer *in, struct why what, struct why out[REASONS_MAX]);
/*
 * Is a size only passed on?  Then the others are equal, or are broadcast 1s.  Returns its
 * source (a dim rather than an element), or NULL.
 */
const struct why *why_handed_on(const struct infer *in, struct why what, const struct why *from,
				size_t count);

#endif
