/*
 * What dims rest on, in the order in which people read inputs.
 */
#ifndef UI_OVERLAYS_WHY_H
#define UI_OVERLAYS_WHY_H

#include "infer/why.h"

enum {
	REASONS_MAX = 16 /* that are asked for */
};

/* As why_find; by port, dims before numbers, and the same in every run. */
size_t why_reasons(struct infer *in, struct why what, struct why out[REASONS_MAX]);
/*
 * Is a size only handed on?  Then others have it too, or are 1 and give way.  Gives the one
 * it is taken from (a dim before a number inside), or NULL.
 */
const struct why *why_handed_on(const struct infer *in, struct why what, const struct why *from,
				size_t count);

#endif
