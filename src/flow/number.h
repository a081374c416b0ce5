/*
 * One number of an array while it is computed with.
 *
 * The class of the element type selects the member: integers are widened to 64 bits and
 * wrap when they are stored, floats are doubles and are rounded.  The rounding of a sum,
 * product, quotient or root of floats through double is that of the narrow type.
 */
#ifndef FLOW_NUMBER_H
#define FLOW_NUMBER_H

#include "base/base.h"

union number {
	int64_t i;  /* signed */
	uint64_t u; /* unsigned and bool */
	double f;
};

/* Bytes of an element; 0 for strings, complex numbers and elements below 8 bits. */
size_t number_width(int32_t elem);
/* The bits of element i. */
uint64_t number_bits(int32_t elem, const unsigned char *bytes, uint64_t i);
union number number_load(int32_t elem, const unsigned char *bytes, uint64_t i);
/* Floats of 8 bits can be loaded, but not stored. */
bool number_storable(int32_t elem);
void number_store(int32_t elem, unsigned char *bytes, uint64_t i, union number value);
/* As after storing and loading it. */
union number number_round(int32_t elem, union number value);

#endif
