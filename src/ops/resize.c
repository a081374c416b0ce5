/*
 * Resize and Upsample: each axis is scaled by a float, or gets a size.
 *
 * The specification has floor(in*scale) without a float type: 10*0.7 is 7 in float32 and 6 in
 * float64.  A size is inferred where both agree; for symbols that is an assumption.
 */
#include <inttypes.h>

#include "base/arena.h"
#include "base/sv.h"
#include "ops/info.h"
#include "ops/rule.h"
#include "ops/rules.h"
#include "sym/float.h"
#include "sym/sym.h"

enum {
	X,
	ROI,
	SCALES,
	SIZES
};

enum {
	OPTIONAL_SINCE = 13,
	AXES_SINCE = 18,
	DYADIC_SHIFT = 12,      /* scales that are multiples of 2^-12 are exact fractions */
	FLOAT32_WHOLE = 1 << 24 /* integers up to here are exact in float32 */
};

enum {
	STRETCH,
	NOT_LARGER,
	NOT_SMALLER
};

struct resize {
	uint32_t list; /* the input with scales or sizes */
	bool by_sizes;
	uint32_t rank;  /* of the data */
	uint32_t count; /* resized axes */
	uint32_t *axes;
	struct sym *dims; /* of the result */
};

static struct sym in_type(struct rule *r, enum sym_float type, struct sym in, struct sym scale)
{
	struct sym product = sym_float_op(r->pool, SYM_FOP_MUL, sym_to_float(r->pool, type, in),
					  sym_to_float(r->pool, type, scale));

	return sym_cut(r->pool, sym_float_op(r->pool, SYM_FOP_FLOOR, product, SYM_UNKNOWN));
}

/* Is it positive and number/2^shift, with few bits? */
static bool resize_dyadic(double scale, int64_t *number, uint32_t *shift)
{
	for (*shift = 0; *shift <= DYADIC_SHIFT; ++*shift, scale *= 2) {
		if (scale >= (double)FLOAT32_WHOLE)
			return false;
		*number = (int64_t)scale;
		if ((double)*number == scale)
			return *number > 0;
	}
	return false;
}

/* A fraction over a small power of two is exact in both types. */
static struct sym resize_scaled(struct rule *r, struct sym in, struct sym scale)
{
	struct sym narrow, wide;
	int64_t number;
	uint32_t shift;
	double factor;

	if (sym_float_value(r->pool, scale, &factor)) {
		if (!(factor > 0)) {
			rule_error(r, "a scale is %g, but must be positive", factor);
			return SYM_UNKNOWN;
		}
		if (resize_dyadic(factor, &number, &shift))
			return sym_floor_div(r->pool, sym_mul_int(r->pool, in, number),
					     rule_int(r, (int64_t)1 << shift));
	}
	narrow = in_type(r, SYM_F32, in, scale);
	wide = in_type(r, SYM_F64, in, scale);
	if (sym_is_unknown(narrow) || sym_is_unknown(wide) ||
	    sym_eq(r->pool, narrow, wide) == SYM_NO)
		return SYM_UNKNOWN;
	return rule_given(r, sym_test_eq(r->pool, narrow, wide), narrow);
}

/* ---- sizes that keep the aspect ratio ---- */

static bool read_policy(struct rule *r, uint32_t *out)
{
	*out = STRETCH;
	return r->version < AXES_SINCE || RULE_CHOICE(r, "keep_aspect_ratio_policy", out, "stretch",
						      "not_larger", "not_smaller");
}

/* in*(size/from), each step in the float type, then rounded, halves up. */
static bool rounded_in(enum sym_float type, int64_t size, int64_t from, int64_t in, int64_t *out)
{
	double a, b, along;

	if (!sym_float_from_int(type, size, &a) || !sym_float_from_int(type, from, &b) ||
	    !sym_float_from_int(type, in, &along))
		return false;
	along = sym_float_step(type, SYM_FOP_MUL, along, sym_float_step(type, SYM_FOP_DIV, a, b));
	return sym_float_cut(along + 0.5, out);
}

/*
 * round(size*in/from).  Float types agree unless the fraction is exactly a half: integers are then
 * computed in both types, symbols assumed not to hit it.  Integers that float32 cannot hold use
 * exact arithmetic.
 */
static struct sym resize_rounded(struct rule *r, struct sym size, struct sym from, struct sym in)
{
	struct sym base = sym_mul_int(r->pool, from, 2);
	struct sym twice = sym_mul_int(r->pool, sym_mul(r->pool, size, in), 2);
	struct sym up = sym_add(r->pool, twice, from);
	struct sym half = sym_test_eq(r->pool, sym_mod(r->pool, up, base), rule_int(r, 0));
	struct sym out = sym_floor_div(r->pool, up, base);
	int64_t exact, s, f, i, narrow, wide;

	if (!sym_value(r->pool, size, &s) || !sym_value(r->pool, from, &f) ||
	    !sym_value(r->pool, in, &i)) {
		rule_assume(r, sym_test_lt(r->pool, rule_int(r, 0), from));
		return rule_given(r, sym_not(r->pool, half), out);
	}
	if (f < 1 || !sym_value(r->pool, out, &exact) || !rounded_in(SYM_F64, s, f, i, &wide))
		return SYM_UNKNOWN;
	if (exact < FLOAT32_WHOLE / 4 &&
	    (!rounded_in(SYM_F32, s, f, i, &narrow) || narrow != exact))
		return SYM_UNKNOWN;
	return wide == exact ? out : SYM_UNKNOWN;
}

/*
 * The smallest (largest) scale of all axes, applied to all of them.  Rounding is monotonic, so this
 * is the smallest (largest) result of all scales.
 */
static void keep_ratio(struct rule *r, struct resize *z, const struct contents *sizes,
		       uint32_t policy)
{
	for (uint32_t i = 0; i < z->count; i++) {
		struct sym in = rule_dim(r, X, z->axes[i]);
		struct sym out = sizes->at[i];

		for (uint32_t k = 0; k < z->count; k++) {
			struct sym other;

			if (k == i)
				continue;
			other = resize_rounded(r, sizes->at[k], rule_dim(r, X, z->axes[k]), in);
			out = policy == NOT_LARGER ? sym_min(r->pool, out, other)
						   : sym_max(r->pool, out, other);
		}
		z->dims[z->axes[i]] = out;
	}
}

/* ---- axes and scales ---- */

/* The length of a list input; false when unknown. */
static bool resize_list_length(struct rule *r, uint32_t input, int64_t *out)
{
	struct contents c = rule_contents(r, input);

	if (c.at && c.rank == 1) {
		*out = c.count;
		return true;
	}
	return sym_value(r->pool, rule_dim(r, input, 0), out);
}

/* Present and not an empty list, which means absent in version 11. */
static bool is_used(struct rule *r, uint32_t input)
{
	int64_t count;

	return rule_has(r, input) && !(resize_list_length(r, input, &count) && count == 0);
}

/* Exactly one of scales and sizes must be given. */
static bool choose_list(struct rule *r, struct resize *z)
{
	bool scales = is_used(r, SCALES), sizes = is_used(r, SIZES);
	int64_t count;

	z->by_sizes = sizes;
	z->list = sizes ? SIZES : SCALES;
	/* Before 13 scales are required.  Scales of unknown length next to sizes may be empty. */
	if (scales && sizes && r->version >= OPTIONAL_SINCE &&
	    resize_list_length(r, SCALES, &count)) {
		rule_error(r, "both scales and sizes are given");
		return false;
	}
	if (!scales && !sizes)
		rule_error(r, "neither scales nor sizes are given");
	return scales || sizes;
}

/* Reads the axes: in range, no duplicates. */
static bool read_axes(struct rule *r, struct resize *z)
{
	const int64_t *list = NULL;
	uint64_t seen = 0;
	uint32_t count = 0;

	if (r->version >= AXES_SINCE && !rule_attr_ints(r, "axes", &list, &count))
		return false;
	z->count = list ? count : z->rank;
	if (z->count > z->rank) {
		rule_error(r, "more axes than the rank of the data");
		return false;
	}
	z->axes = arena_array(r->arena, z->count, uint32_t);
	for (uint32_t i = 0; i < z->count; i++) {
		if (!rule_axis(r, list ? list[i] : i, z->rank, &z->axes[i]))
			return false;
		if (seen & (uint64_t)1 << z->axes[i]) {
			rule_error(r, "axis %" PRIu32 " is given twice", z->axes[i]);
			return false;
		}
		seen |= (uint64_t)1 << z->axes[i];
	}
	return true;
}

/* With scales, the result's size also depends on the region unless that is the whole input. */
static bool whole_region(struct rule *r, const struct resize *z, uint32_t i)
{
	struct contents roi = rule_contents(r, ROI);
	double start, end;

	if (r->version < 11 ||
	    !sv_is(rule_attr_text(r, "coordinate_transformation_mode"), "tf_crop_and_resize"))
		return true;
	return roi.at && roi.count == 2 * z->count && sym_float_value(r->pool, roi.at[i], &start) &&
	       sym_float_value(r->pool, roi.at[i + z->count], &end) && end - start == 1;
}

static void resize_axes(struct rule *r, struct resize *z, const struct contents *list,
			uint32_t policy)
{
	if (z->by_sizes && policy != STRETCH) {
		keep_ratio(r, z, list, policy);
		return;
	}
	for (uint32_t i = 0; i < z->count; i++) {
		struct sym *dim = &z->dims[z->axes[i]];
		int64_t size;

		if (!z->by_sizes) {
			*dim = whole_region(r, z, i) ? resize_scaled(r, *dim, list->at[i])
						     : SYM_UNKNOWN;
			continue;
		}
		*dim = list->at[i];
		if (sym_value(r->pool, *dim, &size) && size < 0) {
			rule_error(r, "sizes must not be negative: %" PRId64, size);
			*dim = SYM_UNKNOWN;
		} else if (!sym_is(rule_dim(r, X, z->axes[i]), 0)) {
			rule_bound(r, rule_int(r, 1), *dim, "a size must be positive");
			rule_some(r, rule_dim(r, X, z->axes[i]),
				  "an element must be there to be resized");
		} else if (sym_value(r->pool, *dim, &size) && size > 0) {
			rule_error(r, "an empty axis is resized to %" PRId64, size);
		}
	}
}

static void resize_check_kept(struct rule *r, uint32_t axis, const struct sym *dims)
{
	rule_equal(r, rule_dim(r, X, axis), dims[axis],
		   "interpolation must keep the sizes of batch and channels");
}

/*
 * Runtimes interpolate images and volumes, [N, C, …] or [N, H, W, C], along their spatial axes
 * only, unless the nearest element is taken.
 */
static void resize_check_modes(struct rule *r, uint32_t rank, const struct sym *dims)
{
	struct sv mode = rule_attr_text(r, "mode");
	bool image = rank == 4;

	if (mode.len == 0 || sv_is(mode, "nearest") || (rank != 4 && rank != 5))
		return;
	resize_check_kept(r, 0, dims);
	if (!image || sym_eq(r->pool, rule_dim(r, X, 3), dims[3]) == SYM_NO)
		resize_check_kept(r, 1, dims);
}

/* The list has one entry per axis of the data, unless axes are given. */
static bool read_rank(struct rule *r, struct resize *z)
{
	int64_t count;

	if (rule_ranked(r, X)) {
		z->rank = r->in[X].rank;
		return rule_check_rank(r, X, 0, RULE_MAX_RANK);
	}
	if ((r->version >= AXES_SINCE && rule_attr(r, "axes")) ||
	    !resize_list_length(r, z->list, &count) || count < 0 || count > RULE_MAX_RANK)
		return false;
	z->rank = (uint32_t)count;
	return true;
}

static void resize_by(struct rule *r, struct resize *z)
{
	struct contents list = rule_contents(r, z->list);
	uint32_t policy;
	int64_t count;

	if (!rule_check_rank(r, z->list, 1, 1) || !read_rank(r, z))
		return;
	rule_out_rank(r, 0, rule_elem(r, X), z->rank);
	if (!read_axes(r, z) || !read_policy(r, &policy))
		return;
	if (resize_list_length(r, z->list, &count) && count != z->count) {
		rule_error(r, "%s has %" PRId64 " %s for %" PRIu32 " %s",
			   z->by_sizes ? "sizes" : "scales", count,
			   PLURAL(count, "element", "elements"), z->count,
			   PLURAL(z->count, "axis", "axes"));
		return;
	}
	z->dims = rule_dims(r, z->rank);
	for (uint32_t i = 0; i < z->rank; i++)
		z->dims[i] = rule_dim(r, X, i);
	if (list.at && list.rank == 1)
		resize_axes(r, z, &list, policy);
	for (uint32_t i = 0; !(list.at && list.rank == 1) && i < z->count; i++)
		z->dims[z->axes[i]] = SYM_UNKNOWN;
	resize_check_modes(r, z->rank, z->dims);
	rule_out(r, 0, rule_elem(r, X), z->rank, z->dims);
}

void rule_resize(struct rule *r)
{
	struct resize z = {0};

	rule_out_unranked(r, 0, rule_elem(r, X));
	if (choose_list(r, &z))
		resize_by(r, &z);
}

/* Resize 10 and Upsample 9: data and scales. */
void rule_resize_scales(struct rule *r)
{
	struct resize z = {.list = 1};

	rule_out_unranked(r, 0, rule_elem(r, X));
	resize_by(r, &z);
}

/* ---- Upsample with attributes ---- */

static void resize_upsample(struct rule *r, uint32_t count, const float *scales)
{
	struct sym *dims = rule_dims(r, count);

	rule_out_unranked(r, 0, rule_elem(r, X));
	if (!rule_check_rank(r, X, count, count))
		return;
	for (uint32_t i = 0; i < count; i++)
		dims[i] = resize_scaled(r, rule_dim(r, X, i),
					sym_float(r->pool, SYM_F32, (double)scales[i]));
	resize_check_modes(r, count, dims);
	rule_out(r, 0, rule_elem(r, X), count, dims);
}

void rule_upsample_7(struct rule *r)
{
	const float *scales;
	uint32_t count;

	if (!rule_attr(r, "scales"))
		rule_error(r, "scales are missing");
	if (!rule_attr_floats(r, "scales", &scales, &count) || !scales || count > RULE_MAX_RANK) {
		rule_out_shape_of(r, 0, X, rule_elem(r, X));
		if (rule_ranked(r, X))
			rule_out_rank(r, 0, rule_elem(r, X), r->in[X].rank);
		return;
	}
	resize_upsample(r, count, scales);
}

void rule_upsample_1(struct rule *r)
{
	float scales[] = {1, 1, (float)rule_attr_float(r, "height_scale", 0),
			  (float)rule_attr_float(r, "width_scale", 0)};

	resize_upsample(r, ARRAY_LEN(scales), scales);
}
