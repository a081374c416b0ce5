/*
 * Reruns a node's rule with its inputs' dims and numbers replaced by marks.
 *
 * The marks in the results, and in the rule's needs, show what those depend on.  There
 * are no side effects: no findings, no facts, no bodies run.
 */
#ifndef INFER_RERUN_H
#define INFER_RERUN_H

#include "infer/internal.h"
#include "ir/graph.h"
#include "ops/need.h"
#include "ops/rule.h"

enum {
	/* A mark can hide something (an axis, a length), so some ways mark less. */
	RERUN_WAYS = 8
};

enum {
	MARK_LARGEST = 1 << 29 /* the largest element, whichever it is */
};

/* What a mark stands for: a dim of an input, or an element of it. */
struct mark {
	uint32_t port;
	bool element; /* index is an element, not an axis */
	uint32_t index;
};

struct op;

struct rerun {
	const struct op *op; /* borrowed */
	struct rule rule;
	struct ports ports; /* the caller frees .many */
	struct rule_host host;
};

/* A need of the rule, in marks. */
typedef void rerun_heard(void *in, const struct need *need);

/*
 * The same in two halves: the caller changes the inputs of .rule between them.  False when it
 * cannot run.
 */
bool rerun_begin(struct infer *in, uint32_t node, rerun_heard *heard, struct rerun *out);
void rerun_end(struct rerun *r);
/* False when it cannot run: the operator is unknown, or inputs are missing. */
bool rerun(struct infer *in, uint32_t node, size_t way, rerun_heard *heard, struct rerun *out);
/* Is the symbol a mark, and of what? */
bool rerun_is_mark(const struct infer *in, uint32_t id, const struct node *n, struct mark *out);

#endif
