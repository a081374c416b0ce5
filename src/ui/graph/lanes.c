/*
 * The graph as rows:
 *
 *   ├─◆    MatMul 768×768   …/q_proj/MatMul          [batch, seq, 768] f32
 *   lanes  operator         name                     shape
 */
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "ir/graph.h"
#include "ir/type.h"
#include "layout/draw.h"
#include "layout/scope/scope.h"
#include "layout/sketch.h"
#include "ui/canvas.h"
#include "ui/graph/internal.h"
#include "ui/screen.h"

enum {
	MARGIN = 1,
	NAME_MIN = 8,
	MORE_MIN = 6,
	OP_COLUMNS = 14, /* so that names are aligned */
	SHAPE_MIN = 12,
	SHAPE_OFTEN = 28,    /* fits most shapes, which matter more than names */
	ELEM_COLUMNS = 5,    /* after the shape */
	MEASURED_MAX = 2000, /* rows that determine the columns */
	STUBS_MAX = 2
};

struct row {
	struct screen *s;            /* borrowed */
	const struct graph_state *g; /* borrowed */
	uint32_t item;
	int x, y, end; /* free columns */
};

static uint32_t graph_lanes_mark_of(void *context, uint32_t item)
{
	static const uint32_t marks[VIEW_KIND_COUNT] = {
		[VIEW_INPUT] = 0x25cf, [VIEW_OUTER] = 0x25b2,  [VIEW_NODE] = 0x25c6,
		[VIEW_SCOPE] = 0x25a3, [VIEW_OUTPUT] = 0x25cf,
	};
	const struct stage *st = context;

	return marks[st->view.items.at[item].kind];
}

static int row_text(struct row *r, struct sv text, enum style style)
{
	int used = r->x < r->end
			   ? canvas_text(&r->s->canvas, r->x, r->y, r->end - r->x, text, style)
			   : 0;

	r->x += used;
	return used;
}

static enum style op_style(const struct row *r)
{
	if (r->g->marks.at[r->item] & ITEM_MATCH)
		return STYLE_MATCH;
	return item_style(r->g, r->item, item_title_style(r->s, r->g->now, r->item));
}

/* Names of nets that have no lane here. */
static void draw_stubs(struct row *r)
{
	const struct stage *st = r->g->now;
	const struct sketch *k = &st->view.sketch;
	int count = 0;

	for (uint32_t i = k->in_at[r->item]; i < k->in_at[r->item + 1] && count < STUBS_MAX; i++) {
		struct str name = {0};

		if (!lanes_is_stub(&st->lanes, k->in[i], r->item))
			continue;
		label_net(r->s, st, k->in[i], &name);
		(void)row_text(r, SV("\u25c2 "), STYLE_EDGE);
		(void)row_text(r, str_sv(&name),
			       net_is_selected(st, k->in[i]) ? STYLE_EDGE_SELECTED : STYLE_EDGE);
		r->x++;
		str_release(&name);
		count++;
	}
}

static void graph_lanes_draw_name(struct row *r)
{
	const struct view_item *at = &r->g->now->view.items.at[r->item];
	const struct model *m = r->s->subject.model;
	struct str path = {0};
	struct sv name = {0}, tail;

	if (at->kind == VIEW_NODE) {
		name = node_label(m, at->id);
	} else if (at->kind == VIEW_SCOPE) {
		scope_path(&path, &r->g->now->scopes, r->g->now->scopes.at[at->id].parent);
		name = str_sv(&path);
	}
	tail = label_tail(name, r->end - r->x);
	/* A few letters of a name are useless. */
	if (r->end - r->x >= NAME_MIN || (r->x < r->end && tail.len == name.len)) {
		if (tail.len < name.len) {
			(void)row_text(r, SV("\u2026"), STYLE_DIM);
			tail = label_tail(name, r->end - r->x);
		}
		(void)row_text(r, tail, STYLE_TEXT);
	}
	str_release(&path);
}

static void graph_lanes_draw_label(struct row *r)
{
	static const uint32_t marks[] = {
		[ITEM_PROBLEM] = 0x2717, [ITEM_CHANGED] = '~', [ITEM_WARNING] = '!',
		/* the rest is shown by its style */
	};
	struct str title = {0}, more = {0};
	uint8_t is = r->g->marks.at[r->item];
	uint8_t mark = is & ITEM_PROBLEM   ? ITEM_PROBLEM
		       : is & ITEM_CHANGED ? ITEM_CHANGED
					   : is & ITEM_WARNING;
	int start;

	if (mark && r->x < r->end)
		canvas_put(&r->s->canvas, r->x, r->y, marks[mark], op_style(r));
	r->x += 2;
	start = r->x;
	label_title(r->s, r->g->now, r->item, &title, &more);
	(void)row_text(r, str_sv(&title), op_style(r));
	/* The start of one that is cut is useless. */
	if (more.len && r->end - r->x - 1 >= (int)MIN(label_width(str_sv(&more)), MORE_MIN)) {
		r->x++;
		(void)row_text(r, str_sv(&more), STYLE_NUMBER);
	}
	r->x = MAX(r->x + 2, start + OP_COLUMNS);
	draw_stubs(r);
	graph_lanes_draw_name(r);
	str_release(&title);
	str_release(&more);
}

/* The element type of a row's output, unless the row shows it already. */
static void draw_elem(struct row *r, int columns)
{
	const struct stage *st = r->g->now;
	enum view_kind kind = st->view.items.at[r->item].kind;
	uint32_t value = label_value(r->s, st, r->item);
	struct sv elem = sv_of(elem_short(r->s->subject.infer->infos[value].elem));

	if (value && (kind == VIEW_NODE || kind == VIEW_SCOPE) && columns > (int)elem.len)
		canvas_text(&r->s->canvas, r->x + 1, r->y, columns - 1, elem, STYLE_DIM);
}

/* The columns that a row's shape takes. */
static uint32_t graph_lanes_shape_width(const struct screen *s, const struct stage *st,
					uint32_t item)
{
	struct str shape = {0};
	size_t wide;

	label_shape_text(s, st, item, &shape);
	wide = label_width(str_sv(&shape)) + ELEM_COLUMNS;
	str_release(&shape);
	return (uint32_t)MIN(wide, 1000);
}

void lanes_measure(const struct screen *s, struct stage *st)
{
	size_t count = MIN(st->view.items.len, MEASURED_MAX);

	st->shape_widths = 0;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t wide = graph_lanes_shape_width(s, st, i);

		if (wide < 64)
			st->shape_widths |= (uint64_t)1 << wide;
	}
}

/*
 * The column of the shapes.  It leaves room for most of them; a longer one starts earlier and
 * takes room from the name, never from the operator.
 */
static int shape_column(const struct row *r)
{
	int rest = r->end - r->x, max = MIN(rest - OP_COLUMNS - 4, SHAPE_OFTEN), wide, min;
	struct str title = {0}, more = {0};

	max = MAX(SHAPE_MIN, MIN(63, MAX(max, rest * 55 / 100)));
	while (max > SHAPE_MIN && !(r->g->now->shape_widths >> max & 1))
		max--;
	label_title(r->s, r->g->now, r->item, &title, &more);
	wide = (int)graph_lanes_shape_width(r->s, r->g->now, r->item);
	min = r->x + 3 + (int)MIN(label_width(str_sv(&title)), OP_COLUMNS + 8);
	str_release(&title);
	str_release(&more);
	return MAX(MIN(r->end - max, r->end - wide), MIN(min, r->end));
}

/* The label begins after `columns` of lanes. */
static void graph_lanes_draw_row(struct screen *s, const struct graph_state *g, uint32_t row, int y,
				 int columns)
{
	struct row r = {.s = s, .g = g, .item = g->now->lanes.item[row], .y = y};
	int column;

	s->canvas.target = r.item + 1;
	r.x = MARGIN + columns;
	r.end = g->width;
	column = shape_column(&r);
	r.end = column - 1;
	graph_lanes_draw_label(&r);
	r.x = column + label_shape(s, g->now, r.item, column, y, g->width - column);
	draw_elem(&r, g->width - r.x);
	if (g->marks.at[r.item] & ITEM_FADED && r.item != g->now->item)
		canvas_restyle(&s->canvas,
			       (struct box){2 * (int)g->now->lanes.width + MARGIN, y, g->width, 1},
			       STYLE_FADED);
	s->canvas.target = 0;
	/* Spaces in a row are clickable too. */
	for (int x = 0; x < g->width; x++) {
		if (canvas_at(&s->canvas, x, y)->code == ' ')
			canvas_at(&s->canvas, x, y)->target = r.item + 1;
	}
}

/* A lane keeps its colour, whatever runs in it: neighbours are told apart. */
static enum style lane_style(const struct stage *st, uint32_t net)
{
	uint32_t place = net == SKETCH_NONE ? 0 : st->lanes.span_of_net[net];

	if (net_is_selected(st, net))
		return STYLE_EDGE_SELECTED;
	return place ? (enum style)(STYLE_LANE_1 + st->lanes.spans[place - 1].lane % STYLE_LANES)
		     : STYLE_EDGE;
}

static void copy_lanes(struct screen *s, struct graph_state *g, int columns, int rows)
{
	const struct stage *st = g->now;

	for (int i = 0; i < columns * rows; i++) {
		const struct cell *c = &g->cells.at[i];
		enum style style = STYLE_TEXT;

		if (c->role == ROLE_LINE)
			style = s->follow.lit ? net_style(s, st, c->net) : lane_style(st, c->net);
		else if (c->item != SKETCH_NONE)
			style = item_style(g, c->item, item_title_style(s, st, c->item));
		if (c->glyph == ' ')
			continue;
		s->canvas.target = c->item == SKETCH_NONE ? 0 : c->item + 1;
		canvas_put(&s->canvas, MARGIN + i % columns, i / columns, c->glyph, style);
	}
}

void lanes_show(struct screen *s, struct graph_state *g)
{
	const struct stage *st = g->now;
	struct drawing how = {
		.ascii = s->canvas.ascii, .mark = graph_lanes_mark_of, .context = g->now};
	int rows = MIN(g->height, (int)st->lanes.rows - st->y), columns;

	if (rows <= 0)
		return;
	columns = 2 * (int)lanes_width(&st->lanes, (uint32_t)st->y, (uint32_t)rows);
	columns = MIN(columns, g->width - MARGIN);
	if (columns <= 0)
		return;
	vec_clear(&g->cells);
	(void)vec_extend(&g->cells, (size_t)columns * (size_t)rows);
	lanes_draw(&st->lanes, &st->view.sketch, (uint32_t)st->y, (uint32_t)rows, columns, &how,
		   g->cells.at);
	copy_lanes(s, g, columns, rows);
	for (int y = 0; y < rows; y++)
		graph_lanes_draw_row(s, g, (uint32_t)(st->y + y), y, columns);
	if (st->item != SKETCH_NONE)
		canvas_ground(&s->canvas,
			      (struct box){0, (int)st->lanes.row[st->item] - st->y, g->width, 1},
			      s->active == PANE_GRAPH ? STYLE_SELECTED : STYLE_SELECTED_IDLE);
}
