/*
 * Periods of functions of one symbol.
 *
 * Beyond some size, a sum, rounded quotient, maximum or comparison of such functions is a line
 * with a periodic error: period * value = rise * size + e, with e periodic and between lo and
 * hi.  Lines of different slopes part, and the bounds tell from where on.
 */
#include "base/bug.h"
#include "base/num.h"
#include "base/vec.h"
#include "sym/function.h"
#include "sym/sym.h"
#include "sym/terms.h"

enum {
	PERIOD_MAX = 1 << 16
};

struct line {
	int64_t period;
	int64_t rise; /* in one period */
	int64_t lo, hi;
	int64_t start;
	bool ok;
};

static struct line line_constant(int64_t value)
{
	return (struct line){.period = 1, .lo = value, .hi = value, .ok = true};
}

/* The same function with a multiple of its period. */
static bool line_stretch(struct line *a, int64_t times)
{
	return num_imul(a->period, times, &a->period) && a->period <= PERIOD_MAX &&
	       num_imul(a->rise, times, &a->rise) && num_imul(a->lo, times, &a->lo) &&
	       num_imul(a->hi, times, &a->hi);
}

/* Gives both one period and one start. */
static bool line_match(struct line *a, struct line *b)
{
	int64_t pa = a->period, pb = b->period, g;

	if (!a->ok || !b->ok)
		return false;
	g = (int64_t)num_gcd((uint64_t)pa, (uint64_t)pb);
	a->start = b->start = MAX(a->start, b->start);
	return line_stretch(a, pb / g) && line_stretch(b, pa / g);
}

static bool line_scale(struct line *a, int64_t by)
{
	int64_t lo = by < 0 ? a->hi : a->lo, hi = by < 0 ? a->lo : a->hi;

	return num_imul(a->rise, by, &a->rise) && num_imul(lo, by, &a->lo) &&
	       num_imul(hi, by, &a->hi);
}

/* a += b */
static bool line_add(struct line *a, struct line b)
{
	return line_match(a, &b) && num_iadd(a->rise, b.rise, &a->rise) &&
	       num_iadd(a->lo, b.lo, &a->lo) && num_iadd(a->hi, b.hi, &a->hi);
}

static bool line_subtract(struct line *a, struct line b)
{
	return line_scale(&b, -1) && line_add(a, b);
}

/* A line that is always the same integer. */
static bool line_is_constant(const struct line *a, int64_t *out)
{
	*out = a->lo / a->period;
	return a->rise == 0 && a->lo == a->hi;
}

/* Moves the start to where a rising line is at least `min`, which is small. */
static bool line_start_above(const struct line *a, int64_t min, int64_t *start)
{
	int64_t missing;

	BUG_ON(a->rise <= 0);
	if (!num_isub(min * a->period, a->lo, &missing))
		return false;
	if (missing > 0)
		*start = MAX(*start, missing / a->rise + (missing % a->rise != 0));
	return true;
}

/* The same for a line that falls to `max` or below. */
static bool line_start_below(struct line a, int64_t max, int64_t *start)
{
	return line_scale(&a, -1) && line_start_above(&a, -max, start);
}

/* Moves the start to where a line that is not level keeps its sign, and is not 0. */
static bool line_start_sign(const struct line *a, int64_t *start)
{
	return a->rise > 0 ? line_start_above(a, 1, start) : line_start_below(*a, -1, start);
}

static bool line_start_beyond_1(const struct line *a, int64_t *start)
{
	return a->rise > 0 ? line_start_above(a, 2, start) : line_start_below(*a, 0, start);
}

/* floor(a/m), m > 0 */
static bool line_floor(struct line *a, int64_t m)
{
	int64_t times = m / (int64_t)num_gcd(sym_magnitude(a->rise), (uint64_t)m);
	int64_t below;

	if (!line_stretch(a, times) || !num_imul(a->period, m - 1, &below) ||
	    !num_isub(a->lo, below, &a->lo) || a->lo == INT64_MIN)
		return false;
	a->rise /= m;
	a->lo = -sym_floor_int(-a->lo, m);
	a->hi = sym_floor_int(a->hi, m);
	return true;
}

static bool line_trunc(struct line *a, int64_t m)
{
	int64_t most;

	if (a->rise > 0)
		return line_start_above(a, 0, &a->start) && line_floor(a, m);
	if (a->rise < 0)
		return line_start_below(*a, 0, &a->start) && line_scale(a, -1) &&
		       line_floor(a, m) && line_scale(a, -1);
	if (a->lo == INT64_MIN || a->hi == INT64_MIN)
		return false;
	most = MAX(MAX(a->hi, -a->hi), MAX(a->lo, -a->lo));
	/* A constant stays one; the bounds of others need not be tight. */
	if (a->lo == a->hi)
		a->lo = a->hi = a->lo / a->period / m * a->period;
	else
		a->lo = -most, a->hi = most;
	return true;
}

/* a = max(a, b) */
static bool line_max(struct line *a, struct line b)
{
	struct line apart;

	if (!line_match(a, &b))
		return false;
	apart = *a;
	if (!line_subtract(&apart, b))
		return false;
	if (apart.rise > 0)
		return line_start_above(&apart, 0, &a->start);
	if (apart.rise < 0) {
		b.start = a->start;
		*a = b;
		return line_start_below(apart, 0, &a->start);
	}
	a->lo = MAX(a->lo, b.lo);
	a->hi = MAX(a->hi, b.hi);
	return true;
}

static bool line_min(struct line *a, struct line b)
{
	return line_scale(a, -1) && line_scale(&b, -1) && line_max(a, b) && line_scale(a, -1);
}

/* a = broadcast(a, b); it may lack a value, at the same sizes in each period. */
static bool line_broadcast(struct line *a, struct line b)
{
	struct line apart;

	if (!line_match(a, &b))
		return false;
	apart = *a;
	if (!line_subtract(&apart, b))
		return false;
	/* Lines that are not level leave 1 behind, and lines that part are not equal. */
	if ((a->rise && !line_start_beyond_1(a, &a->start)) ||
	    (b.rise && !line_start_beyond_1(&b, &a->start)) ||
	    (apart.rise && !line_start_sign(&apart, &a->start)))
		return false;
	if (b.rise && !a->rise) {
		b.start = a->start;
		*a = b;
	} else if (!b.rise && !a->rise) {
		a->lo = MIN(a->lo, b.lo);
		a->hi = MAX(a->hi, b.hi);
	}
	return true;
}

/* a *= b; one of them must be constant, or both level. */
static bool line_multiply(struct line *a, struct line b)
{
	int64_t by, ends[4];

	if (!line_match(a, &b))
		return false;
	if (line_is_constant(&b, &by))
		return line_scale(a, by);
	if (line_is_constant(a, &by)) {
		*a = b;
		return line_scale(a, by);
	}
	if (a->rise || b.rise || !num_imul(a->lo, b.lo, &ends[0]) ||
	    !num_imul(a->lo, b.hi, &ends[1]) || !num_imul(a->hi, b.lo, &ends[2]) ||
	    !num_imul(a->hi, b.hi, &ends[3]))
		return false;
	a->lo = a->hi = ends[0];
	for (size_t i = 1; i < ARRAY_LEN(ends); i++) {
		a->lo = MIN(a->lo, ends[i]);
		a->hi = MAX(a->hi, ends[i]);
	}
	if (a->hi == INT64_MIN)
		return false;
	a->lo = sym_floor_int(a->lo, a->period);
	a->hi = -sym_floor_int(-a->hi, a->period);
	return true;
}

static bool line_sum(const struct line *done, const struct sym_step *step,
		     const struct sym_operand *o, struct line *out)
{
	*out = line_constant(step->number);
	for (size_t i = 0; i < step->count; i++) {
		struct line part = done[o[i].step];

		if (!part.ok || !line_scale(&part, o[i].number) || !line_add(out, part))
			return false;
	}
	return true;
}

static bool line_product(const struct line *done, const struct sym_step *step,
			 const struct sym_operand *o, struct line *out)
{
	*out = line_constant(1);
	for (size_t i = 0; i < step->count; i++) {
		for (int64_t k = 0; k < o[i].number; k++) {
			if (!line_multiply(out, done[o[i].step]))
				return false;
		}
	}
	return true;
}

static bool line_quotient(const struct line *done, const struct sym_step *step,
			  const struct sym_operand *o, struct line *out)
{
	const struct line *divisor = &done[o[1].step];
	int64_t m;

	*out = done[o[0].step];
	if (!out->ok || !divisor->ok || !line_is_constant(divisor, &m) || m <= 0)
		return false;
	out->start = MAX(out->start, divisor->start);
	return step->kind == SYM_KIND_FLOOR ? line_floor(out, m) : line_trunc(out, m);
}

static bool line_members(const struct line *done, const struct sym_step *step,
			 const struct sym_operand *o, struct line *out)
{
	bool ok = done[o[0].step].ok;

	*out = done[o[0].step];
	for (size_t i = 1; ok && i < step->count; i++) {
		struct line next = done[o[i].step];

		if (step->kind == SYM_KIND_MAX)
			ok = line_max(out, next);
		else if (step->kind == SYM_KIND_MIN)
			ok = line_min(out, next);
		else
			ok = line_broadcast(out, next);
	}
	return ok;
}

/* Is a zero, or not negative? */
static bool line_test(struct line a, enum sym_kind kind, struct line *out)
{
	bool never = a.hi < 0, always = a.lo >= 0;

	*out = a;
	if (!a.ok)
		return false;
	out->rise = 0;
	out->lo = 0;
	out->hi = a.period;
	if (a.rise) {
		never = kind == SYM_KIND_ZERO || a.rise < 0;
		always = !never;
		if (!line_start_sign(&a, &out->start))
			return false;
	} else if (kind == SYM_KIND_ZERO) {
		never = a.lo > 0 || a.hi < 0;
		always = a.lo == 0 && a.hi == 0;
	}
	if (never)
		out->hi = 0;
	else if (always)
		out->lo = out->hi;
	return true;
}

static bool line_select(struct line condition, struct line a, struct line b, struct line *out)
{
	if (!condition.ok)
		return false;
	if (condition.rise || condition.lo > 0 || condition.hi < 0 ||
	    (condition.lo == 0 && condition.hi == 0)) {
		*out = condition.rise || condition.lo || condition.hi ? a : b;
		if (!line_match(out, &condition))
			return false;
		return !condition.rise || line_start_sign(&condition, &out->start);
	}
	if (!line_match(&a, &b) || !line_match(&a, &condition) || !line_match(&a, &b) ||
	    a.rise != b.rise)
		return false;
	*out = a;
	out->lo = MIN(a.lo, b.lo);
	out->hi = MAX(a.hi, b.hi);
	return true;
}

static bool line_step(const struct sym_function *f, const struct line *done, size_t i,
		      struct line *out)
{
	const struct sym_step *step = &f->steps.at[i];
	const struct sym_operand *o = step->count ? f->operands.at + step->first : NULL;

	switch ((enum sym_kind)step->kind) {
	case SYM_KIND_INT:
		*out = line_constant(step->number);
		return true;
	case SYM_KIND_SYMBOL:
		*out = (struct line){.period = 1, .rise = 1, .ok = true};
		return true;
	case SYM_KIND_SUM:
		return line_sum(done, step, o, out);
	case SYM_KIND_PRODUCT:
		return line_product(done, step, o, out);
	case SYM_KIND_FLOOR:
	case SYM_KIND_TRUNC:
		return line_quotient(done, step, o, out);
	case SYM_KIND_MAX:
	case SYM_KIND_MIN:
	case SYM_KIND_BROADCAST:
		return line_members(done, step, o, out);
	case SYM_KIND_ZERO:
	case SYM_KIND_NATURAL:
		return line_test(done[o[0].step], (enum sym_kind)step->kind, out);
	case SYM_KIND_SELECT:
		return line_select(done[o[0].step], done[o[1].step], done[o[2].step], out);
	case SYM_KIND_UNKNOWN:
	case SYM_KIND_CUT:
	case SYM_KIND_FCONST:
	case SYM_KIND_FCAST:
	case SYM_KIND_FOP:
	case SYM_KIND_COUNT:
		break;
	}
	return false;
}

bool sym_function_period(const struct sym_function *f, int64_t *out_period, int64_t *out_start)
{
	VEC(struct line) done = {0};
	struct line last;

	for (size_t i = 0; i < f->steps.len; i++) {
		struct line next = {0};

		next.ok = line_step(f, done.at, i, &next);
		vec_push(&done, next);
	}
	last = *vec_last(&done);
	vec_release(&done);
	if (!last.ok)
		return false;
	*out_period = last.period;
	*out_start = last.start;
	return true;
}
