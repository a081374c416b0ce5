/*
 * Growable arrays of one type:  VEC(uint32_t) ids = {0};  *vec_add(&ids) = 7;
 *
 * All-zero is empty.  Adding may move the elements: keep indices, not pointers.
 */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include <stdlib.h>
#include <string.h>

#include "base/base.h"

#define VEC(type)           \
	struct {            \
		type *at;   \
		size_t len; \
		size_t cap; \
	}

/* The new, all-zero last element. */
#define vec_add(v)                                                                                \
	((v)->at = vec_room((v)->at, &(v)->cap, (v)->len, 1, sizeof(*(v)->at), true), (v)->len++, \
	 &(v)->at[(v)->len - 1])

#define vec_push(v, value) ((void)(*vec_add(v) = (value)))

/* Appends n uninitialised elements; evaluates to the first. */
#define vec_extend(v, n)                                                                 \
	((v)->at = vec_room((v)->at, &(v)->cap, (v)->len, (n), sizeof(*(v)->at), false), \
	 (v)->len += (n), (v)->at + ((v)->len - (n)))

#define vec_last(v)    (&(v)->at[(v)->len - 1])
#define vec_pop(v)     ((void)(v)->len--)
#define vec_clear(v)   ((void)((v)->len = 0))
#define vec_release(v) (free((v)->at), (v)->at = NULL, (v)->len = (v)->cap = 0)

void *vec_grow(void *at, size_t *cap, size_t len, size_t more, size_t size, bool zero) MUST_USE;

/* Most elements find room: that path is inline, and clears one of a known size. */
static inline MUST_USE void *vec_room(void *at, size_t *cap, size_t len, size_t more, size_t size,
				      bool zero)
{
	if (!at || more > *cap - len)
		return vec_grow(at, cap, len, more, size, zero);
	if (zero)
		memset((char *)at + len * size, 0, more * size);
	return at;
}

#endif
