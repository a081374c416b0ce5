/*
 * Checked arithmetic on numbers from a file: each returns whether the result
 * fits.  The i versions are signed, the others unsigned.
 */
#ifndef BASE_NUM_H
#define BASE_NUM_H

#include "base/base.h"

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

#endif
