#include "ops/window.h"

#include <inttypes.h>

#include "base/arena.h"
#include "base/num.h"
#include "ops/info.h"
#include "sym/sym.h"

bool window_list(struct rule *r, const char *name, uint32_t count, int64_t min, int64_t otherwise,
		 const int64_t **out)
{
	const int64_t *list;
	int64_t *plain;
	uint32_t given;

	if (!rule_attr_ints(r, name, &list, &given))
		return false;
	if (!list && !rule_attr(r, name)) {
		plain = arena_array(r->arena, count, int64_t);
		for (uint32_t i = 0; i < count; i++)
			plain[i] = otherwise;
		*out = plain;
		return true;
	}
	if (given != count) {
		rule_error(r, "%s has %" PRIu32 " %s, but %" PRIu32 " %s needed", name, given,
			   PLURAL(given, "element", "elements"), count, PLURAL(count, "is", "are"));
		return false;
	}
	for (uint32_t i = 0; i < count; i++) {
		if (list[i] < min) {
			rule_error(r, "%s has %" PRId64 ", but the minimum is %" PRId64, name,
				   list[i], min);
			return false;
		}
	}
	*out = list;
	return true;
}

struct sym window_size(struct rule *r, struct sym size, int64_t min)
{
	int64_t value;

	if (sym_is_unknown(size))
		return size;
	if (sym_value(r->pool, size, &value)) {
		if (value < 0)
			rule_error(r, "a size is negative: %" PRId64, value);
		else if (value < min)
			rule_error(r, "the result is empty: no window fits");
		return value < 0 ? SYM_UNKNOWN : size;
	}
	rule_bound(r, rule_int(r, min), size,
		   min ? "at least one window must fit" : "a size must not be negative");
	return size;
}

bool window_rank(struct rule *r, uint32_t data, uint32_t weight, uint32_t *out)
{
	bool weighted = weight != WINDOW_NO_WEIGHT && rule_ranked(r, weight);

	if (!rule_check_rank(r, data, 3, RULE_MAX_RANK) ||
	    (weighted && !rule_check_rank(r, weight, 3, RULE_MAX_RANK)))
		return false;
	if (rule_ranked(r, data) && weighted && r->in[data].rank != r->in[weight].rank) {
		rule_error(r, "the data has rank %" PRIu32 ", the weight has rank %" PRIu32,
			   r->in[data].rank, r->in[weight].rank);
		return false;
	}
	if (rule_ranked(r, data))
		*out = r->in[data].rank - 2;
	else if (weighted)
		*out = r->in[weight].rank - 2;
	else
		*out = rule_attr_count(r, "kernel_shape");
	return *out > 0 && *out <= RULE_MAX_RANK - 2;
}

/* pads and auto_pad exclude each other; VALID equals no pads. */
static bool read_padding(struct rule *r, struct window *w)
{
	static const enum window_padding paddings[] = {WINDOW_EXPLICIT, WINDOW_SAME, WINDOW_SAME,
						       WINDOW_VALID};
	bool padded = false;
	uint32_t i = 0;

	if (!RULE_CHOICE(r, "auto_pad", &i, "NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"))
		return false;
	w->padding = paddings[i];
	if (w->padding == WINDOW_EXPLICIT || !rule_attr(r, "pads"))
		return true;
	for (i = 0; i < 2 * w->rank; i++)
		padded = padded || w->pads[i] != 0;
	if (w->padding == WINDOW_VALID && !padded)
		return true;
	rule_error(r, "both pads and auto_pad are given");
	return false;
}

static bool read_kernel(struct rule *r, uint32_t weight, unsigned flags, struct window *w)
{
	const int64_t *kernel = NULL;
	struct sym *dims = rule_dims(r, w->rank);

	if (rule_attr(r, "kernel_shape")) {
		if (!window_list(r, "kernel_shape", w->rank, 1, 1, &kernel))
			return false;
	} else if (flags & WINDOW_KERNEL_NEEDED) {
		rule_error(r, "attribute kernel_shape is missing");
		return false;
	}
	for (uint32_t i = 0; i < w->rank; i++) {
		if (weight != WINDOW_NO_WEIGHT)
			dims[i] = rule_dim(r, weight, i + 2);
		if (kernel)
			dims[i] = rule_equal(r, rule_int(r, kernel[i]), dims[i],
					     "kernel_shape and the weight");
	}
	w->kernel = dims;
	return true;
}

/* Later sums must not overflow, whatever the file says. */
static bool check_fits(struct rule *r, const struct window *w)
{
	for (uint32_t i = 0; i < w->rank; i++) {
		int64_t kernel, extent, pads;

		if (!num_iadd(w->pads[i], w->pads[i + w->rank], &pads)) {
			rule_error(r, "the pads of spatial axis %" PRIu32 " are too large", i);
			return false;
		}
		if (!sym_value(r->pool, w->kernel[i], &kernel))
			continue;
		if (kernel < 1 || !num_imul(kernel - 1, w->dilations[i], &extent) ||
		    !num_iadd(extent, 1, &extent)) {
			rule_error(r,
				   kernel < 1 ? "the kernel is empty in spatial axis %" PRIu32
					      : "the dilated kernel of spatial axis %" PRIu32
						" is too large",
				   i);
			return false;
		}
	}
	return true;
}

bool window_read(struct rule *r, uint32_t rank, uint32_t weight, unsigned flags, struct window *out)
{
	static const int64_t ones[RULE_MAX_RANK] = {
		1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
		1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
		1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
	};

	*out = (struct window){.rank = rank, .dilations = ones};
	if (rank > RULE_MAX_RANK || !window_list(r, "strides", rank, 1, 1, &out->strides) ||
	    !window_list(r, "pads", 2 * rank, 0, 0, &out->pads))
		return false;
	if (flags & WINDOW_DILATIONS && !window_list(r, "dilations", rank, 1, 1, &out->dilations))
		return false;
	if (!(flags & WINDOW_NO_AUTO_PAD) && !read_padding(r, out))
		return false;
	return read_kernel(r, weight, flags, out) && check_fits(r, out);
}

struct sym window_extent(struct rule *r, const struct window *w, uint32_t axis)
{
	struct sym gaps = sym_mul_int(r->pool, sym_add_int(r->pool, w->kernel[axis], -1),
				      w->dilations[axis]);

	return sym_add_int(r->pool, gaps, 1);
}

struct sym window_room(struct rule *r, const struct window *w, uint32_t axis, struct sym in)
{
	int64_t pads = w->padding == WINDOW_EXPLICIT ? w->pads[axis] + w->pads[axis + w->rank] : 0;

	return sym_sub(r->pool, sym_add_int(r->pool, in, pads), window_extent(r, w, axis));
}

struct sym window_fit(struct rule *r, const struct window *w, uint32_t axis, struct sym in,
		      int64_t min)
{
	struct sym stride = rule_int(r, w->strides[axis]);
	struct sym steps;

	if (w->padding == WINDOW_SAME)
		return window_size(r, sym_ceil_div(r->pool, in, stride), min);
	steps = sym_floor_div(r->pool, window_room(r, w, axis, in), stride);
	return window_size(r, sym_add_int(r->pool, steps, 1), min);
}
