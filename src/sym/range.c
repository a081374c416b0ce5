#include "sym/range.h"

#include "base/num.h"
#include "sym/sym.h"
#include "sym/terms.h"

#define NO_LO INT64_MIN
#define NO_HI INT64_MAX

static int64_t range_saturate(int128 value)
{
	if (value <= INT64_MIN)
		return INT64_MIN;
	return value >= INT64_MAX ? INT64_MAX : (int64_t)value;
}

struct sym_range sym_range_add(struct sym_range a, struct sym_range b)
{
	return (struct sym_range){
		a.lo == NO_LO || b.lo == NO_LO ? NO_LO : range_saturate((int128)a.lo + b.lo),
		a.hi == NO_HI || b.hi == NO_HI ? NO_HI : range_saturate((int128)a.hi + b.hi),
	};
}

struct sym_range sym_range_neg(struct sym_range a)
{
	return (struct sym_range){
		a.hi == NO_HI ? NO_LO : range_saturate(-(int128)a.hi),
		a.lo == NO_LO ? NO_HI : range_saturate(-(int128)a.lo),
	};
}

/* A missing bound counts as 2^63: times anything but 0, saturation keeps it missing. */
static int128 wide_hi(struct sym_range a)
{
	return a.hi == NO_HI ? (int128)NO_HI + 1 : a.hi;
}

struct sym_range sym_range_mul(struct sym_range a, struct sym_range b)
{
	int128 lo = (int128)a.lo * b.lo, hi = lo;
	const int128 corner[] = {a.lo * wide_hi(b), wide_hi(a) * b.lo, wide_hi(a) * wide_hi(b)};

	for (size_t i = 0; i < ARRAY_LEN(corner); i++) {
		lo = MIN(lo, corner[i]);
		hi = MAX(hi, corner[i]);
	}
	return (struct sym_range){range_saturate(lo), range_saturate(hi)};
}

static struct sym_range range_hull(struct sym_range a, struct sym_range b)
{
	return (struct sym_range){MIN(a.lo, b.lo), MAX(a.hi, b.hi)};
}

static struct sym_range range_pow(struct sym_range a, uint32_t power)
{
	struct sym_range r = a;

	for (uint32_t i = 1; i < power; i++)
		r = sym_range_mul(r, a);
	if (power % 2 == 0)
		r.lo = MAX(r.lo, 0);
	return r;
}

/* floor(a/b) for one bound of a range; a missing bound stays missing; b > 0. */
static int64_t end_floor(int64_t a, int64_t b, int64_t open)
{
	if (a == open)
		return a;
	if (b == NO_HI)
		return a < 0 ? -1 : 0;
	return sym_floor_int(a, b);
}

struct sym_range sym_range_floor(struct sym_range a, struct sym_range b)
{
	struct sym_range r;

	if (b.hi <= 0) {
		a = sym_range_neg(a);
		b = sym_range_neg(b);
	}
	if (b.lo < 0) {
		/* The divisor's sign is unknown: no further from 0 than a, on either side. */
		r = range_hull(a, sym_range_neg(a));
		return range_hull(r, (struct sym_range){-1, 0});
	}
	b.lo = MAX(b.lo, 1);
	b.hi = MAX(b.hi, b.lo);
	r.lo = MIN(end_floor(a.lo, b.lo, NO_LO), end_floor(a.lo, b.hi, NO_LO));
	r.hi = MAX(end_floor(a.hi, b.lo, NO_HI), end_floor(a.hi, b.hi, NO_HI));
	return r;
}

struct sym_range sym_range_trunc(struct sym_range a, struct sym_range b)
{
	struct sym_range r = range_hull(sym_range_floor(a, b),
					sym_range_neg(sym_range_floor(sym_range_neg(a), b)));

	return range_hull(r, (struct sym_range){0, 0});
}

struct sym_range sym_range_op(enum sym_op op, const struct sym_range args[3])
{
	struct sym_range a = args[0], b = args[1];

	switch (op) {
	case SYM_OP_ADD:
		return sym_range_add(a, b);
	case SYM_OP_SUB:
		return sym_range_add(a, sym_range_neg(b));
	case SYM_OP_MUL:
		return sym_range_mul(a, b);
	case SYM_OP_FLOOR:
		return sym_range_floor(a, b);
	case SYM_OP_TRUNC:
		return sym_range_trunc(a, b);
	case SYM_OP_MAX:
		return (struct sym_range){MAX(a.lo, b.lo), MAX(a.hi, b.hi)};
	case SYM_OP_MIN:
		return (struct sym_range){MIN(a.lo, b.lo), MIN(a.hi, b.hi)};
	case SYM_OP_BROADCAST:
		return range_hull(a, b);
	case SYM_OP_EQ:
	case SYM_OP_LE:
		return (struct sym_range){0, 1};
	case SYM_OP_SELECT:
		return range_hull(b, args[2]);
	case SYM_OP_NONE:
	case SYM_OP_CUT:
	case SYM_OP_COUNT:
		break;
	}
	return SYM_RANGE_ANY;
}

struct sym_range sym_range(const struct sym_pool *p, struct sym s)
{
	int64_t value;

	if (sym_value(p, s, &value))
		return (struct sym_range){value, value};
	if (s.w == 0 || sym_is_float_kind(sym_node(p, s)->kind))
		return SYM_RANGE_ANY;
	return sym_node(p, s)->range;
}

static struct sym_range product_range(const struct sym_pool *p, const struct sym_node *n)
{
	struct sym_range r = {1, 1};

	for (size_t i = 0; i < n->count; i++) {
		const struct sym_factor *f = &sym_factors(n)[i];

		r = sym_range_mul(r, range_pow(p->nodes[f->atom].range, f->power));
	}
	return r;
}

static struct sym_range terms_range(const struct sym_pool *p, const struct sym_term *t, size_t n)
{
	struct sym_range r = {0, 0};
	int64_t constant = n && t[0].m == 0 ? t[0].c : 0;

	for (size_t i = constant != 0; i < n; i++) {
		struct sym_range c = {t[i].c, t[i].c};

		r = sym_range_add(r, sym_range_mul(c, p->nodes[t[i].m].range));
	}
	/* Not as a range: INT64_MAX is a value here, not a missing bound. */
	if (r.lo != NO_LO)
		r.lo = range_saturate((int128)r.lo + constant);
	if (r.hi != NO_HI)
		r.hi = range_saturate((int128)r.hi + constant);
	return r;
}

/*
 * A sum and its rounded quotients are correlated: H - 7*floor(H/7) is in 0..6 although H
 * and floor(H/7) are unbounded.  Since m*floor(x/m) = x - r with 0 <= r < m, each
 * quotient can be replaced by x: scale * sum = poly + rest, with rest a range.
 */
struct relaxed {
	struct sym_poly poly;
	struct sym_range rest;
	int64_t scale;
};

static bool relax_one(const struct sym_pool *p, struct relaxed *x, size_t i)
{
	const struct sym_node *quotient = &p->nodes[x->poly.t[i].m];
	struct sym numerator = sym_args(quotient)[0];
	int64_t c = x->poly.t[i].c, m, f, g, drop;
	struct sym_range r;

	if (!sym_value(p, sym_args(quotient)[1], &m) || m <= 0)
		return false;
	g = (int64_t)num_gcd(sym_magnitude(c), (uint64_t)m);
	f = m / g;
	c /= g;
	if (!num_imul(x->scale, f, &x->scale) || !sym_poly_scale(&x->poly, f))
		return false;
	if (!num_isub(0, x->poly.t[i].c, &drop) || !sym_poly_add(&x->poly, drop, x->poly.t[i].m))
		return false;
	r = sym_range_mul((struct sym_range){0, m - 1}, sym_range_neg((struct sym_range){c, c}));
	x->rest = sym_range_add(sym_range_mul(x->rest, (struct sym_range){f, f}), r);
	return sym_poly_add_scaled(p, &x->poly, numerator, c);
}

static struct sym_range sum_range(const struct sym_pool *p, const struct sym_node *n)
{
	struct sym_range r = terms_range(p, sym_terms(n), n->count);
	struct relaxed x = {.scale = 1};
	size_t i = 0, rounds = 0;

	for (i = 0; i < n->count; i++)
		x.poly.t[x.poly.n++] = sym_terms(n)[i];
	for (i = 0; i < x.poly.n && rounds < SYM_TERMS_MAX; i++) {
		struct sym_range s;

		if (x.poly.t[i].m == 0 || p->nodes[x.poly.t[i].m].kind != SYM_KIND_FLOOR)
			continue;
		if (!relax_one(p, &x, i))
			break;
		s = sym_range_add(terms_range(p, x.poly.t, x.poly.n), x.rest);
		/* Up for the lower bound, down for the upper. */
		r.hi = MIN(r.hi, end_floor(s.hi, x.scale, NO_HI));
		s = sym_range_neg(s);
		s.hi = end_floor(s.hi, x.scale, NO_HI);
		r.lo = MAX(r.lo, sym_range_neg(s).lo);
		i = (size_t)-1;
		rounds++;
	}
	return r;
}

/* The larger of x and -x is not negative. */
static bool are_opposite(const struct sym_pool *p, struct sym a, struct sym b)
{
	struct sym_view va, vb;

	sym_view(p, a, &va);
	sym_view(p, b, &vb);
	for (size_t i = 0; i < va.n && va.n == vb.n; i++) {
		if (va.t[i].m != vb.t[i].m || vb.t[i].c == INT64_MIN || va.t[i].c != -vb.t[i].c)
			return false;
	}
	return va.n == vb.n;
}

static struct sym_range test_range(const struct sym_pool *p, const struct sym_node *n)
{
	struct sym_range r = sym_range(p, sym_args(n)[0]);
	struct sym_modulus m = sym_modulus(p, sym_args(n)[0]);
	bool never = r.hi < 0, always = r.lo >= 0;

	if (n->kind == SYM_KIND_ZERO) {
		never |= r.lo > 0 || (m.mod != 1 && m.rem != 0);
		always &= r.hi == 0;
	}
	return (struct sym_range){always && !never, !never};
}

static struct sym_range atom_range(const struct sym_pool *p, const struct sym_node *n)
{
	static const enum sym_op op_of[SYM_KIND_COUNT] = {
		[SYM_KIND_FLOOR] = SYM_OP_FLOOR,
		[SYM_KIND_TRUNC] = SYM_OP_TRUNC,
		[SYM_KIND_MAX] = SYM_OP_MAX,
		[SYM_KIND_MIN] = SYM_OP_MIN,
		[SYM_KIND_BROADCAST] = SYM_OP_BROADCAST,
		[SYM_KIND_SELECT] = SYM_OP_SELECT,
		/* the rest is no operator, or has been dealt with before */
	};
	struct sym_range r[3] = {SYM_RANGE_ANY, SYM_RANGE_ANY, SYM_RANGE_ANY};

	if (n->kind == SYM_KIND_ZERO || n->kind == SYM_KIND_NATURAL)
		return test_range(p, n);
	if (n->kind == SYM_KIND_CUT)
		return sym_chain_cut_range(sym_node(p, sym_args(n)[0]));
	for (size_t i = 0; i < n->count && i < 3; i++)
		r[i] = sym_range(p, sym_args(n)[i]);
	if (n->kind == SYM_KIND_SELECT || n->count < 2)
		return sym_range_op(op_of[n->kind], r);
	r[0] = sym_range_op(op_of[n->kind], r);
	if (n->kind == SYM_KIND_MAX && are_opposite(p, sym_args(n)[0], sym_args(n)[1]))
		r[0].lo = MAX(r[0].lo, 0);
	for (size_t i = 2; i < n->count; i++) {
		r[1] = sym_range(p, sym_args(n)[i]);
		r[0] = sym_range_op(op_of[n->kind], r);
	}
	return r[0];
}

static struct sym_range node_range(const struct sym_pool *p, const struct sym_node *n)
{
	struct sym_range r;

	if (n->kind == SYM_KIND_INT) {
		int64_t value = *(const int64_t *)n->data;

		return (struct sym_range){value, value};
	}
	if (n->kind == SYM_KIND_SYMBOL)
		return SYM_RANGE_ANY;
	if (n->kind == SYM_KIND_PRODUCT)
		r = product_range(p, n);
	else
		r = n->kind == SYM_KIND_SUM ? sum_range(p, n) : atom_range(p, n);
	/* Only an expression that never has a value can have an empty range. */
	return r.lo <= r.hi ? r : SYM_RANGE_ANY;
}

/* Moves the bounds inwards to the next values with the right residue. */
static struct sym_range range_tighten(struct sym_range r, struct sym_modulus m)
{
	int128 up, down;

	if (m.mod < 2)
		return r;
	up = (((int128)m.rem - r.lo) % m.mod + m.mod) % m.mod;
	down = (((int128)r.hi - m.rem) % m.mod + m.mod) % m.mod;
	if (r.lo != NO_LO)
		r.lo = range_saturate(r.lo + up);
	if (r.hi != NO_HI)
		r.hi = range_saturate(r.hi - down);
	return r.lo <= r.hi ? r : SYM_RANGE_ANY;
}

void sym_node_know(const struct sym_pool *p, struct sym_node *n)
{
	n->modulus = sym_node_modulus(p, n);
	n->range = range_tighten(node_range(p, n), n->modulus);
}
