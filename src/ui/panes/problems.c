/*
 * The findings by severity, each followed by its consequences.  Below the list, the selected
 * one in full, with its reason and the command that repairs it.
 */
#include "ui/panes/problems.h"

#include <stdlib.h>

#include "base/bug.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "infer/explain.h"
#include "infer/finding.h"
#include "infer/infer.h"
#include "infer/sentence.h"
#include "ir/graph.h"
#include "report/explanation.h"
#include "ui/canvas.h"
#include "ui/paragraph.h"

struct row {
	uint32_t finding;
	uint32_t node, value; /* of the finding, to recognize it after an edit */
	enum level level;
	bool follows; /* from the last row that does not */
};

struct problems {
	VEC(struct row) rows;
	size_t counts[LEVEL_COUNT];
	struct explanation reason; /* of finding `reasoned` - 1 */
	struct str repair;         /* likewise; empty for none */
	size_t reasoned;
	size_t age; /* of the subject that was listed */
};

static void forget_reason(struct problems *p)
{
	explanation_release(&p->reason);
	str_release(&p->repair);
	explanation_init(&p->reason);
	p->reasoned = 0;
}

static void problems_release(struct pane *pane)
{
	struct problems *p = pane->state;

	forget_reason(p);
	vec_release(&p->rows);
}

static const struct finding *finding_at(const struct pane *pane, size_t i)
{
	const struct problems *p = pane->state;
	const struct infer *in = pane->screen->subject.infer;

	return i < p->rows.len ? &in->findings.at[p->rows.at[i].finding] : NULL;
}

/* ---- the list ---- */

/* The consequences of each finding, linked: by finding, the next plus 1. */
struct chains {
	uint32_t *first, *next; /* owned */
};

static void make_chains(struct chains *c, const struct infer *in)
{
	size_t bytes = (in->findings.len + 1) * sizeof(*c->first);

	c->first = calloc(1, bytes);
	c->next = calloc(1, bytes);
	BUG_ON(!c->first || !c->next);
	for (size_t i = in->findings.len; i-- > 0;) {
		uint32_t root = in->findings.at[i].root;

		if (!root || root > in->findings.len || root == i + 1)
			continue;
		c->next[i] = c->first[root - 1];
		c->first[root - 1] = (uint32_t)i + 1;
	}
}

static void problems_add_row(struct problems *p, const struct infer *in, size_t finding,
			     bool follows)
{
	const struct finding *f = &in->findings.at[finding];

	vec_push(&p->rows, ((struct row){(uint32_t)finding, f->node, f->value, f->level, follows}));
}

static void add_rows(struct problems *p, const struct infer *in, const struct chains *c,
		     enum level level)
{
	for (size_t i = 0; i < in->findings.len; i++) {
		const struct finding *f = &in->findings.at[i];

		if (f->level != level)
			continue;
		p->counts[level]++;
		if (f->root && f->root <= in->findings.len && f->root != i + 1)
			continue;
		problems_add_row(p, in, i, false);
		for (uint32_t k = c->first[i]; k; k = c->next[k - 1])
			problems_add_row(p, in, k - 1, true);
	}
}

/* Keeps the same problem selected when an edit adds or removes others. */
static void select_again(struct pane *pane, const struct row *was)
{
	const struct problems *p = pane->state;

	for (size_t i = 0; i < p->rows.len; i++) {
		const struct row *r = &p->rows.at[i];

		if (r->level == was->level && r->node == was->node && r->value == was->value) {
			pane->list.at = i;
			return;
		}
	}
}

static void problems_renew(struct pane *pane)
{
	struct problems *p = pane->state;
	const struct screen *s = pane->screen;
	const struct infer *in = s->subject.infer;
	struct chains chains;
	struct row was = {.level = LEVEL_COUNT};

	if (p->age == s->renewed)
		return;
	p->age = s->renewed;
	if (pane->list.at < p->rows.len)
		was = p->rows.at[pane->list.at];
	forget_reason(p);
	vec_clear(&p->rows);
	make_chains(&chains, in);
	for (enum level level = 0; level < LEVEL_COUNT; level++) {
		p->counts[level] = 0;
		add_rows(p, in, &chains, level);
	}
	free(chains.first);
	free(chains.next);
	pane->list.count = p->rows.len;
	select_again(pane, &was);
	list_fit(&pane->list);
}

/* ---- drawing ---- */

/* Where room is short, only the last part of a path is shown. */
static struct sv problems_last_part(struct sv name)
{
	size_t at = name.len;

	while (at && name.at[at - 1] != '/')
		at--;
	return at < name.len ? sv_skip(name, at) : name;
}

static void problems_add_tensor(const struct screen *s, const struct finding *f, struct str *out)
{
	const struct model *m = s->subject.model;

	str_add(out, model_cut_name(m, m->values.at[f->value].name));
	if (f->axis >= 0)
		str_format(out, ":%d", (int)f->axis);
}

static void row_name(const struct screen *s, const struct finding *f, struct str *out)
{
	const struct model *m = s->subject.model;
	const struct node *n = &m->nodes.at[f->node];

	if (f->node)
		str_add(out, problems_last_part(model_cut_name(m, n->name ? n->name : n->op)));
	else if (f->value)
		problems_add_tensor(s, f, out);
}

/* pin: it runs with this size alone; Reshape /encoder/Reshape, tensor y:0 */
static void place_text(const struct screen *s, const struct finding *f, struct str *out)
{
	const struct model *m = s->subject.model;
	const struct node *n = &m->nodes.at[f->node];

	str_format(out, "%s: %s", level_info(f->level)->name, level_info(f->level)->meaning);
	if (f->node) {
		str_text(out, "; ");
		str_add(out, model_cut_name(m, n->op));
		str_text(out, n->name ? " " : "");
		str_add(out, model_cut_name(m, n->name));
	}
	if (f->value) {
		str_text(out, f->node ? ", tensor " : "; tensor ");
		problems_add_tensor(s, f, out);
	}
}

static void problems_draw_row(struct pane *pane, size_t i, struct box line)
{
	const struct problems *p = pane->state;
	struct screen *s = pane->screen;
	const struct finding *f = finding_at(pane, i);
	int indent = p->rows.at[i].follows ? 2 : 0, room = line.width - indent - 2, used = 0;
	int x = line.x + indent, y = line.y;
	struct str name = {0}, text = {0};

	row_name(s, f, &name);
	str_text(&text, name.len ? ": " : "");
	finding_print(s->subject.infer, f, &text);
	if (room > -2)
		canvas_text(&s->canvas, x, y, 1, sv_of(gravity_mark(level_info(f->level)->gravity)),
			    level_style(f->level));
	/* A long name leaves half of the row to the message. */
	if (room > 0 && name.len)
		used = canvas_text(&s->canvas, x + 2, y,
				   MAX(room / 2, room - (int)utf8_width(str_sv(&text))),
				   str_sv(&name), STYLE_TEXT);
	if (used < room)
		canvas_text(&s->canvas, x + 2 + used, y, room - used, str_sv(&text), STYLE_TEXT);
	str_release(&name);
	str_release(&text);
}

/* Reasons and repairs may take a while, so they are computed once per problem. */
static void look_into(struct screen *s, struct problems *p, const struct finding *f)
{
	size_t place = (size_t)(f - s->subject.infer->findings.at) + 1;

	if (p->reasoned == place)
		return;
	forget_reason(p);
	explain_finding(s->subject.infer, f, &p->reason);
	(void)problems_repair(s, &p->repair);
	p->reasoned = place;
}

static void take_rows(struct box *box, int rows)
{
	box->y += rows;
	box->height -= rows;
}

/* Returns the rows it takes. */
static int draw_step(struct screen *s, struct box box, const struct step *step)
{
	int indent = MIN((int)step->depth * 2, box.width / 2), rows;
	struct str text = {0};

	step_print(&text, s->subject.infer, step);
	box.x += indent;
	box.width -= indent;
	rows = draw_flow(&s->canvas, box, sv_skip(str_sv(&text), (size_t)step->depth * 2),
			 STYLE_DIM);
	str_release(&text);
	return rows;
}

static void problems_draw_details(struct pane *pane, struct box box)
{
	struct screen *s = pane->screen;
	struct problems *p = pane->state;
	const struct finding *f = finding_at(pane, pane->list.at);
	struct str place = {0}, sentence = {0};

	if (!f || box.height < 2 || box.width < 2)
		return;
	look_into(s, p, f);
	place_text(s, f, &place);
	finding_print(s->subject.infer, f, &sentence);
	/* The repair matters most: a row is reserved for it, whatever else is cut. */
	box.height -= p->repair.len != 0;
	take_rows(&box, draw_flow(&s->canvas, box, str_sv(&sentence), level_style(f->level)));
	if (box.height > 0)
		take_rows(&box, draw_flow(&s->canvas, box, str_sv(&place), STYLE_TEXT));
	for (size_t i = 0; i < p->reason.steps.len && box.height > 0; i++)
		take_rows(&box, draw_step(s, box, &p->reason.steps.at[i]));
	if (p->repair.len) {
		canvas_put(&s->canvas, box.x, box.y, 'R', STYLE_BRIGHT);
		canvas_text(&s->canvas, box.x + 2, box.y, box.width - 2, str_sv(&p->repair),
			    STYLE_CHANGED);
	}
	str_release(&sentence);
	str_release(&place);
}

static void problems_draw(struct pane *pane)
{
	enum {
		ROOMY = 8 /* above this many rows, one stays empty */
	};
	struct box list = pane->box, below = pane->box;
	/* From six rows on, the list gets at most half of them. */
	int max = list.height < 6 ? list.height : MAX(list.height / 2, 3);

	list.height = (int)MIN(pane->list.count, (size_t)max);
	pane_draw_list(pane, list);
	below.x += 2;
	below.width -= 2;
	take_rows(&below, list.height);
	if (below.height > ROOMY)
		take_rows(&below, 1);
	problems_draw_details(pane, below);
}

/* (✗ 2  ! 1) */
static void problems_where(struct pane *pane, struct str *out)
{
	const struct problems *p = pane->state;
	const struct list *l = &pane->list;
	size_t told = 0;

	for (enum gravity i = 0; i < GRAVITY_COUNT; i++) {
		size_t count = 0;

		for (enum level level = 0; level < LEVEL_COUNT; level++)
			count += level_info(level)->gravity == i ? p->counts[level] : 0;
		if (count)
			str_format(out, "%s%s %zu", told++ ? "  " : " (", gravity_mark(i), count);
	}
	str_text(out, told ? ")" : "");
	if (l->rows && l->count > l->rows)
		str_format(out, " %zu/%zu", l->at + 1, l->count);
}

/* ---- keys ---- */

static bool problems_open(struct pane *pane)
{
	const struct finding *f = finding_at(pane, pane->list.at);

	if (!f || (!f->node && !f->value))
		return false;
	if (f->node)
		screen_select(pane->screen, f->node);
	else
		screen_select_value(pane->screen, f->value);
	screen_jumped(pane->screen);
	return true;
}

bool problems_repair(const struct screen *s, struct str *out)
{
	const struct problems *p = s->panes[PANE_PROBLEMS].state;
	size_t at = s->panes[PANE_PROBLEMS].list.at;
	struct str line = {0};
	bool ok;

	if (at >= p->rows.len || !s->subject.repair)
		return false;
	ok = s->subject.repair(s->subject.context, p->rows.at[at].finding, &line);
	if (ok)
		str_add(out, str_sv(&line));
	str_release(&line);
	return ok;
}

const struct pane_kind problems_pane = {
	.title = "Problems",
	.hint = "j/k move  Enter go there  R repair  x why  ]p [p next  Tab pane  ? help",
	.empty = "none found",
	.size = sizeof(struct problems),
	.release = problems_release,
	.renew = problems_renew,
	.draw_row = problems_draw_row,
	.draw = problems_draw,
	.open = problems_open,
	.where = problems_where,
};
