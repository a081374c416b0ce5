#include "ir/element.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/str.h"
#include "base/utf8.h"

/* The bit patterns of infinity and NaN. */
enum specials {
	SPECIALS_IEEE,     /* largest exponent: infinity or NaN */
	SPECIALS_ONE_NAN,  /* no infinity; all ones is NaN */
	SPECIALS_NEG_ZERO, /* no infinity; minus zero is NaN */
	SPECIALS_NONE
};

struct float_format {
	unsigned exponent_bits;
	unsigned mantissa_bits;
	int bias;
	enum specials specials;
};

static const struct float_format element_formats[ELEM_COUNT] = {
	[ELEM_FLOAT16] = {5, 10, 15, SPECIALS_IEEE},
	[ELEM_BFLOAT16] = {8, 7, 127, SPECIALS_IEEE},
	[ELEM_FLOAT8E4M3FN] = {4, 3, 7, SPECIALS_ONE_NAN},
	[ELEM_FLOAT8E4M3FNUZ] = {4, 3, 8, SPECIALS_NEG_ZERO},
	[ELEM_FLOAT8E5M2] = {5, 2, 15, SPECIALS_IEEE},
	[ELEM_FLOAT8E5M2FNUZ] = {5, 2, 16, SPECIALS_NEG_ZERO},
	[ELEM_FLOAT4E2M1] = {2, 1, 1, SPECIALS_NONE},
	/* the rest is no small float, or (FLOAT8E8M0) an exponent alone */
};

static double special_or(double value, const struct float_format *f, unsigned exponent,
			 unsigned mantissa, bool negative)
{
	unsigned top_exponent = (1u << f->exponent_bits) - 1;
	unsigned top_mantissa = (1u << f->mantissa_bits) - 1;

	switch (f->specials) {
	case SPECIALS_IEEE:
		if (exponent == top_exponent)
			return mantissa ? (double)NAN : (double)INFINITY;
		break;
	case SPECIALS_ONE_NAN:
		if (exponent == top_exponent && mantissa == top_mantissa)
			return (double)NAN;
		break;
	case SPECIALS_NEG_ZERO:
		if (negative && exponent == 0 && mantissa == 0)
			return (double)NAN;
		break;
	case SPECIALS_NONE:
		break;
	}
	return value;
}

static double small_float(const struct float_format *f, uint64_t bits)
{
	unsigned mantissa = (unsigned)bits & ((1u << f->mantissa_bits) - 1);
	unsigned exponent = (unsigned)(bits >> f->mantissa_bits) & ((1u << f->exponent_bits) - 1);
	bool negative = bits >> (f->mantissa_bits + f->exponent_bits) & 1;
	unsigned whole = exponent ? mantissa | 1u << f->mantissa_bits : mantissa;
	int power = (exponent ? (int)exponent : 1) - f->bias - (int)f->mantissa_bits;
	double value = special_or(ldexp(whole, power), f, exponent, mantissa, negative);

	return negative && !isnan(value) ? -value : value;
}

/* A power of two: neither sign nor mantissa. */
static double scale_float(uint64_t bits)
{
	return (bits & 0xff) == 0xff ? (double)NAN : ldexp(1, (int)(bits & 0xff) - 127);
}

static double float_from_bits(int32_t elem, uint64_t bits)
{
	float single;
	double whole;
	uint32_t low = (uint32_t)bits;

	switch (elem) {
	case ELEM_FLOAT32:
		memcpy(&single, &low, sizeof(single));
		return (double)single;
	case ELEM_FLOAT64:
		memcpy(&whole, &bits, sizeof(whole));
		return whole;
	case ELEM_FLOAT8E8M0:
		return scale_float(bits);
	default:
		return small_float(&element_formats[elem], bits);
	}
}

struct scalar element_from_bits(int32_t elem, uint64_t bits)
{
	const struct elem_info *info = elem_info(elem);
	unsigned unused = 64 - info->bits;
	struct scalar value = {.class = info->class};

	switch (info->class) {
	case ELEM_CLASS_BOOL:
		value.truth = bits & 0xff;
		break;
	case ELEM_CLASS_SIGNED:
		value.i = (int64_t)(bits << unused) >> unused;
		break;
	case ELEM_CLASS_UNSIGNED:
		value.u = bits << unused >> unused;
		break;
	case ELEM_CLASS_FLOAT:
		value.f = float_from_bits(elem, bits);
		break;
	case ELEM_CLASS_NONE:
	case ELEM_CLASS_COMPLEX:
	case ELEM_CLASS_STRING:
	case ELEM_CLASS_COUNT:
		break;
	}
	return value;
}

/* ---- printing ---- */

static void float_print(struct str *s, double f, int digits)
{
	if (isnan(f))
		str_text(s, "nan");
	else if (isinf(f))
		str_text(s, f < 0 ? "-inf" : "inf");
	else
		str_format(s, "%.*g", digits, f);
}

void scalar_print(struct str *s, const struct scalar *value, int digits)
{
	switch (value->class) {
	case ELEM_CLASS_BOOL:
		str_text(s, value->truth ? "true" : "false");
		break;
	case ELEM_CLASS_SIGNED:
		str_format(s, "%" PRId64, value->i);
		break;
	case ELEM_CLASS_UNSIGNED:
		str_format(s, "%" PRIu64, value->u);
		break;
	case ELEM_CLASS_FLOAT:
		float_print(s, value->f, digits);
		break;
	case ELEM_CLASS_COMPLEX:
		float_print(s, value->complex_parts[0], digits);
		str_text(s, signbit(value->complex_parts[1]) ? "" : "+");
		float_print(s, value->complex_parts[1], digits);
		str_char(s, 'i');
		break;
	case ELEM_CLASS_STRING:
		str_char(s, '"');
		str_add_shown(s, value->text);
		str_char(s, '"');
		break;
	case ELEM_CLASS_NONE:
	case ELEM_CLASS_COUNT:
		str_char(s, '?');
		break;
	}
}
