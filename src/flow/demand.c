#include "flow/demand.h"

#include "base/arena.h"
#include "base/base.h"
#include "base/vec.h"
#include "flow/axis.h"
#include "flow/pass.h"
#include "flow/rules.h"
#include "flow/visit.h"
#include "ir/graph.h"
#include "ops/info.h"
#include "ops/property.h"

enum {
	MAX_DEPTH = 400,
	MAX_STEPS = 20000 /* of one walk */
};

struct walk {
	struct pass *pass;
	struct flow_axis factors;
	struct forces *forces;
	bool deep;
	unsigned depth;
	unsigned steps;
	uint32_t last;         /* a node that needs nothing, or was forced before */
	struct demand_end end; /* where it ended */
	bool lost;             /* see demand_end */
};

static bool walk_back(struct walk *w, uint32_t value, uint32_t axis);

static void add_force(struct walk *w, uint32_t node, uint32_t port, uint32_t axis)
{
	struct factor *kept;

	for (size_t i = 0; i < w->forces->list.len; i++) {
		const struct force *f = &w->forces->list.at[i];

		if (f->node == node && f->port == port && f->axis == axis) {
			w->last = node;
			return;
		}
	}
	kept = arena_array(&w->forces->arena, w->factors.count, struct factor);
	for (uint32_t i = 0; i < w->factors.count; i++)
		kept[i] = w->factors.at[i];
	vec_push(&w->forces->list, ((struct force){node, port, axis, {kept, w->factors.count}, 0}));
}

/* An axis of an input of the node has to follow. */
static bool walk_input(struct walk *w, const struct visit *v, uint32_t port, int64_t axis)
{
	const struct track *t;
	uint32_t value;
	size_t before = w->forces->list.len;

	if (!visit_has(v, port))
		return false;
	t = &v->in[port];
	value = v->node->inputs[port];
	if (axis < 0 || axis >= t->rank || axis_old(t->axes[axis]) != axis_old(w->factors))
		return false;
	if (axis_symbols(t->axes[axis])) {
		w->last = v->id;
		return true;
	}
	if (!t->constant)
		return walk_back(w, value, (uint32_t)axis);
	if (w->deep && !value_is_constant(w->pass->in->model, value)) {
		if (walk_back(w, value, (uint32_t)axis))
			return true;
		w->forces->list.len = before;
	}
	add_force(w, v->id, port, (uint32_t)axis);
	return true;
}

/* Every operand that is not broadcast along the axis. */
static bool walk_operands(struct walk *w, const struct visit *v, uint32_t axis, uint32_t rank)
{
	bool any = false;

	for (uint32_t i = 0; i < v->node->input_count; i++) {
		const struct track *t = &v->in[i];
		int64_t own = (int64_t)axis - ((int64_t)rank - t->rank);

		if (!visit_has(v, i) || own < 0 || axis_old(t->axes[own]) == 1)
			continue;
		if (!walk_input(w, v, i, own))
			return false;
		any = true;
	}
	return any;
}

/* The last factors whose old sizes multiply to `size`: how many; 0 when they do not. */
static uint32_t last_factors(struct flow_axis a, int64_t size)
{
	int64_t product = 1;

	for (uint32_t i = 1; i <= a.count; i++) {
		product *= a.at[a.count - i].old;
		if (product == size)
			return i;
	}
	return 0;
}

/* An axis of the input has to follow with some of the factors; numbers need nothing. */
static bool walk_part(struct walk *w, const struct visit *v, uint32_t axis, struct flow_axis part)
{
	struct flow_axis all = w->factors;
	bool ok;

	if (!axis_symbols(part))
		return true;
	w->factors = part;
	ok = walk_input(w, v, 0, axis);
	w->factors = all;
	return ok;
}

/* An input axis that has the factors, and numbers around them: [12] of [3, 4]. */
static bool walk_around(struct walk *w, const struct visit *v, uint32_t axis, int64_t outer,
			int64_t inner)
{
	struct factory *f = &w->pass->factory;
	struct flow_axis around = axis_joined(f, axis_joined(f, axis_number(f, outer), w->factors),
					      axis_number(f, inner));

	return walk_part(w, v, axis, around);
}

/* The input axes at the same place in the row, which have the factors between them. */
static bool walk_reshape(struct walk *w, const struct visit *v, uint32_t axis, uint32_t rank)
{
	struct flow_axis left = w->factors;
	int64_t inner = 1, here = 1, own = axis_old(left);

	for (uint32_t k = axis + 1; k < rank; k++)
		inner *= visit_old(v, 0, k);
	for (uint32_t k = v->in[0].rank; left.count && k-- > 0;) {
		int64_t size = axis_old(v->in[0].axes[k]);
		uint32_t taken;

		if (here <= inner && inner % here == 0 && size % (inner / here * own) == 0 &&
		    size > own)
			return walk_around(w, v, k, size / (inner / here * own), inner / here);
		if (here < inner || size == 1) {
			here *= size;
			continue;
		}
		taken = here % inner ? 0 : last_factors(left, size);
		if (!taken ||
		    !walk_part(w, v, k, (struct flow_axis){left.at + left.count - taken, taken}))
			return false;
		left.count -= taken;
		here *= size;
	}
	return left.count == 0;
}

static bool walk_moved(struct walk *w, struct visit *v, uint32_t axis, uint32_t rank)
{
	enum op_flow kind = op_flow(w->pass->in->model, v->node);
	const int64_t *list = NULL;
	uint32_t count = 0, wide = MAX(rank, v->in[0].rank), next = 0;
	bool listed[RULE_MAX_RANK] = {false};

	if (kind == OP_FLOW_TRANSPOSE) {
		(void)visit_attr_ints(v, "perm", &list, &count);
		return walk_input(w, v, 0, list && axis < count ? list[axis] : rank - 1 - axis);
	}
	if (!visit_attr_ints(v, "axes", &list, &count) && visit_has(v, 1) &&
	    !visit_numbers(v, 1, &list, &count))
		return false;
	for (uint32_t i = 0; i < count; i++) {
		int64_t at = list[i] < 0 ? list[i] + wide : list[i];

		if (at >= 0 && at < wide)
			listed[at] = true;
	}
	if (kind == OP_FLOW_UNSQUEEZE) {
		for (uint32_t k = 0; k < axis; k++)
			next += !listed[k];
		return !listed[axis] && walk_input(w, v, 0, next);
	}
	/* Squeeze, and reductions that drop their axes. */
	for (uint32_t k = 0, left = axis; k < v->in[0].rank; k++) {
		bool gone = kind == OP_FLOW_SQUEEZE && !count ? axis_old(v->in[0].axes[k]) == 1
							      : listed[k];

		if (!gone && left-- == 0)
			return walk_input(w, v, 0, k);
	}
	return false;
}

static bool walk_gather(struct walk *w, const struct visit *v, uint32_t axis)
{
	int64_t along = visit_attr(v, "axis", 0);
	uint32_t indices = v->in[1].rank;

	along = along < 0 ? along + v->in[0].rank : along;
	if (axis < along)
		return walk_input(w, v, 0, axis);
	if (axis < along + indices)
		return walk_input(w, v, 1, axis - along);
	return walk_input(w, v, 0, (int64_t)axis - indices + 1);
}

static bool walk_matmul(struct walk *w, const struct visit *v, uint32_t axis, uint32_t rank)
{
	bool any = false;

	if (axis == rank - 1)
		return walk_input(w, v, 1, (int64_t)v->in[1].rank - 1);
	if (axis + 2 == rank)
		return walk_input(w, v, 0, (int64_t)v->in[0].rank - 2);
	for (uint32_t i = 0; i < 2; i++) {
		int64_t own = (int64_t)axis - ((int64_t)rank - v->in[i].rank);

		if (own >= 0 && axis_old(v->in[i].axes[own]) > 1)
			any |= walk_input(w, v, i, own);
	}
	return any;
}

static bool walk_parts(struct walk *w, const struct visit *v, uint32_t axis, uint32_t rank)
{
	int64_t along = visit_attr(v, "axis", 1);

	if (axis == (along < 0 ? along + rank : along))
		return false;
	for (uint32_t i = 0; i < v->node->input_count; i++) {
		if (!walk_input(w, v, i, axis))
			return false;
	}
	return true;
}

/* Where the input has a 1, the node's own target makes the size. */
static bool walk_target(struct walk *w, const struct visit *v, uint32_t axis, uint32_t rank)
{
	int64_t own = (int64_t)axis - ((int64_t)rank - v->in[0].rank);

	if (own >= 0 && axis_old(v->in[0].axes[own]) == visit_old(v, 0, axis))
		return walk_input(w, v, 0, own);
	add_force(w, v->id, FORCE_ENTRY, axis);
	return true;
}

/* The first positions of something longer: its end makes the size. */
static bool walk_slice(struct walk *w, const struct visit *v, uint32_t axis)
{
	if (axis_old(v->in[0].axes[axis]) == axis_old(w->factors))
		return walk_input(w, v, 0, axis);
	if (w->factors.count != 1)
		return false;
	add_force(w, v->id, FORCE_ENTRY, axis);
	return true;
}

/* Indices first; the data have the other axes too. */
static bool walk_elements(struct walk *w, const struct visit *v, uint32_t axis, uint32_t rank)
{
	int64_t along = visit_attr(v, "axis", 0);

	if (!walk_input(w, v, 1, axis))
		return false;
	return axis == (along < 0 ? along + rank : along) || walk_input(w, v, 0, axis);
}

/* Tuples of indices first, then what they do not index. */
static bool walk_tuples(struct walk *w, const struct visit *v, uint32_t axis)
{
	uint32_t rank = v->in[1].rank;
	int64_t columns = rank ? axis_old(v->in[1].axes[rank - 1]) : 0;
	int64_t batch = visit_attr(v, "batch_dims", 0);

	if (!rank)
		return false;
	if (axis + 1 < rank)
		return walk_input(w, v, 1, axis) && (axis >= batch || walk_input(w, v, 0, axis));
	return walk_input(w, v, 0, batch + columns + (int64_t)axis - (rank - 1));
}

/* All steps: steps, directions, batch, hidden.  The last: without steps. */
static bool walk_recurrent(struct walk *w, const struct visit *v, uint32_t axis, uint32_t rank)
{
	bool by_batch = visit_attr(v, "layout", 0);

	if (axis == (by_batch ? 0 : rank - 2))
		return walk_input(w, v, 0, by_batch ? 0 : 1);
	return rank == 4 && axis == (by_batch ? 1 : 0) && walk_input(w, v, 0, by_batch ? 1 : 0);
}

/* Both have the batch; the data have the channels, the grid the positions. */
static bool walk_samples(struct walk *w, const struct visit *v, uint32_t axis)
{
	if (axis == 0)
		return walk_input(w, v, 0, 0) && walk_input(w, v, 1, 0);
	return axis == 1 ? walk_input(w, v, 0, 1) : walk_input(w, v, 1, (int64_t)axis - 1);
}

/* A size that the node's own list of sizes makes. */
static bool walk_entry(struct walk *w, const struct visit *v, uint32_t axis)
{
	add_force(w, v->id, FORCE_ENTRY, axis);
	return true;
}

static bool walk_resize(struct walk *w, const struct visit *v, uint32_t axis)
{
	if (axis < v->in[0].rank && axis_old(v->in[0].axes[axis]) == visit_old(v, 0, axis))
		return walk_input(w, v, 0, axis);
	return walk_entry(w, v, axis);
}

static bool walk_gemm(struct walk *w, const struct visit *v, uint32_t axis)
{
	bool swapped = visit_attr(v, axis ? "transB" : "transA", 0);

	return walk_input(w, v, axis, swapped ? 1 - (int64_t)axis : axis);
}

static bool walk_einsum(struct walk *w, struct visit *v, uint32_t axis)
{
	bool any = false;

	for (uint32_t i = 0; i < v->node->input_count; i++) {
		uint32_t own;

		if (!flow_einsum_axis(v, axis, i, &own))
			continue;
		if (!walk_input(w, v, i, own))
			return false;
		any = true;
	}
	return any;
}

static bool walk_node(struct walk *w, struct visit *v, uint32_t axis, uint32_t rank)
{
	int64_t along;

	switch (op_flow(w->pass->in->model, v->node)) {
	case OP_FLOW_ELEMENTWISE:
	case OP_FLOW_SCALED:
		return walk_operands(w, v, axis, rank);
	case OP_FLOW_SAME:
	case OP_FLOW_SOFTMAX:
	case OP_FLOW_ALONG:
	case OP_FLOW_LAYER_NORM:
	case OP_FLOW_TRILU:
	case OP_FLOW_SCATTER_ND:
	case OP_FLOW_SCATTER_ELEMENTS:
	case OP_FLOW_PAD:
		return walk_input(w, v, 0, axis);
	case OP_FLOW_CHANNELS:
	case OP_FLOW_INSTANCE_NORM:
		return axis != 1 && walk_input(w, v, 0, axis);
	case OP_FLOW_CONV:
	case OP_FLOW_DEPTH_TO_SPACE:
	case OP_FLOW_SPACE_TO_DEPTH:
		return axis == 0 && walk_input(w, v, 0, axis);
	case OP_FLOW_POOL:
	case OP_FLOW_GLOBAL_POOL:
		return axis < 2 && walk_input(w, v, 0, axis);
	case OP_FLOW_RECURRENT:
		return walk_recurrent(w, v, axis, rank);
	case OP_FLOW_GATHER_ELEMENTS:
		return walk_elements(w, v, axis, rank);
	case OP_FLOW_GATHER_ND:
		return walk_tuples(w, v, axis);
	case OP_FLOW_GRID_SAMPLE:
		return walk_samples(w, v, axis);
	case OP_FLOW_AFFINE_GRID:
		return axis ? walk_entry(w, v, axis) : walk_input(w, v, 0, 0);
	case OP_FLOW_RESIZE:
		return walk_resize(w, v, axis);
	case OP_FLOW_EINSUM:
		return walk_einsum(w, v, axis);
	case OP_FLOW_GEMM:
		return walk_gemm(w, v, axis);
	case OP_FLOW_TOP_K:
		along = visit_attr(v, "axis", -1);
		return axis != (along < 0 ? along + rank : along) && walk_input(w, v, 0, axis);
	case OP_FLOW_ONE_HOT:
		along = visit_attr(v, "axis", -1);
		along = along < 0 ? along + rank : along;
		return axis != along && walk_input(w, v, 0, axis < along ? axis : axis - 1);
	case OP_FLOW_TRANSPOSE:
	case OP_FLOW_SQUEEZE:
	case OP_FLOW_UNSQUEEZE:
		return walk_moved(w, v, axis, rank);
	case OP_FLOW_REDUCE:
		return visit_attr(v, "keepdims", 1) ? walk_input(w, v, 0, axis)
						    : walk_moved(w, v, axis, rank);
	case OP_FLOW_RESHAPE:
	case OP_FLOW_FLATTEN:
		return walk_reshape(w, v, axis, rank);
	case OP_FLOW_EXPAND:
	case OP_FLOW_TILE:
		return walk_target(w, v, axis, rank);
	case OP_FLOW_GATHER:
		return walk_gather(w, v, axis);
	case OP_FLOW_MATMUL:
		return walk_matmul(w, v, axis, rank);
	case OP_FLOW_CONCAT:
		return walk_parts(w, v, axis, rank);
	case OP_FLOW_SLICE:
		return walk_slice(w, v, axis);
	case OP_FLOW_SPLIT:
		along = visit_attr(v, "axis", 0);
		return axis != (along < 0 ? along + rank : along) && walk_input(w, v, 0, axis);
	default:
		w->lost = true;
		return false;
	}
}

static bool walk_back(struct walk *w, uint32_t value, uint32_t axis)
{
	const struct model *m = w->pass->in->model;
	uint32_t node = m->values.at[value].producer;
	struct visit v;
	bool ok;

	if (!node && m->values.at[value].graph != 0) {
		w->lost = true;
		return false;
	}
	if (!node) {
		w->end = (struct demand_end){.input = value,
					     .axis = axis,
					     .size = axis_size(&w->pass->factory, w->factors)};
		return false;
	}
	if (w->depth == MAX_DEPTH || ++w->steps > MAX_STEPS) {
		w->lost = true;
		return false;
	}
	w->depth++;
	pass_visit(w->pass, node, &v);
	ok = visit_is_complete(&v) && walk_node(w, &v, axis, w->pass->in->infos[value].rank);
	w->depth--;
	if (!ok && !w->end.input && !w->end.node)
		w->end.node = node;
	return ok;
}

bool demand_walk(struct pass *p, uint32_t value, uint32_t axis, struct flow_axis factors, bool deep,
		 struct forces *out, struct demand_end *end)
{
	struct walk w = {.pass = p, .factors = factors, .forces = out, .deep = deep};
	size_t before = out->list.len;
	bool ok = walk_back(&w, value, axis) && out->list.len > before;

	*end = w.end;
	end->lost = w.lost;
	if (!ok && !end->input && !end->node)
		end->node = w.last;
	if (!ok)
		out->list.len = before;
	return ok;
}
