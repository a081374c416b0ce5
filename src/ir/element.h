/*
 * One element from its bits: every element type of the standard, small floats included.
 */
#ifndef IR_ELEMENT_H
#define IR_ELEMENT_H

#include "ir/tensor.h"

/* `bits` holds the element in its low bits; complex and string are not for this. */
struct scalar element_from_bits(int32_t elem, uint64_t bits);

#endif
