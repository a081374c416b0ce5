/*
 * ONNX Runtime's convolutions and pools: fused with what follows them, quantized, or with their
 * channels last.
 */
#include <inttypes.h>

#include "ops/info.h"
#include "ops/ms_fused.h"
#include "ops/ms_sizes.h"
#include "ops/rule.h"
#include "ops/rules.h"
#include "sym/sym.h"

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

/* Windows must fit: an empty result is refused. */
static void check_fit(struct rule *r, uint32_t first)
{
	const struct info *out = &r->out[0];
	int64_t size;

	for (uint32_t i = first; r->out_count && out->ranked && i < out->rank; i++) {
		if (!sym_value(r->pool, out->dims[i], &size)) {
			rule_bound(r, rule_int(r, 1), out->dims[i], "the window must fit");
		} else if (size < 1) {
			rule_error(r, "the window does not fit axis %" PRIu32, i);
			return;
		}
	}
}

/* Each group has as many filters. */
static void match_groups(struct rule *r, uint32_t weight)
{
	int64_t groups = rule_attr_int(r, "group", 1);

	if (groups > 1)
		rule_divisible(r, rule_dim(r, weight, 0), rule_int(r, groups),
			       "filters and groups");
}

/* A tensor that is added to the result has its shape. */
static void match_sum(struct rule *r, uint32_t input)
{
	const struct info *out = &r->out[0];

	if (!rule_ranked(r, input) || r->out_count == 0 || !out->ranked ||
	    !rule_check_rank(r, input, out->rank, out->rank))
		return;
	for (uint32_t i = 0; i < out->rank; i++)
		rule_equal(r, out->dims[i], rule_dim(r, input, i), "sizes of result and sum");
}

void rule_ms_fused_conv(struct rule *r)
{
	struct rule conv = ms_fused_borrow(r, (const uint32_t[]){0, 1, 2}, 3);

	rule_conv(&conv);
	check_fit(r, 2);
	match_groups(r, 1);
	match_sum(r, 3);
}

/* Pads are an input: known only where it is constant. */
void rule_ms_conv_transpose(struct rule *r)
{
	struct rule conv = ms_fused_borrow(r, (const uint32_t[]){0, 1, 3}, 3);
	struct contents pads = rule_contents(r, 2);
	struct sym *dims;
	uint32_t rank;

	rule_conv_transpose(&conv);
	if (r->out_count == 0 || !r->out[0].ranked || r->out[0].rank < 3)
		return;
	rank = r->out[0].rank - 2;
	dims = rule_dims(r, rank + 2);
	dims[0] = r->out[0].dims[0];
	dims[1] = r->out[0].dims[1];
	for (uint32_t i = 0; i < rank && !rule_has(r, 2); i++)
		dims[i + 2] = r->out[0].dims[i + 2];
	for (uint32_t i = 0; i < rank && pads.at && pads.count == 2 * rank; i++)
		dims[i + 2] = sym_sub(r->pool, r->out[0].dims[i + 2],
				      sym_add(r->pool, pads.at[i], pads.at[rank + i]));
	rule_out(r, 0, rule_elem(r, 0), rank + 2, dims);
}

void rule_ms_qlinear_conv(struct rule *r)
{
	struct rule conv = ms_fused_borrow(r, (const uint32_t[]){0, 3, 8}, 3);
	bool last = rule_attr_int(r, "channels_last", 0) != 0;
	static const uint32_t single[] = {1, 2, 6, 7};

	if (last)
		move_channels(r, &conv.in[0], false);
	rule_conv(&conv);
	ms_fused_give(r, rule_elem(r, 7));
	check_fit(r, 2);
	match_groups(r, 3);
	if (last && r->out_count)
		move_channels(r, &r->out[0], true);
	for (uint32_t i = 0; i < ARRAY_LEN(single); i++)
		ms_scalar(r, single[i]);
	ms_per_column(r, 4, rule_dim(r, 3, 0));
	ms_per_column(r, 5, rule_dim(r, 3, 0));
}

void rule_ms_masked_pool(struct rule *r)
{
	struct rule pooling = ms_fused_borrow(r, (const uint32_t[]){0}, 1);
	uint32_t rank = r->in[0].rank;

	pooling.argument = POOL_MAX;
	rule_pool(&pooling);
	if (!rule_ranked(r, 0) || !rule_ranked(r, 1) || !rule_check_rank(r, 1, rank, rank))
		return;
	/* The mask's batch and channels are used in turn. */
	for (uint32_t i = 2; i < rank; i++)
		rule_equal(r, rule_dim(r, 0, i), rule_dim(r, 1, i), "sizes of data and mask");
}

/* Scales and zero points of input and output, for the whole tensors. */
static void match_scales(struct rule *r)
{
	for (uint32_t i = 1; i < 5; i++)
		ms_scalar(r, i);
}

void rule_ms_global_pool(struct rule *r)
{
	struct rule pooling = *r;

	pooling.argument = GLOBAL_POOL_QUANTIZED;
	rule_global_pool(&pooling);
	match_scales(r);
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
	for (uint32_t i = 1; r->argument == POOL_AVERAGE && i < 5; i++)
		rule_check_rank(r, i, 0, 0);
	forget_spatial(r);
	if (last && r->out_count)
		move_channels(r, &r->out[0], true);
}
