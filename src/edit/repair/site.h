/*
 * Places where an export bakes a size in, and the changes that may free them.
 */
#ifndef EDIT_REPAIR_SITE_H
#define EDIT_REPAIR_SITE_H

#include "edit/repair/emit.h"

enum {
	REPAIR_MAX_GOALS = 64
};

/* The sizes of before: what the goals' symbols were. */
struct old_sizes {
	uint32_t symbols[REPAIR_MAX_GOALS];
	int64_t sizes[REPAIR_MAX_GOALS];
	uint32_t count;
};

/* The expression with the old sizes in it. */
struct sym at_old(struct document *d, const struct old_sizes *old, struct sym s);
bool mentions_goal(const struct document *d, const struct old_sizes *old, struct sym s);

struct site {
	uint32_t node;     /* whose constant it is; of a weight, the node that reads it */
	uint32_t port;     /* of a weight: where */
	uint32_t axis;     /* of the node's output; of a weight: the weight's */
	bool weight;       /* a constant tensor with the size in its own shape */
	bool may_cut;      /* of a weight: may be cut off to a smaller size */
	struct sym wanted; /* what the size should be; unknown when nobody says */
	int64_t baked;     /* what it is */
};

/*
 * Makes the change number `variant` for this site, in the order of their likelihood.
 * False when there is none of that number; what was logged until then is to be reverted.
 * *out_none tells that there are no further ones.
 */
bool site_change(struct document *d, const struct old_sizes *old, const struct site *site,
		 unsigned variant, struct change_log *log, bool *out_none);
/* Has the operator something that exports bake in? */
bool site_is_known(const struct model *m, uint32_t node);

/* Does a Reshape put a goal's size where it does not belong? */
bool reshape_misplaces(struct document *d, const struct old_sizes *old, uint32_t node);

/* The elements of a small constant of integers; false when it is none. */
bool constant_ints(const struct document *d, uint32_t value, int64_t *out, uint32_t max,
		   uint32_t *out_count);
/* Is it a constant of at least `size` positions, the last of them size - 1? */
bool positions_reach(const struct document *d, uint32_t value, int64_t size);
/* The tensor of an initializer or of a Constant node; 0 for none. */
uint32_t constant_tensor(const struct model *m, uint32_t value);

#endif
