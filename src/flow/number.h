/*
 * One number of an array while it is computed with.
 *
 * The class of the element type selects the member: integers are widened to 64 bits and
 * wrap when they are stored, floats are doubles and are rounded.  The rounding of a sum,
 * product, quotient or root of floats through double is that of the narrow type.
 */
#ifndef FLOW_NUMBER_H
#define FLOW_NUMBER_H

#include <string.h>

#include "base/base.h"
#include "ir/type.h"

union number {
	int64_t i;  /* signed */
	uint64_t u; /* unsigned and bool */
	double f;
};

/* Bytes of an element; 0 for strings, complex numbers and elements below 8 bits. */
size_t number_width(int32_t elem);
/* The bits of element i. */
uint64_t number_bits(int32_t elem, const unsigned char *bytes, uint64_t i);
union number number_load_any(int32_t elem, const unsigned char *bytes, uint64_t i);

/* The frequent types are read in line. */
static inline union number number_load(int32_t elem, const unsigned char *bytes, uint64_t i)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	union number n;
	float single;

	if (elem == ELEM_FLOAT32) {
		memcpy(&single, bytes + i * sizeof(single), sizeof(single));
		n.f = (double)single;
		return n;
	}
	if (elem == ELEM_INT64 || elem == ELEM_FLOAT64) {
		memcpy(&n, bytes + i * sizeof(n), sizeof(n));
		return n;
	}
#endif
	return number_load_any(elem, bytes, i);
}

/* Floats of 8 bits can be loaded, but not stored. */
bool number_storable(int32_t elem);
void number_store_any(int32_t elem, unsigned char *bytes, uint64_t i, union number value);

static inline void number_store(int32_t elem, unsigned char *bytes, uint64_t i, union number value)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	float single;

	if (elem == ELEM_FLOAT32) {
		single = (float)value.f;
		memcpy(bytes + i * sizeof(single), &single, sizeof(single));
		return;
	}
	if (elem == ELEM_INT64 || elem == ELEM_FLOAT64) {
		memcpy(bytes + i * sizeof(value), &value, sizeof(value));
		return;
	}
#endif
	number_store_any(elem, bytes, i, value);
}

/* As after storing and loading it. */
union number number_round(int32_t elem, union number value);

#endif
