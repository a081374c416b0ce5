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
	if (needed > 1) /* sizes are at least 1 */
		rule_bound(r, rule_int(r, needed), length, in_range);
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

/* Indices that are not tracked: the largest must be within the axis. */
static void check_last(struct rule *r, struct sym max, struct sym length)
{
	struct sym end = sym_add_int(r->pool, max, 1);

	if (has_elements(r, 1) || sym_le(r->pool, end, length) == SYM_MAYBE)
		rule_bound(r, end, length, "indices, if any, must be in range");
}

void indices_check(struct rule *r, struct sym length)
{
	struct contents c = rule_contents(r, 1);

	if (c.at)
		check_entries(r, &c, 0, 1, length);
	else
		check_last(r, contents_max(&c), length);
}

struct sym indices_max(struct rule *r, uint32_t input)
{
	struct contents c = rule_contents(r, input);

	return contents_largest(r->pool, &c);
}

void indices_check_tuples(struct rule *r, uint32_t first, uint32_t length)
{
	struct contents c = rule_contents(r, 1);

	for (uint32_t i = 0; c.at && c.count % length == 0 && i < length; i++)
		check_entries(r, &c, i, length, rule_dim(r, 0, first + i));
	if (!c.at && !r->in[1].items && length == 1)
		check_last(r, contents_max(&c), rule_dim(r, 0, first));
	for (uint32_t i = 0; !c.at && r->in[1].items && i < r->in[1].item_count; i++)
		check_last(r, contents_max(&r->in[1].items[i].contents), rule_dim(r, 0, first + i));
}

void indices_check_sizes(struct rule *r, uint32_t axis)
{
	for (uint32_t i = 0; rule_ranked(r, 1) && i < r->in[1].rank; i++) {
		if (i != axis)
			rule_bound(r, rule_dim(r, 1, i), rule_dim(r, 0, i),
				   "the indices must not be larger than the data");
	}
}
