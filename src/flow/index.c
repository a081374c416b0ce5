#include "flow/index.h"

#include <inttypes.h>

#include "base/arena.h"
#include "flow/array.h"
#include "flow/cause.h"
#include "flow/sums.h"
#include "ir/type.h"
#include "ops/info.h"
#include "sym/sym.h"

void index_shape_init(struct index_shape *s, struct visit *v, uint32_t rank, const int64_t *dims)
{
	*s = (struct index_shape){
		.visit = v, .rank = rank, .dims = dims, .count = 1, .axes = visit_axes(v, rank)};
	for (uint32_t k = 0; k < rank; k++) {
		s->count *= (uint64_t)dims[k];
		s->axes[k] = axis_number(&v->pass->factory, dims[k]);
	}
}

/* How many elements apart neighbours along the axis are. */
static uint64_t shape_stride(const struct index_shape *s, uint32_t axis)
{
	uint64_t stride = 1;

	for (uint32_t k = axis + 1; k < s->rank; k++)
		stride *= (uint64_t)s->dims[k];
	return stride;
}

static int64_t index_position(const struct index_shape *s, uint32_t axis, uint64_t element)
{
	return (int64_t)(element / shape_stride(s, axis) % (uint64_t)s->dims[axis]);
}

bool index_is_item(const struct pass *p, const struct factor *f)
{
	for (uint32_t i = 0; i < p->factory.symbol_count; i++) {
		if (f->symbols == UINT64_C(1) << i && p->old[i] == 1 &&
		    sym_same(f->size, p->in->pool.symbols.at[p->factory.symbols[i]].self))
			return true;
	}
	return false;
}

bool index_item_axis(struct visit *v, const struct factor *item, const struct flow_axis *axes,
		     uint32_t count, uint32_t *out)
{
	uint32_t ones[RULE_MAX_RANK], found = 0, own = 0;

	for (uint32_t k = 0; k < count && k < RULE_MAX_RANK; k++) {
		if (axis_symbols(axes[k]) & item->symbols) {
			if (axes[k].count != 1 || own++)
				return flow_refuse(v, CAUSE_ONE,
						   "an index has %s, which was 1, inside a product",
						   flow_text(v->pass, item->size));
			*out = k;
		}
		if (axes[k].count == 0)
			ones[found++] = k;
	}
	if (own)
		return true;
	if (!found)
		return flow_refuse(
			v, CAUSE_ONE,
			"it indexes %s, which was 1, and no axis of the index can be the item",
			flow_text(v->pass, item->size));
	*out = ones[found == 1 ? 0
			       : flow_choose(v, found, item->symbols,
					     "%s was 1, and may be one of %" PRIu32
					     " axes of an index",
					     flow_text(v->pass, item->size), found)];
	return true;
}

/* ---- refusing ---- */

bool index_refuse_last(struct visit *v, int64_t index, struct flow_axis a)
{
	return flow_refuse(v, CAUSE_LAST,
			   "the index %" PRId64
			   " is the last of %s: it may mean the last, or one round of a loop",
			   index, flow_was(v->pass, a));
}

bool index_refuse_unknown(struct visit *v, struct flow_axis a)
{
	return flow_refuse(v, CAUSE_DATA,
			   "it is indexed as one axis, %s, by numbers that axed cannot tell",
			   flow_was(v->pass, a));
}

bool index_refuse_constant(struct visit *v, struct flow_axis a)
{
	return flow_refuse(
		v, CAUSE_FOLDED,
		"its indices into %s, are constant: axed cannot tell those for other sizes",
		flow_was(v->pass, a));
}

bool index_refuse_target(struct visit *v, uint32_t bit)
{
	return flow_refuse(v, CAUSE_FIXED,
			   "it scatters into a constant of %" PRId64 " %s, which may be %s",
			   v->pass->old[bit], PLURAL(v->pass->old[bit], "row", "rows"),
			   flow_names(v->pass, UINT64_C(1) << bit));
}

/* ---- reading ---- */

/* Does the digit count up (or down) along the axis, and depend on nothing else? */
static bool runs_along(const struct index_shape *s, const int64_t *digits, uint32_t axis,
		       bool reversed)
{
	for (uint64_t i = 0; i < s->count; i++) {
		int64_t at = index_position(s, axis, i);

		if (digits[i] != (reversed ? s->dims[axis] - 1 - at : at))
			return false;
	}
	return true;
}

/* May the digit run along the axis: is it a number yet, or the factor itself? */
static bool may_run(const struct index_shape *s, const struct factor *f, uint32_t axis)
{
	struct flow_axis a = s->axes[axis];

	return s->dims[axis] == f->old && !(s->taken >> axis & 1) &&
	       (!axis_symbols(a) || (a.count == 1 && sym_same(a.at[0].size, f->size)));
}

static bool find_run(const struct index_shape *s, const struct factor *f, struct index_digit *d)
{
	for (uint32_t k = 0; k < s->rank; k++) {
		if (!may_run(s, f, k))
			continue;
		for (int reversed = 0; reversed < 2; reversed++) {
			if (!runs_along(s, d->values, k, reversed))
				continue;
			d->kind = reversed ? DIGIT_REVERSED : DIGIT_RUNS;
			d->axis = k;
			return true;
		}
	}
	return false;
}

/* One position of a freed size for all: one of the first, since the last may have meant the end. */
static bool read_single(struct index_shape *s, struct flow_axis whole, const struct factor *f,
			const struct index_digit *d)
{
	struct visit *v = s->visit;

	for (uint64_t i = 1; i < s->count; i++) {
		if (d->values[i] != d->values[0])
			return index_refuse_constant(v, whole);
	}
	if (s->count && d->values[0] >= f->old - 1)
		return index_refuse_last(v, d->values[0], axis_make(&v->pass->factory, f, 1));
	if (s->count && d->values[0] > 0)
		flow_limit(v, f->size, d->values[0] + 1, true);
	flow_mix(v, f->symbols, "it is indexed");
	return true;
}

static bool read_item(struct index_shape *s, const struct factor *f, struct index_digit *d)
{
	if (!index_is_item(s->visit->pass, f))
		return flow_refuse(s->visit, CAUSE_ONE, "it indexes %s, which was 1",
				   flow_text(s->visit->pass, f->size));
	d->kind = DIGIT_OWN;
	return index_item_axis(s->visit, f, s->axes, s->rank, &d->axis);
}

static bool read_digit(struct index_shape *s, struct flow_axis whole, const struct factor *f,
		       struct index_digit *d)
{
	if (!factor_is_origin(f))
		return true;
	if (f->old == 1) {
		if (!read_item(s, f, d))
			return false;
	} else if (!find_run(s, f, d)) {
		return read_single(s, whole, f, d);
	} else if (f->old == 2) {
		flow_assume(s->visit, "two indices are all positions of %s, which was 2",
			    flow_text(s->visit->pass, f->size));
	}
	if (d->kind == DIGIT_REVERSED)
		flow_mix(s->visit, f->symbols, "it is reversed");
	s->axes[d->axis] = axis_make(&s->visit->pass->factory, f, 1);
	s->taken |= UINT64_C(1) << d->axis;
	return true;
}

bool index_read(struct index_shape *s, struct index_column *c)
{
	struct arena *arena = &s->visit->pass->arena;
	int64_t stride = axis_old(c->axis);

	if (c->axis.count > INDEX_MAX_FACTORS || s->rank > RULE_MAX_RANK)
		return flow_refuse(s->visit, CAUSE_LIMIT, "too many factors");
	for (uint32_t i = 0; i < c->axis.count; i++) {
		int64_t size = c->axis.at[i].old, *values = arena_array(arena, s->count, int64_t);

		stride /= size;
		for (uint64_t k = 0; k < s->count; k++)
			values[k] = c->values[k] / stride % size;
		c->digits[i] = (struct index_digit){.kind = DIGIT_FIXED, .values = values};
		if (!read_digit(s, c->axis, &c->axis.at[i], &c->digits[i]))
			return false;
	}
	return true;
}

/* ---- writing ---- */

plan_ref index_range(struct visit *v, struct sym size, uint32_t axis, uint32_t rank)
{
	int64_t shape[RULE_MAX_RANK];
	plan_ref ref = plan_range(&v->pass->plan, size);

	for (uint32_t k = 0; k < rank; k++)
		shape[k] = k == axis ? -1 : 1;
	return ref ? PLAN_OP(&v->pass->plan, "Reshape", ref, plan_ints(&v->pass->plan, shape, rank))
		   : 0;
}

struct sym *index_sizes(const struct index_shape *s)
{
	struct pass *p = s->visit->pass;
	struct sym *out = arena_array(&p->arena, s->rank, struct sym);

	for (uint32_t k = 0; k < s->rank; k++)
		out[k] = axis_size(&p->factory, s->axes[k]);
	return out;
}

/* The axes that follow are left out: the digit must be equal along them. */
static plan_ref write_fixed(struct index_shape *s, const int64_t *values)
{
	struct pass *p = s->visit->pass;
	int64_t *dims = arena_array(&p->arena, s->rank, int64_t);
	struct array a = {.elem = ELEM_INT64, .rank = s->rank, .dims = dims};
	unsigned char *bytes = arena_alloc(&p->arena, s->count * sizeof(int64_t) + 1);

	for (uint32_t k = 0; k < s->rank; k++)
		dims[k] = axis_symbols(s->axes[k]) ? 1 : s->dims[k];
	for (uint64_t i = 0; i < s->count; i++) {
		uint64_t base = i;

		for (uint32_t k = 0; k < s->rank; k++) {
			if (axis_symbols(s->axes[k]))
				base -= (uint64_t)index_position(s, k, i) * shape_stride(s, k);
		}
		if (values[i] != values[base]) {
			(void)flow_refuse(
				s->visit, CAUSE_FOLDED,
				"its constant indices cannot be computed for other sizes");
			return 0;
		}
		for (unsigned b = 0; base == i && b < sizeof(int64_t); b++)
			bytes[a.count * sizeof(int64_t) + b] =
				(unsigned char)((uint64_t)values[i] >> (8 * b));
		a.count += base == i;
	}
	a.bytes = bytes;
	return plan_array(&p->plan, a);
}

static plan_ref write_digit(struct index_shape *s, const struct factor *f,
			    const struct index_digit *d)
{
	struct plan *p = &s->visit->pass->plan;
	int64_t one = 1;
	plan_ref range, last;

	if (d->kind == DIGIT_FIXED)
		return write_fixed(s, d->values);
	range = index_range(s->visit, f->size, d->axis, s->rank);
	if (!range || d->kind != DIGIT_REVERSED)
		return range;
	last = PLAN_OP(p, "Sub", plan_size(p, f->size), plan_ints(p, &one, 1));
	return PLAN_OP(p, "Sub", last, range);
}

plan_ref index_write(struct index_shape *s, const struct index_column *c)
{
	struct factory *f = &s->visit->pass->factory;
	struct plan *p = &s->visit->pass->plan;
	struct sym *sizes = index_sizes(s);
	plan_ref sum = 0;

	for (uint32_t i = 0; i < c->axis.count; i++) {
		struct flow_axis inner = {c->axis.at + i + 1, c->axis.count - i - 1};
		struct sym stride = axis_size(f, inner);
		plan_ref term = write_digit(s, &c->axis.at[i], &c->digits[i]);

		if (!term)
			return 0;
		if (!sym_is(stride, 1))
			term = PLAN_OP(p, "Mul", term, plan_size(p, stride));
		sum = sum ? PLAN_OP(p, "Add", sum, term) : term;
	}
	if (!sum) /* an axis of size 1: all are 0 */
		sum = write_fixed(s, c->values);
	return sum ? PLAN_OP(p, "Expand", sum, plan_sizes(p, sizes, s->rank)) : 0;
}

/* ---- elements ---- */

const int64_t *index_values(struct visit *v, uint32_t port, int64_t size)
{
	const struct array *a = visit_array(v, port);
	int64_t *values;

	if (!a)
		return NULL;
	values = arena_array(&v->pass->arena, a->count, int64_t);
	for (uint64_t i = 0; i < a->count; i++) {
		if (!array_int(a, i, &values[i]))
			return NULL;
		values[i] += values[i] < 0 ? size : 0;
		if (values[i] < 0 || values[i] >= size)
			return NULL;
	}
	return values;
}

/* ---- positions as indices ---- */

/* How the values change along the axis of an index: by 0, 1 or -1 from each to the next? */
static bool even_step(const struct array *a, const int64_t *values, uint32_t axis, int64_t *out)
{
	int64_t strides[ARRAY_MAX_RANK];
	bool first = true;

	array_strides(a->dims, a->rank, strides);
	*out = 0;
	for (uint64_t i = 0; i < a->count; i++) {
		int64_t step;

		if ((int64_t)i / strides[axis] % a->dims[axis] + 1 == a->dims[axis])
			continue;
		step = values[i + (uint64_t)strides[axis]] - values[i];
		if (!first && step != *out)
			return false;
		*out = step;
		first = false;
	}
	return *out >= -1 && *out <= 1;
}

/* Is some number between the least and the largest missing? */
static bool has_gaps(struct visit *v, const int64_t *values, uint64_t count, int64_t least,
		     int64_t largest)
{
	uint64_t range = (uint64_t)(largest - least) + 1, found = 0;
	bool *seen;

	if (range > count)
		return true;
	seen = arena_array(&v->pass->arena, range, bool);
	for (uint64_t i = 0; i < count; i++) {
		found += !seen[values[i] - least];
		seen[values[i] - least] = true;
	}
	return found != range;
}

/* How far the old size may grow until a value leaves the rows; -1 when that is not known. */
static int64_t room_to_grow(struct visit *v, uint32_t port, const int64_t *values, int64_t rows)
{
	const struct array *a = visit_array(v, port);
	int64_t least = rows, largest = 0, up = 0, down = 0, room = INT64_MAX, step;

	for (uint64_t i = 0; i < a->count; i++) {
		least = MIN(least, values[i]);
		largest = MAX(largest, values[i]);
	}
	if (a->rank > ARRAY_MAX_RANK || !a->count || has_gaps(v, values, a->count, least, largest))
		return -1;
	for (uint32_t k = 0; k < a->rank; k++) {
		if (!axis_symbols(v->in[port].axes[k]))
			continue;
		if (!even_step(a, values, k, &step))
			return 0; /* a bucket, or a distance with a limit: no more than it was */
		up += step > 0;
		down += step < 0;
	}
	if (up)
		room = (rows - 1 - largest) / up;
	if (down)
		room = MIN(room, least / down);
	return up || down ? room : 0;
}

static bool refuse_numbered(struct visit *v, struct sym self)
{
	return flow_refuse(v, CAUSE_FIXED, "positions of %s index an axis that does not follow it",
			   flow_text(v->pass, self));
}

/* Positions of one freed size that begin at another: the last is their sum. */
static bool numbered_sum(struct visit *v, uint32_t port, uint64_t symbols, struct sym *out,
			 int64_t *out_old)
{
	struct pass *p = v->pass;
	const struct track *t = &v->in[port];

	for (uint32_t k = 0; k < t->rank; k++) {
		struct sym size = axis_size(&p->factory, t->axes[k]);
		uint64_t own = axis_symbols(t->axes[k]);
		uint32_t bit;

		if (!own || !sum_before(p, size, &bit) || (own | UINT64_C(1) << bit) != symbols)
			continue;
		*out = sym_add(&p->in->pool, size, sum_size(p, bit));
		*out_old = axis_old(t->axes[k]) + p->old[bit];
		return true;
	}
	return false;
}

/* How many positions there are: the one size of its axes that follow; false when these differ. */
static bool positions_size(struct visit *v, uint32_t port, struct sym *size, int64_t *old)
{
	struct factory *f = &v->pass->factory;
	const struct track *t = &v->in[port];
	bool is_found = false;

	for (uint32_t k = 0; k < t->rank; k++) {
		if (!axis_symbols(t->axes[k]))
			continue;
		if (is_found && !sym_same(axis_size(f, t->axes[k]), *size))
			return false;
		*size = axis_size(f, t->axes[k]);
		*old = axis_old(t->axes[k]);
		is_found = true;
	}
	return true;
}

bool index_check_numbered(struct visit *v, uint32_t port, uint64_t numbered, struct flow_axis axis,
			  bool constant)
{
	struct pass *p = v->pass;
	uint64_t symbols = numbered & ~axis_symbols(axis);
	const int64_t *values;
	int64_t room;
	uint32_t bit = 0;
	struct sym self, sum;
	int64_t old;

	if (!symbols)
		return true;
	while (!(symbols >> bit & 1))
		bit++;
	self = p->in->pool.symbols.at[p->factory.symbols[bit]].self;
	values = axis_symbols(axis) ? NULL : index_values(v, port, axis_old(axis));
	if (values && numbered_sum(v, port, symbols, &sum, &old)) {
		room = room_to_grow(v, port, values, axis_old(axis));
		if (room >= 0)
			flow_limit(v, sum, old + MIN(room, INT32_MAX), false);
		return room >= 0 || refuse_numbered(v, self);
	}
	if (!values || (symbols & (symbols - 1)))
		return refuse_numbered(v, self);
	if (!constant && axis_old(axis) == p->old[bit])
		return refuse_numbered(v, self);
	room = room_to_grow(v, port, values, axis_old(axis));
	if (room < 0)
		return flow_refuse(v, CAUSE_FIXED, "positions of %s index a table with gaps",
				   flow_text(p, self));
	old = p->old[bit];
	sum = sym_mul_int(&p->in->pool, self, p->multiple[bit]);
	if (!positions_size(v, port, &sum, &old))
		return refuse_numbered(v, self);
	flow_limit(v, sum, old + MIN(room, INT32_MAX), false);
	return true;
}
