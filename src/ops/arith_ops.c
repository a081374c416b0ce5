/* One function per operator whose elements are tracked. */
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

/* ---- arithmetic ---- */

typedef struct sym whole_function(struct sym_pool *p, struct sym a, struct sym b);

static struct sym arith_ops_either(const struct arith *a, const struct sym *args,
				   whole_function *whole, enum sym_fop fop)
{
	return a->whole ? arith_ops_fit(a, whole(a->p, args[0], args[1]))
			: sym_float_op(a->p, fop, args[0], args[1]);
}

struct sym arith_add(const struct arith *a, const struct sym *args)
{
	return arith_ops_either(a, args, sym_add, SYM_FOP_ADD);
}

struct sym arith_sub(const struct arith *a, const struct sym *args)
{
	return arith_ops_either(a, args, sym_sub, SYM_FOP_SUB);
}

struct sym arith_mul(const struct arith *a, const struct sym *args)
{
	return arith_ops_either(a, args, sym_mul, SYM_FOP_MUL);
}

struct sym arith_div(const struct arith *a, const struct sym *args)
{
	return arith_ops_either(a, args, sym_trunc_div, SYM_FOP_DIV);
}

struct sym arith_sum(const struct arith *a, const struct sym *args)
{
	struct sym sum = args[0];

	for (uint32_t i = 1; i < a->count; i++)
		sum = arith_add(a, (struct sym[]){sum, args[i]});
	return sum;
}

struct sym arith_mod(const struct arith *a, const struct sym *args)
{
	if (!a->whole)
		return SYM_UNKNOWN;
	if (rule_attr_int(a->r, "fmod", 0))
		return arith_ops_fit(a, sym_rem(a->p, args[0], args[1]));
	return arith_ops_fit(a, sym_mod(a->p, args[0], args[1]));
}

struct sym arith_pow(const struct arith *a, const struct sym *args)
{
	int64_t power, number;
	double real;
	struct sym s;

	if (sym_float_value(a->p, args[1], &real) && real == floor(real) && fabs(real) < MAX_POWER)
		power = (int64_t)real;
	else if (!sym_value(a->p, args[1], &power))
		return SYM_UNKNOWN;
	if (power == 1)
		return args[0];
	if (!a->whole)
		return power == 2 ? sym_float_op(a->p, SYM_FOP_MUL, args[0], args[0]) : SYM_UNKNOWN;
	if (power < 0 || power > MAX_POWER || sym_is_unknown(args[0]))
		return SYM_UNKNOWN;
	s = sym_pow(a->p, args[0], (uint32_t)power);
	if (sym_value(a->p, s, &number) && (number > max_exact || number < -max_exact))
		return SYM_UNKNOWN;
	return arith_ops_fit(a, s);
}

/* ---- minimum and maximum ---- */

static struct sym arith_ops_larger(const struct arith *a, struct sym x, struct sym y,
				   bool want_larger)
{
	if (sym_same(x, y))
		return x;
	if (a->whole)
		return want_larger ? sym_max(a->p, x, y) : sym_min(a->p, x, y);
	return sym_float_op(a->p, want_larger ? SYM_FOP_MAX : SYM_FOP_MIN, x, y);
}

struct sym arith_max(const struct arith *a, const struct sym *args)
{
	struct sym s = args[0];

	for (uint32_t i = 1; i < a->count; i++)
		s = arith_ops_larger(a, s, args[i], true);
	return s;
}

struct sym arith_min(const struct arith *a, const struct sym *args)
{
	struct sym s = args[0];

	for (uint32_t i = 1; i < a->count; i++)
		s = arith_ops_larger(a, s, args[i], false);
	return s;
}

/* The upper bound is applied last: it wins when the bounds contradict each other. */
struct sym arith_clip(const struct arith *a, const struct sym *args)
{
	struct sym s = args[0];

	if (rule_has(a->r, 1))
		s = arith_ops_larger(a, s, args[1], true);
	if (rule_has(a->r, 2))
		s = arith_ops_larger(a, s, args[2], false);
	return s;
}

static struct sym zero_of(const struct arith *a, struct sym like)
{
	enum sym_float type;

	if (a->whole)
		return sym_int(a->p, 0);
	return sym_is_float(a->p, like, &type) ? sym_float(a->p, type, 0) : SYM_UNKNOWN;
}

struct sym arith_relu(const struct arith *a, const struct sym *args)
{
	return arith_ops_larger(a, args[0], zero_of(a, args[0]), true);
}

/* ---- one operand ---- */

static struct sym arith_ops_times(const struct arith *a, struct sym f, double factor)
{
	enum sym_float type;

	if (!sym_is_float(a->p, f, &type))
		return SYM_UNKNOWN;
	return sym_float_op(a->p, SYM_FOP_MUL, f, sym_float(a->p, type, factor));
}

struct sym arith_neg(const struct arith *a, const struct sym *args)
{
	return a->whole ? arith_ops_fit(a, sym_neg(a->p, args[0]))
			: arith_ops_times(a, args[0], -1);
}

struct sym arith_abs(const struct arith *a, const struct sym *args)
{
	return a->whole ? arith_ops_fit(a, sym_abs(a->p, args[0]))
			: sym_float_op(a->p, SYM_FOP_ABS, args[0], SYM_UNKNOWN);
}

struct sym arith_sign(const struct arith *a, const struct sym *args)
{
	struct sym zero = sym_int(a->p, 0);

	if (!a->whole)
		return SYM_UNKNOWN;
	return sym_sub(a->p, sym_test_lt(a->p, zero, args[0]), sym_test_lt(a->p, args[0], zero));
}

struct sym arith_reciprocal(const struct arith *a, const struct sym *args)
{
	enum sym_float type;

	if (a->whole || !sym_is_float(a->p, args[0], &type))
		return SYM_UNKNOWN;
	return sym_float_op(a->p, SYM_FOP_DIV, sym_float(a->p, type, 1), args[0]);
}

/* For floats only; the integer operations return unknown for them anyway. */
struct sym arith_sqrt(const struct arith *a, const struct sym *args)
{
	return sym_float_op(a->p, SYM_FOP_SQRT, args[0], SYM_UNKNOWN);
}

struct sym arith_floor(const struct arith *a, const struct sym *args)
{
	return sym_float_op(a->p, SYM_FOP_FLOOR, args[0], SYM_UNKNOWN);
}

struct sym arith_ceil(const struct arith *a, const struct sym *args)
{
	return sym_float_op(a->p, SYM_FOP_CEIL, args[0], SYM_UNKNOWN);
}

struct sym arith_round(const struct arith *a, const struct sym *args)
{
	return sym_float_op(a->p, SYM_FOP_ROUND, args[0], SYM_UNKNOWN);
}

/* ---- comparisons ---- */

enum relation {
	EQUAL,
	LESS,
	LESS_OR_EQUAL
};

static struct sym arith_ops_compare(const struct arith *a, enum relation relation, struct sym x,
				    struct sym y)
{
	static whole_function *const tests[] = {
		[EQUAL] = sym_test_eq, [LESS] = sym_test_lt, [LESS_OR_EQUAL] = sym_test_le};
	double left, right;

	if (a->whole)
		return tests[relation](a->p, x, y);
	if (!sym_float_value(a->p, x, &left) || !sym_float_value(a->p, y, &right))
		return SYM_UNKNOWN;
	if (left == right)
		return sym_int(a->p, relation != LESS);
	return sym_int(a->p, relation != EQUAL && left < right);
}

struct sym arith_equal_to(const struct arith *a, const struct sym *args)
{
	return arith_ops_compare(a, EQUAL, args[0], args[1]);
}

struct sym arith_less(const struct arith *a, const struct sym *args)
{
	return arith_ops_compare(a, LESS, args[0], args[1]);
}

struct sym arith_less_or_equal(const struct arith *a, const struct sym *args)
{
	return arith_ops_compare(a, LESS_OR_EQUAL, args[0], args[1]);
}

struct sym arith_greater(const struct arith *a, const struct sym *args)
{
	return arith_ops_compare(a, LESS, args[1], args[0]);
}

struct sym arith_greater_or_equal(const struct arith *a, const struct sym *args)
{
	return arith_ops_compare(a, LESS_OR_EQUAL, args[1], args[0]);
}

/* ---- logic: one operand may decide the result ---- */

struct sym arith_and(const struct arith *a, const struct sym *args)
{
	return sym_is(args[0], 0) || sym_is(args[1], 0) ? sym_int(a->p, 0)
							: sym_and(a->p, args[0], args[1]);
}

struct sym arith_or(const struct arith *a, const struct sym *args)
{
	return sym_is(args[0], 1) || sym_is(args[1], 1) ? sym_int(a->p, 1)
							: sym_or(a->p, args[0], args[1]);
}

struct sym arith_xor(const struct arith *a, const struct sym *args)
{
	return sym_not(a->p, sym_test_eq(a->p, sym_truth(a->p, args[0]), sym_truth(a->p, args[1])));
}

struct sym arith_not(const struct arith *a, const struct sym *args)
{
	return sym_not(a->p, args[0]);
}

struct sym arith_where(const struct arith *a, const struct sym *args)
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

struct sym arith_cast(const struct arith *a, const struct sym *args)
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
