/*
 * Explains the dims of the selection, and the findings there, step by step.
 */
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/str.h"
#include "base/sv.h"
#include "infer/explain.h"
#include "infer/finding.h"
#include "infer/infer.h"
#include "infer/nicknames.h"
#include "ir/graph.h"
#include "report/explanation.h"
#include "report/record.h"
#include "sym/sym.h"
#include "ui/canvas.h"
#include "ui/dims.h"
#include "ui/panes/inspector.h"
#include "ui/rows.h"
#include "ui/screen.h"

enum {
	MAX_OUTPUTS = 20,
	STEP_ROWS = 4, /* of one step */
	MAX_FINDINGS = 6
};

struct why_overlay_state {
	bool placed; /* the cursor is where it was put first, or the user moved it */
};

/* ---- rows ---- */

static void why_overlay_put_step(struct rows *r, const struct infer *in, const struct step *step,
				 unsigned indent)
{
	const struct value *v = &in->model->values.at[step->what.value];
	struct record record = {0};

	if (v->producer)
		(void)rows_link(r, LINK_NODE, v->producer);
	else
		(void)rows_link(r, v->tensor ? LINK_TENSOR : LINK_VALUE,
				v->tensor ? v->tensor : step->what.value);
	rows_format(r, STYLE_DIM, "%*s", (int)MIN(step->depth * 2 + indent, (unsigned)r->width / 2),
		    "");
	step_record(&record, in, step);
	rows_sentence(r, &record, 0, STEP_ROWS);
	record_release(&record);
}

static void why_overlay_put_steps(struct rows *r, const struct infer *in,
				  const struct explanation *e, size_t from, unsigned indent)
{
	for (size_t i = from; i < e->steps.len; i++)
		why_overlay_put_step(r, in, &e->steps.at[i], indent);
}

/* Is it the dim that was pointed at? */
static bool why_overlay_begins_at(const struct pane *p, const struct step *step)
{
	const struct why_overlay_state *w = p->state;
	struct dim_at at;

	return !w->placed && !step->depth && !step->what.element && screen_dim(p->screen, &at) &&
	       step->what.value == at.value && step->what.index == at.axis;
}

/* The same; the cursor starts at the dim that was pointed at, with the reasons below it. */
static void why_overlay_put_value(struct pane *p, struct rows *r, const struct explanation *e,
				  size_t from)
{
	struct why_overlay_state *w = p->state;

	for (size_t i = from; i < e->steps.len; i++) {
		if (why_overlay_begins_at(p, &e->steps.at[i])) {
			p->list.at = p->list.top = r->at.len;
			w->placed = true;
		}
		why_overlay_put_step(r, p->screen->subject.infer, &e->steps.at[i], 0);
	}
}

static void tell_dims(struct pane *p, struct rows *r, uint32_t value, struct explanation *e)
{
	struct infer *in = p->screen->subject.infer;
	const char *remark = explanation_remark(in, value);
	size_t from = e->steps.len;

	if (remark[0]) {
		(void)rows_add(r);
		rows_put(r, STYLE_TEXT, model_name(in->model, in->model->values.at[value].name));
		rows_put(r, in->infos[value].ranked ? STYLE_DIM : STYLE_UNKNOWN, sv_of(remark));
	}
	explain_value(in, value, e);
	why_overlay_put_value(p, r, e, from);
}

static void tell_finding(struct rows *r, struct infer *in, const struct finding *f, size_t *work)
{
	struct explanation e = {.max = EXPLAIN_MAX_STEPS, .work = *work};

	rows_gap(r);
	rows_finding(r, in, f, 6);
	explain_finding(in, f, &e);
	why_overlay_put_steps(r, in, &e, 0, 2);
	*work = e.work;
	explanation_release(&e);
}

static void tell_findings_here(struct screen *s, struct rows *r, size_t *work)
{
	struct infer *in = s->subject.infer;
	unsigned told = 0;

	for (size_t i = 0; i < in->findings.len && told < MAX_FINDINGS; i++) {
		/* A copy: findings may be reallocated. */
		struct finding f = in->findings.at[i];

		if (s->node ? f.node != s->node : f.value != s->value)
			continue;
		tell_finding(r, in, &f, work);
		told++;
	}
}

/* A weight that is shown is what is selected. */
static void why_overlay_weight(struct pane *p, struct rows *r, struct explanation *e)
{
	uint32_t value = inspector_tensor_value(p->screen);

	if (value) {
		tell_dims(p, r, value, e);
		return;
	}
	(void)rows_add(r);
	rows_put(r, STYLE_TEXT, SV("a constant of the file: its sizes are stored with its values"));
}

/* ---- short names ---- */

static void why_overlay_mark(const struct screen *s, const struct explanation *e, bool *used)
{
	struct record record = {0};

	for (size_t i = 0; i < e->steps.len; i++) {
		step_record(&record, s->subject.infer, &e->steps.at[i]);
		for (size_t c = 0; c < record.cells.len; c++) {
			if (record.cells.at[c].kind == CELL_DIM)
				nicknames_mark(&s->names, &s->subject.infer->pool,
					       record.cells.at[c].dim, 0, used);
		}
	}
	record_release(&record);
}

static void why_overlay_put_meaning(void *context, struct sv text, const uint32_t *symbol)
{
	(void)symbol;
	str_add(context, text);
}

/* What the names on this page stand for, those in other names too. */
static void why_overlay_legend(struct screen *s, struct rows *r, const struct explanation *e)
{
	const struct nicknames *n = &s->names;
	const struct sym_pool *pool = &s->subject.infer->pool;
	struct str text = {0};
	bool *used, told = false;

	if (n->off || !n->at.len)
		return;
	used = must_alloc(n->at.len * sizeof(*used));
	memset(used, 0, n->at.len * sizeof(*used));
	why_overlay_mark(s, e, used);
	/* Names contain smaller ones, so that as many rounds as there are names are enough. */
	for (size_t round = 0; round < n->at.len; round++) {
		for (size_t i = 0; i < n->at.len; i++) {
			if (used[i])
				nicknames_mark(n, pool, n->at.at[i].of, (uint32_t)i + 1, used);
		}
	}
	for (size_t i = 0; i < n->at.len; i++) {
		if (!used[i])
			continue;
		if (!told)
			rows_gap(r);
		told = true;
		(void)rows_add(r);
		rows_put(r, STYLE_NUMBER, nickname_text(n, &n->at.at[i]));
		rows_put(r, STYLE_DIM, SV(" = "));
		nicknames_walk(n, pool, n->at.at[i].of, (uint32_t)i + 1, why_overlay_put_meaning,
			       &text);
		rows_wrap(r, STYLE_DIM, str_sv(&text), STEP_ROWS);
		str_clear(&text);
	}
	free(used);
	str_release(&text);
}

static void why_overlay_fill(struct pane *p, struct rows *r)
{
	struct screen *s = p->screen;
	const struct node *n = &s->subject.model->nodes.at[s->node];
	struct explanation e;
	struct dim_at at;

	explanation_init(&e);
	if (screen_weight(s)) {
		why_overlay_weight(p, r, &e);
		explanation_release(&e);
		return;
	}
	if (s->active == PANE_INSPECTOR && screen_dim(s, &at))
		tell_dims(p, r, at.value, &e);
	else if (s->node)
		for (uint32_t i = 0; i < MIN(n->output_count, (uint32_t)MAX_OUTPUTS); i++)
			tell_dims(p, r, n->outputs[i], &e);
	else if (s->value)
		tell_dims(p, r, s->value, &e);
	tell_findings_here(s, r, &e.work);
	why_overlay_legend(s, r, &e);
	if (e.cut) {
		(void)rows_add(r);
		rows_put(r, STYLE_DIM, SV("\u2026 (truncated)"));
	}
	rows_trim(r);
	explanation_release(&e);
}

/* A blank row and the legend below the list. */
static int why_overlay_wants(struct pane *p, int width)
{
	return pane_list_rows(p, width) + 2;
}

static void why_overlay_draw(struct pane *p)
{
	struct box box = p->box, list = p->box;

	list.height = MAX(box.height - 1, 1);
	pane_draw_list(p, list);
	pane_draw_more(p);
	if (box.height > 1)
		canvas_text(&p->screen->canvas, box.x, box.y + box.height - 1, box.width,
			    SV("x[0] is the size of an axis, x{0} an element of the tensor"),
			    STYLE_DIM);
}

/* ---- keys ---- */

static bool why_overlay_open(struct pane *p)
{
	struct screen *s = p->screen;
	const struct row *row = rows_selected(p);
	enum link link = row ? row->link : LINK_NONE;
	uint32_t id = row ? row->id : 0;

	if (link == LINK_NONE)
		return false;
	screen_overlay(s, OVERLAY_NONE); /* frees the rows */
	return link_follow(s, link, id);
}

static bool why_overlay_key(struct pane *p, uint32_t key)
{
	if (key == 'x')
		screen_overlay(p->screen, OVERLAY_NONE);
	return key == 'x';
}

const struct pane_kind why_overlay = {
	.title = "Why",
	.size = sizeof(struct why_overlay_state),
	.fill = why_overlay_fill,
	.wants = why_overlay_wants,
	.draw = why_overlay_draw,
	.open = why_overlay_open,
	.key = why_overlay_key,
};
