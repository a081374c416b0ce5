/* Quantization: a scale and a zero point per tensor, per slice, or per block. */
#include <inttypes.h>

#include "ir/graph.h"
#include "ir/type.h"
#include "ops/elementwise.h"
#include "ops/rule.h"
#include "ops/rules.h"
#include "sym/sym.h"

enum {
	X,
	SCALE,
	ZERO_POINT
};

enum {
	AXIS_SINCE = 13 /* one scale for the whole tensor before */
};

static bool quantize_listed(int32_t elem, const int32_t *list)
{
	while (*list && *list != elem)
		list++;
	return *list;
}

/* One scale per block of `size` along the axis; all other dims are the input's. */
static void check_blocks(struct rule *r, int64_t size, int64_t axis)
{
	uint32_t at;

	if (!rule_ranked(r, X) || !rule_ranked(r, SCALE))
		return;
	if (r->in[SCALE].rank != r->in[X].rank) {
		rule_error(r,
			   "the block scale has rank %" PRIu32 ", but the input has rank %" PRIu32,
			   r->in[SCALE].rank, r->in[X].rank);
		return;
	}
	if (!rule_axis(r, axis, r->in[X].rank, &at))
		return;
	for (uint32_t i = 0; i < r->in[X].rank; i++) {
		struct sym dim = r->in[X].dims[i];

		if (i != at)
			elementwise_unify(r, i, r->in[SCALE].dims[i], "sizes of input and scale");
		else
			rule_equal(r, sym_ceil_div(r->pool, dim, rule_int(r, size)),
				   r->in[SCALE].dims[i], "blocks of input and scale");
	}
}

/* A scale of one element is per tensor, whatever its rank; so is the scale of a vector. */
static void check_slices(struct rule *r, int64_t axis)
{
	uint32_t at;
	int64_t count;

	if (!rule_check_rank(r, SCALE, 0, 1))
		return;
	if (!rule_ranked(r, X) || !rule_ranked(r, SCALE) || r->in[X].rank == 1 ||
	    r->in[SCALE].rank == 0 || !rule_axis(r, axis, r->in[X].rank, &at))
		return;
	if (!sym_value(r->pool, rule_dim(r, SCALE, 0), &count) || count == 1)
		(void)rule_cover(r, rule_dim(r, SCALE, 0), rule_dim(r, X, at), "");
	else
		elementwise_unify(r, at, rule_dim(r, SCALE, 0), "sizes of input and scale");
}

static void check_zero_point(struct rule *r)
{
	if (!rule_ranked(r, SCALE) || !rule_ranked(r, ZERO_POINT) ||
	    r->in[SCALE].rank != r->in[ZERO_POINT].rank)
		return;
	for (uint32_t i = 0; i < r->in[SCALE].rank; i++)
		rule_equal(r, r->in[SCALE].dims[i], r->in[ZERO_POINT].dims[i],
			   "sizes of scale and zero point");
}

static void quantize_shape(struct rule *r, int32_t elem)
{
	int64_t axis = rule_attr_int(r, "axis", 1);
	int64_t block = r->version >= 21 ? rule_attr_int(r, "block_size", 0) : 0;

	rule_out_shape_of(r, 0, X, elem);
	if (r->version < AXIS_SINCE) {
		rule_check_rank(r, SCALE, 0, 1);
		return;
	}
	if (block < 0)
		rule_error(r, "attribute block_size is %" PRId64 ", but must not be negative",
			   block);
	else if (block)
		check_blocks(r, block, axis);
	else
		check_slices(r, axis);
	check_zero_point(r);
}

/* ---- quantize ---- */

/* Later types are accepted in earlier versions too: shapes do not depend on them. */
static const int32_t small_types[] = {
	ELEM_UINT8,          ELEM_INT8,       ELEM_UINT16,         ELEM_INT16,    ELEM_FLOAT8E4M3FN,
	ELEM_FLOAT8E4M3FNUZ, ELEM_FLOAT8E5M2, ELEM_FLOAT8E5M2FNUZ, ELEM_UINT4,    ELEM_INT4,
	ELEM_FLOAT4E2M1,     ELEM_UINT2,      ELEM_INT2,           ELEM_UNDEFINED};

static int32_t quantized_elem(struct rule *r)
{
	int32_t asked = ELEM_UNDEFINED, zero = elementwise_elem(r, ZERO_POINT, ZERO_POINT + 1);
	const struct attr *a = rule_attr(r, "output_dtype");

	/* The default is 0: the zero point's type. */
	if (r->version >= 21 && a && a->i != 0)
		asked = elementwise_attr_elem(r, "output_dtype", ELEM_UNDEFINED);
	if (asked && !quantize_listed(asked, small_types))
		rule_error(r, "cannot quantize to %s", elem_info(asked)->name);
	if (asked && zero && asked != zero)
		rule_error(r, "output_dtype is %s, but the zero point is %s",
			   elem_info(asked)->name, elem_info(zero)->name);
	if (rule_has(r, ZERO_POINT))
		return zero ? zero : asked;
	return asked ? asked : ELEM_UINT8;
}

void rule_quantize(struct rule *r)
{
	quantize_shape(r, quantized_elem(r));
}

/* ---- dequantize ---- */

static const int32_t real_types[] = {ELEM_FLOAT32, ELEM_FLOAT16, ELEM_BFLOAT16, ELEM_UNDEFINED};

static int32_t real_elem(struct rule *r)
{
	const struct attr *a = rule_attr(r, "output_dtype");
	int32_t elem = rule_elem(r, SCALE);

	if (r->version >= 23 && a && a->i != 0)
		elem = elementwise_attr_elem(r, "output_dtype", ELEM_UNDEFINED);
	/* An 8-bit scale is a power of two, not a type of results. */
	if (elem == ELEM_FLOAT8E8M0)
		return ELEM_UNDEFINED;
	if (elem && !quantize_listed(elem, real_types))
		rule_error(r, "cannot dequantize to %s", elem_info(elem)->name);
	return elem;
}

void rule_dequantize_float32(struct rule *r)
{
	quantize_shape(r, ELEM_FLOAT32);
}

void rule_dequantize(struct rule *r)
{
	int32_t elem = elementwise_elem(r, X, X + 1), zero = rule_elem(r, ZERO_POINT);

	if (elem && zero && elem != zero)
		rule_error(r, "the input is %s, but the zero point is %s", elem_info(elem)->name,
			   elem_info(zero)->name);
	quantize_shape(r, real_elem(r));
}

void rule_dynamic_quantize(struct rule *r)
{
	rule_out_shape_of(r, 0, X, ELEM_UINT8);
	rule_out_scalar(r, 1, ELEM_FLOAT32);
	rule_out_scalar(r, 2, ELEM_UINT8);
}
