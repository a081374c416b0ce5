/*
 * Reads a drawing as a person does: starts where a line leaves a box and follows the
 * glyphs from cell to cell.
 */
#ifndef TESTS_LAYOUT_TRACE_H
#define TESTS_LAYOUT_TRACE_H

#include "layout/lanes.h"

struct trace {
	const struct cell *cells; /* borrowed */
	int32_t width, height;
	uint32_t *seen; /* owned; by cell: number of the walk << 4 | ways in which it was entered */
	uint32_t walk;
	/* What the last walk came to: */
	VEC(uint32_t)
	items;       /* entered from above, maybe twice */
	bool leaves; /* it came to a stub */
	bool joined; /* it came to where another line begins */
	bool broken; /* a line ended in nothing */
};

void trace_init(struct trace *t, const struct cell *cells, int32_t width, int32_t height);
void trace_release(struct trace *t);
/* From a cell, in a direction. */
void trace_walk(struct trace *t, int32_t x, int32_t y, enum direction way);
bool trace_reached(const struct trace *t, uint32_t item);

/*
 * Boxes apart, nothing outside, every net walked from its producer to all its readers and,
 * where nothing is joined, to nobody else.  Complains and gives false.
 */
bool trace_check(const struct sketch *s, const struct picture *p);
/* The same for lanes: down the lane, then across to the reader's mark. */
bool trace_lanes(const struct sketch *s, const struct lanes *l);

#endif
