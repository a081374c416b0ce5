/*
 * Operators that work along axes: reductions, softmax, sums, normalisations, recurrences.
 */
#include "flow/array.h"
#include "flow/axis.h"
#include "flow/cause.h"
#include "flow/fold.h"
#include "flow/rules.h"
#include "flow/visit.h"
#include "ops/info.h"

/* ---- reductions ---- */

static bool put_reduced(struct visit *v, const bool *reduced)
{
	const struct track *x = &v->in[0];
	bool keep = visit_attr(v, "keepdims", 1);
	struct flow_axis *axes = visit_axes(v, x->rank);
	uint32_t rank = 0;

	for (uint32_t i = 0; i < x->rank; i++) {
		if (reduced[i])
			flow_mix(v, axis_symbols(x->axes[i]), "it is reduced");
		else
			axes[rank] = x->axes[i];
		rank += !reduced[i] || keep;
	}
	return visit_put(v, 0, axes, rank);
}

bool flow_reduce(struct visit *v)
{
	const struct track *x = &v->in[0];
	const int64_t *list = NULL;
	uint32_t count = 0;
	bool reduced[RULE_MAX_RANK] = {false};

	if (!visit_attr_ints(v, "axes", &list, &count) && visit_has(v, 1) &&
	    !visit_numbers(v, 1, &list, &count))
		return flow_refuse(v, CAUSE_DATA, "its axes are not constant");
	if (count == 0 && visit_attr(v, "noop_with_empty_axes", 0))
		return visit_put(v, 0, x->axes, x->rank);
	for (uint32_t i = 0; i < x->rank; i++)
		reduced[i] = count == 0;
	for (uint32_t i = 0; i < count; i++) {
		int64_t axis = list[i] < 0 ? list[i] + x->rank : list[i];

		if (axis < 0 || axis >= x->rank)
			return flow_refuse(v, CAUSE_BROKEN, "an axis is out of range");
		reduced[axis] = true;
	}
	return put_reduced(v, reduced);
}

/* An attribute that is an axis of the first input; -1 and refused when it is not. */
static int64_t axis_attr(struct visit *v, const char *name, int64_t otherwise)
{
	int64_t axis = visit_attr(v, name, otherwise);
	uint32_t rank = v->in[0].rank;

	axis = axis < 0 ? axis + rank : axis;
	if (axis >= 0 && axis < rank)
		return axis;
	(void)flow_refuse(v, CAUSE_BROKEN, "an axis is out of range");
	return -1;
}

bool flow_arg_reduce(struct visit *v)
{
	bool reduced[RULE_MAX_RANK] = {false};
	int64_t axis = axis_attr(v, "axis", 0);

	if (axis < 0)
		return false;
	reduced[axis] = true;
	return put_reduced(v, reduced);
}

/* ---- the same shape, but along an axis ---- */

/* Before 13 it works on everything from the axis on. */
bool flow_softmax(struct visit *v)
{
	bool old = visit_version(v) < 13;
	int64_t axis = axis_attr(v, "axis", old ? 1 : -1);

	if (axis < 0)
		return false;
	for (uint32_t k = (uint32_t)axis; k < (old ? v->in[0].rank : (uint32_t)axis + 1); k++)
		flow_mix(v, axis_symbols(v->in[0].axes[k]), "softmax runs over it");
	return visit_put(v, 0, v->in[0].axes, v->in[0].rank);
}

/* CumSum, whose axis is an input; Trilu, which has two. */
bool flow_along(struct visit *v)
{
	const struct track *x = &v->in[0];
	const struct array *a = visit_has(v, 1) ? visit_array(v, 1) : NULL;
	int64_t axis;

	if (a && a->count == 1 && array_int(a, 0, &axis) && v->in[1].constant) {
		axis = axis < 0 ? axis + x->rank : axis;
		if (axis < 0 || axis >= x->rank)
			return flow_refuse(v, CAUSE_BROKEN, "an axis is out of range");
		flow_mix(v, axis_symbols(x->axes[axis]), "it is summed up");
		if (!visit_put(v, 0, x->axes, x->rank))
			return false;
		/* What is not data counts, if anything: ones that are summed up are positions. */
		if (fold_value(v->pass->folder, v->node->outputs[0]))
			v->pass->tracks[v->node->outputs[0]].numbered |=
				axis_symbols(x->axes[axis]) & ~v->pass->carried;
		return true;
	}
	return flow_refuse(v, CAUSE_DATA, "its axis is not constant");
}

bool flow_layer_norm(struct visit *v)
{
	const struct track *x = &v->in[0];
	int64_t axis = axis_attr(v, "axis", -1);
	struct flow_axis *rest;

	if (axis < 0)
		return false;
	for (uint32_t k = (uint32_t)axis; k < x->rank; k++) {
		if (flow_pins(v, x->axes[k]))
			return flow_refuse_weight(v, x->axes[k]);
	}
	rest = visit_axes(v, x->rank);
	for (uint32_t k = 0; k < (uint32_t)axis; k++)
		rest[k] = x->axes[k];
	for (uint32_t i = 0; i < v->node->output_count; i++) {
		if (!visit_put(v, i, i ? rest : x->axes, x->rank))
			return false;
	}
	return true;
}

/* ---- recurrences ---- */

/* A state or a list of lengths has the batch, too. */
static bool follow_batch(struct visit *v, uint32_t port, uint32_t axis, struct flow_axis batch)
{
	struct follow spec[RULE_MAX_RANK] = {0};
	const struct track *t;

	if (!visit_has(v, port) || !axis_symbols(batch) || v->pass->watch)
		return true;
	t = &v->in[port];
	if (t->rank <= axis)
		return flow_refuse(v, CAUSE_BROKEN, "the rank of a state is wrong");
	if (axis_symbols(t->axes[axis]))
		return axis_same(&v->pass->factory, t->axes[axis], batch) ||
		       flow_refuse(v, CAUSE_FIXED,
				   "a state and the data do not have the same batch");
	if (!t->constant)
		return flow_demand(v, port, axis, batch);
	spec[axis] = (struct follow){true, batch};
	return flow_follow(v, port, spec, false);
}

/* All steps: steps, directions, batch, hidden.  The last: without steps. */
static bool put_state(struct visit *v, uint32_t output, struct flow_axis steps,
		      struct flow_axis batch, bool by_batch)
{
	uint32_t rank = visit_rank(v, output), next = 0;
	struct flow_axis *axes = visit_axes(v, rank);

	if (!v->node->outputs[output])
		return true;
	if (rank != (output ? 3u : 4u))
		return flow_refuse(v, CAUSE_BROKEN, "its output has the wrong rank");
	if (by_batch)
		axes[next++] = batch;
	if (output == 0)
		axes[next++] = steps;
	axes[next] = axis_number(&v->pass->factory, visit_old(v, output, next));
	next++;
	if (!by_batch)
		axes[next++] = batch;
	axes[next] = axis_number(&v->pass->factory, visit_old(v, output, next));
	return visit_put(v, output, axes, rank);
}

bool flow_recurrent(struct visit *v)
{
	const struct track *x = &v->in[0];
	bool by_batch = visit_attr(v, "layout", 0);
	struct flow_axis steps, batch;

	if (x->rank != 3)
		return flow_refuse(v, CAUSE_BROKEN, "its input has the wrong rank");
	steps = x->axes[by_batch ? 1 : 0];
	batch = x->axes[by_batch ? 0 : 1];
	if (flow_pins(v, x->axes[2]))
		return flow_refuse_weight(v, x->axes[2]);
	if (axis_symbols(steps) && visit_has(v, 4) && v->in[4].constant)
		return flow_refuse(v, CAUSE_FOLDED, "the lengths of the sequences are constant");
	for (uint32_t i = 1; i < 4 && i < v->node->input_count; i++) {
		for (uint32_t k = 0; k < v->in[i].rank; k++) {
			if (axis_symbols(v->in[i].axes[k]))
				return flow_refuse(v, CAUSE_OPERATOR,
						   "a weight is computed, and has a freed axis");
		}
	}
	flow_mix(v, axis_symbols(steps), "it is the time of a recurrence");
	if (!follow_batch(v, 4, 0, batch) || !follow_batch(v, 5, by_batch ? 0 : 1, batch) ||
	    !follow_batch(v, 6, by_batch ? 0 : 1, batch))
		return false;
	for (uint32_t i = 0; i < v->node->output_count; i++) {
		if (!put_state(v, i, steps, batch, by_batch))
			return false;
	}
	return true;
}
