/* ONNX Runtime's own operators: normalizations, embeddings, rotations, and what it keeps of early
 * ONNX. */
#include <inttypes.h>

#include "ir/type.h"
#include "ops/info.h"
#include "ops/ms_attention.h"
#include "ops/ms_sizes.h"
#include "ops/rule.h"
#include "ops/rules.h"
#include "sym/sym.h"

/* ---- rotations ---- */

/* Data [B, S, N*G] or [B, N, S, G].  Each head's first elements are turned: twice the tables'
 * width. */
static void rotary_data(struct rule *r, struct ms_sizes *s)
{
	int64_t heads = rule_attr_int(r, "num_heads", 0);
	int64_t turned = rule_attr_int(r, "rotary_embedding_dim", 0);
	struct sym half = rule_dim(r, 2, 1);

	if (heads > INT32_MAX || turned > INT32_MAX) {
		rule_error(r, "num_heads and rotary_embedding_dim are too large");
		return;
	}
	if (turned > 0)
		rule_equal(r, rule_int(r, turned / 2), half, "rotary_embedding_dim and tables");
	if (r->in[0].rank == 4) {
		ms_match(r, s, 0, "BNSG");
		ms_at_most(r, rule_int(r, turned), ms_size(s, 'G'),
			   "rotary_embedding_dim and head size");
		if (turned <= 0 && r->argument == MS_ROTARY_SECTIONS)
			rule_equal(r, ms_size(s, 'G'), sym_mul_int(r->pool, half, 2),
				   "head size and tables");
		else if (turned <= 0)
			rule_equal(r, sym_floor_div(r->pool, ms_size(s, 'G'), rule_int(r, 2)), half,
				   "half the head size, and tables");
	} else if (ms_match(r, s, 0, "BSH") && turned <= 0) {
		if (heads > 0)
			rule_equal(r, ms_size(s, 'H'), sym_mul_int(r->pool, half, 2 * heads),
				   "head size and tables");
		else
			rule_divisible(r, ms_size(s, 'H'), sym_mul_int(r->pool, half, 2),
				       "width and tables");
	} else if (heads > 0) {
		rule_divisible(r, ms_size(s, 'H'), rule_int(r, heads), "width and heads");
		ms_at_most(r, sym_mul_int(r->pool, rule_int(r, turned), heads), ms_size(s, 'H'),
			   "rotary_embedding_dim and width");
	}
}

void rule_ms_rotary_embedding(struct rule *r)
{
	struct ms_sizes s = {0};
	bool many = r->argument == MS_ROTARY_SECTIONS;

	rule_out_shape_of(r, 0, 0, rule_elem(r, 0));
	if (!rule_ranked(r, 0) || !rule_check_rank(r, 0, 3, 4))
		return;
	rotary_data(r, &s);
	ms_attention_tables(r, 2, ms_size(&s, 'S'));
	if (many)
		ms_match(r, &s, 1, "3BS");
	else if (rule_ranked(r, 1) && rule_check_rank(r, 1, 0, 2))
		ms_match(r, &s, 1, r->in[1].rank == 2 ? "BS" : "s");
}

/* ---- normalizations ---- */

/* With the channels last, [B, H, W, C], or behind the batch. */
static void norm_match(struct rule *r, struct ms_sizes *s)
{
	int64_t groups = rule_attr_int(r, "groups", 0);

	rule_out_shape_of(r, 0, 0, rule_elem(r, 0));
	ms_match(r, s, 0, rule_attr_int(r, "channels_last", 1) ? "BXYC" : "BCXY");
	ms_match(r, s, 1, "C");
	ms_match(r, s, 2, "C");
	if (groups < 1)
		rule_error(r, "groups must be given and positive");
	else
		rule_divisible(r, ms_size(s, 'C'), rule_int(r, groups), "channels and groups");
}

void rule_ms_group_norm(struct rule *r)
{
	struct ms_sizes s = {0};

	norm_match(r, &s);
}

void rule_ms_skip_group_norm(struct rule *r)
{
	struct ms_sizes s = {0};

	norm_match(r, &s);
	rule_out_shape_of(r, 1, 0, rule_elem(r, 0));
	ms_match(r, &s, 4, "C");
	if (!rule_ranked(r, 3))
		return;
	if (r->in[3].rank == 2) {
		ms_match(r, &s, 3, "BC");
		return;
	}
	if (!ms_match(r, &s, 3, "B..C"))
		return;
	ms_one_or(r, rule_dim(r, 3, 1), ms_size(&s, 'X'), "sizes of data and skip");
	ms_one_or(r, rule_dim(r, 3, 2), ms_size(&s, 'Y'), "sizes of data and skip");
}

/* The scale has the last axes of the data, or is broadcast to them. */
void rule_ms_root_norm(struct rule *r)
{
	uint32_t rank = r->in[0].rank, count = r->in[1].rank, axis;

	rule_ms_layer_norm(r);
	if (!rule_ranked(r, 0) || !rule_ranked(r, 1) ||
	    !rule_axis(r, rule_attr_int(r, "axis", -1), rank, &axis))
		return;
	if (!rule_check_rank(r, 1, 0, rank))
		return;
	for (uint32_t i = 0; i < count; i++)
		ms_one_or(r, r->in[1].dims[i], r->in[0].dims[rank - count + i],
			  "sizes of data and scale");
}

/* The skip has the data's shape, or is broadcast over the batch. */
static void match_skip(struct rule *r, struct ms_sizes *s)
{
	uint32_t rank = r->in[1].rank;

	if (!rule_ranked(r, 0) || !rule_ranked(r, 1))
		return;
	if (r->in[0].rank == 2) {
		ms_match(r, s, 1, "SH");
	} else if (rule_check_rank(r, 1, 2, 3)) {
		ms_match(r, s, 1, rank == 2 ? "SH" : ".SH");
		if (rank == 3)
			ms_one_or(r, rule_dim(r, 1, 0), ms_size(s, 'B'), "batch sizes");
	}
}

void rule_ms_skip_layer_norm(struct rule *r)
{
	struct ms_sizes s = {0};

	rule_out_shape_of(r, 0, 0, rule_elem(r, 0));
	rule_out_unranked(r, 1, ELEM_FLOAT32);
	rule_out_unranked(r, 2, ELEM_FLOAT32);
	rule_out_shape_of(r, 3, 0, rule_elem(r, 0));
	if (rule_ranked(r, 0) && rule_check_rank(r, 0, 2, 3))
		ms_match(r, &s, 0, r->in[0].rank == 2 ? "SH" : "BSH");
	match_skip(r, &s);
	for (uint32_t i = 2; i < 5; i++)
		ms_match(r, &s, i, "H");
}

/* ---- embeddings ---- */

void rule_ms_embed_layer_norm(struct rule *r)
{
	struct ms_sizes s = {0};

	ms_match(r, &s, 0, "BS");
	ms_match(r, &s, 1, "BS");
	ms_match(r, &s, 2, ".H");
	ms_match(r, &s, 3, "XH");
	ms_match(r, &s, 4, ".H");
	ms_match(r, &s, 5, "H");
	ms_match(r, &s, 6, "H");
	ms_match(r, &s, 7, "BS");
	if (r->argument == MS_EMBED_QUANTIZED) {
		for (uint32_t i = 8; i < 18; i++)
			ms_scalar(r, i);
		ms_out(r, &s, 0, rule_elem(r, 8), "BSH");
		ms_out(r, &s, 1, rule_elem(r, 0), "B");
		ms_at_most(r, ms_size(&s, 'S'), ms_size(&s, 'X'), "sequence and positions");
		return;
	}
	if (rule_ranked(r, 8) && ms_match(r, &s, 8, ".S"))
		ms_one_or(r, rule_dim(r, 8, 0), ms_size(&s, 'B'), "batch sizes");
	if (!rule_has(r, 8))
		ms_at_most(r, ms_size(&s, 'S'), ms_size(&s, 'X'), "sequence and positions");
	ms_out(r, &s, 0, rule_elem(r, 2), "BSH");
	ms_out(r, &s, 1, ELEM_INT32, "B");
	ms_out(r, &s, 2, rule_elem(r, 2), "BSH");
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

/* Scales are those of the data's blocks along quantize_axis. */
static void gather_scales(struct rule *r, int64_t times)
{
	const struct info *data = &r->in[0];
	int64_t block = rule_attr_int(r, "block_size", 128);
	uint32_t axis, rank = data->rank;

	if (!rule_ranked(r, 2) || times == 0 || block < 1 ||
	    !rule_axis(r, rule_attr_int(r, "quantize_axis", 1), rank, &axis) ||
	    !rule_check_rank(r, 2, rank, rank) || !rule_check_rank(r, 3, rank, rank))
		return;
	for (uint32_t i = 0; i < rank; i++) {
		struct sym size = data->dims[i];

		if (i + 1 == rank)
			size = sym_mul_int(r->pool, size, times);
		if (i == axis)
			size = sym_floor_div(r->pool, sym_add_int(r->pool, size, block - 1),
					     rule_int(r, block));
		size = rule_equal(r, size, rule_dim(r, 2, i), "sizes of data and scales");
		if (i + 1 == rank)
			size = sym_floor_div(r->pool, sym_add_int(r->pool, size, times - 1),
					     rule_int(r, times));
		if (rule_has(r, 3))
			rule_equal(r, size, rule_dim(r, 3, i), "sizes of scales and zero points");
	}
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
	gather_scales(r, times);
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

/* ---- convolution with a state ---- */

void rule_ms_causal_conv(struct rule *r)
{
	int64_t window = rule_attr_int(r, "state_window", 0);
	int64_t dilation = rule_attr_int(r, "dilation", 1);
	struct ms_sizes s = {0};

	rule_out_shape_of(r, 0, 0, rule_elem(r, 0));
	rule_out_unranked(r, 1, rule_elem(r, 0));
	if (rule_has(r, 3))
		rule_out_shape_of(r, 1, 3, rule_elem(r, 0));
	/* Other layouts keep more in their state than the input shows. */
	if (window != 0 || dilation < 1 || dilation > INT32_MAX ||
	    rule_attr_int(r, "ndim", 1) != 1 || rule_attr_int(r, "channels_last", 0) != 0)
		return;
	if (!ms_match(r, &s, 0, "BC.") || !ms_match(r, &s, 1, "C1K"))
		return;
	ms_match(r, &s, 2, "C");
	ms_size_set(&s, 'X',
		    sym_mul_int(r->pool, sym_add_int(r->pool, ms_size(&s, 'K'), -1), dilation));
	ms_match(r, &s, 3, "BCX");
	ms_out(r, &s, 1, rule_elem(r, 0), "BCX");
}

/* ---- kept from early ONNX ---- */

/* One bias for each channel. */
void rule_ms_image_scaler(struct rule *r)
{
	uint32_t count = rule_attr_count(r, "bias");

	rule_out_shape_of(r, 0, 0, rule_elem(r, 0));
	if (rule_ranked(r, 0) && rule_check_rank(r, 0, 4, 4))
		rule_equal(r, rule_int(r, count), rule_dim(r, 0, 1), "channels and bias");
}

/* What is left of an axis after a border on both sides, or the size that `scale` demands. */
static struct sym crop_size(struct rule *r, struct sym size, int64_t before, int64_t after,
			    const int64_t *wanted)
{
	if (!wanted) {
		ms_at_most(r, rule_int(r, before + after + 1), size, "borders and image");
		return sym_add_int(r->pool, size, -before - after);
	}
	ms_at_most(r, rule_int(r, before + *wanted), size, "border, scale and image");
	return rule_int(r, *wanted);
}

void rule_ms_crop(struct rule *r)
{
	const int64_t *border, *scale;
	uint32_t count, sizes;

	rule_out_unranked(r, 0, rule_elem(r, 0));
	if (!rule_attr_ints(r, "border", &border, &count) ||
	    !rule_attr_ints(r, "scale", &scale, &sizes) || !rule_check_rank(r, 0, 4, 4))
		return;
	if (count != 4 || (sizes != 0 && sizes != 2)) {
		rule_error(r, "border must have four numbers, and scale two or none");
		return;
	}
	for (uint32_t i = 0; i < count + sizes; i++) {
		int64_t n = i < count ? border[i] : scale[i - count];

		if (n < 0 || n > INT32_MAX) {
			rule_error(r, "border and scale must not be negative");
			return;
		}
	}
	RULE_OUT(r, 0, rule_elem(r, 0), rule_dim(r, 0, 0), rule_dim(r, 0, 1),
		 crop_size(r, rule_dim(r, 0, 2), border[1], border[3], sizes ? scale : NULL),
		 crop_size(r, rule_dim(r, 0, 3), border[0], border[2], sizes ? scale + 1 : NULL));
}

/* Slice, whose starts, ends and axes are inputs, before Slice had them as inputs. */
void rule_ms_dynamic_slice(struct rule *r)
{
	struct rule slice = *r;
	struct ms_sizes s = {0};

	for (uint32_t i = 1; i < 4; i++)
		ms_match(r, &s, i, "X");
	slice.version = 10;
	rule_slice(&slice);
}
