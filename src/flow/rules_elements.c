/*
 * GatherElements and ScatterElements: an index for each element, along one axis; all other axes
 * go together.
 */
#include <inttypes.h>

#include "flow/axis.h"
#include "flow/cause.h"
#include "flow/index.h"
#include "flow/rules.h"
#include "flow/visit.h"
#include "ops/info.h"

enum {
	PORT_DATA,
	PORT_INDICES,
	PORT_UPDATES,
	PORT_COUNT
};

struct elements {
	struct visit *visit;
	uint32_t ports; /* that go together */
	uint32_t rank;
	uint32_t along;
	struct follow spec[PORT_COUNT][RULE_MAX_RANK];
};

static bool elements_begin(struct elements *e, struct visit *v, uint32_t ports)
{
	int64_t axis = visit_attr(v, "axis", 0);
	uint32_t rank = v->in[PORT_DATA].rank;

	e->visit = v;
	e->ports = ports;
	e->rank = rank;
	axis = axis < 0 ? axis + rank : axis;
	for (uint32_t i = 0; i < ports; i++) {
		if (v->in[i].rank != rank)
			return flow_refuse(v, CAUSE_BROKEN, "its inputs have different ranks");
	}
	if (axis < 0 || axis >= rank || rank > RULE_MAX_RANK)
		return flow_refuse(v, CAUSE_BROKEN, "an axis is out of range");
	e->along = (uint32_t)axis;
	return true;
}

/* One axis of one input gets the shared one. */
static bool elements_follow(struct elements *e, uint32_t port, uint32_t axis,
			    struct flow_axis shared)
{
	struct visit *v = e->visit;
	struct factory *f = &v->pass->factory;
	struct flow_axis own = v->in[port].axes[axis];

	if (axis_symbols(own)) {
		if (!axis_same_size(f, own, shared))
			return flow_unequal(v, axis_size(f, own), axis_size(f, shared),
					    "the axes of data and indices");
		return axis_same(f, own, shared) ||
		       flow_refuse(v, CAUSE_ORDER,
				   "data and indices have their elements in different orders");
	}
	if (axis_old(own) != axis_old(shared))
		return flow_refuse(v, CAUSE_UNEQUAL,
				   "%s meets a size of %" PRId64 ": indices of a part of the data",
				   flow_text(v->pass, axis_size(f, shared)), axis_old(own));
	if (!v->in[port].constant)
		return flow_demand(v, port, axis, shared);
	e->spec[port][axis] = (struct follow){true, shared};
	return true;
}

/* The axis as the first input that has it free has it. */
static struct flow_axis elements_axis(const struct elements *e, uint32_t first, uint32_t axis)
{
	const struct visit *v = e->visit;

	for (uint32_t i = first; i < e->ports; i++) {
		if (axis_symbols(v->in[i].axes[axis]))
			return v->in[i].axes[axis];
	}
	return v->in[first].axes[axis];
}

/* From port `first` on, this axis goes together. */
static bool elements_share(struct elements *e, uint32_t first, uint32_t axis, struct flow_axis *out)
{
	*out = elements_axis(e, first, axis);
	for (uint32_t i = first; axis_symbols(*out) && i < e->ports; i++) {
		if (!elements_follow(e, i, axis, *out))
			return false;
	}
	return true;
}

static bool elements_end(struct elements *e)
{
	for (uint32_t i = 0; i < e->ports; i++) {
		bool any = false;

		for (uint32_t k = 0; k < e->rank; k++)
			any |= e->spec[i][k].set;
		if (any && !flow_follow(e->visit, i, e->spec[i], false))
			return false;
	}
	return true;
}

/* The axis that is indexed: by data, when it is free. */
static bool elements_indexed(struct elements *e)
{
	struct visit *v = e->visit;
	struct flow_axis a = v->in[PORT_DATA].axes[e->along];

	for (uint32_t i = 0; i < a.count; i++) {
		if (factor_is_origin(&a.at[i]) && a.at[i].old == 1)
			return flow_refuse(v, CAUSE_ONE, "it indexes %s", flow_was(v->pass, a));
	}
	if (axis_symbols(a) && (v->in[PORT_INDICES].constant || v->in[PORT_INDICES].contents.at))
		return index_refuse_constant(v, a);
	if (axis_symbols(a) && a.count > 1)
		return index_refuse_unknown(v, a);
	flow_mix(v, axis_symbols(a), "it is indexed");
	return index_check_numbered(v, PORT_INDICES, v->in[PORT_INDICES].numbered, a,
				    v->in[PORT_DATA].constant);
}

/* When watching: the indices' axes; what is not indexed may be known of the data. */
static bool watch_gathered(struct elements *e)
{
	struct visit *v = e->visit;
	const struct track *x = &v->in[PORT_DATA], *index = &v->in[PORT_INDICES];
	struct flow_axis *axes = visit_axes(v, e->rank);

	for (uint32_t k = 0; k < e->rank; k++) {
		axes[k] = index->axes[k];
		if (k != e->along && axis_old(x->axes[k]) == axis_old(axes[k]))
			axes[k] = axis_known(axes[k], x->axes[k]);
		else
			axes[k] = axis_made_of(&v->pass->factory, axes[k],
					       axis_symbols(x->axes[k]));
	}
	return visit_put(v, 0, axes, e->rank);
}

/* The result has the shape of the indices. */
bool flow_gather_elements(struct visit *v)
{
	struct elements e = {0};
	struct flow_axis *axes;

	if (!elements_begin(&e, v, PORT_INDICES + 1))
		return false;
	if (v->pass->watch)
		return watch_gathered(&e);
	if (!elements_indexed(&e))
		return false;
	axes = visit_axes(v, e.rank);
	for (uint32_t k = 0; k < e.rank; k++) {
		if (!elements_share(&e, k == e.along ? PORT_INDICES : PORT_DATA, k, &axes[k]))
			return false;
		/* Where nothing is free, the indices may be fewer than the data. */
		if (!axis_symbols(axes[k]))
			axes[k] = v->in[PORT_INDICES].axes[k];
	}
	return elements_end(&e) && visit_put(v, 0, axes, e.rank);
}

/* A constant as long as a freed size whose items were indexed: it may have been that size. */
static bool check_target(struct elements *e)
{
	struct visit *v = e->visit;
	struct pass *p = v->pass;
	struct flow_axis a = v->in[PORT_DATA].axes[e->along];

	for (uint32_t i = 0; v->in[PORT_DATA].constant && i < p->factory.symbol_count; i++) {
		if (p->old[i] > 1 && p->old[i] == axis_old(a) && p->mixed[i].is_mixed)
			return index_refuse_target(v, i);
	}
	return true;
}

/* When watching: the data's axes; what is not indexed may be known of the updates. */
static bool watch_scattered(struct elements *e)
{
	struct visit *v = e->visit;
	const struct track *x = &v->in[PORT_DATA], *updates = &v->in[PORT_UPDATES];
	struct flow_axis *axes = visit_axes(v, e->rank);

	for (uint32_t k = 0; k < e->rank; k++) {
		axes[k] = x->axes[k];
		if (k != e->along && axis_old(updates->axes[k]) == axis_old(axes[k]))
			axes[k] = axis_known(axes[k], updates->axes[k]);
		axes[k] = axis_made_of(&v->pass->factory, axes[k], axis_symbols(updates->axes[k]));
	}
	return visit_put(v, 0, axes, e->rank);
}

bool flow_scatter_elements(struct visit *v)
{
	struct elements e = {0};
	struct flow_axis *axes;

	if (!elements_begin(&e, v, PORT_COUNT))
		return false;
	if (v->pass->watch)
		return watch_scattered(&e);
	if (!check_target(&e))
		return false;
	axes = visit_axes(v, e.rank);
	for (uint32_t k = 0; k < e.rank; k++) {
		if (k == e.along && axis_symbols(elements_axis(&e, PORT_DATA, k)))
			return flow_refuse(v, CAUSE_OPERATOR, "it scatters along a freed axis");
		if (!elements_share(&e, PORT_DATA, k, &axes[k]))
			return false;
	}
	if (v->in[PORT_INDICES].numbered)
		return flow_refuse(v, CAUSE_FIXED,
				   "positions of %s index an axis that does not follow it",
				   flow_names(v->pass, v->in[PORT_INDICES].numbered));
	return elements_end(&e) && visit_put(v, 0, axes, e.rank);
}
