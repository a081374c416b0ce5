#include <inttypes.h>

#include "base/sv.h"
#include "ops/grid.h"
#include "ops/indices.h"
#include "ops/info.h"
#include "ops/rule.h"
#include "ops/rules.h"
#include "sym/sym.h"

/* Does an update replace the old element, not combine with it? */
static bool scatter_replaces(const struct rule *r)
{
	struct sv how = rule_attr_text(r, "reduction");

	return how.len == 0 || sv_is(how, "none");
}

/* A writable copy of the data's contents; NULL when they are not tracked. */
static struct sym *copy_data(struct rule *r, struct grid *out)
{
	struct grid to;
	struct sym *at;

	if (!scatter_replaces(r) || !grid_for(r, 0, RULE_MAX_VALUES, &to) || !grid_of(r, 0, out) ||
	    out->rank != to.rank || out->rows != to.rows || out->columns != to.columns ||
	    out->rank == 0)
		return NULL;
	at = rule_values(r, out->rows * out->columns);
	for (uint32_t i = 0; i < out->rows * out->columns; i++)
		at[i] = out->at[i];
	return at;
}

static struct sym update_at(const struct contents *updates, uint32_t i)
{
	return updates->at && i < updates->count ? updates->at[i] : SYM_UNKNOWN;
}

/* ---- Scatter, ScatterElements ---- */

static void scatter_elements_contents(struct rule *r, uint32_t axis)
{
	struct contents updates;
	struct grid data, indices;
	struct sym *at = copy_data(r, &data);

	if (!at || !grid_of(r, 1, &indices) || indices.rank != data.rank)
		return;
	updates = rule_contents(r, 2);
	for (uint32_t i = 0; i < indices.rows * indices.columns; i++) {
		int64_t row = i / indices.columns, column = i % indices.columns;
		bool down = data.rank == 2 && axis == 0;

		/* An unknown index may be any, so no element stays known. */
		if (!index_of(r, indices.at[i], down ? data.rows : data.columns,
			      down ? &row : &column))
			return;
		if (row >= data.rows || column >= data.columns)
			return;
		at[row * data.columns + column] = update_at(&updates, i);
	}
	grid_keep(r, 0, &data, at);
}

void rule_scatter_elements(struct rule *r)
{
	const struct info *data = &r->in[0];
	uint32_t axis;

	rule_out_shape_of(r, 0, 0, rule_elem(r, 0));
	for (uint32_t i = 0; rule_ranked(r, 1) && i < r->in[1].rank; i++)
		rule_equal(r, r->in[1].dims[i], rule_dim(r, 2, i), "sizes of indices and updates");
	if (!rule_check_rank(r, 0, 1, RULE_MAX_RANK) || !rank_usable(r, 0) ||
	    !rule_axis(r, rule_attr_int(r, "axis", 0), data->rank, &axis) ||
	    !rule_check_rank(r, 1, data->rank, data->rank) ||
	    !rule_check_rank(r, 2, data->rank, data->rank))
		return;
	indices_check_sizes(r, axis);
	indices_check(r, axis);
	scatter_elements_contents(r, axis);
}

/* ---- ScatterND ---- */

static void scatter_nd_contents(struct rule *r, uint32_t length)
{
	struct contents indices, updates;
	struct grid data;
	struct sym *at = copy_data(r, &data);
	uint32_t inner;

	indices = rule_contents(r, 1);
	updates = rule_contents(r, 2);
	if (!at || !indices.at)
		return;
	inner = data.rank > length ? data.columns : 1;
	for (uint32_t i = 0; i < indices.count / length * inner; i++) {
		const struct sym *tuple = indices.at + i / inner * length;
		int64_t row = 0, column = i % inner;

		if (data.rank == 2 && !index_of(r, tuple[0], data.rows, &row))
			return;
		if (data.rank == length && !index_of(r, tuple[length - 1], data.columns, &column))
			return;
		at[row * data.columns + column] = update_at(&updates, i);
	}
	grid_keep(r, 0, &data, at);
}

/* The updates have the indices' axes except the last, then the data's axes that are not indexed. */
static bool check_updates(struct rule *r, uint32_t length)
{
	const struct info *data = &r->in[0], *indices = &r->in[1];
	uint32_t leading = indices->rank - 1, rank = leading + data->rank - length;

	if (!rule_check_rank(r, 2, rank, rank))
		return false;
	for (uint32_t i = 0; rule_ranked(r, 2) && i < rank; i++)
		rule_equal(r, i < leading ? indices->dims[i] : data->dims[length + i - leading],
			   rule_dim(r, 2, i), "sizes of the updates");
	return true;
}

void rule_scatter_nd(struct rule *r)
{
	const struct info *data = &r->in[0], *indices = &r->in[1];
	int64_t length;

	rule_out_shape_of(r, 0, 0, rule_elem(r, 0));
	if (!rule_check_rank(r, 0, 1, RULE_MAX_RANK) || !rule_check_rank(r, 1, 1, RULE_MAX_RANK) ||
	    !rank_usable(r, 0) || !rank_usable(r, 1) ||
	    !sym_value(r->pool, indices->dims[indices->rank - 1], &length))
		return;
	if (length < 1 || length > (int64_t)data->rank) {
		rule_error(r, "indices of %" PRId64 " %s for data of rank %" PRIu32, length,
			   PLURAL(length, "axis", "axes"), data->rank);
		return;
	}
	indices_check_tuples(r, 0, (uint32_t)length);
	if (check_updates(r, (uint32_t)length))
		scatter_nd_contents(r, (uint32_t)length);
}

/* ---- TensorScatter ---- */

void rule_tensor_scatter(struct rule *r)
{
	const struct info *past = &r->in[0], *update = &r->in[1];
	uint32_t axis;

	rule_out_shape_of(r, 0, 0, rule_elem(r, 0));
	if (!rank_usable(r, 0) || !rule_check_rank(r, 1, past->rank, past->rank) ||
	    !rule_axis(r, rule_attr_int(r, "axis", -2), past->rank, &axis))
		return;
	if (axis == 0) {
		rule_error(r, "the axis must not be the batch axis");
		return;
	}
	for (uint32_t i = 0; rule_ranked(r, 1) && i < past->rank; i++) {
		if (i != axis)
			rule_equal(r, past->dims[i], update->dims[i], "sizes of cache and update");
		else
			rule_bound(r, update->dims[i], past->dims[i],
				   "the update must not be longer than the cache");
	}
	if (rule_has(r, 2) && rule_check_rank(r, 2, 1, 1))
		rule_equal(r, past->dims[0], rule_dim(r, 2, 0), "sizes of cache and write_indices");
}
