/* Quotients rounded down, exact quotients, and the quotient of two lists of sizes. */
#include <string.h>

#include "base/num.h"
#include "sym/node.h"
#include "sym/poly.h"
#include "sym/pool.h"
#include "sym/sym.h"
#include "sym/terms.h"

/* An admissible order (graded, then by atom): multiplying preserves it, so leading terms divide. */
static int product_order(const struct sym_pool *p, uint64_t a, uint64_t b)
{
	struct sym_factor one_a, one_b;
	const struct sym_factor *fa, *fb;
	size_t na = sym_product_factors(p, a, &one_a, &fa);
	size_t nb = sym_product_factors(p, b, &one_b, &fb);
	uint32_t da = 0, db = 0;

	for (size_t i = 0; i < na; i++)
		da += fa[i].power;
	for (size_t i = 0; i < nb; i++)
		db += fb[i].power;
	if (da != db)
		return da < db ? -1 : 1;
	for (size_t i = 0; i < na && i < nb; i++) {
		if (fa[i].atom != fb[i].atom)
			return fa[i].atom > fb[i].atom ? -1 : 1;
		if (fa[i].power != fb[i].power)
			return fa[i].power < fb[i].power ? -1 : 1;
	}
	return 0;
}

static struct sym_term div_leading(const struct sym_pool *p, const struct sym_term *t, size_t n)
{
	size_t best = 0;

	for (size_t i = 1; i < n; i++) {
		if (product_order(p, t[best].m, t[i].m) < 0)
			best = i;
	}
	return t[best];
}

/* from -= term * by */
static bool subtract_multiple(struct sym_pool *p, struct sym_poly *from, struct sym_term term,
			      const struct sym_view *by)
{
	for (size_t i = 0; i < by->n; i++) {
		int64_t c;
		uint64_t m;

		if (!num_imul(term.c, by->t[i].c, &c) || !num_isub(0, c, &c) ||
		    !sym_product_mul(p, term.m, by->t[i].m, &m) || !sym_poly_add(from, c, m))
			return false;
	}
	return true;
}

static bool term_divide(struct sym_pool *p, struct sym_term a, struct sym_term b,
			struct sym_term *out)
{
	if ((b.c == -1 && a.c == INT64_MIN) || a.c % b.c)
		return false;
	out->c = a.c / b.c;
	return sym_product_div(p, a.m, b.m, &out->m);
}

bool sym_divide(struct sym_pool *p, struct sym a, struct sym b, struct sym *out)
{
	struct sym_poly rest, quotient = {0};
	struct sym_term lead, term;
	struct sym_view vb;
	struct sym made;

	if (sym_is_unknown(a) || sym_is_unknown(b) || sym_is(b, 0) ||
	    sym_is_float_kind(sym_kind(p, a)) || sym_is_float_kind(sym_kind(p, b)))
		return false;
	sym_poly_of(p, a, &rest);
	sym_view(p, b, &vb);
	lead = div_leading(p, vb.t, vb.n);
	for (int steps = 0; rest.n; steps++) {
		if (steps > 2 * SYM_TERMS_MAX ||
		    !term_divide(p, div_leading(p, rest.t, rest.n), lead, &term) ||
		    !sym_poly_add(&quotient, term.c, term.m) ||
		    !subtract_multiple(p, &rest, term, &vb))
			return false;
	}
	made = sym_poly_make(p, &quotient);
	if (sym_is_unknown(made))
		return false;
	*out = made;
	return true;
}

/* A quotient under construction: floor((num) / den), with `whole` taken out of it. */
struct quotient {
	struct sym_poly whole;
	struct sym_poly num;
	bool negated; /* the value is whole - floor(...) */
};

/* Moves the terms that m divides, and the constant's integer part, from num to whole. */
static bool take_whole(struct quotient *q, int64_t m)
{
	struct sym_poly rest = {0};

	for (size_t i = 0; i < q->num.n; i++) {
		struct sym_term t = q->num.t[i];
		int64_t down = t.m == 0 ? sym_floor_int(t.c, m) : t.c / m;

		if (t.m && t.c % m) {
			rest.t[rest.n++] = t;
			continue;
		}
		if (!sym_poly_add(&q->whole, down, t.m))
			return false;
		/* The product cannot overflow: it is between t.c and t.c - m. */
		t.c = t.m ? 0 : (int64_t)((int128)t.c - (int128)down * m);
		if (t.c)
			rest.t[rest.n++] = t;
	}
	q->num = rest;
	return true;
}

/* Divides num's coefficients by g, rounding the constant down. */
static void shrink_down(struct sym_poly *num, int64_t g)
{
	for (size_t i = 0; i < num->n; i++)
		num->t[i].c = num->t[i].m ? num->t[i].c / g : sym_floor_int(num->t[i].c, g);
	if (num->n && num->t[0].c == 0)
		memmove(num->t, num->t + 1, --num->n * sizeof(num->t[0]));
}

/* The only term that is plus or minus a floor; -1 when there is none or several. */
static int lone_floor(const struct sym_pool *p, const struct sym_poly *num)
{
	int found = -1;

	for (size_t i = 0; i < num->n; i++) {
		if (num->t[i].m == 0 || p->nodes[num->t[i].m].kind != SYM_KIND_FLOOR)
			continue;
		if (found >= 0 || (num->t[i].c != 1 && num->t[i].c != -1))
			return -1;
		found = (int)i;
	}
	return found;
}

/*
 * floor((floor(x/q) + b) / n) = floor((x + b*q) / (q*n)) for n > 0, and with a minus
 * before the inner floor, -floor(x/q) = floor((q - 1 - x)/q) for q > 0.
 */
static bool div_fuse(struct sym_pool *p, const struct sym_poly *num, struct sym den,
		     struct sym *out_num, struct sym *out_den)
{
	int i = lone_floor(p, num);
	struct sym_poly rest = *num;
	struct sym x, q, b;

	if (i < 0)
		return false;
	x = sym_args(&p->nodes[num->t[i].m])[0];
	q = sym_args(&p->nodes[num->t[i].m])[1];
	if (!sym_poly_add(&rest, -num->t[i].c, num->t[i].m))
		return false;
	b = sym_poly_make(p, &rest);
	if (sym_is_unknown(b) || !sym_build_mul(p, b, q, &b) || !sym_build_mul(p, q, den, out_den))
		return false;
	if (num->t[i].c == 1)
		return sym_build_add(p, b, x, out_num);
	return sym_is_small(q) && sym_small(q) > 0 && sym_build_sub(p, b, x, &b) &&
	       sym_build_add(p, b, sym_int(p, sym_small(q) - 1), out_num);
}

static bool div_finish(struct sym_pool *p, const struct quotient *q, struct sym rounded,
		       struct sym *out)
{
	struct sym_poly sum = q->whole;

	if (sym_is_unknown(rounded) || !sym_poly_add_scaled(p, &sum, rounded, q->negated ? -1 : 1))
		return false;
	*out = sym_poly_make(p, &sum);
	return !sym_is_unknown(*out);
}

static bool floor_by_int(struct sym_pool *p, struct quotient *q, int64_t m, struct sym *out)
{
	struct sym num, den;
	int64_t g;

	if (!take_whole(q, m))
		return false;
	if (sym_poly_lead(&q->num) == 0)
		return div_finish(p, q, sym_int(p, 0), out);
	g = (int64_t)sym_poly_content(&q->num, (uint64_t)m);
	shrink_down(&q->num, g);
	m /= g;
	if (sym_poly_lead(&q->num) < 0) {
		/* floor(-x/m) = -floor((x + m - 1)/m) */
		if (!sym_poly_scale(&q->num, -1) || !sym_poly_add(&q->num, m - 1, 0))
			return false;
		q->negated = true;
	}
	if (div_fuse(p, &q->num, sym_int(p, m), &num, &den) && sym_build_floor(p, num, den, &num))
		return div_finish(p, q, num, out);
	num = sym_poly_make(p, &q->num);
	if (sym_is_unknown(num))
		return false;
	return div_finish(
		p, q, sym_atom(p, SYM_KIND_FLOOR, 0, (struct sym[]){num, sym_int(p, m)}, 2), out);
}

/* Cancels common factors. */
static bool cancel_common(struct sym_pool *p, struct sym_poly *num, struct sym_poly *den)
{
	uint64_t g = 0, common = den->t[0].m;

	for (size_t i = 0; i < num->n + den->n; i++) {
		struct sym_term t = i < num->n ? num->t[i] : den->t[i - num->n];

		g = num_gcd(g, sym_magnitude(t.c));
		common = sym_product_gcd(p, common, t.m);
	}
	if (g > INT64_MAX)
		return false;
	for (size_t i = 0; i < num->n + den->n; i++) {
		struct sym_term *t = i < num->n ? &num->t[i] : &den->t[i - num->n];

		t->c /= (int64_t)g;
		if (!sym_product_div(p, t->m, common, &t->m))
			return false;
	}
	return true;
}

/* Division may change the order of products. */
static bool sort_terms(struct sym_poly *poly)
{
	struct sym_poly sorted = {0};

	for (size_t i = 0; i < poly->n; i++) {
		if (!sym_poly_add(&sorted, poly->t[i].c, poly->t[i].m))
			return false;
	}
	*poly = sorted;
	return true;
}

/* In lowest terms, the divisor's leading coefficient positive. */
static bool div_normalise(struct sym_pool *p, struct sym_poly *num, struct sym_poly *den)
{
	return cancel_common(p, num, den) && sort_terms(num) && sort_terms(den) &&
	       (sym_poly_lead(den) >= 0 || (sym_poly_scale(num, -1) && sym_poly_scale(den, -1)));
}

/* With a divisor of one term, moves the terms that it divides to whole. */
static bool take_divisible(struct sym_pool *p, struct quotient *q, struct sym_term den)
{
	struct sym_poly rest = {0};

	for (size_t i = 0; i < q->num.n; i++) {
		struct sym_term t;

		if (!term_divide(p, q->num.t[i], den, &t))
			rest.t[rest.n++] = q->num.t[i];
		else if (!sym_poly_add(&q->whole, t.c, t.m))
			return false;
	}
	q->num = rest;
	return true;
}

static bool floor_by_poly(struct sym_pool *p, struct sym a, struct sym b, struct sym *out)
{
	struct quotient q = {0};
	struct sym_poly den;
	struct sym num, fused;

	sym_poly_of(p, a, &q.num);
	sym_poly_of(p, b, &den);
	if (!div_normalise(p, &q.num, &den))
		return false;
	num = sym_poly_make(p, &q.num);
	b = sym_poly_make(p, &den);
	if (sym_is_unknown(num) || sym_is_unknown(b))
		return false;
	if (sym_kind(p, b) == SYM_KIND_INT)
		return sym_build_floor(p, num, b, out);
	/* It may fit in lowest terms. */
	if (sym_divide(p, num, b, out))
		return true;
	sym_poly_of(p, num, &q.num);
	if (den.n == 1 && !take_divisible(p, &q, den.t[0]))
		return false;
	if (q.num.n == 0)
		return div_finish(p, &q, sym_int(p, 0), out);
	/* b = 0 has no value to preserve. */
	if (sym_range(p, b).lo >= 0 && div_fuse(p, &q.num, b, &num, &fused) &&
	    sym_build_floor(p, num, fused, &num))
		return div_finish(p, &q, num, out);
	num = sym_poly_make(p, &q.num);
	if (sym_is_unknown(num))
		return false;
	return div_finish(p, &q, sym_atom(p, SYM_KIND_FLOOR, 0, (struct sym[]){num, b}, 2), out);
}

bool sym_build_floor(struct sym_pool *p, struct sym a, struct sym b, struct sym *out)
{
	struct quotient q = {0};
	int64_t m;

	if (!sym_value(p, b, &m)) {
		if (sym_divide(p, a, b, out))
			return true;
		return floor_by_poly(p, a, b, out);
	}
	if (m == 0) {
		*out = SYM_UNKNOWN;
		return true;
	}
	sym_poly_of(p, a, &q.num);
	if (m < 0 && (m == INT64_MIN || !sym_poly_scale(&q.num, -1)))
		return false;
	return floor_by_int(p, &q, m < 0 ? -m : m, out);
}

struct sym sym_floor_div(struct sym_pool *p, struct sym a, struct sym b)
{
	int64_t x, y;

	if (sym_is_small(a) && sym_is_small(b) && !sym_is(b, 0)) {
		x = sym_small(a);
		y = sym_small(b);
		return sym_int(p, sym_floor_int(x, y));
	}
	return sym_is(b, 1) ? a : sym_apply(p, SYM_OP_FLOOR, a, b);
}

struct sym sym_ceil_div(struct sym_pool *p, struct sym a, struct sym b)
{
	/* The form that the printer shows: one for ceil(a/b) whatever the sign of a. */
	if (sym_range(p, b).lo >= 0)
		return sym_floor_div(p, sym_add(p, a, sym_add_int(p, b, -1)), b);
	return sym_neg(p, sym_floor_div(p, sym_neg(p, a), b));
}

struct sym sym_mod(struct sym_pool *p, struct sym a, struct sym b)
{
	return sym_sub(p, a, sym_mul(p, b, sym_floor_div(p, a, b)));
}
