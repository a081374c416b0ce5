/*
 * Finds the hits of a query; see hit.h.
 */
#ifndef UI_SEARCH_HITS_H
#define UI_SEARCH_HITS_H

#include "base/vec.h"
#include "ui/screen.h"
#include "ui/search/hit.h"
#include "ui/search/query.h"

struct hits {
	VEC(struct hit) list; /* those of the rank that is walked, in the order of reading */
	size_t counts[HIT_KIND_COUNT];
};

/* Adds to empty hits. */
void hits_find(struct hits *h, const struct query *q);
/* Where the selection is in the order of reading. */
uint64_t hits_here(const struct screen *s);

#endif
