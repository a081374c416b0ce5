#include <inttypes.h>

#include "ir/type.h"
#include "ops/grid.h"
#include "ops/info.h"
#include "ops/rule.h"
#include "ops/rules.h"
#include "sym/sym.h"

/* ---- OneHot ---- */

static void check_one_hot(struct rule *r, struct sym depth)
{
	struct contents indices;
	int64_t value;

	if (sym_value(r->pool, depth, &value) && value < 1)
		rule_error(r, "the depth is %" PRId64 ", but must be positive", value);
	if (rule_check_rank(r, 2, 1, 1))
		rule_equal(r, rule_dim(r, 2, 0), rule_int(r, 2), "values must have 2 elements");
	if (r->version >= 11)
		return;
	indices = rule_contents(r, 0);
	for (uint32_t i = 0; indices.at && i < indices.count; i++) {
		if (sym_value(r->pool, indices.at[i], &value) && value < 0) {
			rule_error(r, "index %" PRId64 " is negative, which needs version 11",
				   value);
			return;
		}
	}
}

void rule_one_hot(struct rule *r)
{
	const struct info *in = &r->in[0];
	struct sym depth = SYM_UNKNOWN, *dims;
	uint32_t axis, from = 0;
	int64_t value;

	rule_out_unranked(r, 0, rule_elem(r, 2));
	if (rule_check_rank(r, 1, 0, 1))
		depth = number_of(r, 1);
	check_one_hot(r, depth);
	if (!rule_check_rank(r, 0, 1, RULE_MAX_RANK) || !rank_usable(r, 0) ||
	    !rule_axis(r, rule_attr_int(r, "axis", -1), in->rank + 1, &axis))
		return;
	if (sym_value(r->pool, depth, &value) && value < 1)
		depth = SYM_UNKNOWN;
	dims = rule_dims(r, in->rank + 1);
	for (uint32_t i = 0; i <= in->rank; i++)
		dims[i] = i == axis ? depth : in->dims[from++];
	rule_out(r, 0, rule_elem(r, 2), in->rank + 1, dims);
}

/* ---- TopK ---- */

struct ranked {
	int64_t value;
	int64_t at;
};

/* Does a come before b?  Of equal ones the lower index comes first. */
static bool comes_first(const struct ranked *a, const struct ranked *b, bool largest)
{
	if (a->value != b->value)
		return largest ? a->value > b->value : a->value < b->value;
	return a->at < b->at;
}

static void top_k_contents(struct rule *r)
{
	bool largest = rule_attr_int(r, "largest", 1) != 0;
	struct ranked found[RULE_MAX_VALUES];
	struct grid from, to;
	struct sym *values, *places;

	if (rule_attr_int(r, "sorted", 1) == 0 || !grid_for(r, 0, RULE_MAX_VALUES, &to) ||
	    !grid_of(r, 0, &from) || from.rank != 1 || from.columns > RULE_MAX_VALUES ||
	    to.columns > from.columns)
		return;
	for (uint32_t i = 0; i < from.columns; i++) {
		struct ranked next = {.at = i};
		uint32_t k = i;

		if (!sym_value(r->pool, from.at[i], &next.value))
			return;
		for (; k > 0 && comes_first(&next, &found[k - 1], largest); k--)
			found[k] = found[k - 1];
		found[k] = next;
	}
	values = rule_values(r, to.columns);
	places = rule_values(r, to.columns);
	for (uint32_t i = 0; i < to.columns; i++) {
		values[i] = rule_int(r, found[i].value);
		places[i] = rule_int(r, found[i].at);
	}
	grid_keep(r, 0, &to, values);
	grid_keep(r, 1, &to, places);
}

static struct sym top_k_size(struct rule *r)
{
	int64_t k;

	if (r->version >= 10) {
		if (!rule_check_rank(r, 1, 1, 1))
			return SYM_UNKNOWN;
		rule_equal(r, rule_dim(r, 1, 0), rule_int(r, 1), "k must have one element");
		return number_of(r, 1);
	}
	return rule_attr_positive(r, "k", 0, &k) ? rule_int(r, k) : SYM_UNKNOWN;
}

void rule_top_k(struct rule *r)
{
	const struct info *in = &r->in[0];
	struct sym k = top_k_size(r);
	uint32_t axis;

	rule_out_unranked(r, 0, rule_elem(r, 0));
	rule_out_unranked(r, 1, ELEM_INT64);
	if (!check_size(r, k, "k"))
		k = SYM_UNKNOWN;
	if (!rule_check_rank(r, 0, 1, RULE_MAX_RANK) || !rank_usable(r, 0) ||
	    !rule_axis(r, rule_attr_int(r, "axis", -1), in->rank, &axis))
		return;
	rule_bound(r, k, in->dims[axis], "k must not be larger than the axis");
	rule_out_resized(r, 0, 0, axis, k);
	if (r->out_count > 1)
		rule_out(r, 1, ELEM_INT64, in->rank, r->out[0].dims);
	top_k_contents(r);
}
