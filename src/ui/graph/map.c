/*
 * The map: the graph as dots, with the part visible in the graph pane.
 */
#include "base/str.h"
#include "base/vec.h"
#include "layout/draw.h"
#include "layout/map.h"
#include "layout/picture/picture.h"
#include "layout/sketch.h"
#include "ui/canvas.h"
#include "ui/graph/internal.h"
#include "ui/screen.h"

enum {
	ACROSS = 2, /* dots per cell */
	DOWN = 4
};

/* ---- lanes: a line of dots each ---- */

static int dot_of(const struct stage *st, struct box inside, uint32_t row)
{
	uint32_t rows = MAX(st->lanes.rows, 1), dots = (uint32_t)(DOWN * inside.height);

	return rows <= dots ? (int)row : (int)((uint64_t)row * dots / rows);
}

static void set_dot(struct graph_state *g, struct box inside, int x, int y, uint32_t item)
{
	static const uint8_t bits[DOWN][ACROSS] = {{1, 8}, {2, 16}, {4, 32}, {64, 128}};
	size_t at = (size_t)(y / DOWN) * (size_t)inside.width + (size_t)(x / ACROSS);

	if (x >= ACROSS * inside.width || y >= DOWN * inside.height)
		return;
	g->cells.at[at].glyph |= bits[y % DOWN][x % ACROSS];
	g->cells.at[at].item = MIN(g->cells.at[at].item, item);
}

static void plot_lanes(struct screen *s, struct graph_state *g, struct box inside)
{
	const struct stage *st = g->now;
	const struct lanes *l = &st->lanes;

	for (size_t i = 0; i < g->cells.len; i++)
		g->cells.at[i] = (struct cell){.item = SKETCH_NONE, .net = SKETCH_NONE};
	for (uint32_t lane = 0; lane < l->width; lane++) {
		for (uint32_t i = l->first_span[lane]; i < l->first_span[lane + 1]; i++) {
			int end = dot_of(st, inside, l->spans[i].last);

			for (int y = dot_of(st, inside, l->spans[i].first); y <= end; y++)
				set_dot(g, inside, (int)lane, y, SKETCH_NONE);
		}
	}
	for (uint32_t i = 0; i < l->rows; i++)
		set_dot(g, inside, (int)l->lane[l->item[i]], dot_of(st, inside, i), l->item[i]);
	for (size_t i = 0; i < g->cells.len; i++) {
		struct cell *c = &g->cells.at[i];

		c->glyph = !c->glyph ? ' ' : s->canvas.ascii ? '#' : 0x2800 + c->glyph;
	}
}

static struct rect rows_on_map(const struct stage *st, struct box inside, int first, int count)
{
	int last = MIN(first + count, (int)st->lanes.rows) - 1;
	int top = dot_of(st, inside, (uint32_t)MAX(first, 0)) / DOWN;
	int width = MIN(inside.width, ((int)st->lanes.width + 1) / ACROSS + 1);

	return (struct rect){0, top, width,
			     dot_of(st, inside, (uint32_t)MAX(last, 0)) / DOWN - top + 1};
}

/* ---- both ---- */

static struct map_size map_pane_size_of(struct box inside)
{
	return (struct map_size){inside.width, inside.height};
}

struct rect map_cells(const struct stage *st, struct box inside, struct rect part)
{
	if (st->has_lanes)
		return rows_on_map(st, inside, part.y, part.height);
	return map_rect(&st->picture, map_pane_size_of(inside), part);
}

int map_column(const struct stage *st, uint32_t item, struct rect cells)
{
	if (st->has_lanes)
		return (int)st->lanes.lane[item] / ACROSS;
	return cells.x + cells.width / 2;
}

static bool is_within(struct rect r, int x, int y)
{
	return x >= r.x && y >= r.y && x - r.x < r.width && y - r.y < r.height;
}

/* What has a mark is seen first, then kinds. */
static enum style map_style(struct screen *s, const struct graph_state *g, uint32_t item)
{
	if (item == SKETCH_NONE)
		return s->follow.lit ? STYLE_FADED : STYLE_DIM;
	if (s->follow.lit && !(g->marks.at[item] & ITEM_FADED))
		return symbol_style(s, s->follow.symbol);
	return item_style(g, item, item_title_style(s, g->now, item));
}

void map_show(struct screen *s, struct graph_state *g, struct box all, bool window)
{
	const struct stage *st = g->now;
	struct box inside = map_dots(g, all);
	size_t count = (size_t)inside.width * (size_t)inside.height;
	struct rect seen = map_cells(st, inside, (struct rect){st->x, st->y, g->width, g->height});
	struct rect here = map_cells(st, inside, stage_rect(st, st->item));

	vec_clear(&g->cells);
	(void)vec_extend(&g->cells, count);
	if (st->has_lanes)
		plot_lanes(s, g, inside);
	else
		map_draw(&st->picture, map_pane_size_of(inside), s->canvas.ascii, g->cells.at);
	for (size_t i = 0; i < count; i++) {
		int x = (int)(i % (size_t)inside.width), y = (int)(i / (size_t)inside.width);
		bool in_window = window && is_within(seen, x, y);
		bool selected = st->item != SKETCH_NONE && is_within(here, x, y);
		struct glyph *to = canvas_at(&s->canvas, inside.x + x, inside.y + y);

		if (!to)
			continue;
		*to = (struct glyph){.code = g->cells.at[i].glyph,
				     .target = MAP_TARGET + (uint32_t)i};
		to->style = (uint8_t)(selected ? STYLE_NODE_SELECTED
					       : map_style(s, g, g->cells.at[i].item));
		to->ground = in_window || selected ? STYLE_SELECTED_IDLE : STYLE_TEXT;
	}
	map_annotate(s, g, all, inside, window);
}

uint32_t map_pick(const struct graph_state *g, struct box all, uint32_t target)
{
	const struct stage *st = g->now;
	struct box inside = map_dots(g, all);
	int cell = (int)(target - MAP_TARGET);
	int x = cell % MAX(inside.width, 1), y = cell / MAX(inside.width, 1);
	uint32_t low = 0, high = st->lanes.rows;

	if (!st->has_lanes)
		return map_item(&st->picture, map_pane_size_of(inside), x, y);
	while (low + 1 < high) {
		uint32_t middle = low + (high - low) / 2;

		if (dot_of(st, inside, middle) <= y * DOWN + 1)
			low = middle;
		else
			high = middle;
	}
	return st->lanes.rows ? st->lanes.item[low] : SKETCH_NONE;
}

/* ---- the pane ---- */

static void map_pane_draw(struct pane *p)
{
	struct graph_state *g = graph_of(p->screen);

	if (!g->now || !g->now->view.items.len || p->box.width <= 0 || p->box.height <= 0)
		return;
	/* On a narrow screen the graph is not drawn. */
	if (g->marks.len != g->now->view.items.len + 1)
		stage_mark(p->screen, g);
	map_show(p->screen, g, p->box, true);
}

/* Moves in larger steps than the graph. */
static void map_pane_move(struct pane *p, enum motion motion)
{
	static const enum motion larger[MOTION_COUNT] = {
		[MOTION_UP] = MOTION_PAGE_UP,      [MOTION_DOWN] = MOTION_PAGE_DOWN,
		[MOTION_LEFT] = MOTION_LEFT,       [MOTION_RIGHT] = MOTION_RIGHT,
		[MOTION_PAGE_UP] = MOTION_PAGE_UP, [MOTION_PAGE_DOWN] = MOTION_PAGE_DOWN,
		[MOTION_HALF_UP] = MOTION_HALF_UP, [MOTION_HALF_DOWN] = MOTION_HALF_DOWN,
		[MOTION_FIRST] = MOTION_FIRST,     [MOTION_LAST] = MOTION_LAST,
	};

	graph_move_items(p->screen, graph_of(p->screen), larger[motion]);
}

static void map_pane_click(struct pane *p, uint32_t target)
{
	struct graph_state *g = graph_of(p->screen);

	if (g->now && target >= MAP_TARGET)
		graph_pick(p->screen, g, map_pick(g, p->box, target));
}

static void map_pane_where(struct pane *p, struct str *out)
{
	const struct graph_state *g = graph_of(p->screen);

	if (!g->now)
		return;
	str_text(out, " \u2500 ");
	str_count(out, g->now->view.items.len);
	str_text(out, " items");
}

/* To what the map shows as selected. */
static bool map_pane_open(struct pane *p)
{
	screen_pane(p->screen, PANE_GRAPH);
	return true;
}

/* The more rows, the more it tells apart. */
static int map_pane_wants(struct pane *p, int width)
{
	(void)p;
	(void)width;
	return CANVAS_TALLEST;
}

const struct pane_kind map_pane = {
	.title = "Map",
	.hint = "j/k page  h/l sideways  gg/G ends  click go there  Enter graph  Esc back",
	.wants = map_pane_wants,
	.draw = map_pane_draw,
	.move = map_pane_move,
	.open = map_pane_open,
	.click = map_pane_click,
	.where = map_pane_where,
};
