/*
 * Constants that number the positions of an axis, and so can be computed for any size.
 */
#include <inttypes.h>
#include <math.h>

#include "base/arena.h"
#include "base/num.h"
#include "flow/array.h"
#include "flow/follow.h"
#include "flow/plan.h"
#include "flow/visit.h"
#include "ir/type.h"
#include "ops/info.h"
#include "sym/sym.h"

plan_ref follow_positions(struct digits *d, uint32_t digit, int32_t elem)
{
	struct plan *p = &d->visit->pass->plan;
	int64_t shape[RULE_MAX_RANK];
	plan_ref ref = plan_range(p, d->at[digit].factor.size);

	for (uint32_t i = 0; i < d->count; i++)
		shape[i] = i == digit ? -1 : 1;
	if (elem != ELEM_INT64 && ref)
		ref = plan_op_attr(p, "Cast", &ref, 1, (struct plan_attr){"to", elem});
	return PLAN_OP(p, "Reshape", ref, plan_ints(p, shape, d->count));
}

/* Element i as an integer, also of a float that is one. */
static bool whole_number(const struct array *a, uint64_t i, int64_t *out)
{
	double real;

	if (a->elem == ELEM_BOOL)
		return false;
	if (array_int(a, i, out))
		return true;
	real = array_real(a, i);
	if (!(fabs(real) < 0x1p52) || real != floor(real))
		return false;
	*out = (int64_t)real;
	return true;
}

/* The element with the same numbers, and the varying digits at 0. */
static uint64_t base_index(const struct digits *d, uint64_t i)
{
	for (uint32_t k = 0; k < d->varying_count; k++) {
		const struct digit *g = &d->at[d->varying[k]];

		i -= i / (uint64_t)g->stride % (uint64_t)g->size * (uint64_t)g->stride;
	}
	return i;
}

/* The step along a varying digit, beside this base. */
static bool step_at(const struct digits *d, uint32_t digit, uint64_t base, int64_t *out)
{
	int64_t first, second;

	return whole_number(&d->array, base, &first) &&
	       whole_number(&d->array, base + (uint64_t)d->at[digit].stride, &second) &&
	       num_isub(second, first, out);
}

/* Is every element base + step*position, with steps that may depend on the numbers? */
static bool is_affine(const struct digits *d)
{
	for (uint64_t i = 0; i < d->array.count; i++) {
		uint64_t base = base_index(d, i);
		int64_t sum, value, step, part;

		if (!whole_number(&d->array, base, &sum) || !whole_number(&d->array, i, &value))
			return false;
		for (uint32_t k = 0; k < d->varying_count; k++) {
			const struct digit *g = &d->at[d->varying[k]];
			int64_t position = (int64_t)(i / (uint64_t)g->stride % (uint64_t)g->size);

			if (!step_at(d, d->varying[k], base, &step) ||
			    !num_imul(step, position, &part) || !num_iadd(sum, part, &sum))
				return false;
		}
		if (sum != value)
			return false;
	}
	return true;
}

static bool is_uniform(const struct digits *d, uint32_t digit, int64_t step)
{
	for (uint64_t i = 0; i < d->array.count; i++) {
		int64_t other;

		if (base_index(d, i) == i && (!step_at(d, digit, i, &other) || other != step))
			return false;
	}
	return true;
}

static bool is_old_size(const struct digits *d, int64_t step, uint64_t except)
{
	const struct pass *p = d->visit->pass;

	for (uint32_t i = 0; i < p->factory.symbol_count; i++) {
		if (p->old[i] == step && !(except >> i & 1))
			return true;
	}
	return false;
}

static int64_t inner_old(const struct digits *d, uint32_t from)
{
	int64_t product = 1;

	for (uint32_t k = from; k < d->varying_count; k++)
		product *= d->at[d->varying[k]].factor.old;
	return from < d->varying_count ? product : 0;
}

/* What a step along a digit is for other sizes; NULL text: it is known. */
struct step {
	bool uniform;
	int64_t number;
	struct sym size; /* of a uniform one */
	const char *bad; /* a literal; NULL when it is certain */
};

static struct step judge_step(struct digits *d, uint32_t k)
{
	struct pass *p = d->visit->pass;
	const struct digit *g = &d->at[d->varying[k]];
	struct step s = {0};
	bool opposite = false;
	int64_t other;

	(void)step_at(d, d->varying[k], 0, &s.number);
	s.uniform = is_uniform(d, d->varying[k], s.number);
	s.size = sym_int(&p->in->pool, s.number);
	if (d->varying_count == 2) {
		(void)step_at(d, d->varying[1 - k], 0, &other);
		opposite = other == -s.number && sym_same(d->at[d->varying[0]].factor.size,
							  d->at[d->varying[1]].factor.size);
	}
	if (!s.uniform) {
		s.bad = g->size < 3 ? "two numbers along the axis are no proof of a progression"
				    : NULL;
		return s;
	}
	if (s.number == inner_old(d, k + 1) && s.number > 0) {
		s.size = sym_int(&p->in->pool, 1);
		for (uint32_t j = k + 1; j < d->varying_count; j++)
			s.size = sym_mul(&p->in->pool, s.size, d->at[d->varying[j]].factor.size);
	} else if ((s.number > 1 || s.number < -1) &&
		   is_old_size(d, s.number < 0 ? -s.number : s.number, g->factor.symbols)) {
		s.bad = "a constant steps by the old size of another axis";
	} else if (g->size == 2 && s.number != 1) {
		s.bad = "two numbers along the axis are no proof of a progression";
	} else if (s.number < 0 && !opposite) {
		s.bad = "a constant descends along the axis";
	}
	return s;
}

/* Steps that depend on numbers (a grid's scale): none may be an old size, or descend. */
static const char *judge_steps(const struct digits *d, uint32_t digit)
{
	for (uint64_t i = 0; i < d->array.count; i++) {
		int64_t step = 0;

		if (base_index(d, i) != i)
			continue;
		(void)step_at(d, digit, i, &step);
		if (step < 0 || (step > 1 && is_old_size(d, step, 0)))
			return "a constant steps by an old size, or descends, along the axis";
	}
	return NULL;
}

/* Does the base differ along a number of the same axis?  Then it hides a stride. */
static bool is_product_table(const struct digits *d)
{
	for (uint32_t k = 0; k < d->varying_count; k++) {
		for (uint32_t q = 0; q < d->count; q++) {
			const struct digit *g = &d->at[q];

			if (g->axis != d->at[d->varying[k]].axis || g->follows || g->size == 1)
				continue;
			for (uint64_t i = 0; i < d->array.count; i++) {
				uint64_t at = i / (uint64_t)g->stride % (uint64_t)g->size;

				if (base_index(d, i) == i &&
				    !array_same(&d->array, i, i - at * (uint64_t)g->stride))
					return true;
			}
		}
	}
	return false;
}

/* An array over the digits, the varying ones at one position. */
static plan_ref plan_bases(struct digits *d, uint32_t stepped)
{
	struct pass *p = d->visit->pass;
	size_t width = array_width(d->array.elem);
	int64_t *dims = arena_array(&p->arena, d->count, int64_t);
	struct array a = {.elem = ELEM_INT64, .rank = d->count, .dims = dims};
	unsigned char *bytes = arena_alloc(&p->arena, d->array.count * 8 + 1);

	for (uint32_t i = 0; i < d->count; i++)
		dims[i] = d->at[i].varies ? 1 : d->at[i].size;
	for (uint64_t i = 0; i < d->array.count; i++) {
		int64_t step = 0;

		if (base_index(d, i) != i)
			continue;
		if (stepped == UINT32_MAX) {
			for (size_t b = 0; b < width; b++)
				bytes[a.count * width + b] = d->array.bytes[i * width + b];
		} else {
			(void)step_at(d, stepped, i, &step);
			for (size_t b = 0; b < 8; b++)
				bytes[a.count * 8 + b] = (unsigned char)((uint64_t)step >> (8 * b));
		}
		a.count++;
	}
	a.bytes = bytes;
	if (stepped == UINT32_MAX)
		a.elem = d->array.elem;
	return plan_array(&p->plan, a);
}

static plan_ref cast_positions(struct plan *p, plan_ref ref, int32_t elem)
{
	if (elem == ELEM_INT64 || !ref)
		return ref;
	return plan_op_attr(p, "Cast", &ref, 1, (struct plan_attr){"to", elem});
}

enum series follow_progression(struct digits *d)
{
	struct plan *p = &d->visit->pass->plan;
	struct step steps[RULE_MAX_RANK];

	if (!is_affine(d))
		return SERIES_NONE;
	if (is_product_table(d)) {
		(void)flow_refuse(d->visit, "a constant is a table along a product of sizes");
		return SERIES_REFUSED;
	}
	for (uint32_t k = 0; k < d->varying_count; k++) {
		steps[k] = judge_step(d, k);
		if (!steps[k].uniform && !steps[k].bad)
			steps[k].bad = judge_steps(d, d->varying[k]);
		if (!steps[k].bad)
			continue;
		/* j - i may be a band, and a table of descending numbers a table. */
		if (steps[k].uniform && steps[k].number == -1)
			return SERIES_NONE;
		(void)flow_refuse(d->visit, "%s", steps[k].bad);
		return SERIES_REFUSED;
	}
	d->made = plan_bases(d, UINT32_MAX);
	for (uint32_t k = 0; k < d->varying_count; k++) {
		plan_ref positions = follow_positions(d, d->varying[k], ELEM_INT64);

		if (!steps[k].uniform)
			positions = PLAN_OP(p, "Mul", positions, plan_bases(d, d->varying[k]));
		else if (!sym_is(steps[k].size, 1))
			positions = PLAN_OP(p, "Mul", positions, plan_size(p, steps[k].size));
		d->made = PLAN_OP(p, "Add", d->made, cast_positions(p, positions, d->array.elem));
		d->visit->in[d->port].numbered |= d->at[d->varying[k]].factor.symbols;
	}
	flow_assume(d->visit, "input %" PRIu32 " goes on counting as it begins", d->port);
	plan_note(p, d->visit->id, "input %" PRIu32 " numbers the positions: computed by Range",
		  d->port);
	return SERIES_MADE;
}

enum series follow_multiples(struct digits *d)
{
	struct plan *p = &d->visit->pass->plan;
	const struct digit *g = &d->at[d->varying[0]];
	uint64_t per_row = d->array.count / (uint64_t)g->size;
	int64_t ignored;
	bool whole = true;

	if (d->varying_count != 1 || g->size < 4 || d->count != d->rank || per_row < 2 ||
	    (d->array.elem != ELEM_FLOAT32 && d->array.elem != ELEM_FLOAT64))
		return SERIES_NONE;
	for (uint64_t i = 0; i < d->array.count; i++) {
		uint64_t position = i / (uint64_t)g->stride % (uint64_t)g->size;
		uint64_t base = i - position * (uint64_t)g->stride;
		double row = array_real(&d->array, base + (uint64_t)g->stride);
		double wanted = d->array.elem == ELEM_FLOAT32
					? (double)((float)position * (float)row)
					: (double)position * row;

		whole = whole && whole_number(&d->array, i, &ignored);
		if (array_real(&d->array, i) != wanted)
			return SERIES_NONE;
	}
	if (whole)
		return SERIES_NONE; /* a progression says more */
	{
		uint32_t axis = d->varying[0];
		int64_t one = 1, end = 2, at = axis;
		plan_ref table = follow_constant(d);
		plan_ref row = PLAN_OP(p, "Slice", table, plan_ints(p, &one, 1),
				       plan_ints(p, &end, 1), plan_ints(p, &at, 1));

		d->made = PLAN_OP(p, "Mul", follow_positions(d, axis, d->array.elem), row);
	}
	plan_note(p, d->visit->id, "input %" PRIu32 " is position times row 1: computed by Range",
		  d->port);
	return SERIES_MADE;
}

/* Does the element depend on j - i only, and go on at both ends as it ends? */
static bool is_band(const struct digits *d, uint64_t *at)
{
	const struct digit *rows = &d->at[d->varying[0]], *columns = &d->at[d->varying[1]];
	int64_t n = rows->size;

	for (int64_t i = 0; i < n; i++) {
		for (int64_t j = 0; j < n; j++) {
			uint64_t here = (uint64_t)(i * rows->stride + j * columns->stride);
			int64_t k = j - i + n - 1;

			if (i == 0 || j == 0)
				at[k] = here;
		}
	}
	for (int64_t i = 0; i < n; i++) {
		for (int64_t j = 0; j < n; j++) {
			uint64_t here = (uint64_t)(i * rows->stride + j * columns->stride);

			if (!array_same(&d->array, here, at[j - i + n - 1]))
				return false;
		}
	}
	return array_same(&d->array, at[0], at[1]) &&
	       array_same(&d->array, at[2 * n - 2], at[2 * n - 3]);
}

enum series follow_band(struct digits *d)
{
	struct plan *p = &d->visit->pass->plan;
	const struct digit *g = &d->at[d->varying[0]];
	int64_t n = g->size, low = 1 - n, high = n - 1, *dims;
	size_t width = array_width(d->array.elem);
	unsigned char *bytes;
	uint64_t *at;
	plan_ref distance;

	if (d->varying_count != 2 || n < 3 || n > 1 << 12 || d->at[d->varying[1]].size != n ||
	    d->array.count != (uint64_t)(n * n) || visit_version(d->visit) < 12 ||
	    !sym_same(g->factor.size, d->at[d->varying[1]].factor.size))
		return SERIES_NONE;
	at = arena_array(&d->visit->pass->arena, (size_t)(2 * n), uint64_t);
	if (!is_band(d, at))
		return SERIES_NONE;
	bytes = arena_alloc(&d->visit->pass->arena, (size_t)(2 * n) * width);
	for (int64_t i = 0; i < 2 * n - 1; i++) {
		for (size_t b = 0; b < width; b++)
			bytes[(size_t)i * width + b] = d->array.bytes[at[i] * width + b];
	}
	dims = arena_array(&d->visit->pass->arena, 1, int64_t);
	dims[0] = 2 * n - 1;
	distance = PLAN_OP(p, "Sub", follow_positions(d, d->varying[1], ELEM_INT64),
			   follow_positions(d, d->varying[0], ELEM_INT64));
	distance = PLAN_OP(p, "Min", PLAN_OP(p, "Max", distance, plan_ints(p, &low, 1)),
			   plan_ints(p, &high, 1));
	distance = PLAN_OP(p, "Add", distance, plan_ints(p, &high, 1));
	d->made = PLAN_OP(p, "Gather",
			  plan_array(p, (struct array){.elem = d->array.elem,
						       .rank = 1,
						       .dims = dims,
						       .count = (uint64_t)dims[0],
						       .bytes = bytes}),
			  distance);
	/* A window that is wider than the old size looks like a triangle. */
	flow_assume(d->visit, "a band of %" PRId64 " goes on as it ends", n);
	plan_note(p, d->visit->id, "input %" PRIu32 " is a band: computed from the distance",
		  d->port);
	return SERIES_MADE;
}
