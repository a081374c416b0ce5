#include "edit/repair/hint.h"

#include <stddef.h>

#include "base/base.h"
#include "base/bug.h"
#include "flow/cause.h"

/* A hint being written. */
struct hint {
	const struct repair_report *report; /* borrowed */
	const struct repair_goal *goal;     /* borrowed */
	struct sv model;
	struct str *out; /* borrowed */
};

typedef void hint_word(const struct hint *h);

/* The name of an axis, or the axis where it has none. */
static struct sv goal_name(const struct repair_goal *g)
{
	struct sv text = str_sv(&g->text);

	return sv_has(text, '=') ? sv_after_last(text, '=') : text;
}

/* Is it one of the axes that the hint is about, and its name not said yet? */
static bool hint_names(const struct hint *h, size_t index)
{
	const struct repair_goal *g = &h->report->at[index];

	if (g->freed || !repair_same_hint(g, h->goal))
		return false;
	for (size_t i = 0; i < index; i++) {
		const struct repair_goal *other = &h->report->at[i];

		if (!other->freed && repair_same_hint(other, h->goal) &&
		    sv_eq(goal_name(other), goal_name(g)))
			return false;
	}
	return true;
}

static void hint_add_sizes(const struct hint *h)
{
	size_t count = 0, said = 0;

	for (size_t i = 0; i < h->report->len; i++)
		count += hint_names(h, i);
	for (size_t i = 0; i < h->report->len; i++) {
		if (!hint_names(h, i))
			continue;
		said++;
		str_text(h->out, said == 1 ? "" : said == count ? " and " : ", ");
		str_add(h->out, goal_name(&h->report->at[i]));
	}
}

static void hint_add_check(const struct hint *h)
{
	str_text(h->out, "axed check ");
	str_add(h->out, h->model);
}

static void hint_add_fit(const struct hint *h)
{
	str_text(h->out, "axed fit ");
	str_add(h->out, h->model);
	str_text(h->out, " SECOND.onnx -o OUT.onnx");
}

static const struct {
	const char *name;
	hint_word *add;
} hint_words[] = {
	{"sizes", hint_add_sizes},
	{"check", hint_add_check},
	{"fit", hint_add_fit},
};

static void hint_fill(const struct hint *h, struct sv name)
{
	for (size_t i = 0; i < ARRAY_LEN(hint_words); i++) {
		if (sv_is(name, hint_words[i].name)) {
			hint_words[i].add(h);
			return;
		}
	}
	BUG_ON(true);
}

void repair_hint(const struct repair_report *report, const struct repair_goal *g, struct sv model,
		 struct str *out)
{
	struct hint h = {report, g, model, out};
	struct sv hint = sv_of(flow_cause_hint(g->cause));

	while (hint.len) {
		str_add(out, sv_cut(&hint, '{'));
		if (hint.len)
			hint_fill(&h, sv_cut(&hint, '}'));
	}
}

bool repair_same_hint(const struct repair_goal *a, const struct repair_goal *b)
{
	return a->cause == b->cause;
}
