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
#include "sym/sym.h"

/* An axis of an input of the model; .input is 0 for none. */
struct demand_end {
	uint32_t input;
	uint32_t axis;
	struct sym size; /* that it must have */
	bool lost;       /* the walk ended where it knows no way back: there may be one */
};

/*
 * Adds what makes this axis of the value follow.  `deep`: walks into what is computed from
 * constants, instead of changing its result.  False, and nothing new, when there is no way; *end
 * is set when the walk ends at an input of the model, which would have to be freed too.
 */
bool demand_walk(struct pass *p, uint32_t value, uint32_t axis, struct flow_axis factors, bool deep,
		 struct forces *out, struct demand_end *end);

#endif
