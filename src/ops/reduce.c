#include <assert.h>

#include "ir/type.h"
#include "ops/grid.h"
#include "ops/info.h"
#include "ops/rule.h"
#include "ops/rules.h"
#include "sym/float.h"
#include "sym/sym.h"

/* ---- contents ---- */

/* How elements are combined; unknown when they cannot be. */
struct fold {
	struct sym (*integers)(struct sym_pool *p, struct sym a, struct sym b);
	enum sym_fop floats;
	bool any_order; /* also for floats */
	bool has_start; /* no elements reduce to `start` */
	int64_t start;
};

static const struct fold reduce_folds[REDUCE_FOLD_COUNT] = {
	[REDUCE_UNTRACKED] = {0},
	[REDUCE_SUM] = {sym_add, SYM_FOP_ADD, false, true, 0},
	[REDUCE_PROD] = {sym_mul, SYM_FOP_MUL, false, true, 1},
	[REDUCE_MAX] = {sym_max, SYM_FOP_MAX, true, false, 0},
	[REDUCE_MIN] = {sym_min, SYM_FOP_MIN, true, false, 0},
};

static_assert((int)REDUCE_FOLD_COUNT <= REDUCE_AXES_INPUT, "the flag is beside the fold");

static struct sym fold_two(struct rule *r, const struct fold *f, uint32_t count, struct sym a,
			   struct sym b)
{
	enum sym_float type;

	if (!sym_is_float(r->pool, a, &type))
		return f->integers(r->pool, a, b);
	/* The order of float additions is unspecified, and matters for three or more. */
	return count > 2 && !f->any_order ? SYM_UNKNOWN : sym_float_op(r->pool, f->floats, a, b);
}

static struct sym fold_line(struct rule *r, const struct fold *f, const struct sym *at,
			    uint32_t count, uint32_t stride)
{
	struct sym result;

	if (count == 0)
		return f->has_start ? rule_int(r, f->start) : SYM_UNKNOWN;
	result = at[0];
	for (uint32_t i = 1; i < count; i++)
		result = fold_two(r, f, count, result, at[(size_t)i * stride]);
	return result;
}

static void fold_contents(struct rule *r, const struct fold *f, uint64_t set)
{
	struct grid from, to;
	struct sym *at;
	bool down, across;

	if (!f || !grid_for(r, 0, RULE_MAX_VALUES, &to) || !grid_of(r, 0, &from) ||
	    from.rank == 0 || (uint64_t)from.rows * from.columns > RULE_MAX_VALUES)
		return;
	down = from.rank == 2 && axis_in(set, 0);
	across = axis_in(set, from.rank - 1);
	if (from.columns == 0 && elem_info(rule_elem(r, 0))->class == ELEM_CLASS_FLOAT)
		return;
	at = rule_values(r, MAX(from.rows * from.columns, 1));
	for (uint32_t i = 0; i < to.rows * to.columns; i++) {
		if (down && across)
			at[i] = fold_line(r, f, from.at, from.rows * from.columns, 1);
		else if (across)
			at[i] = fold_line(r, f, from.at + i * from.columns, from.columns, 1);
		else if (down)
			at[i] = fold_line(r, f, from.at + i, from.rows, from.columns);
		else
			at[i] = from.at[i];
	}
	grid_keep(r, 0, &to, at);
}

/* ---- the shape ---- */

/* The input's axes that are not in the set; `keep`: with size 1 for the others. */
static void reduce_out(struct rule *r, int32_t elem, uint64_t set, bool keep)
{
	const struct info *in = &r->in[0];
	struct sym *dims = rule_dims(r, in->rank);
	uint32_t rank = 0;

	for (uint32_t i = 0; i < in->rank; i++) {
		if (!axis_in(set, i))
			dims[rank++] = in->dims[i];
		else if (keep)
			dims[rank++] = rule_int(r, 1);
	}
	rule_out(r, 0, elem, rank, dims);
}

static void reduce_set(struct rule *r, uint64_t set, bool keep, const struct fold *f)
{
	reduce_out(r, r->in[0].elem, set, keep);
	if (f && r->in[0].rank == 0)
		grid_pass(r, 0, 0);
	else
		fold_contents(r, f, set);
}

/* The axes are unknown, but perhaps not their number. */
static void reduce_unknown(struct rule *r, const struct list *axes, bool keep)
{
	const struct info *in = &r->in[0];
	struct sym *dims = rule_dims(r, in->rank);

	if (keep) {
		/* Size 1 stays 1 either way. */
		for (uint32_t i = 0; i < in->rank; i++)
			dims[i] = sym_is(in->dims[i], 1) ? in->dims[i] : SYM_UNKNOWN;
		rule_out(r, 0, in->elem, in->rank, dims);
	} else if (axes->counted && axes->count == 1 && in->rank > 0) {
		rule_out_rank(r, 0, in->elem, in->rank - 1);
	}
}

void rule_reduce(struct rule *r)
{
	int fold = r->argument & ~REDUCE_AXES_INPUT;
	const struct fold *f = fold == REDUCE_UNTRACKED ? NULL : &reduce_folds[fold];
	bool by_input = r->argument & REDUCE_AXES_INPUT;
	struct list axes = list_get(r, "axes", by_input ? 1 : LIST_NO_INPUT, 0);
	const struct info *in = &r->in[0];
	bool keep = rule_attr_int(r, "keepdims", 1) != 0;
	bool none = !axes.given || (axes.counted && axes.count == 0);
	uint64_t set;

	rule_out_unranked(r, 0, rule_elem(r, 0));
	if (none && rule_attr_int(r, "noop_with_empty_axes", 0) != 0) {
		/* ReduceSumSquare and others still transform each element: no contents. */
		rule_out_shape_of(r, 0, 0, in->elem);
		if (f)
			grid_pass(r, 0, 0);
		return;
	}
	if (none && !keep) {
		rule_out_scalar(r, 0, in->elem);
		if (rank_usable(r, 0))
			reduce_set(r, UINT64_MAX, keep, f);
		return;
	}
	if (!rank_usable(r, 0))
		return;
	if (none)
		reduce_set(r, UINT64_MAX, keep, f);
	else if (list_axis_set(r, &axes, in->rank, false, &set))
		reduce_set(r, set, keep, f);
	else
		reduce_unknown(r, &axes, keep);
}

/* ---- ArgMax, ArgMin ---- */

/* The index of the largest (or smallest) integer of a vector. */
static void arg_contents(struct rule *r, bool largest)
{
	bool last = r->version >= 12 && rule_attr_int(r, "select_last_index", 0) != 0;
	struct grid from, to;
	struct sym *at;
	int64_t best = 0, value;
	uint32_t place = 0;

	if (!grid_for(r, 0, 1, &to) || to.rows * to.columns != 1 || !grid_of(r, 0, &from) ||
	    from.rank != 1)
		return;
	for (uint32_t i = 0; from.columns > 1 && i < from.columns; i++) {
		if (!sym_value(r->pool, from.at[i], &value))
			return;
		if (i && value == best ? !last : i && (value > best) != largest)
			continue;
		best = value;
		place = i;
	}
	at = rule_values(r, 1);
	at[0] = rule_int(r, place);
	if (from.columns)
		grid_keep(r, 0, &to, at);
}

void rule_arg_extreme(struct rule *r)
{
	uint32_t axis;

	rule_out_unranked(r, 0, ELEM_INT64);
	if (!rank_usable(r, 0) || !rule_axis(r, rule_attr_int(r, "axis", 0), r->in[0].rank, &axis))
		return;
	rule_some(r, r->in[0].dims[axis], "an element must be there to be found");
	reduce_out(r, ELEM_INT64, UINT64_C(1) << axis, rule_attr_int(r, "keepdims", 1) != 0);
	arg_contents(r, r->argument == ARG_MAX);
}
