/*
 * What a node would yield for other inputs than those the model gives it.
 *
 * Runs the rule of its operator on infos of the caller.  There are no side effects: no
 * findings, no facts, no bodies run.
 */
#ifndef INFER_APPLY_H
#define INFER_APPLY_H

#include "base/arena.h"
#include "infer/infer.h"
#include "ops/info.h"

/*
 * `inputs` has one info per input of the node, all-zero for an absent one; `outputs` one per
 * output, which may stay unknown.  Results live in the arena.  False when the operator has no
 * rule here: it is unknown, has bodies, or refers to attributes of a caller.
 */
bool infer_apply(struct infer *in, uint32_t node, struct arena *arena, const struct info *inputs,
		 struct info *outputs);

#endif
