/*
 * What a pass learns from a refusal, for the next pass along the same way: demands on constants,
 * multiples of sizes, names for sums.
 */
#ifndef FLOW_LESSON_H
#define FLOW_LESSON_H

#include "base/map.h"
#include "base/vec.h"
#include "flow/visit.h"

struct lesson {
	struct map by_value;
	VEC(size_t) deep; /* lengths of the forces before each deep demand */
	VEC(uint32_t) deep_values;
	bool is_deep;            /* there was one */
	struct refusal furthest; /* of those that undid a deep demand */
	uint64_t reach;          /* nodes before it */
};

/* Learns from the refusal of a pass; false when there is nothing more to learn.  `wanted` is an
 * input that would have to be freed too, the first one. */
bool lesson_learn(struct pass *p, struct lesson *l, struct demand_end *wanted);
/* Sizes have another meaning now: what was learnt about constants is learnt anew. */
void lesson_forget(struct lesson *l, struct pass *p);
/* Of several refusals the one that says most. */
void lesson_tell(struct pass *p, const struct lesson *l);
void lesson_release(struct lesson *l);

#endif
