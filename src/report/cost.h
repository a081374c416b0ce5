/*
 * The cost of a node as an expression of sizes, only where the formula is simple and exact.
 */
#ifndef REPORT_COST_H
#define REPORT_COST_H

#include "infer/infer.h"
#include "ops/info.h"
#include "sym/sym.h"

/* Floating-point operations; unknown without a formula or with an unknown size. */
struct sym cost_operations(struct infer *in, uint32_t node);
/* Bytes of a tensor's elements. */
struct sym cost_bytes(struct infer *in, const struct info *info);

#endif
