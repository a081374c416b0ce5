/*
 * Where an axis comes from, as the flow follows it.
 *
 *   logits:1 = seq: seq is ids:1
 *   scores:0 = 12*batch: batch is ids:0, 12 is fixed
 *     batch through Reshape /attn/Reshape, MatMul /attn/q, ... 7 nodes
 */
#ifndef REPORT_ORIGIN_H
#define REPORT_ORIGIN_H

#include "flow/query.h"
#include "infer/infer.h"
#include "report/record.h"

/*
 * Keys: tensor, axis, dim, factors (a list, the most significant first, with size, how, and from:
 * input and axis, symbol, path), why (where it is not known: node, op, reason).
 */
void origin_record(struct record *r, const struct infer *in, struct flow_query *q, uint32_t value,
		   uint32_t axis);

#endif
