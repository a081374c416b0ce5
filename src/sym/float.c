#include "sym/float.h"

#include <math.h>

#include "base/bug.h"
#include "sym/node.h"
#include "sym/pool.h"
#include "sym/range.h"

/* An FOP packs type and operation. */
#define AUX(type, op) ((uint8_t)((type) | (op) << 2))

static const struct {
	uint8_t operands;
	bool commutes;
} chain_ops[SYM_FOP_COUNT] = {
#define OP(name, shown, operands, commutes) {operands, commutes},
	SYM_FLOAT_OPS(OP)
#undef OP
};

static const uint8_t chain_bits[SYM_FLOAT_COUNT] = {
#define FLOAT(name, shown, chain_bits, min, max) chain_bits,
	SYM_FLOATS(FLOAT)
#undef FLOAT
};

/* With shifts of at most 24, significands of `bits` bits fit every type. */
enum {
	SHIFT_MAX = 24
};

bool sym_is_float(const struct sym_pool *p, struct sym s, enum sym_float *out)
{
	if (!sym_is_float_kind(sym_kind(p, s)))
		return false;
	*out = (enum sym_float)(sym_node(p, s)->aux & 3);
	return true;
}

bool sym_float_value(const struct sym_pool *p, struct sym s, double *out)
{
	if (sym_kind(p, s) != SYM_KIND_FCONST)
		return false;
	*out = *(const double *)sym_node(p, s)->data;
	return true;
}

/*
 * ---- the exact view: value / 2^shift ----
 *
 * A value of the type, for every size for which the chain has a value.  It may be unbounded:
 * a float rounded to an integer equals its truncation.  An unbounded one may also be
 * infinite, which only a minimum or maximum can tell from having no value.
 */

struct exact {
	struct sym value;
	int64_t shift;
};

static struct exact exact_of(const struct sym_pool *p, struct sym s)
{
	return (struct exact){sym_node(p, s)->exact.value, sym_node(p, s)->exact.shift};
}

/* Of a value that is converted to the type. */
static struct sym_range exact_range(const struct sym_pool *p, enum sym_float type, struct sym value)
{
	if (!p->ordinary || chain_bits[type] < chain_bits[SYM_F32])
		return sym_range(p, value);
	return sym_range_limited(p, value, (int64_t)1 << (chain_bits[type] - 10));
}

static bool is_bounded(const struct sym_pool *p, enum sym_float type, struct sym value)
{
	struct sym_range r = exact_range(p, type, value);
	int64_t largest = (int64_t)1 << chain_bits[type];

	return r.lo >= -largest && r.hi <= largest;
}

/* Only if the type can hold every value in range. */
static struct exact exact_within(const struct sym_pool *p, enum sym_float type, struct sym value,
				 int64_t shift)
{
	if (sym_is_unknown(value) || shift > SHIFT_MAX || !is_bounded(p, type, value))
		return (struct exact){SYM_UNKNOWN, 0};
	return (struct exact){value, shift};
}

/* Is it a power of two, or minus that?  Multiplying by it never rounds. */
static bool only_scales(const struct sym_pool *p, struct exact e)
{
	int64_t value;

	if (!sym_value(p, e.value, &value) || value == INT64_MIN)
		return false;
	value = value < 0 ? -value : value;
	return value && (value & (value - 1)) == 0;
}

static struct exact exact_product(struct sym_pool *p, enum sym_float type, struct exact a,
				  struct exact b)
{
	struct exact e = {sym_mul(p, a.value, b.value), a.shift + b.shift};

	if (e.shift <= SHIFT_MAX && (only_scales(p, a) || only_scales(p, b)))
		return e;
	return exact_within(p, type, e.value, e.shift);
}

static struct exact exact_constant(struct sym_pool *p, enum sym_float type, double value)
{
	int shift = 0;

	while (shift <= SHIFT_MAX && value != floor(value)) {
		value *= 2;
		shift++;
	}
	if (shift > SHIFT_MAX || fabs(value) > 0x1p53)
		return (struct exact){SYM_UNKNOWN, 0};
	return exact_within(p, type, sym_int(p, (int64_t)value), shift);
}

static struct exact exact_quotient(struct sym_pool *p, enum sym_float type, struct exact a,
				   struct exact b)
{
	int64_t power = 0, divisor = 0;
	struct sym q;

	/* a/2^i over b/2^k is a*2^k / (b*2^i); powers of two in b only change the exponent. */
	if (sym_value(p, b.value, &divisor)) {
		for (; divisor && divisor % 2 == 0; divisor /= 2)
			power++;
		b.value = sym_int(p, divisor);
	}
	if (!sym_divide(p, a.value, b.value, &q))
		return (struct exact){SYM_UNKNOWN, 0};
	power += a.shift - b.shift;
	if (power < 0) {
		q = sym_mul_int(p, q, (int64_t)1 << -power);
		power = 0;
	}
	if (power <= SHIFT_MAX && (divisor == 1 || divisor == -1))
		return (struct exact){q, power};
	/* b may be 0 for some sizes: the chain then has no value to preserve. */
	return exact_within(p, type, q, power);
}

static struct exact exact_binary(struct sym_pool *p, enum sym_float type, enum sym_fop op,
				 struct exact a, struct exact b)
{
	int64_t shift = MAX(a.shift, b.shift);

	if (sym_is_unknown(a.value) || sym_is_unknown(b.value))
		return (struct exact){SYM_UNKNOWN, 0};
	if (op == SYM_FOP_DIV)
		return exact_quotient(p, type, a, b);
	if (op == SYM_FOP_MUL)
		return exact_product(p, type, a, b);
	if ((op == SYM_FOP_MIN || op == SYM_FOP_MAX) &&
	    (!is_bounded(p, type, a.value) || !is_bounded(p, type, b.value)))
		return (struct exact){SYM_UNKNOWN, 0};
	a.value = sym_mul_int(p, a.value, (int64_t)1 << (shift - a.shift));
	b.value = sym_mul_int(p, b.value, (int64_t)1 << (shift - b.shift));
	if (op == SYM_FOP_ADD)
		return exact_within(p, type, sym_add(p, a.value, b.value), shift);
	if (op == SYM_FOP_MIN)
		return exact_within(p, type, sym_min(p, a.value, b.value), shift);
	if (op == SYM_FOP_MAX)
		return exact_within(p, type, sym_max(p, a.value, b.value), shift);
	return exact_within(p, type, sym_sub(p, a.value, b.value), shift);
}

/*
 * The rounded quotient of integers a and b never crosses an integer n + 1 while |a| + b <=
 * 2^bits: it is at least 1/b away, and half a unit there is below (n + 1)/2^bits. b = 0 must
 * be excluded: it gives infinity, and dividing by that gives a number again.
 */
static struct exact exact_rounded_quotient(struct sym_pool *p, enum sym_float type, enum sym_fop op,
					   struct sym s)
{
	const struct sym_node *n = sym_node(p, s);
	struct exact a, b, none = {SYM_UNKNOWN, 0};
	struct sym_range ra, rb;

	if (n->kind != SYM_KIND_FOP || (enum sym_fop)(n->aux >> 2) != SYM_FOP_DIV)
		return none;
	a = exact_of(p, sym_args(n)[0]);
	b = exact_of(p, sym_args(n)[1]);
	if (sym_is_unknown(a.value) || sym_is_unknown(b.value) || a.shift || b.shift ||
	    !is_bounded(p, type, a.value) || !is_bounded(p, type, b.value))
		return none;
	ra = exact_range(p, type, a.value);
	rb = exact_range(p, type, b.value);
	if (rb.lo < 1 || MAX(ra.hi, -ra.lo) + rb.hi > (int64_t)1 << chain_bits[type])
		return none;
	if (op == SYM_FOP_FLOOR)
		return exact_within(p, type, sym_floor_div(p, a.value, b.value), 0);
	return exact_within(p, type, sym_ceil_div(p, a.value, b.value), 0);
}

static struct exact exact_unary(struct sym_pool *p, enum sym_float type, enum sym_fop op,
				struct sym s)
{
	struct exact a = exact_of(p, s);
	struct sym unit;

	if (sym_is_unknown(a.value))
		return op == SYM_FOP_FLOOR || op == SYM_FOP_CEIL
			       ? exact_rounded_quotient(p, type, op, s)
			       : a;
	unit = sym_int(p, (int64_t)1 << a.shift);
	/* None of these ever rounds. */
	if (op == SYM_FOP_ABS)
		return (struct exact){sym_abs(p, a.value), a.shift};
	if (op == SYM_FOP_FLOOR)
		return (struct exact){sym_floor_div(p, a.value, unit), 0};
	if (op == SYM_FOP_CEIL)
		return (struct exact){sym_ceil_div(p, a.value, unit), 0};
	if (op == SYM_FOP_ROUND && a.shift == 0)
		return a;
	return (struct exact){SYM_UNKNOWN, 0};
}

/* ---- building ---- */

static struct sym chain_made(struct sym_pool *p, uint32_t index, struct exact exact)
{
	if (index == 0)
		return SYM_UNKNOWN;
	p->nodes[index].exact.value = exact.value;
	p->nodes[index].exact.shift = exact.shift;
	return sym_at(index);
}

struct sym sym_float(struct sym_pool *p, enum sym_float type, double value)
{
	value = sym_float_round(type, value);
	if (!isfinite(value))
		return SYM_UNKNOWN;
	return chain_made(p, sym_intern(p, SYM_KIND_FCONST, AUX(type, 0), &value, 1),
			  exact_constant(p, type, value));
}

static bool is_rounding(enum sym_fop op)
{
	return op == SYM_FOP_FLOOR || op == SYM_FOP_CEIL || op == SYM_FOP_ROUND;
}

/* Is it always an integer or infinite? */
static bool is_whole(const struct sym_pool *p, struct sym s)
{
	const struct sym_node *n = sym_node(p, s);

	if (n->kind == SYM_KIND_FCAST)
		return !sym_is_float_kind(sym_kind(p, sym_args(n)[0]));
	return n->kind == SYM_KIND_FOP && is_rounding((enum sym_fop)(n->aux >> 2));
}

/*
 * An integral float that is truncated and converted back to its type is unchanged, except
 * -0.  Only for short chains, so that later steps still fit.
 */
static bool comes_back(const struct sym_pool *p, enum sym_float type, struct sym s, struct sym *out)
{
	enum sym_float from;

	if (sym_kind(p, s) != SYM_KIND_CUT)
		return false;
	*out = sym_args(sym_node(p, s))[0];
	return sym_is_float(p, *out, &from) && from == type && is_whole(p, *out) &&
	       !signbit(sym_node(p, *out)->frange.lo) &&
	       sym_node(p, *out)->chain <= SYM_CHAIN_MAX / 2;
}

struct sym sym_to_float(struct sym_pool *p, enum sym_float type, struct sym s)
{
	struct exact exact = {s, 0};
	enum sym_float from;
	struct sym back;
	double value;
	int64_t whole;

	if (sym_is_unknown(s))
		return s;
	if (sym_is_float(p, s, &from)) {
		if (from == type)
			return s;
		if (sym_float_value(p, s, &value))
			return sym_float_convert(from, type, value, &value)
				       ? sym_float(p, type, value)
				       : SYM_UNKNOWN;
		exact = exact_of(p, s);
	} else if (sym_value(p, s, &whole)) {
		return sym_float_from_int(type, whole, &value) ? sym_float(p, type, value)
							       : SYM_UNKNOWN;
	} else if (comes_back(p, type, s, &back)) {
		return back;
	}
	if (!sym_is_unknown(exact.value))
		exact = exact_within(p, type, exact.value, exact.shift);
	return chain_made(p, sym_intern(p, SYM_KIND_FCAST, AUX(type, 0), &s, 1), exact);
}

static struct sym float_unary(struct sym_pool *p, enum sym_float type, enum sym_fop op,
			      struct sym a)
{
	struct exact exact;
	double value;
	struct sym s;

	if (sym_float_value(p, a, &value))
		return sym_float(p, type, sym_float_step(type, op, value, 0));
	if (is_rounding(op) && is_whole(p, a))
		return a;
	exact = exact_unary(p, type, op, a);
	s = sym_at(sym_intern(p, SYM_KIND_FOP, AUX(type, op), &a, 1));
	if (sym_is_unknown(exact.value) && !sym_is_unknown(s) && is_whole(p, s))
		exact = (struct exact){sym_atom(p, SYM_KIND_CUT, 0, &s, 1), 0};
	return chain_made(p, sym_index(s), exact);
}

/* Is a never below b, and never -0 with b +0? */
static bool never_below(const struct sym_pool *p, struct sym a, struct sym b)
{
	double lo = sym_node(p, a)->frange.lo, hi = sym_node(p, b)->frange.hi;

	return lo > hi || (lo == hi && !signbit(lo));
}

/* The minimum or maximum when it is always the same operand. */
static bool one_of(const struct sym_pool *p, enum sym_fop op, struct sym a, struct sym b,
		   struct sym *out)
{
	if (never_below(p, b, a)) {
		struct sym swap = a;

		a = b;
		b = swap;
	} else if (!sym_same(a, b) && !never_below(p, a, b)) {
		return false;
	}
	*out = op == SYM_FOP_MAX ? a : b;
	return true;
}

struct sym sym_float_op(struct sym_pool *p, enum sym_fop op, struct sym a, struct sym b)
{
	enum sym_float type, other;
	double x, y;
	struct sym one;

	BUG_ON(op >= SYM_FOP_COUNT);
	if (!sym_is_float(p, a, &type))
		return SYM_UNKNOWN;
	if (chain_ops[op].operands == 1)
		return float_unary(p, type, op, a);
	if (!sym_is_float(p, b, &other) || other != type || p->spent)
		return SYM_UNKNOWN;
	if (sym_float_value(p, a, &x) && sym_float_value(p, b, &y))
		return sym_float(p, type, sym_float_step(type, op, x, y));
	if ((op == SYM_FOP_MIN || op == SYM_FOP_MAX) && one_of(p, op, a, b, &one))
		return one;
	if (op == SYM_FOP_DIV && sym_float_value(p, b, &y) && y == 1)
		return a;
	if (chain_ops[op].commutes && b.w < a.w) {
		struct sym swap = a;

		a = b;
		b = swap;
	}
	return chain_made(p, sym_intern(p, SYM_KIND_FOP, AUX(type, op), (struct sym[]){a, b}, 2),
			  exact_binary(p, type, op, exact_of(p, a), exact_of(p, b)));
}

struct sym sym_cut(struct sym_pool *p, struct sym f)
{
	enum sym_float type;
	struct exact exact;
	double value;
	int64_t whole;
	struct sym out;

	if (!sym_is_float(p, f, &type))
		return SYM_UNKNOWN;
	if (sym_float_value(p, f, &value))
		return sym_float_cut(value, &whole) ? sym_int(p, whole) : SYM_UNKNOWN;
	exact = exact_of(p, f);
	if (!sym_is_unknown(exact.value))
		return sym_trunc_div(p, exact.value, sym_int(p, (int64_t)1 << exact.shift));
	out = sym_atom(p, SYM_KIND_CUT, 0, &f, 1);
	if (sym_is_unknown(out))
		out = sym_complex(p, SYM_OP_CUT, (struct sym[3]){f, SYM_UNKNOWN, SYM_UNKNOWN});
	return out;
}
