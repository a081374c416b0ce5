#include <inttypes.h>

#include "ops/grid.h"
#include "ops/info.h"
#include "ops/rule.h"
#include "ops/rules.h"
#include "sym/sym.h"

/* ---- Expand ---- */

/* Repeats the elements along axes of size 1. */
static void expand_contents(struct rule *r)
{
	struct grid from, to;
	struct sym *at;

	if (!grid_for(r, 0, RULE_MAX_VALUES, &to) || !grid_of(r, 0, &from))
		return;
	if ((from.rows != to.rows && from.rows != 1) ||
	    (from.columns != to.columns && from.columns != 1))
		return;
	at = rule_values(r, to.rows * to.columns);
	for (uint32_t i = 0; i < to.rows * to.columns; i++) {
		uint32_t row = from.rows == 1 ? 0 : i / to.columns;
		uint32_t column = from.columns == 1 ? 0 : i % to.columns;

		at[i] = from.at[row * from.columns + column];
	}
	grid_keep(r, 0, &to, at);
}

void rule_expand(struct rule *r)
{
	struct list shape = list_get(r, "shape", 1, 8);
	const struct info *in = &r->in[0];
	uint32_t rank;
	struct sym *dims;

	rule_out_unranked(r, 0, rule_elem(r, 0));
	check_int64(r, 1);
	if (!rank_usable(r, 0) || !shape.counted)
		return;
	rank = MAX(in->rank, shape.count);
	if (rank > RULE_MAX_RANK) {
		rule_out_rank(r, 0, in->elem, rank);
		return;
	}
	dims = rule_dims(r, rank);
	for (uint32_t i = 0; i < rank; i++) {
		struct sym from = rule_int(r, 1), to = rule_int(r, 1);

		if (i >= rank - in->rank)
			from = in->dims[i - (rank - in->rank)];
		if (i >= rank - shape.count)
			to = shape.at ? shape.at[i - (rank - shape.count)] : SYM_UNKNOWN;
		if (check_size(r, to, "an entry of the shape"))
			dims[i] = rule_broadcast_dim(r, from, to);
	}
	rule_out(r, 0, in->elem, rank, dims);
	expand_contents(r);
	rule_out_same_bounds(r, 0, 0);
}

/* ---- Tile ---- */

static void tile_contents(struct rule *r)
{
	struct grid from, to;
	struct sym *at;

	if (!grid_for(r, 0, RULE_MAX_VALUES, &to) || !grid_of(r, 0, &from) ||
	    from.rank != to.rank || from.rows == 0 || from.columns == 0)
		return;
	at = rule_values(r, to.rows * to.columns);
	for (uint32_t i = 0; i < to.rows * to.columns; i++)
		at[i] = from.at[i / to.columns % from.rows * from.columns +
				i % to.columns % from.columns];
	grid_keep(r, 0, &to, at);
}

static struct sym tile_size(struct rule *r, struct sym dim, struct sym repeats)
{
	if (!check_size(r, repeats, "a repeat count"))
		return SYM_UNKNOWN;
	if (sym_is(dim, 0) || sym_is(repeats, 0))
		return rule_int(r, 0);
	return size_mul(r, dim, repeats);
}

void rule_tile(struct rule *r)
{
	struct list repeats = list_get(r, "repeats", 1, 6);
	const struct info *in = &r->in[0];
	struct sym *dims;

	rule_out_unranked(r, 0, rule_elem(r, 0));
	check_int64(r, 1);
	if (!rank_usable(r, 0)) {
		if (repeats.counted)
			rule_out_rank(r, 0, rule_elem(r, 0), repeats.count);
		return;
	}
	if (repeats.counted && repeats.count != in->rank) {
		rule_error(r, "%" PRIu32 " %s, but the rank is %" PRIu32, repeats.count,
			   PLURAL(repeats.count, "repeat", "repeats"), in->rank);
		return;
	}
	dims = rule_dims(r, in->rank);
	for (uint32_t i = 0; i < in->rank; i++)
		dims[i] = tile_size(r, in->dims[i], repeats.at ? repeats.at[i] : SYM_UNKNOWN);
	rule_out(r, 0, in->elem, in->rank, dims);
	tile_contents(r);
	rule_out_same_bounds(r, 0, 0);
}

/* Version 1: one axis; tiles and axis are scalars of any numeric type. */
void rule_tile_axis(struct rule *r)
{
	struct sym tiles = number_of(r, 1), named = number_of(r, 2);
	const struct info *in = &r->in[0];
	int64_t axis;
	uint32_t at;

	rule_out_unranked(r, 0, rule_elem(r, 0));
	if (!rank_usable(r, 0))
		return;
	rule_out_rank(r, 0, in->elem, in->rank);
	if (sym_value(r->pool, named, &axis) && rule_axis(r, axis, in->rank, &at))
		rule_out_resized(r, 0, 0, at, tile_size(r, in->dims[at], tiles));
}

/* ---- CenterCropPad ---- */

void rule_center_crop_pad(struct rule *r)
{
	struct list shape = list_get(r, NULL, 1, 0);
	struct list axes = list_get(r, "axes", LIST_NO_INPUT, 0);
	const struct info *in = &r->in[0];
	const uint32_t *at = NULL;
	uint32_t named;
	struct sym *dims;

	rule_out_unranked(r, 0, rule_elem(r, 0));
	if (!rank_usable(r, 0)) {
		if (!axes.given && shape.counted)
			rule_out_rank(r, 0, rule_elem(r, 0), shape.count);
		return;
	}
	rule_out_rank(r, 0, in->elem, in->rank);
	named = axes.given ? axes.count : in->rank;
	if (axes.given && !(at = list_axes(r, &axes, in->rank, true)))
		return;
	if (shape.counted && shape.count != named) {
		rule_error(r, "%" PRIu32 " %s for %" PRIu32 " %s", shape.count,
			   PLURAL(shape.count, "size", "sizes"), named,
			   PLURAL(named, "axis", "axes"));
		return;
	}
	dims = rule_copy_dims(r, 0, 0);
	for (uint32_t i = 0; i < named; i++) {
		struct sym size = shape.at ? shape.at[i] : SYM_UNKNOWN;

		dims[at ? at[i] : i] = check_size(r, size, "a size") ? size : SYM_UNKNOWN;
	}
	rule_out(r, 0, in->elem, in->rank, dims);
}
