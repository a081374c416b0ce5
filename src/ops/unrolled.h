/*
 * A Loop with a small constant number of runs, run by run.
 */
#ifndef OPS_UNROLLED_H
#define OPS_UNROLLED_H

#include "ops/body.h"
#include "ops/info.h"
#include "ops/rule.h"

/*
 * Runs the body as often as the trip count says, each time with the results of the run before, and
 * writes the rule's outputs.  `in` has the body's inputs for the first run: iteration, condition,
 * states.
 *
 * False, with the outputs untouched, when that is not possible: the number of runs is not a small
 * constant, a body within the body would run too often, a tensor changes its shape, or a size
 * belongs to one run.
 */
bool unrolled_loop(struct rule *r, const struct body *b, const struct info *in) MUST_USE;

#endif
