/*
 * Draws the graph as boxes and lines.
 */
#include "base/str.h"
#include "base/vec.h"
#include "layout/draw.h"
#include "layout/picture/picture.h"
#include "layout/sketch.h"
#include "ops/info.h"
#include "ui/canvas.h"
#include "ui/follow.h"
#include "ui/graph/internal.h"
#include "ui/screen.h"

bool net_is_selected(const struct stage *st, uint32_t net)
{
	const struct sketch *k = &st->view.sketch;
	uint32_t low, high;

	if (st->item == SKETCH_NONE || net >= k->nets.len)
		return false;
	if (k->nets.at[net].from == st->item)
		return true;
	/* Binary search: an item may have thousands of nets. */
	low = k->in_at[st->item];
	high = k->in_at[st->item + 1];
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (k->in[middle] == net)
			return true;
		if (k->in[middle] < net)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

/* Of the title of an item that is nothing else: not selected, changed or wrong. */
enum style item_title_style(const struct screen *s, const struct stage *st, uint32_t item)
{
	const struct view_item *at = &st->view.items.at[item];

	if (at->kind == VIEW_SCOPE && st->scopes.at[at->id].kind == SCOPE_FAN)
		return node_style(s, st->scopes.at[at->id].node);
	if (at->kind == VIEW_SCOPE)
		return STYLE_SCOPE;
	return at->kind == VIEW_NODE ? node_style(s, at->id) : STYLE_BRIGHT;
}

enum style item_style(const struct graph_state *g, uint32_t item, enum style plain)
{
	uint8_t marks = g->marks.at[item];

	if (item == g->now->item)
		return STYLE_NODE_SELECTED;
	if (marks & ITEM_FADED)
		return STYLE_FADED;
	if (marks & ITEM_PROBLEM)
		return STYLE_NODE_PROBLEM;
	if (marks & ITEM_CHANGED)
		return STYLE_NODE_CHANGED;
	if (marks & ITEM_WARNING)
		return STYLE_WARNING;
	return g->now->view.items.at[item].kind == VIEW_SCOPE ? STYLE_SCOPE : plain;
}

/* Of many tensors, the first ones decide. */
static bool net_carries(const struct screen *s, const struct stage *st, uint32_t net)
{
	enum {
		ENOUGH = 100
	};
	const struct view_net *n = &st->view.nets.at[net];

	for (uint32_t i = 0; i < MIN(n->count, ENOUGH); i++) {
		if (follow_has(&s->follow, st->view.values.at[n->first + i]))
			return true;
	}
	return false;
}

enum style net_style(struct screen *s, const struct stage *st, uint32_t net)
{
	if (s->follow.lit && net < st->view.nets.len)
		return net_carries(s, st, net) ? symbol_style(s, s->follow.symbol) : STYLE_FADED;
	return net_is_selected(st, net) ? STYLE_EDGE_SELECTED : STYLE_EDGE;
}

static enum style cell_style(struct screen *s, const struct graph_state *g, const struct cell *c)
{
	static const enum style plain[ROLE_COUNT] = {
		[ROLE_NONE] = STYLE_TEXT,  [ROLE_LINE] = STYLE_EDGE,    [ROLE_STUB] = STYLE_EDGE,
		[ROLE_FRAME] = STYLE_NODE, [ROLE_TITLE] = STYLE_BRIGHT, [ROLE_TEXT] = STYLE_TEXT,
	};

	if (c->role == ROLE_LINE || c->role == ROLE_STUB)
		return net_style(s, g->now, c->net);
	if (c->role == ROLE_FRAME && c->item != SKETCH_NONE)
		return item_style(g, c->item, STYLE_NODE);
	return plain[c->role];
}

/* A mark in the top border: colour alone is not enough. */
static void boxes_draw_mark(struct screen *s, const struct graph_state *g, uint32_t item, int x,
			    int y)
{
	static const struct {
		enum item_mark mark;
		uint32_t code;
		enum style style;
	} marks[] = {{ITEM_PROBLEM, 0x2717, STYLE_CONFLICT},
		     {ITEM_CHANGED, '~', STYLE_CHANGED},
		     {ITEM_WARNING, '!', STYLE_WARNING}};

	for (size_t i = 0; i < ARRAY_LEN(marks); i++) {
		if (g->marks.at[item] & marks[i].mark) {
			canvas_put(&s->canvas, x, y, marks[i].code, marks[i].style);
			return;
		}
	}
}

static enum style title_style(const struct screen *s, const struct graph_state *g, uint32_t item)
{
	if (g->marks.at[item] & ITEM_MATCH)
		return STYLE_MATCH;
	if (item == g->now->item)
		return STYLE_NODE_SELECTED;
	return item_title_style(s, g->now, item);
}

/* Folded shape arithmetic has only a title, which shows the result if there is room. */
static void boxes_draw_title(struct screen *s, const struct graph_state *g, uint32_t item,
			     struct box line)
{
	int x = line.x, y = line.y, columns = line.width, used = 1;
	struct str title = {0}, more = {0};
	struct info computed;

	canvas_put(&s->canvas, x, y, ' ', STYLE_TEXT);
	if (line.height <= 2 && label_computed(s, g->now, item, &computed)) {
		canvas_put(&s->canvas, x + 1, y, 0x25b8, title_style(s, g, item));
		canvas_put(&s->canvas, x + 2, y, ' ', STYLE_TEXT);
		used = 3 + label_shape(s, g->now, item, x + 3, y, columns - 4);
		canvas_put(&s->canvas, x + used, y, ' ', STYLE_TEXT);
		return;
	}
	label_title(s, g->now, item, &title, &more);
	used += canvas_text(&s->canvas, x + used, y, columns - used - 1, str_sv(&title),
			    title_style(s, g, item));
	if (more.len && used + 2 + (int)MIN(label_width(str_sv(&more)), 2) <= columns) {
		canvas_put(&s->canvas, x + used, y, ' ', STYLE_TEXT);
		used += 1 + canvas_text(&s->canvas, x + used + 1, y, columns - used - 2,
					str_sv(&more), STYLE_NUMBER);
	}
	canvas_put(&s->canvas, x + used, y, ' ', STYLE_TEXT);
	str_release(&title);
	str_release(&more);
}

static void boxes_draw_item(struct screen *s, const struct graph_state *g, uint32_t item)
{
	const struct stage *st = g->now;
	struct rect r = picture_rect(&st->picture, item);
	int x = r.x - st->x, y = r.y - st->y, rows = label_shape_rows(s, st, item);
	struct str line = {0};

	s->canvas.target = item + 1;
	canvas_fill(&s->canvas, (struct box){x + 1, y + 1, r.width - 2, r.height - 2}, ' ',
		    STYLE_TEXT);
	boxes_draw_title(s, g, item, (struct box){x + 2, y, r.width - 4, r.height});
	boxes_draw_mark(s, g, item, x + 1, y);
	if (r.height > 2)
		label_shape_lines(s, st, item, (struct box){x + 2, y + 1, r.width - 4, rows});
	for (int i = 0; i < r.height - 2 - rows; i++) {
		str_clear(&line);
		(void)label_detail(s, st, item, (uint32_t)i, &line);
		canvas_text(&s->canvas, x + 2, y + 1 + rows + i, r.width - 4, str_sv(&line),
			    i == 0 ? STYLE_TEXT : STYLE_DIM);
	}
	if (g->marks.at[item] & ITEM_FADED && item != st->item)
		canvas_restyle(&s->canvas, (struct box){x + 1, y, r.width - 2, r.height - 1},
			       STYLE_FADED);
	str_release(&line);
	s->canvas.target = 0;
}

static void draw_items(struct screen *s, const struct graph_state *g)
{
	const struct picture *p = &g->now->picture;
	uint32_t first, end;

	picture_layers(p, g->now->y, g->height, &first, &end);
	for (; first < end; first++) {
		const struct layer *layer = &p->layers[first];
		uint32_t at = picture_first_spot(p, layer, g->now->x);

		for (; at < layer->first + layer->count; at++) {
			const struct spot *spot = &p->spots[p->row[at]];

			if (spot->x - spot->left >= g->now->x + g->width)
				break;
			if (spot->kind == SPOT_ITEM)
				boxes_draw_item(s, g, spot->id);
		}
	}
}

struct naming {
	const struct screen *screen; /* borrowed */
	const struct stage *stage;   /* borrowed */
};

static void name_net(void *context, uint32_t net, struct str *out)
{
	const struct naming *n = context;

	label_net(n->screen, n->stage, net, out);
}

void boxes_draw(struct screen *s, struct graph_state *g)
{
	struct naming naming = {s, g->now};
	struct drawing how = {.ascii = s->canvas.ascii,
			      .selected = g->now->item,
			      .name = name_net,
			      .context = &naming};
	size_t count = (size_t)g->width * (size_t)g->height;
	uint32_t conflict;

	vec_clear(&g->cells);
	(void)vec_extend(&g->cells, count);
	picture_draw(&g->now->picture, (struct rect){g->now->x, g->now->y, g->width, g->height},
		     &how, g->cells.at);
	for (size_t i = 0; i < count; i++) {
		const struct cell *c = &g->cells.at[i];
		struct glyph *to = &s->canvas.cells[i];

		*to = (struct glyph){.code = c->glyph, .style = (uint8_t)cell_style(s, g, c)};
		to->target = c->item == SKETCH_NONE ? 0 : c->item + 1;
	}
	frames_draw(s, g);
	draw_items(s, g);
	conflict = conflict_item(s, g->now);
	if (conflict != SKETCH_NONE)
		conflict_tell(s, g, conflict);
}
