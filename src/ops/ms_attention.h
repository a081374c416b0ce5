/*
 * What ONNX Runtime's attention operators share: heads, masks, biases, and tables of rotations.
 *
 * Letters of sizes: batch B, sequence S, key L, past P, total T, heads N, head size G.
 */
#ifndef OPS_MS_ATTENTION_H
#define OPS_MS_ATTENTION_H

#include "ops/ms_sizes.h"
#include "ops/rule.h"
#include "sym/sym.h"

/* A number of heads; unknown (and an error) unless it is given and positive. */
struct sym ms_attention_heads(struct rule *r, const char *name);
/* whole/parts, where parts must divide whole. */
struct sym ms_attention_share(struct rule *r, struct sym whole, struct sym parts);
/* A bias of the scores: [B or 1, N or 1, S, T]. */
void ms_attention_bias(struct rule *r, struct ms_sizes *s, uint32_t input);
/* Tables of cosines and sines, with one row for each of at least `rows` positions. */
void ms_attention_tables(struct rule *r, uint32_t cosines, struct sym rows);

#endif
