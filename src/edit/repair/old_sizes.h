/*
 * The old sizes of the goals' symbols, and expressions evaluated at them.
 */
#ifndef EDIT_REPAIR_OLD_SIZES_H
#define EDIT_REPAIR_OLD_SIZES_H

#include "edit/document.h"
#include "sym/sym.h"

enum {
	REPAIR_MAX_GOALS = 64
};

struct old_sizes {
	uint32_t symbols[REPAIR_MAX_GOALS];
	int64_t sizes[REPAIR_MAX_GOALS];
	uint32_t count;
};

/* The expression at the old sizes. */
struct sym at_old(struct document *d, const struct old_sizes *old, struct sym s);
bool mentions_goal(const struct document *d, const struct old_sizes *old, struct sym s);

#endif
