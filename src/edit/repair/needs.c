/*
 * The conditions on freed sizes: those that the flow ended with, and those of the nodes, by the
 * inference of the result.
 */
#include <inttypes.h>

#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "edit/conditions.h"
#include "edit/repair/internal.h"
#include "flow/visit.h"
#include "infer/finding.h"
#include "infer/infer.h"
#include "infer/limits.h"
#include "infer/sentence.h"
#include "infer/sizes.h"
#include "sym/eval.h"
#include "sym/sym.h"
#include "sym/text.h"

static void need_add(void *context, struct sv text)
{
	struct repair_report *report = context;

	for (size_t i = 0; i < report->bounds.len; i++) {
		if (sv_eq(str_sv(&report->bounds.at[i]), text))
			return;
	}
	str_add(vec_add(&report->bounds), text);
}

/* ---- of the flow ---- */

/* A symbol that stands for a part of the size, as the size. */
static struct sym in_sizes(struct repairing *r, const struct pass *p, struct sym s)
{
	struct sym_pool *pool = &r->bound.pool;
	struct sym_subst subst = {0};

	for (uint32_t i = 0; i < p->factory.symbol_count; i++) {
		struct sym self = pool->symbols.at[p->factory.symbols[i]].self;

		if (p->multiple[i] > 1)
			sym_replace(&subst, p->factory.symbols[i],
				    sym_floor_div(pool, self, sym_int(pool, p->multiple[i])));
	}
	s = sym_substitute(pool, &subst, s);
	sym_subst_release(&subst);
	return s;
}

/* The place of the freed size that this is, or -1. */
static int size_place(const struct pass *p, struct sym s)
{
	for (uint32_t i = 0; i < p->factory.symbol_count; i++) {
		if (sym_same(s, p->in->pool.symbols.at[p->factory.symbols[i]].self))
			return (int)i;
	}
	return -1;
}

/* Sizes that the flow leaves; a name may stand for a part of its size. */
static struct size_set flow_sizes(const struct pass *p, int place)
{
	struct size_set sizes = sizes_all();

	for (size_t i = 0; i < p->bounds.len; i++) {
		const struct flow_bound *b = &p->bounds.at[i];

		if (size_place(p, b->size) != place)
			continue;
		if (b->least)
			sizes.lo = MAX(sizes.lo, b->limit * p->multiple[place]);
		else
			sizes.hi = MIN(sizes.hi, b->limit * p->multiple[place]);
	}
	return sizes;
}

static void tell_bounds(struct repairing *r, const struct pass *p)
{
	struct str text = {0};

	for (uint32_t i = 0; i < p->factory.symbol_count; i++) {
		struct sv name = sym_name(&r->bound.pool, p->factory.symbols[i]);

		if (p->multiple[i] > 1) {
			str_format(&text, "%.*s %% %" PRId64 " = 0", (int)name.len, name.at,
				   p->multiple[i]);
			need_add(r->report, str_sv(&text));
			str_clear(&text);
		}
		if (!sym_is_unknown(p->sums[i])) {
			str_format(&text, "%.*s = ", (int)name.len, name.at);
			sym_print(&r->bound.pool, p->sums[i], &text);
			need_add(r->report, str_sv(&text));
			str_clear(&text);
		}
	}
	for (size_t i = 0; i < p->bounds.len; i++) {
		const struct flow_bound *b = &p->bounds.at[i];
		int place = size_place(p, b->size);
		int64_t factor = place < 0 ? 1 : p->multiple[place];

		sym_print(&r->bound.pool, factor == 1 ? in_sizes(r, p, b->size) : b->size, &text);
		str_format(&text, " %s %" PRId64, b->least ? ">=" : "<=", b->limit * factor);
		need_add(r->report, str_sv(&text));
		str_clear(&text);
	}
	str_release(&text);
}

/* ---- of the nodes ---- */

/* The freed size of this name; -1 when the flow had nothing to follow. */
static int name_place(const struct repairing *r, const struct pass *p, struct sv name)
{
	for (uint32_t i = 0; p && i < p->factory.symbol_count; i++) {
		if (sv_eq(sym_name(&r->bound.pool, p->factory.symbols[i]), name))
			return (int)i;
	}
	return -1;
}

/* What `sizes` says beyond `known`, and beyond being a multiple of this. */
static struct size_set sizes_beyond(const struct size_set *sizes, const struct size_set *known,
				    int64_t multiple)
{
	struct size_set beyond = *sizes;

	if (known->lo >= sizes->lo || !sizes_have_least(sizes))
		beyond.lo = 1;
	if (known->hi <= sizes->hi || sizes->hi >= SIZES_ORDINARY)
		beyond.hi = INT64_MAX;
	if (multiple % MAX(sizes->mod, 1) == 0) {
		beyond.mod = 1;
		beyond.rem = NULL;
	}
	return beyond;
}

static void tell_sizes(struct repairing *r, const struct pass *p, const struct limits *limits,
		       uint32_t symbol)
{
	const struct limit *limit = limit_of(limits, symbol);
	struct sv name = sym_name(&r->document->infer.pool, symbol);
	int place = name_place(r, p, name);
	struct size_set known = place < 0 ? sizes_all() : flow_sizes(p, place);
	struct size_set beyond;

	if (!limit)
		return;
	beyond = sizes_beyond(&limit->sizes, &known, place < 0 ? 1 : p->multiple[place]);
	condition_tell_sizes(&beyond, name, need_add, r->report);
}

/* A size that the flow found to be a sum must equal it: does the finding say that? */
static bool is_known_sum(const struct repairing *r, const struct pass *p, const struct finding *f)
{
	const struct sym_pool *pool = &r->document->infer.pool;
	uint32_t symbol;
	int place = -1;

	if (f->kind != FINDING_EQUAL && f->kind != FINDING_BROADCAST)
		return false;
	if (sym_symbol_id(pool, f->a, &symbol) || sym_symbol_id(pool, f->b, &symbol))
		place = name_place(r, p, sym_name(pool, symbol));
	return place >= 0 && !sym_is_unknown(p->sums[place]);
}

static void tell_several(struct repairing *r, const struct pass *p, const struct limits *limits)
{
	struct infer *in = &r->document->infer;
	const struct finding *f;
	struct str text = {0};

	for (size_t i = 0; (f = condition_next(in, r->old.symbols, r->goals, &i));) {
		if (is_known_sum(r, p, f) ||
		    (f->fact &&
		     limits_imply(limits, in, in->facts.at[f->fact - 1].kind, f->a, f->b)))
			continue;
		finding_print_condition(in, f, &text);
		need_add(r->report, str_sv(&text));
		str_clear(&text);
	}
	str_release(&text);
}

void tell_needs(struct repairing *r, const struct pass *p)
{
	struct infer *in = &r->document->infer;
	struct limits limits = {0};

	if (p)
		tell_bounds(r, p);
	limits_find(&limits, in, true);
	for (uint32_t i = 0; i < r->goals; i++) {
		int place = name_place(r, p, sym_name(&in->pool, r->old.symbols[i]));

		if (place >= 0)
			limits_add_multiple(&limits, in, r->old.symbols[i], p->multiple[place]);
	}
	for (uint32_t i = 0; i < r->goals; i++)
		tell_sizes(r, p, &limits, r->old.symbols[i]);
	tell_several(r, p, &limits);
	limits_release(&limits);
}
