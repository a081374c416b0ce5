#include "flow/follow.h"

#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "flow/array.h"
#include "flow/axis.h"
#include "flow/cause.h"
#include "flow/fold.h"
#include "flow/plan.h"
#include "flow/rules.h"
#include "flow/sums.h"
#include "flow/visit.h"
#include "ir/graph.h"
#include "ops/info.h"
#include "ops/property.h"
#include "sym/sym.h"

enum {
	MAX_STEPS = 1000 /* back to what is not computed */
};

/* ---- digits ---- */

static bool add_digit(struct digits *d, struct factor f, uint32_t axis)
{
	if (d->count == RULE_MAX_RANK)
		return flow_refuse(d->visit, CAUSE_LIMIT, "too many factors");
	d->at[d->count++] = (struct digit){
		.factor = f, .axis = axis, .size = f.old, .follows = factor_is_origin(&f)};
	return true;
}

static bool cut_digits(struct digits *d)
{
	struct factory *f = &d->visit->pass->factory;

	for (uint32_t k = 0; k < d->array.rank; k++) {
		struct flow_axis a = d->spec[k].axis;
		int64_t size = d->array.dims[k];

		if (!d->spec[k].set || a.count == 0) {
			if (!add_digit(d, factor_number(f, size), k))
				return false;
			continue;
		}
		if (size < 1)
			return flow_refuse(d->visit, CAUSE_ONE, "a size is 0");
		if (axis_old(a) != size)
			return flow_refuse(d->visit, CAUSE_UNEQUAL,
					   "axis %" PRIu32 " of input %" PRIu32 " is %" PRId64
					   " where %s is needed",
					   k, d->port, size,
					   flow_text(d->visit->pass, axis_size(f, a)));
		for (uint32_t i = 0; i < a.count; i++) {
			if (!add_digit(d, a.at[i], k))
				return false;
		}
	}
	return true;
}

static void set_strides(struct digits *d)
{
	int64_t stride = 1;

	for (uint32_t i = d->count; i-- > 0;) {
		d->at[i].stride = stride;
		stride *= d->at[i].size;
	}
}

/* Are all elements equal along the digit? */
static bool is_equal_along(const struct digits *d, uint32_t digit)
{
	const struct digit *g = &d->at[digit];

	for (uint64_t i = 0; i < d->array.count; i++) {
		uint64_t position = i / (uint64_t)g->stride % (uint64_t)g->size;

		if (!array_same(&d->array, i, i - position * (uint64_t)g->stride))
			return false;
	}
	return true;
}

/* Keeps the first position of the digit only. */
static void drop_digit(struct digits *d, uint32_t digit)
{
	struct digit *g = &d->at[digit];
	size_t width = array_width(d->array.elem);
	uint64_t block = (uint64_t)g->stride, kept = 0;
	unsigned char *bytes;

	if (g->size == 1)
		return;
	bytes = arena_alloc(&d->visit->pass->arena, d->array.count / (uint64_t)g->size * width);
	for (uint64_t i = 0; i < d->array.count; i += block * (uint64_t)g->size) {
		memcpy(bytes + kept * width, d->array.bytes + i * width, block * width);
		kept += block;
	}
	d->array.bytes = bytes;
	d->array.count = kept;
	g->size = 1;
	set_strides(d);
}

static void drop_equal(struct digits *d)
{
	set_strides(d);
	for (uint32_t i = 0; i < d->count; i++) {
		if (!d->at[i].follows)
			continue;
		if (d->at[i].size == 1 || is_equal_along(d, i)) {
			drop_digit(d, i);
		} else {
			d->at[i].varies = true;
			d->varying[d->varying_count++] = i;
		}
	}
}

/* ---- results ---- */

static struct sym *merged_sizes(struct digits *d, bool dropped)
{
	struct pass *p = d->visit->pass;
	struct sym *out = arena_array(&p->arena, d->rank, struct sym);

	for (uint32_t k = 0; k < d->rank; k++)
		out[k] = sym_int(&p->in->pool, 1);
	for (uint32_t i = 0; i < d->count; i++) {
		struct digit *g = &d->at[i];
		struct sym size = dropped && g->follows ? sym_int(&p->in->pool, g->size)
							: g->factor.size;

		out[g->axis] = sym_mul(&p->in->pool, out[g->axis], size);
	}
	return out;
}

static bool replace_by(struct digits *d, plan_ref ref, const struct sym *dims)
{
	if (!ref)
		return flow_refuse(d->visit, CAUSE_FOLDED,
				   "input %" PRIu32 " cannot be computed for other sizes", d->port);
	visit_replace(d->visit, d->port, ref, dims, d->rank, (struct contents){0});
	return true;
}

/* Is each axis that follows one factor, or nothing is left of it? */
static bool can_stay_dropped(const struct digits *d)
{
	for (uint32_t i = 0; i < d->count; i++) {
		const struct digit *g = &d->at[i];

		if (d->spec[g->axis].set && d->spec[g->axis].axis.count > 1 && g->size != 1)
			return false;
	}
	return true;
}

/* What has one element per digit, or one for all, gets its full shape. */
static bool expand_digits(struct digits *d, plan_ref ref)
{
	struct pass *p = d->visit->pass;
	struct sym sizes[RULE_MAX_RANK];
	struct sym *merged = merged_sizes(d, false);

	for (uint32_t i = 0; i < d->count; i++)
		sizes[i] = d->at[i].factor.size;
	ref = PLAN_OP(&p->plan, "Expand", ref, plan_sizes(&p->plan, sizes, d->count));
	if (d->count != d->rank)
		ref = PLAN_OP(&p->plan, "Reshape", ref, plan_sizes(&p->plan, merged, d->rank));
	return replace_by(d, ref, merged);
}

plan_ref follow_constant(struct digits *d)
{
	struct pass *p = d->visit->pass;
	int64_t *dims = arena_array(&p->arena, d->count, int64_t);
	struct array a = d->array;

	for (uint32_t i = 0; i < d->count; i++)
		dims[i] = d->at[i].size;
	a.rank = d->count;
	a.dims = dims;
	return plan_array(&p->plan, a);
}

/* The first slice of a computed constant, by a node: its elements stay what the model computes. */
static plan_ref sliced_value(struct digits *d)
{
	struct plan *p = &d->visit->pass->plan;
	int64_t starts[RULE_MAX_RANK], ends[RULE_MAX_RANK], axes[RULE_MAX_RANK];
	uint32_t count = 0;

	for (uint32_t i = 0; i < d->count; i++) {
		if (!d->at[i].follows)
			continue;
		starts[count] = 0;
		ends[count] = 1;
		axes[count++] = d->at[i].axis;
	}
	return PLAN_OP(p, "Slice", d->visit->node->inputs[d->port], plan_ints(p, starts, count),
		       plan_ints(p, ends, count), plan_ints(p, axes, count));
}

static bool is_computed(const struct digits *d)
{
	return !value_is_constant(d->visit->pass->in->model, d->visit->node->inputs[d->port]);
}

static uint64_t digits_symbols(const struct digits *d)
{
	uint64_t symbols = 0;

	for (uint32_t i = 0; i < d->count; i++)
		symbols |= d->at[i].factor.symbols;
	return symbols;
}

static bool follow_equal(struct digits *d)
{
	struct pass *p = d->visit->pass;
	bool by_node = is_computed(d) && d->count == d->rank && visit_version(d->visit) >= 10;
	plan_ref ref = by_node ? sliced_value(d) : 0;

	plan_note(&p->plan, d->visit->id, "input %" PRIu32 " is equal along %s: one slice of it",
		  d->port, flow_names(p, digits_symbols(d)));
	if (!d->may_be_one || !can_stay_dropped(d))
		return expand_digits(d, ref ? ref : follow_constant(d));
	if (!ref) {
		int64_t *dims = arena_array(&p->arena, d->rank, int64_t);
		struct array a = d->array;

		for (uint32_t k = 0; k < d->rank; k++)
			dims[k] = 1;
		for (uint32_t i = 0; i < d->count; i++)
			dims[d->at[i].axis] *= d->at[i].size;
		a.rank = d->rank;
		a.dims = dims;
		ref = plan_array(&p->plan, a);
	}
	return replace_by(d, ref, merged_sizes(d, true));
}

/* ---- tables ---- */

/* The varying digits have the size of the axis now, not the old one. */
static const struct sym *series_sizes(struct digits *d)
{
	struct pass *p = d->visit->pass;
	struct sym *out = merged_sizes(d, true);

	for (uint32_t k = 0; k < d->rank; k++)
		out[k] = sym_int(&p->in->pool, 1);
	for (uint32_t i = 0; i < d->count; i++) {
		struct digit *g = &d->at[i];

		out[g->axis] = sym_mul(&p->in->pool, out[g->axis],
				       g->varies || !g->follows ? g->factor.size
								: sym_int(&p->in->pool, g->size));
	}
	return out;
}

bool follow_refuse_rows(struct digits *d, const struct digit *g)
{
	return flow_refuse(d->visit, CAUSE_FOLDED,
			   "input %" PRIu32
			   " is a constant with other numbers for each place of axis %" PRIu32
			   ", %s: axed cannot tell those for other sizes",
			   d->port, g->axis, flow_was(d->visit->pass, d->spec[g->axis].axis));
}

/* A slice of the table from its start: only along the axis itself, up to its length. */
static bool follow_table(struct digits *d)
{
	struct visit *v = d->visit;
	struct pass *p = v->pass;
	plan_ref ref = d->count == d->rank && d->array.count == visit_array(v, d->port)->count
			       ? v->node->inputs[d->port]
			       : follow_constant(d);

	if (visit_version(v) < 10 || !d->may_be_one)
		return follow_refuse_rows(d, &d->at[d->varying[0]]);
	for (uint32_t i = 0; i < d->varying_count; i++) {
		struct digit *g = &d->at[d->varying[i]];
		int64_t axis = d->varying[i], start = 0, a, b;

		if (d->spec[g->axis].axis.count != 1 ||
		    !sym_is_linear(&p->in->pool, g->factor.size, NULL, &a, &b) || a != 1 || b != 0)
			return follow_refuse_rows(d, g);
		if (!sum_check_table(v, d->port, g->factor.size))
			return false;
		ref = PLAN_OP(&p->plan, "Slice", ref, plan_ints(&p->plan, &start, 1),
			      plan_size(&p->plan, g->factor.size), plan_ints(&p->plan, &axis, 1));
		flow_limit(v, g->factor.size, g->factor.old, false);
		flow_mix(v, g->factor.symbols, "a table has one row per position");
	}
	flow_assume(v, "the first rows of the table belong to the first positions");
	plan_note(&p->plan, v->id, "input %" PRIu32 " is a table: as many rows as %s", d->port,
		  flow_names(p, digits_symbols(d)));
	if (d->may_be_one && d->count == d->rank)
		return replace_by(d, ref, series_sizes(d));
	return expand_digits(d, ref);
}

static bool follow_series_made(struct digits *d)
{
	for (uint32_t i = 0; i < d->varying_count; i++)
		flow_mix(d->visit, d->at[d->varying[i]].factor.symbols,
			 "a constant numbers its positions");
	if (d->may_be_one && d->count == d->rank)
		return replace_by(d, d->made, series_sizes(d));
	return expand_digits(d, d->made);
}

/* What the constant is made of should follow, in the next pass. */
static bool follow_deep(struct digits *d, uint32_t axis)
{
	struct refusal *r = &d->visit->pass->refusal;

	r->kind = REFUSAL_DEEP;
	r->value = d->visit->node->inputs[d->port];
	r->axis = axis;
	r->factors = d->spec[axis].axis;
	return false;
}

static bool follow_varying(struct digits *d)
{
	static enum series (*const kinds[])(struct digits * d) = {
		follow_multiples,
		follow_progression,
		follow_band,
	};
	struct visit *v = d->visit;
	uint32_t value = v->node->inputs[d->port];

	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		switch (kinds[i](d)) {
		case SERIES_MADE:
			return follow_series_made(d);
		case SERIES_REFUSED:
			return false;
		case SERIES_NONE:
			break;
		}
	}
	if (is_computed(d) && !map_find(v->pass->by_value, value)) {
		(void)follow_refuse_rows(d, &d->at[d->varying[0]]);
		return follow_deep(d, d->at[d->varying[0]].axis);
	}
	return follow_table(d);
}

/* Were all freed sizes 1?  Then there is one slice, whatever its elements. */
static bool cut_ones(struct digits *d)
{
	const struct track *t = &d->visit->in[d->port];
	int64_t *dims = arena_array(&d->visit->pass->arena, t->rank, int64_t);

	if (t->rank > RULE_MAX_RANK || visit_version(d->visit) < 8)
		return false;
	for (uint32_t k = 0; k < t->rank; k++)
		dims[k] = axis_old(t->axes[k]);
	d->array = (struct array){.rank = t->rank, .dims = dims};
	d->rank = t->rank;
	if (!cut_digits(d))
		return false;
	for (uint32_t i = 0; i < d->count; i++) {
		if (d->at[i].follows && d->at[i].size != 1)
			return false;
	}
	return true;
}

static bool follow_ones(struct digits *d)
{
	struct plan *p = &d->visit->pass->plan;
	plan_ref ref = d->visit->node->inputs[d->port];
	int64_t sizes[RULE_MAX_RANK];

	for (uint32_t i = 0; i < d->count; i++)
		sizes[i] = d->at[i].size;
	if (d->count != d->rank)
		ref = PLAN_OP(p, "Reshape", ref, plan_ints(p, sizes, d->count));
	plan_note(p, d->visit->id, "input %" PRIu32 " is one slice for all", d->port);
	return expand_digits(d, ref);
}

/* The node whose result is not computed, although what it reads is. */
static uint32_t first_unknown(const struct pass *p, uint32_t value)
{
	const struct model *m = p->in->model;
	uint32_t node = m->values.at[value].producer;

	for (unsigned steps = 0; node && steps < MAX_STEPS; steps++) {
		const struct node *n = &m->nodes.at[node];
		uint32_t next = 0;

		for (uint32_t i = 0; i < n->input_count && !next; i++) {
			if (n->inputs[i] && !fold_value(p->folder, n->inputs[i]))
				next = m->values.at[n->inputs[i]].producer;
		}
		if (!next)
			return node;
		node = next;
	}
	return 0;
}

/* Its elements were not computed; what it is made of may be known. */
static bool follow_unknown(struct digits *d)
{
	struct visit *v = d->visit;
	uint32_t value = v->node->inputs[d->port], axis = 0, rank = v->in[d->port].rank;

	if (cut_ones(d))
		return follow_ones(d);
	while (axis < rank && !d->spec[axis].set)
		axis++;
	if (axis == rank || !is_computed(d))
		return flow_refuse(v, CAUSE_COMPUTED,
				   "the numbers of input %" PRIu32 " are not known", d->port);
	(void)flow_refuse(v, CAUSE_COMPUTED,
			  "axis %" PRIu32 " of input %" PRIu32
			  " has to follow %s, but the input is computed from constants",
			  axis, d->port, flow_was(v->pass, d->spec[axis].axis));
	v->pass->refusal.end.node = first_unknown(v->pass, value);
	return !map_find(v->pass->by_value, value) && follow_deep(d, axis);
}

bool flow_follow(struct visit *v, uint32_t port, const struct follow *spec, bool may_be_one)
{
	const struct array *a = v->pass->watch ? NULL : visit_array(v, port);
	struct digits d = {.visit = v, .port = port, .spec = spec, .may_be_one = may_be_one};

	if (v->pass->watch)
		return true;
	if (!a || a->rank > RULE_MAX_RANK)
		return follow_unknown(&d);
	d.array = *a;
	d.rank = a->rank;
	if (!cut_digits(&d))
		return false;
	drop_equal(&d);
	return d.varying_count ? follow_varying(&d) : follow_equal(&d);
}
