/* ONNX Runtime's own operators: activations, normalizations, small fusions. */
#include <inttypes.h>

#include "ir/type.h"
#include "ops/info.h"
#include "ops/rule.h"
#include "ops/rules.h"
#include "sym/sym.h"

void rule_ms_rotary_embedding(struct rule *r)
{
	if (rule_ranked(r, 0))
		rule_check_rank(r, 0, 3, 4);
	rule_out_shape_of(r, 0, 0, rule_elem(r, 0));
}

void rule_ms_skip_group_norm(struct rule *r)
{
	rule_out_shape_of(r, 0, 0, rule_elem(r, 0));
	rule_out_shape_of(r, 1, 0, rule_elem(r, 0));
}

void rule_ms_skip_layer_norm(struct rule *r)
{
	rule_check_rank(r, 0, 2, 3);
	rule_check_rank(r, 2, 1, 1);
	if (rule_ranked(r, 0) && r->in[0].rank && rule_ranked(r, 2))
		rule_equal(r, r->in[0].dims[r->in[0].rank - 1], rule_dim(r, 2, 0),
			   "last axis and gamma");
	rule_out_shape_of(r, 0, 0, rule_elem(r, 0));
	rule_out_unranked(r, 1, ELEM_FLOAT32);
	rule_out_unranked(r, 2, ELEM_FLOAT32);
	rule_out_shape_of(r, 3, 0, rule_elem(r, 0));
}

void rule_ms_embed_layer_norm(struct rule *r)
{
	struct sym batch = rule_dim(r, 0, 0), length = rule_dim(r, 0, 1), size;

	rule_check_rank(r, 0, 2, 2);
	rule_check_rank(r, 2, 2, 2);
	size = rule_equal(r, rule_dim(r, 2, 1), rule_dim(r, 3, 1),
			  "sizes of word and position embeddings");
	RULE_OUT(r, 0, rule_elem(r, 2), batch, length, size);
	RULE_OUT(r, 1, ELEM_INT32, batch);
	RULE_OUT(r, 2, rule_elem(r, 2), batch, length, size);
}

void rule_ms_bias_split_gelu(struct rule *r)
{
	rule_check_rank(r, 0, 3, 3);
	RULE_OUT(r, 0, rule_elem(r, 0), rule_dim(r, 0, 0), rule_dim(r, 0, 1),
		 sym_floor_div(r->pool, rule_dim(r, 0, 2), rule_int(r, 2)));
}

/* The last axis K becomes N. */
void rule_ms_matmul_nbits(struct rule *r)
{
	int64_t n = rule_attr_int(r, "N", 0), k = rule_attr_int(r, "K", 0);
	uint32_t rank = r->in[0].rank;

	rule_out_unranked(r, 0, rule_elem(r, 0));
	if (n < 1 || k < 1) {
		rule_error(r, "K and N must be given and positive");
		return;
	}
	if (!rule_ranked(r, 0) || !rule_check_rank(r, 0, 1, RULE_MAX_RANK))
		return;
	rule_equal(r, r->in[0].dims[rank - 1], rule_int(r, k), "last axis and K");
	rule_out_resized(r, 0, 0, rank - 1, rule_int(r, n));
}

void rule_ms_quantize(struct rule *r)
{
	rule_out_shape_of(r, 0, 0, rule_has(r, 2) ? rule_elem(r, 2) : ELEM_UINT8);
}

/* The number of elements per byte of a packed row; 0 when unknown. */
static int64_t ms_packed(struct rule *r)
{
	int64_t bits = rule_attr_int(r, "bits", 4);

	if (rule_elem(r, 0) == ELEM_UNDEFINED)
		return 0;
	if (rule_elem(r, 0) != ELEM_UINT8)
		return 1;
	if (bits == 2 || bits == 4 || bits == 8)
		return 8 / bits;
	rule_error(r, "bits is %" PRId64 ", but must be 2, 4 or 8", bits);
	return 0;
}

void rule_ms_gather_quantized(struct rule *r)
{
	const struct info *data = &r->in[0], *indices = &r->in[1];
	int64_t times = ms_packed(r);
	uint32_t axis, rank = 0;
	struct sym *dims;

	rule_out_unranked(r, 0, rule_elem(r, 2));
	if (!rule_ranked(r, 0) || !rule_ranked(r, 1) ||
	    !rule_axis(r, rule_attr_int(r, "gather_axis", 0), data->rank, &axis))
		return;
	dims = rule_dims(r, data->rank - 1 + indices->rank);
	for (uint32_t i = 0; i < data->rank; i++) {
		bool last = i + 1 == data->rank;

		for (uint32_t k = 0; i == axis && k < indices->rank; k++)
			dims[rank++] = indices->dims[k];
		if (i == axis)
			continue;
		dims[rank] = data->dims[i];
		if (last)
			dims[rank] = times ? sym_mul_int(r->pool, dims[rank], times) : SYM_UNKNOWN;
		rank++;
	}
	rule_out(r, 0, rule_elem(r, 2), rank, dims);
}

void rule_ms_causal_conv(struct rule *r)
{
	int64_t window = rule_attr_int(r, "state_window", 0);
	int64_t dilation = rule_attr_int(r, "dilation", 1);
	struct sym channels;

	rule_out_shape_of(r, 0, 0, rule_elem(r, 0));
	rule_out_unranked(r, 1, rule_elem(r, 0));
	if (rule_has(r, 3)) {
		rule_out_shape_of(r, 1, 3, rule_elem(r, 0));
		return;
	}
	/* Other layouts keep more in their state than the input shows. */
	if (window != 0 || dilation < 1 || rule_attr_int(r, "ndim", 1) != 1 ||
	    rule_attr_int(r, "channels_last", 0) != 0 || !RULE_CHECK_RANKS(r, 3, 3))
		return;
	channels = rule_equal(r, rule_dim(r, 0, 1), rule_dim(r, 1, 0),
			      "channels of data and weight");
	RULE_OUT(r, 1, rule_elem(r, 0), rule_dim(r, 0, 0), channels,
		 sym_mul_int(r->pool, sym_add_int(r->pool, rule_dim(r, 1, 2), -1), dilation));
}
