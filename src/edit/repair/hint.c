#include "edit/repair/hint.h"

#include <stddef.h>

#include "base/base.h"
#include "base/bug.h"
#include "flow/cause.h"

enum {
	MOST_NAMES = 6,   /* said in a hint */
	MOST_GOALS = 1000 /* looked at for them */
};

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

/* Different names of the axes that the hint is about; at most so many, of the first axes. */
static size_t hint_names(const struct hint *h, struct sv *out, bool *out_more)
{
	size_t count = 0, goals = MIN(h->report->len, MOST_GOALS);

	*out_more = h->report->len > goals;
	for (size_t i = 0; i < goals; i++) {
		const struct repair_goal *g = &h->report->at[i];
		struct sv name = goal_name(g);
		size_t k = 0;

		if (g->freed || !repair_same_hint(g, h->goal))
			continue;
		while (k < count && !sv_eq(out[k], name))
			k++;
		if (k == MOST_NAMES) {
			*out_more = true;
			break;
		}
		if (k == count)
			out[count++] = name;
	}
	return count;
}

static void hint_add_sizes(const struct hint *h)
{
	struct sv names[MOST_NAMES];
	bool more;
	size_t count = hint_names(h, names, &more);

	for (size_t i = 0; i < count; i++) {
		str_text(h->out, i == 0 ? "" : i + 1 == count && !more ? " and " : ", ");
		str_add(h->out, names[i]);
	}
	str_text(h->out, more ? " and others" : "");
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
