/*
 * The rules of the pass: for each kind of operator (`enum op_flow`), how axes go through it.
 */
#ifndef FLOW_RULES_H
#define FLOW_RULES_H

#include "flow/axis.h"
#include "flow/visit.h"
#include "ir/graph.h"

/* Runs the rule of the node's operator; an operator without one is refused. */
bool flow_rule_run(struct visit *v);
/* Is the output of the model as it has to be? */
bool pass_check_output(struct visit *v, uint32_t value, const struct track *t);

/* ---- broadcast.c ---- */

enum {
	BROADCAST_EXACT = 1 << 0 /* operands must have the size: a 1 is not enough */
};

/*
 * Axes of operands that are broadcast together; those of the last `skip` axes are left alone, and
 * not counted.  Constants that have to follow are replaced.
 */
bool flow_broadcast(struct visit *v, const uint32_t *ports, uint32_t count, uint32_t skip,
		    struct flow_axis *out, uint32_t rank);

/* ---- follow.c ---- */

/* What an axis of a constant must become; count 0: it stays. */
struct follow {
	bool set;
	struct flow_axis axis;
};

/*
 * A constant input gets the axes of `spec`, one per axis.  `may_be_one`: where it is equal along
 * the axis, a size of 1 will do, since it is broadcast.
 */
bool flow_follow(struct visit *v, uint32_t port, const struct follow *spec, bool may_be_one);

/* ---- align.c ---- */

/* The axes after a Reshape to a target of these old sizes. */
bool flow_align(struct visit *v, const struct track *x, const int64_t *target,
		const int64_t *literal, uint32_t count, struct flow_axis *out);

/* ---- bodies.c ---- */

/* Does the node call a function of the model? */
bool pass_is_call(const struct pass *p, const struct node *n);
bool pass_call(struct visit *v);

/* ---- rules_window.c ---- */

/*
 * Pads of a Pad that differ before and after: false, refused, when the windows that read it let
 * them depend on the size.  *out_certain: all of these windows need just such pads.
 */
bool flow_check_padded(struct visit *v, uint32_t axis, int64_t before, int64_t after,
		       bool *out_certain);

/* ---- rules_einsum.c ---- */

/* The axis of an input that has the letter of an axis of the result; false for none. */
bool flow_einsum_axis(struct visit *v, uint32_t axis, uint32_t port, uint32_t *out);

typedef bool flow_rule(struct visit *v);

#define FLOW_RULE(kind, rule) flow_rule flow_##rule;
#include "flow/rules.def"
#undef FLOW_RULE

#endif
