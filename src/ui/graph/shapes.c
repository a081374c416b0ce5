/*
 * Shapes in boxes and rows.  A shape too long for one line of a box takes two.
 */
#include <inttypes.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/str.h"
#include "infer/cache.h"
#include "infer/past.h"
#include "ir/graph.h"
#include "ir/type.h"
#include "layout/view/shown.h"
#include "ops/info.h"
#include "sym/sym.h"
#include "ui/canvas.h"
#include "ui/dims.h"
#include "ui/graph/internal.h"
#include "ui/screen.h"

/* The axis of the item that keys act on; -1 for none, or while another pane has them. */
static int graph_pointed(struct screen *s, const struct stage *st, uint32_t item)
{
	struct dim_at at;

	if (item != st->item || (s->active != PANE_GRAPH && s->panes[s->active].kind->dim))
		return -1;
	return screen_dim(s, &at) ? (int)at.axis : -1;
}

static bool shapes_is_wide(const void *context, uint32_t value)
{
	const struct screen *s = context;

	return s->subject.infer->infos[value].rank > 1;
}

static bool shapes_are_same(const void *context, uint32_t a, uint32_t b)
{
	const struct info *infos = ((const struct screen *)context)->subject.infer->infos;

	return info_same_shape(&infos[a], &infos[b]);
}

static bool shapes_is_changed(const void *context, uint32_t value)
{
	const struct screen *s = context;

	return s->subject.preview && value_changed(s, value);
}

uint32_t label_value(const struct screen *s, const struct stage *st, uint32_t item)
{
	const struct shown_shapes shapes = {shapes_is_wide, shapes_are_same, shapes_is_changed, s};

	return view_shown(&st->view, item, &shapes);
}

bool value_computed(const struct screen *s, uint32_t value, struct info *out)
{
	struct info info = s->subject.infer->infos[value];

	if (!value || !info.contents.at || info.contents.rank > 1)
		return false;
	info.kind = TYPE_TENSOR;
	info.ranked = true;
	info.rank = info.contents.count;
	info.dims = info.contents.at;
	*out = info;
	return true;
}

bool label_computed(const struct screen *s, const struct stage *st, uint32_t item, struct info *out)
{
	const struct view_item *at = &st->view.items.at[item];

	return at->kind == VIEW_SCOPE && fold_computed(s, &st->scopes, at->id, out);
}

/* After the shape: the type of an input or output, and the number of further outputs. */
static void add_after(const struct screen *s, const struct stage *st, uint32_t item,
		      struct str *out)
{
	const struct view_item *at = &st->view.items.at[item];
	const struct model *m = s->subject.model;
	uint32_t more = 0;

	if (at->kind == VIEW_INPUT || at->kind == VIEW_OUTPUT || at->kind == VIEW_OUTER) {
		str_text(out, " ");
		str_text(out, elem_short(s->subject.infer->infos[at->id].elem));
		return;
	}
	if (at->kind != VIEW_NODE)
		return;
	for (uint32_t i = 0; i < m->nodes.at[at->id].output_count; i++)
		more += m->nodes.at[at->id].outputs[i] != 0;
	if (more > 1)
		str_format(out, " +%" PRIu32, more - 1);
}

void label_shape_text(const struct screen *s, const struct stage *st, uint32_t item,
		      struct str *out)
{
	uint32_t value = label_value(s, st, item);
	struct info computed;

	if (label_computed(s, st, item, &computed))
		elements_text(s, value, &computed, out);
	else if (value)
		value_text(s, value, out);
	add_after(s, st, item, out);
}

static int draw_any(struct screen *s, const struct stage *st, uint32_t item, int x, int y,
		    int columns)
{
	uint32_t value = label_value(s, st, item);
	struct info computed;

	if (!label_computed(s, st, item, &computed))
		return value ? draw_value(s, x, y, columns, value, graph_pointed(s, st, item),
					  AXIS_SHIFT)
			     : 0;
	return draw_elements(s, x, y, columns, value, &computed);
}

int label_shape(struct screen *s, const struct stage *st, uint32_t item, int x, int y, int columns)
{
	struct str after = {0}, whole = {0};
	int used = draw_any(s, st, item, x, y, columns);

	add_after(s, st, item, &after);
	label_shape_text(s, st, item, &whole);
	if (used < columns)
		used += canvas_text(&s->canvas, x + used, y, columns - used, str_sv(&after),
				    STYLE_DIM);
	if (columns > 0 && label_width(str_sv(&whole)) > (size_t)columns)
		canvas_put(&s->canvas, x + columns - 1, y, 0x2026, STYLE_DIM);
	str_release(&after);
	str_release(&whole);
	return used;
}

/* ---- two lines ---- */

/* Splits at the comma that best balances the lines; else after an operator; else anywhere. */
static int graph_shapes_split_at(const struct canvas *row, int whole, int columns)
{
	int sign = 0, comma = 0;

	for (int i = MIN(columns, whole); i > 0; i--) {
		uint32_t code = row->cells[i - 1].code;

		if (code == ',' && whole - i <= columns && (!comma || i >= whole - i))
			comma = i;
		if (!sign && code && code < 0x80 && strchr(",*+-/( ", (int)code))
			sign = i;
	}
	if (comma || sign > columns / 2)
		return comma ? comma : sign;
	return row->cells[columns].code ? columns : columns - 1;
}

/* Draws one line aside first: that determines each column's colour. */
static int draw_aside(struct screen *s, const struct stage *st, uint32_t item, int columns,
		      struct canvas *row)
{
	struct canvas real = s->canvas;
	int whole;

	canvas_resize(row, columns + 1, 1);
	canvas_clear(row);
	row->ascii = real.ascii;
	row->target = real.target;
	s->canvas = *row;
	whole = label_shape(s, st, item, 0, 0, columns);
	*row = s->canvas;
	s->canvas = real;
	return whole;
}

void label_shape_lines(struct screen *s, const struct stage *st, uint32_t item, struct box room)
{
	struct canvas row = {0};
	int whole, split, from;

	if (room.height < 2 || room.width < 4) {
		(void)label_shape(s, st, item, room.x, room.y, room.width);
		return;
	}
	whole = draw_aside(s, st, item, 2 * room.width, &row);
	split = graph_shapes_split_at(&row, whole, room.width);
	from = split + (row.cells[split].code == ' ');
	for (int i = 0; i < whole; i++) {
		/* Indent the continuation by one column. */
		int x = i < split ? i : i - from + 1;
		struct glyph *to = canvas_at(&s->canvas, room.x + x, room.y + (i >= split));

		if (to && x < room.width && (i < split || i >= from))
			*to = row.cells[i];
	}
	if (whole - from + 1 > room.width)
		canvas_put(&s->canvas, room.x + room.width - 1, room.y + 1, 0x2026, STYLE_DIM);
	canvas_release(&row);
}

/* ---- widths ---- */

static uint32_t graph_shapes_shape_width(const struct screen *s, const struct stage *st,
					 uint32_t item)
{
	struct str shape = {0};
	size_t wide;

	label_shape_text(s, st, item, &shape);
	wide = label_width(str_sv(&shape));
	str_release(&shape);
	return (uint32_t)MIN(wide, LABEL_SHAPE_MAX + 1);
}

/* Thousands of nodes share a few dozen shapes: each is printed once. */
uint32_t label_shape_width(const struct screen *s, const struct stage *st, uint32_t item,
			   struct map *widths)
{
	const struct view_item *at = &st->view.items.at[item];
	uint32_t value = label_value(s, st, item);
	const struct info *info = &s->subject.infer->infos[value];
	const struct sym *was = NULL;
	uint64_t key = hash_u64(info->rank, (uint64_t)info->kind << 1 | info->ranked);
	uint32_t *place;

	if (at->kind != VIEW_NODE || s->subject.model->nodes.at[at->id].output_count != 1 ||
	    value == s->edited.value)
		return graph_shapes_shape_width(s, st, item);
	if (s->subject.before && value_changed(s, value))
		was = past_dims(s->subject.before, s->subject.infer, value);
	for (uint32_t i = 0; info->ranked && i < info->rank; i++)
		key = hash_u64(was ? was[i].w : 0, hash_u64(info->dims[i].w, key));
	place = map_at(widths, key);
	if (*place == 0)
		*place = graph_shapes_shape_width(s, st, item) + 1;
	return *place - 1;
}

int label_shape_rows(const struct screen *s, const struct stage *st, uint32_t item)
{
	return graph_shapes_shape_width(s, st, item) > LABEL_SHAPE_MAX ? 2 : 1;
}
