#include <stdlib.h>

#include "base/bug.h"
#include "base/str.h"
#include "layout/draw.h"
#include "layout/lanes.h"
#include "layout/sketch.h"

enum {
	MAX_STUBS = 3 /* named in one row */
};

/* One row while it is drawn; lanes are in every other column. */
struct lane_row {
	const struct lanes *l; /* borrowed */
	const struct sketch *s;
	uint32_t row, item;
	unsigned *directions; /* owned; by lane: up and down */
	uint32_t *net;        /* owned; by lane */
	bool *meets;          /* owned; by lane: the net begins or is read in this row */
	uint32_t left, right; /* lanes that the horizontal line reaches */
};

/* The first span of a lane that covers one of these rows, or NULL. */
static const struct lane_span *span_within(const struct lanes *l, uint32_t lane, uint32_t row,
					   uint32_t rows)
{
	uint32_t low = l->first_span[lane], high = l->first_span[lane + 1];

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (l->spans[middle].last < row)
			low = middle + 1;
		else
			high = middle;
	}
	return low < l->first_span[lane + 1] && l->spans[low].first < row + rows ? &l->spans[low]
										 : NULL;
}

uint32_t lanes_width(const struct lanes *l, uint32_t first, uint32_t rows)
{
	uint32_t width = 0;

	rows = first < l->rows ? MIN(rows, l->rows - first) : 0;
	for (uint32_t row = first; row < first + rows; row++)
		width = MAX(width, l->lane[l->item[row]] + 1);
	for (uint32_t lane = width; rows && lane < MIN(l->width, l->max); lane++)
		width = span_within(l, lane, first, rows) ? lane + 1 : width;
	return width;
}

static void lanes_draw_meet(struct lane_row *r, uint32_t lane)
{
	r->meets[lane] = true;
	r->left = MIN(r->left, lane);
	r->right = MAX(r->right, lane);
}

static void lanes_draw_collect(struct lane_row *r)
{
	const struct lanes *l = r->l;
	const struct sketch *s = r->s;

	r->left = r->right = l->lane[r->item];
	for (uint32_t i = 0; i < l->width; i++) {
		const struct lane_span *span = i < l->max ? span_within(l, i, r->row, 1) : NULL;

		r->meets[i] = false;
		r->directions[i] = 0;
		r->net[i] = SKETCH_NONE;
		/* A lane may have two spans in a row: one ends, the next begins. */
		for (; span && span->lane == i && span->first <= r->row; span++) {
			r->directions[i] |= (span->first < r->row ? DIR_UP : 0) |
					    (r->row < span->last ? DIR_DOWN : 0);
			r->net[i] = span->net;
			if (span + 1 == l->spans + l->first_span[i + 1])
				break;
		}
	}
	for (uint32_t k = s->in_at[r->item]; k < s->in_at[r->item + 1]; k++) {
		if (!lanes_is_stub(l, s->in[k], r->item))
			lanes_draw_meet(r, l->spans[l->span_of_net[s->in[k]] - 1].lane);
	}
	for (uint32_t k = s->out_at[r->item]; k < s->out_at[r->item + 1]; k++) {
		uint32_t place = l->span_of_net[s->out[k]];

		if (place)
			lanes_draw_meet(r, l->spans[place - 1].lane);
	}
}

static void lanes_draw_draw_row(const struct lane_row *r, const struct drawing *how,
				int32_t columns, struct cell *out)
{
	const struct lanes *l = r->l;
	struct cell mark = {.role = ROLE_TITLE, .item = r->item, .net = SKETCH_NONE};
	uint32_t mine = l->lane[r->item];

	for (uint32_t i = 0; i < 2 * l->width && (int32_t)i < columns; i++) {
		uint32_t lane = i / 2;
		bool across = i >= 2 * r->left && i < 2 * r->right;
		unsigned directions = i % 2 ? 0 : r->directions[lane];
		uint32_t net = directions ? r->net[lane] : SKETCH_NONE;

		if (i % 2 == 0 && (!directions || r->meets[lane]))
			directions |= (across ? DIR_RIGHT : 0) |
				      (i > 2 * r->left && i <= 2 * r->right ? DIR_LEFT : 0);
		else if (i % 2 && across)
			directions = DIR_LEFT | DIR_RIGHT;
		else if (across && i > 2 * r->left) /* a bridge, even where a lane ends */
			directions = DIR_UP | DIR_DOWN;
		if (!directions)
			continue;
		out[i] = (struct cell){line_glyph(directions, how->ascii), ROLE_LINE, SKETCH_NONE,
				       net};
	}
	mark.glyph = how->ascii ? '*' : 0x25c6;
	if (how->mark)
		mark.glyph = how->mark(how->context, r->item);
	if (2 * (int32_t)mine < columns)
		out[2 * mine] = mark;
}

/* After the label: the nets that the item reads without a line. */
static void add_stubs(const struct lane_row *r, const struct drawing *how, struct str *out)
{
	const struct sketch *s = r->s;
	uint32_t count = 0;

	for (uint32_t k = s->in_at[r->item]; how->name && k < s->in_at[r->item + 1]; k++) {
		if (!lanes_is_stub(r->l, s->in[k], r->item))
			continue;
		if (++count > MAX_STUBS) {
			str_text(out, how->ascii ? " ..." : " …");
			return;
		}
		str_text(out, how->ascii ? "  < " : "  ◂ ");
		how->name(how->context, s->in[k], out);
	}
}

static void lanes_draw_draw_label(const struct lane_row *r, const struct drawing *how,
				  int32_t columns, struct cell *out)
{
	struct cell like = {.role = ROLE_TEXT, .item = r->item, .net = SKETCH_NONE};
	int32_t at = 2 * (int32_t)r->l->width + 1;
	struct str text = {0};

	if (!how->label || at >= columns)
		return;
	how->label(how->context, r->item, 0, &text);
	add_stubs(r, how, &text);
	cells_text(out + at, columns - at, str_sv(&text), like, how->ascii);
	str_release(&text);
}

void lanes_draw(const struct lanes *l, const struct sketch *s, uint32_t first, uint32_t rows,
		int32_t columns, const struct drawing *how, struct cell *out)
{
	struct cell blank = {' ', ROLE_NONE, SKETCH_NONE, SKETCH_NONE};
	struct lane_row r = {.l = l, .s = s};

	r.directions = must_alloc((l->width + 1) * sizeof(*r.directions));
	r.net = must_alloc((l->width + 1) * sizeof(*r.net));
	r.meets = must_alloc(l->width + 1);
	for (uint32_t i = 0; i < rows; i++, out += columns) {
		for (int32_t x = 0; x < columns; x++)
			out[x] = blank;
		if (first + i >= l->rows)
			continue;
		r.row = first + i;
		r.item = l->item[r.row];
		lanes_draw_collect(&r);
		lanes_draw_draw_row(&r, how, columns, out);
		lanes_draw_draw_label(&r, how, columns, out);
	}
	free(r.directions);
	free(r.net);
	free(r.meets);
}
