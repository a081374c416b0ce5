/*
 * Normalisations and quantisations: the shape stays; statistics and scales belong to axes.
 */
#include <inttypes.h>

#include "flow/axis.h"
#include "flow/cause.h"
#include "flow/rules.h"
#include "flow/visit.h"

static uint64_t all_symbols(const struct track *t)
{
	uint64_t symbols = 0;

	for (uint32_t k = 0; k < t->rank; k++)
		symbols |= axis_symbols(t->axes[k]);
	return symbols;
}

bool flow_lp_norm(struct visit *v)
{
	const struct track *x = &v->in[0];
	int64_t axis = visit_attr(v, "axis", -1);

	axis = axis < 0 ? axis + x->rank : axis;
	if (axis < 0 || axis >= x->rank)
		return flow_refuse(v, CAUSE_BROKEN, "an axis is out of range");
	flow_mix(v, axis_symbols(x->axes[axis]), "it is normalised over");
	return visit_put(v, 0, x->axes, x->rank);
}

bool flow_mean_variance(struct visit *v)
{
	static const int64_t standard[] = {0, 2, 3};
	const struct track *x = &v->in[0];
	const int64_t *list = standard;
	uint32_t count = 3;

	(void)visit_attr_ints(v, "axes", &list, &count);
	for (uint32_t i = 0; i < count; i++) {
		int64_t axis = list[i] < 0 ? list[i] + x->rank : list[i];

		if (axis < 0 || axis >= x->rank)
			return flow_refuse(v, CAUSE_BROKEN, "an axis is out of range");
		flow_mix(v, axis_symbols(x->axes[axis]), "it is normalised over");
	}
	return visit_put(v, 0, x->axes, x->rank);
}

/* Neighbouring channels meet; batch and space stay. */
bool flow_lrn(struct visit *v)
{
	const struct track *x = &v->in[0];

	if (x->rank < 2)
		return flow_refuse(v, CAUSE_BROKEN, "its input has the wrong rank");
	flow_mix(v, axis_symbols(x->axes[1]), "neighbours are normalised together");
	return visit_put(v, 0, x->axes, x->rank);
}

/* Scales and zero points: one for all, or one for each position of an axis that stays. */
bool flow_quantize(struct visit *v)
{
	const struct track *x = &v->in[0];
	int64_t axis = visit_attr(v, "axis", 1);

	axis = axis < 0 ? axis + x->rank : axis;
	for (uint32_t i = 1; i < v->node->input_count; i++) {
		if (!visit_has(v, i) || v->in[i].rank == 0)
			continue;
		if (all_symbols(&v->in[i]))
			return flow_refuse(v, CAUSE_OPERATOR,
					   "a scale is computed, and has a freed axis");
		if (v->in[i].rank == 1 && axis_old(v->in[i].axes[0]) == 1 && x->rank != 1)
			continue;
		if (v->in[i].rank > 1 || axis < 0 || axis >= x->rank || flow_pins(v, x->axes[axis]))
			return flow_refuse(v, CAUSE_WEIGHT,
					   "there is a scale for each position of a freed axis");
	}
	return visit_put(v, 0, x->axes, x->rank);
}

/* One scale for all elements: every item counts. */
bool flow_dynamic_quantize(struct visit *v)
{
	const struct track *x = &v->in[0];

	flow_mix(v, all_symbols(x), "one scale is computed for all items");
	if (!visit_put(v, 0, x->axes, x->rank))
		return false;
	for (uint32_t i = 1; i < v->node->output_count; i++) {
		if (!visit_put(v, i, NULL, 0))
			return false;
	}
	return true;
}

/* A sum of two tensors, normalised over the last axis, which has weights. */
bool flow_skip_norm(struct visit *v)
{
	static const uint32_t ports[] = {0, 1};
	uint32_t rank = visit_rank(v, 0);
	struct flow_axis *axes = visit_axes(v, rank), *rest = visit_axes(v, rank);

	if (!rank || v->in[0].rank != rank || v->in[1].rank > rank)
		return flow_refuse(v, CAUSE_BROKEN, "its inputs have different ranks");
	for (uint32_t i = 2; i < v->node->input_count; i++) {
		if (visit_has(v, i) && all_symbols(&v->in[i]))
			return flow_refuse(v, CAUSE_OPERATOR,
					   "a weight is computed, and has a freed axis");
	}
	if (!flow_broadcast(v, ports, 2, 0, axes, rank))
		return false;
	if (flow_pins(v, axes[rank - 1]))
		return flow_refuse_weight(v, axes[rank - 1]);
	for (uint32_t k = 0; k + 1 < rank; k++)
		rest[k] = axes[k];
	for (uint32_t i = 0; i < v->node->output_count; i++) {
		bool statistic = v->node->outputs[i] && visit_old(v, i, rank - 1) == 1 &&
				 axis_old(axes[rank - 1]) != 1;

		if (!visit_put(v, i, statistic ? rest : axes, rank))
			return false;
	}
	return true;
}

/* ---- operators that map over their batch ---- */

static bool shares_batch(struct visit *v, uint32_t port, struct flow_axis batch)
{
	const struct track *t = &v->in[port];
	uint64_t symbols = all_symbols(t);

	if (!visit_has(v, port) || t->rank == 0)
		return true;
	if (symbols && (symbols != axis_symbols(t->axes[0]) ||
			!axis_same(&v->pass->factory, t->axes[0], batch)))
		return flow_refuse(v, CAUSE_OPERATOR,
				   "axed follows only axis 0 through this operator");
	for (uint32_t k = 1; symbols && k < t->rank; k++) {
		if (axis_symbols(t->axes[k]))
			return flow_refuse(v, CAUSE_OPERATOR,
					   "axed follows only axis 0 through this operator");
	}
	if (symbols || (v->pass->watch && axis_old(t->axes[0]) == axis_old(batch)))
		return true;
	if (t->constant && t->rank <= 2 && axis_old(t->axes[0]) != axis_old(batch))
		return true;
	return t->constant ? flow_refuse(v, CAUSE_MEANT,
					 "a constant may have axis 0, which was %" PRId64,
					 axis_old(batch))
			   : flow_refuse(v, CAUSE_FIXED,
					 "input %" PRIu32 " does not follow the batch", port);
}

/* Axis 0 of the first input is the batch, and of every result. */
static bool map_batch(struct visit *v, uint32_t inputs)
{
	struct flow_axis batch;

	if (!v->in[0].rank || !axis_symbols(v->in[0].axes[0]))
		return flow_refuse(v, CAUSE_OPERATOR,
				   "axed follows only axis 0 through this operator");
	batch = v->in[0].axes[0];
	for (uint32_t i = 0; i < inputs; i++) {
		if (!shares_batch(v, i, batch))
			return false;
	}
	for (uint32_t i = 0; i < v->node->output_count; i++) {
		uint32_t rank = visit_rank(v, i);
		struct flow_axis *axes = visit_axes(v, rank);

		for (uint32_t k = 0; k < rank; k++)
			axes[k] = k ? axis_number(&v->pass->factory, visit_old(v, i, k)) : batch;
		if (!visit_put(v, i, axes, rank))
			return false;
	}
	return true;
}

bool flow_batched(struct visit *v)
{
	return map_batch(v, v->node->input_count);
}

bool flow_fold(struct visit *v)
{
	return map_batch(v, 1);
}

/* The transformed axis may not be the batch. */
bool flow_dft(struct visit *v)
{
	const int64_t *list;
	uint32_t count;
	int64_t axis = visit_version(v) < 20 ? visit_attr(v, "axis", 1) : -2;

	if (visit_has(v, 2)) {
		if (!visit_numbers(v, 2, &list, &count) || count != 1)
			return flow_refuse(v, CAUSE_DATA, "its axis depends on data");
		axis = list[0];
	}
	axis = axis < 0 ? axis + v->in[0].rank : axis;
	if (axis == 0)
		return flow_refuse(v, CAUSE_OPERATOR,
				   "axed cannot follow the axis that it transforms");
	return flow_batched(v);
}
