#include <inttypes.h>

#include "base/num.h"
#include "ir/graph.h"
#include "ops/grid.h"
#include "ops/info.h"
#include "ops/rule.h"
#include "ops/rules.h"
#include "sym/sym.h"

/* ---- Flatten ---- */

void rule_flatten(struct rule *r)
{
	const struct info *in = &r->in[0];
	int64_t axis = rule_attr_int(r, "axis", 1);

	if (!rank_usable(r, 0)) {
		rule_out_rank(r, 0, rule_elem(r, 0), 2);
		return;
	}
	/* The axis may equal the rank.  Negative axes exist since version 11. */
	if (axis < (r->version < 11 ? 0 : -(int64_t)in->rank) || axis > (int64_t)in->rank) {
		rule_error(r, "axis %" PRId64 " is out of range for rank %" PRIu32, axis, in->rank);
		rule_out_rank(r, 0, in->elem, 2);
		return;
	}
	axis = axis < 0 ? axis + in->rank : axis;
	RULE_OUT(r, 0, in->elem, size_product(r, in->dims, (uint32_t)axis),
		 size_product(r, in->dims + axis, in->rank - (uint32_t)axis));
	grid_pass(r, 0, 0);
}

/* ---- Squeeze ---- */

/*
 * The axes to remove when none are named: those of size 1.  False when they are unknown.  Some
 * runtimes take an empty list as absent, others as "no axis": then no size may be 1.
 */
static bool unit_axes(struct rule *r, bool named, uint64_t *out)
{
	const struct info *in = &r->in[0];
	uint64_t set = 0;

	for (uint32_t i = 0; i < in->rank; i++) {
		enum sym_answer one = sym_eq(r->pool, in->dims[i], rule_int(r, 1));

		if (one == SYM_MAYBE || (one == SYM_YES && named))
			return false;
		if (one == SYM_YES)
			set |= UINT64_C(1) << i;
	}
	*out = set;
	return true;
}

static void squeeze_axes(struct rule *r, uint64_t set)
{
	const struct info *in = &r->in[0];
	struct sym *dims = rule_dims(r, in->rank);
	uint32_t rank = 0;

	for (uint32_t i = 0; i < in->rank; i++) {
		if (axis_in(set, i))
			rule_equal(r, in->dims[i], rule_int(r, 1),
				   "a squeezed axis must have size 1");
		else
			dims[rank++] = in->dims[i];
	}
	rule_out(r, 0, in->elem, rank, dims);
	grid_pass(r, 0, 0);
}

void rule_squeeze(struct rule *r)
{
	struct list axes = list_get(r, "axes", 1, 13);
	uint32_t rank;
	uint64_t set;
	bool all = !axes.given || (axes.counted && axes.count == 0);

	rule_out_unranked(r, 0, rule_elem(r, 0));
	if (!rank_usable(r, 0))
		return;
	rank = r->in[0].rank;
	if (all ? unit_axes(r, axes.given, &set) : list_axis_set(r, &axes, rank, false, &set)) {
		squeeze_axes(r, set);
		return;
	}
	/* Duplicate axes would leave a higher rank; a single axis cannot repeat. */
	if (all || axes.at || !axes.counted)
		return;
	if (axes.count > rank)
		rule_error(r, "%" PRIu32 " %s to squeeze, but the rank is %" PRIu32, axes.count,
			   PLURAL(axes.count, "axis", "axes"), rank);
	else if (axes.count == 1)
		rule_out_rank(r, 0, rule_elem(r, 0), rank - 1);
}

/* ---- Unsqueeze ---- */

void rule_unsqueeze(struct rule *r)
{
	struct list axes = list_get(r, "axes", 1, 13);
	const struct info *in = &r->in[0];
	uint32_t rank, from = 0;
	struct sym *dims;
	uint64_t set;

	rule_out_unranked(r, 0, rule_elem(r, 0));
	if (!axes.given)
		rule_error(r, "axes are missing");
	if (!rank_usable(r, 0) || !axes.counted)
		return;
	if (axes.count > RULE_MAX_RANK - in->rank) {
		rule_error(r, "the rank would exceed %d", RULE_MAX_RANK);
		return;
	}
	rank = in->rank + axes.count;
	if (!list_axis_set(r, &axes, rank, true, &set)) {
		rule_out_rank(r, 0, in->elem, rank);
		return;
	}
	dims = rule_dims(r, rank);
	for (uint32_t i = 0; i < rank; i++)
		dims[i] = axis_in(set, i) ? rule_int(r, 1) : in->dims[from++];
	rule_out(r, 0, in->elem, rank, dims);
	grid_pass(r, 0, 0);
}

/* ---- Transpose ---- */

static void transpose_contents(struct rule *r)
{
	struct grid from, to;
	struct sym *at;

	if (!grid_for(r, 0, RULE_MAX_CONSTANTS, &to) || !grid_of(r, 0, &from))
		return;
	if (from.rows != to.columns || from.columns != to.rows)
		return;
	at = rule_values(r, to.rows * to.columns);
	for (uint32_t i = 0; i < to.rows * to.columns; i++)
		at[i] = from.at[i % to.columns * from.columns + i / to.columns];
	grid_keep(r, 0, &to, at);
}

/* False and an error when the list is not a permutation of the axes. */
static bool layout_ops_check_order(struct rule *r, const int64_t *perm, uint32_t count)
{
	uint64_t seen = 0;

	for (uint32_t i = 0; i < count; i++) {
		if (perm[i] < 0 || perm[i] >= (int64_t)count || axis_in(seen, (uint32_t)perm[i])) {
			rule_error(r, "perm is not a permutation: %" PRId64 " at %" PRIu32, perm[i],
				   i);
			return false;
		}
		seen |= UINT64_C(1) << perm[i];
	}
	return true;
}

void rule_transpose(struct rule *r)
{
	const struct info *in = &r->in[0];
	const int64_t *perm;
	uint32_t count, rank;
	struct sym *dims;

	rule_out_unranked(r, 0, rule_elem(r, 0));
	if (!rule_attr_ints(r, "perm", &perm, &count) || count > RULE_MAX_RANK ||
	    (perm && !layout_ops_check_order(r, perm, count)))
		return;
	if (!rank_usable(r, 0)) {
		if (perm)
			rule_out_rank(r, 0, rule_elem(r, 0), count);
		return;
	}
	rank = in->rank;
	if (perm && count != rank) {
		rule_error(r, "perm has %" PRIu32 " %s, but the rank is %" PRIu32, count,
			   PLURAL(count, "axis", "axes"), rank);
		return;
	}
	dims = rule_dims(r, rank);
	for (uint32_t i = 0; i < rank; i++)
		dims[i] = in->dims[perm ? (uint32_t)perm[i] : rank - 1 - i];
	rule_out(r, 0, in->elem, rank, dims);
	if (rank == 2 && (!perm || perm[0] == 1))
		transpose_contents(r);
	else
		grid_pass(r, 0, 0);
	rule_out_same_bounds(r, 0, 0);
}

/* ---- DepthToSpace, SpaceToDepth ---- */

/* The block's side and area; false and an error when they are invalid. */
static bool block_size(struct rule *r, int64_t *side, int64_t *area)
{
	const struct attr *a = rule_attr(r, "blocksize");

	if (!a) {
		rule_error(r, "attribute blocksize is missing");
		return false;
	}
	*side = rule_attr_int(r, "blocksize", 0);
	if (*side > 0 && num_imul(*side, *side, area))
		return true;
	rule_error(r, "blocksize %" PRId64 " is out of range", *side);
	return false;
}

void rule_blocks(struct rule *r)
{
	int64_t side, area;
	struct sym *dims = rule_dims(r, 4), size;

	if (rule_check_rank(r, 0, 4, 4) && block_size(r, &side, &area) && rule_ranked(r, 0)) {
		size = rule_int(r, side);
		dims[0] = rule_dim(r, 0, 0);
		if (r->argument == BLOCKS_TO_SPACE) {
			dims[1] = size_divide(r, rule_dim(r, 0, 1), area, "channels per block");
			dims[2] = size_mul(r, rule_dim(r, 0, 2), size);
			dims[3] = size_mul(r, rule_dim(r, 0, 3), size);
		} else {
			dims[1] = size_mul(r, rule_dim(r, 0, 1), rule_int(r, area));
			dims[2] = size_divide(r, rule_dim(r, 0, 2), side, "height in blocks");
			dims[3] = size_divide(r, rule_dim(r, 0, 3), side, "width in blocks");
		}
	}
	rule_out(r, 0, rule_elem(r, 0), 4, dims);
}
