#include "ui/search/search.h"

#include <inttypes.h>
#include <string.h>

#include "base/err.h"
#include "base/intern.h"
#include "base/nearest.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "ir/graph.h"
#include "ir/place.h"
#include "layout/scope/scope.h"
#include "ui/graph/graph.h"
#include "ui/screen.h"
#include "ui/search/hit.h"
#include "ui/search/hits.h"
#include "ui/search/query.h"

static bool search_find(struct screen *s, struct sv text, struct hits *out, struct err *err)
{
	struct query q;

	if (!query_init(&q, s, text, err))
		return false;
	hits_find(out, &q);
	query_release(&q);
	return true;
}

bool search_try(struct screen *s, struct sv text, struct err *err)
{
	struct hits found = {0};

	vec_clear(&s->search.hits);
	memset(s->search.counts, 0, sizeof(s->search.counts));
	if (sv_trim(text).len == 0)
		return true;
	if (!search_find(s, text, &found, err))
		return false;
	for (size_t i = 0; i < found.list.len; i++)
		vec_push(&s->search.hits, found.list.at[i]);
	memcpy(s->search.counts, found.counts, sizeof(found.counts));
	s->search.renewed = s->renewed;
	vec_release(&found.list);
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
	s->search.now = (struct hit){0};
	return search_try(s, text, err);
}

/* ---- how many ---- */

/* "12 blocks, 3 nodes" of one rank; how many of its kinds there are. */
static int search_tell_rank(const size_t *counts, enum hit_rank rank, struct str *out)
{
	int kinds = 0;

	for (int i = 0; i < HIT_KIND_COUNT; i++) {
		const struct hit_row *row = hit_row((enum hit_kind)i);

		if (row->rank != rank || !counts[i])
			continue;
		str_text(out, kinds++ ? ", " : "");
		str_count(out, counts[i]);
		str_format(out, " %s", PLURAL(counts[i], row->one, row->many));
	}
	return kinds;
}

/* Kinds that are not walked, and how they would be. */
static void search_tell_others(const size_t *counts, enum hit_rank after, struct str *out)
{
	bool any = false;

	for (int i = 0; i < HIT_KIND_COUNT; i++) {
		const struct hit_row *row = hit_row((enum hit_kind)i);

		if (row->rank <= after || !counts[i])
			continue;
		str_text(out, any ? ", " : "; also ");
		str_count(out, counts[i]);
		str_format(out, " (is:%s)", row->one);
		any = true;
	}
}

static enum hit_rank search_rank(const struct screen *s)
{
	return s->search.hits.len ? hit_row(s->search.hits.at[0].kind)->rank : HIT_RANK_COUNT;
}

void search_tell(const struct screen *s, struct sv text, struct str *out)
{
	enum hit_rank rank = search_rank(s);

	if (s->search.hits.len) {
		(void)search_tell_rank(s->search.counts, rank, out);
		search_tell_others(s->search.counts, rank, out);
		return;
	}
	str_text(out, "no match");
	if (query_has_unmarked_pattern(text))
		str_text(out, "; ~ before a word makes it a regular expression");
}

/* "3 of 12 blocks", or "3 of 15: 12 blocks, 3 nodes". */
static void search_say(struct screen *s, size_t at)
{
	struct str kinds = {0}, name = {0};
	struct hit hit = s->search.hits.at[at];
	int count = search_tell_rank(s->search.counts, search_rank(s), &kinds);
	struct sv told = str_sv(&kinds);

	if (count == 1)
		(void)sv_cut(&told, ' ');
	if (hit_row(hit.kind)->rank != HIT_IS_BOX)
		str_add(&name, model_cut_name(s->subject.model,
					      s->subject.model->values.at[hit.value].name));
	screen_say(s, false, "%zu of %zu%s %.*s%s%s", at + 1, s->search.hits.len,
		   count == 1 ? "" : ":", (int)told.len, told.at, name.len ? ": " : "",
		   name.len ? str_c(&name) : "");
	str_release(&kinds);
	str_release(&name);
}

/* ---- next and previous ---- */

static bool search_is_now(const struct screen *s, struct hit hit)
{
	struct hit now = s->search.now;

	return hit.kind == now.kind && hit.node == now.node && hit.scope == now.scope &&
	       hit.value == now.value;
}

/* The one before or after the last, if that is still selected; else the selection's. */
static size_t search_next(const struct screen *s, const struct hit *hits, size_t count, int step)
{
	uint64_t here = hits_here(s);
	size_t at = 0;

	for (size_t i = 0; s->node == s->search.selected && i < count; i++) {
		if (search_is_now(s, hits[i]))
			return (i + (step > 0 ? 1 : count - 1)) % count;
	}
	while (at < count && (step > 0 ? hits[at].at <= here : hits[at].at < here))
		at++;
	if (step > 0)
		return at % count;
	return at ? at - 1 : count - 1;
}

static void search_visit(struct screen *s, struct hit hit)
{
	uint32_t producer = s->subject.model->values.at[hit.value].producer;

	if (hit.kind == HIT_CONSTANT)
		graph_visit(s, producer, 0);
	else if (hit.node)
		graph_visit(s, hit.node, hit.scope);
	else
		screen_select_value(s, hit.value);
	s->search.now = hit;
	s->search.selected = s->node;
}

bool search_step(struct screen *s, int step)
{
	struct err ignored;
	size_t at;

	/* Esc has put its hits out, or an edit may have removed some. */
	if ((!s->search.hits.len || s->search.renewed != s->renewed) &&
	    !search_try(s, str_sv(&s->search.text), &ignored))
		return false;
	if (!s->search.hits.len)
		return false;
	at = search_next(s, s->search.hits.at, s->search.hits.len, step);
	search_visit(s, s->search.hits.at[at]);
	search_say(s, at);
	return true;
}

/* Steps through the nodes of a filter; the user's search stays. */
static bool step_filter(struct screen *s, struct sv filter, int step, const char *what)
{
	struct hits found = {0};
	struct err ignored;
	size_t at, count;

	if (!search_find(s, filter, &found, &ignored))
		return false;
	count = found.list.len;
	if (count) {
		at = search_next(s, found.list.at, count, step);
		search_visit(s, found.list.at[at]);
		screen_say(s, false, "%s %zu of %zu", what, at + 1, count);
	}
	vec_release(&found.list);
	return count > 0;
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

/* Where a weight is used, that is what was gone to. */
static void search_say_reader(struct screen *s, uint32_t value, uint32_t reader)
{
	const struct model *m = s->subject.model;
	struct str text = {0};
	uint32_t count;

	(void)model_readers(m, value, &count);
	str_add_shown(&text, model_cut_name(m, m->values.at[value].name));
	str_text(&text, " is used by ");
	str_add_shown(&text, model_cut_name(m, m->nodes.at[reader].op));
	str_char(&text, ' ');
	str_add_shown(&text, node_label(m, reader));
	if (count > 1)
		str_format(&text, ", and %" PRIu32 " more", count - 1);
	screen_say(s, false, "%s", str_c(&text));
	str_release(&text);
}

/* A weight is not in the graph, but its first reader is. */
void search_show_value(struct screen *s, uint32_t value)
{
	const struct model *m = s->subject.model;
	const struct value *v = &m->values.at[value];
	uint32_t reader = scope_reader(m, value);
	bool weight = !v->producer || scope_is_constant(m, &m->nodes.at[v->producer]);

	if (weight && !(v->flags & (VALUE_INPUT | VALUE_OUTPUT)) && reader) {
		graph_visit(s, reader, 0);
		search_say_reader(s, value, reader);
	} else if (v->producer && !(v->flags & VALUE_OUTPUT)) {
		graph_visit(s, v->producer, 0);
	} else {
		screen_select_value(s, value);
	}
}

bool search_goto(struct screen *s, struct sv name, struct err *err)
{
	const struct model *m = s->subject.model;
	uint32_t id = intern_find(&m->names, name);
	struct place place;
	struct err none;

	for (uint32_t i = 1; id && i < m->nodes.len; i++) {
		if (m->nodes.at[i].name == id && !m->nodes.at[i].dead) {
			graph_visit(s, i, 0);
			return true;
		}
	}
	if (!place_find(m, name, &place, &none))
		return not_found(m, name, err);
	search_show_value(s, place.value);
	return true;
}
