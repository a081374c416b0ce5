/*
 * Constants that number the positions of an axis, and so can be computed for any size.
 */
#include <inttypes.h>
#include <math.h>

#include "base/arena.h"
#include "base/num.h"
#include "flow/array.h"
#include "flow/axis.h"
#include "flow/cause.h"
#include "flow/follow.h"
#include "flow/plan.h"
#include "flow/sums.h"
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

bool follow_whole(const struct array *a, uint64_t i, int64_t *out)
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

uint64_t follow_base(const struct digits *d, uint64_t i)
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

	return follow_whole(&d->array, base, &first) &&
	       follow_whole(&d->array, base + (uint64_t)d->at[digit].stride, &second) &&
	       num_isub(second, first, out);
}

/* Is every element base + step*position, with steps that may depend on the numbers? */
static bool is_affine(const struct digits *d)
{
	for (uint64_t i = 0; i < d->array.count; i++) {
		uint64_t base = follow_base(d, i);
		int64_t sum, value, step, part;

		if (!follow_whole(&d->array, base, &sum) || !follow_whole(&d->array, i, &value))
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

		if (follow_base(d, i) == i && (!step_at(d, digit, i, &other) || other != step))
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
	int64_t other = 0;

	(void)step_at(d, d->varying[k], 0, &s.number);
	s.uniform = is_uniform(d, d->varying[k], s.number);
	s.size = sym_int(&p->in->pool, s.number);
	if (d->varying_count == 2) {
		(void)step_at(d, d->varying[1 - k], 0, &other);
		opposite = other == -s.number && sym_same(d->at[d->varying[0]].factor.size,
							  d->at[d->varying[1]].factor.size);
	}
	if (!s.uniform) {
		s.bad = g->size < 3 ? "has two numbers along the axis, which show no progression"
				    : NULL;
		return s;
	}
	if (s.number == inner_old(d, k + 1) && s.number > 0) {
		s.size = sym_int(&p->in->pool, 1);
		for (uint32_t j = k + 1; j < d->varying_count; j++)
			s.size = sym_mul(&p->in->pool, s.size, d->at[d->varying[j]].factor.size);
	} else if ((s.number > 1 || s.number < -1) &&
		   is_old_size(d, s.number < 0 ? -s.number : s.number, g->factor.symbols)) {
		s.bad = "steps by the old size of another axis";
	} else if (g->size == 2 && s.number != 1) {
		s.bad = "has two numbers along the axis, which show no progression";
	} else if (s.number < 0 && !opposite) {
		s.bad = "descends along the axis";
	}
	return s;
}

/* Steps that depend on numbers (a grid's scale): none may be an old size, or descend. */
static const char *judge_steps(const struct digits *d, uint32_t digit)
{
	for (uint64_t i = 0; i < d->array.count; i++) {
		int64_t step = 0;

		if (follow_base(d, i) != i)
			continue;
		(void)step_at(d, digit, i, &step);
		if (step < 0 || (step > 1 && is_old_size(d, step, 0)))
			return "steps by an old size, or descends, along the axis";
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

				if (follow_base(d, i) == i &&
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

		if (follow_base(d, i) != i)
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

plan_ref follow_cast(struct plan *p, plan_ref ref, int32_t elem)
{
	if (elem == ELEM_INT64 || !ref)
		return ref;
	return plan_op_attr(p, "Cast", &ref, 1, (struct plan_attr){"to", elem});
}

/* All bases, if they are one number. */
static bool single_base(const struct digits *d, int64_t *out)
{
	for (uint64_t i = 0; i < d->array.count; i++) {
		int64_t other;

		if (follow_base(d, i) != i)
			continue;
		if (!follow_whole(&d->array, i, &other) || (i && other != *out))
			return false;
		*out = other;
	}
	return d->array.count;
}

/* Positions that come after a freed size begin there: *out is what to add to the base. */
static enum series begin_after(struct digits *d, int64_t base, plan_ref *out)
{
	struct visit *v = d->visit;
	struct pass *p = v->pass;
	uint32_t bit;

	if (!sum_before(p, d->at[d->varying[0]].factor.size, &bit) || base < p->old[bit])
		return SERIES_NONE;
	if (base > p->old[bit]) {
		(void)flow_refuse(
			v, CAUSE_MEANT,
			"input %" PRIu32 " counts from %" PRId64 ", perhaps from %s + %" PRId64,
			d->port, base, flow_text(p, sum_size(p, bit)), base - p->old[bit]);
		return SERIES_REFUSED;
	}
	*out = PLAN_OP(&p->plan, "Sub", plan_size(&p->plan, sum_size(p, bit)),
		       plan_ints(&p->plan, &base, 1));
	flow_assume(v, "input %" PRIu32 " counts from %s, which was %" PRId64, d->port,
		    flow_text(p, sum_size(p, bit)), base);
	flow_mix(v, UINT64_C(1) << bit, "a constant counts from it");
	v->in[d->port].numbered |= UINT64_C(1) << bit;
	return SERIES_MADE;
}

/* Distances from the last position end at 0, or at -1, whatever the size is. */
static enum series end_at_last(struct digits *d, int64_t base, plan_ref *out)
{
	struct visit *v = d->visit;
	struct pass *p = v->pass;
	const struct factor *f = &d->at[d->varying[0]].factor;
	int64_t last = base + f->old - 1;

	if (last != 0 && last != -1) {
		(void)flow_refuse(v, CAUSE_MEANT,
				  "input %" PRIu32 " counts from %" PRId64 ", perhaps an old size",
				  d->port, base);
		return SERIES_REFUSED;
	}
	*out = PLAN_OP(&p->plan, "Sub", plan_ints(&p->plan, &f->old, 1),
		       plan_size(&p->plan, f->size));
	flow_assume(v, "input %" PRIu32 " counts up to %" PRId64, d->port, last);
	return SERIES_MADE;
}

/* Where the positions begin for other sizes: *out is what to add to the base; 0 for nothing. */
static bool find_begin(struct digits *d, const struct step *step, plan_ref *out)
{
	int64_t base = 0, old = d->at[d->varying[0]].factor.old;

	*out = 0;
	if (d->varying_count != 1 || !step->uniform || step->number != 1 ||
	    !single_base(d, &base) || base == 0)
		return true;
	if (base == old && old > 2)
		return flow_refuse(d->visit, CAUSE_MEANT,
				   "input %" PRIu32 " counts from %" PRId64 ", which is its size",
				   d->port, base);
	return (base < 0 ? end_at_last(d, base, out) : begin_after(d, base, out)) != SERIES_REFUSED;
}

enum series follow_progression(struct digits *d)
{
	struct plan *p = &d->visit->pass->plan;
	struct step steps[RULE_MAX_RANK];
	plan_ref begin;

	if (!is_affine(d))
		return SERIES_NONE;
	if (is_product_table(d)) {
		(void)follow_refuse_rows(d, &d->at[d->varying[0]]);
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
		(void)flow_refuse(d->visit, CAUSE_MEANT, "input %" PRIu32 " %s", d->port,
				  steps[k].bad);
		return SERIES_REFUSED;
	}
	d->made = plan_bases(d, UINT32_MAX);
	if (!find_begin(d, &steps[0], &begin))
		return SERIES_REFUSED;
	if (begin)
		d->made = PLAN_OP(p, "Add", d->made, follow_cast(p, begin, d->array.elem));
	for (uint32_t k = 0; k < d->varying_count; k++) {
		plan_ref positions = follow_positions(d, d->varying[k], ELEM_INT64);

		if (!steps[k].uniform)
			positions = PLAN_OP(p, "Mul", positions, plan_bases(d, d->varying[k]));
		else if (!sym_is(steps[k].size, 1))
			positions = PLAN_OP(p, "Mul", positions, plan_size(p, steps[k].size));
		d->made = PLAN_OP(p, "Add", d->made, follow_cast(p, positions, d->array.elem));
		d->visit->in[d->port].numbered |= d->at[d->varying[k]].factor.symbols;
	}
	flow_assume(d->visit, "input %" PRIu32 " goes on counting as it begins", d->port);
	plan_note(p, d->visit->id, "input %" PRIu32 " numbers the positions: computed by Range",
		  d->port);
	return SERIES_MADE;
}
