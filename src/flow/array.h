/*
 * The elements of a constant, in memory.
 *
 * They are little-endian bytes, as raw_data has them, row by row; a bool is one byte.
 * Strings, complex numbers and elements below 8 bits are not supported.  Arrays are
 * immutable, and several may share their bytes.
 */
#ifndef FLOW_ARRAY_H
#define FLOW_ARRAY_H

#include "base/arena.h"
#include "ir/element.h"
#include "ir/graph.h"

enum {
	ARRAY_MAX_RANK = 32,
	ARRAY_MAX_COUNT = 1 << 24 /* elements of one array */
};

struct array {
	int32_t elem;
	uint32_t rank;
	const int64_t *dims; /* borrowed */
	uint64_t count;
	const unsigned char *bytes; /* borrowed */
};

/* Bytes of an element; 0 when the type is not supported. */
size_t array_width(int32_t elem);
/*
 * False when a dim is negative, or there are too many dims or elements: products of dims of an
 * array are at most ARRAY_MAX_COUNT, even when one is 0.
 */
bool array_count(const int64_t *dims, uint32_t rank, uint64_t *out) MUST_USE;
/* Reads a tensor, wherever its data is.  False when it is unreadable, large or not supported. */
bool array_read(const struct model *m, uint32_t tensor, struct arena *arena,
		struct array *out) MUST_USE;

struct scalar array_at(const struct array *a, uint64_t i);
/* Element i as an integer; false when it is a float or does not fit. */
bool array_int(const struct array *a, uint64_t i, int64_t *out) MUST_USE;
/* Element i as a double; integers are rounded. */
double array_real(const struct array *a, uint64_t i);
/* Do two elements have the same bits? */
bool array_same(const struct array *a, uint64_t i, uint64_t j);
/* The size of an axis; 1 when there is none. */
int64_t array_dim(const struct array *a, uint32_t axis);
/* How many elements apart neighbours along each axis are; for ranks up to ARRAY_MAX_RANK. */
void array_strides(const int64_t *dims, uint32_t rank, int64_t *out);

#endif
