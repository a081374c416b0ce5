/*
 * Interned texts, each stored once: the same number means the same bytes.
 *
 * Number 0 is always the empty text; all-zero is a table of only that.  Numbers
 * are assigned in order of first appearance and never change.
 */
#ifndef BASE_INTERN_H
#define BASE_INTERN_H

#include "base/arena.h"
#include "base/sv.h"
#include "base/vec.h"

struct intern {
	struct arena text;
	VEC(struct sv) names;
	VEC(uint32_t) hashes; /* of the names, the upper half */
	uint32_t *slots;      /* owned; name number, 0 is free */
	size_t cap;           /* a power of two, or 0 */
	uint64_t seed;
};

uint32_t intern_add(struct intern *in, struct sv text);
/* 0 when the text is empty or was never added. */
uint32_t intern_find(const struct intern *in, struct sv text);
struct sv intern_text(const struct intern *in, uint32_t name);
/* The largest number plus 1. */
uint32_t intern_count(const struct intern *in);
void intern_release(struct intern *in);

#endif
