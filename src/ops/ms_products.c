/*
 * ONNX Runtime's products with packed weights, its quantized LSTM and convolutions, and what
 * scales and zero points must look like.
 */
#include "base/sv.h"
#include "ir/type.h"
#include "ops/info.h"
#include "ops/ms_fused.h"
#include "ops/ms_sizes.h"
#include "ops/rule.h"
#include "ops/rules.h"
#include "sym/sym.h"

/* ---- products with packed weights ---- */

/* The last axis K becomes N. */
static bool packed_product(struct rule *r, int64_t *out_k, int64_t *out_n)
{
	uint32_t rank = r->in[0].rank;

	*out_n = rule_attr_int(r, "N", 0);
	*out_k = rule_attr_int(r, "K", 0);
	rule_out_unranked(r, 0, rule_elem(r, 0));
	if (*out_n < 1 || *out_k < 1 || *out_n > INT32_MAX || *out_k > INT32_MAX) {
		rule_error(r, "K and N must be given and positive");
		return false;
	}
	if (!rule_ranked(r, 0))
		return true;
	if (!rule_check_rank(r, 0, 1, RULE_MAX_RANK))
		return false;
	rule_equal(r, r->in[0].dims[rank - 1], rule_int(r, *out_k), "last axis and K");
	rule_out_resized(r, 0, 0, rank - 1, rule_int(r, *out_n));
	return true;
}

/* One for each block of each row, as a matrix or as a vector. */
static void blocks_match(struct rule *r, uint32_t input, int64_t rows, int64_t blocks)
{
	if (!rule_ranked(r, input) || !rule_check_rank(r, input, 1, 2))
		return;
	if (r->in[input].rank == 1) {
		rule_equal(r, rule_dim(r, input, 0), rule_int(r, rows * blocks),
			   "rows times blocks");
		return;
	}
	rule_equal(r, rule_dim(r, input, 0), rule_int(r, rows), "rows");
	rule_equal(r, rule_dim(r, input, 1), rule_int(r, blocks), "blocks of a row");
}

void rule_ms_matmul_nbits(struct rule *r)
{
	int64_t k, n, blocks, bits = rule_attr_int(r, "bits", 4);
	int64_t size = rule_attr_int(r, "block_size", 0);
	struct ms_sizes s = {0};

	if (!packed_product(r, &k, &n))
		return;
	if (size < 1 || size > INT32_MAX || bits < 1 || bits > 8) {
		rule_error(r, "block_size must be given and positive, bits at most 8");
		return;
	}
	ms_size_set(&s, 'N', rule_int(r, n));
	ms_match(r, &s, 5, "N");
	if (rule_attr_int(r, "weight_prepacked", 0))
		return;
	blocks = (k + size - 1) / size;
	ms_size_set(&s, 'X', rule_int(r, blocks));
	ms_size_set(&s, 'Y', rule_int(r, size * bits / 8));
	ms_match(r, &s, 1, "NXY");
	blocks_match(r, 2, n, blocks);
	/* Packed zero points have several per byte. */
	if (rule_has(r, 3) && rule_elem(r, 3))
		blocks_match(r, 3, n,
			     rule_elem(r, 3) == ELEM_UINT8 ? (blocks * bits + 7) / 8 : blocks);
}

void rule_ms_matmul_bnb4(struct rule *r)
{
	int64_t k, n, size = rule_attr_int(r, "block_size", 0);
	struct ms_sizes s = {0};

	if (!packed_product(r, &k, &n))
		return;
	if (size < 1 || size > INT32_MAX) {
		rule_error(r, "block_size must be given and positive");
		return;
	}
	ms_match(r, &s, 1, "~X");
	ms_match(r, &s, 2, "~Y");
	ms_at_most(r, rule_int(r, (n * k + 1) / 2), ms_size(&s, 'X'), "packed weights");
	ms_at_most(r, rule_int(r, (n * k + size - 1) / size), ms_size(&s, 'Y'), "blocks");
}

static struct sym packed_blocks(struct rule *r, struct sym size, int64_t block)
{
	return sym_floor_div(r->pool, sym_add_int(r->pool, size, block - 1), rule_int(r, block));
}

/* The third input is the weight's shape [K, N]; its packed form is a block after the other. */
void rule_ms_matmul_fpq4(struct rule *r)
{
	static const struct packing {
		int64_t kind, count, bytes;
	} packings[] = {{0, 32, 20}, {1, 32, 21}, {2, 64, 36}, {4, 128, 68}};
	struct contents c = rule_contents(r, 2);
	uint32_t rank = r->in[0].rank;

	rule_out_unranked(r, 0, rule_elem(r, 0));
	rule_check_rank(r, 1, 1, 1);
	if (!rule_ranked(r, 0) || !rule_check_rank(r, 0, 1, RULE_MAX_RANK))
		return;
	if (!c.at || c.count != 2) {
		rule_out_resized(r, 0, 0, rank - 1, SYM_UNKNOWN);
		return;
	}
	rule_equal(r, r->in[0].dims[rank - 1], c.at[0], "inner sizes of the product");
	rule_out_resized(r, 0, 0, rank - 1, ms_given(r, c.at[1]));
	for (uint32_t i = 0; i < ARRAY_LEN(packings); i++) {
		const struct packing *p = &packings[i];

		if (p->kind == rule_attr_int(r, "blk_quant_type", 1))
			rule_equal(r, rule_dim(r, 1, 0),
				   sym_mul_int(r->pool,
					       sym_mul(r->pool, c.at[1],
						       packed_blocks(r, c.at[0], p->count)),
					       p->bytes),
				   "packed weights");
	}
}

/* ---- scales and zero points ---- */

/* A scale of a product is broadcast over its result. */
static void product_scale(struct rule *r, uint32_t input)
{
	const struct info *out = &r->out[0];
	uint32_t count = r->in[input].rank;

	if (r->out_count == 0 || !out->ranked || !rule_ranked(r, input) ||
	    !rule_check_rank(r, input, 0, out->rank))
		return;
	for (uint32_t i = 0; i < count; i++)
		ms_one_or(r, r->in[input].dims[i], out->dims[out->rank - count + i],
			  "sizes of scale and product");
}

/*
 * A zero point of a product: for the whole matrix or for each of its columns, as a vector or, the
 * only way for a batch of matrices, with the matrix's own axes.
 */
static void zero_columns(struct rule *r, uint32_t weight, uint32_t input)
{
	uint32_t rank = r->in[weight].rank, count = r->in[input].rank;

	if (!rule_ranked(r, weight) || !rule_ranked(r, input))
		return;
	if (count < 2) {
		ms_per_column(r, input, rank == 2 ? r->in[weight].dims[1] : rule_int(r, 1));
		return;
	}
	if (!rule_check_rank(r, input, rank, rank))
		return;
	for (uint32_t i = 0; i < rank; i++)
		rule_equal(r, i + 2 == rank ? rule_int(r, 1) : r->in[weight].dims[i],
			   r->in[input].dims[i], "columns of the weight");
}

/* As many elements as the weight has columns; a vector has one. */
static void product_bias(struct rule *r, uint32_t weight, uint32_t bias)
{
	uint32_t rank = r->in[weight].rank;
	struct ms_sizes s = {0};

	if (!rule_ranked(r, weight) || rank == 0)
		return;
	ms_size_set(&s, 'W', rank == 1 ? rule_int(r, 1) : r->in[weight].dims[rank - 1]);
	ms_match(r, &s, bias, "~W");
}

void rule_ms_dynamic_matmul(struct rule *r)
{
	struct rule product = ms_fused_borrow(r, (const uint32_t[]){0, 1}, 2);

	rule_matmul(&product);
	ms_fused_give(r, rule_elem(r, 0));
	product_scale(r, 2);
	zero_columns(r, 1, 3);
	product_bias(r, 1, 4);
}

void rule_ms_matmul_to_float(struct rule *r)
{
	struct rule product = ms_fused_borrow(r, (const uint32_t[]){0, 1}, 2);
	struct ms_sizes s = {0};

	rule_matmul(&product);
	ms_fused_give(r, rule_elem(r, 2));
	product_scale(r, 2);
	ms_match(r, &s, 4, "~1");
	product_scale(r, 3);
	zero_columns(r, 1, 5);
	product_bias(r, 1, 6);
}

/* A scale and its zero point have as many elements each. */
static void same_scales(struct rule *r, uint32_t scale, uint32_t zero)
{
	struct sym one = rule_int(r, 1);

	if (rule_ranked(r, scale) && rule_ranked(r, zero))
		rule_equal(r, r->in[scale].rank ? rule_dim(r, scale, 0) : one,
			   r->in[zero].rank ? rule_dim(r, zero, 0) : one, "scales and zero points");
}

void rule_ms_qgemm(struct rule *r)
{
	struct rule gemm = ms_fused_borrow(r, (const uint32_t[]){0, 3, 6}, 3);
	struct sym columns = rule_dim(r, 3, rule_attr_int(r, "transB", 0) ? 0 : 1);

	rule_gemm(&gemm);
	if (rule_has(r, 8))
		ms_fused_give(r, rule_elem(r, 8));
	else
		ms_fused_give(r, rule_has(r, 7) ? ELEM_UNDEFINED : ELEM_FLOAT32);
	ms_scalar(r, 1);
	ms_scalar(r, 2);
	ms_scalar(r, 7);
	ms_scalar(r, 8);
	ms_per_column(r, 4, columns);
	ms_per_column(r, 5, columns);
	if (!rule_ranked(r, 4) || rule_check_rank(r, 5, r->in[4].rank, r->in[4].rank))
		same_scales(r, 4, 5);
}

void rule_ms_quantize(struct rule *r)
{
	struct rule quantize = ms_fused_borrow(r, (const uint32_t[]){0, 1, 2}, 3);
	bool back = r->argument == MS_QUANTIZE_BACK;

	rule_quantize(&quantize);
	if (rule_check_rank(r, 1, 0, 1) && rule_check_rank(r, 2, 0, 1))
		same_scales(r, 1, 2);
	if (back)
		ms_fused_give(r, rule_elem(r, 1));
	else
		ms_fused_give(r, rule_has(r, 2) ? rule_elem(r, 2) : ELEM_UINT8);
}

/* ---- LSTM ---- */

/* Per direction, or per column of the weight. */
static void lstm_scale(struct rule *r, struct ms_sizes *s, uint32_t input)
{
	if (rule_ranked(r, input) && rule_check_rank(r, input, 1, 2))
		ms_match(r, s, input, r->in[input].rank == 1 ? "X" : "XW");
}

void rule_ms_lstm(struct rule *r)
{
	bool both = sv_is(rule_attr_text(r, "direction"), "bidirectional");
	int64_t hidden = rule_attr_int(r, "hidden_size", 0);
	struct ms_sizes s = {0};

	ms_size_set(&s, 'X', rule_int(r, both ? 2 : 1));
	if (hidden > 0 && hidden < INT32_MAX)
		ms_size_set(&s, 'H', rule_int(r, hidden));
	ms_match(r, &s, 0, "SBD");
	ms_match(r, &s, 2, "XHW");
	ms_size_set(&s, 'W',
		    rule_equal(r, sym_mul_int(r->pool, ms_size(&s, 'H'), 4), ms_size(&s, 'W'),
			       "hidden_size and R"));
	ms_size_set(&s, 'Y', sym_mul_int(r->pool, ms_size(&s, 'H'), 8));
	ms_size_set(&s, 'Z', sym_mul_int(r->pool, ms_size(&s, 'H'), 3));
	ms_match(r, &s, 1, "XDW");
	ms_match(r, &s, 3, "XY");
	ms_match(r, &s, 4, "B");
	r->of_state = true;
	ms_match(r, &s, 5, "XBH");
	ms_match(r, &s, 6, "XBH");
	r->of_state = false;
	ms_match(r, &s, 7, "XZ");
	for (uint32_t i = 8; i < 12; i++)
		lstm_scale(r, &s, i);
	ms_out(r, &s, 0, rule_elem(r, 0), "SXBH");
	ms_out(r, &s, 1, rule_elem(r, 0), "XBH");
	ms_out(r, &s, 2, rule_elem(r, 0), "XBH");
}
