/*
 * Where a graph holds for the old sizes only, and what stands behind it.
 */
#ifndef EDIT_REPAIR_OBSTACLE_H
#define EDIT_REPAIR_OBSTACLE_H

#include "edit/repair/old_sizes.h"
#include "edit/repair/sizes.h"

struct obstacle {
	uint32_t node;       /* that needs it; 0 when it is an output's promise */
	uint32_t value;      /* that output */
	uint32_t axis;       /* of it */
	struct sym free;     /* what the size should be */
	struct sym fixed;    /* what it is */
	char why[120];       /* for people */
	bool weight;         /* a weight needs it: nothing can be done */
	bool unknown;        /* an operator that nobody knows is in the way */
	bool whole;          /* the node itself is the only site */
	uint32_t whole_axis; /* then: of its output */
};

/* The first one, sizes in the wrong place before sizes that contradict. */
bool obstacle_find(struct document *d, const struct old_sizes *old, struct obstacle *out);
/* How many times this one, the same need at the same place, is there. */
size_t obstacle_count(struct document *d, const struct old_sizes *old, const struct obstacle *o);
/* The goals it is about, as bits. */
uint64_t obstacle_goals(const struct document *d, const struct old_sizes *old,
			const struct obstacle *o);

enum {
	OBSTACLE_MAX_SITES = 32
};

/* What may have baked the size in, nearest first. */
size_t obstacle_sites(struct document *d, const struct old_sizes *old, const struct obstacle *o,
		      struct site *out);

#endif
