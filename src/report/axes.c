#include "report/axes.h"

#include <inttypes.h>

#include "base/str.h"
#include "base/sv.h"
#include "infer/verdict.h"
#include "ir/graph.h"
#include "report/brief.h"
#include "report/record.h"

static bool axis_has_sizes(const struct axis *a)
{
	return a->verdict == VERDICT_PINNED || a->verdict == VERDICT_FIXED;
}

static bool axis_is_range(const struct axis *a)
{
	return axis_has_sizes(a) && a->size != a->size_max;
}

/* One size, or from one to another. */
static void axis_sizes(struct record *r, const struct axis *a)
{
	if (axis_has_sizes(a) && !axis_is_range(a))
		record_number(r, "value", a->size);
	else
		record_null(r, "value");
	if (!axis_is_range(a)) {
		record_null(r, "range");
		return;
	}
	record_list(r, "range");
	record_number(r, "", a->size);
	record_say(r, " \u2026 ");
	record_number(r, "", a->size_max);
	record_end(r);
}

static void axis_verdict(struct record *r, const struct axis *a)
{
	static const char *const words[VERDICT_COUNT] = {
		[VERDICT_FREE] = "free",
		[VERDICT_PINNED] = "pinned to ",
		[VERDICT_FIXED] = "fixed at ",
		[VERDICT_TIED] = "tied",
		[VERDICT_DATA] = "data-dependent: must equal ",
		[VERDICT_UNKNOWN] = "unknown: shapes are unknown",
	};

	static const enum tone tones[VERDICT_COUNT] = {
		[VERDICT_FREE] = TONE_ADDED,   [VERDICT_PINNED] = TONE_ERROR,
		[VERDICT_FIXED] = TONE_STRONG, [VERDICT_TIED] = TONE_NOTE,
		[VERDICT_DATA] = TONE_WARNING, [VERDICT_UNKNOWN] = TONE_WARNING,
	};

	record_hide(r);
	record_text(r, "verdict", sv_of(verdict_name(a->verdict)));
	record_show(r);
	record_tone(r, tones[a->verdict]);
	if (a->verdict == VERDICT_UNKNOWN && !a->node)
		record_say(r, "unknown: too complex to work out");
	else if (a->fails)
		record_say(r, "unknown: contradicted");
	else
		record_say(r, axis_is_range(a) ? "limited to " : words[a->verdict]);
	axis_sizes(r, a);
	if (a->verdict != VERDICT_DATA && a->tied)
		record_say(r, a->verdict == VERDICT_TIED ? " to " : ", tied to ");
	record_tone(r, TONE_PLAIN);
	record_list(r, "equal");
	if (a->tied)
		record_condition(r, "", sv_of(a->tied));
	record_end(r);
	if (a->part_of) {
		record_say(r, ", as part of ");
		record_condition(r, "part_of", sv_of(a->part_of));
	} else {
		record_null(r, "part_of");
	}
}

static void axis_by(struct record *r, const struct model *m, const struct axis *a)
{
	const struct node *n = &m->nodes.at[a->node];

	if (!a->node || (a->verdict == VERDICT_FREE && !a->part_of))
		record_hide(r);
	record_group(r, "by");
	record_tone(r, TONE_FAINT);
	record_say(r, a->verdict == VERDICT_UNKNOWN && !a->fails ? " behind " : " by ");
	record_tone(r, TONE_STRONG);
	record_name(r, "op", LINK_NODE, a->node, model_name(m, m->nodes.at[a->node].op));
	record_tone(r, TONE_FAINT);
	record_say(r, node_called(m, n) ? " " : "");
	record_name(r, "node", LINK_NODE, a->node, model_name(m, n->name));
	if (!n->name)
		record_name(r, NULL, LINK_NODE, a->node, model_name(m, node_called(m, n)));
	if (a->constant)
		record_say(r, " with ");
	record_name(r, "constant", LINK_VALUE, a->constant,
		    model_name(m, m->values.at[a->constant].name));
	record_end(r);
}

/* As record_condition says it. */
static size_t bound_width(const struct record *r, struct sv text)
{
	struct str shown = {0};
	size_t width;

	if (!r->brief)
		return text.len;
	brief_add(&shown, text);
	width = shown.len;
	str_release(&shown);
	return width;
}

/* The first conditions, as many as two lines have room for. */
static uint32_t bounds_that_fit(const struct record *r, const struct axis *a)
{
	enum {
		ROOM = 160,
		SHOWN = 6
	};
	uint32_t count = a->bound_count > SHOWN + 1 ? SHOWN : a->bound_count;
	size_t width = 0;

	for (uint32_t i = 0; i < count; i++) {
		width += bound_width(r, sv_of(a->bounds[i]));
		if (width > ROOM)
			return i;
	}
	return count;
}

static void axis_bounds(struct record *r, const struct axis *a, bool all)
{
	uint32_t shown = all ? a->bound_count : bounds_that_fit(r, a);

	record_list(r, "bounds");
	for (uint32_t i = 0; i < a->bound_count; i++) {
		if (i == shown)
			record_hide(r);
		record_tone(r, TONE_FAINT);
		record_say(r, i ? ", " : "needs ");
		record_tone(r, TONE_PLAIN);
		record_condition(r, "", sv_of(a->bounds[i]));
	}
	record_show(r);
	record_end(r);
	if (shown && shown < a->bound_count)
		record_format(r, " and %" PRIu32 " more (-v)", a->bound_count - shown);
	else if (shown < a->bound_count)
		record_format(r, "needs %" PRIu32 " long %s (-v)", a->bound_count,
			      a->bound_count == 1 ? "condition" : "conditions");
}

void axis_record(struct record *r, const struct model *m, const struct axis *a, bool all)
{
	const struct claim *c = &m->claims.at[m->values.at[a->input].first_claim];

	record_clear(r, NULL);
	record_name(r, "input", LINK_VALUE, a->input, model_name(m, m->values.at[a->input].name));
	record_say(r, ":");
	record_count(r, "axis", a->axis);
	record_column(r);
	record_declared(r, "dim", &c->type.dims[a->axis], &m->names);
	record_column(r);
	axis_verdict(r, a);
	axis_by(r, m, a);
	record_column(r);
	record_tone(r, TONE_FAINT);
	record_amount(r, "dependents", a->dependents);
	record_say(r, a->dependents == 1 ? " axis" : " axes");
	record_column(r);
	axis_bounds(r, a, all);
}
