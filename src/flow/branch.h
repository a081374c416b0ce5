/*
 * A way that parts from one that succeeded: it is the same up to there, and often soon again.
 *
 * So it is run from where it parts, on the tracks of the other, and only until all that is still
 * read is the same in both.
 */
#ifndef FLOW_BRANCH_H
#define FLOW_BRANCH_H

#include "flow/visit.h"
#include "ir/graph.h"

/* Where nodes are in the order in which they run, counted from 1. */
struct flow_places {
	uint32_t *nodes;     /* owned; by node */
	uint32_t *last_read; /* owned; by value: the last place that reads it */
};

void flow_places_make(struct flow_places *p, const struct model *m);
void flow_places_release(struct flow_places *p);

bool track_same(struct pass *p, const struct track *a, const struct track *b);
/* Are all tensors that are read from the node on the same in both? */
bool branch_is_rejoined(const struct flow_places *places, struct pass *a, struct pass *b,
			uint32_t node);
/*
 * Prepares `p` to go on where its choices, `given`, part from those of `done`: the place of the
 * node that makes the first other one.  0 when it has to be run as a whole.
 */
uint32_t branch_begin(const struct flow_places *places, struct pass *p, const struct pass *done);

#endif
