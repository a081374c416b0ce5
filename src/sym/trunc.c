/* Truncated quotients, as integer Div in ONNX; floors where signs are known. */
#include "base/num.h"
#include "sym/node.h"
#include "sym/poly.h"
#include "sym/pool.h"
#include "sym/sym.h"
#include "sym/terms.h"

static bool trunc_negate(struct sym_pool *p, struct sym *s)
{
	return sym_build_sub(p, sym_int(p, 0), *s, s);
}

/* Both are made coprime, with positive leading coefficients. */
static bool trunc_by_int(struct sym_pool *p, struct sym_poly *num, int64_t m, struct sym *out)
{
	bool negated = sym_poly_lead(num) < 0;
	uint64_t g = sym_poly_content(num,
				      num_gcd((uint64_t)m, sym_magnitude(sym_poly_constant(num))));
	struct sym made;
	struct sym_range r;
	const struct sym_node *n;
	int64_t inner;

	sym_poly_shrink(num, (int64_t)g);
	m /= (int64_t)g;
	if (negated && !sym_poly_scale(num, -1))
		return false;
	made = sym_poly_make(p, num);
	if (sym_is_unknown(made))
		return false;
	/* Smaller coefficients may reveal the sign. */
	r = sym_range(p, made);
	if (r.lo >= 0 || r.hi <= 0) {
		negated ^= r.lo < 0;
		if ((r.lo < 0 && !trunc_negate(p, &made)) ||
		    !sym_build_floor(p, made, sym_int(p, m), &made))
			return false;
		*out = made;
		return !negated || trunc_negate(p, out);
	}
	n = sym_kind(p, made) == SYM_KIND_TRUNC ? sym_node(p, made) : NULL;
	/* (x/a)/b = x/(a*b), which may have a common divisor again */
	if (m != 1 && n && sym_value(p, sym_args(n)[1], &inner) && num_imul(m, inner, &inner)) {
		sym_poly_of(p, sym_args(n)[0], num);
		if (!trunc_by_int(p, num, inner, &made))
			return false;
	} else if (m != 1) {
		made = sym_atom(p, SYM_KIND_TRUNC, 0, (struct sym[]){made, sym_int(p, m)}, 2);
	}
	if (sym_is_unknown(made))
		return false;
	*out = made;
	return !negated || trunc_negate(p, out);
}

bool sym_build_trunc(struct sym_pool *p, struct sym a, struct sym b, struct sym *out)
{
	struct sym_range ra = sym_range(p, a), rb = sym_range(p, b);
	bool minus = false;
	struct sym_poly num;
	int64_t m;

	if (sym_is(b, 0)) {
		*out = SYM_UNKNOWN;
		return true;
	}
	if (sym_divide(p, a, b, out))
		return true;
	if (rb.lo < 0 && rb.hi <= 0) {
		minus = !minus;
		if (!trunc_negate(p, &b))
			return false;
	} else if (rb.lo < 0) {
		*out = sym_atom(p, SYM_KIND_TRUNC, 0, (struct sym[]){a, b}, 2);
		return !sym_is_unknown(*out);
	}
	if (ra.lo < 0 && ra.hi <= 0) {
		minus = !minus;
		if (!trunc_negate(p, &a))
			return false;
	}
	if (ra.hi <= 0 || ra.lo >= 0) {
		if (!sym_build_floor(p, a, b, out))
			return false;
	} else if (sym_value(p, b, &m)) {
		sym_poly_of(p, a, &num);
		if (!trunc_by_int(p, &num, m, out))
			return false;
	} else {
		*out = sym_atom(p, SYM_KIND_TRUNC, 0, (struct sym[]){a, b}, 2);
	}
	return !sym_is_unknown(*out) && (!minus || trunc_negate(p, out));
}

struct sym sym_trunc_div(struct sym_pool *p, struct sym a, struct sym b)
{
	if (sym_is_small(a) && sym_is_small(b) && !sym_is(b, 0))
		return sym_int(p, sym_small(a) / sym_small(b));
	return sym_is(b, 1) ? a : sym_apply(p, SYM_OP_TRUNC, a, b);
}

struct sym sym_rem(struct sym_pool *p, struct sym a, struct sym b)
{
	return sym_sub(p, a, sym_mul(p, b, sym_trunc_div(p, a, b)));
}
