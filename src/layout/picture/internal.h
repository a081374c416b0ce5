/*
 * Inside the folder: the passes of a layout, in the order in which they run.
 */
#ifndef LAYOUT_PICTURE_INTERNAL_H
#define LAYOUT_PICTURE_INTERNAL_H

#include "base/arena.h"
#include "layout/picture/picture.h"
#include "layout/sketch.h"

enum {
	LONGEST_LINE = 60, /* layers; longer nets are stubs */
	MAX_PORTS = 16,    /* lines into or out of one item; further ones are joined */
	BUS_FROM = 6,      /* so many lines that only one item reads are joined before it */
	STUB_EXTRA = 4     /* columns of a stub without its label: "╭─◂ label" */
};

/* State shared by the passes. */
struct layout {
	const struct sketch *sketch; /* borrowed */
	struct picture *picture;     /* borrowed */
	struct arena scratch;
	uint32_t *rank; /* of items */
	uint32_t longest;
	uint32_t *spine; /* by layer: the spot that is drawn straight, or SKETCH_NONE */
};

/* Layers, and lines as spots and links between neighbouring layers. */
void layout_rank(struct layout *l);
void layout_connect(struct layout *l);
/* The path through the drawing that is kept straight. */
void layout_spine(struct layout *l);
/* The order in the layers, with few crossings. */
void layout_order(struct layout *l);
/* The straight links: for each spot the one right below it, or SKETCH_NONE. */
uint32_t *layout_align(struct layout *l);
/* Columns. */
void layout_place(struct layout *l);
/* Rows, and the lines in the gaps. */
void layout_route(struct layout *l);

#endif
