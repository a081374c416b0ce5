/* Operators of ONNX Runtime that only run on accelerators: forms of standard ones. */
#include "ir/type.h"
#include "ops/info.h"
#include "ops/ms_fused.h"
#include "ops/ms_sizes.h"
#include "ops/rule.h"
#include "ops/rules.h"
#include "sym/sym.h"

void rule_ms_is_finite(struct rule *r)
{
	rule_out_scalar(r, 0, ELEM_BOOL);
}

/* One bit for each element, in words of 32. */
void rule_ms_bitmask_dropout(struct rule *r)
{
	struct sym count = rule_int(r, 1);

	rule_out_shape_of(r, 0, 0, rule_elem(r, 0));
	for (uint32_t i = 0; rule_ranked(r, 0) && i < r->in[0].rank; i++)
		count = sym_mul(r->pool, count, r->in[0].dims[i]);
	if (!rule_ranked(r, 0))
		count = SYM_UNKNOWN;
	RULE_OUT(r, 1, ELEM_UINT32,
		 sym_floor_div(r->pool, sym_add_int(r->pool, count, 31), rule_int(r, 32)));
}

/* The attribute `to` is the element type. */
void rule_ms_dequantize_order(struct rule *r)
{
	int64_t elem = rule_attr_int(r, "to", ELEM_UNDEFINED);

	rule_out_shape_of(r, 0, 0,
			  elem > ELEM_UNDEFINED && elem < ELEM_COUNT ? (int32_t)elem
								     : ELEM_UNDEFINED);
}

void rule_ms_gemm_float8(struct rule *r)
{
	struct rule gemm = ms_fused_borrow(r, (const uint32_t[]){0, 1, 2}, 3);
	int64_t elem = rule_attr_int(r, "dtype", ELEM_FLOAT32);

	rule_gemm(&gemm);
	ms_fused_give(r,
		      elem > ELEM_UNDEFINED && elem < ELEM_COUNT ? (int32_t)elem : ELEM_UNDEFINED);
}

/* Each input is followed by its zero point. */
void rule_ms_mul_integer(struct rule *r)
{
	const struct info *a = &r->in[0], *b = &r->in[2];

	rule_check_rank(r, 1, 0, 0);
	rule_check_rank(r, 3, 0, 0);
	rule_out_unranked(r, 0, ELEM_INT32);
	if (rule_ranked(r, 0) && rule_ranked(r, 2))
		rule_out(r, 0, ELEM_INT32, MAX(a->rank, b->rank),
			 rule_broadcast_dims(r, a->dims, a->rank, b->dims, b->rank, 0));
}

void rule_ms_reduce(struct rule *r)
{
	struct rule reduce = ms_fused_borrow(r, (const uint32_t[]){0}, 1);

	for (uint32_t i = 1; i < 5; i++)
		rule_check_rank(r, i, 0, 0);
	reduce.version = 11;
	reduce.argument = REDUCE_UNTRACKED;
	rule_reduce(&reduce);
	ms_fused_give(r, r->argument ? r->argument : rule_elem(r, 0));
}

/* A weight [N, K/2] with two elements in a byte, and a scale for each block of them. */
void rule_ms_matmul_fp4(struct rule *r)
{
	int64_t block = rule_attr_int(r, "block_size", 16);
	struct ms_sizes s = {0};

	ms_match(r, &s, 0, "*K");
	ms_match(r, &s, 1, "NX");
	ms_size_set(&s, 'K',
		    rule_equal(r, ms_size(&s, 'K'), sym_mul_int(r->pool, ms_size(&s, 'X'), 2),
			       "inner sizes of the product"));
	if (block > 0 && block < INT32_MAX)
		ms_size_set(&s, 'Y',
			    sym_floor_div(r->pool,
					  sym_add_int(r->pool, ms_size(&s, 'K'), block - 1),
					  rule_int(r, block)));
	ms_match(r, &s, 2, "NY");
	ms_match(r, &s, 3, "s");
	ms_match(r, &s, 4, "s");
	ms_match(r, &s, 5, "N");
	ms_out(r, &s, 0, rule_elem(r, 0), "*N");
}

/* Tokens [T, C] of several sequences, each with its state. */
void rule_ms_varlen_conv(struct rule *r)
{
	int64_t dilation = rule_attr_int(r, "dilation", 1);
	struct ms_sizes s = {0};

	if (dilation < 1 || dilation > INT32_MAX) {
		rule_error(r, "dilation must be positive");
		return;
	}
	ms_match(r, &s, 0, "TC");
	ms_match(r, &s, 1, "C1K");
	ms_size_set(&s, 'X',
		    sym_mul_int(r->pool, sym_add_int(r->pool, ms_size(&s, 'K'), -1), dilation));
	if (rule_check_rank(r, 2, 1, 1) && rule_ranked(r, 2)) {
		ms_at_most(r, rule_int(r, 2), rule_dim(r, 2, 0), "ends of sequences");
		ms_size_set(&s, 'B', sym_add_int(r->pool, rule_dim(r, 2, 0), -1));
	}
	ms_match(r, &s, 3, "C");
	ms_match(r, &s, 4, "BCX");
	ms_match(r, &s, 5, "B");
	ms_at_most(r, ms_size(&s, 'B'), ms_size(&s, 'T'), "sequences and tokens");
	ms_size_set(&s, 'Y',
		    ms_given(r, rule_int(r, rule_attr_int(r, "state_update_capacity", 0))));
	ms_out(r, &s, 0, rule_elem(r, 0), "TC");
	ms_out(r, &s, 1, rule_elem(r, 0), "BCX");
	ms_out(r, &s, 2, rule_elem(r, 0), "BYC");
}

/* The last axis of the first input becomes as many columns as an attribute says. */
static void resize_last(struct rule *r, uint32_t output, const char *columns)
{
	int64_t count = rule_attr_int(r, columns, 0);

	rule_out_unranked(r, output, rule_elem(r, 0));
	if (count < 1)
		rule_error(r, "%s must be given and positive", columns);
	else if (rule_ranked(r, 0) && r->in[0].rank > 0)
		rule_out_resized(r, output, 0, r->in[0].rank - 1, rule_int(r, count));
}

/* Products that share their input, which comes with its sum with a skip. */
void rule_ms_shared_products(struct rule *r)
{
	static const char *const one[] = {"N"}, *const three[] = {"Nq", "Nkv", "Nkv"};
	bool split = r->argument == MS_SHARED_QKV;
	const char *const *names = split ? three : one;
	uint32_t count = split ? 3 : 1;
	int64_t k = rule_attr_int(r, "K", 0);

	for (uint32_t i = 0; i < count; i++)
		resize_last(r, i, names[i]);
	rule_out_shape_of(r, count, 0, rule_elem(r, 0));
	if (k > 0 && rule_ranked(r, 0) && rule_check_rank(r, 0, 1, RULE_MAX_RANK))
		rule_equal(r, r->in[0].dims[r->in[0].rank - 1], rule_int(r, k), "last axis and K");
}

/* Tokens [T, H]; or query, key and value in one, [T, N, 3, G]. */
void rule_ms_packed_multi_head(struct rule *r)
{
	struct ms_sizes s = {0};

	rule_out_unranked(r, 0, rule_elem(r, 0));
	if (!rule_ranked(r, 0))
		return;
	if (r->in[0].rank == 4 && ms_match(r, &s, 0, "TN3G")) {
		RULE_OUT(r, 0, rule_elem(r, 0), ms_size(&s, 'T'),
			 sym_mul(r->pool, ms_size(&s, 'N'), ms_size(&s, 'G')));
		return;
	}
	if (ms_match(r, &s, 0, "TH") && ms_match(r, &s, 1, "TH") && ms_match(r, &s, 2, "TV"))
		ms_out(r, &s, 0, rule_elem(r, 0), "TV");
}
