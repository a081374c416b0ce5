/*
 * The findings by severity, each followed by its consequences.  Below the list, the selected
 * one in full, with its reason and the command that repairs it.
 */
#include "ui/panes/problems.h"

#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "infer/explain.h"
#include "infer/finding.h"
#include "infer/infer.h"
#include "report/explanation.h"
#include "report/findings.h"
#include "report/record.h"
#include "ui/canvas.h"
#include "ui/paragraph.h"

struct problems {
	struct finding_list list;
	struct record record;      /* scratch */
	struct explanation reason; /* of finding `reasoned` - 1 */
	struct str repair;         /* likewise; empty for none */
	size_t reasoned;
	size_t age;                  /* of the subject that was listed */
	bool previewed;              /* that was a preview */
	size_t errors;               /* that were listed, before a preview */
	struct finding_place chosen; /* what was selected before it; LEVEL_COUNT for nothing */
	size_t chosen_at;
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
	finding_list_release(&p->list);
	record_release(&p->record);
}

static const struct finding *finding_at(const struct pane *pane, size_t i)
{
	const struct problems *p = pane->state;
	const struct infer *in = pane->screen->subject.infer;

	return i < p->list.at.len ? &in->findings.at[p->list.at.at[i].finding] : NULL;
}

/* ---- the list ---- */

static void remember_chosen(struct pane *pane)
{
	struct problems *p = pane->state;

	p->chosen = (struct finding_place){.level = LEVEL_COUNT};
	if (pane->list.at < p->list.at.len)
		p->chosen = p->list.at.at[pane->list.at];
	p->chosen_at = pane->list.at;
}

/*
 * Keeps the same problem selected when an edit adds or removes others.  A preview may take it
 * away for a while: the place comes back when it ends.
 */
static void select_again(struct pane *pane)
{
	const struct problems *p = pane->state;
	const struct finding_place *was = &p->chosen;

	for (size_t i = 0; i < p->list.at.len; i++) {
		const struct finding_place *f = &p->list.at.at[i];

		if (f->level == was->level && f->node == was->node && f->value == was->value) {
			pane->list.at = i;
			return;
		}
	}
	pane->list.at = p->chosen_at;
}

static void problems_renew(struct pane *pane)
{
	struct problems *p = pane->state;
	const struct screen *s = pane->screen;

	if (p->age == s->renewed)
		return;
	p->age = s->renewed;
	if (!p->previewed)
		remember_chosen(pane);
	p->previewed = s->subject.preview;
	forget_reason(p);
	finding_list_fill(&p->list, s->subject.infer);
	pane->list.count = p->list.at.len;
	select_again(pane);
	/* A new error is what the pane is looked at for: errors come first. */
	if (problems_count(s, GRAVITY_PROBLEM) > p->errors)
		pane->list.at = 0;
	if (!p->previewed)
		p->errors = problems_count(s, GRAVITY_PROBLEM);
	list_fit(&pane->list);
}

/* ---- drawing ---- */

static void problems_draw_row(struct pane *pane, size_t i, struct box line)
{
	struct problems *p = pane->state;
	struct screen *s = pane->screen;
	const struct finding_place *at = &p->list.at.at[i];
	int indent = at->root ? 2 : 0, room = line.width - indent - 2, used = 0;
	int x = line.x + indent, y = line.y;
	struct str mark = {0}, name = {0}, text = {0};

	finding_record(&p->record, s->subject.infer, &s->subject.infer->findings.at[at->finding]);
	record_print_column(&p->record, FINDING_COLUMN_MARK, &mark);
	record_print_column(&p->record, FINDING_COLUMN_BRIEF, &name);
	str_text(&text, name.len ? ": " : "");
	record_print_column(&p->record, FINDING_COLUMN_SENTENCE, &text);
	if (room > -2)
		canvas_text(&s->canvas, x, y, 1, str_sv(&mark), level_style(at->level));
	/* A long name leaves half of the row to the message. */
	if (room > 0 && name.len)
		used = canvas_text(&s->canvas, x + 2, y,
				   MAX(room / 2, room - (int)utf8_width(str_sv(&text))),
				   str_sv(&name), STYLE_TEXT);
	if (used < room)
		canvas_text(&s->canvas, x + 2 + used, y, room - used, str_sv(&text), STYLE_TEXT);
	str_release(&mark);
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

/* What is known of the repair; nothing while nobody asks, which is while the pane has no keys. */
static void problems_proof(const struct pane *pane, struct str *out)
{
	const struct screen *s = pane->screen;
	const struct problems *p = pane->state;
	const struct proof *proof = &s->proof;

	if (!sv_eq(str_sv(&proof->line), str_sv(&p->repair))) {
		str_text(out, s->active == PANE_PROBLEMS ? "trying it\u2026" : "");
		return;
	}
	switch (proof->state) {
	case PROOF_WORKS:
		str_text(out, proof->text.len ? "tried: " : "tried: it works");
		str_add(out, str_sv(&proof->text));
		break;
	case PROOF_REFUSED:
		str_add(out, str_sv(&proof->text));
		break;
	case PROOF_LONG:
		str_text(out, "R tries it, and says how it is proved: that may take a while");
		break;
	}
}

/* Returns the rows it takes. */
static int problems_draw_repair(const struct pane *pane, struct box box)
{
	struct screen *s = pane->screen;
	const struct problems *p = pane->state;
	bool refused = s->proof.state == PROOF_REFUSED &&
		       sv_eq(str_sv(&s->proof.line), str_sv(&p->repair));
	struct str proof = {0};
	int rows = 1;

	canvas_put(&s->canvas, box.x, box.y, 'R', refused ? STYLE_DIM : STYLE_BRIGHT);
	canvas_text(&s->canvas, box.x + 2, box.y, box.width - 2, str_sv(&p->repair),
		    refused ? STYLE_DIM : STYLE_CHANGED);
	problems_proof(pane, &proof);
	if (box.height > 1 && box.width > 2)
		rows += draw_flow(&s->canvas,
				  (struct box){box.x + 2, box.y + 1, box.width - 2, box.height - 1},
				  str_sv(&proof), refused ? STYLE_WARNING : STYLE_INFO);
	str_release(&proof);
	return rows;
}

/* The rows to keep for the repair: it matters most, whatever else is cut. */
static int problems_repair_rows(const struct pane *pane, struct box box)
{
	struct screen *s = pane->screen;
	const struct problems *p = pane->state;
	struct canvas real = s->canvas;
	int rows;

	if (!p->repair.len)
		return 0;
	s->canvas = (struct canvas){.ascii = real.ascii};
	rows = problems_draw_repair(pane, (struct box){0, 0, box.width, CANVAS_TALLEST});
	s->canvas = real;
	return MIN(rows, MAX(box.height / 2, 1));
}

/* Returns the rows it takes. */
static int problems_draw_details(struct pane *pane, struct box box)
{
	struct screen *s = pane->screen;
	struct problems *p = pane->state;
	const struct finding *f = finding_at(pane, pane->list.at);
	struct str place = {0}, sentence = {0};
	int top = box.y, kept;

	if (!f || box.height < 2 || box.width < 2)
		return 0;
	look_into(s, p, f);
	finding_record(&p->record, s->subject.infer, f);
	record_print_column(&p->record, FINDING_COLUMN_MEANING, &place);
	record_print_column(&p->record, FINDING_COLUMN_SENTENCE, &sentence);
	kept = problems_repair_rows(pane, box);
	box.height -= kept;
	take_rows(&box, draw_flow(&s->canvas, box, str_sv(&sentence), level_style(f->level)));
	if (box.height > 0)
		take_rows(&box, draw_flow(&s->canvas, box, str_sv(&place), STYLE_TEXT));
	for (size_t i = 0; i < p->reason.steps.len && box.height > 0; i++)
		take_rows(&box, draw_step(s, box, &p->reason.steps.at[i]));
	box.height += kept;
	if (kept)
		box.y += problems_draw_repair(pane, box);
	str_release(&sentence);
	str_release(&place);
	return box.y - top;
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
	(void)problems_draw_details(pane, below);
}

/*
 * The list, an empty row, and the selected problem in full, drawn onto nothing.  What is only
 * worth knowing is told in full while the pane has the keys.
 */
static int problems_wants(struct pane *pane, int width)
{
	struct screen *s = pane->screen;
	struct canvas real = s->canvas;
	const struct finding *f = finding_at(pane, pane->list.at);
	int rows = (int)MIN(pane->list.count, (size_t)CANVAS_TALLEST);

	if (!f || (s->active != PANE_PROBLEMS && level_info(f->level)->gravity == GRAVITY_NOTE))
		return rows;
	s->canvas = (struct canvas){.ascii = real.ascii};
	rows += 1 + problems_draw_details(pane, (struct box){0, 0, width - 2, CANVAS_TALLEST});
	s->canvas = real;
	return rows;
}

size_t problems_count(const struct screen *s, enum gravity gravity)
{
	const struct problems *p = s->panes[PANE_PROBLEMS].state;
	size_t count = 0;

	for (enum level level = 0; level < LEVEL_COUNT; level++)
		count += level_info(level)->gravity == gravity ? p->list.counts[level] : 0;
	return count;
}

/* (✗ 2  ! 1) */
static void problems_where(struct pane *pane, struct str *out)
{
	const struct list *l = &pane->list;
	size_t told = 0;

	for (enum gravity i = 0; i < GRAVITY_COUNT; i++) {
		size_t count = problems_count(pane->screen, i);

		if (count)
			str_format(out, "%s%s %zu", told++ ? "  " : " (", gravity_mark(i), count);
	}
	str_text(out, told ? ")" : ": none");
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

	if (at >= p->list.at.len || !s->subject.repair)
		return false;
	ok = s->subject.repair(s->subject.context, p->list.at.at[at].finding, &line);
	if (ok)
		str_add(out, str_sv(&line));
	str_release(&line);
	return ok;
}

const struct pane_kind problems_pane = {
	.title = "Problems",
	.hint = "R repair  Enter go there  x why  V verify  ]p [p next  j/k move  Tab pane",
	.empty = "none found",
	.size = sizeof(struct problems),
	.release = problems_release,
	.renew = problems_renew,
	.draw_row = problems_draw_row,
	.wants = problems_wants,
	.draw = problems_draw,
	.open = problems_open,
	.where = problems_where,
};
