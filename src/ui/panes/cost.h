/*
 * What a node costs, as an expression of the sizes: only where a formula is simple and right.
 */
#ifndef UI_PANES_COST_H
#define UI_PANES_COST_H

#include "infer/infer.h"

/* Floating-point operations; unknown when there is no formula or a size is not known. */
struct sym cost_operations(struct infer *in, uint32_t node);
/* Bytes of a tensor's elements. */
struct sym cost_bytes(struct infer *in, const struct info *info);

#endif
