#include <inttypes.h>
#include <math.h>

#include "ir/type.h"
#include "ops/grid.h"
#include "ops/info.h"
#include "ops/property.h"
#include "ops/rule.h"
#include "ops/rules.h"
#include "sym/float.h"
#include "sym/sym.h"

/* ---- Shape, Size ---- */

static uint32_t clamp_axis(int64_t axis, uint32_t rank)
{
	if (axis < 0)
		axis = axis < -(int64_t)rank ? 0 : axis + rank;
	return axis > (int64_t)rank ? rank : (uint32_t)axis;
}

void rule_shape(struct rule *r)
{
	const struct info *in = &r->in[0];
	uint32_t start = 0, end;

	if (!rule_ranked(r, 0)) {
		RULE_OUT(r, 0, ELEM_INT64, SYM_UNKNOWN);
		return;
	}
	end = in->rank;
	if (r->version >= 15) {
		start = clamp_axis(rule_attr_int(r, "start", 0), in->rank);
		end = clamp_axis(rule_attr_int(r, "end", in->rank), in->rank);
	}
	end = MAX(start, end);
	RULE_OUT(r, 0, ELEM_INT64, rule_int(r, end - start));
	rule_out_contents(r, 0,
			  (struct contents){
				  .at = end > start ? in->dims + start : rule_values(r, 0),
				  .count = end - start,
				  .rank = 1,
			  });
}

void rule_size(struct rule *r)
{
	struct sym *at = rule_values(r, 1);

	rule_out_scalar(r, 0, ELEM_INT64);
	if (!rank_usable(r, 0))
		return;
	at[0] = size_product(r, r->in[0].dims, r->in[0].rank);
	rule_out_contents(r, 0, (struct contents){.at = at, .count = 1});
}

/* ---- Range ---- */

/*
 * Sizes as floats: used when every operation is exact, or when none is needed: from 0 by 1 the
 * length is the limit, whatever type a runtime computes in.
 */
static struct sym symbolic_length(struct rule *r, const struct sym n[3])
{
	struct sym length = n[1];
	double start, delta;
	bool plain = sym_float_value(r->pool, n[0], &start) && start == 0 &&
		     sym_float_value(r->pool, n[2], &delta) && delta == 1;

	if (!plain) {
		length = sym_float_op(r->pool, SYM_FOP_SUB, length, n[0]);
		length = sym_float_op(r->pool, SYM_FOP_DIV, length, n[2]);
	}
	length = sym_cut(r->pool, sym_float_op(r->pool, SYM_FOP_CEIL, length, SYM_UNKNOWN));
	if (sym_is_unknown(length) || (!plain && sym_kind(r->pool, length) == SYM_KIND_CUT))
		return SYM_UNKNOWN;
	return sym_max(r->pool, length, rule_int(r, 0));
}

/* Runtimes compute the length in the type itself or in double: known only if they agree. */
static struct sym float_length(struct rule *r, enum sym_float type, const struct sym n[3])
{
	double start, limit, delta, exact, rounded;
	int64_t a, b;

	if (!sym_float_value(r->pool, n[0], &start) || !sym_float_value(r->pool, n[1], &limit) ||
	    !sym_float_value(r->pool, n[2], &delta))
		return symbolic_length(r, n);
	if (delta == 0) {
		rule_error(r, "the step is 0");
		return SYM_UNKNOWN;
	}
	exact = ceil((limit - start) / delta);
	rounded = sym_float_step(type, SYM_FOP_SUB, limit, start);
	if (ceil(rounded / delta) != exact)
		return SYM_UNKNOWN;
	rounded = sym_float_step(type, SYM_FOP_DIV, rounded, delta);
	if (!sym_float_cut(exact, &a) || !sym_float_cut(ceil(rounded), &b) || a != b)
		return SYM_UNKNOWN;
	return rule_int(r, MAX(a, 0));
}

/* Below 0 when the limit is on the other side of the start: the range is empty. */
static struct sym integer_length(struct rule *r, const struct sym n[3])
{
	struct sym span, by = n[2];
	struct sym_range range;
	int64_t start, end;

	if (sym_value(r->pool, n[0], &start) && sym_value(r->pool, n[1], &end) &&
	    (start < 0 ? end > INT64_MAX + start : end < INT64_MIN + start)) {
		rule_error(r, "the range is too long");
		return SYM_UNKNOWN;
	}
	span = sym_sub(r->pool, n[1], n[0]);
	if (sym_is_unknown(by) || sym_is_unknown(span))
		return SYM_UNKNOWN;
	if (sym_is(by, 0)) {
		rule_error(r, "the step is 0");
		return SYM_UNKNOWN;
	}
	range = sym_range(r->pool, by);
	if (range.hi < 0) {
		span = sym_neg(r->pool, span);
		by = sym_neg(r->pool, by);
	} else if (range.lo < 0) {
		return SYM_UNKNOWN;
	}
	return sym_ceil_div(r->pool, span, by);
}

/* The bounds of a non-empty range: upward the last element is the largest, downward the first. */
static void range_bounds(struct rule *r, const struct sym n[3], struct sym length)
{
	struct sym steps = sym_add_int(r->pool, length, -1);
	struct sym last = sym_add(r->pool, n[0], sym_mul(r->pool, steps, n[2]));

	if (sym_is_unknown(length))
		return;
	if (sym_range(r->pool, n[2]).hi < 0)
		rule_out_bounds(r, 0, last, n[0]);
	else
		rule_out_bounds(r, 0, n[0], last);
}

static void range_contents(struct rule *r, const struct sym n[3])
{
	struct grid to;
	struct sym *at;

	if (!grid_for(r, 0, RULE_MAX_VALUES, &to))
		return;
	at = rule_values(r, to.columns);
	for (uint32_t i = 0; i < to.columns; i++)
		at[i] = sym_add(r->pool, n[0], sym_mul_int(r->pool, n[2], i));
	grid_keep(r, 0, &to, at);
}

/* Runtimes take vectors of one element too, but not when all three are constants of the file. */
static bool range_needs_scalars(const struct rule *r)
{
	for (uint32_t i = 0; i < 3; i++) {
		/* The step of com.microsoft's Range may be absent. */
		if (i >= r->node->input_count || !value_is_constant(r->model, r->node->inputs[i]))
			return false;
	}
	return true;
}

void rule_range(struct rule *r)
{
	uint32_t rank = range_needs_scalars(r) ? 0 : 1;
	struct sym n[3] = {SYM_UNKNOWN}, length;
	enum sym_float type;
	int32_t elem = ELEM_UNDEFINED;

	for (uint32_t i = 0; i < 3; i++) {
		n[i] = rule_check_rank(r, i, 0, rank) ? rule_single(r, i) : SYM_UNKNOWN;
		if (elem && rule_elem(r, i) && rule_elem(r, i) != elem)
			rule_error(r, "element types differ: %s and %s", elem_info(elem)->name,
				   elem_info(rule_elem(r, i))->name);
		elem = elem ? elem : rule_elem(r, i);
	}
	if (sym_is_float(r->pool, n[0], &type) || sym_is_float(r->pool, n[1], &type) ||
	    sym_is_float(r->pool, n[2], &type)) {
		RULE_OUT(r, 0, elem, float_length(r, type, n));
		return;
	}
	length = integer_length(r, n);
	RULE_OUT(r, 0, elem, sym_max(r->pool, length, rule_int(r, 0)));
	range_bounds(r, n, length);
	range_contents(r, n);
}

/* ---- RandomNormal, RandomUniform, Multinomial ---- */

void rule_random(struct rule *r)
{
	struct list shape = list_get(r, "shape", LIST_NO_INPUT, 0);
	int32_t elem = ELEM_FLOAT32;
	int64_t named = rule_attr_int(r, "dtype", ELEM_FLOAT32);

	if (named > ELEM_UNDEFINED && named < ELEM_COUNT)
		elem = (int32_t)named;
	else
		rule_error(r, "dtype %" PRId64 " is not an element type", named);
	rule_out_unranked(r, 0, elem);
	if (!shape.given)
		rule_error(r, "the shape is missing");
	list_out(r, 0, elem, &shape);
}

void rule_multinomial(struct rule *r)
{
	int64_t named = rule_attr_int(r, "dtype", ELEM_INT32);
	struct sym batch = SYM_UNKNOWN, samples = rule_int(r, rule_attr_int(r, "sample_size", 1));

	if (named != ELEM_INT32 && named != ELEM_INT64)
		rule_error(r, "dtype %" PRId64 " is neither int32 nor int64", named);
	if (rule_check_rank(r, 0, 2, 2))
		batch = rule_dim(r, 0, 0);
	if (!check_size(r, samples, "sample_size"))
		samples = SYM_UNKNOWN;
	RULE_OUT(r, 0, named == ELEM_INT64 ? ELEM_INT64 : ELEM_INT32, batch, samples);
}
