/*
 * Which input axes can be dynamic, and what stops the others.
 *
 * Every axis is tried with a symbol of its own, whatever name or number the file gives it,
 * and the needs of the nodes are looked at: forced to one size by something an export
 * baked in (pinned), by a weight (fixed), tied to another axis or to a size that depends on
 * data, or free.
 */
#ifndef INFER_AXES_H
#define INFER_AXES_H

#include "infer/infer.h"

enum verdict {
	VERDICT_FREE,
	VERDICT_PINNED,
	VERDICT_FIXED,
	VERDICT_TIED,
	VERDICT_DATA,    /* must equal a size that depends on data */
	VERDICT_UNKNOWN, /* behind an operator nobody knows */
	VERDICT_COUNT
};

enum {
	AXIS_MAX_BOUNDS = 4
};

struct axis {
	uint32_t input; /* value */
	uint32_t axis;
	enum verdict verdict;
	int64_t size;        /* pinned, fixed */
	uint32_t node;       /* that stops it; 0 for none */
	uint32_t constant;   /* the value that holds the number; 0 when none stands out */
	uint32_t dependents; /* tensor axes that change with it */
	/* The axis or expression it must equal; NULL when only a condition ties it.  In the arena.
	 */
	const char *tied;
	const char *bounds[AXIS_MAX_BOUNDS]; /* conditions on its size; in the list's arena */
	uint32_t bound_count;
};

struct axes {
	struct arena arena;
	VEC(struct axis)
	list;
};

void axes_find(struct axes *out, const struct model *m);
void axes_release(struct axes *axes);
const char *verdict_name(enum verdict verdict);

/* The input of a node that is a constant, the last one; 0 when there is none. */
uint32_t node_constant(const struct infer *in, uint32_t node);
/* Does the need come from a weight, which no export bakes in by accident? */
bool fact_is_weight(const struct infer *in, const struct fact *f);

#endif
