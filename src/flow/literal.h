/*
 * What a literal end of a Slice means: a size, a distance from the end, or a number.
 */
#ifndef FLOW_LITERAL_H
#define FLOW_LITERAL_H

#include "flow/visit.h"
#include "sym/sym.h"

/*
 * The literal cuts an axis of the node's first input, which has this size.  The start of one
 * slice and the end of another, of the same axis, mean the same.
 */
struct sym literal_meaning(struct visit *v, uint32_t axis, int64_t literal, struct sym size,
			   int64_t old);
/* What it means is known from another pass. */
void pass_add_literal(struct pass *p, struct literal l);

#endif
