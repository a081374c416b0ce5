/* Regions of an image, and columns assembled into one. */
#include <inttypes.h>

#include "ops/info.h"
#include "ops/rule.h"
#include "ops/rules.h"
#include "ops/window.h"
#include "sym/sym.h"

/* [regions, channels, height, width] */
static void regions_out(struct rule *r, struct sym regions, int64_t height, int64_t width)
{
	struct sym down = window_size(r, rule_int(r, height), 0);
	struct sym across = window_size(r, rule_int(r, width), 0);

	RULE_OUT(r, 0, rule_elem(r, 0), regions, rule_dim(r, 0, 1), down, across);
}

void rule_max_roi_pool(struct rule *r)
{
	const int64_t *shape;

	rule_out_rank(r, 0, rule_elem(r, 0), 4);
	if (!RULE_CHECK_RANKS(r, 4, 2))
		return;
	rule_equal(r, rule_int(r, 5), rule_dim(r, 1, 1), "elements of a region");
	if (!rule_attr(r, "pooled_shape")) {
		rule_error(r, "attribute pooled_shape is missing");
		return;
	}
	if (window_list(r, "pooled_shape", 2, 1, 1, &shape))
		regions_out(r, rule_dim(r, 1, 0), shape[0], shape[1]);
}

void rule_roi_align(struct rule *r)
{
	struct sym regions;

	rule_out_rank(r, 0, rule_elem(r, 0), 4);
	if (!RULE_CHECK_RANKS(r, 4, 2, 1))
		return;
	rule_equal(r, rule_int(r, 4), rule_dim(r, 1, 1), "elements of a region");
	regions = rule_equal(r, rule_dim(r, 1, 0), rule_dim(r, 2, 0), "regions and batch indices");
	regions_out(r, regions, rule_attr_int(r, "output_height", 1),
		    rule_attr_int(r, "output_width", 1));
}

/* ---- Col2Im ---- */

/* The length of a list input; false when unknown. */
static bool roi_list_length(struct rule *r, uint32_t input, uint32_t *out)
{
	struct contents c = rule_contents(r, input);
	int64_t count;

	if (c.at && c.rank == 1) {
		*out = c.count;
		return true;
	}
	if (!sym_value(r->pool, rule_dim(r, input, 0), &count) || count < 0 ||
	    count > RULE_MAX_RANK)
		return false;
	*out = (uint32_t)count;
	return true;
}

/* The channel axis holds C*product(block). */
static struct sym image_channels(struct rule *r)
{
	struct contents block = rule_contents(r, 2);
	struct sym all = rule_dim(r, 0, 1);
	struct sym places, out;
	int64_t total, divisor;

	if (!block.at || block.rank != 1)
		return SYM_UNKNOWN;
	places = sym_product(r->pool, block.at, block.count);
	if (sym_value(r->pool, places, &divisor)) {
		if (divisor < 1) {
			rule_error(r, "block_shape must be positive");
			return SYM_UNKNOWN;
		}
		if (sym_value(r->pool, all, &total) && total % divisor != 0) {
			rule_error(r,
				   "%" PRId64
				   " channels are not a multiple of the block size %" PRId64,
				   total, divisor);
			return SYM_UNKNOWN;
		}
		rule_divisible(r, all, places, "channels and block size");
	}
	return sym_divide(r->pool, all, places, &out) ? out : sym_floor_div(r->pool, all, places);
}

/* The last axis has one column per position of the block in the image. */
static void check_columns(struct rule *r, uint32_t rank)
{
	struct contents image = rule_contents(r, 1), block = rule_contents(r, 2);
	struct sym columns = rule_int(r, 1);
	struct window w;
	int64_t ignored;

	if (!window_read(r, rank, WINDOW_NO_WEIGHT, WINDOW_DILATIONS | WINDOW_NO_AUTO_PAD, &w) ||
	    !image.at || !block.at || image.count != rank || block.count != rank)
		return;
	w.kernel = block.at;
	for (uint32_t i = 0; i < rank; i++)
		columns = sym_mul(r->pool, columns, window_fit(r, &w, i, image.at[i], 1));
	if (sym_value(r->pool, columns, &ignored))
		rule_equal(r, rule_dim(r, 0, 2), columns, "number of columns");
}

void rule_col2im(struct rule *r)
{
	struct contents image = rule_contents(r, 1);
	uint32_t rank = 0, other = 0;
	struct sym *dims;

	rule_out_unranked(r, 0, rule_elem(r, 0));
	if (!RULE_CHECK_RANKS(r, 3, 1, 1))
		return;
	if (roi_list_length(r, 1, &rank) && roi_list_length(r, 2, &other) && rank != other) {
		rule_error(r, "image_shape has %" PRIu32 " %s, block_shape has %" PRIu32, rank,
			   PLURAL(rank, "element", "elements"), other);
		return;
	}
	rank = MAX(rank, other);
	if (rank == 0 && !roi_list_length(r, 2, &rank))
		return;
	if (rank == 0 || rank > RULE_MAX_RANK - 2) {
		rule_error(r, "image_shape has an invalid length: %" PRIu32, rank);
		return;
	}
	check_columns(r, rank);
	dims = rule_dims(r, rank + 2);
	dims[0] = rule_dim(r, 0, 0);
	dims[1] = image_channels(r);
	for (uint32_t i = 0; image.at && image.rank == 1 && i < rank; i++)
		dims[i + 2] = window_size(r, image.at[i], 0);
	rule_out(r, 0, rule_elem(r, 0), rank + 2, dims);
}
