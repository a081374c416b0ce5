/*
 * Graphs inside nodes, for the rules that run them.
 */
#ifndef FLOW_BODIES_H
#define FLOW_BODIES_H

#include "flow/plan.h"
#include "flow/visit.h"

/* Visits the nodes of a body; false when one refuses. */
bool flow_body_run(struct visit *v, uint32_t graph);
void flow_body_set_input(const struct visit *v, uint32_t graph, uint32_t input,
			 const struct track *t);
const struct track *flow_body_output(const struct visit *v, uint32_t graph, uint32_t output);
/* What the plan does from the mark on, as a number: the same for runs that need the same. */
uint64_t plan_print(const struct plan *p, const struct pass_mark *m);

/* ---- unrolled.c ---- */

/* A Loop with a sequence among its states. */
bool flow_unrolled(struct visit *v, uint32_t graph);

#endif
