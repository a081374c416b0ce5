/*
 * Stages: the current graph, its layout and its scroll position.
 */
#include <stdlib.h>

#include "base/bug.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "ir/graph.h"
#include "ir/hash.h"
#include "layout/picture/picture.h"
#include "layout/scope/scope.h"
#include "layout/sketch.h"
#include "ui/graph/internal.h"
#include "ui/screen.h"

/* ---- life ---- */

static void drop_layout(struct stage *st)
{
	if (st->has_picture || st->has_lanes) {
		st->last = stage_rect(st, st->item);
		st->last_is_lanes = st->has_lanes;
		st->was_laid = true;
		if (st->item == SKETCH_NONE)
			st->last.width = 0;
	}
	if (st->has_picture)
		picture_release(&st->picture);
	if (st->has_lanes)
		lanes_release(&st->lanes);
	st->has_picture = st->has_lanes = false;
}

static void drop_view(struct stage *st)
{
	drop_layout(st);
	vec_clear(&st->trail);
	if (st->has_view)
		view_release(&st->view);
	st->has_view = false;
}

void stage_free(struct stage *st)
{
	drop_view(st);
	vec_release(&st->titles);
	vec_release(&st->node_titles);
	vec_release(&st->rooms);
	vec_release(&st->frames);
	vec_release(&st->trail);
	scopes_release(&st->scopes);
	free(st);
}

/* ---- what it depends on ---- */

static uint64_t stage_structure_of(const struct model *m, uint32_t graph)
{
	const struct graph *g = &m->graphs.at[graph];
	uint64_t hash = hash_u64(m->nodes.len, m->values.len);

	hash = hash_u64(m->tensors.len, hash);
	hash = ids_hash(g->inputs.at, g->inputs.len, hash);
	hash = ids_hash(g->outputs.at, g->outputs.len, hash);
	for (size_t i = 0; i < g->nodes.len; i++) {
		const struct node *n = &m->nodes.at[g->nodes.at[i]];

		hash = hash_u64((uint64_t)n->name << 32 | n->op, hash);
		hash = ids_hash(n->inputs, n->input_count, hash);
		hash = ids_hash(n->outputs, n->output_count, hash);
	}
	return hash;
}

/* Cheap enough for every frame. */
static uint64_t counts_of(const struct model *m, uint32_t graph)
{
	const struct graph *g = &m->graphs.at[graph];
	uint64_t hash = hash_u64(m->nodes.len, m->values.len);

	hash = hash_u64(g->nodes.len, hash_u64(g->inputs.len, hash));
	return hash_u64(g->outputs.len, hash_u64(m->tensors.len, hash));
}

/* A scope's key is the same before and after an edit. */
static uint64_t scope_key(const struct scopes *s, uint32_t scope)
{
	uint64_t hash = 0;

	for (; scope; scope = s->at[scope].parent) {
		const struct scope *at = &s->at[scope];

		hash = hash_bytes(at->name, hash_u64(at->kind, hash));
		hash = hash_u64(at->node, hash);
	}
	return hash;
}

/* Rooms whose scopes are gone are left, with all in them. */
static void keep_rooms(struct stage *st, const uint64_t *keys)
{
	size_t count = st->rooms.len, at = 0;

	for (uint32_t i = 1; at < count && i < st->scopes.count; i++) {
		if (scope_key(&st->scopes, i) == keys[at])
			st->rooms.at[at++].scope = i;
	}
	st->rooms.len = at;
	st->focus.inside = room_now(st);
}

static void find_scopes(const struct model *m, struct stage *st)
{
	struct map folded = {0};
	VEC(uint64_t) rooms = {0};

	for (size_t i = 0; i < st->rooms.len; i++)
		vec_push(&rooms, scope_key(&st->scopes, st->rooms.at[i].scope));

	for (uint32_t i = 1; i < st->scopes.count; i++)
		*map_at(&folded, scope_key(&st->scopes, i)) = 1 + st->scopes.at[i].folded;
	scopes_release(&st->scopes);
	scopes_find(&st->scopes, m, st->graph);
	for (uint32_t i = 1; folded.count && i < st->scopes.count; i++) {
		const uint32_t *was = map_find(&folded, scope_key(&st->scopes, i));

		if (was)
			st->scopes.at[i].folded = *was == 2;
	}
	keep_rooms(st, rooms.at);
	map_release(&folded);
	vec_release(&rooms);
}

/* ---- layout ---- */

static void size_items(const struct screen *s, struct stage *st)
{
	struct sketch *k = &st->view.sketch;
	struct map widths = {0};

	for (uint32_t i = 0; i < k->items.len; i++) {
		struct sketch_item size = label_size(s, st, i, &widths);

		size.aside = k->items.at[i].aside; /* set by the view */
		k->items.at[i] = size;
	}
	frames_group(s, st);
	map_release(&widths);
}

/* Folds and zoom do not change titles: a node is measured once per edit. */
static uint32_t title_width(const struct screen *s, struct stage *st, uint32_t item)
{
	const struct view_item *v = &st->view.items.at[item];
	uint32_t *known;

	/* A focus marks the titles of items it cuts. */
	if (v->kind != VIEW_NODE || v->cut)
		return label_title_width(s, st, item);
	if (st->titles_age != s->renewed || st->node_titles.len != s->subject.model->nodes.len) {
		vec_release(&st->node_titles);
		while (st->node_titles.len < s->subject.model->nodes.len)
			(void)vec_add(&st->node_titles);
		st->titles_age = s->renewed;
	}
	known = &st->node_titles.at[v->id];
	if (*known == 0)
		*known = label_title_width(s, st, item) + 1;
	return *known - 1;
}

/* Once per view. */
static void size_names(const struct screen *s, struct stage *st)
{
	struct sketch *k = &st->view.sketch;
	struct str name = {0};

	vec_clear(&st->titles);
	for (uint32_t i = 0; i < k->items.len; i++)
		vec_push(&st->titles, title_width(s, st, i));
	for (uint32_t i = 0; i < k->nets.len; i++) {
		str_clear(&name);
		label_net(s, st, i, &name);
		k->nets.at[i].label = (uint32_t)label_width(str_sv(&name));
	}
	str_release(&name);
}

struct rect stage_rect(const struct stage *st, uint32_t item)
{
	if (item == SKETCH_NONE)
		return (struct rect){0, 0, 1, 1};
	if (st->has_lanes)
		return (struct rect){0, (int32_t)st->lanes.row[item], 1, 1};
	return picture_rect(&st->picture, item);
}

struct rect stage_extent(const struct stage *st)
{
	if (st->has_lanes)
		return (struct rect){0, 0, 1, (int32_t)st->lanes.rows};
	return (struct rect){0, 0, st->picture.width, st->picture.height};
}

static bool stage_is_inside(const struct stage *st, uint32_t item)
{
	enum view_kind kind = st->view.items.at[item].kind;

	return kind == VIEW_NODE || kind == VIEW_SCOPE;
}

/* Where reading starts in a room: the first node of the straight line. */
static uint32_t stage_first_inside(const struct stage *st)
{
	const struct picture *p = &st->picture;
	uint32_t best = SKETCH_NONE;

	for (uint32_t i = 0; i < st->view.items.len; i++) {
		if (!stage_is_inside(st, i))
			continue;
		if (st->has_lanes &&
		    (best == SKETCH_NONE || st->lanes.row[i] < st->lanes.row[best]))
			best = i;
		else if (st->has_picture && p->spots[i].spine &&
			 (best == SKETCH_NONE || p->spots[i].layer < p->spots[best].layer))
			best = i;
	}
	return best;
}

/* Where reading starts in a graph: the first of the inputs with the longest path. */
static uint32_t stage_first_input(const struct stage *st)
{
	const struct sketch *k = &st->view.sketch;
	VEC(uint32_t) depth = {0};
	uint32_t best = 0;

	(void)vec_extend(&depth, k->items.len + 1);
	for (size_t i = k->items.len; i-- > 0;) {
		uint32_t item = k->order[i], max = 0;

		for (uint32_t n = k->out_at[item]; n < k->out_at[item + 1]; n++) {
			const struct sketch_net *net = &k->nets.at[k->out[n]];

			for (uint32_t r = net->first; r < net->first + net->count; r++) {
				if (!sketch_is_back(k, net, k->readers.at[r]))
					max = MAX(max, depth.at[k->readers.at[r]] + 1);
			}
		}
		depth.at[item] = max;
	}
	for (uint32_t i = 0; i < k->items.len; i++) {
		enum view_kind kind = st->view.items.at[i].kind;

		if ((kind == VIEW_INPUT || kind == VIEW_OUTER) && depth.at[i] > depth.at[best])
			best = i;
	}
	vec_release(&depth);
	return best;
}

uint32_t stage_first(const struct stage *st)
{
	uint32_t inside = room_now(st) ? stage_first_inside(st) : SKETCH_NONE;

	return inside != SKETCH_NONE ? inside : stage_first_input(st);
}

void stage_size(const struct screen *s, struct stage *st)
{
	size_names(s, st);
	size_items(s, st);
}

/* Boxes side by side, of which hardly any are seen: as a list all are. */
static bool stage_is_too_wide(const struct screen *s, const struct stage *st)
{
	int pane = screen_graph_box(s).width;

	return !st->zoom_chosen && pane > 0 && st->picture.width / BOXES_PANES > pane &&
	       st->picture.width > st->picture.height;
}

static void stage_lay_lanes(struct screen *s, struct stage *st)
{
	if (st->has_picture)
		picture_release(&st->picture);
	st->has_picture = false;
	st->zoom = ZOOM_LANES;
	lanes_make(&st->lanes, &st->view.sketch, st->lanes_max);
	st->has_lanes = true;
	lanes_measure(s, st);
}

/* Lines and boxes do not use all columns of a picture. */
static void stage_measure(struct stage *st)
{
	const struct picture *p = &st->picture;

	st->left = p->width;
	st->right = 0;
	for (uint32_t i = 0; i < p->spot_count; i++) {
		st->left = MIN(st->left, p->spots[i].x - p->spots[i].left);
		st->right = MAX(st->right, p->spots[i].x + p->spots[i].right + 1);
	}
	for (uint32_t i = 0; i < p->stroke_count; i++) {
		st->left = MIN(st->left, MIN(p->strokes[i].x0, p->strokes[i].x1));
		st->right = MAX(st->right, MAX(p->strokes[i].x0, p->strokes[i].x1) + 1);
	}
	for (size_t i = 0; i < st->frames.len; i++) {
		st->left = MIN(st->left, st->frames.at[i].left);
		st->right = MAX(st->right, st->frames.at[i].right + 1);
	}
	st->left = MIN(st->left, st->right);
}

/* Expects that there is no layout. */
static void stage_lay_out(struct screen *s, struct stage *st)
{
	if (!st->has_view) {
		view_make(&st->view, &st->scopes, st->focus);
		st->has_view = true;
		size_names(s, st);
	}
	if (!st->zoom_chosen)
		st->zoom = st->view.items.len > BOXES_MAX ? ZOOM_LANES : ZOOM_BOXES;
	if (st->zoom != ZOOM_LANES) {
		size_items(s, st);
		picture_make(&st->picture, &st->view.sketch, 0);
		st->has_picture = true;
	}
	if (st->zoom == ZOOM_LANES || stage_is_too_wide(s, st)) {
		stage_lay_lanes(s, st);
		return;
	}
	frames_find(s, st, &st->picture);
	stage_measure(st);
	if (st->view.items.len) {
		struct rect first = stage_rect(st, stage_first(st));

		st->spine = first.x + first.width / 2;
	}
}

/* Keeps the selected item in place on the screen; the first time, centres it. */
static void scroll_to_last(const struct graph_state *g, struct stage *st)
{
	struct rect now = stage_rect(st, st->item), last = st->last;

	if (!st->was_laid && st->item == SKETCH_NONE && st->view.items.len)
		now = stage_rect(st, stage_first(st));
	else if (st->was_laid && (st->item == SKETCH_NONE || !last.width))
		return;
	if (st->was_laid)
		st->y += now.y - last.y;
	if (st->was_laid && st->last_is_lanes == st->has_lanes)
		st->x += now.x + now.width / 2 - last.x - last.width / 2;
	else
		st->x = now.x + now.width / 2 - g->width / 2;
}

void stage_forget_place(struct stage *st)
{
	st->item = SKETCH_NONE;
	drop_view(st);
	st->was_laid = false;
}

void stage_unfocus(struct stage *st)
{
	st->focus = (struct view_focus){.inside = room_now(st)};
}

void stage_renew(struct screen *s, struct graph_state *g, enum stale stale)
{
	struct stage *st = g->now;

	if (stale == STALE_VIEW)
		drop_view(st);
	else
		drop_layout(st);
	stage_lay_out(s, st);
	st->item = stage_find(s, st);
	scroll_to_last(g, st);
	g->chase = true;
}

/* Has the size of any box changed? */
static bool sizes_changed(const struct screen *s, const struct stage *st)
{
	struct map widths = {0};
	uint32_t i = 0;

	for (; i < st->view.items.len; i++) {
		struct sketch_item now = label_size(s, st, i, &widths);
		struct sketch_item was = st->view.sketch.items.at[i];

		if (now.width != was.width || now.height != was.height)
			break;
	}
	map_release(&widths);
	return i < st->view.items.len;
}

void stage_check(struct screen *s, struct graph_state *g)
{
	struct stage *st = g->now;
	uint64_t structure = stage_structure_of(s->subject.model, st->graph);

	if (st->structure != structure || st->scopes.model != s->subject.model) {
		bool first = st->scopes.model == NULL;

		st->structure = structure;
		st->counts = counts_of(s->subject.model, st->graph);
		drop_view(st);
		st->toggle.scope = 0;
		find_scopes(s->subject.model, st);
		/* Cheap; what is opened is decided when the pane has its size. */
		if (first)
			scopes_fold(&st->scopes, 0);
		if (st->focus.node >= s->subject.model->nodes.len ||
		    s->subject.model->nodes.at[st->focus.node].dead)
			stage_unfocus(st);
		stage_renew(s, g, STALE_VIEW);
	} else if (!st->has_view) {
		stage_renew(s, g, STALE_VIEW);
	} else if (st->has_lanes) {
		lanes_measure(s, st);
	} else if (sizes_changed(s, st)) {
		bool chase = g->chase;

		stage_renew(s, g, STALE_LAYOUT);
		g->chase = chase;
		g->hold = true;
	}
}

void stage_open(struct screen *s, struct graph_state *g)
{
	struct stage *st = g->now;
	struct size size = {s->canvas.width, s->canvas.height};
	struct box pane = screen_graph_box(s);

	if (st->folds_chosen ||
	    (st->opened_for.width == size.width && st->opened_for.height == size.height))
		return;
	st->opened_for = size;
	drop_view(st);
	opening_fold(s, st, 0, pane.width, pane.height);
	stage_renew(s, g, STALE_VIEW);
	if (st->untouched)
		graph_pick_first(s, g);
}

void stage_choose_folds(struct screen *s, struct graph_state *g)
{
	stage_open(s, g);
	g->now->folds_chosen = true;
}

void stage_guard(struct screen *s, struct graph_state *g)
{
	const struct model *m = s->subject.model;

	if (s->node >= m->nodes.len || m->nodes.at[s->node].dead)
		s->node = 0;
	if (g->now->graph < m->graphs.len && g->now->counts != counts_of(m, g->now->graph))
		stage_check(s, g);
}

void stage_enter(struct screen *s, struct graph_state *g, uint32_t graph)
{
	if (g->now && g->now->graph != graph)
		drop_view(g->now);
	g->now = NULL;
	for (size_t i = 0; i < g->stages.len; i++) {
		if (g->stages.at[i]->graph == graph)
			g->now = g->stages.at[i];
	}
	if (!g->now) {
		g->now = must_alloc(sizeof(*g->now));
		*g->now = (struct stage){.graph = graph, .item = SKETCH_NONE};
		vec_push(&g->stages, g->now);
	}
	stage_check(s, g);
}

/* ---- where the selection is ---- */

static uint32_t item_of_reader(const struct screen *s, const struct stage *st, uint32_t value)
{
	uint32_t count;
	const struct reader *r = model_readers(s->subject.model, value, &count);

	for (uint32_t i = 0; i < count; i++) {
		uint32_t item = r[i].node ? view_find(&st->view, r[i].node) : SKETCH_NONE;

		if (item != SKETCH_NONE)
			return item;
	}
	return SKETCH_NONE;
}

static uint32_t item_of_value(const struct screen *s, const struct stage *st, uint32_t value)
{
	const struct graph *graph = &s->subject.model->graphs.at[st->graph];

	for (size_t i = 0; i < st->view.ends.len; i++) {
		if (st->view.ends.at[i].value == value)
			return st->view.ends.at[i].item;
	}
	for (size_t i = 0; i < graph->outputs.len; i++) {
		if (graph->outputs.at[i] == value)
			return st->view.of_output[i];
	}
	for (size_t i = 0; i < st->view.exits.len; i++) {
		if (st->view.exits.at[i].value == value)
			return st->view.exits.at[i].item;
	}
	return item_of_reader(s, st, value);
}

uint32_t stage_find(const struct screen *s, const struct stage *st)
{
	const struct model *m = s->subject.model;
	uint32_t item;

	if (!s->node)
		return s->value ? item_of_value(s, st, s->value) : SKETCH_NONE;
	item = view_find(&st->view, s->node);
	/* A constant is shown in its readers. */
	if (item == SKETCH_NONE && m->nodes.at[s->node].output_count)
		item = item_of_reader(s, st, m->nodes.at[s->node].outputs[0]);
	return item;
}

/* ---- scrolling ---- */

/*
 * The smallest scroll that shows [at, at + length) with some margin; a far target is
 * centred.
 */
static int32_t into_sight(int32_t top, int32_t window, int32_t at, int32_t length, int32_t margin)
{
	margin = MAX(0, MIN(margin, (window - length) / 2));
	if (length < window && (at + length < top - window / 2 || at > top + window * 3 / 2))
		return at - (window - length) / 2;
	if (at - margin < top || length >= window)
		return at - margin;
	return MAX(top, at + length + margin - window);
}

static int32_t stage_within(int32_t top, int32_t window, int32_t extent)
{
	return MAX(0, MIN(top, extent - window));
}

/* Is the selected item whole in the window as it is scrolled? */
static bool stage_holds(const struct graph_state *g)
{
	const struct stage *st = g->now;
	struct rect r = stage_rect(st, st->item);

	return st->item != SKETCH_NONE && st->has_picture && r.x >= st->x && r.y >= st->y &&
	       r.x + r.width <= st->x + g->width && r.y + r.height <= st->y + g->height;
}

void stage_show(struct graph_state *g, uint32_t item)
{
	struct stage *st = g->now;
	struct rect r = stage_rect(st, item);

	if (st->has_picture)
		st->x = into_sight(st->x, g->width, r.x, r.width, 4);
	st->y = into_sight(st->y, g->height, r.y, r.height, 2);
}

void stage_fit(struct graph_state *g)
{
	struct stage *st = g->now;
	struct rect all = stage_extent(st);
	int32_t width = st->right - st->left, blank = MIN(1, (g->width - width) / 2);

	g->hold = g->hold && !g->chase && stage_holds(g);
	if (g->hold)
		return;

	if (g->chase && st->item != SKETCH_NONE) {
		struct rect r = stage_rect(st, st->item);

		st->x = into_sight(st->x, g->width, r.x, r.width, 4);
		/* Along the spine, what is beside it is seen on both sides. */
		if (st->has_picture && abs(r.x + r.width / 2 - st->spine) <= 1)
			st->x = st->spine - g->width / 2;
		st->y = into_sight(st->y, g->height, r.y, r.height, 2);
	}
	g->chase = false;
	st->y = stage_within(st->y, g->height, all.height);
	if (width <= g->width && st->has_picture) /* all is visible: centre the spine */
		st->x = MIN(st->left - blank,
			    MAX(st->spine - g->width / 2, st->right + blank - g->width));
	else if (st->has_picture) /* a blank column beside the frame */
		st->x = stage_within(st->x - st->left + 1, g->width, width + 2) + st->left - 1;
	else
		st->x = 0;
}
