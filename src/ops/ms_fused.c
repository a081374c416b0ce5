/*
 * ONNX Runtime's fused and quantized forms of standard operators: each calls the standard's rule
 * with the relevant inputs, in the order and layout that it expects.
 */
#include "ops/ms_fused.h"

#include <string.h>

#include "base/arena.h"
#include "ir/type.h"
#include "ops/info.h"
#include "ops/ms_sizes.h"
#include "ops/rule.h"
#include "ops/rules.h"
#include "sym/sym.h"

enum {
	RECENT = 22 /* the version whose rules are called */
};

struct rule ms_fused_borrow(struct rule *r, const uint32_t *inputs, uint32_t count)
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

void ms_fused_give(struct rule *r, int32_t elem)
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

/* The argument is the element type of the result. */
void rule_ms_matmul(struct rule *r)
{
	struct rule product = ms_fused_borrow(r, (const uint32_t[]){0, 1}, 2);

	rule_matmul(&product);
	ms_fused_give(r, rule_elem_argument(r));
}

/* A matrix with its last two axes swapped; a vector stays. */
static void ms_fused_transpose(struct rule *r, struct info *in)
{
	struct sym *dims;

	if (!in->ranked || in->rank < 2)
		return;
	dims = rule_dims(r, in->rank);
	memcpy(dims, in->dims, in->rank * sizeof(*dims));
	dims[in->rank - 1] = in->dims[in->rank - 2];
	dims[in->rank - 2] = in->dims[in->rank - 1];
	in->dims = dims;
}

/* The first axis goes behind those of the batch: [M, B…, K] becomes [B…, M, K]. */
static void transpose_batch(struct rule *r, struct info *in)
{
	struct sym *dims;

	if (!in->ranked || in->rank < 3)
		return;
	dims = rule_dims(r, in->rank);
	for (uint32_t i = 0; i + 2 < in->rank; i++)
		dims[i] = in->dims[i + 1];
	dims[in->rank - 2] = in->dims[0];
	dims[in->rank - 1] = in->dims[in->rank - 1];
	in->dims = dims;
}

void rule_ms_fused_matmul(struct rule *r)
{
	static const char *const turned[] = {"transA", "transB"};
	static const char *const batched[] = {"transBatchA", "transBatchB"};
	struct rule product = ms_fused_borrow(r, (const uint32_t[]){0, 1}, 2);

	rule_out_unranked(r, 0, rule_elem(r, 0));
	if ((rule_attr_int(r, batched[0], 0) || rule_attr_int(r, batched[1], 0)) &&
	    rule_ranked(r, 0) && rule_ranked(r, 1) &&
	    (!rule_check_rank(r, 0, 3, RULE_MAX_RANK) ||
	     !rule_check_rank(r, 1, r->in[0].rank, r->in[0].rank)))
		return;
	for (uint32_t i = 0; i < ARRAY_LEN(turned); i++) {
		if (rule_attr_int(r, batched[i], 0))
			transpose_batch(r, &product.in[i]);
		if (rule_attr_int(r, turned[i], 0))
			ms_fused_transpose(r, &product.in[i]);
	}
	rule_matmul(&product);
}

/* ---- standard operators under another name ---- */

void rule_ms_standard(struct rule *r)
{
	static rule_function *const rules[] = {
		[MS_STANDARD_GATHER_ND] = rule_gather_nd,
		[MS_STANDARD_GRID_SAMPLE] = rule_grid_sample,
		[MS_STANDARD_TRILU] = rule_trilu,
	};
	struct rule standard = *r;

	standard.version = r->argument == MS_STANDARD_GATHER_ND ? 11 : 16;
	if (r->argument == MS_STANDARD_GATHER_ND && rule_ranked(r, 0) && rule_ranked(r, 1) &&
	    r->in[1].rank)
		rule_bound(r, r->in[1].dims[r->in[1].rank - 1], rule_int(r, r->in[0].rank),
			   "length of an index, and axes");
	rules[r->argument](&standard);
}

/* The pads may be a row of a matrix. */
void rule_ms_pad(struct rule *r)
{
	struct rule padding = *r;

	padding.version = 13;
	ms_match(r, &(struct ms_sizes){0}, 2, "~1");
	if (rule_ranked(r, 0) && rule_ranked(r, 1) && rule_check_rank(r, 1, 1, 2))
		rule_equal(r, rule_dim(r, 1, r->in[1].rank - 1), rule_int(r, 2 * r->in[0].rank),
			   "pads, and twice the axes");
	if (rule_ranked(r, 1) && r->in[1].rank == 2) {
		rule_equal(r, rule_int(r, 1), rule_dim(r, 1, 0), "rows of pads");
		padding.in = arena_array(r->arena, r->in_count, struct info);
		memcpy(padding.in, r->in, r->in_count * sizeof(*r->in));
		padding.in[1].contents = rule_contents(r, 1);
		padding.in[1].contents.rank = 1;
		padding.in[1].tensor = 0;
		padding.in[1].rank = 1;
		padding.in[1].dims++;
	}
	rule_pad(&padding);
}

/* Without a step it is 1. */
void rule_ms_range(struct rule *r)
{
	struct rule range = *r;
	struct sym *one;
	bool *given = arena_array(r->arena, 3, bool);

	for (uint32_t i = 0; i < 3; i++)
		ms_scalar(r, i);
	if (rule_has(r, 2)) {
		rule_range(r);
		return;
	}
	one = rule_values(r, 1);
	one[0] = rule_int(r, 1);
	range.in = arena_array(r->arena, 3, struct info);
	memcpy(range.in, r->in, MIN(r->in_count, 2u) * sizeof(*r->in));
	range.in[2] = (struct info){.kind = TYPE_TENSOR,
				    .elem = rule_elem(r, 0),
				    .ranked = true,
				    .contents = {.at = one, .count = 1}};
	given[0] = given[1] = given[2] = true;
	range.in_count = 3;
	range.given = given;
	rule_range(&range);
}

/* ---- elementwise, and concatenation ---- */

void rule_ms_qlinear_binary(struct rule *r)
{
	const struct info *a = &r->in[0], *b = &r->in[3];

	static const uint32_t single[] = {1, 2, 4, 5, 6, 7};

	rule_out_unranked(r, 0, rule_elem(r, 0));
	for (uint32_t i = 0; i < ARRAY_LEN(single); i++)
		rule_check_rank(r, single[i], 0, 0);
	if (rule_ranked(r, 0) && rule_ranked(r, 3))
		rule_out(r, 0, rule_elem(r, 0), MAX(a->rank, b->rank),
			 rule_broadcast_dims(r, a->dims, a->rank, b->dims, b->rank, 0));
}

void rule_ms_qlinear_softmax(struct rule *r)
{
	uint32_t ignored;

	rule_out_shape_of(r, 0, 0, rule_elem(r, 0));
	for (uint32_t i = 1; i < 5; i++)
		ms_scalar(r, i);
	if (rule_ranked(r, 0))
		(void)rule_axis(r, rule_attr_int(r, "axis", -1), r->in[0].rank, &ignored);
}

void rule_ms_qlinear_where(struct rule *r)
{
	struct rule where = ms_fused_borrow(r, (const uint32_t[]){0, 1, 4}, 3);
	static const uint32_t single[] = {2, 3, 5, 6, 7, 8};

	rule_where(&where);
	ms_fused_give(r, rule_elem(r, 1));
	for (uint32_t i = 0; i < ARRAY_LEN(single); i++)
		ms_scalar(r, single[i]);
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
