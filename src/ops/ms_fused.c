/*
 * ONNX Runtime's fused and quantized forms of standard operators: each calls the standard's rule
 * with the relevant inputs, in the order and layout that it expects.
 */
#include <string.h>

#include "base/arena.h"
#include "ir/type.h"
#include "ops/info.h"
#include "ops/rule.h"
#include "ops/rules.h"
#include "sym/sym.h"

enum {
	RECENT = 22 /* the version whose rules are called */
};

/* A rule that sees only these inputs of the node, and has one output. */
static struct rule ms_fused_borrow(struct rule *r, const uint32_t *inputs, uint32_t count)
{
	struct rule out = *r;
	bool *given = arena_array(r->arena, count, bool);

	out.in = arena_array(r->arena, count, struct info);
	out.in_count = count;
	out.out_count = MIN(r->out_count, 1u);
	out.version = RECENT;
	for (uint32_t i = 0; i < count; i++) {
		given[i] = rule_has(r, inputs[i]);
		if (!given[i])
			continue;
		out.in[i] = r->in[inputs[i]];
		out.in[i].contents = (struct contents){0}; /* quantized elements stand for others */
		out.in[i].tensor = 0;
	}
	out.given = given;
	return out;
}

static void ms_fused_give(struct rule *r, int32_t elem)
{
	if (r->out_count && r->out[0].kind == TYPE_TENSOR)
		r->out[0].elem = elem;
}

/* ---- products ---- */

void rule_ms_fused_gemm(struct rule *r)
{
	struct rule gemm = ms_fused_borrow(r, (const uint32_t[]){0, 1, 2}, 3);

	rule_gemm(&gemm);
}

void rule_ms_qgemm(struct rule *r)
{
	struct rule gemm = ms_fused_borrow(r, (const uint32_t[]){0, 3, 6}, 3);

	rule_gemm(&gemm);
	if (rule_has(r, 8))
		ms_fused_give(r, rule_elem(r, 8));
	else
		ms_fused_give(r, rule_has(r, 7) ? ELEM_UNDEFINED : ELEM_FLOAT32);
}

/* The argument is the element type of the result. */
void rule_ms_matmul(struct rule *r)
{
	struct rule product = ms_fused_borrow(r, (const uint32_t[]){0, 1}, 2);

	rule_matmul(&product);
	ms_fused_give(r, rule_elem_argument(r));
}

/* Swaps the last two axes. */
static void ms_fused_transpose(struct rule *r, struct info *in)
{
	struct sym *dims;

	if (!in->ranked)
		return;
	dims = rule_dims(r, in->rank);
	memcpy(dims, in->dims, in->rank * sizeof(*dims));
	dims[in->rank - 1] = in->dims[in->rank - 2];
	dims[in->rank - 2] = in->dims[in->rank - 1];
	in->dims = dims;
}

void rule_ms_fused_matmul(struct rule *r)
{
	static const char *const turned[] = {"transA", "transB"};
	struct rule product = ms_fused_borrow(r, (const uint32_t[]){0, 1}, 2);

	rule_out_unranked(r, 0, rule_elem(r, 0));
	if (rule_attr_int(r, "transBatchA", 0) || rule_attr_int(r, "transBatchB", 0))
		return;
	for (uint32_t i = 0; i < ARRAY_LEN(turned); i++) {
		if (!rule_attr_int(r, turned[i], 0))
			continue;
		if (rule_ranked(r, i) && r->in[i].rank < 2)
			return;
		ms_fused_transpose(r, &product.in[i]);
	}
	rule_matmul(&product);
}

/* ---- windows ---- */

/* [N, D…, C] to [N, C, D…], or back. */
static void move_channels(struct rule *r, struct info *info, bool back)
{
	struct sym *dims;
	uint32_t last;

	if (!info->ranked || info->rank < 3)
		return;
	last = info->rank - 1;
	dims = rule_dims(r, info->rank);
	dims[0] = info->dims[0];
	dims[back ? last : 1] = info->dims[back ? 1 : last];
	for (uint32_t i = 1; i < last; i++)
		dims[back ? i : i + 1] = info->dims[back ? i + 1 : i];
	info->dims = dims;
}

/* Runtimes differ on sizes that are rounded up. */
static void forget_spatial(struct rule *r)
{
	struct info *out = &r->out[0];
	struct sym *dims;

	if (r->out_count == 0 || !out->ranked || !rule_attr_int(r, "ceil_mode", 0))
		return;
	dims = rule_dims(r, out->rank);
	for (uint32_t i = 0; i < out->rank && i < 2; i++)
		dims[i] = out->dims[i];
	out->dims = dims;
}

void rule_ms_fused_conv(struct rule *r)
{
	struct rule conv = ms_fused_borrow(r, (const uint32_t[]){0, 1, 2}, 3);

	rule_conv(&conv);
}

void rule_ms_nhwc_conv(struct rule *r)
{
	struct rule conv = ms_fused_borrow(r, (const uint32_t[]){0, 1, 2}, 3);
	struct info *weight = &conv.in[1];

	if (r->argument == NHWC_WEIGHT_UNCLEAR && weight->ranked && weight->rank) {
		struct sym *dims = rule_dims(r, weight->rank);

		dims[0] = weight->dims[0];
		weight->dims = dims;
	}
	move_channels(r, &conv.in[0], false);
	rule_conv(&conv);
	if (r->out_count)
		move_channels(r, &r->out[0], true);
}

void rule_ms_pool(struct rule *r)
{
	struct rule pooling = ms_fused_borrow(r, (const uint32_t[]){0}, 1);
	bool last = r->argument == POOL_MAX || rule_attr_int(r, "channels_last", 0) != 0;

	if (last)
		move_channels(r, &pooling.in[0], false);
	rule_pool(&pooling);
	forget_spatial(r);
	if (last && r->out_count)
		move_channels(r, &r->out[0], true);
}

/* ---- elementwise, and concatenation ---- */

void rule_ms_qlinear_binary(struct rule *r)
{
	const struct info *a = &r->in[0], *b = &r->in[3];

	rule_out_unranked(r, 0, rule_elem(r, 0));
	if (rule_ranked(r, 0) && rule_ranked(r, 3))
		rule_out(r, 0, rule_elem(r, 0), MAX(a->rank, b->rank),
			 rule_broadcast_dims(r, a->dims, a->rank, b->dims, b->rank, 0));
}

/* After the result's scale and zero point come each input's tensor, scale and zero point. */
void rule_ms_qlinear_concat(struct rule *r)
{
	uint32_t count = r->in_count > 2 ? (r->in_count - 2) / 3 : 0;
	uint32_t *inputs = arena_array(r->arena, count, uint32_t);
	struct rule concat;

	if (count == 0 || (r->in_count - 2) % 3) {
		rule_error(r, "each tensor needs a scale and a zero point");
		return;
	}
	for (uint32_t i = 0; i < count; i++)
		inputs[i] = 2 + 3 * i;
	concat = ms_fused_borrow(r, inputs, count);
	rule_concat(&concat);
	ms_fused_give(r, rule_elem(r, 1));
}
