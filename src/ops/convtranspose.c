/* ConvTranspose and MaxUnpool. */
#include <inttypes.h>

#include "base/num.h"
#include "ops/grid.h"
#include "ops/info.h"
#include "ops/rule.h"
#include "ops/rules.h"
#include "ops/window.h"
#include "sym/sym.h"

/* What only transposed convolutions have. */
struct spread {
	struct window w;
	const int64_t *extra; /* output_padding */
	const int64_t *shape; /* output_shape of the spatial axes, or NULL */
	int64_t min;          /* size of the result */
};

/* Output channels are W[1]*group; the data's are W[0]. */
static bool convtranspose_channels(struct rule *r, struct sym *out)
{
	int64_t group, inputs, per_group, all;

	if (!rule_attr_positive(r, "group", 1, &group))
		return false;
	rule_equal(r, rule_dim(r, 0, 1), rule_dim(r, 1, 0), "channels of data and weight");
	if (sym_value(r->pool, rule_dim(r, 1, 0), &inputs) && inputs % group != 0)
		rule_error(r, "%" PRId64 " %s not a multiple of group %" PRId64, inputs,
			   PLURAL(inputs, "channel is", "channels are"), group);
	if (sym_value(r->pool, rule_dim(r, 1, 1), &per_group) &&
	    !num_imul(per_group, group, &all)) {
		rule_error(r, "too many output channels");
		return false;
	}
	*out = sym_mul_int(r->pool, rule_dim(r, 1, 1), group);
	if (rule_check_rank(r, 2, 1, 1))
		*out = rule_equal(r, *out, rule_dim(r, 2, 0), "output channels and bias");
	return true;
}

/* Some files give all dims of the result, not only the spatial ones. */
static bool read_output_shape(struct rule *r, uint32_t rank, const int64_t **out)
{
	uint32_t count = rule_attr_count(r, "output_shape");

	*out = NULL;
	if (!rule_attr(r, "output_shape") || count == 0)
		return true;
	if (count == rank)
		return window_list(r, "output_shape", rank, 0, 0, out);
	if (!window_list(r, "output_shape", rank + 2, 0, 0, out))
		return false;
	*out += 2;
	return true;
}

static bool read_spread(struct rule *r, uint32_t rank, struct spread *out)
{
	return window_read(r, rank, 1, WINDOW_DILATIONS, &out->w) &&
	       window_list(r, "output_padding", rank, 0, 0, &out->extra) &&
	       read_output_shape(r, rank, &out->shape);
}

/*
 * SAME is in*stride.  With output padding, or a kernel smaller than the stride, the specification's
 * formulas and the runtimes give different sizes.
 */
static struct sym same_size(struct rule *r, const struct spread *s, uint32_t axis, struct sym in)
{
	struct sym stride = rule_int(r, s->w.strides[axis]);
	struct sym extent = window_extent(r, &s->w, axis);

	if (s->extra[axis] != 0 || sym_is_unknown(extent) ||
	    sym_le(r->pool, stride, extent) == SYM_NO)
		return SYM_UNKNOWN;
	return rule_given(r, sym_test_le(r->pool, stride, extent), sym_mul(r->pool, in, stride));
}

static struct sym spread_size(struct rule *r, const struct spread *s, uint32_t axis, struct sym in)
{
	const struct window *w = &s->w;
	struct sym steps, size;

	if (s->shape)
		return rule_int(r, s->shape[axis]);
	if (w->padding == WINDOW_SAME)
		return same_size(r, s, axis, in);
	steps = size_mul(r, sym_add_int(r->pool, in, -1), rule_int(r, w->strides[axis]));
	size = size_add(r, steps, window_extent(r, w, axis));
	size = size_add(r, size, rule_int(r, s->extra[axis]));
	if (w->padding == WINDOW_EXPLICIT)
		size = sym_add_int(r->pool, size, -(w->pads[axis] + w->pads[axis + w->rank]));
	return window_size(r, size, s->min);
}

void rule_conv_transpose(struct rule *r)
{
	struct spread s = {.min = 1};
	struct sym *dims;
	uint32_t rank;

	rule_out_unranked(r, 0, rule_elem(r, 0));
	if (!window_rank(r, 0, 1, &rank))
		return;
	dims = rule_dims(r, rank + 2);
	dims[0] = rule_dim(r, 0, 0);
	if (convtranspose_channels(r, &dims[1]) && read_spread(r, rank, &s)) {
		for (uint32_t i = 0; i < rank; i++)
			dims[i + 2] = spread_size(r, &s, i, rule_dim(r, 0, i + 2));
	}
	rule_out(r, 0, rule_elem(r, 0), rank + 2, dims);
}

/* ---- MaxUnpool ---- */

/* The third input is the shape of the result. */
static void unpool_to_shape(struct rule *r)
{
	struct contents c = rule_contents(r, 2);
	int32_t elem = rule_elem(r, 0);
	struct sym *dims;
	int64_t count;

	if (!rule_check_rank(r, 2, 1, 1))
		return;
	if (rule_ranked(r, 0))
		rule_equal(r, rule_int(r, r->in[0].rank), rule_dim(r, 2, 0),
			   "rank of the data and length of output_shape");
	if (!c.at || c.rank != 1) {
		if (sym_value(r->pool, rule_dim(r, 2, 0), &count) && count >= 0 &&
		    count <= RULE_MAX_RANK)
			rule_out_rank(r, 0, elem, (uint32_t)count);
		else if (rule_ranked(r, 0))
			rule_out_rank(r, 0, elem, r->in[0].rank);
		return;
	}
	if (c.count > RULE_MAX_RANK) {
		rule_error(r, "output_shape has an invalid length: %" PRIu32, c.count);
		return;
	}
	dims = rule_dims(r, c.count);
	for (uint32_t i = 0; i < c.count; i++)
		dims[i] = window_size(r, c.at[i], 0);
	rule_out(r, 0, elem, c.count, dims);
}

static void match_indices(struct rule *r)
{
	if (!rule_ranked(r, 0) || !rule_ranked(r, 1))
		return;
	if (r->in[0].rank != r->in[1].rank) {
		rule_error(r, "the data has rank %" PRIu32 ", the indices have rank %" PRIu32,
			   r->in[0].rank, r->in[1].rank);
		return;
	}
	for (uint32_t i = 0; i < r->in[0].rank; i++)
		rule_equal(r, rule_dim(r, 0, i), rule_dim(r, 1, i), "sizes of data and indices");
}

void rule_max_unpool(struct rule *r)
{
	static const int64_t none[RULE_MAX_RANK];
	struct spread s = {.extra = none};
	struct sym *dims;
	uint32_t rank;

	rule_out_unranked(r, 0, rule_elem(r, 0));
	match_indices(r);
	if (!window_rank(r, 0, WINDOW_NO_WEIGHT, &rank) ||
	    !window_read(r, rank, WINDOW_NO_WEIGHT, WINDOW_KERNEL_NEEDED | WINDOW_NO_AUTO_PAD,
			 &s.w))
		return;
	if (rule_has(r, 2)) {
		unpool_to_shape(r);
		return;
	}
	dims = rule_dims(r, rank + 2);
	dims[0] = rule_dim(r, 0, 0);
	dims[1] = rule_dim(r, 0, 1);
	for (uint32_t i = 0; i < rank; i++)
		dims[i + 2] = spread_size(r, &s, i, rule_dim(r, 0, i + 2));
	rule_out(r, 0, rule_elem(r, 0), rank + 2, dims);
}
