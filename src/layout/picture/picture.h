/*
 * A sketch laid out in cells: layers from top to bottom, each item in one of them, and
 * between two layers a gap of rows for the lines; none where all lines go straight down.
 *
 *   layer     ╭─ Add ──╮    │        an item; a line on its way to a later layer
 *             │ [N, 8] │    │
 *             ╰───┬────╯    │
 *   gap           │ ╭───────╯        lines of one net join; lines that merely cross do not
 *   layer     ╭─ Mul ──╮   ╭─◂ mask  the end of a net too long to be drawn: a stub
 *
 * Nets only go down.  One that is longer than `longest` layers, or that goes up because of
 * a cycle, is drawn as two stubs.  An item that is the only reader of many nets gets them
 * through one line.
 *
 * Lines are in even columns, so that two of them never touch; odd columns are for lines
 * that must step aside.  Nothing overlaps, and nothing is outside (0, 0, width, height).
 * The same sketch always gives the same picture; time and memory grow with the sketch,
 * whatever its form.  The sketch is not kept: item and net numbers refer to it.
 */
#ifndef LAYOUT_PICTURE_PICTURE_H
#define LAYOUT_PICTURE_PICTURE_H

#include "base/arena.h"
#include "layout/sketch.h"

struct rect {
	int32_t x, y, width, height;
};

enum spot_kind {
	SPOT_ITEM,
	SPOT_LINE,   /* a net passing a layer */
	SPOT_LEAVE,  /* the stub where a long net is cut off, below its producer */
	SPOT_ARRIVE, /* the stub where it comes back, above a reader */
	SPOT_KIND_COUNT
};

/* A position in a layer.  The first spots are the items, with the same numbers. */
struct spot {
	enum spot_kind kind;
	bool aside;     /* the item's */
	bool spine;     /* the drawing's straight line goes through it */
	uint32_t id;    /* item, else net */
	uint32_t group; /* the item's */
	uint32_t layer;
	uint32_t pos;        /* in its layer, from the left */
	int32_t x;           /* column of its middle, or of its line */
	int32_t left, right; /* columns on either side of x */
	int32_t y, height;
	uint32_t first_up, up_count; /* its links in `up` and `down` */
	uint32_t first_down, down_count;
};

/* The other end of a piece of a net between adjacent layers. */
struct picture_link {
	uint32_t spot;
	uint32_t net;
	bool alone; /* the net enters nothing else in this gap */
};

/* A straight piece of a line, ends included.  Pieces of one `join` connect. */
struct stroke {
	int32_t x0, y0, x1, y1;
	uint32_t net;
	uint32_t join;
};

struct layer {
	uint32_t first, count; /* of its spots in `row`, from the left */
	int32_t y, height;
	int32_t gap; /* rows below it */
	uint32_t first_stroke, stroke_count;
};

struct picture {
	int32_t width, height;
	uint32_t item_count;
	struct spot *spots; /* this and what follows: in the arena */
	uint32_t spot_count;
	struct layer *layers;
	uint32_t layer_count;
	uint32_t *row;
	struct picture_link *up, *down;
	uint32_t link_count;
	struct stroke *strokes;
	uint32_t stroke_count;
	struct arena arena;
};

enum picture_move {
	STEP_UP, /* along a line, or to the nearest item in the layer above */
	STEP_DOWN,
	STEP_LEFT, /* in the layer */
	STEP_RIGHT,
	STEP_COUNT
};

/* `longest` is in layers; 0 means 60.  The sketch must be indexed. */
void picture_make(struct picture *p, const struct sketch *s, uint32_t longest);
void picture_release(struct picture *p);
/* Moves layers apart: rows[i] blank ones above layer i, which lines go straight through. */
void picture_part(struct picture *p, const uint8_t *rows);

struct rect picture_rect(const struct picture *p, uint32_t item);
/* The item at a cell, or SKETCH_NONE.  For lines see draw.h. */
uint32_t picture_item_at(const struct picture *p, int32_t x, int32_t y);
/*
 * The item that a cursor key leads to, or the item itself.  Up and down go along the drawing's
 * straight line; beside it to the nearest reader or producer, to a secondary one last.
 */
uint32_t picture_step(const struct picture *p, uint32_t item, enum picture_move step);
/* The layers that have rows in [y, y + height): first and one past the last. */
void picture_layers(const struct picture *p, int32_t y, int32_t height, uint32_t *out_first,
		    uint32_t *out_end);
/* The index in `row` of a layer's first spot whose columns end at x or right of it. */
uint32_t picture_first_spot(const struct picture *p, const struct layer *layer, int32_t x);

#endif
