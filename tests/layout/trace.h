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
	uint32_t *seen; /* owned; by cell: number of the walk << 4 | directions entered */
	uint32_t walk;
	/* What the last walk reached: */
	VEC(uint32_t) items; /* entered from above, maybe twice */
	bool leaves;         /* it reached a stub */
	bool joined;         /* it reached the start of another line */
	bool broken;         /* a line has a loose end */
};

void trace_init(struct trace *t, const struct cell *cells, int32_t width, int32_t height);
void trace_release(struct trace *t);
/* From a cell, in a direction. */
void trace_walk(struct trace *t, int32_t x, int32_t y, enum direction way);
bool trace_reached(const struct trace *t, uint32_t item);

/*
 * Checks that boxes do not overlap or leave the picture, and that every net reaches all its
 * readers and, unless joined, no others.  Prints what is wrong and returns false.
 */
bool trace_check(const struct sketch *s, const struct picture *p);
/* The same for lanes: down the lane, then across to the reader's mark. */
bool trace_lanes(const struct sketch *s, const struct lanes *l);

#endif
