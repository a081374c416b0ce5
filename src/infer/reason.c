#include "infer/reason.h"

#include <inttypes.h>

#include "base/map.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "infer/finding.h"
#include "infer/why.h"
#include "ir/graph.h"
#include "ops/property.h"
#include "sym/sym.h"
#include "sym/text.h"

enum {
	MAX_STEPS = 8,    /* that one size depends on */
	MAX_SHOWN = 4,    /* of them in one line */
	WIDEST_TEXT = 200 /* bytes of an expression */
};

struct telling {
	struct infer *in;   /* borrowed */
	struct reason *out; /* borrowed */
	size_t *work;       /* borrowed */
	size_t max;         /* of lines at this point */
	struct map seen;
};

/* A size, and its sources once nodes that only pass it on are skipped. */
struct step {
	struct why what;
	struct why next[MAX_STEPS];
	size_t count;
	size_t passed; /* nodes that pass it on; if any, next[0] is its source */
};

/* ---- one line ---- */

static void reason_add_name(struct str *s, const struct model *m, uint32_t name)
{
	str_add_shown(s, model_cut_name(m, name));
}

static void add_index(struct str *s, struct why what)
{
	if (what.element && what.index == WHY_LARGEST)
		str_text(s, "{largest}");
	else
		str_format(s, what.element ? "{%" PRIu32 "}" : "[%" PRIu32 "]", what.index);
}

static void reason_add_expression(struct str *s, const struct infer *in, struct why what)
{
	struct str text = {0};

	sym_print(&in->pool, why_expression(in, what), &text);
	str_add_shown(s, (struct sv){str_c(&text), MIN(text.len, (size_t)WIDEST_TEXT)});
	str_text(s, text.len > WIDEST_TEXT ? "..." : "");
	str_release(&text);
}

static void add_sources(struct str *s, const struct infer *in, const struct step *step)
{
	const struct model *m = in->model;

	for (size_t i = 0; i < MIN(step->count, (size_t)MAX_SHOWN); i++) {
		str_text(s, i ? ", " : " from ");
		add_index(s, step->next[i]);
		str_text(s, " of ");
		reason_add_name(s, m, m->values.at[step->next[i].value].name);
	}
	if (step->count > MAX_SHOWN)
		str_format(s, " and %zu more", step->count - MAX_SHOWN);
	if (step->passed > 1)
		str_format(s, " through %zu nodes", step->passed);
}

static const char *origin_of(const struct infer *in, struct why what)
{
	static const char *const texts[SOURCE_COUNT] = {
		[SOURCE_NONE] = "",
		[SOURCE_INPUT] = ", an input",
		[SOURCE_INITIALIZER] = ", a constant of the file",
		[SOURCE_INFERRED] = "",
		[SOURCE_CLAIM] = ", as the file claims",
	};

	if (value_is_constant(in->model, what.value))
		return texts[SOURCE_INITIALIZER];
	return texts[in->sources[what.value]];
}

static void add_line(struct telling *t, const struct step *step)
{
	const struct model *m = t->in->model;
	const struct value *v = &m->values.at[step->what.value];
	const struct node *n = &m->nodes.at[v->producer];
	struct str *s = &t->out->lines[t->out->count++];

	if (v->producer && !value_is_constant(m, step->what.value)) {
		reason_add_name(s, m, n->name ? n->name : n->op);
		str_text(s, ": ");
	}
	reason_add_name(s, m, v->name);
	add_index(s, step->what);
	str_text(s, " = ");
	reason_add_expression(s, t->in, step->what);
	add_sources(s, t->in, step);
	if (step->count == 0)
		str_text(s, origin_of(t->in, step->what));
}

/* ---- the chain ---- */

static size_t reason_ask(struct telling *t, struct why what, struct why *out)
{
	uint32_t producer = t->in->model->values.at[what.value].producer;
	size_t cost;

	if (!producer || t->in->model->nodes.at[producer].input_count > *t->work)
		return 0;
	cost = why_cost(t->in, producer);
	if (cost > *t->work)
		return 0;
	*t->work -= cost;
	return why_find(t->in, what, out, MAX_STEPS);
}

/* Does it only pass its sources on?  There may be several (an Add). */
static bool hands_on(const struct infer *in, const struct why *from, size_t count,
		     struct sym expression)
{
	for (size_t i = 0; i < count; i++) {
		if (!sym_same(why_expression(in, from[i]), expression))
			return false;
	}
	return count > 0;
}

static void find_step(struct telling *t, struct why what, struct step *out)
{
	struct sym expression = why_expression(t->in, what);
	struct why further[MAX_STEPS] = {0};

	*out = (struct step){.what = what};
	out->count = reason_ask(t, what, out->next);
	if (!hands_on(t->in, out->next, out->count, expression))
		return;
	out->count = 1;
	for (out->passed = 1;; out->passed++) {
		size_t count = reason_ask(t, out->next[0], further);

		if (!hands_on(t->in, further, count, expression))
			return;
		out->next[0] = further[0];
	}
}

/* A source needs a line of its own only when it has sources itself. */
static bool is_end(const struct infer *in, struct why what)
{
	const struct value *v = &in->model->values.at[what.value];
	const struct node *n = &in->model->nodes.at[v->producer];

	return !v->producer || n->input_count == 0;
}

static void reason_tell(struct telling *t, struct why what, bool first)
{
	struct step step;
	uint64_t key = (uint64_t)what.value << 32 | what.index << 1 | what.element;

	if (t->out->count >= t->max || (!first && is_end(t->in, what)) ||
	    (*map_at(&t->seen, key))++)
		return;
	find_step(t, what, &step);
	add_line(t, &step);
	for (size_t i = 0; i < step.count; i++)
		reason_tell(t, step.next[i], false);
}

/* ---- a finding ---- */

static size_t places_of(struct telling *t, const struct finding *f, struct why out[MAX_STEPS])
{
	const struct node *n = &t->in->model->nodes.at[f->node];
	size_t cost;

	if (f->value && f->axis >= 0) {
		out[0] = (struct why){.value = f->value, .index = (uint32_t)f->axis};
		return 1;
	}
	if (!f->fact || n->input_count > *t->work)
		return 0;
	cost = why_cost(t->in, f->node);
	if (cost > *t->work)
		return 0;
	*t->work -= cost;
	return why_fact(t->in, &t->in->facts.at[f->fact - 1], out, MAX_STEPS);
}

void reason_find(struct infer *in, const struct finding *f, size_t *work, struct reason *out)
{
	struct telling t = {.in = in, .out = out, .work = work};
	struct why places[MAX_STEPS];
	size_t count;

	*out = (struct reason){.count = 0};
	count = places_of(&t, f, places);
	for (size_t i = 0; i < count; i++) {
		/* Each gets its share of the lines that are left. */
		t.max = out->count + (REASON_MAX_LINES - out->count) / (count - i);
		if (!sym_is_unknown(why_expression(in, places[i])))
			reason_tell(&t, places[i], true);
	}
	map_release(&t.seen);
}

void reason_release(struct reason *r)
{
	for (size_t i = 0; i < r->count; i++)
		str_release(&r->lines[i]);
	r->count = 0;
}
