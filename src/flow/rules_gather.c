/*
 * Gather: positions along an axis, by an index tensor.
 */
#include "base/arena.h"
#include "flow/array.h"
#include "flow/axis.h"
#include "flow/cause.h"
#include "flow/elements.h"
#include "flow/index.h"
#include "flow/plan.h"
#include "flow/rules.h"
#include "flow/visit.h"
#include "ir/type.h"
#include "ops/info.h"
#include "sym/sym.h"

struct gather {
	struct visit *visit;
	struct flow_axis axis; /* of the data, that is indexed */
	struct flow_axis *index_axes;
	uint32_t index_rank;
	const struct sym *elements; /* of the index, when they are computed from sizes */
	uint32_t element_count;
};

/* ---- indices that are known ---- */

/* One constant index: the first ones and the last ones are the same at other sizes. */
static bool gather_single(struct gather *g, int64_t index)
{
	struct visit *v = g->visit;
	struct sym size = axis_size(&v->pass->factory, g->axis);
	int64_t old = axis_old(g->axis);

	flow_mix(v, axis_symbols(g->axis), "it is indexed");
	if (index >= old - 1 && flow_meant(v->pass, g->axis))
		return index_refuse_last(v, index, g->axis);
	if (index < -1 || index > 0)
		flow_limit(v, size, index < 0 ? -index : index + 1, true);
	return true;
}

/* Are the indices that the model computes those of the same digits, at every size? */
static bool computed_as_digits(struct gather *g, const int64_t *values)
{
	struct visit *v = g->visit;
	struct factory *f = &v->pass->factory;

	for (uint32_t i = 0; i < g->element_count; i++) {
		struct sym place = sym_int(f->pool, 0);
		int64_t stride = axis_old(g->axis);

		for (uint32_t k = 0; k < g->axis.count; k++) {
			struct flow_axis inner = {g->axis.at + k + 1, g->axis.count - k - 1};

			stride /= g->axis.at[k].old;
			place = sym_add(f->pool, place,
					sym_mul_int(f->pool, axis_size(f, inner),
						    values[i] / stride % g->axis.at[k].old));
		}
		if (sym_eq(f->pool, place, g->elements[i]) != SYM_YES)
			return flow_refuse(
				v, CAUSE_UNEQUAL, "a computed index %s is not the place %s",
				flow_text(v->pass, g->elements[i]), flow_text(v->pass, place));
	}
	return true;
}

/* Indices that are constant, or computed from sizes: digit by digit. */
static bool gather_digits(struct gather *g)
{
	struct visit *v = g->visit;
	const struct array *a = visit_array(v, 1);
	struct index_column column = {.axis = g->axis,
				      .values = index_values(v, 1, axis_old(g->axis))};
	struct index_shape shape;
	plan_ref ref;

	if (!column.values)
		return flow_refuse(v, CAUSE_BROKEN, "its indices are not known, or out of range");
	if (g->elements && (a->count != g->element_count || !computed_as_digits(g, column.values)))
		return a->count == g->element_count
			       ? false
			       : flow_refuse(v, CAUSE_DATA, "its indices are not known");
	index_shape_init(&shape, v, a->rank, a->dims);
	if (!index_read(&shape, &column))
		return false;
	ref = index_write(&shape, &column);
	if (!ref)
		return v->pass->refusal.why[0]
			       ? false
			       : flow_refuse(v, CAUSE_DATA,
					     "its indices cannot be computed for other sizes");
	visit_replace(v, 1, ref, index_sizes(&shape), shape.rank, (struct contents){0});
	for (uint32_t k = 0; k < shape.rank; k++)
		g->index_axes[k] = shape.axes[k];
	plan_note(&v->pass->plan, v->id, "its indices are computed by Range");
	return true;
}

/* A size, or a number below it, as an index: inside the axis at every size? */
static bool gather_computed(struct gather *g)
{
	struct visit *v = g->visit;
	struct sym_pool *pool = &v->pass->in->pool;
	struct sym size = axis_size(&v->pass->factory, g->axis), index = v->in[1].contents.at[0];

	flow_mix(v, axis_symbols(g->axis) | flow_symbols(&v->pass->factory, index),
		 "a size is an index");
	if (sym_le(pool, sym_int(pool, 0), index) != SYM_YES)
		return flow_refuse(v, CAUSE_UNEQUAL, "the index %s may be negative",
				   flow_text(v->pass, index));
	if (!axis_symbols(g->axis)) {
		flow_limit(v, index, axis_old(g->axis) - 1, false);
		return true;
	}
	if (sym_eq(pool, sym_add_int(pool, index, 1), size) == SYM_YES)
		return true;
	if (g->axis.count > 1 || sym_lt(pool, index, size) != SYM_YES)
		return flow_refuse(v, CAUSE_UNEQUAL, "the index %s may be past the size %s",
				   flow_text(v->pass, index), flow_text(v->pass, size));
	return true;
}

/* ---- indices that are data ---- */

/* The data's item, and what is inside it; the freed size was 1. */
static bool gather_item(struct gather *g)
{
	struct visit *v = g->visit;
	struct pass *p = v->pass;
	const struct factor *item = &g->axis.at[0];
	struct flow_axis inner = {g->axis.at + 1, g->axis.count - 1};
	struct sym stride = axis_size(&p->factory, inner);
	struct sym *sizes = arena_array(&p->arena, g->index_rank, struct sym);
	plan_ref ref, index = v->node->inputs[1];
	uint32_t axis;

	if (!index_is_item(p, item) || axis_symbols(inner) || visit_version(v) < 10)
		return flow_refuse(v, CAUSE_ONE, "data index %s, which was 1 in part",
				   flow_text(p, axis_size(&p->factory, g->axis)));
	if (!index_item_axis(v, item, g->index_axes, g->index_rank, &axis))
		return false;
	g->index_axes[axis] = axis_make(&p->factory, item, 1);
	for (uint32_t k = 0; k < g->index_rank; k++)
		sizes[k] = axis_size(&p->factory, g->index_axes[k]);
	ref = index_range(v, item->size, axis, g->index_rank);
	if (ref && sym_is(stride, 1)) {
		ref = PLAN_OP(&p->plan, "Expand", ref, plan_sizes(&p->plan, sizes, g->index_rank));
	} else if (ref) {
		/* A negative index counts from the end of the item. */
		index = plan_op_attr(&p->plan, "Cast", &index, 1,
				     (struct plan_attr){"to", ELEM_INT64});
		index = PLAN_OP(&p->plan, "Mod", index, plan_size(&p->plan, stride));
		ref = PLAN_OP(&p->plan, "Mul", ref, plan_size(&p->plan, stride));
		ref = PLAN_OP(&p->plan, "Add", index, ref);
	}
	if (!ref)
		return flow_refuse(v, CAUSE_DATA, "its indices cannot be computed for other sizes");
	visit_replace(v, 1, ref, sizes, g->index_rank, (struct contents){0});
	plan_note(&p->plan, v->id, "each item indexes itself");
	return true;
}

static bool gather_data(struct gather *g)
{
	struct visit *v = g->visit;

	if (v->in[1].counted)
		return flow_refuse(v, CAUSE_LAST,
				   "a Loop that runs a fixed number of times indexes %s",
				   flow_text(v->pass, axis_size(&v->pass->factory, g->axis)));
	for (uint32_t i = 0; i < g->axis.count; i++) {
		if (factor_is_origin(&g->axis.at[i]) && g->axis.at[i].old == 1)
			return gather_item(g);
		if (i && factor_is_origin(&g->axis.at[i]))
			return index_refuse_unknown(v, g->axis);
	}
	flow_mix(v, axis_symbols(g->axis), "it is indexed");
	return index_check_numbered(v, 1, v->in[1].numbered, g->axis, false);
}

/* ---- the whole ---- */

/* A constant that is equal along the axis: one row of it will do for any index. */
static bool gather_one_row(struct gather *g, uint32_t axis)
{
	struct visit *v = g->visit;
	const struct array *a = v->in[0].constant ? visit_array(v, 0) : NULL;
	int64_t strides[ARRAY_MAX_RANK], start = 0, end = 1, at = axis, zero = 0;
	struct plan *p = &v->pass->plan;
	plan_ref index = v->node->inputs[1];

	if (!a || a->rank > ARRAY_MAX_RANK || visit_version(v) < 10)
		return false;
	array_strides(a->dims, a->rank, strides);
	for (uint64_t i = 0; i < a->count; i++) {
		uint64_t position = i / (uint64_t)strides[axis] % (uint64_t)a->dims[axis];

		if (!array_same(a, i, i - position * (uint64_t)strides[axis]))
			return false;
	}
	for (size_t i = 0; i < p->inputs.len; i++) { /* the last one counts */
		if (p->inputs.at[i].node == v->id && p->inputs.at[i].port == 1)
			index = p->inputs.at[i].ref;
	}
	index = plan_op_attr(p, "Cast", &index, 1, (struct plan_attr){"to", ELEM_INT64});
	plan_replace(p, v->id, 0,
		     PLAN_OP(p, "Slice", v->node->inputs[0], plan_ints(p, &start, 1),
			     plan_ints(p, &end, 1), plan_ints(p, &at, 1)));
	plan_replace(p, v->id, 1, PLAN_OP(p, "Mul", index, plan_ints(p, &zero, 1)));
	plan_note(p, v->id, "its constant is equal along the indexed axis: one row of it");
	return true;
}

static bool gather_plain(struct gather *g, uint32_t axis)
{
	struct visit *v = g->visit;

	if (v->in[1].contents.at && v->in[1].contents.count == 1)
		return gather_computed(g);
	if (v->in[1].contents.at)
		return flow_refuse(v, CAUSE_FIXED,
				   "sizes are indices into an axis that does not follow them");
	if (v->in[1].numbered && axis_old(g->axis) > 1 && g->index_rank && gather_one_row(g, axis))
		return true;
	return index_check_numbered(v, 1, v->in[1].numbered, g->axis, v->in[0].constant);
}

static bool gather_free(struct gather *g)
{
	struct visit *v = g->visit;
	const struct array *index;
	int64_t value;

	if (v->in[1].contents.at && v->in[1].contents.count == 1 && axis_old(g->axis) > 1)
		return gather_computed(g);
	if (!v->in[1].constant) {
		g->elements = flow_elements(v->pass, v->node->inputs[1], &g->element_count);
		return g->elements ? gather_digits(g) : gather_data(g);
	}
	index = visit_array(v, 1);
	if (index && !flow_meant(v->pass, g->axis)) {
		flow_mix(v, axis_symbols(g->axis), "it is indexed");
		return true;
	}
	if (index && index->count == 1 && g->axis.count == 1 && axis_old(g->axis) > 1)
		return array_int(index, 0, &value) && gather_single(g, value);
	return gather_digits(g);
}

/* When watching: indices without an axis of an input choose some of the axis. */
static void watch_gather(struct gather *g)
{
	struct visit *v = g->visit;
	uint64_t symbols = axis_symbols(g->axis);

	for (uint32_t k = 0; k < g->index_rank; k++)
		g->index_axes[k] = axis_made_of(&v->pass->factory, g->index_axes[k], symbols);
}

bool flow_gather(struct visit *v)
{
	const struct track *x = &v->in[0], *index = &v->in[1];
	uint32_t rank = visit_rank(v, 0);
	struct flow_axis *axes = visit_axes(v, rank);
	struct gather g = {.visit = v, .index_rank = index->rank};
	int64_t axis = visit_attr(v, "axis", 0);

	axis = axis < 0 ? axis + x->rank : axis;
	if (axis < 0 || axis >= x->rank || rank != x->rank - 1 + index->rank)
		return flow_refuse(v, CAUSE_BROKEN, "an axis is out of range");
	g.axis = x->axes[axis];
	g.index_axes = visit_axes(v, index->rank);
	for (uint32_t k = 0; k < index->rank; k++)
		g.index_axes[k] = index->axes[k];
	if (v->pass->watch)
		watch_gather(&g);
	else if (!(axis_symbols(g.axis) ? gather_free(&g) : gather_plain(&g, (uint32_t)axis)))
		return false;
	for (uint32_t k = 0; k < rank; k++) {
		if (k < axis)
			axes[k] = x->axes[k];
		else if (k < axis + index->rank)
			axes[k] = g.index_axes[k - axis];
		else
			axes[k] = x->axes[k - index->rank + 1];
	}
	return visit_put(v, 0, axes, rank);
}
