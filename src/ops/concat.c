#include <inttypes.h>

#include "base/arena.h"
#include "base/num.h"
#include "ir/type.h"
#include "ops/grid.h"
#include "ops/indices.h"
#include "ops/info.h"
#include "ops/rule.h"
#include "ops/rules.h"
#include "sym/sym.h"

/* ---- Concat ---- */

/* The common element type of all inputs; different ones are an error. */
static int32_t common_elem(struct rule *r)
{
	int32_t elem = ELEM_UNDEFINED;

	for (uint32_t i = 0; i < r->in_count; i++) {
		int32_t next = rule_elem(r, i);

		if (elem == ELEM_UNDEFINED || next == ELEM_UNDEFINED || elem == next) {
			elem = elem ? elem : next;
			continue;
		}
		rule_error(r, "element types differ: %s and %s", elem_info(elem)->name,
			   elem_info(next)->name);
		return elem;
	}
	return elem;
}

/* The common rank of all inputs; false when none is known or, with an error, they differ. */
static bool common_rank(struct rule *r, uint32_t *out)
{
	bool found = false;

	for (uint32_t i = 0; i < r->in_count; i++) {
		if (!rank_usable(r, i))
			continue;
		if (found && r->in[i].rank != *out) {
			rule_error(r, "ranks differ: %" PRIu32 " and %" PRIu32, *out,
				   r->in[i].rank);
			return false;
		}
		*out = r->in[i].rank;
		found = true;
	}
	return found;
}

/* Copies one input's elements into place; untracked ones stay unknown. */
static void concat_piece(struct rule *r, uint32_t input, bool below, uint32_t at,
			 const struct grid *to, struct sym *out)
{
	struct grid from;

	if (!grid_of(r, input, &from))
		return;
	for (uint32_t i = 0; i < from.rows * from.columns; i++) {
		uint32_t row = i / from.columns + (below ? at : 0);
		uint32_t column = i % from.columns + (below ? 0 : at);

		if (row < to->rows && column < to->columns)
			out[row * to->columns + column] = from.at[i];
	}
}

static void concat_contents(struct rule *r, uint32_t axis)
{
	struct grid to;
	struct sym *out;
	uint32_t at = 0;
	bool any = false;

	if (!grid_for(r, 0, RULE_MAX_VALUES, &to))
		return;
	for (uint32_t i = 0; i < r->in_count; i++)
		any = any || rule_contents(r, i).at;
	if (!any)
		return;
	out = rule_values(r, to.rows * to.columns);
	for (uint32_t i = 0; i < r->in_count; i++) {
		int64_t size;

		/* Sizes that are not negative and sum to an integer are integers. */
		if (!sym_value(r->pool, rule_dim(r, i, axis), &size) || size < 0 ||
		    size > RULE_MAX_VALUES)
			return;
		concat_piece(r, i, to.rank == 2 && axis == 0, at, &to, out);
		at += (uint32_t)size;
	}
	grid_keep(r, 0, &to, out);
}

/* Index tuples: single columns, joined along the last axis.  The elements are not tracked. */
static void concat_columns(struct rule *r)
{
	enum {
		MAX_COLUMNS = 8
	};
	struct info *columns;
	bool any = false;

	if (r->in_count > MAX_COLUMNS)
		return;
	for (uint32_t i = 0; i < r->in_count; i++) {
		if (!sym_is(rule_dim(r, i, r->out[0].rank - 1), 1))
			return;
		any = any || r->in[i].contents.max;
	}
	if (!any)
		return;
	columns = arena_array(r->arena, r->in_count, struct info);
	for (uint32_t i = 0; i < r->in_count; i++)
		indices_bounds(r, i, &columns[i].contents);
	r->out[0].items = columns;
	r->out[0].item_count = r->in_count;
}

static struct sym joined_size(struct rule *r, uint32_t axis)
{
	struct sym sum = rule_int(r, 0);

	for (uint32_t i = 0; i < r->in_count; i++)
		sum = size_add(r, sum, rule_dim(r, i, axis));
	return sum;
}

void rule_concat(struct rule *r)
{
	int64_t named = rule_attr_int(r, "axis", 1);
	int32_t elem = common_elem(r);
	uint32_t rank = 0, axis = 0;
	struct sym *dims;

	rule_out_unranked(r, 0, elem);
	if (r->version >= 4 && !rule_attr(r, "axis")) {
		rule_error(r, "attribute axis is missing");
		return;
	}
	if (!common_rank(r, &rank) || !rule_axis(r, named, rank, &axis))
		return;
	dims = rule_dims(r, rank);
	for (uint32_t i = 0; i < r->in_count; i++) {
		for (uint32_t k = 0; k < rank; k++) {
			if (k != axis)
				dims[k] = rule_equal(r, dims[k], rule_dim(r, i, k),
						     "sizes of the other axes");
		}
	}
	dims[axis] = joined_size(r, axis);
	rule_out(r, 0, elem, rank, dims);
	concat_contents(r, axis);
	if (axis == rank - 1 && r->out_count && r->out[0].ranked)
		concat_columns(r);
}

/* ---- Split ---- */

/* The number of parts when no sizes are given; 0 after an error. */
static uint32_t part_count(struct rule *r, bool sized)
{
	int64_t parts;

	if (r->version < 18)
		return r->out_count;
	if (!rule_attr(r, "num_outputs")) {
		if (!sized)
			rule_error(r, "neither split nor num_outputs is given");
		return sized ? r->out_count : 0;
	}
	parts = rule_attr_int(r, "num_outputs", 0);
	if (sized)
		rule_error(r, "both split and num_outputs are given");
	else if (parts < 1 || parts > INT32_MAX)
		rule_error(r, "num_outputs is out of range: %" PRId64, parts);
	else if (parts < (int64_t)r->out_count)
		rule_error(r, "num_outputs is %" PRId64 ", but there are %" PRIu32 " outputs",
			   parts, r->out_count);
	else
		return (uint32_t)parts;
	return 0;
}

/* The size of one part of an axis that is split evenly; since 18 the last may be smaller. */
static struct sym even_part(struct rule *r, struct sym dim, uint32_t parts, uint32_t i)
{
	struct sym each;

	if (sym_is_unknown(dim))
		return dim;
	if (r->version < 18)
		return size_divide(r, dim, parts, "axis and equal parts");
	each = sym_ceil_div(r->pool, dim, rule_int(r, parts));
	if (i + 1 < parts)
		return each;
	each = sym_sub(r->pool, dim, sym_mul_int(r->pool, each, (int64_t)parts - 1));
	return check_size(r, each, "the last part") ? each : SYM_UNKNOWN;
}

static struct sym *part_sizes(struct rule *r, const struct list *sizes, struct sym dim)
{
	uint32_t parts = part_count(r, sizes->given);
	struct sym *out = rule_dims(r, r->out_count);
	struct sym sum = rule_int(r, 0);

	if (parts == 0)
		return out;
	if (!sizes->given) {
		for (uint32_t i = 0; i < r->out_count; i++)
			out[i] = i && i + 1 < parts ? out[0] : even_part(r, dim, parts, i);
		return out;
	}
	if (sizes->counted && sizes->count < r->out_count) {
		rule_error(r, "%" PRIu32 " %s for %" PRIu32 " outputs", sizes->count,
			   PLURAL(sizes->count, "size", "sizes"), r->out_count);
		return out;
	}
	for (uint32_t i = 0; sizes->at && i < sizes->count; i++) {
		bool ok = check_size(r, sizes->at[i], "the size of a part");

		sum = size_add(r, sum, ok ? sizes->at[i] : SYM_UNKNOWN);
		if (i < r->out_count && ok)
			out[i] = sizes->at[i];
	}
	if (sizes->at)
		rule_equal(r, sum, dim, "sum of the parts and axis");
	return out;
}

static void split_contents(struct rule *r, uint32_t axis, const struct sym *sizes)
{
	uint32_t side = axis + 2 - MIN(r->in[0].rank, 2);
	int64_t first[2] = {0, 0}, step[2] = {1, 1}, size;

	if (r->in[0].rank > 2 || !rule_contents(r, 0).at)
		return;
	for (uint32_t i = 0; i < r->out_count; i++) {
		grid_cut(r, i, 0, first, step);
		if (!sym_value(r->pool, sizes[i], &size) || size < 0 ||
		    !num_iadd(first[side], size, &first[side]))
			return;
	}
}

void rule_split(struct rule *r)
{
	/* In version 1 it is an input or an attribute. */
	bool input = r->version >= 13 || (r->version < 2 && rule_has(r, 1));
	struct list sizes = list_get(r, "split", 1, input ? 0 : INT64_MAX);
	const struct info *in = &r->in[0];
	struct sym *parts;
	uint32_t axis;

	for (uint32_t i = 0; i < r->out_count; i++)
		rule_out_unranked(r, i, rule_elem(r, 0));
	if (!rank_usable(r, 0) || !rule_axis(r, rule_attr_int(r, "axis", 0), in->rank, &axis))
		return;
	parts = part_sizes(r, &sizes, in->dims[axis]);
	for (uint32_t i = 0; i < r->out_count; i++)
		rule_out_resized(r, i, 0, axis, parts[i]);
	split_contents(r, axis, parts);
}
