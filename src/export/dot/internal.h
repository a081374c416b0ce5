/*
 * A Graphviz graph while it is made; see dot.h.  Only for this room.
 *
 * On paper there is more room than in cells: frames around scopes have their captions, so
 * layers move apart where frames begin and end.  Frames are kept in layers and columns; only
 * the paper knows points.
 *
 *   strip 0          strip 1          a tall drawing may be cut into strips side by side;
 *   +- encoder --+   | x              what crosses a cut is named on both sides of it
 *   | [MatMul]   |   v
 *   |  [Add]     |  [Softmax]
 *   +-- | -------+
 *       | x
 */
#ifndef EXPORT_DOT_INTERNAL_H
#define EXPORT_DOT_INTERNAL_H

#include <cgraph.h>

#include "export/sheet/sheet.h"

enum {
	CELL_WIDTH = 8, /* points */
	CELL_HEIGHT = 16,
	ARROW = 8,
	INSET = 6,    /* boxes are less high than their rows, so that there is room between them */
	CAPTION = 14, /* of a frame, above what is in it */
	FRAME_BELOW = 4, /* between two frames that end in the same layer */
	FRAME_DEEPEST = 12,
	NAME_SIZE = 10, /* points of the letters of a stub and of a caption */
	NAME_ROWS = 5   /* names above and below a strip do not stand side by side */
};

/* In points, y upwards. */
struct bounds {
	int32_t left, bottom, right, top;
};

/*
 * Members of a scope that stand together: in the rectangle of these layers and columns there
 * is nothing else.  A scope has as many frames as that takes.  Frames lie inside each other or
 * apart; frame 0 is everything.
 */
struct frame {
	uint32_t scope; /* 0 when it is not drawn */
	uint32_t parent;
	uint32_t older;       /* another one of the same scope and parent; 0 ends the list */
	uint32_t count;       /* of items */
	uint32_t first, last; /* layers */
	int32_t left, right;  /* columns, both in it */
	int32_t low, high;    /* it cannot grow to these columns: others stand there */
	uint32_t rise, drop;  /* frames that begin and end with it, itself included */
	uint32_t nested;      /* frames inside each other, itself included */
};

struct frames {
	VEC(struct frame)
	at;
	uint32_t *of_item; /* owned; the innermost */
	uint32_t nested;   /* most */
	bool given_up;     /* some frame is not drawn */
};

/* Layers that stand below each other on paper. */
struct strip {
	uint32_t first, end; /* layers */
	int32_t left, right; /* columns that are used, both in it */
	int32_t x;           /* points: where column `left` begins */
};

/* A layer: boxes stand from `top` to `bottom`, frames reach `over` and `under`; downwards. */
struct band {
	uint32_t strip;
	int32_t over, top, bottom, under;
};

struct paper {
	const struct sheet *sheet; /* borrowed */
	struct frames frames;
	struct band *bands;   /* owned; by layer */
	struct strip *strips; /* owned */
	uint32_t strip_count;
	int32_t width, height; /* points */
};

enum dot_attr {
	DOT_NODE_LABEL,
	DOT_NODE_TOOLTIP,
	DOT_NODE_SHAPE,
	DOT_NODE_STYLE,
	DOT_NODE_FILL,
	DOT_NODE_WIDTH,
	DOT_NODE_HEIGHT,
	DOT_NODE_POS,
	DOT_EDGE_TOOLTIP,
	DOT_EDGE_POS,
	DOT_EDGE_HEAD,
	DOT_EDGE_HEAD_POS,
	DOT_EDGE_TAIL,
	DOT_EDGE_TAIL_POS,
	DOT_GRAPH_BB,
	DOT_GRAPH_LABEL,
	DOT_GRAPH_LABEL_POS,
	DOT_ATTR_COUNT
};

struct dot {
	struct sheet *sheet; /* borrowed */
	struct paper paper;
	bool placed; /* everything has its place; else only what belongs together is said */
	Agraph_t *graph;
	Agsym_t *attrs[DOT_ATTR_COUNT];
	Agnode_t **nodes; /* owned; by item */
	struct str text;  /* scratch */
};

/* The scope whose frame an item stands in: the innermost that has a name; 0 is none. */
uint32_t frame_scope(const struct sheet *s, uint32_t item);
uint32_t frame_scope_above(const struct scopes *s, uint32_t scope);
/* Nothing stands in a frame that goes over the end of a strip. */
void frames_make(struct frames *f, const struct sheet *s, const struct band *bands);
void frames_release(struct frames *f);

/* In so many strips, if there are as many layers. */
void paper_make(struct paper *p, const struct sheet *s, uint32_t strips);
void paper_release(struct paper *p);
struct bounds paper_item(const struct paper *p, uint32_t item);
struct bounds paper_frame(const struct paper *p, uint32_t frame);
/* The middle of a column in some layer. */
int32_t paper_x(const struct paper *p, uint32_t layer, int32_t column);
/* What is `down` from the top, upwards. */
int32_t paper_y(const struct paper *p, int32_t down);

/* cgraph takes texts as char * and copies them. */
char *dot_mutable(const char *text);
void dot_set(struct dot *d, void *object, enum dot_attr attr, const char *value);
/* 12,-7 */
void dot_add_point(struct str *out, int32_t x, int32_t y);
/* For attributes that Graphviz reads escape sequences and entities in. */
void dot_add_escaped(struct str *out, struct sv text);
/* As much of a text as fits into so many points of letters of NAME_SIZE, and its width. */
int32_t dot_add_name(struct str *out, struct sv text, int32_t points);
/* Makes the clusters, nodes put into them. */
void dot_clusters(struct dot *d);
/* All edges. */
void dot_edges(struct dot *d);

#endif
