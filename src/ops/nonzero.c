#include "base/sv.h"
#include "ir/graph.h"
#include "ir/type.h"
#include "ops/grid.h"
#include "ops/info.h"
#include "ops/rule.h"
#include "ops/rules.h"
#include "sym/float.h"
#include "sym/sym.h"

/* The number of elements of an input; unknown when a dim is. */
static struct sym elements_of(struct rule *r, uint32_t input)
{
	const struct info *in = &r->in[input];

	return rank_usable(r, input) ? size_product(r, in->dims, in->rank) : SYM_UNKNOWN;
}

/* Whether it is not 0: 1, 0, an expression that is one of them, or unknown. */
static struct sym truth_of(struct rule *r, struct sym s)
{
	double value;

	return sym_float_value(r->pool, s, &value) ? rule_int(r, value != 0)
						   : sym_truth(r->pool, s);
}

/* How many of the first `max` elements are not 0, or unknown. */
static struct sym count_true(struct rule *r, const struct contents *c, uint32_t max)
{
	struct sym sum = rule_int(r, 0);
	uint32_t open = 0;

	if (!c->at)
		return SYM_UNKNOWN;
	for (uint32_t i = 0; i < c->count && i < max; i++) {
		struct sym truth = truth_of(r, c->at[i]);
		int64_t ignored;

		open += !sym_value(r->pool, truth, &ignored);
		if (sym_is_unknown(truth) || open > RULE_MAX_VALUES)
			return SYM_UNKNOWN;
		sum = sym_add(r->pool, sum, truth);
	}
	return sum;
}

/* ---- NonZero ---- */

/*
 * Old exporters write arange(n) as NonZero(ConstantOfShape(n)) with ones: no element is 0, however
 * many there are.
 */
static bool is_filled(struct rule *r)
{
	uint32_t value = r->node->inputs[0];
	const struct node *from = &r->model->nodes.at[r->model->values.at[value].producer];
	const struct attr *a;
	struct contents c;

	if (r->model->values.at[value].producer == 0 ||
	    !sv_is(model_name(r->model, from->op), "ConstantOfShape") ||
	    !domain_is_standard(model_name(r->model, from->domain)))
		return false;
	a = node_attr(r->model, from, "value");
	if (!a || a->ref || a->kind != ATTR_TENSOR || a->tensor == 0)
		return false;
	c = r->host->constant(r->host->context, a->tensor);
	return sym_is(count_true(r, &c, 1), 1);
}

/* The indices of the non-zero elements of a vector, when all its elements are integers. */
static void non_zero_contents(struct rule *r)
{
	struct grid from, to;
	struct sym *at;
	uint32_t found = 0;

	if (!grid_for(r, 0, RULE_MAX_VALUES, &to) || !grid_of(r, 0, &from) || from.rank != 1)
		return;
	at = rule_values(r, to.columns);
	for (uint32_t i = 0; i < from.columns; i++) {
		int64_t truth;

		if (!sym_value(r->pool, truth_of(r, from.at[i]), &truth))
			return;
		if (truth && found < to.columns)
			at[found++] = rule_int(r, i);
	}
	if (found == to.columns)
		grid_keep(r, 0, &to, at);
}

void rule_non_zero(struct rule *r)
{
	struct contents c = rule_contents(r, 0);
	struct sym *dims = rule_dims(r, 2);
	bool filled = false;

	if (rule_ranked(r, 0))
		dims[0] = rule_int(r, r->in[0].rank);
	dims[1] = count_true(r, &c, UINT32_MAX);
	if (sym_is_unknown(dims[1])) {
		filled = is_filled(r);
		dims[1] = filled ? elements_of(r, 0) : SYM_UNKNOWN;
	}
	if (sym_is_unknown(dims[1]))
		dims[1] = rule_fresh(r, 0, 1, elements_of(r, 0));
	rule_out(r, 0, ELEM_INT64, 2, dims);
	non_zero_contents(r);
	if (filled && rule_ranked(r, 0) && r->in[0].rank == 1)
		rule_out_bounds(r, 0, rule_int(r, 0), sym_add_int(r->pool, rule_dim(r, 0, 0), -1));
}

/* ---- Compress ---- */

/* How many elements of an axis (or of all elements) of that size are kept. */
static struct sym kept_size(struct rule *r, struct sym size, uint32_t axis)
{
	struct contents c = rule_contents(r, 1);
	struct sym length = rule_dim(r, 1, 0), kept = SYM_UNKNOWN, max = size;
	int64_t whole;

	/* A condition longer than the axis is not specified: the rest is ignored. */
	if (sym_value(r->pool, size, &whole)) {
		kept = count_true(r, &c, (uint32_t)MIN(MAX(whole, 0), UINT32_MAX));
	} else if (!sym_is_unknown(size)) {
		kept = count_true(r, &c, UINT32_MAX);
		if (!sym_is_unknown(kept))
			kept = rule_given(r, sym_test_le(r->pool, rule_int(r, c.count), size),
					  kept);
	}
	if (!sym_is_unknown(kept))
		return kept;
	if (sym_is_unknown(max))
		max = length;
	else if (!sym_is_unknown(length))
		max = sym_min(r->pool, size, length);
	return rule_fresh(r, 0, axis, max);
}

void rule_compress(struct rule *r)
{
	const struct info *in = &r->in[0];
	uint32_t axis;

	(void)rule_check_rank(r, 1, 1, 1);
	if (!rule_attr(r, "axis")) {
		RULE_OUT(r, 0, rule_elem(r, 0), kept_size(r, elements_of(r, 0), 0));
		return;
	}
	rule_out_unranked(r, 0, rule_elem(r, 0));
	if (rank_usable(r, 0) && rule_axis(r, rule_attr_int(r, "axis", 0), in->rank, &axis))
		rule_out_resized(r, 0, 0, axis, kept_size(r, in->dims[axis], axis));
}

/* ---- Unique ---- */

/* The number of distinct elements of an integer vector, or unknown. */
static struct sym count_different(struct rule *r)
{
	struct contents c = rule_contents(r, 0);
	int64_t different = 0;

	if (!c.at || c.rank > 1 || c.count > RULE_MAX_VALUES)
		return SYM_UNKNOWN;
	for (uint32_t i = 0; i < c.count; i++) {
		int64_t ignored;
		uint32_t k = 0;

		if (!sym_value(r->pool, c.at[i], &ignored))
			return SYM_UNKNOWN;
		while (k < i && !sym_same(c.at[k], c.at[i]))
			k++;
		different += k == i;
	}
	return rule_int(r, different);
}

void rule_unique(struct rule *r)
{
	const struct info *in = &r->in[0];
	bool flat = !rule_attr(r, "axis");
	struct sym whole = elements_of(r, 0), found = count_different(r);
	uint32_t axis = 0;

	rule_out_unranked(r, 0, rule_elem(r, 0));
	if (!flat && !rank_usable(r, 0))
		whole = SYM_UNKNOWN;
	else if (!flat && !rule_axis(r, rule_attr_int(r, "axis", 0), in->rank, &axis))
		return;
	else if (!flat)
		whole = in->dims[axis];
	/* All four outputs have the same size: one symbol. */
	if (sym_is_unknown(found))
		found = rule_fresh(r, 0, axis, whole);
	RULE_OUT(r, 1, ELEM_INT64, found);
	RULE_OUT(r, 2, ELEM_INT64, whole);
	RULE_OUT(r, 3, ELEM_INT64, found);
	if (flat)
		RULE_OUT(r, 0, rule_elem(r, 0), found);
	else if (rank_usable(r, 0))
		rule_out_resized(r, 0, 0, axis, found);
}

/* ---- NonMaxSuppression ---- */

/* The maximum number of boxes over all classes and batches. */
static struct sym max_boxes(struct rule *r)
{
	struct sym boxes = rule_equal(r, rule_dim(r, 0, 1), rule_dim(r, 1, 2), "number of boxes");
	struct sym batches = rule_equal(r, rule_dim(r, 0, 0), rule_dim(r, 1, 0),
					"number of batches");
	struct contents limit = rule_contents(r, 2);
	int64_t max;

	if (rule_int_at(r, &limit, 0, &max) && max >= 0)
		boxes = sym_is_unknown(boxes) ? limit.at[0] : sym_min(r->pool, boxes, limit.at[0]);
	return sym_mul(r->pool, sym_mul(r->pool, batches, rule_dim(r, 1, 1)), boxes);
}

void rule_non_max_suppression(struct rule *r)
{
	struct sym max = SYM_UNKNOWN;
	bool ranks = rule_check_rank(r, 0, 3, 3);

	if (rule_check_rank(r, 1, 3, 3) && ranks) {
		max = max_boxes(r);
		rule_equal(r, rule_dim(r, 0, 2), rule_int(r, 4), "a box must have 4 coordinates");
	}
	for (uint32_t i = 2; i < 5; i++)
		(void)rule_check_rank(r, i, 0, 1);
	/* The default limit is 0: nothing is selected. */
	RULE_OUT(r, 0, ELEM_INT64, rule_has(r, 2) ? rule_fresh(r, 0, 0, max) : rule_int(r, 0),
		 rule_int(r, 3));
}

/* ---- StringSplit ---- */

void rule_string_split(struct rule *r)
{
	const struct info *in = &r->in[0];
	struct sym *dims;

	rule_out_unranked(r, 0, ELEM_STRING);
	rule_out_shape_of(r, 1, 0, ELEM_INT64);
	if (!rank_usable(r, 0))
		return;
	dims = rule_copy_dims(r, 0, 1);
	dims[in->rank] = rule_fresh(r, 0, in->rank, SYM_UNKNOWN);
	rule_out(r, 0, ELEM_STRING, in->rank + 1, dims);
}

/* ---- ImageDecoder ---- */

void rule_image_decoder(struct rule *r)
{
	static const int64_t channels[] = {3, 3, 1};
	uint32_t format = 0;
	struct sym *dims = rule_dims(r, 3);

	(void)rule_check_rank(r, 0, 1, 1);
	dims[0] = rule_fresh(r, 0, 0, SYM_UNKNOWN);
	dims[1] = rule_fresh(r, 0, 1, SYM_UNKNOWN);
	if (RULE_CHOICE(r, "pixel_format", &format, "RGB", "BGR", "Grayscale"))
		dims[2] = rule_int(r, channels[format]);
	rule_out(r, 0, ELEM_UINT8, 3, dims);
}
