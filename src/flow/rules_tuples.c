/*
 * GatherND and ScatterND: tuples of positions, one column for each axis that they index.
 */
#include <inttypes.h>

#include "base/arena.h"
#include "flow/array.h"
#include "flow/axis.h"
#include "flow/cause.h"
#include "flow/index.h"
#include "flow/plan.h"
#include "flow/rules.h"
#include "flow/visit.h"
#include "ir/graph.h"
#include "ops/info.h"
#include "ops/property.h"
#include "sym/sym.h"

enum {
	PORT_DATA,
	PORT_TUPLES,
	PORT_UPDATES
};

struct tuples {
	struct visit *visit;
	uint32_t batch;         /* axes that data and tuples share, at the front */
	uint32_t columns;       /* of a tuple: axes of the data from `batch` on */
	uint32_t rank;          /* of the tuples, without their columns */
	struct flow_axis *axes; /* of the tuples, without their columns */
	bool changed;
	uint64_t items; /* freed sizes that were 1, as bits: each item indexes itself */
};

static struct flow_axis column_axis(const struct tuples *t, uint32_t column)
{
	return t->visit->in[PORT_DATA].axes[t->batch + column];
}

static bool any_column_free(const struct tuples *t)
{
	for (uint32_t c = 0; c < t->columns; c++) {
		if (axis_symbols(column_axis(t, c)))
			return true;
	}
	return false;
}

/* Axes at the front go together, as in elementwise operators, but none is broadcast. */
static bool share_batch(struct tuples *t)
{
	struct visit *v = t->visit;
	struct factory *f = &v->pass->factory;

	for (uint32_t k = 0; k < t->batch; k++) {
		struct flow_axis data = v->in[PORT_DATA].axes[k], own = t->axes[k];

		if (v->pass->watch) {
			t->axes[k] = axis_known(own, data);
			continue;
		}
		if (!axis_symbols(data) && !axis_symbols(own))
			continue;
		if (v->in[PORT_DATA].constant || v->in[PORT_TUPLES].constant)
			return flow_refuse(v, CAUSE_FIXED,
					   "a constant has the size %" PRId64 " of a batch axis",
					   axis_old(data));
		if (!axis_symbols(data))
			return flow_demand(v, PORT_DATA, k, own);
		if (!axis_symbols(own))
			return flow_demand(v, PORT_TUPLES, k, data);
		if (!axis_same(f, data, own))
			return flow_unequal(v, axis_size(f, data), axis_size(f, own),
					    "the batch axes");
	}
	return true;
}

/* ---- constant tuples ---- */

/* The column's positions, from 0. */
static const int64_t *column_values(const struct tuples *t, const struct array *a, uint32_t column)
{
	int64_t size = axis_old(column_axis(t, column));
	uint64_t count = a->count / t->columns;
	int64_t *values = arena_array(&t->visit->pass->arena, count, int64_t);

	for (uint64_t i = 0; i < count; i++) {
		if (!array_int(a, i * t->columns + column, &values[i]))
			return NULL;
		values[i] += values[i] < 0 ? size : 0;
		if (values[i] < 0 || values[i] >= size)
			return NULL;
	}
	return values;
}

static bool write_tuples(struct tuples *t, struct index_shape *shape,
			 const struct index_column *columns)
{
	struct visit *v = t->visit;
	struct pass *p = v->pass;
	plan_ref *refs = arena_array(&p->arena, t->columns, plan_ref), ref;
	struct sym *sizes = arena_array(&p->arena, t->rank + 1, struct sym);
	int64_t last = t->rank;

	for (uint32_t c = 0; c < t->columns; c++) {
		refs[c] = index_write(shape, &columns[c]);
		if (!refs[c])
			return p->refusal.why[0]
				       ? false
				       : flow_refuse(
						 v, CAUSE_DATA,
						 "its indices cannot be computed for other sizes");
		refs[c] = visit_version(v) < 13 ? 0
						: PLAN_OP(&p->plan, "Unsqueeze", refs[c],
							  plan_ints(&p->plan, &last, 1));
	}
	ref = plan_op_attr(&p->plan, "Concat", refs, t->columns, (struct plan_attr){"axis", last});
	if (!ref)
		return flow_refuse(v, CAUSE_OPSET,
				   "its indices cannot be computed before opset 13");
	for (uint32_t k = 0; k < t->rank; k++) {
		t->axes[k] = shape->axes[k];
		sizes[k] = axis_size(&p->factory, t->axes[k]);
	}
	sizes[t->rank] = sym_int(&p->in->pool, t->columns);
	visit_replace(v, PORT_TUPLES, ref, sizes, t->rank + 1, (struct contents){0});
	plan_note(&p->plan, v->id, "its indices are computed by Range");
	t->changed = true;
	return true;
}

/* Axes of `t` that are free already stay. */
static bool constant_tuples(struct tuples *t)
{
	struct visit *v = t->visit;
	const struct array *a = visit_array(v, PORT_TUPLES);
	struct index_column *columns = arena_array(&v->pass->arena, t->columns,
						   struct index_column);
	struct index_shape shape;

	if (!a || t->batch)
		return flow_refuse(v, CAUSE_DATA, "its indices are not known");
	index_shape_init(&shape, v, t->rank, a->dims);
	for (uint32_t k = 0; k < t->rank; k++)
		shape.axes[k] = t->axes[k];
	for (uint32_t c = 0; c < t->columns; c++) {
		columns[c].axis = column_axis(t, c);
		columns[c].values = column_values(t, a, c);
		if (!columns[c].values)
			return flow_refuse(v, CAUSE_DATA,
					   "its indices are not known, or out of range");
		if (!index_read(&shape, &columns[c]))
			return false;
	}
	for (uint32_t k = 0; k < t->rank; k++) {
		if (axis_symbols(shape.axes[k]) && !(shape.taken >> k & 1))
			return flow_refuse(
				v, CAUSE_FOLDED, "its constant indices do not run along %s",
				flow_text(v->pass, axis_size(&v->pass->factory, shape.axes[k])));
	}
	return write_tuples(t, &shape, columns);
}

/* ---- tuples that are data ---- */

/* A constant column that follows has what no other column brings. */
static uint64_t other_numbered(const struct pass *p, const struct node *n, uint32_t column)
{
	uint64_t others = 0;

	for (uint32_t i = 0; i < n->input_count; i++)
		others |= i == column ? 0 : p->tracks[n->inputs[i]].numbered;
	return others;
}

/* The positions in a column, if the tuples are put together from columns. */
static bool column_numbered(const struct tuples *t, uint32_t column, uint64_t *out)
{
	const struct pass *p = t->visit->pass;
	const struct model *m = p->in->model;
	uint32_t value = t->visit->node->inputs[PORT_TUPLES];
	uint32_t producer = m->values.at[value].producer;
	const struct node *n = &m->nodes.at[producer];
	const struct attr *axis = producer ? node_attr(m, n, "axis") : NULL;

	*out = p->tracks[value].numbered;
	if (!*out)
		return true;
	if (t->columns == 1)
		return true;
	if (!producer || op_flow(m, n) != OP_FLOW_CONCAT || !axis || n->input_count != t->columns ||
	    (axis->i != -1 && axis->i != t->rank))
		return false;
	if (p->tracks[n->inputs[column]].constant)
		*out &= ~other_numbered(p, n, column);
	else
		*out = p->tracks[n->inputs[column]].numbered;
	return true;
}

static bool data_column(struct tuples *t, uint32_t column)
{
	struct visit *v = t->visit;
	struct flow_axis a = column_axis(t, column);
	uint64_t numbered;

	if (!column_numbered(t, column, &numbered))
		return flow_refuse(
			v, CAUSE_DATA,
			"positions of %s are indices into one of its axes, and which is not known",
			flow_names(v->pass, v->in[PORT_TUPLES].numbered));
	if (numbered & ~axis_symbols(a))
		return flow_refuse(
			v, CAUSE_FIXED,
			"positions of %s index axis %" PRIu32 " of its data, which does not follow",
			flow_names(v->pass, numbered & ~axis_symbols(a)), t->batch + column);
	if (a.count > 1 && axis_symbols(a))
		return index_refuse_unknown(v, a);
	flow_mix(v, axis_symbols(a), "it is indexed");
	return true;
}

/* The column of a freed size that was 1 becomes the item. */
static bool item_column(struct tuples *t, uint32_t column)
{
	struct visit *v = t->visit;
	struct pass *p = v->pass;
	struct flow_axis a = column_axis(t, column);
	int64_t *one = arena_array(&p->arena, t->columns, int64_t);
	int64_t *others = arena_array(&p->arena, t->columns, int64_t);
	struct sym *sizes = arena_array(&p->arena, t->rank + 1, struct sym);
	plan_ref item, rest;
	uint32_t axis;

	if (a.count != 1 || !index_is_item(p, &a.at[0]) || t->changed)
		return flow_refuse(v, CAUSE_ONE,
				   "it is indexed along %s, which was 1 in part, by numbers that "
				   "are not known",
				   flow_text(p, axis_size(&p->factory, a)));
	if (!index_item_axis(v, &a.at[0], t->axes, t->rank, &axis))
		return false;
	t->axes[axis] = a;
	for (uint32_t c = 0; c < t->columns; c++) {
		one[c] = c == column;
		others[c] = c != column;
	}
	item = PLAN_OP(&p->plan, "Mul", index_range(v, a.at[0].size, axis, t->rank + 1),
		       plan_ints(&p->plan, one, t->columns));
	rest = PLAN_OP(&p->plan, "Mul", v->node->inputs[PORT_TUPLES],
		       plan_ints(&p->plan, others, t->columns));
	item = PLAN_OP(&p->plan, "Add", rest, item);
	if (!item)
		return flow_refuse(v, CAUSE_DATA, "its indices cannot be computed for other sizes");
	for (uint32_t k = 0; k < t->rank; k++)
		sizes[k] = axis_size(&p->factory, t->axes[k]);
	sizes[t->rank] = sym_int(&p->in->pool, t->columns);
	visit_replace(v, PORT_TUPLES, item, sizes, t->rank + 1, (struct contents){0});
	plan_note(&p->plan, v->id, "each item indexes itself");
	t->items |= a.at[0].symbols;
	t->changed = true;
	return true;
}

static bool data_tuples(struct tuples *t)
{
	for (uint32_t c = 0; c < t->columns; c++) {
		struct flow_axis a = column_axis(t, c);
		bool item = false;

		for (uint32_t i = 0; i < a.count; i++)
			item |= factor_is_origin(&a.at[i]) && a.at[i].old == 1;
		if (!(item ? item_column(t, c) : data_column(t, c)))
			return false;
	}
	return true;
}

static bool tuples_read(struct tuples *t)
{
	struct visit *v = t->visit;
	const struct track *tuples = &v->in[PORT_TUPLES];
	struct flow_axis last;

	if (!tuples->rank)
		return flow_refuse(v, CAUSE_BROKEN, "its indices have the wrong rank");
	last = tuples->axes[tuples->rank - 1];
	t->rank = tuples->rank - 1;
	t->columns = (uint32_t)axis_old(last);
	if (flow_pins(t->visit, last) || t->batch > t->rank ||
	    (uint64_t)t->batch + t->columns > v->in[PORT_DATA].rank || !t->columns)
		return flow_refuse(v, CAUSE_BROKEN, "its indices have the wrong shape");
	t->axes = visit_axes(v, t->rank);
	for (uint32_t k = 0; k < t->rank; k++)
		t->axes[k] = tuples->axes[k];
	return share_batch(t);
}

/* ---- GatherND ---- */

/* When watching: tuples without an axis of an input choose some of the axes. */
static void watch_tuples(struct tuples *t)
{
	uint64_t symbols = 0;

	for (uint32_t c = 0; c < t->columns; c++)
		symbols |= axis_symbols(column_axis(t, c));
	for (uint32_t k = t->batch; k < t->rank; k++)
		t->axes[k] = axis_made_of(&t->visit->pass->factory, t->axes[k], symbols);
}

bool flow_gather_nd(struct visit *v)
{
	struct tuples t = {.visit = v, .batch = (uint32_t)visit_attr(v, "batch_dims", 0)};
	const struct track *x = &v->in[PORT_DATA];
	uint32_t rank = visit_rank(v, 0), rest;
	struct flow_axis *axes = visit_axes(v, rank);

	if (!tuples_read(&t))
		return false;
	if (v->pass->watch)
		watch_tuples(&t);
	else if (v->in[PORT_TUPLES].contents.at)
		return flow_refuse(v, CAUSE_FIXED, "sizes are indices");
	else if (v->in[PORT_TUPLES].constant ? any_column_free(&t) && !constant_tuples(&t)
					     : !data_tuples(&t))
		return false;
	rest = t.batch + t.columns;
	if (rank != t.rank + x->rank - rest)
		return flow_refuse(v, CAUSE_BROKEN, "its indices have the wrong shape");
	for (uint32_t k = 0; k < rank; k++)
		axes[k] = k < t.rank ? t.axes[k] : x->axes[rest + k - t.rank];
	return visit_put(v, 0, axes, rank);
}

/* ---- ScatterND ---- */

/* Axes of the two must go together; one of them may be a constant, which follows. */
static bool share_axis(struct visit *v, uint32_t port, uint32_t axis, struct flow_axis wanted,
		       struct follow *spec)
{
	struct factory *f = &v->pass->factory;
	struct flow_axis own = v->in[port].axes[axis];

	if (!axis_symbols(wanted))
		return !axis_symbols(own) ||
		       flow_refuse(v, CAUSE_FIXED,
				   "its updates have a freed axis where its data have none");
	if (axis_symbols(own))
		return axis_same(f, own, wanted) ||
		       flow_unequal(v, axis_size(f, own), axis_size(f, wanted),
				    "the axes of data and updates");
	if (axis_old(own) != axis_old(wanted))
		return flow_refuse(v, CAUSE_BROKEN, "data and updates do not fit");
	if (!v->in[port].constant)
		return flow_demand(v, port, axis, wanted);
	spec[axis] = (struct follow){true, wanted};
	return true;
}

static struct flow_axis freer_axis(struct flow_axis a, struct flow_axis b)
{
	return axis_symbols(a) ? a : b;
}

/* Does the column run through the whole of its axis along this axis of the tuples? */
static bool column_runs(const struct tuples *t, const struct array *a, uint32_t column,
			uint32_t axis)
{
	const int64_t *values = column_values(t, a, column);
	uint64_t stride = 1;

	for (uint32_t k = axis + 1; k < t->rank; k++)
		stride *= (uint64_t)a->dims[k];
	if (!values || a->dims[axis] != axis_old(column_axis(t, column)))
		return false;
	for (uint64_t i = 0; i < a->count / t->columns; i++) {
		if (values[i] != (int64_t)(i / stride % (uint64_t)a->dims[axis]))
			return false;
	}
	return true;
}

/* Updates have an axis that the data have not yet: the one that a column runs through. */
static bool free_data(struct tuples *t, struct flow_axis *data, struct follow *spec)
{
	struct visit *v = t->visit;
	const struct array *a = visit_array(v, PORT_TUPLES);

	for (uint32_t k = 0; a && k < t->rank; k++) {
		uint32_t found = t->columns;

		for (uint32_t c = 0; c < t->columns; c++) {
			if (axis_same(&v->pass->factory, data[c], t->axes[k]))
				found = c;
		}
		for (uint32_t c = 0; c < t->columns && found == t->columns; c++) {
			if (!axis_symbols(data[c]) && column_runs(t, a, c, k))
				found = c;
		}
		if (!axis_symbols(t->axes[k]))
			continue;
		if (found == t->columns)
			return flow_refuse(
				v, CAUSE_FIXED,
				"updates along %s do not run through an axis of the data",
				flow_text(v->pass, axis_size(&v->pass->factory, t->axes[k])));
		if (!share_axis(v, PORT_DATA, found, t->axes[k], spec))
			return false;
		data[found] = t->axes[k];
	}
	return true;
}

static bool follow_any(struct visit *v, uint32_t port, const struct follow *spec)
{
	for (uint32_t k = 0; k < v->in[port].rank; k++) {
		if (spec[k].set)
			return flow_follow(v, port, spec, false);
	}
	return true;
}

/* A constant as long as a freed size whose items were indexed: it may have been that size. */
static bool check_column(struct tuples *t, struct flow_axis a)
{
	struct pass *p = t->visit->pass;

	if (axis_symbols(a) || !t->visit->in[PORT_DATA].constant)
		return true;
	for (uint32_t i = 0; i < p->factory.symbol_count; i++) {
		if (p->old[i] > 1 && p->old[i] == axis_old(a) && p->mixed[i].is_mixed)
			return index_refuse_target(t->visit, i);
	}
	return true;
}

/* A constant that is indexed by all positions of a freed axis has that axis. */
static bool free_columns(struct tuples *t, struct flow_axis *data, struct follow *spec)
{
	struct visit *v = t->visit;
	uint64_t numbered;

	for (uint32_t c = 0; v->in[PORT_DATA].constant && c < t->columns; c++) {
		if (axis_symbols(data[c]) || !column_numbered(t, c, &numbered) || !numbered)
			continue;
		for (uint32_t k = 0; k < t->rank; k++) {
			if (axis_symbols(t->axes[k]) != numbered ||
			    axis_old(t->axes[k]) != axis_old(data[c]))
				continue;
			if (!share_axis(v, PORT_DATA, c, t->axes[k], spec))
				return false;
			data[c] = t->axes[k];
			break;
		}
	}
	v->in[PORT_DATA].axes = data;
	return true;
}

/* Tuples that are data: each axis that they have, the data must have been indexed by. */
static bool scatter_data(struct tuples *t, struct flow_axis *data, struct follow *spec)
{
	uint64_t symbols = 0;

	if (!free_columns(t, data, spec) || !data_tuples(t))
		return false;
	if (t->items)
		return flow_refuse(t->visit, CAUSE_ONE, "it scatters along %s, which was 1",
				   flow_names(t->visit->pass, t->items));
	for (uint32_t c = 0; c < t->columns; c++) {
		symbols |= axis_symbols(data[c]);
		if (!check_column(t, data[c]))
			return false;
	}
	for (uint32_t k = 0; k < t->rank; k++) {
		if (axis_symbols(t->axes[k]) & ~symbols)
			return flow_refuse(
				t->visit, CAUSE_FIXED,
				"its indices have %s, but the tensor into which it scatters them "
				"has not",
				flow_names(t->visit->pass, axis_symbols(t->axes[k]) & ~symbols));
	}
	return true;
}

static bool scatter_constant(struct tuples *t, struct flow_axis *data, struct follow *spec)
{
	struct visit *v = t->visit;
	struct track *x = &v->in[PORT_DATA];
	bool any = false;

	for (uint32_t k = 0; k < t->rank; k++) {
		t->axes[k] = v->in[PORT_UPDATES].axes[k];
		any |= axis_symbols(t->axes[k]) != 0;
	}
	if (!free_data(t, data, spec))
		return false;
	x->axes = data;
	return (!any && !any_column_free(t)) || constant_tuples(t);
}

/* When watching: the data's axes; what is not indexed may be known of the updates. */
static bool watch_updates(struct tuples *t)
{
	struct visit *v = t->visit;
	const struct track *x = &v->in[PORT_DATA], *updates = &v->in[PORT_UPDATES];
	struct flow_axis *axes = visit_axes(v, x->rank);
	uint64_t scattered = axes_symbols(t->axes, t->rank);

	if (updates->rank != t->rank + x->rank - t->columns)
		return flow_refuse(v, CAUSE_BROKEN, "its indices have the wrong shape");
	scattered |= axes_symbols(updates->axes, t->rank);
	for (uint32_t k = 0; k < x->rank; k++)
		axes[k] = k < t->columns
				  ? axis_made_of(&v->pass->factory, x->axes[k], scattered)
				  : axis_known(x->axes[k], updates->axes[t->rank + k - t->columns]);
	return visit_put(v, 0, axes, x->rank);
}

bool flow_scatter_nd(struct visit *v)
{
	struct tuples t = {.visit = v};
	uint32_t rank = v->in[PORT_DATA].rank, tail;
	struct flow_axis *data = visit_axes(v, rank);
	struct follow spec[2][RULE_MAX_RANK] = {0};
	const struct track *updates = &v->in[PORT_UPDATES];

	if (!tuples_read(&t))
		return false;
	if (v->pass->watch)
		return watch_updates(&t);
	tail = rank - t.columns;
	if (updates->rank != t.rank + tail || v->in[PORT_TUPLES].contents.at)
		return flow_refuse(v, CAUSE_BROKEN,
				   "its indices have the wrong shape, or are sizes");
	for (uint32_t k = 0; k < rank; k++)
		data[k] = v->in[PORT_DATA].axes[k];
	if (v->in[PORT_TUPLES].constant ? !scatter_constant(&t, data, spec[0])
					: !scatter_data(&t, data, spec[0]))
		return false;
	for (uint32_t k = 0; k < t.rank; k++) {
		if (!share_axis(v, PORT_UPDATES, k, t.axes[k], spec[1]))
			return false;
	}
	for (uint32_t k = 0; k < tail; k++) {
		struct flow_axis shared = freer_axis(data[t.columns + k],
						     updates->axes[t.rank + k]);

		if (!share_axis(v, PORT_DATA, t.columns + k, shared, spec[0]) ||
		    !share_axis(v, PORT_UPDATES, t.rank + k, shared, spec[1]))
			return false;
		data[t.columns + k] = shared;
	}
	if (!follow_any(v, PORT_DATA, spec[0]) || !follow_any(v, PORT_UPDATES, spec[1]))
		return false;
	return visit_put(v, 0, data, rank);
}
