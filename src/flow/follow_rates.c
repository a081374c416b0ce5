/*
 * Constants that are a position times a rate, as the angles of rotary positions.
 */
#include <inttypes.h>
#include <math.h>

#include "base/arena.h"
#include "base/base.h"
#include "flow/array.h"
#include "flow/follow.h"
#include "flow/number.h"
#include "flow/plan.h"
#include "flow/sums.h"
#include "flow/visit.h"
#include "ir/type.h"

enum {
	LEAST_ROWS = 4 /* of floats that are multiples of one row */
};

/* The factor that gives these elements, one for each position from `first` on; NAN for none. */
static double find_rate(const struct digits *d, uint64_t base, int64_t first)
{
	const struct digit *g = &d->at[d->varying[0]];
	float rate = (float)(array_real(&d->array, base + (uint64_t)g->stride) /
			     (double)(first + 1));
	float tried[5] = {rate, nextafterf(rate, INFINITY), nextafterf(rate, -INFINITY)};

	tried[3] = nextafterf(tried[1], INFINITY);
	tried[4] = nextafterf(tried[2], -INFINITY);
	for (size_t k = 0; k < ARRAY_LEN(tried); k++) {
		int64_t i = 0;

		while (i < g->size && array_real(&d->array, base + (uint64_t)(i * g->stride)) ==
					      (double)((float)(first + i) * tried[k]))
			i++;
		if (i == g->size)
			return (double)tried[k];
	}
	return NAN;
}

/* The rates, as an array over the digits. */
static bool find_rates(struct digits *d, int64_t first, struct array *out)
{
	struct arena *arena = &d->visit->pass->arena;
	int64_t *dims = arena_array(arena, d->count, int64_t);
	unsigned char *bytes = arena_alloc(arena, d->array.count * sizeof(float) + 1);

	*out = (struct array){.elem = ELEM_FLOAT32, .rank = d->count, .dims = dims, .bytes = bytes};
	for (uint32_t i = 0; i < d->count; i++)
		dims[i] = d->at[i].varies ? 1 : d->at[i].size;
	for (uint64_t i = 0; i < d->array.count; i++) {
		double rate;

		if (follow_base(d, i) != i)
			continue;
		rate = find_rate(d, i, first);
		if (isnan(rate))
			return false;
		number_store(ELEM_FLOAT32, bytes, out->count++, (union number){.f = rate});
	}
	return true;
}

/* Are all elements integers?  Then a progression says more. */
static bool is_whole(const struct digits *d)
{
	int64_t ignored;

	for (uint64_t i = 0; i < d->array.count; i++) {
		if (!follow_whole(&d->array, i, &ignored))
			return false;
	}
	return true;
}

static bool is_table_of_floats(const struct digits *d)
{
	const struct digit *g = &d->at[d->varying[0]];

	return d->varying_count == 1 && g->size >= LEAST_ROWS && d->count == d->rank &&
	       d->array.count / (uint64_t)g->size >= 2 &&
	       (d->array.elem == ELEM_FLOAT32 || d->array.elem == ELEM_FLOAT64) && !is_whole(d);
}

static bool are_multiples(const struct digits *d)
{
	const struct digit *g = &d->at[d->varying[0]];

	for (uint64_t i = 0; i < d->array.count; i++) {
		uint64_t position = i / (uint64_t)g->stride % (uint64_t)g->size;
		uint64_t base = i - position * (uint64_t)g->stride;
		double row = array_real(&d->array, base + (uint64_t)g->stride);
		double wanted = d->array.elem == ELEM_FLOAT32
					? (double)((float)position * (float)row)
					: (double)position * row;

		if (array_real(&d->array, i) != wanted)
			return false;
	}
	return true;
}

/* With a cache, position 0 is that of the first new one. */
static enum series multiples_after(struct digits *d)
{
	struct visit *v = d->visit;
	struct pass *pass = v->pass;
	struct plan *p = &pass->plan;
	struct array rates;
	plan_ref begin;
	uint32_t bit;

	if (d->array.elem != ELEM_FLOAT32 ||
	    !sum_before(pass, d->at[d->varying[0]].factor.size, &bit) ||
	    !find_rates(d, pass->old[bit], &rates))
		return SERIES_NONE;
	begin = PLAN_OP(p, "Add", follow_positions(d, d->varying[0], ELEM_INT64),
			plan_size(p, sum_size(pass, bit)));
	d->made = PLAN_OP(p, "Mul", follow_cast(p, begin, ELEM_FLOAT32), plan_array(p, rates));
	flow_assume(v, "input %" PRIu32 " counts from %s, which was %" PRId64, d->port,
		    flow_text(pass, sum_size(pass, bit)), pass->old[bit]);
	flow_mix(v, UINT64_C(1) << bit, "a constant counts from it");
	plan_note(p, v->id, "input %" PRIu32 " is position times a row: computed by Range",
		  d->port);
	return SERIES_MADE;
}

enum series follow_multiples(struct digits *d)
{
	struct plan *p = &d->visit->pass->plan;
	uint32_t axis = d->varying[0];
	int64_t one = 1, end = 2, at = axis;
	plan_ref row;

	if (!is_table_of_floats(d))
		return SERIES_NONE;
	if (!are_multiples(d))
		return multiples_after(d);
	row = PLAN_OP(p, "Slice", follow_constant(d), plan_ints(p, &one, 1), plan_ints(p, &end, 1),
		      plan_ints(p, &at, 1));
	d->made = PLAN_OP(p, "Mul", follow_positions(d, axis, d->array.elem), row);
	plan_note(p, d->visit->id, "input %" PRIu32 " is position times row 1: computed by Range",
		  d->port);
	return SERIES_MADE;
}
