/* Expressions under an assumption about one symbol. */
#include "sym/eval.h"
#include "sym/node.h"
#include "sym/poly.h"
#include "sym/sym.h"
#include "sym/terms.h"

/* The symbol is `multiple` times `part`. */
struct assumed {
	struct sym whole;
	struct sym part;
	int64_t multiple;
};

/* Is it a product with the part once, and not inside another factor? */
static bool assume_has_part(struct sym_pool *p, const struct assumed *a, uint64_t product)
{
	struct sym_factor one;
	const struct sym_factor *factors;
	size_t n = sym_product_factors(p, product, &one, &factors);
	uint32_t id = 0;
	bool found = false;

	if (!sym_symbol_id(p, a->part, &id))
		return false;
	for (size_t i = 0; i < n; i++) {
		if (factors[i].atom == sym_index(a->part) && factors[i].power == 1)
			found = true;
		else if (sym_mentions(p, sym_at(factors[i].atom), id))
			return false;
	}
	return found;
}

/* 16*b*part is 2*b*H where H is 8*part. */
static struct sym assume_term(struct sym_pool *p, const struct assumed *a, struct sym_subst *back,
			      struct sym_term t)
{
	struct sym product = t.m ? sym_at(t.m) : sym_int(p, 1), rest;

	if (t.m && t.c % a->multiple == 0 && assume_has_part(p, a, t.m) &&
	    sym_divide(p, product, a->part, &rest))
		return sym_mul_int(p, sym_mul(p, rest, a->whole), t.c / a->multiple);
	return sym_mul_int(p, sym_substitute(p, back, product), t.c);
}

static struct sym assume_back(struct sym_pool *p, const struct assumed *a, struct sym s)
{
	struct sym_subst back = {0};
	struct sym sum = sym_int(p, 0);
	struct sym_poly poly;
	uint32_t id;

	if (!sym_symbol_id(p, a->part, &id))
		return SYM_UNKNOWN;
	sym_replace(&back, id, sym_floor_div(p, a->whole, sym_int(p, a->multiple)));
	sym_poly_of(p, s, &poly);
	for (size_t i = 0; i < poly.n; i++)
		sum = sym_add(p, sum, assume_term(p, a, &back, poly.t[i]));
	sym_subst_release(&back);
	return sum;
}

static int64_t assume_up(int64_t value, int64_t multiple)
{
	return value / multiple + (value % multiple > 0);
}

struct sym sym_assume(struct sym_pool *p, struct sym s, uint32_t symbol, struct sym_range range,
		      int64_t multiple)
{
	struct assumed a = {.whole = p->symbols.at[symbol].self, .multiple = multiple};
	struct sym_range own = p->symbols.at[symbol].origin.range;
	struct sym_origin origin = {
		.node = SYM_NODE_ASSUMED, .output = symbol, .axis = (uint32_t)multiple};
	struct sym_subst to = {0};
	struct sym out;

	range.lo = MAX(range.lo, own.lo);
	range.hi = MIN(range.hi, own.hi);
	if (multiple < 1 || multiple > UINT32_MAX || range.lo < 0 || sym_is_unknown(s) ||
	    sym_is_small(s) || sym_is_float_kind(sym_kind(p, s)) || !sym_mentions(p, s, symbol))
		return s;
	origin.range.lo = assume_up(range.lo, multiple);
	origin.range.hi = range.hi == INT64_MAX ? INT64_MAX : range.hi / multiple;
	if (origin.range.lo > origin.range.hi)
		return s;
	a.part = sym_generate(p, &origin);
	if (sym_is_unknown(a.part))
		return s;
	sym_replace(&to, symbol, sym_mul_int(p, a.part, multiple));
	out = sym_substitute(p, &to, s);
	sym_subst_release(&to);
	out = sym_is_unknown(out) ? out : assume_back(p, &a, out);
	return sym_is_unknown(out) ? s : out;
}
