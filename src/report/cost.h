/*
 * The cost of a node as an expression of sizes, only where the formula is simple and exact.
 *
 *   2*batch*seq FLOP, or 1.2 GFLOP
 */
#ifndef REPORT_COST_H
#define REPORT_COST_H

#include "base/str.h"
#include "infer/infer.h"
#include "ops/info.h"
#include "report/record.h"
#include "sym/sym.h"

/* Floating-point operations; unknown without a formula or with an unknown size. */
struct sym cost_operations(struct infer *in, uint32_t node);
/* Bytes of a tensor's elements. */
struct sym cost_bytes(struct infer *in, const struct info *info);
/* The same of a node's outputs. */
struct sym cost_outputs(struct infer *in, uint32_t node);

enum cost_unit {
	COST_BYTES,
	COST_FLOP,
	COST_UNIT_COUNT
};

/* 4.53 G; "512 " without a letter. */
void amount_print(struct str *out, int64_t amount);
/* Key: amount.  A number, or a large factor of a formula, is shown in a short form: 34.9 GFLOP·N.
 */
void amount_record(struct record *r, struct infer *in, struct sym amount, enum cost_unit unit);

#endif
