/*
 * A sheet on paper: where boxes, frames and lines are, in points.  What writes a picture (dot/,
 * svg/) asks here, so that all pictures are the same.
 *
 * Frames around scopes have captions, so layers move apart where frames begin and end.  Frames
 * are stored in layers and columns; only `struct paper` uses points.
 *
 *   strip 0          strip 1          a tall drawing may be cut into strips side by side;
 *   +- encoder --+   | x              nets that cross a cut are labelled on both sides
 *   | [MatMul]   |   v
 *   |  [Add]     |  [Softmax]
 *   +-- | -------+
 *       | x
 *
 * The bodies of a node are papers of their own, inside its box, below its title:
 *
 *   +-----------------------------+   one body: the frame is its, and has its caption
 *   |            [If]             |
 *   | +-then_branch+ +-else_bran+ |
 *   | |   [Relu]   | |  [Neg]   | |
 *   | +------------+ +----------+ |
 *   +-----------------------------+
 *
 * Whatever is told of positions is on the whole paper.
 */
#ifndef EXPORT_PAPER_PAPER_H
#define EXPORT_PAPER_PAPER_H

#include "export/sheet/sheet.h"
#include "layout/frames.h"

enum {
	CELL_WIDTH = 8, /* points */
	CELL_HEIGHT = 16,
	ARROW = 8,
	INSET = 6,        /* boxes are lower than their rows, which leaves a gap */
	CAPTION = 14,     /* height above the contents of a frame */
	FRAME_BELOW = 4,  /* gap between frames that end in the same layer */
	NAME_SIZE = 10,   /* font size of stubs and captions, in points */
	NAME_ROWS = 5,    /* names above and below a strip are staggered */
	CAPTION_SIDE = 4, /* points on either side of a caption */
	SIDE_INSET = 5,   /* boxes are narrower than their columns */
	LEGEND_ROW = 14,
	LEGEND_COLUMNS = 72 /* characters of a line of a legend */
};

struct point {
	int32_t x, y; /* points, y upwards */
};

/* In points, y upwards. */
struct bounds {
	int32_t left, bottom, right, top;
};

/* Consecutive layers, stacked on paper. */
struct strip {
	uint32_t first, end; /* layers */
	int32_t left, right; /* used columns, inclusive */
	int32_t x;           /* points: left edge of column `left` */
};

/* A layer: boxes span `top` to `bottom`, frames `over` to `under`; points, y downwards. */
struct band {
	uint32_t strip;
	int32_t over, top, bottom, under;
};

struct paper {
	struct sheet *sheet; /* borrowed */
	struct frames frames;
	struct band *bands;   /* owned; by layer */
	struct strip *strips; /* owned */
	uint32_t strip_count;
	int32_t width, height; /* points */
	int32_t legend;        /* of that, the rows of short names at the bottom */
	uint32_t legend_columns;
	int32_t legend_width; /* of a column */
	struct paper *bodies; /* owned; as in the sheet; NULL without any */
	/* Where it is on the whole paper: of its upper left corner, y downwards; and how tall that
	 * is. */
	int32_t x, y;
	int32_t tall;
};

/* The cells of a node's box for its title and its bodies. */
void paper_size_node(const struct sheet *s, uint32_t item, uint32_t *out_width,
		     uint32_t *out_height);
/*
 * Into how many strips a drawing is to be cut, until it is about as wide as tall; 0 for none.  It
 * is when it is taller than `max` points (0: no limit), or so tall and narrow that no screen shows
 * it.
 */
uint32_t paper_strips(struct sheet *s, int64_t max);

/* `strips` is reduced to the number of layers. */
void paper_make(struct paper *p, struct sheet *s, uint32_t strips);
void paper_release(struct paper *p);
/* The lines of the names of a row of the legend, from this one on. */
uint32_t paper_legend_lines(const struct paper *p, uint32_t first);
/* The box of an item; of a node that shows its bodies the title, to which its lines lead. */
struct bounds paper_item(const struct paper *p, uint32_t item);
/* The same with its bodies; its lines leave from there. */
struct bounds paper_outline(const struct paper *p, uint32_t item);
/* The frame of a body: that of its node if it has no other. */
struct bounds paper_body(const struct paper *p, uint32_t body);
struct bounds paper_frame(const struct paper *p, uint32_t frame);
/* The middle of a column in a layer. */
int32_t paper_x(const struct paper *p, uint32_t layer, int32_t column);
/* Converts from y downwards to y upwards. */
int32_t paper_y(const struct paper *p, int32_t down);

#endif
