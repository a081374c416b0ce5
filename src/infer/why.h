/*
 * Why a dimension is what it is: which dims and numbers of a node's inputs it rests on.
 *
 * Found by asking again: the node's rule is run with every input dim (and every number
 * inside) replaced by a mark of its own, and the marks in the result are the answer.  So
 * rules need not keep books, and every rule can explain itself.
 */
#ifndef INFER_WHY_H
#define INFER_WHY_H

#include "infer/infer.h"

enum {
	WHY_LARGEST = 1 << 29 /* the element that is the largest, whichever it is */
};

/* A dim of a value, or a number inside it. */
struct why {
	uint32_t value;
	bool element; /* index is an element, not an axis */
	uint32_t index;
};

/* What it is, as far as it is known. */
struct sym why_expression(const struct infer *in, struct why what);
/*
 * What it rests on, at most `most` of them; none when it comes from nowhere (an input, a
 * constant, a body).
 */
size_t why_find(struct infer *in, struct why what, struct why *out, size_t max);
/*
 * What a fact compares: dims and numbers of its node's inputs, those of the one side before
 * those of the other.  None when they cannot be found again.
 */
size_t why_fact(struct infer *in, const struct fact *f, struct why *out, size_t max);
/* How much work it is to ask about a node; what has many inputs is much. */
size_t why_cost(const struct infer *in, uint32_t node);

#endif
