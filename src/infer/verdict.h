/*
 * The verdict on an input axis: can it be dynamic, and if not, what stops it?
 */
#ifndef INFER_VERDICT_H
#define INFER_VERDICT_H

#include "base/arena.h"
#include "base/vec.h"
#include "infer/infer.h"

enum verdict {
	VERDICT_FREE,
	VERDICT_PINNED,
	VERDICT_FIXED,
	VERDICT_TIED,
	VERDICT_DATA,    /* must equal a data-dependent size */
	VERDICT_UNKNOWN, /* goes into a node that fails or tells no shapes, or too much work */
	VERDICT_COUNT
};

struct axis {
	uint32_t input; /* value */
	uint32_t axis;
	enum verdict verdict;
	int64_t size;      /* pinned, fixed: the least one */
	int64_t size_max;  /* and the largest */
	uint32_t node;     /* that restricts it; 0 for none; unknown: 0 when it is too much work */
	bool fails;        /* unknown: at every size, the node contradicts it */
	uint32_t constant; /* the value that holds the number; 0 when unclear */
	uint32_t dependents; /* tensor axes that depend on it */
	/* The axis or expression it must equal; NULL when only a condition ties it.  In the arena.
	 */
	const char *tied;
	const char *part_of; /* free: the size that it becomes a part of, see join.h; or NULL */
	const char *const *bounds; /* conditions on its size; in the list's arena */
	uint32_t bound_count;
};

struct axes {
	struct arena arena;
	VEC(struct axis) list;
	size_t text_bytes;   /* of all conditions */
	uint64_t steps_left; /* for the axes that are not judged yet */
};

void axes_release(struct axes *axes);
const char *verdict_name(enum verdict verdict);

/* The constant that the need compares with: a weight, or the node's last; 0 for none. */
uint32_t fact_constant(const struct infer *in, const struct fact *f);
/* Does the need come from a weight, whose size is intended, not baked in? */
bool fact_is_weight(const struct infer *in, const struct fact *f);

#endif
