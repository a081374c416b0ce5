/* Three-valued comparisons, and comparisons and selections as values. */
#include <string.h>

#include "base/bug.h"
#include "sym/node.h"
#include "sym/poly.h"
#include "sym/pool.h"
#include "sym/sym.h"
#include "sym/terms.h"

enum sym_answer sym_eq(struct sym_pool *p, struct sym a, struct sym b)
{
	struct sym d;
	struct sym_range r;
	struct sym_modulus m;

	if (sym_is_unknown(a) || sym_is_unknown(b))
		return SYM_MAYBE;
	if (sym_is_small(a) && sym_is_small(b))
		return a.w == b.w ? SYM_YES : SYM_NO;
	if (sym_is_float_kind(sym_kind(p, a)) || sym_is_float_kind(sym_kind(p, b)))
		return SYM_MAYBE;
	if (a.w == b.w)
		return SYM_YES;
	d = sym_sub(p, a, b);
	r = sym_range(p, d);
	if (r.lo > 0 || r.hi < 0)
		return SYM_NO;
	if (r.lo == 0 && r.hi == 0)
		return SYM_YES;
	m = sym_modulus(p, d);
	return m.mod != 1 && m.rem != 0 ? SYM_NO : SYM_MAYBE;
}

/* Is b - a at least `min`, which is 0 or 1? */
static enum sym_answer sym_compare_apart(struct sym_pool *p, struct sym a, struct sym b,
					 int64_t min)
{
	struct sym_range r = sym_range(p, sym_sub(p, b, a));

	if (r.lo >= min)
		return SYM_YES;
	return r.hi < min ? SYM_NO : SYM_MAYBE;
}

enum sym_answer sym_le(struct sym_pool *p, struct sym a, struct sym b)
{
	return sym_compare_apart(p, a, b, 0);
}

enum sym_answer sym_lt(struct sym_pool *p, struct sym a, struct sym b)
{
	return sym_compare_apart(p, a, b, 1);
}

static bool sym_compare_difference(struct sym_pool *p, struct sym a, struct sym b,
				   struct sym_poly *out)
{
	sym_poly_of(p, a, out);
	if (!sym_poly_add_scaled(p, out, b, -1))
		return false;
	sym_poly_simplify(p, out);
	return true;
}

bool sym_build_eq(struct sym_pool *p, struct sym a, struct sym b, struct sym *out)
{
	struct sym_poly d;
	struct sym made;
	enum sym_answer answer = sym_eq(p, a, b);
	uint64_t g;

	if (answer != SYM_MAYBE) {
		*out = sym_int(p, answer == SYM_YES);
		return true;
	}
	if (!sym_compare_difference(p, a, b, &d) && !sym_compare_difference(p, b, a, &d))
		return false;
	g = sym_poly_content(&d, sym_magnitude(sym_poly_constant(&d)));
	BUG_ON(g == 0);
	if (g > INT64_MAX)
		return false;
	sym_poly_shrink(&d, (int64_t)g);
	if (sym_poly_lead(&d) < 0 && !sym_poly_scale(&d, -1))
		return false;
	made = sym_poly_make(p, &d);
	if (sym_is_unknown(made))
		return false;
	/* Bounds of -d may be tighter than those of d; the atom only sees d. */
	answer = sym_eq(p, sym_int(p, 0), made);
	if (answer != SYM_MAYBE) {
		*out = sym_int(p, answer == SYM_YES);
		return true;
	}
	*out = sym_atom(p, SYM_KIND_ZERO, 0, &made, 1);
	return !sym_is_unknown(*out);
}

/* Into *out: 1 when d >= 0, else 0.  The leading coefficient is made positive. */
static bool sym_compare_natural(struct sym_pool *p, struct sym_poly *d, struct sym *out)
{
	bool flip = sym_poly_lead(d) < 0;
	uint64_t g;
	int64_t c;
	struct sym made;

	/* d >= 0 is not (-d - 1 >= 0) */
	if (flip && (!sym_poly_scale(d, -1) || !sym_poly_add(d, -1, 0)))
		return false;
	g = sym_poly_content(d, 0);
	if (g > INT64_MAX)
		return false;
	if (g > 1) {
		c = sym_poly_constant(d);
		if (c) {
			d->n--;
			memmove(d->t, d->t + 1, d->n * sizeof(d->t[0]));
		}
		sym_poly_shrink(d, (int64_t)g);
		if (!sym_poly_add(d, sym_floor_int(c, (int64_t)g), 0))
			return false;
	}
	made = sym_poly_make(p, d);
	if (sym_is_unknown(made))
		return false;
	*out = sym_atom(p, SYM_KIND_NATURAL, 0, &made, 1);
	if (flip && !sym_is_unknown(*out))
		*out = sym_sub(p, sym_int(p, 1), *out);
	return !sym_is_unknown(*out);
}

bool sym_build_le(struct sym_pool *p, struct sym a, struct sym b, struct sym *out)
{
	struct sym_poly d;
	enum sym_answer answer = sym_le(p, a, b);

	if (answer != SYM_MAYBE) {
		*out = sym_int(p, answer == SYM_YES);
		return true;
	}
	return sym_compare_difference(p, b, a, &d) && sym_compare_natural(p, &d, out);
}

struct sym sym_test_eq(struct sym_pool *p, struct sym a, struct sym b)
{
	return sym_apply(p, SYM_OP_EQ, a, b);
}

struct sym sym_test_le(struct sym_pool *p, struct sym a, struct sym b)
{
	return sym_apply(p, SYM_OP_LE, a, b);
}

struct sym sym_test_lt(struct sym_pool *p, struct sym a, struct sym b)
{
	return sym_not(p, sym_test_le(p, b, a));
}

struct sym sym_truth(struct sym_pool *p, struct sym a)
{
	struct sym_range r = sym_range(p, a);

	if (r.lo >= 0 && r.hi <= 1)
		return a;
	return sym_sub(p, sym_int(p, 1), sym_test_eq(p, a, sym_int(p, 0)));
}

struct sym sym_not(struct sym_pool *p, struct sym a)
{
	return sym_sub(p, sym_int(p, 1), sym_truth(p, a));
}

struct sym sym_and(struct sym_pool *p, struct sym a, struct sym b)
{
	a = sym_truth(p, a);
	b = sym_truth(p, b);
	return sym_same(a, b) ? a : sym_mul(p, a, b);
}

struct sym sym_or(struct sym_pool *p, struct sym a, struct sym b)
{
	return sym_not(p, sym_and(p, sym_not(p, a), sym_not(p, b)));
}

/* Is it 1 minus a comparison? */
static bool is_negated(const struct sym_pool *p, struct sym s)
{
	struct sym_view v;
	enum sym_kind kind;

	sym_view(p, s, &v);
	if (v.n != 2 || v.t[0].m || v.t[0].c != 1 || v.t[1].c != -1)
		return false;
	kind = (enum sym_kind)p->nodes[v.t[1].m].kind;
	return kind == SYM_KIND_ZERO || kind == SYM_KIND_NATURAL;
}

struct sym sym_select(struct sym_pool *p, struct sym condition, struct sym a, struct sym b)
{
	struct sym c = sym_truth(p, condition);
	struct sym out;
	int64_t value;

	if (sym_value(p, c, &value))
		return value ? a : b;
	if (sym_is_unknown(c) || sym_is_unknown(a) || sym_is_unknown(b) || p->spent ||
	    sym_is_float_kind(sym_kind(p, a)) || sym_is_float_kind(sym_kind(p, b)))
		return SYM_UNKNOWN;
	if (sym_same(a, b))
		return a;
	if (is_negated(p, c))
		return sym_select(p, sym_sub(p, sym_int(p, 1), c), b, a);
	if (sym_is(a, 1) && sym_is(b, 0))
		return c;
	if (sym_is(a, 0) && sym_is(b, 1))
		return sym_sub(p, sym_int(p, 1), c);
	out = sym_atom(p, SYM_KIND_SELECT, 0, (struct sym[3]){c, a, b}, 3);
	return sym_is_unknown(out) ? sym_complex(p, SYM_OP_SELECT, (struct sym[3]){c, a, b}) : out;
}
