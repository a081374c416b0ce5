/*
 * A pass that only watches: nothing is freed, and nothing has to change.  It says where the axes
 * of every tensor come from, at the sizes that the model has.
 *
 * Every axis of every input is followed, named or not.  Where a weight or a literal would stop an
 * axis from being freed, its elements are still followed.  A node of which the rule does not
 * know, or knows several ways, is asked again for one size at a time; what is left is unknown,
 * axis by axis, and the pass goes on.
 */
#ifndef FLOW_WATCH_H
#define FLOW_WATCH_H

#include "flow/axis.h"
#include "flow/visit.h"

/* Visits a node of any graph; never refuses. */
bool watch_node(struct pass *p, uint32_t id);
/* An axis of which nobody knows where it comes from. */
struct flow_axis watch_unknown(struct pass *p, int64_t old);

#endif
