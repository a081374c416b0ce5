/*
 * The inside of the graph pane.  Only for its own files and for the map.
 *
 * A stage is a graph that was looked at: its folds, its zoom and where one stood in it.  Only
 * the stage that is seen has a view and is laid out; what the others keep is small.
 *
 * A stage that is seen has either a picture or lanes.  A selection makes neither stale.
 */
#ifndef UI_GRAPH_INTERNAL_H
#define UI_GRAPH_INTERNAL_H

#include "layout/lanes.h"
#include "layout/view/view.h"
#include "ui/graph/graph.h"

enum {
	BOXES_MAX = 300,      /* items up to which boxes are the default */
	LABEL_SHAPE_MAX = 48, /* columns of a shape in a box; what is longer takes two lines */
	MAP_TARGET = 1 << 30  /* a click target that is a cell of a map, not an item */
};

struct stage {
	uint32_t graph;
	struct scopes scopes;
	struct view view;
	VEC(uint32_t)
	titles; /* by item: columns; names and constants stay as they are */
	VEC(uint32_t)
	node_titles;            /* by node: the same, plus 1; 0 when it was not measured yet */
	size_t titles_age;      /* the subject they were measured of */
	struct picture picture; /* of boxes and of the map */
	struct lanes lanes;
	bool has_view, has_picture, has_lanes; /* of the last two, one when there is a view */
	enum zoom zoom;
	bool zoom_chosen;
	struct view_focus focus;
	uint64_t structure;    /* what scopes and view were made of */
	uint64_t counts;       /* the same, roughly */
	uint32_t lanes_max;    /* what suits the width of the pane */
	uint64_t shape_widths; /* in lanes: bit n when a shape takes n columns */
	struct rect last;      /* of the selected item in the layout before; width 0: of none */
	bool last_is_lanes, was_laid;
	int32_t spine; /* of boxes: the column that is best in the middle */
	int32_t x, y;  /* of the layout, what is in the pane's upper left corner */
	uint32_t item; /* selected, or SKETCH_NONE */
};

/* Somewhere one can be. */
struct spot_at {
	uint32_t graph, node, value;
};

enum item_mark {
	ITEM_CHANGED = 1 << 0,
	ITEM_MATCH = 1 << 1,
	ITEM_WARNING = 1 << 2,
	ITEM_PROBLEM = 1 << 3
};

struct graph_state {
	VEC(struct stage *)
	stages;            /* owned */
	struct stage *now; /* borrowed; NULL before the first subject */
	size_t renewed;    /* the subject that was last looked at */
	struct spot_at at; /* the selection as it was last seen */
	bool own;          /* it is this pane that selects: nothing to look up */
	bool quiet;        /* a jump that the jump list needs not remember */
	bool chase;        /* the selection is to be in sight */
	int width, height; /* inside the frame, when it was last drawn */
	struct canvas sheet;
	VEC(struct cell)
	cells;
	VEC(uint8_t)
	marks; /* enum item_mark by item, as of this frame */
	VEC(struct spot_at)
	jumps;
	size_t jump;
	struct spot_at places[128]; /* marks, by letter */
	char last_mark;
	VEC(struct spot_at)
	crumbs;               /* the nodes through which one came here */
	uint32_t entered;     /* the node that was entered last, */
	uint32_t entered_nth; /* and which of its graphs */
};

static inline struct graph_state *graph_of(const struct screen *s)
{
	return s->panes[PANE_GRAPH];
}

/* ---- stages ---- */

enum stale {
	STALE_LAYOUT, /* another zoom, other sizes of labels */
	STALE_VIEW    /* folds, focus, an edit of the graph */
};

/* Goes to a graph; finds its scopes when the file changed. */
void stage_enter(struct screen *s, struct graph_state *g, uint32_t graph);
/* Lays out again, the selected item where it was on the screen. */
void stage_renew(struct screen *s, struct graph_state *g, enum stale stale);
/* The subject is another: lays out again only if that shows. */
void stage_check(struct screen *s, struct graph_state *g);
/* A preview may end without anybody telling: a view of what is gone must not be drawn. */
void stage_guard(struct screen *s, struct graph_state *g);
void stage_free(struct stage *st);
/* The item of the selection; SKETCH_NONE when it is not seen. */
uint32_t stage_find(const struct screen *s, const struct stage *st);
/* Where one begins to read: of what comes in, the first from which the way is longest. */
uint32_t stage_first(const struct stage *st);
/* An item in cells of boxes, or its row of lanes. */
struct rect stage_rect(const struct stage *st, uint32_t item);
struct rect stage_extent(const struct stage *st);
/* Scrolls: into the layout, and to the selection when it is chased. */
void stage_fit(struct graph_state *g);
/* What the item says is so: changed, found, wrong. */
void stage_mark(const struct screen *s, struct graph_state *g);

/* Selects an item, and tells the other panes. */
void graph_pick(struct screen *s, struct graph_state *g, uint32_t item);
/* Goes to a place that may be hidden or in another graph. */
void graph_go(struct screen *s, struct graph_state *g, struct spot_at place);
/* What was selected is worth coming back to. */
void graph_remember(struct graph_state *g, struct spot_at place);
/* A node for what is selected, values included; 0 when there is none. */
uint32_t graph_node(const struct screen *s, struct spot_at at);

/* ---- labels ---- */

/* What stands in the upper border: what it is, and what is worth knowing of it. */
void label_title(const struct screen *s, const struct stage *st, uint32_t item, struct str *out,
		 struct str *more);
/* The value whose shape an item shows; 0 when it has none. */
uint32_t label_value(const struct screen *s, const struct stage *st, uint32_t item);
/* The shape and what stands behind it; gives the columns used. */
int label_shape(struct screen *s, const struct stage *st, uint32_t item, int x, int y, int columns);
/* The same in two lines when the room has as many. */
void label_shape_lines(struct screen *s, const struct stage *st, uint32_t item, struct box room);
/* The lines that a box has for it. */
int label_shape_rows(const struct screen *s, const struct stage *st, uint32_t item);
/* Columns, at most one more than LABEL_SHAPE_MOST; `widths` is kept from item to item. */
uint32_t label_shape_width(const struct screen *s, const struct stage *st, uint32_t item,
			   struct map *widths);
void label_shape_text(const struct screen *s, const struct stage *st, uint32_t item,
		      struct str *out);
/* Shape arithmetic that is folded shows what it computes, as if that were a shape. */
bool label_computed(const struct screen *s, const struct stage *st, uint32_t item,
		    struct info *out);
/* Of an item with details: its name, then attributes.  False when there are no more lines. */
bool label_detail(const struct screen *s, const struct stage *st, uint32_t item, uint32_t line,
		  struct str *out);
uint32_t label_title_width(const struct screen *s, const struct stage *st, uint32_t item);
/* The columns and rows of an item as a box; `widths` of shapes is kept from item to item. */
struct sketch_item label_size(const struct screen *s, const struct stage *st, uint32_t item,
			      struct map *widths);
/* A name as far as it can matter; the end says more than the beginning. */
struct sv label_tail(struct sv name, int columns);
/* The end of a name, with a sign that there is more before it. */
void label_add_tail(struct str *out, struct sv name, int columns);
size_t label_width(struct sv text);
/* The tensor of a line that is cut off. */
void label_net(const struct screen *s, const struct stage *st, uint32_t net, struct str *out);

/* ---- in the frame ---- */

/* How much there is beyond each side; where there is room, of what. */
void frame_beyond(struct screen *s, const struct graph_state *g, struct box inside);
/* Zoom, focus, and the way to what is selected. */
void frame_title(struct screen *s, const struct graph_state *g, struct str *out);

/* ---- drawing into the sheet ---- */

void boxes_draw(struct screen *s, struct graph_state *g);
/* Finds the widths of shapes, for lanes_show. */
void lanes_measure(const struct screen *s, struct stage *st);
void lanes_show(struct screen *s, struct graph_state *g);
/* The whole stage as dots, with the part that is in the pane told from the rest. */
void map_show(struct screen *s, struct graph_state *g, struct box inside, bool window);
/* The item at a cell of such a map. */
uint32_t map_pick(struct screen *s, struct graph_state *g, struct box inside, uint32_t target);
bool net_is_selected(const struct stage *st, uint32_t net);
enum style item_style(const struct graph_state *g, uint32_t item, enum style plain);
void graph_move_items(struct screen *s, struct graph_state *g, enum motion motion);

bool graph_edit(struct screen *s, struct str *line);

#endif
