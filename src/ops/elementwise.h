/*
 * Shared by elementwise operators and their relatives: one element type, and one shape or a smaller
 * one broadcast to it.
 */
#ifndef OPS_ELEMENTWISE_H
#define OPS_ELEMENTWISE_H

#include "ops/rule.h"
#include "sym/sym.h"

/*
 * The common element type of inputs [first, end).  Different types are an error, and so is an input
 * known not to be a tensor.
 */
int32_t elementwise_elem(struct rule *r, uint32_t first, uint32_t end);
/* The element type that an attribute names; an invalid one is an error. */
int32_t elementwise_attr_elem(struct rule *r, const char *name, int32_t otherwise);
/*
 * Broadcasts another input, its first dim at `axis`, one way to output 0, whose shape is set: no
 * dim may be larger.
 */
void elementwise_cover(struct rule *r, uint32_t input, uint32_t axis);
/* The same, aligned at the last dim. */
void elementwise_cover_last(struct rule *r, uint32_t input);
/* As rule_equal, but an integer `a` stays when the two contradict each other. */
struct sym elementwise_equal(struct rule *r, struct sym a, struct sym b, const char *why);
/* Sets a dim of output 0 that must equal `dim` to the more precise of the two. */
void elementwise_unify(struct rule *r, uint32_t axis, struct sym dim, const char *why);

#endif
