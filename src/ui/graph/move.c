/*
 * Moves the cursor: along lines and within layers, or from row to row.
 */
#include "base/vec.h"
#include "layout/picture/picture.h"
#include "layout/sketch.h"
#include "ui/graph/internal.h"
#include "ui/screen.h"

/* The item of a layer nearest to a column. */
static uint32_t graph_move_nearest(const struct picture *p, uint32_t layer, int32_t x)
{
	const struct layer *at = &p->layers[layer];
	uint32_t best = SKETCH_NONE;
	int32_t min = INT32_MAX;

	for (uint32_t i = 0; i < at->count; i++) {
		const struct spot *spot = &p->spots[p->row[at->first + i]];
		int32_t far = spot->x > x ? spot->x - x : x - spot->x;

		if (spot->kind == SPOT_ITEM && far < min) {
			min = far;
			best = spot->id;
		}
	}
	return best;
}

static uint32_t item_near(const struct picture *p, int32_t x, int32_t y)
{
	uint32_t first, end;

	if (p->layer_count == 0)
		return SKETCH_NONE;
	picture_layers(p, MAX(0, MIN(y, p->height - 1)), 1, &first, &end);
	return graph_move_nearest(p, MIN(first, p->layer_count - 1), x);
}

/* Pages through boxes: picture and cursor move together. */
static uint32_t turn_page(struct graph_state *g, int32_t rows)
{
	struct stage *st = g->now;
	struct rect r = stage_rect(st, st->item);
	uint32_t to = item_near(&st->picture, r.x + r.width / 2, r.y + rows);

	if (st->zoom != ZOOM_MAP)
		st->y += rows;
	if (to == st->item || to == SKETCH_NONE)
		to = picture_step(&st->picture, st->item, rows < 0 ? STEP_UP : STEP_DOWN);
	return to;
}

/* The output that is drawn last; without one, the last item. */
static uint32_t move_last(const struct stage *st)
{
	const struct picture *p = &st->picture;
	uint32_t best = SKETCH_NONE;
	bool ends = false;

	for (uint32_t i = 0; i < p->item_count; i++) {
		const struct spot *a = &p->spots[i], *b = &p->spots[best == SKETCH_NONE ? i : best];
		bool is_end = st->view.items.at[i].kind == VIEW_OUTPUT;

		if (is_end < ends)
			continue;
		if (is_end > ends || a->layer > b->layer ||
		    (a->layer == b->layer && a->pos >= b->pos))
			best = i;
		ends |= is_end;
	}
	return best;
}

/* Up or down; the other way first leads back. */
static uint32_t move_step(struct stage *st, bool up)
{
	uint32_t from = st->item, to;

	if (st->trail.len && st->trail_end != from)
		vec_clear(&st->trail);
	if (st->trail.len && st->trail_up != up) {
		to = *vec_last(&st->trail);
		vec_pop(&st->trail);
	} else {
		to = picture_step(&st->picture, from, up ? STEP_UP : STEP_DOWN);
		if (to != from)
			vec_push(&st->trail, from);
		st->trail_up = up;
	}
	st->trail_end = to;
	return to;
}

static uint32_t move_in_boxes(struct graph_state *g, enum motion motion)
{
	const struct picture *p = &g->now->picture;
	uint32_t item = g->now->item;
	int32_t page = g->now->zoom == ZOOM_MAP ? MAX(p->height / 8, 1) : MAX(g->height - 3, 1);
	int32_t x = p->spots[item].x;

	switch (motion) {
	case MOTION_UP:
	case MOTION_DOWN:
		return move_step(g->now, motion == MOTION_UP);
	case MOTION_LEFT:
		return picture_step(p, item, STEP_LEFT);
	case MOTION_RIGHT:
		return picture_step(p, item, STEP_RIGHT);
	case MOTION_PAGE_UP:
		return turn_page(g, -page);
	case MOTION_PAGE_DOWN:
		return turn_page(g, page);
	case MOTION_HALF_UP:
		return turn_page(g, -(page + 1) / 2);
	case MOTION_HALF_DOWN:
		return turn_page(g, (page + 1) / 2);
	case MOTION_FIRST:
		return graph_move_nearest(p, 0, x);
	case MOTION_LAST:
		return move_last(g->now);
	case MOTION_COUNT:
		break;
	}
	return item;
}

/* The first producer or reader; the item itself if there is none. */
static uint32_t graph_move_along(const struct stage *st, bool out)
{
	const struct sketch *k = &st->view.sketch;
	uint32_t item = st->item;

	if (!out)
		return k->in_at[item] < k->in_at[item + 1] ? k->nets.at[k->in[k->in_at[item]]].from
							   : item;
	for (uint32_t i = k->out_at[item]; i < k->out_at[item + 1]; i++) {
		const struct sketch_net *net = &k->nets.at[k->out[i]];

		if (net->count)
			return k->readers.at[net->first];
	}
	return item;
}

static uint32_t move_in_lanes(struct graph_state *g, enum motion motion)
{
	struct stage *st = g->now;
	struct list rows = {.count = st->lanes.rows,
			    .at = st->lanes.row[st->item],
			    .rows = (size_t)MAX(g->height, 1)};

	if (motion == MOTION_LEFT || motion == MOTION_RIGHT)
		return graph_move_along(st, motion == MOTION_RIGHT);
	rows.top = (size_t)MAX(st->y, 0);
	list_move(&rows, motion);
	if (motion == MOTION_PAGE_DOWN || motion == MOTION_HALF_DOWN || motion == MOTION_PAGE_UP ||
	    motion == MOTION_HALF_UP)
		st->y += (int32_t)rows.at - (int32_t)st->lanes.row[st->item];
	return st->lanes.item[rows.at];
}

void graph_move_items(struct screen *s, struct graph_state *g, enum motion motion)
{
	struct stage *st = g->now;
	struct spot_at from = g->at;

	if (st) {
		stage_guard(s, g);
		stage_open(s, g);
	}
	if (!st || st->view.items.len == 0)
		return;
	if (st->item == SKETCH_NONE)
		st->item = 0;
	if (motion == MOTION_FIRST || motion == MOTION_LAST)
		graph_remember(g, from);
	graph_pick(s, g,
		   st->zoom == ZOOM_LANES ? move_in_lanes(g, motion) : move_in_boxes(g, motion));
}
