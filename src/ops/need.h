/*
 * What operators require of their inputs' sizes.
 */
#ifndef OPS_NEED_H
#define OPS_NEED_H

#include "sym/sym.h"

enum fact_kind {
	FACT_EQUAL,     /* a must equal b */
	FACT_SOFT,      /* a is 1 or b, because a is broadcast */
	FACT_PAIR,      /* they are broadcast: equal, or one of them is 1 */
	FACT_DIVISIBLE, /* b divides a */
	FACT_BOUND,     /* a is at most b */
	FACT_NEVER,     /* a had to equal b, or be a multiple of it, and cannot: an error */
	FACT_KIND_COUNT
};

/* What an operator requires of two sizes. */
struct need {
	enum fact_kind kind;
	struct sym a, b;
	const char *why; /* borrowed */
	bool of_state;   /* about an initial state, which exports bake in, unlike weights */
	/* If it is about numbers of elements that go in and out: these; a and b may be less. */
	struct sym in, out;
};

#endif
