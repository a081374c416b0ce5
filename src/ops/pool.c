/* Pooling: a window without weights. */
#include "ir/type.h"
#include "ops/info.h"
#include "ops/rule.h"
#include "ops/rules.h"
#include "ops/window.h"
#include "sym/sym.h"

/* The versions since which an operator has these attributes. */
static const struct pool_versions {
	int64_t ceil_mode;
	int64_t dilations;
	int64_t kernel; /* kernel_shape must be given */
} pool_versions[POOL_KIND_COUNT] = {
	[POOL_AVERAGE] = {.ceil_mode = 10, .dilations = 19, .kernel = 1},
	[POOL_LP] = {.ceil_mode = 18, .dilations = 18, .kernel = 2},
	[POOL_MAX] = {.ceil_mode = 10, .dilations = 10, .kernel = 1},
};

enum {
	DROPS_SINCE = 22
}; /* windows that start in the right padding are dropped */

/* The size on which two readings of the specification agree. */
static struct sym pool_agreed(struct rule *r, struct sym a, struct sym b)
{
	if (sym_is_unknown(a) || sym_is_unknown(b) || sym_eq(r->pool, a, b) == SYM_NO)
		return SYM_UNKNOWN;
	return rule_given(r, sym_test_eq(r->pool, a, b), a);
}

/*
 * Rounded down.  Where the window does not fit, some runtimes round toward zero instead; symbolic
 * sizes are assumed to be large enough, integers that are not must give the same both ways.
 */
static struct sym fit_down(struct rule *r, const struct window *w, uint32_t axis, struct sym in)
{
	struct sym room = window_room(r, w, axis, in);
	struct sym toward_zero;
	int64_t value;

	if (sym_is_unknown(room))
		return SYM_UNKNOWN;
	if (!sym_value(r->pool, room, &value)) {
		if (!rule_is_bindable(r, room) ||
		    sym_is(sym_test_le(r->pool, rule_int(r, 0), room), 0))
			return SYM_UNKNOWN;
		rule_bound(r, sym_sub(r->pool, in, room), in, "at least one window must fit");
		return window_fit(r, w, axis, in, 0);
	}
	toward_zero = sym_trunc_div(r->pool, room, rule_int(r, w->strides[axis]));
	if (value < 0 &&
	    !sym_same(toward_zero, sym_floor_div(r->pool, room, rule_int(r, w->strides[axis]))))
		return SYM_UNKNOWN;
	return window_fit(r, w, axis, in, 0);
}

/*
 * Rounded up: ceil((in + pads - extent)/stride) + 1 windows, without those that start after the
 * data: at most ceil((in + begin)/stride).  Versions before 22 do not specify the latter, though
 * all runtimes do it; and VALID is specified to round as if ceil_mode were 0.
 */
static struct sym fit_up(struct rule *r, const struct window *w, uint32_t axis, struct sym in)
{
	int64_t begin = w->padding == WINDOW_EXPLICIT ? w->pads[axis] : 0;
	int64_t end = w->padding == WINDOW_EXPLICIT ? w->pads[axis + w->rank] : 0;
	struct sym stride = rule_int(r, w->strides[axis]);
	struct sym from, room, full, kept;

	from = sym_add_int(r->pool, in, begin);
	room = sym_sub(r->pool, sym_add_int(r->pool, from, end), window_extent(r, w, axis));
	full = sym_add_int(r->pool, sym_ceil_div(r->pool, room, stride), 1);
	kept = sym_ceil_div(r->pool, from, stride);
	/* end + stride <= extent: the last window always starts within the data. */
	if (sym_le(r->pool, sym_add_int(r->pool, stride, end), window_extent(r, w, axis)) ==
	    SYM_YES)
		kept = full;
	else
		kept = sym_min(r->pool, full, kept);
	if (w->padding == WINDOW_VALID)
		kept = pool_agreed(r, kept, fit_down(r, w, axis, in));
	return window_size(r, r->version < DROPS_SINCE ? pool_agreed(r, kept, full) : kept, 0);
}

static void pool_out(struct rule *r, const struct window *w, bool up)
{
	uint32_t rank = w->rank + 2;
	struct sym *dims = rule_dims(r, rank);

	dims[0] = rule_dim(r, 0, 0);
	dims[1] = rule_dim(r, 0, 1);
	for (uint32_t i = 0; i < w->rank; i++) {
		struct sym in = rule_dim(r, 0, i + 2);

		if (w->padding == WINDOW_SAME)
			dims[i + 2] = window_fit(r, w, i, in, 0);
		else
			dims[i + 2] = up ? fit_up(r, w, i, in) : fit_down(r, w, i, in);
	}
	rule_out(r, 0, rule_elem(r, 0), rank, dims);
}

static void pool_window(struct rule *r)
{
	const struct pool_versions *v = &pool_versions[r->argument];
	unsigned flags = (r->version >= v->dilations ? WINDOW_DILATIONS : 0) |
			 (r->version >= v->kernel ? WINDOW_KERNEL_NEEDED : 0);
	bool up = r->version >= v->ceil_mode && rule_attr_int(r, "ceil_mode", 0) != 0;
	struct window w;
	uint32_t rank;

	rule_out_unranked(r, 0, rule_elem(r, 0));
	if (!window_rank(r, 0, WINDOW_NO_WEIGHT, &rank))
		return;
	rule_out_rank(r, 0, rule_elem(r, 0), rank + 2);
	if (window_read(r, rank, WINDOW_NO_WEIGHT, flags, &w))
		pool_out(r, &w, up);
}

void rule_pool(struct rule *r)
{
	pool_window(r);
	/* The second output, since version 8, has the index of each maximum. */
	if (r->argument != POOL_MAX || r->out_count < 2)
		return;
	if (r->out[0].ranked)
		rule_out(r, 1, ELEM_INT64, r->out[0].rank, r->out[0].dims);
	else
		rule_out_unranked(r, 1, ELEM_INT64);
}

void rule_global_pool(struct rule *r)
{
	bool quantized = r->argument == GLOBAL_POOL_QUANTIZED;
	bool last = quantized && rule_attr_int(r, "channels_last", 0) != 0;
	struct sym *dims;
	uint32_t rank;

	rule_out_unranked(r, 0, rule_elem(r, 0));
	if (!rule_ranked(r, 0) || !rule_check_rank(r, 0, quantized ? 3 : 2, RULE_MAX_RANK))
		return;
	rank = r->in[0].rank;
	dims = rule_dims(r, rank);
	for (uint32_t i = 1; i < rank; i++)
		rule_some(r, r->in[0].dims[i], "an element must be there to be pooled");
	for (uint32_t i = 0; i < rank; i++)
		dims[i] = i == 0 || i == (last ? rank - 1 : 1) ? r->in[0].dims[i] : rule_int(r, 1);
	rule_out(r, 0, rule_elem(r, 0), rank, dims);
}
