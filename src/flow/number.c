#include "flow/number.h"

#include <math.h>
#include <string.h>

#include "ir/element.h"
#include "ir/type.h"

size_t number_width(int32_t elem)
{
	const struct elem_info *info = elem_info(elem);

	switch (info->class) {
	case ELEM_CLASS_BOOL:
		return 1;
	case ELEM_CLASS_SIGNED:
	case ELEM_CLASS_UNSIGNED:
	case ELEM_CLASS_FLOAT:
		return info->bits / 8;
	case ELEM_CLASS_NONE:
	case ELEM_CLASS_COMPLEX:
	case ELEM_CLASS_STRING:
	case ELEM_CLASS_COUNT:
		break;
	}
	return 0;
}

uint64_t number_bits(int32_t elem, const unsigned char *bytes, uint64_t i)
{
	size_t width = number_width(elem);
	uint64_t bits = 0;

	for (size_t k = width; k-- > 0;)
		bits = bits << 8 | bytes[i * width + k];
	return bits;
}

union number number_load_any(int32_t elem, const unsigned char *bytes, uint64_t i)
{
	struct scalar s = element_from_bits(elem, number_bits(elem, bytes, i));

	if (s.class == ELEM_CLASS_BOOL)
		return (union number){.u = s.truth};
	if (s.class == ELEM_CLASS_FLOAT)
		return (union number){.f = s.f};
	return (union number){.u = s.u};
}

bool number_storable(int32_t elem)
{
	const struct elem_info *info = elem_info(elem);

	return number_width(elem) && (info->class != ELEM_CLASS_FLOAT || info->bits > 8);
}

static uint32_t float_bits(float f)
{
	uint32_t bits;

	memcpy(&bits, &f, sizeof(bits));
	return bits;
}

/* To the nearest, ties to even. */
static uint32_t bfloat_bits(float f)
{
	uint32_t bits = float_bits(f);

	if (isnan(f))
		return (bits >> 16) | 0x40;
	return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

static uint32_t half_bits(float f)
{
	uint32_t sign = float_bits(f) >> 16 & 0x8000;
	double size = fabs((double)f);

	if (isnan(f))
		return sign | 0x7e00;
	if (size >= 65520)
		return sign | 0x7c00;
	if (size < 0x1p-14) /* subnormal, or it rounds up to the smallest normal */
		return sign | (uint32_t)nearbyint(size * 0x1p24);
	/* The mantissa of a float, rounded to 10 bits; a carry goes into the exponent. */
	uint32_t bits = float_bits((float)size);

	bits += 0xfff + (bits >> 13 & 1);
	return sign | ((bits >> 13) - ((127 - 15) << 10));
}

static uint64_t float_to_bits(int32_t elem, double f)
{
	uint64_t bits;

	switch (elem) {
	case ELEM_FLOAT16:
		return half_bits((float)f);
	case ELEM_BFLOAT16:
		return bfloat_bits((float)f);
	case ELEM_FLOAT32:
		return float_bits((float)f);
	default:
		memcpy(&bits, &f, sizeof(bits));
		return bits;
	}
}

void number_store_any(int32_t elem, unsigned char *bytes, uint64_t i, union number value)
{
	const struct elem_info *info = elem_info(elem);
	size_t width = number_width(elem);
	uint64_t bits = value.u;

	if (info->class == ELEM_CLASS_FLOAT)
		bits = float_to_bits(elem, value.f);
	else if (info->class == ELEM_CLASS_BOOL)
		bits = value.u != 0;
	for (size_t k = 0; k < width; k++)
		bytes[i * width + k] = (unsigned char)(bits >> (8 * k));
}

union number number_round(int32_t elem, union number value)
{
	unsigned char bytes[8];

	number_store(elem, bytes, 0, value);
	return number_load(elem, bytes, 0);
}
