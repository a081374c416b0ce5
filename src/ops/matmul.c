/* Matrix products. */
#include "ir/type.h"
#include "ops/info.h"
#include "ops/rule.h"
#include "ops/rules.h"
#include "sym/sym.h"

/*
 * NumPy's product: a vector on the left is a row, on the right a column, without that axis in the
 * result; the axes before the last two are broadcast.
 */
static struct sym *product_dims(struct rule *r, uint32_t left, uint32_t right, uint32_t *out_rank)
{
	const struct info *a = &r->in[left], *b = &r->in[right];
	uint32_t stack_a = a->rank > 2 ? a->rank - 2 : 0, stack_b = b->rank > 2 ? b->rank - 2 : 0;
	uint32_t rank = MAX(stack_a, stack_b);
	struct sym *dims = rule_broadcast_dims(r, a->dims, stack_a, b->dims, stack_b, 2);

	rule_equal(r, a->dims[a->rank - 1], b->dims[b->rank > 1 ? b->rank - 2 : 0],
		   "inner sizes of the product");
	if (a->rank > 1)
		dims[rank++] = a->dims[a->rank - 2];
	if (b->rank > 1)
		dims[rank++] = b->dims[b->rank - 1];
	*out_rank = rank;
	return dims;
}

static void product_out(struct rule *r, uint32_t left, uint32_t right, int32_t elem)
{
	const struct sym *dims;
	uint32_t rank;

	rule_out_unranked(r, 0, elem);
	if (!rule_check_rank(r, left, 1, RULE_MAX_RANK) ||
	    !rule_check_rank(r, right, 1, RULE_MAX_RANK) || !rule_ranked(r, left) ||
	    !rule_ranked(r, right))
		return;
	dims = product_dims(r, left, right, &rank);
	rule_out(r, 0, elem, rank, dims);
}

void rule_matmul(struct rule *r)
{
	product_out(r, 0, 1, rule_elem(r, 0) ? rule_elem(r, 0) : rule_elem(r, 1));
}

void rule_matmul_integer(struct rule *r)
{
	product_out(r, 0, 1, ELEM_INT32);
}

/* a, a_scale, a_zero_point, b, b_scale, b_zero_point, y_scale, y_zero_point */
void rule_qlinear_matmul(struct rule *r)
{
	product_out(r, 0, 3, rule_elem(r, 7));
}

/* ---- Gemm ---- */

/*
 * C is broadcast one way to [M, N]: a size other than 1 is that of the result.  Before version 7
 * only with the attribute, and in unspecified ways.
 */
static void match_bias(struct rule *r, struct sym dims[2])
{
	bool exact = r->version < 7 && !rule_attr_int(r, "broadcast", 0);
	uint32_t rank;

	if (!rule_ranked(r, 2) || (r->version < 7 && !exact) ||
	    !rule_check_rank(r, 2, exact ? 2 : 0, 2))
		return;
	rank = r->in[2].rank;
	for (uint32_t i = 0; i < rank; i++) {
		struct sym *dim = &dims[i + 2 - rank];
		struct sym bias = r->in[2].dims[i];

		*dim = exact ? rule_equal(r, *dim, bias, "sizes of bias and product")
			     : rule_cover(r, bias, *dim, "sizes of bias and product");
	}
}

void rule_gemm(struct rule *r)
{
	uint32_t left = rule_attr_int(r, "transA", 0) != 0;
	uint32_t right = rule_attr_int(r, "transB", 0) != 0;
	struct sym *dims = rule_dims(r, 2);

	if (rule_check_rank(r, 0, 2, 2) && rule_check_rank(r, 1, 2, 2)) {
		dims[0] = rule_dim(r, 0, left);
		dims[1] = rule_dim(r, 1, 1 - right);
		rule_equal(r, rule_dim(r, 0, 1 - left), rule_dim(r, 1, right),
			   "inner sizes of the product");
		match_bias(r, dims);
	}
	rule_out(r, 0, rule_elem(r, 0) ? rule_elem(r, 0) : rule_elem(r, 1), 2, dims);
}

/* ---- Det ---- */

/* One element per square matrix. */
void rule_det(struct rule *r)
{
	uint32_t rank;

	rule_out_unranked(r, 0, rule_elem(r, 0));
	if (!rule_ranked(r, 0) || !rule_check_rank(r, 0, 2, RULE_MAX_RANK))
		return;
	rank = r->in[0].rank;
	rule_equal(r, rule_dim(r, 0, rank - 2), rule_dim(r, 0, rank - 1),
		   "sides of a square matrix");
	rule_out(r, 0, rule_elem(r, 0), rank - 2, r->in[0].dims);
}
