/*
 * The graph pane: selection, folds, zoom, and drawing.
 */
#include "ui/graph/graph.h"

#include "base/sv.h"
#include "base/vec.h"
#include "base/width.h"
#include "ir/graph.h"
#include "layout/scope/scope.h"
#include "layout/sketch.h"
#include "ui/canvas.h"
#include "ui/dims.h"
#include "ui/graph/internal.h"

static void graph_pane_init(struct pane *p)
{
	struct graph_state *g = p->state;

	g->width = 80;
	g->height = 20;
}

static void graph_pane_release(struct pane *p)
{
	struct graph_state *g = p->state;

	for (size_t i = 0; i < g->stages.len; i++)
		stage_free(g->stages.at[i]);
	vec_release(&g->stages);
	canvas_release(&g->sheet);
	vec_release(&g->cells);
	vec_release(&g->marks);
	vec_release(&g->changes);
	vec_release(&g->jumps);
	vec_release(&g->crumbs);
}

/* ---- selection ---- */

/* The node that represents an item; for a folded scope, the one whose shape is shown. */
static uint32_t graph_node_of(const struct screen *s, const struct stage *st, uint32_t item)
{
	const struct view_item *at = &st->view.items.at[item];
	const struct model *m = s->subject.model;
	uint32_t node;

	if (at->kind == VIEW_NODE)
		return at->id;
	if (at->kind != VIEW_SCOPE)
		return 0;
	node = m->values.at[label_value(s, st, item)].producer;
	if (node && view_find(&st->view, node) == item)
		return node;
	return m->graphs.at[st->graph].nodes.at[st->scopes.at[at->id].first_index];
}

void graph_pick(struct screen *s, struct graph_state *g, uint32_t item)
{
	struct stage *st = g->now;
	uint32_t node;

	if (item == SKETCH_NONE)
		return;
	node = graph_node_of(s, st, item);
	st->item = item;
	st->untouched = false;
	st->toggle.scope = 0;
	g->walked = false;
	g->chase = true;
	g->own = true;
	if (node && st->view.items.at[item].kind == VIEW_SCOPE) {
		screen_select_fold(s, node, st->view.items.at[item].id);
	} else if (node) {
		screen_select(s, node);
	} else {
		/* Show an outer value in this graph, not where it is produced. */
		s->graph = st->graph;
		s->node = s->scope = 0;
		s->value = st->view.items.at[item].id;
		screen_selected(s);
	}
	g->own = false;
	g->at = graph_place(s);
}

struct spot_at graph_place(const struct screen *s)
{
	return (struct spot_at){s->graph, s->node, s->value, s->scope};
}

void graph_pick_first(struct screen *s, struct graph_state *g)
{
	if (g->now->view.items.len)
		graph_pick(s, g, stage_first(g->now));
	g->now->untouched = true;
}

void graph_go(struct screen *s, struct spot_at place)
{
	if (place.node && place.scope) {
		screen_select_fold(s, place.node, place.scope);
		return;
	}
	if (place.node) {
		screen_select(s, place.node);
		return;
	}
	s->graph = place.graph;
	s->node = s->scope = 0;
	s->value = place.value;
	screen_selected(s);
}

/* The node that shows the selected one: a constant is shown where it is read. */
static uint32_t graph_shown_by(const struct screen *s)
{
	const struct model *m = s->subject.model;
	const struct node *n = &m->nodes.at[s->node];
	uint32_t reader = 0;

	if (s->node && scope_is_constant(m, n))
		reader = scope_reader(m, n->outputs[0]);
	return reader && m->nodes.at[reader].graph == n->graph ? reader : s->node;
}

/* The scope around the node, or around the selected fold; 0 if that is the root. */
static uint32_t graph_around(const struct screen *s, const struct stage *st, uint32_t node)
{
	const struct node *n = &s->subject.model->nodes.at[node];

	if (!node || n->graph != st->graph)
		return 0;
	return s->scope && s->scope < st->scopes.count ? st->scopes.at[s->scope].parent
						       : st->scopes.of_node[n->index];
}

/* Another pane selected it: unfold it, or enter its folds, and leave rooms and a focus that hide
 * it. */
static void graph_reveal(struct screen *s, struct graph_state *g)
{
	uint32_t node = graph_shown_by(s);
	struct stage *st = g->now;
	uint32_t around = graph_around(s, st, node);

	if (node && (s->scope || stage_find(s, st) == SKETCH_NONE))
		(void)room_leave_for(s, g, node, around);
	if (g->enters && !g->quiet)
		room_enter_for(s, g, around);
	if (scopes_shown(&st->scopes, around) && !g->quiet) {
		stage_choose_folds(s, g);
		scopes_reveal(&st->scopes, around);
		stage_renew(s, g, STALE_VIEW);
	}
	st->item = stage_find(s, st);
	if (st->item == SKETCH_NONE && st->focus.node && (s->node || s->value)) {
		stage_unfocus(st);
		stage_renew(s, g, STALE_VIEW);
	}
	if (st->item == SKETCH_NONE && s->value)
		(void)room_leave_for(s, g, 0, 0);
}

void graph_visit(struct screen *s, uint32_t node, uint32_t scope)
{
	struct graph_state *g = graph_of(s);

	g->enters = true;
	screen_select_fold(s, node, scope);
	g->enters = false;
}

/* What is selected may be hidden in a fold: then that is selected. */
static void graph_sync_fold(struct screen *s, const struct stage *st)
{
	const struct view_item *at = st->item == SKETCH_NONE ? NULL : &st->view.items.at[st->item];

	s->scope = at && at->kind == VIEW_SCOPE && s->node ? at->id : 0;
}

void graph_keep(struct screen *s, struct graph_state *g)
{
	graph_sync_fold(s, g->now);
	g->own = true;
	screen_selected(s);
	g->own = false;
	g->at = graph_place(s);
}

const struct scopes *graph_scopes(const struct screen *s)
{
	const struct graph_state *g = graph_of(s);

	return g->now && g->now->graph == s->graph && s->scope < g->now->scopes.count
		       ? &g->now->scopes
		       : NULL;
}

static void graph_renew(struct pane *p)
{
	struct screen *s = p->screen;
	struct graph_state *g = p->state;
	bool other = s->graph != g->at.graph || s->node != g->at.node || s->value != g->at.value ||
		     s->scope != g->at.scope;

	if (g->own)
		return;
	if (!g->now || g->now->graph != s->graph)
		stage_enter(s, g, s->graph);
	else if (g->renewed != s->renewed)
		stage_check(s, g);
	g->renewed = s->renewed;
	if (other && g->at.graph < s->subject.model->graphs.len)
		graph_remember(g, g->at);
	g->now->untouched &= !other;
	g->walked &= !other;
	if (other) {
		g->now->toggle.scope = 0;
		graph_reveal(s, g);
	}
	g->chase |= other;
	graph_sync_fold(s, g->now);
	g->at = graph_place(s);
	if (!s->node && !s->value)
		graph_pick_first(s, g);
}

void graph_prepare(struct screen *s)
{
	struct graph_state *g = graph_of(s);

	if (g->now)
		stage_open(s, g);
}

/* ---- drawing ---- */

/* A wide character must not overlap the frame. */
static void graph_blit(struct canvas *to, const struct canvas *from, struct box inside)
{
	for (int y = 0; y < inside.height; y++) {
		for (int x = 0; x < inside.width; x++) {
			struct glyph cell = from->cells[y * from->width + x];
			struct glyph *at = canvas_at(to, inside.x + x, inside.y + y);
			bool half = x == 0 && cell.code == 0;

			half |= x == inside.width - 1 && width_of((int32_t)cell.code) > 1;
			if (half)
				cell.code = ' ';
			if (at)
				*at = cell;
		}
	}
}

static void draw_zoomed(struct screen *s, struct graph_state *g)
{
	switch (g->now->zoom) {
	case ZOOM_MAP:
		map_show(s, g, (struct box){0, 0, g->width, g->height}, false);
		break;
	case ZOOM_LANES:
		lanes_show(s, g);
		break;
	case ZOOM_BOXES:
	case ZOOM_DETAILS:
		boxes_draw(s, g);
		break;
	case ZOOM_COUNT:
		break;
	}
}

/* Draws on a separate sheet: boxes extend past the pane on all sides. */
static void draw_sheet(struct screen *s, struct graph_state *g, struct box inside)
{
	struct canvas real = s->canvas;

	if (g->sheet.width != inside.width || g->sheet.height != inside.height)
		canvas_resize(&g->sheet, inside.width, inside.height);
	canvas_clear(&g->sheet);
	g->sheet.ascii = real.ascii;
	s->canvas = g->sheet;
	draw_zoomed(s, g);
	g->sheet = s->canvas;
	s->canvas = real;
	graph_blit(&s->canvas, &g->sheet, inside);
}

/* The problem of a preview is brought into sight, as long as there is one. */
static void draw_window(struct screen *s, struct graph_state *g, struct box inside)
{
	int32_t x = g->now->x, y = g->now->y;
	uint32_t conflict = conflict_item(s, g->now);

	if (conflict != SKETCH_NONE)
		stage_show(g, conflict);
	draw_sheet(s, g, inside);
	if (g->now->zoom != ZOOM_MAP)
		frame_beyond(s, g, inside);
	g->now->x = x;
	g->now->y = y;
}

static void graph_draw(struct pane *p)
{
	struct screen *s = p->screen;
	struct graph_state *g = p->state;
	struct box inside = p->box;
	uint32_t max = (uint32_t)MAX(3, MIN(LANES_MAX, inside.width / 6));

	if (!g->now || inside.width <= 0 || inside.height <= 0)
		return;
	/* Keep the centre when the window is resized. */
	g->now->x -= (inside.width - g->width) / 2;
	g->chase |= inside.width != g->width || inside.height != g->height;
	g->width = inside.width;
	g->height = inside.height;
	if (g->now->lanes_max != max) {
		g->now->lanes_max = max;
		if (g->now->has_lanes)
			stage_renew(s, g, STALE_LAYOUT);
	}
	stage_guard(s, g);
	if (g->now->view.items.len == 0) {
		canvas_text(&s->canvas, inside.x + 1, inside.y, inside.width - 1,
			    SV("this graph is empty"), STYLE_DIM);
		return;
	}
	stage_fit(g);
	stage_mark(s, g);
	draw_window(s, g, inside);
}

/* ---- keys and the mouse ---- */

static void graph_move(struct pane *p, enum motion motion)
{
	graph_move_items(p->screen, p->state, motion);
}

static void graph_scroll(struct pane *p, enum motion motion)
{
	static const struct {
		int x, y;
	} steps[MOTION_COUNT] = {
		[MOTION_UP] = {0, -3},
		[MOTION_DOWN] = {0, 3},
		[MOTION_LEFT] = {-8, 0},
		[MOTION_RIGHT] = {8, 0},
		/* the rest leaves the picture where it is */
	};
	struct graph_state *g = p->state;

	if (!g->now)
		return;
	g->chase = false;
	g->now->x += steps[motion].x;
	g->now->y += steps[motion].y;
}

/* `axis` of the dim below the mouse, plus 1. */
static void graph_click_item(struct pane *p, uint32_t item, uint32_t axis)
{
	struct screen *s = p->screen;
	struct graph_state *g = p->state;
	struct dim_at at;

	if (!item || item > g->now->view.items.len)
		return;
	graph_pick(s, g, item - 1);
	if (axis && graph_dim(p, &at)) {
		graph_point(p, (struct dim_at){at.value, axis - 1});
		g->walked = true;
	}
}

static void graph_click(struct pane *p, uint32_t target)
{
	struct screen *s = p->screen;
	struct graph_state *g = p->state;
	struct box inside = {0, 0, g->width, g->height};

	if (!g->now)
		return;
	if (target >= MAP_TARGET)
		graph_pick(s, g, map_pick(g, inside, target));
	else
		graph_click_item(p, target & ((1U << AXIS_SHIFT) - 1), target >> AXIS_SHIFT);
	g->chase = false;
}

static bool graph_open_item(struct pane *p)
{
	struct screen *s = p->screen;
	struct graph_state *g = p->state;
	const struct view_item *at;
	uint32_t symbol;

	if (!g->now || g->now->item == SKETCH_NONE)
		return false;
	if (graph_dim_symbol(p, &symbol)) {
		screen_follow_from_here(s, symbol);
		return true;
	}
	at = &g->now->view.items.at[g->now->item];
	if (at->kind == VIEW_SCOPE) {
		room_enter(s, g, at->id);
		return true;
	}
	if (at->kind != VIEW_NODE || graph_insides(s) == 0)
		return false;
	/* A line can ask for a letter. */
	if (graph_insides(s) > 1)
		screen_ask(s, "enter");
	else
		(void)graph_enter(s, 0);
	return true;
}

static bool graph_leave(struct pane *p)
{
	struct screen *s = p->screen;
	struct graph_state *g = p->state;

	if (g->now && g->now->focus.node) {
		graph_focus(s, 0);
		return true;
	}
	return (g->now && room_leave(s, g)) || graph_exit(s);
}

/* What Enter does next, first. */
static const char *graph_hints(struct pane *p)
{
	uint32_t symbol;

	if (graph_dim_symbol(p, &symbol))
		return "Enter follow it  , . other sizes  e edit  r rename  = try a size  x why  "
		       "hjkl other boxes  Tab pane";
	if (p->screen->follow.on)
		return "n N walk its uses  4 list them  Esc end  hjkl move  Enter open  e edit  "
		       "x why  Tab pane";
	return p->kind->hint;
}

const struct pane_kind graph_pane = {
	.title = "Graph",
	.hint = "hjkl move  Enter open  , . size  e edit  r rename  x why  u undo  za fold  "
		"+/- zoom  / search  o follow  f focus  Tab pane",
	.size = sizeof(struct graph_state),
	.init = graph_pane_init,
	.release = graph_pane_release,
	.renew = graph_renew,
	.draw = graph_draw,
	.move = graph_move,
	.scroll = graph_scroll,
	.open = graph_open_item,
	.leave = graph_leave,
	.click = graph_click,
	.dim = graph_dim,
	.point = graph_point,
	.step_dim = graph_step_dim,
	.hints = graph_hints,
	.where = frame_title,
};
