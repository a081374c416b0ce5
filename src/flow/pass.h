/*
 * One pass over the graph: follows the freed axes from the inputs to the outputs, node by node,
 * and plans what has to change on the way.  Each operator's rule (rules.def) says how.
 *
 * A pass that is refused says what would help; search.c listens to that, and runs the next.
 */
#ifndef FLOW_PASS_H
#define FLOW_PASS_H

#include "flow/visit.h"
#include "ir/graph.h"

/* Runs a pass; false when it is refused.  The model's own outputs are checked too. */
bool pass_run(struct pass *p);
/* The same from a node of the order on; all before it is known. */
bool pass_run_from(struct pass *p, size_t first);
/* Forgets all that a pass has said. */
void pass_reset(struct pass *p);
/* What comes before the first node. */
void pass_start(struct pass *p);
void pass_release(struct pass *p);
/* Visits a node of any graph; false when it is refused. */
bool pass_node(struct pass *p, uint32_t id);
void pass_set_sources(struct pass *p);
/* Does the node, or a body of it, read a freed size? */
bool pass_reads_free(const struct visit *v);
bool pass_body_reads_free(const struct pass *p, const struct node *owner, unsigned depth);
bool pass_has_bodies(const struct node *n);
/* The outputs are as they were; a constant stays one. */
void pass_leave_alone(struct visit *v);
/* A node as this pass sees it. */
void pass_visit(struct pass *p, uint32_t id, struct visit *v);

#endif
