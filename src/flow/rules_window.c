/*
 * Convolutions, pools and normalisations by channel: batch, channels, then spatial axes.
 */
#include <inttypes.h>

#include "base/arena.h"
#include "flow/axis.h"
#include "flow/cause.h"
#include "flow/rules.h"
#include "flow/visit.h"
#include "ir/graph.h"
#include "ops/info.h"
#include "sym/sym.h"

static bool is_free_track(const struct track *t)
{
	for (uint32_t i = 0; i < t->rank; i++) {
		if (axis_symbols(t->axes[i]))
			return true;
	}
	return t->contents.at;
}

static bool weights_are_plain(struct visit *v)
{
	for (uint32_t i = 1; i < v->node->input_count; i++) {
		if (is_free_track(&v->in[i]))
			return flow_refuse(v, CAUSE_OPERATOR,
					   "a weight is computed, and has a freed axis");
	}
	return true;
}

/* A weight says it. */
static const struct flow_axis *number_of_filters(struct visit *v, uint32_t output)
{
	struct flow_axis *a = visit_axes(v, 1);

	*a = axis_number(&v->pass->factory, visit_old(v, output, 1));
	return a;
}

/* Spatial sizes are what the shape rule says; `kept` axes stay. */
static bool put_windows(struct visit *v, uint32_t kept, const char *why)
{
	const struct track *x = &v->in[0];

	for (uint32_t i = 0; i < v->node->output_count; i++) {
		const struct flow_axis **keep = arena_array(&v->pass->arena, x->rank,
							    const struct flow_axis *);

		if (visit_rank(v, i) != x->rank)
			return flow_refuse(v, CAUSE_BROKEN, "its output has another rank");
		for (uint32_t k = 0; k < x->rank; k++) {
			if (k < kept)
				keep[k] = &x->axes[k];
			else if (k == 1)
				keep[k] = number_of_filters(v, i);
			else
				flow_mix(v, axis_symbols(x->axes[k]), why);
		}
		if (!visit_put_sizes(v, i, keep))
			return false;
	}
	return true;
}

/* ---- "same" padding ---- */

enum {
	LONG_TILE = 4 /* windows of 2 and 3 are written as such */
};

/* The window of a node along a spatial axis. */
struct span {
	int64_t size, stride;
};

static int64_t attr_at(const struct visit *v, const char *name, uint32_t axis, int64_t otherwise)
{
	const int64_t *list;
	uint32_t count;

	return visit_attr_ints(v, name, &list, &count) && axis < count ? list[axis] : otherwise;
}

static struct span window_span(const struct visit *v, uint32_t axis)
{
	int64_t kernel = attr_at(v, "kernel_shape", axis, 0);
	uint32_t weight = v->node->input_count > 1 ? v->node->inputs[1] : 0;
	const struct info *info = &v->pass->in->infos[weight];

	if (!kernel && weight && info->ranked && axis + 2 < info->rank)
		(void)sym_value(&v->pass->in->pool, info->dims[axis + 2], &kernel);
	return (struct span){.size = kernel ? (kernel - 1) * attr_at(v, "dilations", axis, 1) + 1
					    : 0,
			     .stride = attr_at(v, "strides", axis, 1)};
}

/*
 * Pads that differ before and after, with strides: computed from the size, so that the window
 * covers it.  For multiples of the stride they are always the same.
 */
static bool check_span(struct visit *v, struct span s, struct flow_axis a, int64_t before,
		       int64_t after)
{
	struct factory *f = &v->pass->factory;
	struct sym size = axis_size(f, a), stride = sym_int(f->pool, s.stride), quotient;

	if (s.stride < 2 || before == after || !flow_meant(v->pass, a))
		return true;
	if (axis_old(a) % s.stride || before + after != s.size - s.stride)
		return flow_refuse(v, CAUSE_MEANT,
				   "it pads %s, which was %" PRId64 ", by %" PRId64 " and %" PRId64
				   ", with strides: perhaps computed from the size",
				   flow_text(v->pass, size), axis_old(a), before, after);
	return sym_divide(f->pool, size, stride, &quotient) ||
	       flow_unequal(v, size, sym_mul(f->pool, stride, sym_floor_div(f->pool, size, stride)),
			    "its pads fit multiples only");
}

static bool check_same_pads(struct visit *v)
{
	const struct track *x = &v->in[0];
	const int64_t *pads;
	uint32_t count;

	if (v->pass->watch || !visit_attr_ints(v, "pads", &pads, &count) || count % 2)
		return true;
	for (uint32_t i = 0; i < count / 2 && i + 2 < x->rank; i++) {
		if (!check_span(v, window_span(v, i), x->axes[i + 2], pads[i], pads[i + count / 2]))
			return false;
	}
	return true;
}

bool flow_check_padded(struct visit *v, uint32_t axis, int64_t before, int64_t after,
		       bool *out_certain)
{
	const struct model *m = v->pass->in->model;
	uint32_t count;
	const struct reader *readers = model_readers(m, v->node->outputs[0], &count);

	*out_certain = axis >= 2 && count;
	for (uint32_t i = 0; axis >= 2 && i < count; i++) {
		struct visit reader = {.pass = v->pass,
				       .id = readers[i].node,
				       .node = &m->nodes.at[readers[i].node]};
		struct span span = window_span(&reader, axis - 2);

		if (readers[i].node && !check_span(v, span, v->in[0].axes[axis], before, after))
			return false;
		*out_certain = *out_certain && readers[i].node && span.size &&
			       before + after == span.size - span.stride;
	}
	return true;
}

bool flow_conv(struct visit *v)
{
	if (v->in[0].rank < 2)
		return flow_refuse(v, CAUSE_BROKEN, "its input has the wrong rank");
	if (flow_pins(v, v->in[0].axes[1]))
		return flow_refuse_weight(v, v->in[0].axes[1]);
	return weights_are_plain(v) && check_same_pads(v) &&
	       put_windows(v, 1, "a window moves over it");
}

/*
 * Windows side by side that cover the axis may have been computed from the size: so many of them.
 * Height and width tell, if only one of length and number is the same for both.
 */
static bool check_tiles(struct visit *v)
{
	const struct track *x = &v->in[0];
	struct span first = {0}, s;
	int64_t tiles = 0;

	for (uint32_t k = 2; k < x->rank; k++) {
		int64_t old = axis_old(x->axes[k]), count = visit_old(v, 0, k);

		s = window_span(v, k - 2);
		if (!flow_meant(v->pass, x->axes[k]) || s.size != s.stride || s.size < LONG_TILE ||
		    count < 2 || count * s.size != old)
			continue;
		if (tiles == count && first.size != s.size)
			return flow_refuse(v, CAUSE_MEANT,
					   "%" PRId64 " windows of %" PRId64 " and of %" PRId64
					   " cover both axes: perhaps computed from the sizes",
					   count, first.size, s.size);
		if (!tiles || tiles == count)
			flow_assume(v, "the window of %" PRId64 " is not %s / %" PRId64, s.size,
				    flow_text(v->pass, axis_size(&v->pass->factory, x->axes[k])),
				    count);
		first = s;
		tiles = count;
	}
	return true;
}

/* A window as large as the old axis may have meant the whole of it. */
static bool check_whole(struct visit *v)
{
	const struct track *x = &v->in[0];
	const int64_t *kernel = NULL;
	uint32_t count = 0;

	if (v->pass->watch)
		return true;
	(void)visit_attr_ints(v, "kernel_shape", &kernel, &count);
	for (uint32_t i = 0; i < count && i + 2 < x->rank; i++) {
		if (flow_meant(v->pass, x->axes[i + 2]) && kernel[i] == axis_old(x->axes[i + 2]) &&
		    visit_old(v, 0, i + 2) == 1)
			return flow_refuse(
				v, CAUSE_MEANT,
				"its window of %" PRId64
				" is the whole of %s: it may have meant any size",
				kernel[i],
				flow_text(v->pass, axis_size(&v->pass->factory, x->axes[i + 2])));
	}
	return true;
}

bool flow_pool(struct visit *v)
{
	return check_whole(v) && check_tiles(v) && check_same_pads(v) &&
	       put_windows(v, 2, "a window moves over it");
}

bool flow_global_pool(struct visit *v)
{
	return put_windows(v, 2, "it is pooled");
}

/* Weights belong to channels: batch and spatial axes pass. */
static bool put_channels(struct visit *v)
{
	if (v->in[0].rank < 2)
		return flow_refuse(v, CAUSE_BROKEN, "its input has the wrong rank");
	if (flow_pins(v, v->in[0].axes[1]))
		return flow_refuse_weight(v, v->in[0].axes[1]);
	return weights_are_plain(v) && visit_put(v, 0, v->in[0].axes, v->in[0].rank);
}

/* Is the mean that of the input itself? */
static bool norm_trains(const struct visit *v)
{
	int64_t version = visit_version(v);

	if (version >= 14)
		return visit_attr(v, "training_mode", 0);
	if (version < 7)
		return !visit_attr(v, "is_test", 0);
	for (uint32_t i = 1; i < v->node->output_count; i++) {
		if (v->node->outputs[i])
			return true;
	}
	return false;
}

bool flow_channels(struct visit *v)
{
	const struct track *x = &v->in[0];

	for (uint32_t i = 1; i < v->node->input_count; i++) {
		if (v->in[i].rank > 1)
			return flow_refuse(v, CAUSE_WEIGHT, "it has a weight for each position");
	}
	for (uint32_t k = 0; k < x->rank && norm_trains(v); k++)
		flow_mix(v, axis_symbols(x->axes[k]), "its mean is that of all items");
	if (!put_channels(v))
		return false;
	for (uint32_t i = 1; i < v->node->output_count; i++) {
		if (v->node->outputs[i] && !visit_put(v, i, v->in[1].axes, v->in[1].rank))
			return false;
	}
	return true;
}

bool flow_instance_norm(struct visit *v)
{
	for (uint32_t k = 2; k < v->in[0].rank; k++)
		flow_mix(v, axis_symbols(v->in[0].axes[k]), "it is normalised over");
	return put_channels(v);
}
