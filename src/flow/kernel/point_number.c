#include <math.h>

#include "flow/kernel/kernel.h"
#include "flow/number.h"
#include "ir/type.h"

static bool is_float(const struct point *p)
{
	return p->class == ELEM_CLASS_FLOAT;
}

static bool is_negative(const struct point *p, union number n)
{
	return p->class == ELEM_CLASS_SIGNED && n.i < 0;
}

/* Integers wrap, as every runtime's do. */
bool point_neg(const struct point *p, const union number *in, union number *out)
{
	if (is_float(p))
		out->f = -in[0].f;
	else
		out->u = 0 - in[0].u;
	return true;
}

bool point_abs(const struct point *p, const union number *in, union number *out)
{
	if (is_float(p))
		out->f = fabs(in[0].f);
	else
		out->u = is_negative(p, in[0]) ? 0 - in[0].u : in[0].u;
	return true;
}

bool point_sign(const struct point *p, const union number *in, union number *out)
{
	if (is_float(p))
		out->f = isnan(in[0].f) ? in[0].f : (in[0].f > 0) - (in[0].f < 0);
	else
		out->i = is_negative(p, in[0]) ? -1 : in[0].u != 0;
	return true;
}

bool point_relu(const struct point *p, const union number *in, union number *out)
{
	*out = in[0];
	if (is_float(p) ? in[0].f < 0 : is_negative(p, in[0]))
		*out = (union number){0};
	return true;
}

bool point_not(const struct point *p, const union number *in, union number *out)
{
	(void)p;
	out->u = !in[0].u;
	return true;
}

bool point_bit_not(const struct point *p, const union number *in, union number *out)
{
	(void)p;
	out->u = ~in[0].u;
	return true;
}

bool point_add(const struct point *p, const union number *in, union number *out)
{
	if (is_float(p))
		out->f = in[0].f + in[1].f;
	else
		out->u = in[0].u + in[1].u;
	return true;
}

bool point_sub(const struct point *p, const union number *in, union number *out)
{
	if (is_float(p))
		out->f = in[0].f - in[1].f;
	else
		out->u = in[0].u - in[1].u;
	return true;
}

bool point_mul(const struct point *p, const union number *in, union number *out)
{
	if (is_float(p))
		out->f = in[0].f * in[1].f;
	else
		out->u = in[0].u * in[1].u;
	return true;
}

/* Is the quotient of two integers defined? */
static bool has_quotient(const struct point *p, const union number *in)
{
	int64_t least = (int64_t)(UINT64_MAX << (p->bits - 1));

	return in[1].u != 0 &&
	       !(p->class == ELEM_CLASS_SIGNED && in[0].i == least && in[1].i == -1);
}

bool point_div(const struct point *p, const union number *in, union number *out)
{
	if (is_float(p)) {
		out->f = in[0].f / in[1].f;
		return true;
	}
	if (!has_quotient(p, in))
		return false;
	if (p->class == ELEM_CLASS_SIGNED)
		out->i = in[0].i / in[1].i;
	else
		out->u = in[0].u / in[1].u;
	return true;
}

/* The sign is that of the divisor; with fmod, that of the dividend. */
bool point_mod(const struct point *p, const union number *in, union number *out)
{
	if (is_float(p)) {
		out->f = fmod(in[0].f, in[1].f);
		return p->mode == 1;
	}
	if (!has_quotient(p, in))
		return false;
	if (p->class != ELEM_CLASS_SIGNED) {
		out->u = in[0].u % in[1].u;
		return true;
	}
	out->i = in[0].i % in[1].i;
	if (p->mode != 1 && out->i && (out->i < 0) != (in[1].i < 0))
		out->i += in[1].i;
	return true;
}

/* Is the double a number of the point's integer type? */
static bool to_integer(const struct point *p, double x, union number *out)
{
	bool has_sign = p->class == ELEM_CLASS_SIGNED;
	double high = ldexp(1, (int)p->bits - has_sign);
	double low = has_sign ? -high : 0;

	x = trunc(x);
	if (!(x >= low && x < high))
		return false;
	if (has_sign)
		out->i = (int64_t)x;
	else
		out->u = (uint64_t)x;
	return true;
}

/* Wraps. */
static uint64_t whole_power(uint64_t base, uint64_t exponent)
{
	uint64_t power = 1;

	for (; exponent; exponent >>= 1, base *= base) {
		if (exponent & 1)
			power *= base;
	}
	return power;
}

/* The base decides the type of the result. */
bool point_pow(const struct point *p, const union number *in, union number *out)
{
	double base = is_float(p)                     ? in[0].f
		      : p->class == ELEM_CLASS_SIGNED ? (double)in[0].i
						      : (double)in[0].u;
	double exponent = p->other == ELEM_CLASS_FLOAT    ? in[1].f
			  : p->other == ELEM_CLASS_SIGNED ? (double)in[1].i
							  : (double)in[1].u;

	if (is_float(p)) {
		out->f = pow(base, exponent);
		return true;
	}
	if (!to_integer(p, pow(base, exponent), out))
		return false;
	if (exponent >= 0 && p->other != ELEM_CLASS_FLOAT)
		out->u = whole_power(in[0].u, in[1].u);
	return true;
}

bool point_prelu(const struct point *p, const union number *in, union number *out)
{
	if (is_float(p))
		out->f = in[0].f < 0 ? in[0].f * in[1].f : in[0].f;
	else
		out->u = is_negative(p, in[0]) ? in[0].u * in[1].u : in[0].u;
	return true;
}

static bool is_less(const struct point *p, union number a, union number b)
{
	if (is_float(p))
		return a.f < b.f;
	return p->class == ELEM_CLASS_SIGNED ? a.i < b.i : a.u < b.u;
}

static bool is_equal(const struct point *p, union number a, union number b)
{
	return is_float(p) ? a.f == b.f : a.u == b.u;
}

bool point_min(const struct point *p, const union number *in, union number *out)
{
	*out = (is_float(p) && isnan(in[0].f)) || is_less(p, in[0], in[1]) ? in[0] : in[1];
	return true;
}

bool point_max(const struct point *p, const union number *in, union number *out)
{
	*out = (is_float(p) && isnan(in[0].f)) || is_less(p, in[1], in[0]) ? in[0] : in[1];
	return true;
}

bool point_and(const struct point *p, const union number *in, union number *out)
{
	(void)p;
	out->u = in[0].u & in[1].u;
	return true;
}

bool point_or(const struct point *p, const union number *in, union number *out)
{
	(void)p;
	out->u = in[0].u | in[1].u;
	return true;
}

bool point_xor(const struct point *p, const union number *in, union number *out)
{
	(void)p;
	out->u = in[0].u ^ in[1].u;
	return true;
}

bool point_bit_shift(const struct point *p, const union number *in, union number *out)
{
	if (p->class != ELEM_CLASS_UNSIGNED || in[1].u >= p->bits)
		return false;
	out->u = p->mode ? in[0].u << in[1].u : in[0].u >> in[1].u;
	return true;
}

bool point_equal(const struct point *p, const union number *in, union number *out)
{
	out->u = is_equal(p, in[0], in[1]);
	return true;
}

bool point_less(const struct point *p, const union number *in, union number *out)
{
	out->u = is_less(p, in[0], in[1]);
	return true;
}

bool point_greater(const struct point *p, const union number *in, union number *out)
{
	out->u = is_less(p, in[1], in[0]);
	return true;
}

bool point_less_equal(const struct point *p, const union number *in, union number *out)
{
	out->u = is_less(p, in[0], in[1]) || is_equal(p, in[0], in[1]);
	return true;
}

bool point_greater_equal(const struct point *p, const union number *in, union number *out)
{
	out->u = is_less(p, in[1], in[0]) || is_equal(p, in[0], in[1]);
	return true;
}
