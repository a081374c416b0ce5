#include <inttypes.h>

#include "ops/grid.h"
#include "ops/indices.h"
#include "ops/info.h"
#include "ops/rule.h"
#include "ops/rules.h"
#include "sym/sym.h"

/* ---- Gather ---- */

static void gather_contents(struct rule *r, uint32_t axis)
{
	struct contents indices;
	struct grid from, to;
	uint32_t length, inner;
	struct sym *at;

	if (!grid_for(r, 0, RULE_MAX_VALUES, &to) || !grid_of(r, 0, &from))
		return;
	indices = rule_contents(r, 1);
	length = from.rank == 2 && axis == 0 ? from.rows : from.columns;
	inner = from.rank == 2 && axis == 0 ? from.columns : 1;
	if (!indices.at || indices.count == 0 || length == 0 ||
	    (uint64_t)from.rows * from.columns / length * indices.count !=
		    (uint64_t)to.rows * to.columns)
		return;
	at = rule_values(r, to.rows * to.columns);
	for (uint32_t i = 0; i < to.rows * to.columns; i++) {
		uint32_t outer = i / inner / indices.count;
		int64_t place;

		if (index_of(r, indices.at[i / inner % indices.count], length, &place))
			at[i] = from.at[(outer * length + (uint32_t)place) * inner + i % inner];
	}
	grid_keep(r, 0, &to, at);
}

void rule_gather(struct rule *r)
{
	const struct info *data = &r->in[0], *indices = &r->in[1];
	struct sym *dims;
	uint32_t axis, n = 0;

	rule_out_unranked(r, 0, rule_elem(r, 0));
	if (!rule_check_rank(r, 0, 1, RULE_MAX_RANK) || !rank_usable(r, 0) ||
	    !rule_axis(r, rule_attr_int(r, "axis", 0), data->rank, &axis) || !rank_usable(r, 1))
		return;
	dims = rule_dims(r, data->rank + indices->rank);
	for (uint32_t i = 0; i < axis; i++)
		dims[n++] = data->dims[i];
	for (uint32_t i = 0; i < indices->rank; i++)
		dims[n++] = indices->dims[i];
	for (uint32_t i = axis + 1; i < data->rank; i++)
		dims[n++] = data->dims[i];
	indices_check(r, axis);
	rule_out(r, 0, data->elem, n, dims);
	gather_contents(r, axis);
}

/* ---- GatherElements ---- */

static void gather_elements_contents(struct rule *r, uint32_t axis)
{
	struct grid from, to, indices;
	struct sym *at;

	if (!grid_for(r, 0, RULE_MAX_VALUES, &to) || !grid_of(r, 0, &from) ||
	    !grid_of(r, 1, &indices) || from.rank != to.rank || indices.rank != to.rank ||
	    indices.rows != to.rows || indices.columns != to.columns)
		return;
	at = rule_values(r, to.rows * to.columns);
	for (uint32_t i = 0; i < to.rows * to.columns; i++) {
		int64_t row = i / to.columns, column = i % to.columns;
		bool down = to.rank == 2 && axis == 0;

		if (!index_of(r, indices.at[i], down ? from.rows : from.columns,
			      down ? &row : &column))
			continue;
		if (row < from.rows && column < from.columns)
			at[i] = from.at[row * from.columns + column];
	}
	grid_keep(r, 0, &to, at);
}

void rule_gather_elements(struct rule *r)
{
	const struct info *data = &r->in[0];
	uint32_t axis;

	rule_out_shape_of(r, 0, 1, rule_elem(r, 0));
	if (!rule_check_rank(r, 0, 1, RULE_MAX_RANK) || !rank_usable(r, 0) ||
	    !rule_axis(r, rule_attr_int(r, "axis", 0), data->rank, &axis))
		return;
	if (!rule_check_rank(r, 1, data->rank, data->rank))
		return;
	if (!rule_ranked(r, 1)) {
		rule_out_rank(r, 0, data->elem, data->rank);
		return;
	}
	indices_check(r, axis);
	indices_check_sizes(r, axis);
	gather_elements_contents(r, axis);
}

/* ---- GatherND ---- */

/* Index tuples, without batches: each picks an element or, of a matrix, a row. */
static void gather_nd_contents(struct rule *r, uint32_t length)
{
	struct contents indices;
	struct grid from, to;
	uint32_t inner, tuples;
	struct sym *at;

	if (!grid_for(r, 0, RULE_MAX_VALUES, &to) || !grid_of(r, 0, &from) || from.rank == 0)
		return;
	indices = rule_contents(r, 1);
	inner = from.rank > length ? from.columns : 1;
	if (!indices.at || inner == 0)
		return;
	tuples = indices.count / length;
	if ((uint64_t)tuples * inner != (uint64_t)to.rows * to.columns)
		return;
	at = rule_values(r, to.rows * to.columns);
	for (uint32_t i = 0; i < to.rows * to.columns; i++) {
		const struct sym *tuple = indices.at + i / inner * length;
		int64_t row = 0, column = i % inner;

		if (from.rank == 2 && !index_of(r, tuple[0], from.rows, &row))
			continue;
		if (inner == 1 && from.rank == length &&
		    !index_of(r, tuple[length - 1], from.columns, &column))
			continue;
		at[i] = from.at[row * from.columns + column];
	}
	grid_keep(r, 0, &to, at);
}

/* The length of an index tuple; false when it is unknown or, with an error, invalid. */
static bool tuple_length(struct rule *r, int64_t batch, uint32_t *out)
{
	const struct info *data = &r->in[0], *indices = &r->in[1];
	int64_t length;

	if (batch < 0 || batch >= MIN(data->rank, indices->rank)) {
		rule_error(r, "batch_dims %" PRId64 " must be less than both ranks", batch);
		return false;
	}
	if (!sym_value(r->pool, indices->dims[indices->rank - 1], &length))
		return false;
	if (length < 1 || length > (int64_t)data->rank - batch) {
		rule_error(r, "indices of %" PRId64 " %s for data of rank %" PRIu32, length,
			   PLURAL(length, "axis", "axes"), data->rank);
		return false;
	}
	*out = (uint32_t)length;
	return true;
}

void rule_gather_nd(struct rule *r)
{
	const struct info *data = &r->in[0], *indices = &r->in[1];
	int64_t batch = r->version < 12 ? 0 : rule_attr_int(r, "batch_dims", 0);
	uint32_t length, n = 0;
	struct sym *dims;

	rule_out_unranked(r, 0, rule_elem(r, 0));
	if (!rule_check_rank(r, 0, 1, RULE_MAX_RANK) || !rule_check_rank(r, 1, 1, RULE_MAX_RANK) ||
	    !rank_usable(r, 0) || !rank_usable(r, 1) || !tuple_length(r, batch, &length))
		return;
	dims = rule_dims(r, data->rank + indices->rank);
	for (uint32_t i = 0; i + 1 < indices->rank; i++) {
		struct sym dim = indices->dims[i];

		dims[n++] = (int64_t)i < batch
				    ? rule_equal(r, dim, data->dims[i], "sizes of a batch axis")
				    : dim;
	}
	for (uint32_t i = (uint32_t)batch + length; i < data->rank; i++)
		dims[n++] = data->dims[i];
	rule_out(r, 0, data->elem, n, dims);
	indices_check_tuples(r, (uint32_t)batch, length);
	if (batch == 0)
		gather_nd_contents(r, length);
}
