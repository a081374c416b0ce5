/*
 * Internals of the graph pane, shared by its files and the map.
 *
 * A stage is the state of one graph: its folds, zoom and scroll position.  Only the current
 * stage has a view and a layout; the others keep little.
 *
 * The current stage has either a picture or lanes.  Selecting makes neither stale.
 */
#ifndef UI_GRAPH_INTERNAL_H
#define UI_GRAPH_INTERNAL_H

#include "base/map.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "layout/draw.h"
#include "layout/lanes.h"
#include "layout/picture/picture.h"
#include "layout/scope/scope.h"
#include "layout/sketch.h"
#include "layout/view/view.h"
#include "ops/info.h"
#include "ui/canvas.h"
#include "ui/dims.h"
#include "ui/graph/graph.h"
#include "ui/screen.h"

enum {
	BOXES_MAX = 300,      /* above this, lanes are the default */
	BOXES_PANES = 8,      /* the same for a picture that is so many panes wide */
	LABEL_SHAPE_MAX = 48, /* columns of a shape in a box; a longer one takes two lines */
	MAP_TARGET = 1 << 30, /* a click target that is a map cell, not an item */
	AXIS_SHIFT = 23       /* above an item's target: the axis of a dim, plus 1 */
};

/* Of the screen, in cells. */
struct size {
	int width, height;
};

/* A fold that was entered, and how the graph around it was scrolled. */
struct room {
	uint32_t scope;
	int32_t x, y;
};

/* Columns of the layout: where a text on the left ends, and one on the right begins; INT32_MIN and
 * INT32_MAX if there is no room. */
struct frame_sides {
	int32_t left, right;
};

/* Around items of an open scope, see scope_frames.c; by first layer, outer ones first. */
struct scope_frame {
	uint32_t scope;
	uint32_t first, last; /* layers */
	int32_t left, right;  /* columns of its rails */
	int32_t rise, drop;   /* rows from the boxes to its edges */
	bool edge;            /* its name is in the upper one; else beside it */
	struct frame_sides sides;
};

/* A place in the model. */
struct spot_at {
	uint32_t graph, node, value;
	uint32_t scope; /* the node stands for this fold; 0 for none */
};

/* What za has just done, so that it can be taken back; anything else that is done forgets it. */
struct toggle {
	uint32_t scope;        /* 0 for none */
	struct spot_at before; /* what was selected */
	int32_t x, y;          /* and how the graph was scrolled */
};

struct stage {
	uint32_t graph;
	struct scopes scopes;
	bool folds_chosen;      /* by the user: a new size of the screen leaves them alone */
	struct size opened_for; /* the screen for which folds were chosen */
	VEC(struct room) rooms; /* each inside the one before; the last one is shown */
	bool untouched;         /* the selection is where reading starts */
	struct view view;
	VEC(uint32_t) titles;      /* by item: columns; names and constants stay */
	VEC(uint32_t) node_titles; /* by node: the same, plus 1; 0 when not measured yet */
	size_t titles_age;         /* the subject they were measured for */
	struct picture picture;    /* for boxes and the map */
	VEC(struct scope_frame) frames;
	struct lanes lanes;
	bool has_view, has_picture, has_lanes; /* a view implies one of the last two */
	enum zoom zoom;
	bool zoom_chosen;
	struct view_focus focus;
	uint64_t structure;    /* hash of the graph's structure */
	uint64_t counts;       /* a cheaper hash */
	uint32_t lanes_max;    /* how many fit into the pane */
	uint64_t shape_widths; /* in lanes: bit n if a shape takes n columns */
	struct rect last;      /* the selected item in the previous layout; width 0 for none */
	bool last_is_lanes, was_laid;
	int32_t spine;       /* in boxes: the column to centre */
	int32_t left, right; /* in boxes: the columns that are drawn on, one past the last */
	int32_t x, y;        /* the layout position at the pane's top left corner */
	uint32_t item;       /* selected, or SKETCH_NONE */
	struct toggle toggle;
	/* Where j or k led from, so that the other one leads back; valid at trail_end only. */
	VEC(uint32_t) trail;
	uint32_t trail_end;
	bool trail_up;
};

enum item_mark {
	ITEM_CHANGED = 1 << 0,
	ITEM_MATCH = 1 << 1,
	ITEM_WARNING = 1 << 2,
	ITEM_PROBLEM = 1 << 3,
	ITEM_FADED = 1 << 4 /* does not carry the followed symbol */
};

struct graph_state {
	VEC(struct stage *) stages; /* owned */
	struct stage *now;          /* borrowed; NULL without a subject */
	size_t renewed;             /* the subject of the last check */
	struct spot_at at;          /* the last known selection */
	struct dim_at pointed;      /* the dim that was pointed at; value 0 for none */
	bool walked;                /* to it, by hand: Enter is about the dim, not the box */
	bool own;                   /* this pane makes the selection: no need to find it */
	bool enters;                /* a jump enters the folds that hide its end */
	bool quiet;                 /* keep this jump out of the jump list */
	bool chase;                 /* scroll to the selection */
	bool hold;                  /* only widths changed: the selected box stays in its place */
	int width, height;          /* inside the frame, as last drawn */
	struct canvas sheet;
	VEC(struct cell) cells;
	VEC(uint8_t) marks;    /* enum item_mark by item, for this frame */
	VEC(uint32_t) changes; /* by item: how many nodes in it changed */
	VEC(struct spot_at) jumps;
	size_t jump;
	struct spot_at places[128]; /* marks, by letter */
	char last_mark;
	VEC(struct spot_at) crumbs; /* the nodes entered on the way here */
};

static inline struct graph_state *graph_of(const struct screen *s)
{
	return s->panes[PANE_GRAPH].state;
}

/* ---- stages ---- */

enum stale {
	STALE_LAYOUT, /* zoom or label sizes */
	STALE_VIEW    /* folds, focus or the graph */
};

/* Enters a graph; finds its scopes if the file changed. */
void stage_enter(struct screen *s, struct graph_state *g, uint32_t graph);
/* Lays out again; the selected item stays in place. */
void stage_renew(struct screen *s, struct graph_state *g, enum stale stale);
/* After a new subject: lays out again if necessary. */
void stage_check(struct screen *s, struct graph_state *g);
/* Folds what is shown for the first time; again after a resize, until the user folds. */
void stage_open(struct screen *s, struct graph_state *g);
/* The user folds: folds stay from now on. */
void stage_choose_folds(struct screen *s, struct graph_state *g);
/* The next layout is scrolled to the selection, not to where the last one was. */
void stage_forget_place(struct stage *st);
/* All of the graph, or of the room. */
void stage_unfocus(struct stage *st);
/* Sizes of all items and nets of the view. */
void stage_size(const struct screen *s, struct stage *st);
/* A preview may end without notice: never draw a view of a model that is gone. */
void stage_guard(struct screen *s, struct graph_state *g);
void stage_free(struct stage *st);
/* The selected item; SKETCH_NONE when it is not visible. */
uint32_t stage_find(const struct screen *s, const struct stage *st);
/* Where reading starts: at an input, in a room at a node. */
uint32_t stage_first(const struct stage *st);
/* An item's cells in boxes, or its row in lanes. */
struct rect stage_rect(const struct stage *st, uint32_t item);
struct rect stage_extent(const struct stage *st);
/* Scrolls into the layout, and to the selection if g->chase. */
void stage_fit(struct graph_state *g);
/* The item of a node, or of the node whose body contains it; SKETCH_NONE when not visible. */
uint32_t stage_around(const struct screen *s, const struct stage *st, uint32_t node);
/* The smallest scroll that shows the item whole, or as much as fits. */
void stage_show(struct graph_state *g, uint32_t item);
/* Marks items as changed, found or wrong. */
void stage_mark(const struct screen *s, struct graph_state *g);

/* Selects an item, and informs the other panes. */
void graph_pick(struct screen *s, struct graph_state *g, uint32_t item);
/* What is selected. */
struct spot_at graph_place(const struct screen *s);
/* The same selection, which another item shows now. */
void graph_keep(struct screen *s, struct graph_state *g);
/* Selects where reading starts, until the user selects something else. */
void graph_pick_first(struct screen *s, struct graph_state *g);
/* Goes to a place that may be hidden or in another graph. */
void graph_go(struct screen *s, struct spot_at place);
/* Adds a place to the jump list. */
void graph_remember(struct graph_state *g, struct spot_at place);
/* The selected node, or a selected value's producer or reader; 0 for none. */
uint32_t graph_node(const struct screen *s, struct spot_at at);

/* ---- the opening view ---- */

/* Folds what is inside a scope, or all with 0, for a pane of this size; there is no view. */
void opening_fold(const struct screen *s, struct stage *st, uint32_t within, int32_t columns,
		  int32_t rows);

/* ---- frames around open scopes ---- */

/* Before a picture is made: gives items of different scopes room for their frames. */
void frames_group(const struct screen *s, struct stage *st);
/* Of a new picture; moves its layers apart where the name of a frame has no other place. */
void frames_find(const struct screen *s, struct stage *st, struct picture *p);
void frames_draw(struct screen *s, const struct graph_state *g);

/* ---- rooms ---- */

/* The scope that is shown alone; 0 for none. */
uint32_t room_now(const struct stage *st);
void room_enter(struct screen *s, struct graph_state *g, uint32_t scope);
/* False if there is none. */
bool room_leave(struct screen *s, struct graph_state *g);
/* Leaves the rooms that a node in this scope is not in, all for node 0; false if there is none. */
bool room_leave_for(struct screen *s, struct graph_state *g, uint32_t node, uint32_t scope);
/* Enters the folds that hide what is in a scope, as Enter does. */
void room_enter_for(struct screen *s, struct graph_state *g, uint32_t scope);

/* ---- labels ---- */

/* The text in the top border: the operator, and its main property. */
void label_title(const struct screen *s, const struct stage *st, uint32_t item, struct str *out,
		 struct str *more);
/* The value whose shape an item shows; 0 for none. */
uint32_t label_value(const struct screen *s, const struct stage *st, uint32_t item);
/* The shape and the text after it; returns the columns used. */
int label_shape(struct screen *s, const struct stage *st, uint32_t item, int x, int y, int columns);
/* The same in two lines if there is room. */
void label_shape_lines(struct screen *s, const struct stage *st, uint32_t item, struct box room);
/* The lines it takes in a box. */
int label_shape_rows(const struct screen *s, const struct stage *st, uint32_t item);
/* Columns, at most LABEL_SHAPE_MAX + 1; `widths` is a cache shared by all items. */
uint32_t label_shape_width(const struct screen *s, const struct stage *st, uint32_t item,
			   struct map *widths);
void label_shape_text(const struct screen *s, const struct stage *st, uint32_t item,
		      struct str *out);
/* The result of folded shape arithmetic, as a shape. */
bool label_computed(const struct screen *s, const struct stage *st, uint32_t item,
		    struct info *out);
/* The detail lines of an item: its name, then attributes.  False after the last. */
bool label_detail(const struct screen *s, const struct stage *st, uint32_t item, uint32_t line,
		  struct str *out);
uint32_t label_title_width(const struct screen *s, const struct stage *st, uint32_t item);
/* The size of an item as a box; `widths` is a cache shared by all items. */
struct sketch_item label_size(const struct screen *s, const struct stage *st, uint32_t item,
			      struct map *widths);
/* The end of a name, which is more informative than its start. */
struct sv label_tail(struct sv name, int columns);
/* The end of a name, with an ellipsis if it is cut. */
void label_add_tail(struct str *out, struct sv name, int columns);
size_t label_width(struct sv text);
/* The tensor of a line that is cut. */
void label_net(const struct screen *s, const struct stage *st, uint32_t net, struct str *out);

/* ---- in the frame ---- */

/* The item where a preview makes a problem; SKETCH_NONE for none. */
uint32_t conflict_item(const struct screen *s, const struct stage *st);
/* Its sentence beside the box, if there is room. */
void conflict_tell(struct screen *s, const struct graph_state *g, uint32_t item);

/* How much is hidden beyond each side, with units if there is room. */
void frame_beyond(struct screen *s, const struct graph_state *g, struct box inside);
/* Zoom, focus, and the path to the selection. */
void frame_title(struct pane *p, struct str *out);

/* ---- drawing into the sheet ---- */

void boxes_draw(struct screen *s, struct graph_state *g);
/* Measures shapes for lanes_show. */
void lanes_measure(const struct screen *s, struct stage *st);
void lanes_show(struct screen *s, struct graph_state *g);
/* The whole stage as dots, with the visible part highlighted. */
void map_show(struct screen *s, struct graph_state *g, struct box all, bool window);
/* The item at a cell of the map. */
uint32_t map_pick(const struct graph_state *g, struct box all, uint32_t target);
/* The dots of a map, without its names. */
struct box map_dots(const struct graph_state *g, struct box all);
/* The cells of a part of the layout among the dots; the column of an item that has them. */
struct rect map_cells(const struct stage *st, struct box dots, struct rect part);
int map_column(const struct stage *st, uint32_t item, struct rect cells);
/* After the dots: names, letters, and with `window` what the graph pane shows. */
void map_annotate(struct screen *s, const struct graph_state *g, struct box all, struct box dots,
		  bool window);
/* The style of a line, if a symbol is followed or it is selected. */
enum style net_style(struct screen *s, const struct stage *st, uint32_t net);
bool net_is_selected(const struct stage *st, uint32_t net);
enum style item_title_style(const struct screen *s, const struct stage *st, uint32_t item);
enum style item_style(const struct graph_state *g, uint32_t item, enum style plain);
void graph_move_items(struct screen *s, struct graph_state *g, enum motion motion);

/* ---- the dim cursor: functions of the pane's kind ---- */

bool graph_dim(struct pane *p, struct dim_at *out);
void graph_point(struct pane *p, struct dim_at at);
bool graph_step_dim(struct pane *p, int step);
/* The symbol that Enter follows: the next one of the dim that was walked to; false for none. */
bool graph_dim_symbol(struct pane *p, uint32_t *out);

#endif
