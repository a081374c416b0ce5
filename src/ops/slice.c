#include <inttypes.h>

#include "base/arena.h"
#include "ops/grid.h"
#include "ops/info.h"
#include "ops/rule.h"
#include "ops/rules.h"
#include "sym/sym.h"

/* The slice of one axis. */
struct cut {
	struct sym first; /* valid when the slice is not empty */
	struct sym size;
	int64_t step; /* 0: unknown */
};

/* Exporters write "to the end" as the largest value of either integer type. */
static bool is_endless(struct rule *r, struct sym dim, struct sym s, bool below)
{
	int64_t value, ignored;

	if (!sym_value(r->pool, s, &value) || sym_value(r->pool, dim, &ignored))
		return false;
	return below ? value <= -INT32_MAX : value >= INT32_MAX;
}

/* Is s = a mod dim?  The product dim*floor(a/dim) is one of its terms. */
static bool slice_is_remainder(struct rule *r, struct sym s, struct sym dim)
{
	if (sym_kind(r->pool, s) != SYM_KIND_SUM || sym_range(r->pool, dim).lo < 1)
		return false;
	for (size_t i = 0; i < sym_part_count(r->pool, s); i++) {
		struct sym term = sym_part(r->pool, s, i).s;

		for (size_t k = 0; k < sym_part_count(r->pool, term); k++) {
			struct sym atom = sym_part(r->pool, term, k).s;

			if (sym_kind(r->pool, atom) == SYM_KIND_FLOOR &&
			    sym_same(sym_part(r->pool, atom, 1).s, dim) &&
			    sym_same(sym_mod(r->pool, sym_part(r->pool, atom, 0).s, dim), s))
				return true;
		}
	}
	return false;
}

/*
 * Is s = dim - c, and dim at least c?  Sizes of windows are multiples: where c is no larger, that
 * holds unless there is no window at all.
 */
static bool slice_is_back(struct rule *r, struct sym s, struct sym dim)
{
	enum {
		MAX_WINDOW = 32
	};
	int64_t c;

	if (sym_value(r->pool, dim, &c)) /* nothing to prove, and it may be 0 */
		return false;
	if (!sym_value(r->pool, sym_sub(r->pool, dim, s), &c) || c < 1 || !rule_is_bindable(r, dim))
		return false;
	for (int64_t window = c; window <= MAX_WINDOW; window++) {
		if (sym_is(sym_mod(r->pool, dim, rule_int(r, window)), 0)) {
			rule_assume(r, sym_test_le(r->pool, rule_int(r, 1), dim));
			return true;
		}
	}
	return false;
}

/* Is it a position within the axis?  torch.roll cuts at shift mod dim. */
static bool slice_is_within(struct rule *r, struct sym s, struct sym dim)
{
	if (sym_is_unknown(s) || sym_range(r->pool, s).lo >= 0)
		return false; /* as simple without */
	return slice_is_remainder(r, s, dim) || slice_is_back(r, s, dim);
}

/* Negative positions count from the end. */
static struct sym from_end(struct rule *r, struct sym s, struct sym dim)
{
	struct sym_range range;

	if (sym_is_unknown(s))
		return s;
	range = sym_range(r->pool, s);
	if (range.lo >= 0)
		return s;
	if (range.hi < 0)
		return sym_add(r->pool, s, dim);
	return sym_select(r->pool, sym_test_lt(r->pool, s, rule_int(r, 0)),
			  sym_add(r->pool, s, dim), s);
}

/*
 * Upward: first is clamped only from below and last only from above, because beyond the other bound
 * the slice is empty anyway; so x[a:] is max(0, dim - a) without a minimum.
 */
static void cut_upward(struct rule *r, struct sym dim, struct sym start, struct sym end,
		       struct cut *c)
{
	struct sym zero = rule_int(r, 0), last, span;
	int64_t value, back;

	if (is_endless(r, dim, start, false) || is_endless(r, dim, end, true)) {
		c->size = zero;
		return;
	}
	if (sym_is(start, 0) && slice_is_within(r, end, dim)) {
		c->first = zero;
		c->size = sym_ceil_div(r->pool, end, rule_int(r, c->step));
		return;
	}
	if ((is_endless(r, dim, end, false) || sym_same(end, dim)) &&
	    slice_is_within(r, start, dim)) {
		c->first = start;
		c->size = sym_ceil_div(r->pool, sym_sub(r->pool, dim, start), rule_int(r, c->step));
		return;
	}
	c->first = is_endless(r, dim, start, true)
			   ? zero
			   : sym_max(r->pool, from_end(r, start, dim), zero);
	last = is_endless(r, dim, end, false) ? dim : sym_min(r->pool, from_end(r, end, dim), dim);
	/* x[-k:] and x[-k:-l]: last - max(first, 0) is min(last - first, last). */
	if (sym_value(r->pool, start, &value) && value < 0 && value > -INT32_MAX &&
	    sym_value(r->pool, sym_sub(r->pool, last, dim), &back) && back > -INT32_MAX)
		span = sym_min(r->pool, sym_int(r->pool, back - value), last);
	else
		span = sym_sub(r->pool, last, c->first);
	c->size = sym_max(r->pool, sym_ceil_div(r->pool, span, rule_int(r, c->step)), zero);
}

/* Downward: the first element is clamped into the axis, the end may be before its start. */
static void cut_downward(struct rule *r, struct sym dim, struct sym start, struct sym end,
			 struct cut *c)
{
	struct sym zero = rule_int(r, 0), before = rule_int(r, -1), last, span;
	struct sym top = sym_add_int(r->pool, dim, -1);
	int64_t value;

	/* "To the end" downward: some runtimes clamp it to the top, some go to the bottom. */
	if (sym_value(r->pool, end, &value) && (value == INT32_MAX || value == INT64_MAX))
		return;
	if (is_endless(r, dim, start, false) || sym_is(start, -1))
		c->first = top;
	else
		c->first = sym_min(r->pool, sym_max(r->pool, from_end(r, start, dim), zero), top);
	last = is_endless(r, dim, end, true) ? before
					     : sym_max(r->pool, from_end(r, end, dim), before);
	span = sym_sub(r->pool, c->first, last);
	c->size = sym_max(r->pool, sym_ceil_div(r->pool, span, rule_int(r, -c->step)), zero);
}

static struct cut cut_axis(struct rule *r, struct sym dim, struct sym start, struct sym end,
			   struct sym step)
{
	struct cut c = {0};

	if (!sym_value(r->pool, step, &c.step))
		return c;
	if (c.step == 0) {
		rule_error(r, "a step is 0");
		return c;
	}
	if (c.step == INT64_MIN)
		c.step = -INT64_MAX; /* no axis is that long: same elements */
	if (sym_is_unknown(dim) || sym_is_unknown(start) || sym_is_unknown(end))
		return c;
	if (c.step > 0)
		cut_upward(r, dim, start, end, &c);
	else
		cut_downward(r, dim, start, end, &c);
	return c;
}

struct slices {
	struct list starts, ends, axes, steps;
	uint32_t count;
};

static bool slice_agree(struct rule *r, struct slices *s, const struct list *l, const char *what)
{
	if (!l->given || !l->counted)
		return true;
	if (s->count == UINT32_MAX)
		s->count = l->count;
	if (l->count == s->count)
		return true;
	rule_error(r, "%" PRIu32 " %s, but another list has %" PRIu32, l->count, what, s->count);
	return false;
}

/* False and an error when the lists differ in length. */
static bool read_slices(struct rule *r, struct slices *s)
{
	*s = (struct slices){
		.starts = list_get(r, "starts", 1, 10),
		.ends = list_get(r, "ends", 2, 10),
		.axes = list_get(r, "axes", 3, 10),
		.count = UINT32_MAX,
	};
	if (r->version >= 10)
		s->steps = list_get(r, NULL, 4, 10);
	if (!s->starts.given || !s->ends.given) {
		rule_error(r, "starts and ends must be given");
		return false;
	}
	return slice_agree(r, s, &s->starts, "starts") && slice_agree(r, s, &s->ends, "ends") &&
	       slice_agree(r, s, &s->axes, "axes") && slice_agree(r, s, &s->steps, "steps");
}

static struct sym list_at(const struct list *l, uint32_t i)
{
	return l->at ? l->at[i] : SYM_UNKNOWN;
}

/* The axis of each entry; NULL when unknown. */
static const uint32_t *slice_axes(struct rule *r, const struct slices *s)
{
	uint32_t rank = r->in[0].rank;
	uint32_t *axes;

	if (s->axes.given)
		return list_axes(r, &s->axes, rank, true);
	if (s->count == UINT32_MAX)
		return NULL;
	if (s->count > rank) {
		rule_error(r, "%" PRIu32 " %s sliced, but the rank is %" PRIu32, s->count,
			   PLURAL(s->count, "axis is", "axes are"), rank);
		return NULL;
	}
	axes = arena_array(r->arena, s->count, uint32_t);
	for (uint32_t i = 0; i < s->count; i++)
		axes[i] = i;
	return axes;
}

void rule_slice(struct rule *r)
{
	const struct info *in = &r->in[0];
	int64_t first[2] = {0, 0}, step[2] = {1, 1};
	bool known = true;
	struct slices s;
	const uint32_t *axes;
	struct sym *dims;

	rule_out_unranked(r, 0, rule_elem(r, 0));
	if (!read_slices(r, &s) || !rank_usable(r, 0))
		return;
	rule_out_rank(r, 0, in->elem, in->rank);
	axes = slice_axes(r, &s);
	if (!axes)
		return;
	dims = rule_copy_dims(r, 0, 0);
	for (uint32_t i = 0; i < s.count; i++) {
		struct sym by = s.steps.given ? list_at(&s.steps, i) : rule_int(r, 1);
		struct cut c = cut_axis(r, dims[axes[i]], list_at(&s.starts, i),
					list_at(&s.ends, i), by);
		uint32_t side = axes[i] + 2 - MIN(in->rank, 2);

		dims[axes[i]] = c.size;
		if (side > 1 || !sym_value(r->pool, c.first, &first[side]))
			known = false;
		else
			step[side] = c.step;
	}
	rule_out(r, 0, in->elem, in->rank, dims);
	if (known)
		grid_cut(r, 0, 0, first, step);
}
