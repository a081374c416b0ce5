/*
 * Explains dims: each with its dependencies below it, back to inputs and constants.  Nodes
 * that only pass a size on are skipped and counted; the total is bounded.
 */
#include "ui/overlays/why.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/bug.h"
#include "base/map.h"
#include "base/str.h"
#include "base/sv.h"
#include "cmd/keys.h"
#include "infer/finding.h"
#include "infer/infer.h"
#include "infer/reason.h"
#include "infer/sentence.h"
#include "ir/graph.h"
#include "ops/info.h"
#include "sym/sym.h"
#include "ui/canvas.h"
#include "ui/panes/inspector.h"
#include "ui/rows.h"
#include "ui/screen.h"

enum {
	MAX_REASONS = 8, /* per dim */
	MAX_ROWS = 400,
	MAX_NUMBERS = 16, /* of a tensor, at most */
	DEEPEST = 40,
	MAX_PASSED = 10000,
	WORK = 1 << 17, /* see why_cost */
	MAX_FINDINGS = 6
};

struct explanation {
	struct rows rows;
	struct list list;
	int height;
	uint32_t node, value; /* its subject */
	bool told;
};

struct telling {
	struct screen *s; /* borrowed */
	struct infer *in; /* borrowed */
	struct rows *r;   /* borrowed */
	struct map seen;
	size_t work; /* left */
};

static void *why_overlay_create(void)
{
	struct explanation *e = must_alloc(sizeof(*e));

	*e = (struct explanation){0};
	return e;
}

static void why_overlay_destroy(void *state)
{
	struct explanation *e = state;

	rows_release(&e->rows);
	free(e);
}

/* ---- what a dim depends on ---- */

static uint64_t why_overlay_place_of(const struct node *n, struct why what)
{
	uint64_t port = 0;

	while (port < n->input_count && n->inputs[port] != what.value)
		port++;
	return port << 32 | (uint64_t)what.element << 31 | what.index;
}

size_t why_reasons(struct infer *in, struct why what, struct why out[REASONS_MAX])
{
	const struct node *n = &in->model->nodes.at[in->model->values.at[what.value].producer];
	size_t count = why_find(in, what, out, REASONS_MAX);

	/* They arrive in hash order; there are few. */
	for (size_t i = 1; i < count; i++) {
		struct why one = out[i];
		size_t k = i;

		for (; k && why_overlay_place_of(n, out[k - 1]) > why_overlay_place_of(n, one); k--)
			out[k] = out[k - 1];
		out[k] = one;
	}
	return count;
}

const struct why *why_handed_on(const struct infer *in, struct why what, const struct why *from,
				size_t count)
{
	struct sym is = why_expression(in, what);
	const struct why *found = NULL;

	for (size_t i = 0; i < count; i++) {
		struct sym other = why_expression(in, from[i]);

		if (!sym_same(other, is) && !sym_is(other, 1))
			return NULL;
		if (sym_same(other, is) && (!found || (found->element && !from[i].element)))
			found = &from[i];
	}
	return found;
}

static size_t why_overlay_ask(struct telling *t, struct why what, struct why out[REASONS_MAX])
{
	uint32_t producer = t->in->model->values.at[what.value].producer;
	size_t cost;

	if (!producer || t->in->model->nodes.at[producer].input_count > t->work)
		return 0;
	cost = why_cost(t->in, producer);
	if (cost > t->work)
		return 0;
	t->work -= cost;
	return MIN(why_reasons(t->in, what, out), (size_t)MAX_REASONS);
}

static size_t ask_through_copies(struct telling *t, struct why what, struct why out[REASONS_MAX],
				 unsigned *passed)
{
	size_t count = why_overlay_ask(t, what, out);
	const struct why *same = why_handed_on(t->in, what, out, count);

	if (!same)
		return count;
	for (out[0] = *same; *passed < MAX_PASSED; ++*passed) {
		struct why further[REASONS_MAX];

		same = why_handed_on(t->in, out[0], further, why_overlay_ask(t, out[0], further));
		if (!same)
			break;
		out[0] = *same;
	}
	return 1;
}

/* ---- rows ---- */

static void put_origin(struct telling *t, struct why what)
{
	const struct model *m = t->in->model;
	const struct value *v = &m->values.at[what.value];
	struct rows *r = t->r;

	if (v->tensor) {
		rows_put(r, STYLE_DIM, SV("  a constant of the file"));
	} else if (v->flags & VALUE_INPUT) {
		rows_put(r, STYLE_DIM, SV("  an input"));
	} else if (v->producer) {
		rows_put(r, STYLE_DIM, SV("  by "));
		rows_put(r, STYLE_BRIGHT, model_name(m, m->nodes.at[v->producer].op));
	}
	if (t->in->sources[what.value] == SOURCE_CLAIM)
		rows_put(r, STYLE_WARNING, SV(" (as the file claims)"));
}

static void why_overlay_put_step(struct telling *t, struct why what, unsigned depth,
				 unsigned passed, bool again)
{
	const struct model *m = t->in->model;
	const struct value *v = &m->values.at[what.value];
	struct rows *r = t->r;

	if (v->producer)
		(void)rows_link(r, LINK_NODE, v->producer);
	else
		(void)rows_link(r, v->tensor ? LINK_TENSOR : LINK_VALUE,
				v->tensor ? v->tensor : what.value);
	rows_format(r, STYLE_DIM, "%*s", (int)MIN(depth * 2, (unsigned)r->width / 2), "");
	rows_put(r, STYLE_TEXT, model_cut_name(m, v->name));
	if (what.element && what.index == WHY_LARGEST)
		rows_put(r, STYLE_DIM, SV("{largest}"));
	else
		rows_format(r, STYLE_DIM, what.element ? "{%" PRIu32 "}" : "[%" PRIu32 "]",
			    what.index);
	rows_put(r, STYLE_DIM, SV(" = "));
	rows_dim(r, &t->in->pool, why_expression(t->in, what), 0);
	if (again)
		rows_put(r, STYLE_DIM, SV("  see above"));
	else
		put_origin(t, what);
	if (passed)
		rows_format(r, STYLE_DIM, ", through %u more node%s", passed,
			    passed == 1 ? "" : "s");
}

static void why_overlay_tell(struct telling *t, struct why what, unsigned depth)
{
	uint64_t key = (uint64_t)what.value << 32 | what.index << 1 | what.element;
	bool again = (*map_at(&t->seen, key))++;
	struct why next[REASONS_MAX];
	unsigned passed = 0;
	size_t count = again ? 0 : ask_through_copies(t, what, next, &passed);

	why_overlay_put_step(t, what, depth, passed, again);
	for (size_t i = 0; i < count && depth < DEEPEST && t->r->at.len < MAX_ROWS; i++)
		why_overlay_tell(t, next[i], depth + 1);
}

static void tell_dims(struct telling *t, uint32_t value)
{
	const struct info *info = &t->in->infos[value];
	struct sv name = model_name(t->in->model, t->in->model->values.at[value].name);

	if (!info->ranked) {
		(void)rows_add(t->r);
		rows_put(t->r, STYLE_TEXT, name);
		rows_put(t->r, STYLE_UNKNOWN, SV(": unknown shape"));
		return;
	}
	for (uint32_t i = 0; i < info->rank && t->r->at.len < MAX_ROWS; i++)
		why_overlay_tell(t, (struct why){.value = value, .index = i}, 0);
	/* For shape arithmetic the contents matter more. */
	for (uint32_t i = 0; info->contents.at && i < MIN(info->contents.count, MAX_NUMBERS); i++)
		why_overlay_tell(t, (struct why){.value = value, .index = i, .element = true}, 0);
	if (info->rank == 0 && !info->contents.at) {
		(void)rows_add(t->r);
		rows_put(t->r, STYLE_TEXT, name);
		rows_put(t->r, STYLE_DIM, SV(": a scalar has no axes"));
	}
}

static void tell_finding(struct telling *t, const struct finding *f)
{
	struct str sentence = {0};
	struct reason reason;

	rows_gap(t->r);
	(void)rows_add(t->r);
	rows_format(t->r, level_style(f->level), "%s ",
		    gravity_mark(level_info(f->level)->gravity));
	finding_print(t->in, f, &sentence);
	rows_wrap(t->r, level_style(f->level), str_sv(&sentence), 6);
	str_release(&sentence);
	reason_find(t->in, f, &t->work, &reason);
	for (size_t i = 0; i < reason.count; i++) {
		(void)rows_add(t->r);
		rows_put(t->r, STYLE_TEXT, SV("  "));
		rows_wrap(t->r, STYLE_TEXT, str_sv(&reason.lines[i]), 3);
	}
	reason_release(&reason);
}

static void tell_findings_here(struct telling *t)
{
	unsigned told = 0;

	for (size_t i = 0; i < t->in->findings.len && told < MAX_FINDINGS; i++) {
		/* A copy: findings may be reallocated. */
		struct finding f = t->in->findings.at[i];

		if (t->s->node ? f.node != t->s->node : f.value != t->s->value)
			continue;
		tell_finding(t, &f);
		told++;
	}
}

static void why_overlay_tell_all(struct screen *s, struct explanation *e, int width)
{
	struct telling t = {s, s->subject.infer, &e->rows, {0}, WORK};
	const struct node *n = &s->subject.model->nodes.at[s->node];
	uint32_t value, axis;

	rows_clear(&e->rows, width);
	if (s->active == PANE_INSPECTOR && inspector_place(s, &value, &axis))
		tell_dims(&t, value);
	else if (s->node)
		for (uint32_t i = 0; i < MIN(n->output_count, 20); i++)
			tell_dims(&t, n->outputs[i]);
	else if (s->value)
		tell_dims(&t, s->value);
	tell_findings_here(&t);
	if (t.work < 64 || e->rows.at.len >= MAX_ROWS) {
		(void)rows_add(&e->rows);
		rows_put(&e->rows, STYLE_DIM, SV("\u2026 (truncated)"));
	}
	rows_trim(&e->rows);
	map_release(&t.seen);
	e->told = true;
	e->node = s->node;
	e->value = s->value;
}

static void why_overlay_draw(struct screen *s, void *state, struct box inside)
{
	struct explanation *e = state;
	struct box list = inside;

	if (!e->told || e->rows.width != inside.width || e->node != s->node || e->value != s->value)
		why_overlay_tell_all(s, e, inside.width);
	list.height = MAX(inside.height - 1, 1);
	e->height = list.height;
	rows_draw(s, &e->rows, &e->list, list, true, UINT32_MAX);
	draw_more(s, inside, &e->list, list.height);
	if (inside.height > 1)
		canvas_text(&s->canvas, inside.x, inside.y + inside.height - 1, inside.width,
			    SV("x[0] is the size of an axis, x{0} an element of the tensor"),
			    STYLE_DIM);
}

/* ---- keys ---- */

static bool go_there(struct screen *s, const struct explanation *e)
{
	const struct row *row = e->list.at < e->rows.at.len ? &e->rows.at.at[e->list.at] : NULL;
	enum link link = row ? row->link : LINK_NONE;
	uint32_t id = row ? row->id : 0;

	if (link == LINK_NONE)
		return true;
	screen_overlay(s, OVERLAY_NONE); /* frees the explanation */
	if (link == LINK_NODE)
		screen_select(s, id);
	else if (link == LINK_VALUE)
		screen_select_value(s, id);
	else
		inspector_weight(s, id);
	return true;
}

static bool why_overlay_key(struct screen *s, void *state, uint32_t key)
{
	static const struct {
		uint32_t key;
		enum motion motion;
	} motions[] = {
		{'k', MOTION_UP},
		{'j', MOTION_DOWN},
		{KEY_CURSOR_UP, MOTION_UP},
		{KEY_CURSOR_DOWN, MOTION_DOWN},
		{KEY_PAGE_UP, MOTION_PAGE_UP},
		{KEY_PAGE_DOWN, MOTION_PAGE_DOWN},
		{' ', MOTION_PAGE_DOWN},
		{4, MOTION_HALF_DOWN}, /* Ctrl-D */
		{21, MOTION_HALF_UP},  /* Ctrl-U */
		{'g', MOTION_FIRST},
		{KEY_TO_START, MOTION_FIRST},
		{'G', MOTION_LAST},
		{KEY_TO_END, MOTION_LAST},
	};
	struct explanation *e = state;

	if (key == KEY_RETURN)
		return go_there(s, e);
	if (key == 'x' || key == 'q') {
		screen_overlay(s, OVERLAY_NONE);
		return true;
	}
	for (size_t i = 0; i < ARRAY_LEN(motions); i++) {
		if (motions[i].key != key)
			continue;
		list_move(&e->list, motions[i].motion, (size_t)MAX(e->height, 1));
		return true;
	}
	return false;
}

const struct overlay_kind why_overlay = {
	.title = "Why",
	.draw = why_overlay_draw,
	.create = why_overlay_create,
	.destroy = why_overlay_destroy,
	.key = why_overlay_key,
};
