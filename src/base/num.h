/*
 * Checked arithmetic on numbers from a file: each returns whether the result
 * fits; and divisors.  The i versions are signed, the others unsigned.
 *
 * 128 bits hold the product of any two numbers of 64.  ISO C has no such type, and only a
 * typedef keeps -pedantic quiet.
 */
#ifndef BASE_NUM_H
#define BASE_NUM_H

#include "base/base.h"

__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;

MUST_USE static inline bool num_add(uint64_t a, uint64_t b, uint64_t *out)
{
	return !__builtin_add_overflow(a, b, out);
}

MUST_USE static inline bool num_mul(uint64_t a, uint64_t b, uint64_t *out)
{
	return !__builtin_mul_overflow(a, b, out);
}

MUST_USE static inline bool num_iadd(int64_t a, int64_t b, int64_t *out)
{
	return !__builtin_add_overflow(a, b, out);
}

MUST_USE static inline bool num_isub(int64_t a, int64_t b, int64_t *out)
{
	return !__builtin_sub_overflow(a, b, out);
}

MUST_USE static inline bool num_imul(int64_t a, int64_t b, int64_t *out)
{
	return !__builtin_mul_overflow(a, b, out);
}

/* The greatest common divisor; of 0 and a number that number. */
MUST_USE static inline uint64_t num_gcd(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* Of numbers that are not negative. */
MUST_USE static inline int64_t num_igcd(int64_t a, int64_t b)
{
	return (int64_t)num_gcd((uint64_t)a, (uint64_t)b);
}

#endif
