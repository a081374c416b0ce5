/* GridSample and AffineGrid: sampling an image at given points. */
#include <inttypes.h>

#include "ops/info.h"
#include "ops/rule.h"
#include "ops/rules.h"
#include "sym/sym.h"

/* X [N, C, D1 … Dr], grid [N, E1 … Er, r] -> [N, C, E1 … Er]; version 16 has r = 2. */
void rule_grid_sample(struct rule *r)
{
	uint32_t min = r->version < 20 ? 4 : 3, max = r->version < 20 ? 4 : RULE_MAX_RANK;
	struct sym *dims;
	uint32_t rank;

	rule_out_unranked(r, 0, rule_elem(r, 0));
	if (!rule_check_rank(r, 0, min, max) || !rule_check_rank(r, 1, min, max))
		return;
	if (rule_ranked(r, 0) && rule_ranked(r, 1) && r->in[0].rank != r->in[1].rank) {
		rule_error(r, "the data has rank %" PRIu32 ", the grid has rank %" PRIu32,
			   r->in[0].rank, r->in[1].rank);
		return;
	}
	if (!rule_ranked(r, 0) && !rule_ranked(r, 1))
		return;
	rank = r->in[rule_ranked(r, 0) ? 0 : 1].rank;
	dims = rule_dims(r, rank);
	dims[0] = rule_equal(r, rule_dim(r, 0, 0), rule_dim(r, 1, 0), "batches of data and grid");
	dims[1] = rule_dim(r, 0, 1);
	for (uint32_t i = 2; i < rank; i++)
		dims[i] = rule_dim(r, 1, i - 1);
	rule_equal(r, rule_int(r, rank - 2), rule_dim(r, 1, rank - 1),
		   "spatial axes and grid coordinates");
	rule_out(r, 0, rule_elem(r, 0), rank, dims);
}

/* The number of spatial axes: theta is [N, r, r + 1], size has r + 2 elements; 0 when unknown. */
static uint32_t affine_rank(struct rule *r)
{
	struct contents size = rule_contents(r, 1);
	struct sym count = size.at && size.rank == 1 ? rule_int(r, size.count) : rule_dim(r, 1, 0);
	struct sym from_size = sym_add_int(r->pool, count, -2);
	struct sym from_last = sym_add_int(r->pool, rule_dim(r, 0, 2), -1);
	struct sym rank = rule_equal(r, rule_dim(r, 0, 1), from_last,
				     "sizes of theta [N, r, r + 1]");
	int64_t value;

	rank = rule_equal(r, rank, from_size, "axes of theta and size");
	if (!sym_value(r->pool, rank, &value))
		return 0;
	if (value == 2 || value == 3)
		return (uint32_t)value;
	rule_error(r, "the number of spatial axes is %" PRId64 ", but must be 2 or 3", value);
	return 0;
}

void rule_affine_grid(struct rule *r)
{
	struct contents size = rule_contents(r, 1);
	struct sym *dims;
	uint32_t rank;

	rule_out_unranked(r, 0, rule_elem(r, 0));
	if (!RULE_CHECK_RANKS(r, 3, 1))
		return;
	rank = affine_rank(r);
	if (rank == 0)
		return;
	dims = rule_dims(r, rank + 2);
	dims[0] = rule_dim(r, 0, 0);
	if (size.at && size.rank == 1 && size.count == rank + 2) {
		dims[0] = rule_equal(r, dims[0], size.at[0], "batches of theta and size");
		for (uint32_t i = 0; i < rank; i++)
			dims[i + 1] = size.at[i + 2];
	}
	for (uint32_t i = 0; i <= rank; i++) {
		int64_t value;

		if (sym_value(r->pool, dims[i], &value) && value < 0) {
			rule_error(r, "size must not be negative: %" PRId64, value);
			dims[i] = SYM_UNKNOWN;
		}
	}
	dims[rank + 1] = rule_int(r, rank);
	rule_out(r, 0, rule_elem(r, 0), rank + 2, dims);
}
