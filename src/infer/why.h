/*
 * Why a dimension is what it is: the dims and numbers of node inputs it depends on.
 *
 * The node's rule is rerun with every input dim (and every element) replaced by its own
 * mark; the marks in the result are the answer.  So rules record nothing, and every rule
 * can be explained.
 */
#ifndef INFER_WHY_H
#define INFER_WHY_H

#include "infer/infer.h"
#include "sym/sym.h"

enum {
	WHY_LARGEST = 1 << 29, /* the largest element, whichever it is */
	WHY_MAX = 16           /* places worth asking for */
};

/* A dim of a value, or an element of it. */
struct why {
	uint32_t value;
	bool element; /* index is an element, not an axis */
	uint32_t index;
};

/* Its size or number, as far as known. */
struct sym why_expression(const struct infer *in, struct why what);
/*
 * What it depends on, at most `max` places; none when it has no sources (an input, a
 * constant, a body).
 */
size_t why_find(struct infer *in, struct why what, struct why *out, size_t max);
/*
 * What a fact compares: dims and numbers of its node's inputs, one side before the other.
 * None when they cannot be found.
 */
size_t why_fact(struct infer *in, const struct fact *f, struct why *out, size_t max);
/* The work of explaining a node; it grows with its inputs. */
size_t why_cost(const struct infer *in, uint32_t node);

#endif
