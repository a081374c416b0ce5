/*
 * One pass over the graph: follows the freed axes from the inputs to the outputs, node by node,
 * and plans what has to change on the way.  Each operator's rule (rules.def) says how.
 *
 * A pass that is refused says what would help; search.c listens to that, and runs the next.
 */
#ifndef FLOW_PASS_H
#define FLOW_PASS_H

#include "flow/visit.h"

/* Runs a pass; false when it is refused.  The model's own outputs are checked too. */
bool pass_run(struct pass *p);
/* The same from a node of the order on; all before it is known. */
bool pass_run_from(struct pass *p, size_t first);
/* Forgets all that a pass has said. */
void pass_reset(struct pass *p);
void pass_release(struct pass *p);
/* Visits a node of any graph; false when it is refused. */
bool pass_node(struct pass *p, uint32_t id);
void pass_set_sources(struct pass *p);
/* A node as this pass sees it. */
void pass_visit(struct pass *p, uint32_t id, struct visit *v);

#endif
