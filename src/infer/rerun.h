/*
 * A node's rule run once more, its inputs' dims and numbers replaced by marks.
 *
 * What is in the results, and in the needs that the rule tells, says by its marks what it
 * rests on.  Nothing else comes of it: no findings, no facts, no bodies run.
 */
#ifndef INFER_RERUN_H
#define INFER_RERUN_H

#include "infer/internal.h"

enum {
	/* A mark can hide something (an axis, a length), so there are ways that mark less. */
	RERUN_WAYS = 6
};

enum {
	MARK_LARGEST = 1 << 29 /* the element that is the largest, whichever it is */
};

/* What a mark stands for: a dim of an input, or a number inside it. */
struct mark {
	uint32_t port;
	bool element; /* index is an element, not an axis */
	uint32_t index;
};

struct rerun {
	struct rule rule;
	struct ports ports; /* whoever ran it frees .many */
	struct rule_host host;
};

/* A need of the rule, in marks. */
typedef void rerun_heard(void *in, const struct need *need);

/* False when it cannot be run: nobody knows the operator, or inputs are missing. */
bool rerun(struct infer *in, uint32_t node, size_t way, rerun_heard *heard, struct rerun *out);
/* Is the symbol a mark, and of what? */
bool rerun_is_mark(const struct infer *in, uint32_t id, const struct node *n, struct mark *out);

#endif
