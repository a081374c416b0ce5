/*
 * What a graph computes from constants alone, at concrete sizes.
 *
 * A value is constant when deterministic operators compute it from initializers and
 * Constant nodes.  Defaults of inputs are not constant; neither is what Shape and Size
 * return, whose sizes the caller may want to change.  Elements are computed on demand and
 * kept.  Time and memory are bounded: what is too large has no elements, and neither has
 * what the operators below do not support, or what contradicts the inferred shape.
 */
#ifndef FLOW_FOLD_H
#define FLOW_FOLD_H

#include "base/arena.h"
#include "base/map.h"
#include "flow/array.h"
#include "flow/budget.h"
#include "infer/infer.h"
#include "ir/graph.h"

struct folder {
	const struct model *model; /* borrowed */
	const struct infer *in;    /* borrowed; all sizes should be numbers */
	struct arena arena;
	struct map kernels;          /* operator name -> row, plus 1 */
	struct map excluded;         /* names of operators whose results are not constant */
	uint8_t *states;             /* owned; by value */
	const struct array **arrays; /* owned; by value; in the arena */
	size_t value_count;
	bool sizes; /* what is computed from sizes counts as constant */
	struct budget budget;
};

void folder_init(struct folder *f, const struct infer *in);
/* What is computed from sizes is constant too: `in` has only numbers. */
void folder_init_at_sizes(struct folder *f, const struct infer *in);
void folder_release(struct folder *f);

bool fold_is_constant(const struct folder *f, uint32_t value);
/* NULL when it is not constant, or its elements cannot be computed.  Owned by the folder. */
const struct array *fold_value(struct folder *f, uint32_t value);
/*
 * Evaluates a node on given arrays, one per input (NULL for an absent one), into one per
 * output; absent and unsupported outputs are left alone.
 */
bool fold_node(struct folder *f, uint32_t node, const struct array *const *inputs,
	       struct array *out) MUST_USE;

#endif
