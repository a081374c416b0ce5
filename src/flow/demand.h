/*
 * Demands: a tensor should follow, but nothing before it says so.
 *
 * Walks back from the tensor to the constants, or the literal sizes, that made its axis as long
 * as it was, and forces them to follow in the next pass.
 */
#ifndef FLOW_DEMAND_H
#define FLOW_DEMAND_H

#include "flow/axis.h"
#include "flow/visit.h"

/*
 * Adds what makes this axis of the value follow.  `deep`: walks into what is computed from
 * constants, instead of changing its result.  False, and nothing new, when there is no way; *end
 * says where the walk ended.
 */
bool demand_walk(struct pass *p, uint32_t value, uint32_t axis, struct flow_axis factors, bool deep,
		 struct forces *out, struct demand_end *end);

#endif
