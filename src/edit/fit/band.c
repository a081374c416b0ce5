/*
 * Tables that depend on the distance from the diagonal, and tables that are a part of a larger
 * one.
 */
#include <string.h>

#include "base/arena.h"
#include "edit/fit/internal.h"
#include "edit/fit/table.h"
#include "flow/array.h"
#include "flow/plan.h"
#include "sym/sym.h"

/* ---- bands ---- */

struct band {
	uint32_t row, column;
	bool from_end;  /* the diagonal ends in the last column */
	int64_t extent; /* offsets -extent ... extent */
	const unsigned char *bytes;
	unsigned char *seen;
	unsigned char *table;
};

static int64_t band_offset(const struct fit_table *t, const struct band *b, uint32_t side,
			   const int64_t *index)
{
	int64_t shift = b->from_end ? t->dims[side][b->column] - t->dims[side][b->row] : 0;

	return index[b->column] - index[b->row] - shift;
}

static bool fill_band(const struct fit_table *t, struct band *b)
{
	size_t width = array_width(t->arrays[0]->elem);

	for (uint32_t side = 0; side < t->f->count; side++) {
		int64_t index[FIT_MAX_RANK] = {0};

		do {
			int64_t at = band_offset(t, b, side, index) + b->extent;
			const unsigned char *is = t->arrays[side]->bytes +
						  table_at(t, side, index) * width;

			if (at < 0 || at > 2 * b->extent)
				return false;
			if (!b->seen[at]) {
				b->seen[at] = 1;
				memcpy(b->table + (size_t)at * width, is, width);
			} else if (memcmp(b->table + (size_t)at * width, is, width) != 0) {
				return false;
			}
		} while (table_next(t, side, index));
	}
	return true;
}

static bool band_same(const struct fit_table *t, const struct band *b, int64_t i, int64_t k)
{
	size_t width = array_width(t->arrays[0]->elem);

	return memcmp(b->table + (size_t)i * width, b->table + (size_t)k * width, width) == 0;
}

static void band_copy(const struct fit_table *t, struct band *b, int64_t to, int64_t from)
{
	size_t width = array_width(t->arrays[0]->elem);

	memcpy(b->table + (size_t)to * width, b->table + (size_t)from * width, width);
}

/*
 * Offsets beyond those that were seen have what the last ones have.  These must be equal over
 * half of their side: the buckets of relative positions repeat for a while, too.
 */
static bool extend_band(const struct fit_table *t, struct band *b)
{
	int64_t low = 0, high = 2 * b->extent, from, to;

	while (low < high && !b->seen[low])
		low++;
	while (high > low && !b->seen[high])
		high--;
	for (int64_t i = low; i <= high; i++) {
		if (!b->seen[i])
			return false;
	}
	for (from = low; from < high && band_same(t, b, from + 1, low);)
		from++;
	for (to = high; to > low && band_same(t, b, to - 1, high);)
		to--;
	if (low > b->extent - 3 || high < b->extent + 3 || 2 * (from - low) < b->extent - low ||
	    2 * (high - to) < high - b->extent)
		return false;
	for (int64_t i = 0; i < low; i++)
		band_copy(t, b, i, low);
	for (int64_t i = high + 1; i <= 2 * b->extent; i++)
		band_copy(t, b, i, high);
	return true;
}

static plan_ref plan_band(const struct fit_table *t, const struct band *b)
{
	struct plan *plan = &t->f->plan;
	int64_t *dims = arena_array(&t->f->arena, 1, int64_t);
	plan_ref row = plan_along(t, b->row), column = plan_along(t, b->column), at, table;
	int64_t zero = 0, last = 2 * b->extent;
	struct sym shift = sym_int(table_pool(t), b->extent);

	if (b->from_end)
		shift = sym_sub(table_pool(t), shift,
				sym_sub(table_pool(t), t->sizes[b->column], t->sizes[b->row]));
	dims[0] = last + 1;
	table = plan_array(plan, (struct array){.elem = t->arrays[0]->elem,
						.rank = 1,
						.dims = dims,
						.count = (uint64_t)last + 1,
						.bytes = b->table});
	if (!row || !column)
		return 0;
	at = PLAN_OP(plan, "Sub", column, row);
	row = plan_size(plan, shift);
	if (!row)
		return 0;
	at = PLAN_OP(plan, "Add", at, row);
	at = PLAN_OP(plan, "Max", at, plan_ints(plan, &zero, 1));
	at = PLAN_OP(plan, "Min", at, plan_ints(plan, &last, 1));
	return table_expand(t, PLAN_OP(plan, "Gather", table, at));
}

plan_ref solve_band(struct fit_table *t, bool from_end)
{
	struct band b = {.from_end = from_end};
	uint32_t left[FIT_MAX_RANK];
	size_t width = array_width(t->arrays[0]->elem);

	if (axes_left(t, left) != 2)
		return 0;
	for (uint32_t k = 0; k < t->rank; k++) {
		if (k != left[0] && k != left[1] && seen_dim(t, 0, k) != 1)
			return 0;
	}
	b.row = left[0];
	b.column = left[1];
	for (uint32_t i = 0; i < t->f->count; i++)
		b.extent = MAX(b.extent, MAX(t->dims[i][b.row], t->dims[i][b.column]));
	b.extent *= 2;
	b.seen = arena_alloc(&t->f->arena, (size_t)b.extent * 2 + 1);
	memset(b.seen, 0, (size_t)b.extent * 2 + 1);
	b.table = arena_alloc(&t->f->arena, ((size_t)b.extent * 2 + 1) * width);
	return fill_band(t, &b) && extend_band(t, &b) ? plan_band(t, &b) : 0;
}

/* ---- a part of the largest table ---- */

static bool is_part(const struct fit_table *t, uint32_t side, uint32_t largest)
{
	int64_t index[FIT_MAX_RANK] = {0};

	do {
		if (!same_element(t->arrays[side], table_at(t, side, index), t->arrays[largest],
				  table_at(t, largest, index)))
			return false;
	} while (table_next(t, side, index));
	return true;
}

plan_ref solve_part(struct fit_table *t)
{
	struct plan *plan = &t->f->plan;
	uint32_t left[FIT_MAX_RANK], count = axes_left(t, left), largest = 0;
	int64_t axes[FIT_MAX_RANK], zeros[FIT_MAX_RANK] = {0};
	struct sym ends[FIT_MAX_RANK];
	plan_ref end, ref;

	for (uint32_t i = 1; count && i < t->f->count; i++)
		largest = t->dims[i][left[0]] > t->dims[largest][left[0]] ? i : largest;
	for (uint32_t i = 0; i < t->f->count; i++) {
		/* One row is a part of anything. */
		for (uint32_t k = 0; k < count; k++) {
			if (t->dims[i][left[k]] < 2 ||
			    t->dims[i][left[k]] > t->dims[largest][left[k]])
				return 0;
		}
		if (!count || !is_part(t, i, largest))
			return 0;
	}
	for (uint32_t k = 0; k < count; k++) {
		axes[k] = left[k];
		ends[k] = t->sizes[left[k]];
	}
	end = plan_sizes(plan, ends, count);
	if (!end)
		return 0;
	ref = PLAN_OP(plan, "Slice", plan_array(plan, table_cut(t, largest, NULL)),
		      plan_ints(plan, zeros, count), end, plan_ints(plan, axes, count));
	for (uint32_t k = 0; k < count; k++)
		fit_bound_size(t->f, ends[k], "<=", t->dims[largest][left[k]]);
	return table_expand(t, ref);
}
