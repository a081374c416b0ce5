/*
 * Ranges of floats: rounding is monotonic, so bounds stay bounds.
 *
 * NaN has no truncation and stays NaN, so it may be outside.  Infinities count: a minimum
 * can turn them into numbers again.  A lower bound of +0 excludes -0, whose reciprocal is
 * at the other end.
 */
#include <math.h>

#include "sym/float.h"
#include "sym/node.h"
#include "sym/range.h"
#include "sym/sym.h"

struct ends {
	double lo, hi;
};

static const struct ends float_range_all = {-INFINITY, INFINITY};

static struct ends ends_of(const struct sym_pool *p, struct sym s)
{
	return (struct ends){sym_node(p, s)->frange.lo, sym_node(p, s)->frange.hi};
}

static struct ends cast_ends(const struct sym_pool *p, enum sym_float type, struct sym s)
{
	struct ends e = {-INFINITY, INFINITY};
	struct sym_range r;
	enum sym_float from;

	if (sym_is_float(p, s, &from)) {
		e = ends_of(p, s);
	} else {
		r = sym_range(p, s);
		/* (double) may round a bound inwards, as the type rounds the value. */
		if (type == SYM_F32)
			e = (struct ends){(double)(float)r.lo, (double)(float)r.hi};
		else
			e = (struct ends){(double)r.lo, (double)r.hi};
	}
	return (struct ends){sym_float_round(type, e.lo), sym_float_round(type, e.hi)};
}

static bool sided_ends(enum sym_float type, enum sym_fop op, struct ends a, struct ends b,
		       struct ends *out)
{
	double near;

	if (b.lo < 0 || (op != SYM_FOP_MUL && op != SYM_FOP_DIV))
		return false;
	if (op == SYM_FOP_MUL) {
		if (a.lo < 0)
			return false;
		*out = (struct ends){sym_float_step(type, op, a.lo, b.lo),
				     sym_float_step(type, op, a.hi, b.hi)};
		out->lo = isnan(out->lo) ? 0 : out->lo;
		out->hi = isnan(out->hi) ? INFINITY : out->hi;
		return true;
	}
	if (b.lo > 0 || signbit(b.lo) || (a.lo < 0 && a.hi > 0))
		return false;
	near = sym_float_step(type, op, a.lo >= 0 ? a.lo : a.hi, b.hi);
	near = isnan(near) ? 0 : near;
	*out = a.lo >= 0 ? (struct ends){near, INFINITY} : (struct ends){-INFINITY, near};
	return true;
}

static struct ends corner_ends(enum sym_float type, enum sym_fop op, struct ends a, struct ends b)
{
	const double x[4] = {a.lo, a.lo, a.hi, a.hi}, y[4] = {b.lo, b.hi, b.lo, b.hi};
	struct ends e = {INFINITY, -INFINITY};

	if (sided_ends(type, op, a, b, &e))
		return e;
	if (op == SYM_FOP_DIV && b.lo <= 0 && b.hi >= 0)
		return float_range_all;
	for (int i = 0; i < 4; i++) {
		double corner = sym_float_step(type, op, x[i], y[i]);

		if (isnan(corner))
			return float_range_all;
		e.lo = MIN(e.lo, corner);
		e.hi = MAX(e.hi, corner);
	}
	return e;
}

static struct ends binary_ends(enum sym_float type, enum sym_fop op, struct ends a, struct ends b)
{
	struct ends e = corner_ends(type, op, a, b);

	if (op == SYM_FOP_MIN || op == SYM_FOP_MAX) {
		e.lo = sym_float_step(type, op, a.lo, b.lo);
		e.hi = sym_float_step(type, op, a.hi, b.hi);
	}
	/* No operation results in -0 unless an operand is -0 or negative. */
	if (e.lo == 0)
		e.lo = signbit(a.lo) || signbit(b.lo) ? -0.0 : 0.0;
	return e;
}

static struct ends unary_ends(enum sym_float type, enum sym_fop op, struct ends a)
{
	struct ends e = a;

	if (op == SYM_FOP_ABS) {
		e.hi = MAX(fabs(a.lo), fabs(a.hi));
		e.lo = a.lo < 0 && a.hi > 0 ? 0 : MIN(fabs(a.lo), fabs(a.hi));
		return e;
	}
	if (op == SYM_FOP_SQRT && e.lo < 0)
		e.lo = -0.0;
	e.lo = sym_float_step(type, op, e.lo, 0);
	e.hi = e.hi < e.lo ? INFINITY : sym_float_step(type, op, e.hi, 0);
	return e;
}

void sym_chain_know(const struct sym_pool *p, struct sym_node *n)
{
	enum sym_float type = (enum sym_float)(n->aux & 3);
	enum sym_fop op = (enum sym_fop)(n->aux >> 2);
	const struct sym *args = sym_args(n);
	struct ends e = float_range_all;

	if (n->kind == SYM_KIND_FCONST) {
		e.lo = e.hi = *(const double *)n->data;
	} else if (n->kind == SYM_KIND_FCAST) {
		e = cast_ends(p, type, args[0]);
	} else if (n->count == 2) {
		e = binary_ends(type, op, ends_of(p, args[0]), ends_of(p, args[1]));
	} else {
		e = unary_ends(type, op, ends_of(p, args[0]));
	}
	if (!(e.lo <= e.hi))
		e = float_range_all;
	n->frange.lo = e.lo;
	n->frange.hi = e.hi;
	n->exact.value = SYM_UNKNOWN;
	n->exact.shift = 0;
}

struct sym_range sym_chain_cut_range(const struct sym_node *n)
{
	struct sym_range r = SYM_RANGE_ANY;

	if (n->frange.lo >= 0x1p63)
		r.lo = INT64_MAX;
	else if (n->frange.lo > -0x1p63)
		r.lo = (int64_t)n->frange.lo;
	if (n->frange.hi <= -0x1p63)
		r.hi = INT64_MIN;
	else if (n->frange.hi < 0x1p63)
		r.hi = (int64_t)n->frange.hi;
	return r;
}
