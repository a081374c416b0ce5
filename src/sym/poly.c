#include "sym/poly.h"

#include "base/num.h"
#include "sym/node.h"
#include "sym/pool.h"
#include "sym/sym.h"

/* ---- max(0, n - 3) + min(3, n) is n ---- */

static bool poly_is_pair(const struct sym_pool *p, const struct sym_term *t, enum sym_kind kind)
{
	return t->m && p->nodes[t->m].kind == kind && p->nodes[t->m].count == 2;
}

/* With max(a, b) = d + max(a', b') the two are a' + b' + d, which is a' + b. */
static bool poly_complement(struct sym_pool *p, uint64_t max, uint64_t min, struct sym *out)
{
	const struct sym *high = sym_args(&p->nodes[max]);
	const struct sym *low = sym_args(&p->nodes[min]);

	for (int swap = 0; swap < 2; swap++) {
		struct sym first = sym_sub(p, high[0], low[swap]);
		struct sym second = sym_sub(p, high[1], low[!swap]);

		if (!sym_is_unknown(first) && sym_same(first, second)) {
			*out = sym_add(p, low[swap], high[1]);
			return !sym_is_unknown(*out);
		}
	}
	return false;
}

static bool join_two(struct sym_pool *p, struct sym_poly *poly, size_t max, size_t min)
{
	struct sym_term high = poly->t[max], low = poly->t[min];
	int64_t times = sym_magnitude(high.c) < sym_magnitude(low.c) ? high.c : low.c;
	struct sym whole;

	/* Such pairs come from a size split in two; the excess coefficient stays. */
	return (high.c < 0) == (low.c < 0) && poly_complement(p, high.m, low.m, &whole) &&
	       sym_poly_add(poly, -times, high.m) && sym_poly_add(poly, -times, low.m) &&
	       sym_poly_add_scaled(p, poly, whole, times);
}

static bool join_one(struct sym_pool *p, struct sym_poly *poly)
{
	for (size_t i = 0; i < poly->n; i++) {
		for (size_t k = 0; poly_is_pair(p, &poly->t[i], SYM_KIND_MAX) && k < poly->n; k++) {
			if (poly_is_pair(p, &poly->t[k], SYM_KIND_MIN) && join_two(p, poly, i, k))
				return true;
		}
	}
	return false;
}

/* ---- n - floor(n/2) is ceil(n/2) ---- */

static int64_t poly_coefficient(const struct sym_poly *poly, struct sym atom)
{
	for (size_t i = 0; i < poly->n; i++) {
		if (poly->t[i].m == sym_index(atom))
			return poly->t[i].c;
	}
	return 0;
}

static bool is_atom(const struct sym_pool *p, struct sym s)
{
	enum sym_kind kind = sym_kind(p, s);

	return kind == SYM_KIND_SYMBOL || kind == SYM_KIND_FLOOR;
}

/*
 * n is floor(n/2) + ceil(n/2), so a sum of the three has many forms.  Ours has no
 * ceil(n/2), unless nothing else is left: n - floor(n/2) is ceil(n/2), n % 2 stays.
 */
static bool trade_halves(struct sym_pool *p, struct sym_poly *poly, struct sym whole)
{
	struct sym down = sym_floor_div(p, whole, sym_int(p, 2));
	struct sym up = sym_ceil_div(p, whole, sym_int(p, 2));
	int64_t a, b, c, k;

	if (!is_atom(p, down) || !is_atom(p, up))
		return false;
	a = poly_coefficient(poly, whole);
	b = poly_coefficient(poly, down);
	c = poly_coefficient(poly, up);
	if ((a == 0) + (b == 0) + (c == 0) > 1 || a == INT64_MIN || b == INT64_MIN ||
	    c == INT64_MIN)
		return false;
	k = a == -b ? -a : c;
	return k != 0 && sym_poly_add(poly, k, sym_index(whole)) &&
	       sym_poly_add(poly, -k, sym_index(down)) && sym_poly_add(poly, -k, sym_index(up));
}

/* The expression that `half` is half of: floor(x/2m) may be half of floor(x/m). */
static bool half_of(struct sym_pool *p, struct sym half, struct sym *out)
{
	const struct sym *args = sym_args(sym_node(p, half));
	int64_t divisor;

	if (sym_kind(p, half) != SYM_KIND_FLOOR || !sym_value(p, args[1], &divisor) || divisor % 2)
		return false;
	*out = divisor == 2 ? args[0] : sym_floor_div(p, args[0], sym_int(p, divisor / 2));
	return is_atom(p, *out);
}

static bool trade_one(struct sym_pool *p, struct sym_poly *poly)
{
	for (size_t i = 0; poly->n > 1 && i < poly->n; i++) {
		struct sym whole;

		if (poly->t[i].m && half_of(p, sym_at(poly->t[i].m), &whole) &&
		    trade_halves(p, poly, whole))
			return true;
	}
	return false;
}

static struct sym intern_poly(struct sym_pool *p, const struct sym_poly *poly)
{
	if (poly->n == 0)
		return sym_int(p, 0);
	if (poly->n == 1 && poly->t[0].m == 0)
		return sym_int(p, poly->t[0].c);
	if (poly->n == 1 && poly->t[0].c == 1)
		return sym_at(poly->t[0].m);
	return sym_at(sym_intern(p, SYM_KIND_SUM, 0, poly->t, poly->n));
}

void sym_poly_simplify(struct sym_pool *p, struct sym_poly *poly)
{
	struct sym_poly better;

	if (poly->n < 2)
		return;
	better = *poly;
	/* Each round removes a term.  One that does not fit leaves the sum unchanged. */
	for (size_t rounds = 0; rounds < ARRAY_LEN(poly->t); rounds++) {
		if (!join_one(p, &better) && !trade_one(p, &better))
			break;
		*poly = better;
	}
}

struct sym sym_poly_make(struct sym_pool *p, const struct sym_poly *poly)
{
	struct sym_poly best;

	if (poly->n < 2)
		return intern_poly(p, poly);
	best = *poly;
	sym_poly_simplify(p, &best);
	return intern_poly(p, &best);
}

static bool poly_finish(struct sym_pool *p, const struct sym_poly *poly, struct sym *out)
{
	*out = sym_poly_make(p, poly);
	return !sym_is_unknown(*out);
}

bool sym_build_add(struct sym_pool *p, struct sym a, struct sym b, struct sym *out)
{
	struct sym_poly sum;

	sym_poly_of(p, a, &sum);
	return sym_poly_add_scaled(p, &sum, b, 1) && poly_finish(p, &sum, out);
}

bool sym_build_sub(struct sym_pool *p, struct sym a, struct sym b, struct sym *out)
{
	struct sym_poly sum;

	sym_poly_of(p, a, &sum);
	return sym_poly_add_scaled(p, &sum, b, -1) && poly_finish(p, &sum, out);
}

bool sym_build_mul(struct sym_pool *p, struct sym a, struct sym b, struct sym *out)
{
	struct sym_poly sum = {0};
	struct sym_view va, vb;

	sym_view(p, a, &va);
	sym_view(p, b, &vb);
	/* Almost no larger product would fit; do not fill the pool to find out. */
	if (va.n * vb.n > 4 * (size_t)SYM_TERMS_MAX)
		return false;
	for (size_t i = 0; i < va.n; i++) {
		for (size_t k = 0; k < vb.n; k++) {
			int64_t c;
			uint64_t m;

			if (!num_imul(va.t[i].c, vb.t[k].c, &c) ||
			    !sym_product_mul(p, va.t[i].m, vb.t[k].m, &m) ||
			    !sym_poly_add(&sum, c, m))
				return false;
		}
	}
	return poly_finish(p, &sum, out);
}
