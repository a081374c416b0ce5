#include "ops/indices.h"

#include "ops/grid.h"
#include "ops/info.h"
#include "sym/sym.h"

static const char in_range[] = "an index must be in range";

/* An index that is a size: -length <= i < length. */
static void check_entry(struct rule *r, struct sym i, struct sym length)
{
	rule_bound(r, sym_add_int(r->pool, i, 1), length, in_range);
	rule_bound(r, sym_neg(r->pool, i), length, in_range);
}

/* The length of an axis that has this index. */
static int64_t needed_length(int64_t index)
{
	if (index < 0)
		return index == INT64_MIN ? INT64_MAX : -index;
	return index == INT64_MAX ? index : index + 1;
}

/* Every step-th element, from `first` on.  Constants are one need together. */
static void check_entries(struct rule *r, const struct contents *c, uint32_t first, uint32_t step,
			  struct sym length)
{
	int64_t value, size, ignored, needed = 0;

	for (uint32_t i = first; i < c->count; i += step) {
		if (!sym_value(r->pool, c->at[i], &value))
			check_entry(r, c->at[i], length);
		else if (!sym_value(r->pool, length, &size))
			needed = MAX(needed, needed_length(value));
		else if (!index_of(r, c->at[i], size, &ignored))
			return;
	}
	if (needed > 1)
		rule_bound(r, rule_int(r, needed), length, in_range);
	else if (needed)
		rule_some(r, length, in_range);
}

static bool has_elements(const struct rule *r, uint32_t input)
{
	for (uint32_t i = 0; i < r->in[input].rank; i++) {
		if (sym_is_unknown(r->in[input].dims[i]) ||
		    sym_range(r->pool, r->in[input].dims[i]).lo < 1)
			return false;
	}
	return rule_ranked(r, input);
}

/* Indices that are not tracked: the least and the largest must be within the axis. */
static void check_bounds(struct rule *r, const struct contents *c, struct sym length)
{
	static const char why[] = "indices, if any, must be in range";
	struct sym end = sym_add_int(r->pool, contents_max(c), 1);
	struct sym below = sym_neg(r->pool, contents_min(c));

	if (has_elements(r, 1) || sym_le(r->pool, end, length) == SYM_MAYBE)
		rule_bound(r, end, length, why);
	if (!sym_is_unknown(below) && sym_range(r->pool, below).hi > 0 &&
	    (has_elements(r, 1) || sym_le(r->pool, below, length) == SYM_MAYBE))
		rule_bound(r, below, length, why);
}

/* Constants that are too large or of too high a rank to be tracked.  False: not known. */
static bool check_constant(struct rule *r, uint32_t first, uint32_t length)
{
	int64_t min[RULE_MAX_RANK], max[RULE_MAX_RANK], ignored;
	bool open = false;

	for (uint32_t i = 0; i < length; i++)
		open = open || !sym_value(r->pool, rule_dim(r, 0, first + i), &ignored);
	if (!open || !r->in[1].tensor || length > RULE_MAX_RANK ||
	    !r->host->columns(r->host->context, r->in[1].tensor, length, min, max))
		return false;
	for (uint32_t i = 0; i < length; i++) {
		struct sym ends[] = {rule_int(r, min[i]), rule_int(r, max[i])};
		struct contents c = {.at = ends, .count = ARRAY_LEN(ends), .rank = 1};

		check_entries(r, &c, 0, 1, rule_dim(r, 0, first + i));
	}
	return true;
}

void indices_check(struct rule *r, uint32_t axis)
{
	struct contents c = rule_contents(r, 1);

	if (c.at)
		check_entries(r, &c, 0, 1, rule_dim(r, 0, axis));
	else if (!check_constant(r, axis, 1))
		check_bounds(r, &c, rule_dim(r, 0, axis));
}

void indices_bounds(struct rule *r, uint32_t input, struct contents *out)
{
	struct contents c = rule_contents(r, input);

	contents_set_bounds(out, contents_least(r->pool, &c), contents_largest(r->pool, &c));
}

void indices_check_tuples(struct rule *r, uint32_t first, uint32_t length)
{
	struct contents c = rule_contents(r, 1);
	const struct info *columns = r->in[1].items;

	for (uint32_t i = 0; c.at && c.count % length == 0 && i < length; i++)
		check_entries(r, &c, i, length, rule_dim(r, 0, first + i));
	if (c.at || check_constant(r, first, length))
		return;
	if (!columns && length == 1)
		check_bounds(r, &c, rule_dim(r, 0, first));
	for (uint32_t i = 0; columns && i < r->in[1].item_count; i++)
		check_bounds(r, &columns[i].contents, rule_dim(r, 0, first + i));
}

void indices_check_sizes(struct rule *r, uint32_t axis)
{
	for (uint32_t i = 0; rule_ranked(r, 1) && i < r->in[1].rank; i++) {
		if (i != axis)
			rule_bound(r, rule_dim(r, 1, i), rule_dim(r, 0, i),
				   "the indices must not be larger than the data");
	}
}
