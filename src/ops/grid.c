#include "ops/grid.h"

#include <inttypes.h>

#include "base/arena.h"
#include "base/num.h"
#include "ir/type.h"
#include "ops/info.h"
#include "sym/float.h"
#include "sym/sym.h"

/* ---- contents as rows and columns ---- */

/* In a contradictory model, an input's contents may not match its shape. */
static bool has_shape(struct rule *r, uint32_t input, const struct grid *g)
{
	const uint32_t sizes[2] = {g->rows, g->columns};
	int64_t size;

	if (!rule_ranked(r, input) || r->in[input].rank != g->rank)
		return false;
	for (uint32_t i = 0; i < g->rank; i++) {
		if (sym_value(r->pool, r->in[input].dims[i], &size) &&
		    size != sizes[2 - g->rank + i])
			return false;
	}
	return true;
}

bool grid_of(struct rule *r, uint32_t input, struct grid *out)
{
	struct contents c = rule_contents(r, input);

	if (!c.at || c.rank > 2 || (c.rank == 2 && (c.rows == 0 || c.count == 0)))
		return false;
	*out = (struct grid){.at = c.at, .rank = c.rank, .rows = 1, .columns = c.count};
	if (c.rank == 2) {
		out->rows = c.rows;
		out->columns = c.count / c.rows;
	}
	return has_shape(r, input, out);
}

bool grid_for(const struct rule *r, uint32_t output, uint32_t max, struct grid *out)
{
	const struct info *info;
	int64_t sizes[2] = {1, 1};

	if (output >= r->out_count)
		return false;
	info = &r->out[output];
	if (info->kind != TYPE_TENSOR || !info->ranked || info->rank > 2)
		return false;
	for (uint32_t i = 0; i < info->rank; i++) {
		int64_t *size = &sizes[2 - info->rank + i];

		if (!sym_value(r->pool, info->dims[i], size) || *size < 0 || *size > max)
			return false;
	}
	if (sizes[0] * sizes[1] > max || (info->rank == 2 && sizes[0] * sizes[1] == 0))
		return false;
	*out = (struct grid){
		.rank = info->rank, .rows = (uint32_t)sizes[0], .columns = (uint32_t)sizes[1]};
	return true;
}

void grid_keep(struct rule *r, uint32_t output, const struct grid *g, const struct sym *at)
{
	struct contents c = {.at = at,
			     .count = g->rows * g->columns,
			     .rank = g->rank,
			     .rows = g->rank == 2 ? g->rows : 0};

	rule_out_contents(r, output, c);
}

void grid_pass(struct rule *r, uint32_t output, uint32_t input)
{
	struct grid to;
	struct contents c;

	if (grid_for(r, output, RULE_MAX_CONSTANTS, &to)) {
		c = rule_contents(r, input);
		if (c.at && c.count == to.rows * to.columns)
			grid_keep(r, output, &to, c.at);
	}
	rule_out_same_bounds(r, output, input);
}

void grid_cut(struct rule *r, uint32_t output, uint32_t input, const int64_t first[2],
	      const int64_t step[2])
{
	struct grid from, to;
	struct sym *at;

	if (!grid_for(r, output, RULE_MAX_VALUES, &to) || !grid_of(r, input, &from))
		return;
	at = rule_values(r, to.rows * to.columns);
	for (uint32_t i = 0; i < to.rows * to.columns; i++) {
		int64_t row, column;

		if (!num_imul(i / to.columns, step[0], &row) || !num_iadd(row, first[0], &row) ||
		    !num_imul(i % to.columns, step[1], &column) ||
		    !num_iadd(column, first[1], &column) || row < 0 || row >= from.rows ||
		    column < 0 || column >= from.columns)
			return;
		at[i] = from.at[row * from.columns + column];
	}
	grid_keep(r, output, &to, at);
}

struct sym number_of(struct rule *r, uint32_t input)
{
	struct contents c = rule_contents(r, input);
	enum sym_float type;

	if (!c.at || c.count != 1)
		return SYM_UNKNOWN;
	return sym_is_float(r->pool, c.at[0], &type) ? sym_cut(r->pool, c.at[0]) : c.at[0];
}

bool index_of(struct rule *r, struct sym entry, int64_t length, int64_t *out)
{
	int64_t at;

	if (!sym_value(r->pool, entry, &at))
		return false;
	if (at < -length || at >= length) {
		rule_error(r, "index %" PRId64 " is out of range for size %" PRId64, at, length);
		return false;
	}
	*out = at < 0 ? at + length : at;
	return true;
}

/* ---- lists ---- */

static struct list list_attribute(struct rule *r, const char *attr)
{
	struct list l = {.given = rule_attr(r, attr) != NULL};
	const int64_t *ints;
	struct sym *at;

	if (!l.given || !rule_attr_ints(r, attr, &ints, &l.count))
		return l;
	l.counted = true;
	if (l.count > RULE_MAX_CONSTANTS)
		return l;
	at = rule_values(r, l.count);
	for (uint32_t i = 0; i < l.count; i++)
		at[i] = rule_int(r, ints[i]);
	l.at = at;
	return l;
}

static struct list list_input(struct rule *r, uint32_t input)
{
	struct list l = {.given = rule_has(r, input)};
	struct contents c;
	int64_t count;

	if (!l.given || !rule_check_rank(r, input, 0, 1))
		return l;
	c = rule_contents(r, input);
	if (c.at && c.rank <= 1) {
		l.at = c.at;
		l.count = c.count;
		l.counted = true;
	} else if (rule_ranked(r, input) && r->in[input].rank == 0) {
		l.count = 1;
		l.counted = true;
	} else if (sym_value(r->pool, rule_dim(r, input, 0), &count) && count >= 0 &&
		   count <= INT32_MAX) {
		l.count = (uint32_t)count;
		l.counted = true;
		l.at = count == 0 ? rule_values(r, 0) : NULL;
	}
	return l;
}

struct list list_get(struct rule *r, const char *attr, uint32_t input, int64_t since)
{
	return input == LIST_NO_INPUT || r->version < since ? list_attribute(r, attr)
							    : list_input(r, input);
}

const uint32_t *list_axes(struct rule *r, const struct list *l, uint32_t rank, bool distinct)
{
	uint32_t *axes;

	if (!l->at || rank > RULE_MAX_RANK)
		return NULL;
	axes = arena_array(r->arena, l->count, uint32_t);
	for (uint32_t i = 0; i < l->count; i++) {
		int64_t axis;

		if (!sym_value(r->pool, l->at[i], &axis) || !rule_axis(r, axis, rank, &axes[i]))
			return NULL;
		for (uint32_t k = 0; distinct && k < i; k++) {
			if (axes[k] != axes[i])
				continue;
			rule_error(r, "axis %" PRId64 " occurs twice", axis);
			return NULL;
		}
	}
	return axes;
}

bool list_axis_set(struct rule *r, const struct list *l, uint32_t rank, bool distinct,
		   uint64_t *out)
{
	const uint32_t *axes = list_axes(r, l, rank, distinct);
	uint64_t set = 0;

	if (!axes)
		return false;
	for (uint32_t i = 0; i < l->count; i++)
		set |= UINT64_C(1) << axes[i];
	*out = set;
	return true;
}

void list_out(struct rule *r, uint32_t output, int32_t elem, const struct list *l)
{
	struct sym *dims;

	if (!l->counted)
		return;
	if (!l->at || l->count > RULE_MAX_RANK) {
		rule_out_rank(r, output, elem, l->count);
		return;
	}
	dims = rule_dims(r, l->count);
	for (uint32_t i = 0; i < l->count; i++) {
		if (check_size(r, l->at[i], "an entry of the shape"))
			dims[i] = l->at[i];
	}
	rule_out(r, output, elem, l->count, dims);
}

/* ---- sizes ---- */

struct sym size_add(struct rule *r, struct sym a, struct sym b)
{
	int64_t m, n, sum;

	if (sym_value(r->pool, a, &m) && sym_value(r->pool, b, &n) && !num_iadd(m, n, &sum)) {
		rule_error(r, "a size overflows 64 bits");
		return SYM_UNKNOWN;
	}
	return sym_add(r->pool, a, b);
}

struct sym size_mul(struct rule *r, struct sym a, struct sym b)
{
	int64_t m, n, product;

	if (sym_value(r->pool, a, &m) && sym_value(r->pool, b, &n) && !num_imul(m, n, &product)) {
		rule_error(r, "a size overflows 64 bits");
		return SYM_UNKNOWN;
	}
	return sym_mul(r->pool, a, b);
}

struct sym size_product(struct rule *r, const struct sym *dims, uint32_t count)
{
	struct sym product = rule_int(r, 1);

	for (uint32_t i = 0; i < count; i++) {
		if (sym_is(dims[i], 0))
			return dims[i];
	}
	for (uint32_t i = 0; i < count; i++)
		product = size_mul(r, product, dims[i]);
	return product;
}

struct sym size_divide(struct rule *r, struct sym a, int64_t b, const char *why)
{
	struct sym by = rule_int(r, b);
	int64_t size;

	if (sym_is_unknown(a) || b <= 0)
		return SYM_UNKNOWN;
	if (sym_value(r->pool, a, &size) && size % b != 0) {
		rule_error(r, "%s: %" PRId64 " is not a multiple of %" PRId64, why, size, b);
		return SYM_UNKNOWN;
	}
	rule_divisible(r, a, by, why);
	return sym_floor_div(r->pool, a, by);
}

bool rank_usable(const struct rule *r, uint32_t input)
{
	return rule_ranked(r, input) && r->in[input].rank <= RULE_MAX_RANK;
}

bool check_int64(struct rule *r, uint32_t input)
{
	int32_t elem = rule_elem(r, input);

	if (elem == ELEM_UNDEFINED || elem == ELEM_INT64)
		return true;
	rule_error(r, "input %" PRIu32 " has element type %s, but int64 is needed", input,
		   elem_info(elem)->name);
	return false;
}

bool check_size(struct rule *r, struct sym s, const char *what)
{
	int64_t value;

	if (!sym_value(r->pool, s, &value) || value >= 0)
		return true;
	rule_error(r, "%s is negative: %" PRId64, what, value);
	return false;
}
