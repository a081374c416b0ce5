#include "ui/search/search.h"

#include "base/err.h"
#include "base/intern.h"
#include "base/nearest.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "ir/graph.h"
#include "ir/place.h"
#include "layout/scope/scope.h"
#include "ui/search/query.h"

bool search_try(struct screen *s, struct sv text, struct err *err)
{
	const struct model *m = s->subject.model;
	struct query q;

	vec_clear(&s->search.nodes);
	if (sv_trim(text).len == 0)
		return true;
	if (!query_init(&q, s, text, err))
		return false;
	for (uint32_t i = 1; i < m->nodes.len; i++) {
		if (!m->nodes.at[i].dead && query_fits(&q, i))
			vec_push(&s->search.nodes, i);
	}
	query_release(&q);
	return true;
}

bool search_run(struct screen *s, struct sv text, struct err *err)
{
	struct query q;

	/* What is no search leaves the last one. */
	if (!query_init(&q, s, text, err))
		return false;
	query_release(&q);
	str_clear(&s->search.text);
	str_add(&s->search.text, text);
	return search_try(s, text, err);
}

void search_tell(const struct screen *s, struct sv text, struct str *out)
{
	size_t count = s->search.nodes.len;

	str_format(out, "%zu %s", count, PLURAL(count, "match", "matches"));
	if (count == 0 && query_looks_like_pattern(text))
		str_text(out, "; ~ before a word makes it a regular expression");
}

/* ---- next and previous ---- */

/* The node of the selection; a value is before or after all nodes. */
static uint32_t search_here(const struct screen *s)
{
	bool at_end = s->value && s->subject.model->values.at[s->value].flags & VALUE_OUTPUT;

	if (s->node)
		return s->node;
	return at_end ? UINT32_MAX : 0;
}

/* Goes to the next of the ascending nodes in this direction, and wraps around. */
static bool step_to(struct screen *s, const uint32_t *nodes, size_t count, int step,
		    const char *what)
{
	uint32_t from = search_here(s);
	size_t at = 0;

	if (count == 0)
		return false;
	while (at < count && (step > 0 ? nodes[at] <= from : nodes[at] < from))
		at++;
	if (step > 0)
		at %= count;
	else
		at = at ? at - 1 : count - 1;
	screen_select(s, nodes[at]);
	screen_say(s, false, "%s %zu of %zu", what, at + 1, count);
	return true;
}

bool search_step(struct screen *s, int step)
{
	const struct model *m = s->subject.model;
	size_t kept = 0;
	struct err ignored;

	/* Esc has put its matches out. */
	if (!s->search.nodes.len && !search_try(s, str_sv(&s->search.text), &ignored))
		return false;
	/* An edit may have removed some. */
	for (size_t i = 0; i < s->search.nodes.len; i++) {
		uint32_t node = s->search.nodes.at[i];

		if (node < m->nodes.len && !m->nodes.at[node].dead)
			s->search.nodes.at[kept++] = node;
	}
	s->search.nodes.len = kept;
	return step_to(s, s->search.nodes.at, kept, step, "match");
}

/* Steps through matches of a filter; the user's search stays. */
static bool step_filter(struct screen *s, struct sv filter, int step, const char *what)
{
	const struct model *m = s->subject.model;
	VEC(uint32_t) nodes = {0};
	struct query q;
	struct err err;
	bool ok;

	if (!query_init(&q, s, filter, &err))
		return false;
	for (uint32_t i = 1; i < m->nodes.len; i++) {
		if (!m->nodes.at[i].dead && query_fits(&q, i))
			vec_push(&nodes, i);
	}
	query_release(&q);
	ok = step_to(s, nodes.at, nodes.len, step, what);
	vec_release(&nodes);
	return ok;
}

bool search_changed(struct screen *s, int step)
{
	return step_filter(s, SV("is:changed"), step, "change");
}

bool search_problem(struct screen *s, int step)
{
	return step_filter(s, SV("is:problem"), step, "problem");
}

/* ---- by name ---- */

static bool not_found(const struct model *m, struct sv name, struct err *err)
{
	struct nearest near;
	uint32_t found = 0;

	nearest_begin(&near, name);
	for (uint32_t i = 1; i < m->nodes.len; i++)
		nearest_offer(&near, model_name(m, m->nodes.at[i].name), m->nodes.at[i].name);
	near.work = 0;
	for (uint32_t i = 1; i < m->values.len; i++)
		nearest_offer(&near, model_name(m, m->values.at[i].name), m->values.at[i].name);
	found = near.found ? (uint32_t)near.which : 0;
	err_set(err, ERR_USAGE, "no such node or tensor '%.*s'", (int)MIN(name.len, 100), name.at);
	return nearest_suggest(err, found ? model_name(m, found) : SV(""));
}

/* A weight is not in the graph, but its first reader is. */
void search_show_value(struct screen *s, uint32_t value)
{
	const struct model *m = s->subject.model;
	const struct value *v = &m->values.at[value];
	uint32_t reader = scope_reader(m, value);
	bool weight = !v->producer || scope_is_constant(m, &m->nodes.at[v->producer]);

	if (weight && !(v->flags & (VALUE_INPUT | VALUE_OUTPUT)) && reader)
		screen_select(s, reader);
	else
		screen_select_value(s, value);
}

bool search_goto(struct screen *s, struct sv name, struct err *err)
{
	const struct model *m = s->subject.model;
	uint32_t id = intern_find(&m->names, name);
	struct place place;
	struct err none;

	for (uint32_t i = 1; id && i < m->nodes.len; i++) {
		if (m->nodes.at[i].name == id && !m->nodes.at[i].dead) {
			screen_select(s, i);
			return true;
		}
	}
	if (!place_find(m, name, &place, &none))
		return not_found(m, name, err);
	search_show_value(s, place.value);
	return true;
}
