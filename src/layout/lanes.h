/*
 * A sketch as a list: one row per item, and lanes to its left, in which nets run from the
 * row of their producer to the row of their last reader.
 *
 *   ●          x
 *   ├─◆        Conv          x goes on, Conv opens a lane
 *   │ ◆        Relu          takes over the lane of what ends in it
 *   ◆─╯        Add           takes over the leftmost of them
 *
 * Rows are in the order of the sketch, items without inputs right before their first reader.
 * When there are more nets than lanes, the one that is needed last loses its lane: its other
 * readers show it as a stub, by name after their label.  So do nets that lead back up.
 */
#ifndef LAYOUT_LANES_H
#define LAYOUT_LANES_H

#include "base/arena.h"
#include "layout/draw.h"
#include "layout/sketch.h"

enum {
	LANES_MAX = 24
};

/* A net in its lane, both rows included: in the first its producer, in the last a reader. */
struct lane_span {
	uint32_t net;
	uint32_t lane;
	uint32_t first, last;
	bool cut; /* lost its lane; it is not read in its last row */
};

struct lanes {
	uint32_t rows;  /* as many as items */
	uint32_t width; /* lanes, marks included; each takes two columns */
	uint32_t max;
	uint32_t *item;          /* by row */
	uint32_t *row;           /* by item */
	uint32_t *lane;          /* by item: the lane of its mark */
	struct lane_span *spans; /* lane by lane, in the order of rows */
	uint32_t *first_span;    /* by lane, and one more */
	uint32_t *span_of_net;   /* index + 1; 0 when it never had a lane */
	struct arena arena;
};

/* At most `max` lanes; 0 means LANES_MAX.  The sketch must be indexed. */
void lanes_make(struct lanes *l, const struct sketch *s, uint32_t max);
void lanes_release(struct lanes *l);
/* Is the net shown by name, not as a line, where this item reads it? */
bool lanes_is_stub(const struct lanes *l, uint32_t net, uint32_t reader);
/* The lanes, marks included, that these rows need. */
uint32_t lanes_width(const struct lanes *l, uint32_t first, uint32_t rows);
/* Rows from `first` on, `columns` wide: lanes, line 0 of the label, and stubs by name. */
void lanes_draw(const struct lanes *l, const struct sketch *s, uint32_t first, uint32_t rows,
		int32_t columns, const struct drawing *how, struct cell *out);

#endif
