/*
 * What elementwise operators and their relatives have in common: one element type, and
 * one shape or a smaller one laid over it.
 */
#ifndef OPS_ELEMENTWISE_H
#define OPS_ELEMENTWISE_H

#include "ops/rule.h"

/*
 * The element type that the inputs [first, end) share.  Different ones are an error, and
 * so is an input that is known to be no tensor.
 */
int32_t elementwise_elem(struct rule *r, uint32_t first, uint32_t end);
/* The element type that an attribute names; a number that names none is an error. */
int32_t elementwise_attr_elem(struct rule *r, const char *name, int32_t otherwise);
/*
 * Output 0 has a shape, and another input, its first dim at `axis`, is broadcast to it:
 * nothing of it may be larger.
 */
void elementwise_cover(struct rule *r, uint32_t input, uint32_t axis);
/* As above, with the last dims at the last. */
void elementwise_cover_last(struct rule *r, uint32_t input);
/* As rule_equal, but an integer `a` stays when the two contradict each other. */
struct sym elementwise_equal(struct rule *r, struct sym a, struct sym b, const char *why);
/* A dim of output 0 is also this: keeps the one that is known better. */
void elementwise_unify(struct rule *r, uint32_t axis, struct sym dim, const char *why);

#endif
