/*
 * What an input or output of a body is to its loop: which state it carries from one turn to the
 * next, or what it is made of.
 *
 *   Loop  inputs  turn, go on?, states …        outputs  go on?, states …, collected …
 *   Scan  inputs  states …, slices …            outputs  states …, collected …
 */
#ifndef LAYOUT_CARRIED_H
#define LAYOUT_CARRIED_H

#include "base/str.h"
#include "ir/graph.h"

/* "state 1 ↺"; nothing for other bodies, and for values that are no ends of theirs. */
void carried_text(const struct model *m, uint32_t graph, uint32_t value, bool output,
		  struct str *out);
/* The operand that an input begins with, or the node's output that an output becomes; 0 for none.
 */
uint32_t carried_partner(const struct model *m, uint32_t graph, uint32_t value, bool output);

#endif
