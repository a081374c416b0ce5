/*
 * What operators with data, input 0, and indices, input 1, require of both.  Indices may be
 * negative: they count from the end then.  Without elements, they are in range.
 */
#ifndef OPS_INDICES_H
#define OPS_INDICES_H

#include "ops/info.h"
#include "ops/rule.h"

/* All known elements must be in range for the data's axis. */
void indices_check(struct rule *r, uint32_t axis);
/* Tuples: element i must be in range for the data's axis `first` + i. */
void indices_check_tuples(struct rule *r, uint32_t first, uint32_t length);
/* The least and the largest element of an input, if it has any; each may be unknown. */
void indices_bounds(struct rule *r, uint32_t input, struct contents *out);
/* The ranks are equal, and the indices must not be larger than the data, except along `axis`. */
void indices_check_sizes(struct rule *r, uint32_t axis);

#endif
