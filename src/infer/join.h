/*
 * Axes that a Reshape puts into another one, because its target has a number in their place.
 *
 * [batch, 6, 4, 4] by the target [1, 6, -1] is [1, 6, 16*batch].  It runs at every size, so the
 * axis is free; but an export with a batch of 1 writes such a target where its program keeps the
 * batch, and nothing in the file tells whether it does.  Of a symbol only a 1 is worth a word:
 * any other number must divide it, which is said anyway.
 */
#ifndef INFER_JOIN_H
#define INFER_JOIN_H

#include "infer/infer.h"
#include "sym/sym.h"

struct join {
	uint32_t node;
	uint32_t symbol;
	uint32_t axis;   /* of the result, that it goes into */
	struct sym into; /* its size */
	int64_t number;  /* in the place of the symbol */
	uint32_t target; /* the value that has it */
};

/* The first node of the main graph that does so with the symbol, and has this number in its place.
 */
bool join_of_symbol(const struct infer *in, uint32_t symbol, int64_t number, struct join *out);
/* A finding for each symbol that callers choose, unless an output says what was meant. */
void joins_tell(struct infer *in);

#endif
