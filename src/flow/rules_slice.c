/*
 * Slice: a literal end may be the size itself, a distance from it, or a number.
 */
#include <inttypes.h>

#include "base/arena.h"
#include "flow/axis.h"
#include "flow/cause.h"
#include "flow/literal.h"
#include "flow/plan.h"
#include "flow/rules.h"
#include "flow/sums.h"
#include "flow/visit.h"
#include "ir/type.h"
#include "ops/info.h"
#include "sym/sym.h"

enum {
	PORT_STARTS = 1,
	PORT_ENDS,
	PORT_AXES,
	PORT_STEPS,
	MAX_PARTS = 16 /* of a number before a freed size */
};

struct slice {
	struct visit *visit;
	const struct sym *starts, *ends;
	struct sym *new_starts, *new_ends;
	int64_t axes[RULE_MAX_RANK];
	int64_t steps[RULE_MAX_RANK];
	uint32_t count;
	bool changed;
	bool bounded; /* something longer ends where the axis does: the shape rule says min */
	bool *stays;  /* by axis of the input: its literals are what they are */
};

/* ---- reading ---- */

static bool list_attr(struct visit *v, const char *name, const struct sym **out, uint32_t *count)
{
	const int64_t *numbers;
	struct sym *list;

	if (!visit_attr_ints(v, name, &numbers, count))
		return false;
	list = arena_array(&v->pass->arena, *count, struct sym);
	for (uint32_t i = 0; i < *count; i++)
		list[i] = sym_int(&v->pass->in->pool, numbers[i]);
	*out = list;
	return true;
}

static bool read_numbers(struct slice *s, uint32_t port, const char *attr, int64_t *out)
{
	const int64_t *list;
	uint32_t count;

	if (visit_has(s->visit, port) ? !visit_numbers(s->visit, port, &list, &count)
				      : !visit_attr_ints(s->visit, attr, &list, &count))
		return !visit_has(s->visit, port);
	if (count != s->count)
		return false;
	for (uint32_t i = 0; i < count; i++)
		out[i] = list[i];
	return true;
}

static bool read_slice(struct slice *s)
{
	struct visit *v = s->visit;
	uint32_t ends = 0, rank = v->in[0].rank;
	bool ok = visit_has(v, PORT_STARTS) ? visit_list(v, PORT_STARTS, &s->starts, &s->count) &&
						      visit_list(v, PORT_ENDS, &s->ends, &ends)
					    : list_attr(v, "starts", &s->starts, &s->count) &&
						      list_attr(v, "ends", &s->ends, &ends);

	if (!ok || ends != s->count || s->count > rank)
		return flow_refuse(v, CAUSE_DATA, "its ends depend on data");
	for (uint32_t i = 0; i < s->count; i++) {
		s->axes[i] = i;
		s->steps[i] = 1;
	}
	if (!read_numbers(s, PORT_AXES, "axes", s->axes) ||
	    !read_numbers(s, PORT_STEPS, "steps", s->steps))
		return flow_refuse(v, CAUSE_DATA, "its axes or steps depend on data");
	s->stays = arena_array(&v->pass->arena, rank, bool);
	s->new_starts = arena_array(&v->pass->arena, s->count, struct sym);
	s->new_ends = arena_array(&v->pass->arena, s->count, struct sym);
	for (uint32_t i = 0; i < s->count; i++) {
		s->axes[i] += s->axes[i] < 0 ? rank : 0;
		if (s->axes[i] < 0 || s->axes[i] >= rank)
			return flow_refuse(v, CAUSE_BROKEN, "an axis is out of range");
		s->new_starts[i] = s->starts[i];
		s->new_ends[i] = s->ends[i];
	}
	return true;
}

/* ---- one axis ---- */

static void set_start(struct slice *s, uint32_t i, struct sym to)
{
	s->changed |= !sym_same(s->new_starts[i], to);
	s->new_starts[i] = to;
}

static void set_end(struct slice *s, uint32_t i, struct sym to)
{
	s->changed |= !sym_same(s->new_ends[i], to);
	s->new_ends[i] = to;
}

static struct sym open_end(struct slice *s)
{
	return sym_int(&s->visit->pass->in->pool, INT64_MAX);
}

/* Whole steps of the numbers before the freed size: [0:b] of [2, b]. */
static bool slice_digit(struct slice *s, uint32_t i, int64_t begin, int64_t end,
			struct flow_axis *out)
{
	struct factory *f = &s->visit->pass->factory;
	struct flow_axis a = *out, inner = {a.at + 1, a.count - 1};
	struct sym step = axis_size(f, inner);
	int64_t old = axis_old(inner), whole = axis_old(a);

	if (factor_is_origin(&a.at[0]) || begin % old || end % old || end <= begin)
		return false;
	/* Where the inner size was 1, a literal may as well count positions. */
	if (old == 1 && flow_choose(s->visit, 2, axis_symbols(inner),
				    "a slice of %s, which was %" PRId64 ", is a whole part or not",
				    flow_text(s->visit->pass, axis_size(f, a)), whole))
		return false;
	set_start(s, i, sym_mul_int(f->pool, step, begin / old));
	set_end(s, i, end == whole ? open_end(s) : sym_mul_int(f->pool, step, end / old));
	*out = axis_joined(f, axis_number(f, (end - begin) / old), inner);
	return true;
}

static struct sym literal_end(struct slice *s, uint32_t i, int64_t number, struct sym size,
			      int64_t old)
{
	struct sym_pool *pool = &s->visit->pass->in->pool;

	if (number < 0)
		return sym_add_int(pool, size, number);
	if (number >= old)
		return size;
	return number == 0 ? sym_int(pool, 0)
			   : literal_meaning(s->visit, (uint32_t)s->axes[i], number, size, old);
}

/* A place that is counted from the end must not be before the start. */
static void limit_distance(struct visit *v, struct sym size, struct sym place)
{
	struct sym_pool *pool = &v->pass->in->pool;
	int64_t distance;

	if (sym_value(pool, sym_sub(pool, size, place), &distance) && distance > 0)
		flow_limit(v, size, distance, true);
}

static bool slice_literal(struct slice *s, uint32_t i, int64_t begin, int64_t end,
			  struct flow_axis *out)
{
	struct visit *v = s->visit;
	struct factory *f = &v->pass->factory;
	struct sym size = axis_size(f, *out), from, to, length;
	int64_t old = axis_old(*out), step = s->steps[i];

	if (step == -1 && visit_old(v, 0, (uint32_t)s->axes[i]) == old && old > 1) {
		if (end > -old - 1 || (begin >= 0 && begin < old))
			return flow_refuse(v, CAUSE_MEANT, "it reverses %s, between literal ends",
					   flow_was(v->pass, *out));
		flow_mix(v, axis_symbols(*out), "it is reversed");
		return true;
	}
	if (step < 1)
		return flow_refuse(v, CAUSE_MEANT, "it steps backwards along %s",
				   flow_was(v->pass, *out));
	if (begin == 0 && step == 1 && end >= old) {
		if (end == old)
			set_end(s, i, open_end(s));
		return true;
	}
	if (old == 1)
		return flow_refuse(v, CAUSE_ONE, "it slices %s", flow_was(v->pass, *out));
	if (step == 1 && out->count > 1 &&
	    slice_digit(s, i, begin < 0 ? begin + old : MIN(begin, old),
			end < 0 ? end + old : MIN(end, old), out))
		return true;
	flow_mix(v, axis_symbols(*out), "it is sliced");
	from = literal_end(s, i, begin, size, old);
	to = literal_end(s, i, end, size, old);
	if (begin >= 0)
		set_start(s, i, from);
	if (end >= 0)
		set_end(s, i, end >= old ? open_end(s) : to);
	if (!flow_symbols(f, to))
		flow_limit(v, size, end, true);
	limit_distance(v, size, from);
	limit_distance(v, size, to);
	length = sym_ceil_div(f->pool, sym_sub(f->pool, to, from), sym_int(f->pool, step));
	*out = axis_of(f, length, visit_old(v, 0, (uint32_t)s->axes[i]));
	return true;
}

/* How many whole parts of [2, b] come before a computed end; -1 when it is inside of one. */
static int64_t whole_parts(struct factory *f, struct flow_axis a, struct sym end)
{
	struct flow_axis inner = {a.at + 1, a.count - 1};
	struct sym step = axis_size(f, inner);

	for (int64_t i = 0; i <= a.at[0].old && i <= MAX_PARTS; i++) {
		if (sym_eq(f->pool, sym_mul_int(f->pool, step, i), end) == SYM_YES)
			return i;
	}
	return -1;
}

/* Parts of the numbers before the freed size: no item meets another. */
static bool slice_parts(struct factory *f, struct sym from, struct sym to, struct flow_axis *out)
{
	struct flow_axis inner = {out->at + 1, out->count - 1};
	int64_t first, end;

	if (factor_is_origin(&out->at[0]) || !axis_symbols(inner))
		return false;
	first = whole_parts(f, *out, from);
	end = whole_parts(f, *out, to);
	if (first < 0 || end <= first)
		return false;
	*out = axis_joined(f, axis_number(f, end - first), inner);
	return true;
}

/* Ends that the model computes: within the axis at every size, or past its end. */
static bool slice_computed(struct slice *s, uint32_t i, struct flow_axis *out)
{
	struct visit *v = s->visit;
	struct factory *f = &v->pass->factory;
	struct sym size = axis_size(f, *out), from = s->starts[i], to = s->ends[i];
	int64_t number;

	if (s->steps[i] != 1)
		return flow_refuse(v, CAUSE_MEANT, "it steps between computed ends");
	if (sym_value(f->pool, from, &number) && number < 0)
		from = sym_add_int(f->pool, size, number);
	if (sym_value(f->pool, to, &number) && number < 0)
		to = sym_add_int(f->pool, size, number);
	if (sym_le(f->pool, size, to) == SYM_YES)
		to = size;
	else if (sym_le(f->pool, to, size) != SYM_YES && axis_symbols(*out))
		return flow_refuse(v, CAUSE_UNEQUAL, "its end %s may be past the size %s",
				   flow_text(v->pass, to), flow_text(v->pass, size));
	else if (!axis_symbols(*out))
		flow_limit(v, to, axis_old(*out), false);
	if (sym_is(from, 0) && sym_eq(f->pool, to, size) == SYM_YES)
		return true;
	if (out->count > 1 && slice_parts(f, from, to, out))
		return true;
	flow_mix(v, axis_symbols(*out) | flow_symbols(f, from) | flow_symbols(f, to),
		 "it is sliced");
	*out = axis_of(f, sym_sub(f->pool, to, from), visit_old(v, 0, (uint32_t)s->axes[i]));
	return true;
}

/* The first positions of something longer, as many as the freed axis has. */
static bool slice_forced(struct slice *s, uint32_t i, int64_t begin, int64_t end,
			 struct flow_axis wanted, struct flow_axis *out)
{
	struct visit *v = s->visit;
	struct sym size = axis_size(&v->pass->factory, wanted);

	if (begin != 0 || s->steps[i] != 1 || end != axis_old(wanted))
		return flow_refuse(v, CAUSE_FIXED, "it slices an axis that does not follow %s",
				   flow_text(v->pass, size));
	if (!sum_check_table(v, 0, size))
		return false;
	set_end(s, i, size);
	s->bounded = true;
	flow_limit(v, size, axis_old(*out), false);
	flow_mix(v, axis_symbols(wanted), "a table has one row per position");
	flow_assume(v, "the first rows of the table belong to the first positions");
	*out = wanted;
	return true;
}

static bool cut_axis(struct slice *s, uint32_t i, struct flow_axis *out)
{
	struct pass *p = s->visit->pass;
	const struct force *force;
	int64_t begin, end;

	if (flow_symbols(&p->factory, s->starts[i]) || flow_symbols(&p->factory, s->ends[i]))
		return slice_computed(s, i, out);
	if (!sym_value(&p->in->pool, s->starts[i], &begin) ||
	    !sym_value(&p->in->pool, s->ends[i], &end))
		return flow_refuse(s->visit, CAUSE_DATA, "its ends depend on data");
	if (axis_symbols(*out) && !flow_meant(p, *out)) {
		flow_mix(s->visit, axis_symbols(*out), "it is sliced");
		s->stays[s->axes[i]] = true;
		return true;
	}
	if (axis_symbols(*out))
		return slice_literal(s, i, begin, end, out);
	force = flow_force(p, s->visit->id, FORCE_ENTRY, (uint32_t)s->axes[i]);
	if (force)
		return slice_forced(s, i, begin, end, force->factors, out);
	*out = axis_number(&p->factory, visit_old(s->visit, 0, (uint32_t)s->axes[i]));
	return true;
}

/* Before opset 10 the ends are attributes: only numbers. */
static bool write_attrs(struct slice *s)
{
	struct visit *v = s->visit;
	int64_t starts[RULE_MAX_RANK], ends[RULE_MAX_RANK];

	for (uint32_t i = 0; i < s->count; i++) {
		if (!sym_value(&v->pass->in->pool, s->new_starts[i], &starts[i]) ||
		    !sym_value(&v->pass->in->pool, s->new_ends[i], &ends[i]))
			return flow_refuse(v, CAUSE_OPSET,
					   "its ends are attributes, before opset 10");
	}
	plan_set_attr(&v->pass->plan, v->id, "starts", starts, s->count);
	plan_set_attr(&v->pass->plan, v->id, "ends", ends, s->count);
	return true;
}

static bool same_list(const struct sym *a, const struct sym *b, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		if (!sym_same(a[i], b[i]))
			return false;
	}
	return true;
}

/* The freed sizes that it cuts, or that its ends have. */
static uint64_t slice_symbols(const struct slice *s)
{
	const struct visit *v = s->visit;
	uint64_t symbols = 0;

	for (uint32_t i = 0; i < s->count; i++)
		symbols |= axis_symbols(v->in[0].axes[s->axes[i]]) |
			   flow_symbols(&v->pass->factory, s->new_starts[i]) |
			   flow_symbols(&v->pass->factory, s->new_ends[i]);
	return symbols;
}

/* Sizes are int64, and all lists must have one element type. */
static bool write_slice(struct slice *s)
{
	struct visit *v = s->visit;
	struct sym_pool *pool = &v->pass->in->pool;
	struct sym *axes = arena_array(&v->pass->arena, s->count, struct sym);
	struct sym *steps = arena_array(&v->pass->arena, s->count, struct sym);
	bool all = v->infos[PORT_STARTS].elem != ELEM_INT64;

	if (!visit_has(v, PORT_STARTS))
		return write_attrs(s);
	for (uint32_t i = 0; i < s->count; i++) {
		axes[i] = sym_int(pool, s->axes[i]);
		steps[i] = sym_int(pool, s->steps[i]);
	}
	if ((all || !same_list(s->starts, s->new_starts, s->count)) &&
	    !visit_replace_sizes(v, PORT_STARTS, s->new_starts, s->count))
		return false;
	if ((all || !same_list(s->ends, s->new_ends, s->count)) &&
	    !visit_replace_sizes(v, PORT_ENDS, s->new_ends, s->count))
		return false;
	if (all && visit_has(v, PORT_AXES) && !visit_replace_sizes(v, PORT_AXES, axes, s->count))
		return false;
	if (all && visit_has(v, PORT_STEPS) && !visit_replace_sizes(v, PORT_STEPS, steps, s->count))
		return false;
	flow_note(v, "its ends follow", slice_symbols(s));
	return true;
}

/* When watching: what is not the whole axis, from its start on, is some of it. */
static bool watch_slice(struct slice *s)
{
	struct visit *v = s->visit;
	const struct track *x = &v->in[0];
	const struct flow_axis **keep = arena_array(&v->pass->arena, x->rank,
						    const struct flow_axis *);

	for (uint32_t k = 0; k < x->rank; k++)
		keep[k] = &x->axes[k];
	for (uint32_t i = 0; i < s->count; i++) {
		uint32_t axis = (uint32_t)s->axes[i];

		if (s->steps[i] != 1 || visit_old(v, 0, axis) != axis_old(x->axes[axis]))
			keep[axis] = NULL;
	}
	return visit_put_sizes(v, 0, keep);
}

/* The shape rule says how long those are that stay. */
static bool put_slice(struct slice *s, struct flow_axis *axes, uint32_t rank)
{
	struct visit *v = s->visit;
	const struct flow_axis **keep = arena_array(&v->pass->arena, rank,
						    const struct flow_axis *);
	bool any = false;

	if (s->bounded || (s->changed && !visit_has(v, PORT_STARTS)))
		return visit_put_as(v, 0, axes, rank);
	for (uint32_t k = 0; k < rank; k++) {
		keep[k] = s->stays[k] ? NULL : &axes[k];
		any = any || s->stays[k];
	}
	return any ? visit_put_sizes(v, 0, keep) : visit_put(v, 0, axes, rank);
}

bool flow_slice(struct visit *v)
{
	struct slice s = {.visit = v};
	uint32_t rank = v->in[0].rank;
	struct flow_axis *axes = visit_axes(v, rank);

	if (!read_slice(&s))
		return false;
	if (v->pass->watch)
		return watch_slice(&s);
	for (uint32_t k = 0; k < rank; k++)
		axes[k] = v->in[0].axes[k];
	for (uint32_t i = 0; i < s.count; i++) {
		if (!cut_axis(&s, i, &axes[s.axes[i]]))
			return false;
	}
	return (!s.changed || write_slice(&s)) && put_slice(&s, axes, rank);
}
