/*
 * What operators with data, input 0, and indices, input 1, require of both.  Indices may be
 * negative: they count from the end then.  Without elements, they are in range.
 */
#ifndef OPS_INDICES_H
#define OPS_INDICES_H

#include "ops/rule.h"
#include "sym/sym.h"

/* All known elements must be in range for an axis of that length. */
void indices_check(struct rule *r, struct sym length);
/* Tuples: element i must be in range for the data's axis `first` + i. */
void indices_check_tuples(struct rule *r, uint32_t first, uint32_t length);
/* The largest element of an input, if it has any; may be unknown. */
struct sym indices_max(struct rule *r, uint32_t input);
/* The ranks are equal, and the indices must not be larger than the data, except along `axis`. */
void indices_check_sizes(struct rule *r, uint32_t axis);

#endif
