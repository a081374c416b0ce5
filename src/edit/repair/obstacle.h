/*
 * Where a graph is valid only for the old sizes, and the sites that cause it.
 */
#ifndef EDIT_REPAIR_OBSTACLE_H
#define EDIT_REPAIR_OBSTACLE_H

#include "edit/document.h"
#include "edit/repair/old_sizes.h"
#include "edit/repair/sizes.h"
#include "sym/sym.h"

struct obstacle {
	uint32_t node;       /* that needs it; 0 for an output's declaration */
	uint32_t value;      /* the output */
	uint32_t axis;       /* of it */
	struct sym free;     /* what the size should be */
	struct sym fixed;    /* what it is */
	char why[120];       /* for the report */
	bool weight;         /* a weight needs it: cannot be freed */
	bool unknown;        /* nothing can be proved past the node */
	bool whole;          /* the node itself is the only site */
	uint32_t whole_axis; /* then: of its output */
};

/* The first one: misplaced sizes come before contradictions. */
bool obstacle_find(struct document *d, const struct old_sizes *old, struct obstacle *out);
/* How often this obstacle, the same need at the same place, occurs. */
size_t obstacle_count(struct document *d, const struct old_sizes *old, const struct obstacle *o);
/* Its goals, as bits. */
uint64_t obstacle_goals(const struct document *d, const struct old_sizes *old,
			const struct obstacle *o);

enum {
	OBSTACLE_MAX_SITES = 32
};

/* The sites that may have baked the size in, nearest first. */
size_t obstacle_sites(struct document *d, const struct old_sizes *old, const struct obstacle *o,
		      struct site *out);

#endif
