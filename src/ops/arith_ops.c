/* What arith.def names. */
#include <math.h>

#include "ir/type.h"
#include "ops/arith.h"
#include "ops/rule.h"
#include "sym/float.h"
#include "sym/sym.h"

enum {
	MAX_POWER = 16 /* shape arithmetic has no larger exponents */
};

static const int64_t max_exact = (int64_t)1 << 53; /* runtimes compute powers in double */

static struct sym arith_ops_fit(const struct arith *a, struct sym s)
{
	return arith_fit(a->r, a->out_elem, s);
}

/* ---- the operations ---- */

typedef struct sym arith_function(const struct arith *a, const struct sym *args);
typedef struct sym whole_function(struct sym_pool *p, struct sym a, struct sym b);

static arith_function arith_ops_abs, arith_ops_and, arith_ops_cast, arith_ops_clip,
	arith_ops_combine, arith_ops_compare, arith_ops_extreme, arith_ops_mod, arith_ops_neg,
	arith_ops_not, arith_ops_or, arith_ops_pow, arith_ops_real, arith_ops_reciprocal,
	arith_ops_relu, arith_ops_sign, arith_ops_where, arith_ops_xor;

enum {
	LESS = 1 << 0,   /* it holds when the first operand is less */
	SAME = 1 << 1,   /* it holds when both are the same */
	SWAPPED = 1 << 2 /* the second operand comes first */
};

static const struct {
	arith_function *f;
	/* What operations with the same function differ in: */
	whole_function *whole; /* on integers */
	enum sym_fop fop;      /* on floats */
	unsigned flags;        /* of a comparison */
} arith_ops[ARITH_OP_COUNT] = {
#define ARITH(name, ...) [ARITH_##name] = {.f = __VA_ARGS__},
#include "ops/arith.def"
#undef ARITH
};

struct sym arith_element(const struct arith *a, const struct sym *args)
{
	return arith_ops[a->op].f(a, args);
}

/* ---- arithmetic ---- */

static struct sym arith_ops_combine(const struct arith *a, const struct sym *args)
{
	struct sym s = args[0];

	for (uint32_t i = 1; i < a->count; i++)
		s = a->whole ? arith_ops_fit(a, arith_ops[a->op].whole(a->p, s, args[i]))
			     : sym_float_op(a->p, arith_ops[a->op].fop, s, args[i]);
	return s;
}

static struct sym arith_ops_mod(const struct arith *a, const struct sym *args)
{
	if (!a->whole)
		return SYM_UNKNOWN;
	if (rule_attr_int(a->r, "fmod", 0))
		return arith_ops_fit(a, sym_rem(a->p, args[0], args[1]));
	return arith_ops_fit(a, sym_mod(a->p, args[0], args[1]));
}

/* A constant, whatever its type. */
static bool arith_ops_constant(const struct arith *a, struct sym s, double *out)
{
	int64_t number;

	if (sym_float_value(a->p, s, out))
		return true;
	if (!sym_value(a->p, s, &number) || number > max_exact || number < -max_exact)
		return false;
	*out = (double)number;
	return true;
}

/*
 * A constant power with a fraction.  Runtimes may err by a little when they compute it: known only
 * where that changes neither the nearest number of the type nor, for integers, the whole part.
 */
static struct sym constant_power(const struct arith *a, const struct sym *args)
{
	const double error = ldexp(1, -28);
	double base, power, low, high, exact;
	enum sym_float type;

	if (!arith_ops_constant(a, args[0], &base) || !arith_ops_constant(a, args[1], &power))
		return SYM_UNKNOWN;
	exact = pow(base, power);
	low = exact * (1 - error);
	high = exact * (1 + error);
	if (!isfinite(exact) || fabs(exact) >= (double)max_exact)
		return SYM_UNKNOWN;
	if (a->whole) {
		bool whole = power == 0.5 && exact * exact == base && exact == floor(exact);

		return whole || trunc(low) == trunc(high) ? sym_int(a->p, (int64_t)exact)
							  : SYM_UNKNOWN;
	}
	if (!sym_is_float(a->p, args[0], &type))
		return SYM_UNKNOWN;
	if (type == SYM_F64)
		return power == 0.5 && exact * exact == base ? sym_float(a->p, type, exact)
							     : SYM_UNKNOWN;
	exact = sym_float_round(type, exact);
	return sym_float_round(type, low) == exact && sym_float_round(type, high) == exact
		       ? sym_float(a->p, type, exact)
		       : SYM_UNKNOWN;
}

static struct sym arith_ops_pow(const struct arith *a, const struct sym *args)
{
	int64_t power, number;
	double real;
	struct sym s;

	if (sym_float_value(a->p, args[1], &real) && real == floor(real) && fabs(real) < MAX_POWER)
		power = (int64_t)real;
	else if (!sym_value(a->p, args[1], &power))
		return constant_power(a, args);
	if (power == 1)
		return args[0];
	if (!a->whole && power == 2)
		return sym_float_op(a->p, SYM_FOP_MUL, args[0], args[0]);
	if (!a->whole)
		return constant_power(a, args);
	if (power < 0 || power > MAX_POWER || sym_is_unknown(args[0]))
		return SYM_UNKNOWN;
	s = sym_pow(a->p, args[0], (uint32_t)power);
	if (sym_value(a->p, s, &number) && (number > max_exact || number < -max_exact))
		return SYM_UNKNOWN;
	return arith_ops_fit(a, s);
}

/* ---- minimum and maximum ---- */

static struct sym arith_ops_larger(const struct arith *a, enum arith_op op, struct sym x,
				   struct sym y)
{
	if (sym_same(x, y))
		return x;
	return a->whole ? arith_ops[op].whole(a->p, x, y)
			: sym_float_op(a->p, arith_ops[op].fop, x, y);
}

static struct sym arith_ops_extreme(const struct arith *a, const struct sym *args)
{
	struct sym s = args[0];

	for (uint32_t i = 1; i < a->count; i++)
		s = arith_ops_larger(a, a->op, s, args[i]);
	return s;
}

/* The upper bound is applied last: it wins when the bounds contradict each other. */
static struct sym arith_ops_clip(const struct arith *a, const struct sym *args)
{
	struct sym s = args[0];

	if (rule_has(a->r, 1))
		s = arith_ops_larger(a, ARITH_MAX, s, args[1]);
	if (rule_has(a->r, 2))
		s = arith_ops_larger(a, ARITH_MIN, s, args[2]);
	return s;
}

static struct sym zero_of(const struct arith *a, struct sym like)
{
	enum sym_float type;

	if (a->whole)
		return sym_int(a->p, 0);
	return sym_is_float(a->p, like, &type) ? sym_float(a->p, type, 0) : SYM_UNKNOWN;
}

static struct sym arith_ops_relu(const struct arith *a, const struct sym *args)
{
	return arith_ops_larger(a, ARITH_MAX, args[0], zero_of(a, args[0]));
}

/* ---- one operand ---- */

static struct sym arith_ops_times(const struct arith *a, struct sym f, double factor)
{
	enum sym_float type;

	if (!sym_is_float(a->p, f, &type))
		return SYM_UNKNOWN;
	return sym_float_op(a->p, SYM_FOP_MUL, f, sym_float(a->p, type, factor));
}

static struct sym arith_ops_neg(const struct arith *a, const struct sym *args)
{
	return a->whole ? arith_ops_fit(a, sym_neg(a->p, args[0]))
			: arith_ops_times(a, args[0], -1);
}

static struct sym arith_ops_abs(const struct arith *a, const struct sym *args)
{
	return a->whole ? arith_ops_fit(a, sym_abs(a->p, args[0]))
			: sym_float_op(a->p, SYM_FOP_ABS, args[0], SYM_UNKNOWN);
}

static struct sym arith_ops_sign(const struct arith *a, const struct sym *args)
{
	struct sym zero = sym_int(a->p, 0);

	if (!a->whole)
		return SYM_UNKNOWN;
	return sym_sub(a->p, sym_test_lt(a->p, zero, args[0]), sym_test_lt(a->p, args[0], zero));
}

static struct sym arith_ops_reciprocal(const struct arith *a, const struct sym *args)
{
	enum sym_float type;

	if (a->whole || !sym_is_float(a->p, args[0], &type))
		return SYM_UNKNOWN;
	return sym_float_op(a->p, SYM_FOP_DIV, sym_float(a->p, type, 1), args[0]);
}

/* For floats only. */
static struct sym arith_ops_real(const struct arith *a, const struct sym *args)
{
	return sym_float_op(a->p, arith_ops[a->op].fop, args[0], SYM_UNKNOWN);
}

/* ---- comparisons ---- */

static struct sym arith_ops_compare(const struct arith *a, const struct sym *args)
{
	unsigned flags = arith_ops[a->op].flags;
	bool swapped = flags & SWAPPED;
	struct sym x = args[swapped], y = args[!swapped];
	double left, right;

	if (a->whole)
		return arith_ops[a->op].whole(a->p, x, y);
	if (!sym_float_value(a->p, x, &left) || !sym_float_value(a->p, y, &right))
		return SYM_UNKNOWN;
	return sym_int(a->p, left == right ? (flags & SAME) != 0 : flags & LESS && left < right);
}

/* ---- logic: one operand may decide the result ---- */

static struct sym arith_ops_and(const struct arith *a, const struct sym *args)
{
	return sym_is(args[0], 0) || sym_is(args[1], 0) ? sym_int(a->p, 0)
							: sym_and(a->p, args[0], args[1]);
}

static struct sym arith_ops_or(const struct arith *a, const struct sym *args)
{
	return sym_is(args[0], 1) || sym_is(args[1], 1) ? sym_int(a->p, 1)
							: sym_or(a->p, args[0], args[1]);
}

static struct sym arith_ops_xor(const struct arith *a, const struct sym *args)
{
	return sym_not(a->p, sym_test_eq(a->p, sym_truth(a->p, args[0]), sym_truth(a->p, args[1])));
}

static struct sym arith_ops_not(const struct arith *a, const struct sym *args)
{
	return sym_not(a->p, args[0]);
}

static struct sym arith_ops_where(const struct arith *a, const struct sym *args)
{
	int64_t condition;

	if (sym_value(a->p, args[0], &condition))
		return condition ? args[1] : args[2];
	if (sym_same(args[1], args[2]))
		return args[1];
	return a->whole ? sym_select(a->p, args[0], args[1], args[2]) : SYM_UNKNOWN;
}

/* ---- casts ---- */

static bool float_type(int32_t elem, enum sym_float *out)
{
	static const struct {
		int32_t elem;
		enum sym_float type;
	} types[] = {{ELEM_FLOAT16, SYM_F16},
		     {ELEM_BFLOAT16, SYM_BF16},
		     {ELEM_FLOAT32, SYM_F32},
		     {ELEM_FLOAT64, SYM_F64}};

	for (size_t i = 0; i < ARRAY_LEN(types); i++) {
		if (types[i].elem == elem) {
			*out = types[i].type;
			return true;
		}
	}
	return false;
}

/* Between integers the specification drops the upper bits; a large uint64 is not tracked. */
static struct sym arith_ops_wrap(const struct arith *a, struct sym s)
{
	const struct elem_info *e = elem_info(a->out_elem);
	uint64_t bits;
	int64_t number;

	if (!sym_value(a->p, s, &number) || e->bits >= 64)
		return arith_ops_fit(a, s);
	bits = (uint64_t)number & (((uint64_t)1 << e->bits) - 1);
	if (e->class == ELEM_CLASS_SIGNED && bits >> (e->bits - 1))
		return sym_int(a->p, (int64_t)bits - ((int64_t)1 << e->bits));
	return sym_int(a->p, (int64_t)bits);
}

static struct sym float_truth(const struct arith *a, struct sym f)
{
	double value;

	return sym_float_value(a->p, f, &value) ? sym_int(a->p, value != 0) : SYM_UNKNOWN;
}

static struct sym arith_ops_cast(const struct arith *a, const struct sym *args)
{
	enum sym_float type;

	if (a->out_elem == a->elem || sym_is_unknown(args[0]))
		return args[0];
	if (a->out_elem == ELEM_BOOL)
		return a->whole ? sym_truth(a->p, args[0]) : float_truth(a, args[0]);
	if (float_type(a->out_elem, &type))
		return sym_to_float(a->p, type, args[0]);
	if (!arith_is_whole(a->out_elem))
		return SYM_UNKNOWN;
	return a->whole ? arith_ops_wrap(a, args[0]) : arith_ops_fit(a, sym_cut(a->p, args[0]));
}
