/*
 * The goals of a repair, and the old sizes that the graph is still valid for.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/bug.h"
#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "edit/change.h"
#include "edit/document.h"
#include "edit/pattern.h"
#include "edit/repair/internal.h"
#include "edit/repair/old_sizes.h"
#include "flow/cause.h"
#include "flow/old_size.h"
#include "infer/axes.h"
#include "infer/finding.h"
#include "infer/infer.h"
#include "infer/verdict.h"
#include "ir/build.h"
#include "ir/graph.h"
#include "ir/place.h"
#include "ir/type.h"
#include "ops/info.h"
#include "sym/sym.h"
#include "sym/text.h"

/* ---- axes ---- */

static const struct claim *input_claim(const struct model *m, uint32_t value)
{
	uint32_t id = m->values.at[value].first_claim;

	while (id && m->claims.at[id].kind != CLAIM_INPUT)
		id = m->claims.at[id].next;
	return id ? &m->claims.at[id] : NULL;
}

static void default_name(const struct model *m, const struct repair_goal *g, struct str *out)
{
	struct sv input = model_cut_name(m, m->values.at[g->input].name);

	for (size_t i = 0; i < input.len; i++) {
		struct sv c = {input.at + i, 1};

		str_char(out, sym_is_identifier(c) || (i && c.at[0] >= '0' && c.at[0] <= '9')
				      ? c.at[0]
				      : '_');
	}
	str_format(out, "_dim_%" PRIu32, g->axis);
}

/* Splits input:0=name at the last equals sign that follows an axis. */
static bool goals_read_axis(struct document *d, struct sv text, struct place *out, struct sv *name,
			    struct err *err)
{
	const struct model *m = &d->wire.model;

	for (size_t i = text.len; i-- > 1;) {
		if (text.at[i] != '=')
			continue;
		*name = sv_trim(sv_skip(text, i + 1));
		if (place_find(m, sv_trim((struct sv){text.at, i}), out, err) && out->has_axis)
			return true;
	}
	*name = (struct sv){"", 0};
	return place_find(m, text, out, err) &&
	       (out->has_axis ||
		err_set(err, ERR_USAGE, "'%.*s': give an axis, as in %.*s:0",
			(int)MIN(text.len, 200), text.at, (int)MIN(text.len, 200), text.at));
}

static bool goal_add_place(struct repairing *r, struct place place, struct sv name, struct sv text,
			   struct err *err)
{
	const struct model *m = &r->document->wire.model;
	const struct claim *c = input_claim(m, place.value);
	struct repair_goal *g;
	int64_t axis;

	if (!c || m->values.at[place.value].graph != 0 || m->values.at[place.value].tensor)
		return err_set(err, ERR_USAGE, "'%.*s' is not an input of the model",
			       (int)MIN(text.len, 200), text.at);
	axis = place.axis < 0 ? place.axis + c->type.rank : place.axis;
	if (axis < 0 || axis >= (int64_t)c->type.rank)
		return err_set(err, ERR_USAGE, "'%.*s': the input has only %" PRIu32 " %s",
			       (int)MIN(text.len, 200), text.at, c->type.rank,
			       PLURAL(c->type.rank, "axis", "axes"));
	if (name.len && !sym_is_identifier(name))
		return err_set(err, ERR_USAGE, "'%.*s' is not a name (letters, digits, _ and .)",
			       (int)MIN(name.len, 200), name.at);
	g = vec_add(r->report);
	g->input = place.value;
	g->axis = (uint32_t)axis;
	str_format(&g->text, "%.*s:%" PRId64, (int)model_name(m, c->name).len,
		   model_name(m, c->name).at, axis);
	str_text(&g->text, name.len ? "=" : "");
	str_add(&g->text, name);
	return true;
}

static bool goals_add_places(struct repairing *r, const struct places *places, struct sv name,
			     struct sv text, struct err *err)
{
	for (size_t i = 0; i < places->len; i++) {
		if (!goal_add_place(r, places->at[i], name, text, err))
			return false;
	}
	return true;
}

/* PATTERN:AXIS=NAME or PATTERN:AXIS; a name has no equals sign. */
static bool goals_add_pattern(struct repairing *r, struct sv text, struct err *err)
{
	const struct model *m = &r->document->wire.model;
	struct places places = {0};
	struct sv left, name;
	bool ok;

	if (!sv_split_last(text, '=', &left, &name)) {
		left = text;
		name = (struct sv){"", 0};
	}
	ok = pattern_is(sv_trim(left)) && pattern_find(m, sv_trim(left), &places, err) &&
	     goals_add_places(r, &places, sv_trim(name), text, err);
	places_release(&places);
	return ok;
}

bool goal_add(struct repairing *r, struct sv text, struct err *err)
{
	struct place place = {0};
	struct sv name;

	return goals_read_axis(r->document, text, &place, &name, err)
		       ? goal_add_place(r, place, name, text, err)
		       : goals_add_pattern(r, text, err);
}

bool goals_add_batch(struct repairing *r, struct sv name, struct err *err)
{
	struct places places = {0};
	bool ok = pattern_find_batch(&r->document->wire.model, &places, err) &&
		  goals_add_places(r, &places, name, SV("--batch"), err);

	places_release(&places);
	return ok;
}

/* ---- old sizes ---- */

/* What is known of a symbol that one size only may be meant for. */
enum {
	STOPPED = 1,
	PINNED = 2
};

/* Symbols that a finding is about: a pin, a broadcast with a number, an output that lost it. */
static void note_findings(const struct repairing *r, struct map *out)
{
	const struct infer *in = &r->document->infer;

	for (size_t i = 0; i < in->findings.len; i++) {
		const struct finding *f = &in->findings.at[i];
		const struct value *v = &in->model->values.at[f->value];

		for (uint32_t k = 0; f->level == LEVEL_SOFT && k < f->symbol_count; k++)
			*map_at(out, f->symbols[k]) |= STOPPED;
		if (f->level == LEVEL_PIN)
			*map_at(out, f->symbol) |= f->kind == FINDING_PINNED ? PINNED : STOPPED;
		if (f->level != LEVEL_LOSS || f->axis < 0 || !v->first_claim)
			continue;
		for (uint32_t k = 0; k < in->pool.symbols.len; k++) {
			const struct claim *c = &in->model->claims.at[v->first_claim];

			if ((uint32_t)f->axis < c->type.rank &&
			    c->type.dims[f->axis].kind == DIM_PARAM &&
			    sv_eq(sym_name(&in->pool, k),
				  model_name(in->model, c->type.dims[f->axis].param)))
				*map_at(out, k) |= STOPPED;
		}
	}
}

enum {
	MAX_LOOKED = 256 /* axes whose old sizes are looked for: each looks at all needs */
};

static void note_verdicts(const struct repairing *r, struct map *out)
{
	const struct infer *in = &r->document->infer;
	struct axes axes;

	axes_find(&axes, in->model);
	for (size_t i = 0; i < axes.list.len; i++) {
		const struct axis *a = &axes.list.at[i];
		const struct info *info = &in->infos[a->input];
		bool judged = a->verdict != VERDICT_UNKNOWN || a->node;
		uint32_t symbol;

		if ((a->verdict == VERDICT_PINNED || a->verdict == VERDICT_TIED || !judged) &&
		    a->axis < info->rank && sym_symbol_id(&in->pool, info->dims[a->axis], &symbol))
			*map_at(out, symbol) |= a->verdict == VERDICT_PINNED ? PINNED : STOPPED;
	}
	axes_release(&axes);
}

/* Is a goal no symbol, or one of these that the graph is valid for one size of? */
static bool any_stopped(struct repairing *r, const struct map *stopped)
{
	const struct infer *in = &r->document->infer;
	uint32_t looked = 0;

	for (size_t i = 0; i < r->report->len; i++) {
		const struct repair_goal *g = &r->report->at[i];
		const struct info *info = &in->infos[g->input];
		uint32_t symbol;
		int64_t size;

		if (!info->ranked || g->axis >= info->rank ||
		    !sym_symbol_id(&in->pool, info->dims[g->axis], &symbol) ||
		    (map_find(stopped, symbol) &&
		     (looked++ >= MAX_LOOKED || flow_old_size(&r->document->infer, symbol, &size))))
			return true;
	}
	return false;
}

/* An axis that is pinned, to a size that no number of the graph tells, is not free. */
static void goals_refuse_pinned(struct repairing *r, const struct map *stopped)
{
	for (size_t i = 0; i < r->report->len; i++) {
		struct repair_goal *g = &r->report->at[i];
		const uint32_t *known = map_find(stopped, goal_symbol(r, g));

		if (!known || !(*known & PINNED))
			continue;
		str_text(&g->reason,
			 "it is pinned, and no number of the graph tells which size it was "
			 "exported with");
		g->cause = CAUSE_MEANT;
	}
}

/* Findings come first: verdicts on all axes take longer than most repairs. */
bool goals_are_free(struct repairing *r)
{
	struct map stopped = {0};
	bool any;

	note_findings(r, &stopped);
	any = any_stopped(r, &stopped);
	if (!any) {
		note_verdicts(r, &stopped);
		any = any_stopped(r, &stopped);
	}
	if (!any)
		goals_refuse_pinned(r, &stopped);
	map_release(&stopped);
	return !any;
}

void goals_add_stopped(struct repairing *r)
{
	const struct infer *in = &r->document->infer;
	const struct graph *g = &in->model->graphs.at[0];
	struct map stopped = {0};
	uint32_t looked = 0;

	note_findings(r, &stopped);
	note_verdicts(r, &stopped);
	for (size_t i = 0; i < g->inputs.len; i++) {
		const struct info *info = &in->infos[g->inputs.at[i]];

		for (uint32_t k = 0; info->ranked && k < info->rank; k++) {
			struct repair_goal *goal;
			uint32_t symbol;
			int64_t size;

			/* Axes that are tied to each other have no old size: that is no fault. */
			if (!sym_symbol_id(&in->pool, info->dims[k], &symbol) ||
			    !map_find(&stopped, symbol) || looked++ >= MAX_LOOKED ||
			    !flow_old_size(&r->document->infer, symbol, &size))
				continue;
			goal = vec_add(r->report);
			goal->input = g->inputs.at[i];
			goal->axis = k;
			str_add(&goal->text,
				model_name(in->model, in->model->values.at[goal->input].name));
			str_format(&goal->text, ":%" PRIu32, k);
		}
	}
	map_release(&stopped);
}

uint32_t goal_symbol(const struct repairing *r, const struct repair_goal *g)
{
	const struct infer *in = &r->document->infer;
	uint32_t symbol = UINT32_MAX;

	if (in->infos[g->input].ranked)
		(void)sym_symbol_id(&in->pool, in->infos[g->input].dims[g->axis], &symbol);
	return symbol;
}

/* The old size of a symbol that is a goal already; 0 for none. */
static int64_t known_size(const struct repairing *r, uint32_t symbol)
{
	for (uint32_t i = 0; i < r->old.count; i++) {
		if (r->old.symbols[i] == symbol)
			return r->old.sizes[i];
	}
	return 0;
}

/* False when there are too many symbols, or no size. */
static bool add_old(struct repairing *r, uint32_t symbol, int64_t size)
{
	if (known_size(r, symbol))
		return true;
	if (r->old.count == REPAIR_MAX_GOALS || size <= 0)
		return false;
	r->old.symbols[r->old.count] = symbol;
	r->old.sizes[r->old.count++] = size;
	return true;
}

/* Names axes that were numbers; `sizes` gets the numbers, 0 for none. */
static void name_axes(struct repairing *r, int64_t *sizes)
{
	struct model *m = &r->document->wire.model;

	for (size_t i = 0; i < r->report->len; i++) {
		struct repair_goal *g = &r->report->at[i];
		struct dim *dim = &input_claim(m, g->input)->type.dims[g->axis];
		struct sv text = str_sv(&g->text);
		struct str name = {0};

		sizes[i] = dim->kind == DIM_VALUE ? dim->value : 0;
		if (sv_has(text, '='))
			str_add(&name, sv_after_last(text, '='));
		else if (dim->kind == DIM_VALUE)
			default_name(m, g, &name);
		if (g->reason.len == 0 && name.len)
			change_dim(&r->log, dim,
				   (struct dim){.kind = DIM_PARAM,
						.param = model_intern(m, str_sv(&name))});
		str_release(&name);
	}
	document_infer(r->document);
}

bool goals_free(struct repairing *r)
{
	int64_t *sizes = must_alloc(r->report->len * sizeof(*sizes));
	bool all = true;

	name_axes(r, sizes);
	for (size_t i = 0; i < r->report->len; i++) {
		struct repair_goal *g = &r->report->at[i];
		uint32_t symbol = goal_symbol(r, g);
		int64_t size = sizes[i];

		if (g->reason.len || symbol == UINT32_MAX)
			continue;
		/* One name is one size: a layer count on axis 0 is no batch. */
		if (size > 0 && known_size(r, symbol) && known_size(r, symbol) != size) {
			str_format(&g->reason,
				   "it is %" PRId64 ", and another axis of that name is %" PRId64,
				   size, known_size(r, symbol));
			g->cause = CAUSE_NAME;
			all = false;
			continue;
		}
		if ((size > 0 || i >= MAX_LOOKED ||
		     flow_old_size(&r->document->infer, symbol, &size)) &&
		    !add_old(r, symbol, i < MAX_LOOKED ? size : 0)) {
			str_format(&g->reason, "more than %d axes at once; free it afterwards",
				   REPAIR_MAX_GOALS);
			g->cause = CAUSE_LIMIT;
			all = false;
		}
	}
	free(sizes);
	return all;
}

/* How many sizes the inputs have that are symbols. */
static size_t count_symbols(const struct infer *in)
{
	const struct graph *g = &in->model->graphs.at[0];
	struct map seen = {0};
	size_t count;

	for (size_t i = 0; i < g->inputs.len; i++) {
		const struct info *info = &in->infos[g->inputs.at[i]];
		uint32_t symbol;

		for (uint32_t k = 0; info->ranked && k < info->rank; k++) {
			if (sym_symbol_id(&in->pool, info->dims[k], &symbol))
				*map_at(&seen, symbol) = 1;
		}
	}
	count = seen.count;
	map_release(&seen);
	return count;
}

/*
 * Sizes for axes that are free already.  Small ones coincide with few numbers of the graph, meet
 * tables and bounds; multiples of 32 are halved without a rest, and the largest fit any window.
 */
bool goals_carry(struct repairing *r)
{
	static const int64_t primes[] = {11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53};
	static const int64_t scales[REPAIR_ATTEMPTS] = {1, 32, 4096};
	const struct infer *in = &r->document->infer;
	const struct graph *g = &in->model->graphs.at[0];
	uint32_t next = 0;

	r->old.count = r->goals;
	r->stand_ins = 0;
	if (count_symbols(in) > REPAIR_MAX_GOALS)
		return false;
	for (size_t i = 0; i < g->inputs.len; i++) {
		const struct info *info = &in->infos[g->inputs.at[i]];

		for (uint32_t k = 0; info->ranked && k < info->rank; k++) {
			uint32_t symbol;
			int64_t size;

			if (!sym_symbol_id(&in->pool, info->dims[k], &symbol) ||
			    known_size(r, symbol))
				continue;
			if (!flow_old_size(&r->document->infer, symbol, &size)) {
				r->stand_ins |= UINT64_C(1) << r->old.count;
				size = primes[next++ % ARRAY_LEN(primes)] * scales[r->attempt];
			}
			if (!add_old(r, symbol, size))
				return false;
		}
	}
	return true;
}
