/*
 * Rules of standard operators, called for forms of them that ONNX Runtime defines.
 */
#ifndef OPS_MS_FUSED_H
#define OPS_MS_FUSED_H

#include "ops/rule.h"

/* A rule that sees only these inputs of the node, and has one output. */
struct rule ms_fused_borrow(struct rule *r, const uint32_t *inputs, uint32_t count);
/* Sets the element type of the first output. */
void ms_fused_give(struct rule *r, int32_t elem);

#endif
