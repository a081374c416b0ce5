/*
 * One element of a tensor, and how it comes from its bits: every element type of the standard,
 * small floats included.
 */
#ifndef IR_ELEMENT_H
#define IR_ELEMENT_H

#include "base/str.h"
#include "base/sv.h"
#include "ir/type.h"

struct scalar {
	enum elem_class class;
	union {
		bool truth;
		int64_t i;
		uint64_t u;
		double f;
		double complex_parts[2];
		struct sv text; /* valid until the next call */
	};
};

/* The element is in the low bits; not for complex and string. */
struct scalar element_from_bits(int32_t elem, uint64_t bits);
/* A float has this many significant digits. */
void scalar_print(struct str *s, const struct scalar *value, int digits);

#endif
