/* Convolutions: [N, C, D1 … Dn] with a weight [M, C/group, k1 … kn]. */
#include <inttypes.h>

#include "base/num.h"
#include "ir/type.h"
#include "ops/rule.h"
#include "ops/rules.h"
#include "ops/window.h"
#include "sym/sym.h"

#define NO_BIAS UINT32_MAX

/* The channels of data and weight agree, and group divides both. */
static bool check_channels(struct rule *r, uint32_t weight)
{
	int64_t group, per_group, all, outputs;

	if (!rule_attr_positive(r, "group", 1, &group))
		return false;
	if (sym_value(r->pool, rule_dim(r, weight, 1), &per_group) &&
	    !num_imul(per_group, group, &all)) {
		rule_error(r, "the weight has too many channels");
		return false;
	}
	rule_equal(r, rule_dim(r, 0, 1), sym_mul_int(r->pool, rule_dim(r, weight, 1), group),
		   "channels of data and weight");
	if (sym_value(r->pool, rule_dim(r, weight, 0), &outputs) && outputs % group != 0)
		rule_error(r, "%" PRId64 " output %s not a multiple of group %" PRId64, outputs,
			   PLURAL(outputs, "channel is", "channels are"), group);
	return true;
}

/* [N, M, …]: M from the weight, or from the bias. */
static struct sym *begin_dims(struct rule *r, uint32_t rank, uint32_t weight, uint32_t bias)
{
	struct sym *dims = rule_dims(r, rank + 2);

	dims[0] = rule_dim(r, 0, 0);
	dims[1] = rule_dim(r, weight, 0);
	if (bias != NO_BIAS && rule_check_rank(r, bias, 1, 1))
		dims[1] = rule_equal(r, dims[1], rule_dim(r, bias, 0), "output channels and bias");
	return dims;
}

/* The dims of the result, spatial ones at least `min`; NULL when not even the rank is known. */
static struct sym *conv_dims(struct rule *r, uint32_t weight, uint32_t bias, unsigned flags,
			     int64_t min, uint32_t *out_rank)
{
	struct window w;
	struct sym *dims;
	uint32_t rank;

	if (!window_rank(r, 0, weight, &rank))
		return NULL;
	*out_rank = rank + 2;
	dims = begin_dims(r, rank, weight, bias);
	if (!check_channels(r, weight))
		return dims;
	if (!window_read(r, rank, weight, flags | WINDOW_DILATIONS, &w))
		return dims;
	for (uint32_t i = 0; i < rank; i++)
		dims[i + 2] = window_fit(r, &w, i, rule_dim(r, 0, i + 2), min);
	return dims;
}

static void conv_out(struct rule *r, uint32_t weight, uint32_t bias, int32_t elem)
{
	uint32_t rank;
	const struct sym *dims = conv_dims(r, weight, bias, 0, 1, &rank);

	if (dims)
		rule_out(r, 0, elem, rank, dims);
	else
		rule_out_unranked(r, 0, elem);
}

void rule_conv(struct rule *r)
{
	conv_out(r, 1, 2, rule_elem(r, 0));
}

void rule_conv_integer(struct rule *r)
{
	conv_out(r, 1, NO_BIAS, ELEM_INT32);
}

/* Scale and zero point come between the data and the weight. */
void rule_qlinear_conv(struct rule *r)
{
	conv_out(r, 3, 8, rule_elem(r, 7));
}

/* The offsets and the mask have the batch and spatial dims of the result. */
static void match_places(struct rule *r, uint32_t input, uint32_t rank, struct sym *dims)
{
	if (!rule_ranked(r, input) || !rule_check_rank(r, input, rank, rank))
		return;
	for (uint32_t i = 0; i < rank; i++) {
		if (i != 1)
			dims[i] = rule_equal(r, dims[i], rule_dim(r, input, i),
					     "sizes of the result and of offsets or mask");
	}
}

void rule_deform_conv(struct rule *r)
{
	uint32_t rank;
	struct sym *dims = conv_dims(r, 1, 3, WINDOW_NO_AUTO_PAD, 0, &rank);

	if (rule_attr_int(r, "offset_group", 1) < 1)
		rule_error(r, "offset_group must be positive");
	if (!dims) {
		rule_out_unranked(r, 0, rule_elem(r, 0));
		return;
	}
	match_places(r, 2, rank, dims);
	match_places(r, 4, rank, dims);
	rule_out(r, 0, rule_elem(r, 0), rank, dims);
}

/* ---- CausalConvWithState ---- */

/* The state carries the last k - 1 elements of each channel. */
void rule_causal_conv(struct rule *r)
{
	struct sym batch, channels, kept;
	int32_t elem = rule_elem(r, 0);
	uint32_t ignored;

	rule_out_rank(r, 0, elem, 3);
	rule_out_rank(r, 1, elem, 3);
	(void)RULE_CHOICE(r, "activation", &ignored, "none", "silu", "swish");
	if (!RULE_CHECK_RANKS(r, 3, 3, 1, 3))
		return;
	rule_equal(r, rule_int(r, 1), rule_dim(r, 1, 1),
		   "the middle axis of a weight [channels, 1, k]");
	batch = rule_equal(r, rule_dim(r, 0, 0), rule_dim(r, 3, 0), "batch and state");
	channels = rule_equal(r, rule_dim(r, 0, 1), rule_dim(r, 1, 0), "channels and weight");
	channels = rule_equal(r, channels, rule_dim(r, 2, 0), "channels and bias");
	channels = rule_equal(r, channels, rule_dim(r, 3, 1), "channels and state");
	kept = window_size(r, sym_add_int(r->pool, rule_dim(r, 1, 2), -1), 0);
	kept = rule_equal(r, kept, rule_dim(r, 3, 2), "kernel and state");
	RULE_OUT(r, 0, elem, batch, channels, rule_dim(r, 0, 2));
	RULE_OUT(r, 1, elem, batch, channels, kept);
}
