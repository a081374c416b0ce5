/*
 * Pane 3: details of the selection.  Rows are rebuilt when the selection, the model or the
 * width changes; a weight is read while it is shown.
 */
#include "ui/panes/inspector.h"

#include <inttypes.h>

#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "ir/graph.h"
#include "ops/info.h"
#include "ui/canvas.h"
#include "ui/dims.h"
#include "ui/follow.h"
#include "ui/graph/graph.h"
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
	uint32_t axis;
	bool to_shape;        /* of an input, select the shape first */
	bool jumping;         /* the inspector itself changed the selection */
	uint32_t node, value; /* what the rows describe */
	uint32_t scope;
	uint32_t tensor; /* a weight shown instead */
	struct weighing weighing;
	VEC(struct step) trail;
};

static void inspector_release(struct pane *p)
{
	struct inspector *i = p->state;

	weighing_release(&i->weighing);
	vec_release(&i->trail);
}

static void show_weight(struct pane *p, uint32_t tensor)
{
	struct inspector *i = p->state;

	weighing_release(&i->weighing);
	i->tensor = tensor;
	p->list.at = p->list.top = 0;
	p->stale = true;
}

static void inspector_renew(struct pane *p)
{
	const struct screen *s = p->screen;
	struct inspector *i = p->state;
	bool other = s->node != i->node || s->value != i->value || s->scope != i->scope;

	if (i->tensor >= s->subject.model->tensors.len)
		show_weight(p, 0);
	/* The file may have been replaced. */
	if (!i->weighing.done)
		weighing_release(&i->weighing);
	if (!other)
		return;
	if (!i->jumping)
		vec_clear(&i->trail);
	show_weight(p, 0);
	i->axis = 0;
	i->node = s->node;
	i->value = s->value;
	i->scope = s->scope;
	i->to_shape = s->value != 0;
}

/* ---- drawing ---- */

static void inspector_weigh(struct screen *s, struct inspector *i)
{
	if (i->weighing.tensor != i->tensor)
		weighing_start(&i->weighing, s->subject.model, i->tensor);
	weighing_go(&i->weighing, READ_TIME);
	s->working |= !i->weighing.done;
}

static void inspector_fill(struct pane *p, struct rows *r)
{
	struct screen *s = p->screen;
	struct inspector *i = p->state;

	if (i->tensor) {
		inspector_weigh(s, i);
		tell_weight(s, r, &i->weighing);
	} else if (s->scope && graph_scopes(s)) {
		tell_fold(s, r, graph_scopes(s), s->scope);
	} else if (s->node) {
		tell_node(s, r, s->node);
	} else if (s->value) {
		tell_value(s, r, s->value);
	} else {
		(void)rows_add(r);
		rows_wrap(r, STYLE_DIM,
			  SV("Nothing is selected. Select a node in the graph or an input in the "
			     "outline (1)."),
			  6);
	}
	for (size_t k = 0; i->to_shape && k < r->at.len; k++) {
		if (!r->at.at[k].axis_count)
			continue;
		p->list.at = k;
		i->to_shape = false;
	}
}

static void inspector_draw_row(struct pane *p, size_t k, struct box line)
{
	const struct inspector *i = p->state;

	rows_draw_row(p->screen, p->rows, k, line,
		      p->active && k == p->list.at ? (int)i->axis : -1);
}

/* The axis that `e` edits, in the bottom border: colour alone is not enough. */
static void draw_axis(const struct pane *p)
{
	const struct inspector *i = p->state;
	const struct row *row = rows_selected(p);
	struct str text = {0};

	if (!row || !row->value || !row->axis_count)
		return;
	str_format(&text, " axis %" PRIu32 " ", i->axis);
	if ((int)text.len + 1 < p->box.width)
		canvas_text(&p->screen->canvas, p->box.x + 1, p->box.y + p->box.height,
			    (int)text.len, str_sv(&text), STYLE_BRIGHT);
	str_release(&text);
}

static void inspector_draw(struct pane *p)
{
	const struct inspector *i = p->state;

	p->stale |= i->tensor && !i->weighing.done;
	pane_draw_list(p, p->box);
	pane_draw_more(p);
	if (p->active)
		draw_axis(p);
}

/* ---- moving ---- */

/* To the previous or next axis, also across the rows of a wrapped shape. */
static void move_axis(struct pane *p, int step)
{
	struct inspector *i = p->state;
	const struct row *row = rows_selected(p), *beside;
	uint32_t axis = i->axis + (uint32_t)step;
	size_t other = p->list.at + (size_t)(int64_t)step;

	if (!row || !row->axis_count || !row->value)
		return;
	if (axis >= row->first_axis && axis < row->first_axis + row->axis_count) {
		i->axis = axis;
		return;
	}
	beside = other < p->rows->at.len ? &p->rows->at.at[other] : NULL;
	if (beside && beside->value == row->value &&
	    axis - beside->first_axis < beside->axis_count) {
		p->list.at = other;
		i->axis = axis;
	}
}

static void fit_axis(struct pane *p)
{
	struct inspector *i = p->state;
	const struct row *row = rows_selected(p);

	if (row && row->axis_count)
		i->axis = MAX(row->first_axis, MIN(i->axis, row->first_axis + row->axis_count - 1));
}

static void inspector_move(struct pane *p, enum motion motion)
{
	if (motion == MOTION_LEFT || motion == MOTION_RIGHT)
		move_axis(p, motion == MOTION_LEFT ? -1 : 1);
	else
		list_move(&p->list, motion);
	fit_axis(p);
}

static void inspector_click(struct pane *p, uint32_t target)
{
	p->list.at = target - 1;
	fit_axis(p);
}

/* ---- following links ---- */

static bool inspector_dim(struct pane *p, struct dim_at *out)
{
	const struct inspector *i = p->state;
	const struct row *row = rows_selected(p);

	if (!row || !row->value || !row->axis_count)
		return false;
	*out = (struct dim_at){row->value, i->axis};
	return true;
}

/* A shape leads nowhere, but the symbol of its dim can be followed. */
static bool inspector_symbol(struct pane *p, uint32_t *out)
{
	const struct screen *s = p->screen;
	const struct row *row = rows_selected(p);
	const struct info *info;
	struct dim_at at;

	if (!inspector_dim(p, &at) || row->link != LINK_NONE)
		return false;
	info = &s->subject.infer->infos[at.value];
	return info->ranked && at.axis < info->rank &&
	       follow_next(&s->follow, s->subject.infer, info->dims[at.axis], out);
}

static const char *inspector_hints(struct pane *p)
{
	const struct inspector *i = p->state;
	uint32_t symbol;

	pane_ready(p);
	if (i->tensor)
		return "Enter all values  x why  y copy name  j/k row  Tab pane";
	return inspector_symbol(p, &symbol)
		       ? "e edit  x why  Enter follow it  h/l axis  j/k row  Esc back  Tab pane"
		       : p->kind->hint;
}

static bool inspector_open(struct pane *p)
{
	struct screen *s = p->screen;
	struct inspector *i = p->state;
	const struct row *row = rows_selected(p);
	struct step here = {s->node, s->value, i->tensor, p->list.at};
	uint32_t symbol;
	bool followed;

	i->jumping = true;
	if (i->tensor && row && row->link == LINK_NONE) {
		screen_overlay(s, OVERLAY_VALUES);
		return true;
	}
	followed = row && link_follow(s, row->link, row->id);
	i->jumping = false;
	if (followed && i->trail.len < LONGEST_TRAIL)
		vec_push(&i->trail, here);
	if (!followed && inspector_symbol(p, &symbol)) {
		screen_follow_from_here(s, symbol);
		return true;
	}
	return followed;
}

static bool inspector_leave(struct pane *p)
{
	struct screen *s = p->screen;
	struct inspector *i = p->state;
	struct step back;

	if (i->trail.len == 0) {
		bool shown = i->tensor != 0;

		show_weight(p, 0);
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
	show_weight(p, back.tensor < s->subject.model->tensors.len ? back.tensor : 0);
	p->list.at = back.at;
	return true;
}

void inspector_weight(struct screen *s, uint32_t tensor)
{
	struct pane *p = &s->panes[PANE_INSPECTOR];
	struct inspector *i = p->state;

	if (!i->jumping)
		vec_clear(&i->trail);
	show_weight(p, tensor);
	if (p->box.width == 0)
		screen_pane(s, PANE_INSPECTOR);
}

uint32_t screen_weight(const struct screen *s)
{
	const struct inspector *i = s->panes[PANE_INSPECTOR].state;

	return i->tensor;
}

void inspector_statistics(const struct screen *s, struct str *out)
{
	const struct inspector *i = s->panes[PANE_INSPECTOR].state;
	const struct weighing *w = &i->weighing;

	if (w->tensor != i->tensor || !w->done || !w->finite)
		return;
	str_format(out, "; min %.6g, max %.6g, mean %.6g", w->min, w->max, w->mean);
	str_text(out, w->gap ? ", of a sample" : "");
}

uint32_t inspector_tensor_value(const struct screen *s)
{
	const struct model *m = s->subject.model;
	uint32_t tensor = screen_weight(s), value;

	if (!tensor || !m->tensors.at[tensor].name)
		return 0;
	value = model_resolve(m, s->graph, m->tensors.at[tensor].name);
	return value && m->values.at[value].tensor == tensor ? value : 0;
}

bool screen_values(struct screen *s)
{
	const struct model *m = s->subject.model;
	const struct node *n = &m->nodes.at[s->node];

	for (uint32_t i = 0; s->node && !screen_weight(s) && i < n->input_count; i++) {
		if (m->values.at[n->inputs[i]].tensor)
			inspector_weight(s, m->values.at[n->inputs[i]].tensor);
	}
	if (screen_weight(s))
		screen_overlay(s, OVERLAY_VALUES);
	return screen_weight(s);
}

/* ---- the dim that keys act on ---- */

/* To the first row that shows it. */
static void inspector_point(struct pane *p, struct dim_at at)
{
	struct inspector *i = p->state;

	pane_ready(p);
	for (size_t k = 0; k < p->rows->at.len; k++) {
		const struct row *row = &p->rows->at.at[k];

		if (row->value != at.value || at.axis - row->first_axis >= row->axis_count)
			continue;
		p->list.at = k;
		i->axis = at.axis;
		return;
	}
}

static bool inspector_step_dim(struct pane *p, int step)
{
	struct dim_at at;

	move_axis(p, step);
	return inspector_dim(p, &at);
}

const struct pane_kind inspector_pane = {
	.title = "Inspector",
	.hint = "e edit  x why  Enter go there  h/l axis  j/k row  Esc back  Tab pane",
	.size = sizeof(struct inspector),
	.release = inspector_release,
	.renew = inspector_renew,
	.fill = inspector_fill,
	.draw_row = inspector_draw_row,
	.draw = inspector_draw,
	.move = inspector_move,
	.open = inspector_open,
	.leave = inspector_leave,
	.click = inspector_click,
	.dim = inspector_dim,
	.point = inspector_point,
	.step_dim = inspector_step_dim,
	.hints = inspector_hints,
};
