/* Single float operations, each rounded to its type; double can hold all four types. */
#include <math.h>

#include "sym/float.h"

static const struct {
	int bits, min, max;
} float_round_formats[SYM_FLOAT_COUNT] = {
#define FLOAT(name, shown, bits, min, max) {bits, min, max},
	SYM_FLOATS(FLOAT)
#undef FLOAT
};

double sym_float_round(enum sym_float type, double value)
{
	int exponent, unit;
	double rounded;

	if (type == SYM_F64 || !isfinite(value) || value == 0)
		return value;
	if (type == SYM_F32)
		return (double)(float)value;
	frexp(value, &exponent);
	exponent--; /* frexp gives 0.5 <= m < 1 */
	unit = MAX(exponent, float_round_formats[type].min) - (float_round_formats[type].bits - 1);
	rounded = ldexp(rint(ldexp(value, -unit)), unit);
	if (fabs(rounded) >= ldexp(1, float_round_formats[type].max + 1))
		return copysign(INFINITY, value);
	return rounded;
}

bool sym_float_from_int(enum sym_float type, int64_t value, double *out)
{
	const int64_t exact = 1 << 24;

	if (type == SYM_F64)
		*out = (double)value;
	else if (type == SYM_F32)
		*out = (double)(float)value;
	else if (type == SYM_BF16 && (value > exact || value < -exact))
		return false;
	else
		*out = sym_float_round(type, (double)value);
	return true;
}

bool sym_float_convert(enum sym_float from, enum sym_float to, double value, double *out)
{
	double direct = sym_float_round(to, value);

	if (from == SYM_F64 && (to == SYM_F16 || to == SYM_BF16) &&
	    sym_float_round(to, (double)(float)value) != direct && !isnan(direct))
		return false;
	*out = direct;
	return true;
}

static double float_round_smaller(double a, double b)
{
	if (isnan(a) || isnan(b))
		return NAN;
	return a < b || (a == b && signbit(a)) ? a : b;
}

/* Computed in double first: with at least 2p + 2 bits, rounding twice is harmless. */
double sym_float_step(enum sym_float type, enum sym_fop op, double a, double b)
{
	switch (op) {
	case SYM_FOP_ADD:
		return sym_float_round(type, a + b);
	case SYM_FOP_SUB:
		return sym_float_round(type, a - b);
	case SYM_FOP_MUL:
		return sym_float_round(type, a * b);
	case SYM_FOP_DIV:
		return sym_float_round(
			type,
			b == 0 ? (a == 0 || isnan(a) ? NAN : copysign(INFINITY, a) * copysign(1, b))
			       : a / b);
	case SYM_FOP_MIN:
		return float_round_smaller(a, b);
	case SYM_FOP_MAX:
		return -float_round_smaller(-a, -b);
	case SYM_FOP_FLOOR:
		return floor(a);
	case SYM_FOP_CEIL:
		return ceil(a);
	case SYM_FOP_ROUND:
		return rint(a);
	case SYM_FOP_SQRT:
		return a < 0 ? NAN : sym_float_round(type, sqrt(a));
	case SYM_FOP_ABS:
		return fabs(a);
	case SYM_FOP_COUNT:
		break;
	}
	return NAN;
}

bool sym_float_cut(double value, int64_t *out)
{
	if (!(value >= -0x1p63 && value < 0x1p63))
		return false;
	*out = (int64_t)value;
	return true;
}
