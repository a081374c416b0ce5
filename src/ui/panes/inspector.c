/*
 * Pane 3: details of the selection.  Rows are rebuilt when the selection, the model or the
 * width changes; a weight is read while it is shown.
 */
#include "ui/panes/inspector.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/bug.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "base/words.h"
#include "ir/graph.h"
#include "ir/type.h"
#include "ops/info.h"
#include "report/record.h"
#include "sym/text.h"
#include "ui/canvas.h"
#include "ui/screen.h"

enum {
	READ_TIME = 25, /* milliseconds of reading per frame */
	LONGEST_TRAIL = 100
};

/* Selected before following a link. */
struct step {
	uint32_t node, value, tensor;
	size_t at;
};

struct inspector {
	struct rows rows;
	struct list list;
	uint32_t axis;
	bool stale;
	bool to_shape;        /* of an input, select the shape first */
	bool jumping;         /* the inspector itself changed the selection */
	uint32_t node, value; /* what the rows describe */
	uint32_t tensor;      /* a weight shown instead */
	struct weighing weighing;
	VEC(struct step) trail;
};

static void *inspector_create(void)
{
	struct inspector *i = must_alloc(sizeof(*i));

	*i = (struct inspector){.stale = true};
	return i;
}

static void inspector_destroy(void *state)
{
	struct inspector *i = state;

	rows_release(&i->rows);
	weighing_release(&i->weighing);
	vec_release(&i->trail);
	free(i);
}

static void show_weight(struct inspector *i, uint32_t tensor)
{
	weighing_release(&i->weighing);
	i->tensor = tensor;
	i->list = (struct list){0};
	i->stale = true;
}

static void inspector_renew(struct screen *s, void *state)
{
	struct inspector *i = state;
	bool other = s->node != i->node || s->value != i->value;

	i->stale = true;
	if (i->tensor >= s->subject.model->tensors.len)
		show_weight(i, 0);
	/* The file may have been replaced. */
	if (!i->weighing.done)
		weighing_release(&i->weighing);
	if (!other)
		return;
	if (!i->jumping)
		vec_clear(&i->trail);
	show_weight(i, 0);
	i->axis = 0;
	i->node = s->node;
	i->value = s->value;
	i->to_shape = s->value != 0;
}

/* ---- drawing ---- */

static const struct row *row_at(const struct inspector *i)
{
	return i->list.at < i->rows.at.len ? &i->rows.at.at[i->list.at] : NULL;
}

static void inspector_weigh(struct screen *s, struct inspector *i)
{
	if (i->tensor && i->weighing.tensor != i->tensor)
		weighing_start(&i->weighing, s->subject.model, i->tensor);
	if (!i->tensor || (i->weighing.done && !i->stale))
		return;
	weighing_go(&i->weighing, READ_TIME);
	i->stale = true;
	s->working |= !i->weighing.done;
}

static void inspector_tell(struct screen *s, struct inspector *i, int width)
{
	rows_clear(&i->rows, width);
	if (i->tensor) {
		tell_weight(s, &i->rows, &i->weighing);
	} else if (s->node) {
		tell_node(s, &i->rows, s->node);
	} else if (s->value) {
		tell_value(s, &i->rows, s->value);
	} else {
		(void)rows_add(&i->rows);
		rows_wrap(&i->rows, STYLE_DIM,
			  SV("Nothing is selected. Select a node in the graph or an input in the "
			     "outline (1)."),
			  6);
	}
	i->list.count = i->rows.at.len;
	i->stale = false;
	for (size_t k = 0; i->to_shape && k < i->rows.at.len; k++) {
		if (!i->rows.at.at[k].axis_count)
			continue;
		i->list.at = k;
		i->to_shape = false;
	}
}

/* Keys may arrive before the first frame. */
static void be_ready(struct screen *s, struct inspector *i)
{
	enum {
		ANY_WIDTH = 34
	};

	if (!i->stale)
		return;
	inspector_weigh(s, i);
	inspector_tell(s, i, i->rows.width ? i->rows.width : ANY_WIDTH);
}

/* The axis that `e` edits, in the bottom border: colour alone is not enough. */
static void draw_axis(struct screen *s, const struct inspector *i, struct box inside)
{
	const struct row *row = row_at(i);
	struct str text = {0};

	if (!row || !row->value || !row->axis_count)
		return;
	str_format(&text, " axis %" PRIu32 " ", i->axis);
	if ((int)text.len + 1 < inside.width)
		canvas_text(&s->canvas, inside.x + 1, inside.y + inside.height, (int)text.len,
			    str_sv(&text), STYLE_BRIGHT);
	str_release(&text);
}

static void inspector_draw(struct screen *s, void *state, struct box inside, bool active)
{
	struct inspector *i = state;

	inspector_weigh(s, i);
	if (i->stale || i->rows.width != inside.width)
		inspector_tell(s, i, inside.width);
	rows_draw(s, &i->rows, &i->list, inside, active, i->axis);
	draw_more(s, inside, &i->list, inside.height);
	if (active)
		draw_axis(s, i, inside);
}

/* ---- moving ---- */

/* To the previous or next axis, also across the rows of a wrapped shape. */
static void move_axis(struct inspector *i, int step)
{
	const struct row *row = row_at(i), *beside;
	uint32_t axis = i->axis + (uint32_t)step;
	size_t other = i->list.at + (size_t)(int64_t)step;

	if (!row || !row->axis_count || !row->value)
		return;
	if (axis >= row->first_axis && axis < row->first_axis + row->axis_count) {
		i->axis = axis;
		return;
	}
	beside = other < i->rows.at.len ? &i->rows.at.at[other] : NULL;
	if (beside && beside->value == row->value &&
	    axis - beside->first_axis < beside->axis_count) {
		i->list.at = other;
		i->axis = axis;
	}
}

static void fit_axis(struct inspector *i)
{
	const struct row *row = row_at(i);

	if (row && row->axis_count)
		i->axis = MAX(row->first_axis, MIN(i->axis, row->first_axis + row->axis_count - 1));
}

static void inspector_move(struct screen *s, void *state, enum motion motion)
{
	struct inspector *i = state;

	be_ready(s, i);
	if (motion == MOTION_LEFT || motion == MOTION_RIGHT)
		move_axis(i, motion == MOTION_LEFT ? -1 : 1);
	else
		list_move(&i->list, motion, (size_t)s->boxes[PANE_INSPECTOR].height);
	fit_axis(i);
}

static void inspector_click(struct screen *s, void *state, uint32_t target)
{
	struct inspector *i = state;

	(void)s;
	i->list.at = target - 1;
	fit_axis(i);
}

/* ---- following links ---- */

static void leave_trail(const struct screen *s, struct inspector *i)
{
	if (i->trail.len < LONGEST_TRAIL)
		vec_push(&i->trail, ((struct step){s->node, s->value, i->tensor, i->list.at}));
}

static bool first_node(const struct model *m, uint32_t graph, uint32_t *out)
{
	if (m->graphs.at[graph].nodes.len == 0)
		return false;
	*out = m->graphs.at[graph].nodes.at[0];
	return true;
}

static bool inspector_open_row(struct screen *s, void *state)
{
	struct inspector *i = state;
	const struct row *row;
	enum link link;
	uint32_t id;

	be_ready(s, i);
	row = row_at(i);
	id = row ? row->id : 0;
	link = row ? row->link : LINK_NONE;
	if (link == LINK_NONE || (link == LINK_GRAPH && !first_node(s->subject.model, id, &id)))
		return false;
	leave_trail(s, i);
	i->jumping = true;
	if (link == LINK_TENSOR)
		show_weight(i, id);
	else if (link == LINK_VALUE)
		screen_select_value(s, id);
	else
		screen_select(s, id);
	i->jumping = false;
	return true;
}

static bool inspector_leave(struct screen *s, void *state)
{
	struct inspector *i = state;
	struct step back;

	if (i->trail.len == 0) {
		bool shown = i->tensor != 0;

		show_weight(i, 0);
		return shown;
	}
	back = *vec_last(&i->trail);
	vec_pop(&i->trail);
	i->jumping = true;
	if (back.node && back.node < s->subject.model->nodes.len)
		screen_select(s, back.node);
	else if (back.value && back.value < s->subject.model->values.len)
		screen_select_value(s, back.value);
	i->jumping = false;
	i->to_shape = false;
	show_weight(i, back.tensor < s->subject.model->tensors.len ? back.tensor : 0);
	i->list.at = back.at;
	return true;
}

void inspector_weight(struct screen *s, uint32_t tensor)
{
	struct inspector *i = s->panes[PANE_INSPECTOR];

	vec_clear(&i->trail);
	show_weight(i, tensor);
	if (s->boxes[PANE_INSPECTOR].width == 0)
		screen_pane(s, PANE_INSPECTOR);
}

/* ---- editing ---- */

bool inspector_place(const struct screen *s, uint32_t *out_value, uint32_t *out_axis)
{
	const struct inspector *i = s->panes[PANE_INSPECTOR];
	const struct row *row = i->stale ? NULL : row_at(i);

	if (!row || !row->value)
		return false;
	*out_value = row->value;
	*out_axis = i->axis;
	return true;
}

/* The axis as declared in the file, else as inferred. */
static void add_current(const struct screen *s, uint32_t value, uint32_t axis, struct str *out)
{
	const struct model *m = s->subject.model;
	const struct type *t = &m->claims.at[m->values.at[value].first_claim].type;
	const struct info *info = &s->subject.infer->infos[value];

	if (t->has_shape && axis < t->rank && t->dims[axis].kind == DIM_VALUE)
		str_format(out, "%" PRId64, t->dims[axis].value);
	else if (t->has_shape && axis < t->rank && t->dims[axis].kind == DIM_PARAM)
		str_add(out, model_name(m, t->dims[axis].param));
	else if (!t->has_shape && info->ranked && axis < info->rank)
		sym_print(&s->subject.infer->pool, info->dims[axis], out);
	else
		str_char(out, '?');
}

static bool inspector_edit(struct screen *s, void *state, struct str *line)
{
	const struct model *m = s->subject.model;
	struct str word = {0};
	uint32_t value = s->value, axis = 0;

	be_ready(s, state);
	if (!inspector_place(s, &value, &axis))
		value = s->value;
	/* Only declared shapes can be set. */
	if (!value || !m->values.at[value].first_claim)
		return false;
	graph_path(&word, m, m->values.at[value].graph);
	if (word.len)
		str_char(&word, '/');
	str_add(&word, model_name(m, m->values.at[value].name));
	str_format(&word, ":%" PRIu32 "=", axis);
	add_current(s, value, axis, &word);
	str_text(line, "set");
	words_quote(line, str_sv(&word));
	str_release(&word);
	return true;
}

const struct pane_kind inspector_pane = {
	.title = "Inspector",
	.hint = "j/k row  h/l axis  Enter go there  Esc back  e edit  x why  Tab pane  ? help",
	.create = inspector_create,
	.destroy = inspector_destroy,
	.renew = inspector_renew,
	.draw = inspector_draw,
	.move = inspector_move,
	.open = inspector_open_row,
	.leave = inspector_leave,
	.click = inspector_click,
	.edit = inspector_edit,
};
