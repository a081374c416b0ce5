/* The common factor of a sum's terms. */
#include "base/num.h"
#include "sym/node.h"
#include "sym/poly.h"
#include "sym/sym.h"
#include "sym/terms.h"

/* The part of a product whose atoms are never below `min`. */
static uint64_t factor_above(struct sym_pool *p, uint64_t product, int64_t min)
{
	struct sym_factor one;
	const struct sym_factor *factors;
	size_t n = sym_product_factors(p, product, &one, &factors);

	for (size_t i = n; i > 0; i--) {
		uint32_t atom = factors[i - 1].atom;

		for (uint32_t k = 0; p->nodes[atom].range.lo < min && k < factors[i - 1].power;
		     k++) {
			if (!sym_product_div(p, product, atom, &product))
				return 0;
		}
	}
	return product;
}

static bool factor_take(struct sym_pool *p, struct sym_poly *poly, int64_t g, uint64_t common,
			struct sym *out)
{
	struct sym_poly rest = {0};

	for (size_t i = 0; i < poly->n; i++) {
		uint64_t m = poly->t[i].m;

		if ((common && !sym_product_div(p, m, common, &m)) ||
		    !sym_poly_add(&rest, poly->t[i].c / g, m))
			return false;
	}
	*out = sym_poly_make(p, &rest);
	return !sym_is_unknown(*out);
}

bool sym_common_factor(struct sym_pool *p, struct sym s, int64_t min, struct sym *out_factor,
		       struct sym *out_rest)
{
	struct sym_poly poly;
	struct sym factor, rest;
	uint64_t g = 0, common;

	if (sym_is_unknown(s) || sym_is(s, 0) || sym_is_float_kind(sym_kind(p, s)))
		return false;
	sym_poly_of(p, s, &poly);
	common = poly.t[0].m;
	for (size_t i = 0; i < poly.n; i++) {
		g = num_gcd(g, sym_magnitude(poly.t[i].c));
		common = sym_product_gcd(p, common, poly.t[i].m);
	}
	common = factor_above(p, common, min);
	if (g > INT64_MAX || (g == 1 && common == 0) ||
	    !factor_take(p, &poly, (int64_t)g, common, &rest))
		return false;
	factor = sym_mul_int(p, common ? sym_at(common) : sym_int(p, 1), (int64_t)g);
	if (sym_is_unknown(factor))
		return false;
	*out_factor = factor;
	*out_rest = rest;
	return true;
}
