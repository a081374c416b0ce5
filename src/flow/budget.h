/*
 * How much folding constants may take, in all.
 */
#ifndef FLOW_BUDGET_H
#define FLOW_BUDGET_H

#include "base/base.h"

enum {
	BUDGET_ELEMENTS = 1 << 26, /* of all arrays together */
	BUDGET_WORK = 1 << 28      /* steps of all nodes together */
};

/* What is used. */
struct budget {
	uint64_t elements;
	uint64_t work;
};

/* Takes a part of it; false when there is not enough left. */
static inline MUST_USE bool budget_elements(struct budget *b, uint64_t count)
{
	if (count > BUDGET_ELEMENTS - b->elements)
		return false;
	b->elements += count;
	return true;
}

static inline MUST_USE bool budget_work(struct budget *b, uint64_t steps)
{
	if (steps > BUDGET_WORK - b->work)
		return false;
	b->work += steps;
	return true;
}

#endif
