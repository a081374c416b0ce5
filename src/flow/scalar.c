/*
 * Numbers that an export may have computed from a size: x / 7 of a batch of 7.
 *
 * A number that the graph itself explains is not suspected: the root of what the scores of
 * attention, a product of two tensors that are no weights, sum over.  Any other is told.  While
 * the items of the axis never meet, that is a warning; where they do, a mean may have been written
 * as a sum and a number, and then nothing shows which size the number is.
 */
#include "flow/scalar.h"

#include <inttypes.h>
#include <math.h>

#include "base/base.h"
#include "base/vec.h"
#include "flow/array.h"
#include "flow/axis.h"
#include "flow/fold.h"
#include "flow/rules.h"
#include "flow/sums.h"
#include "flow/visit.h"
#include "ir/graph.h"
#include "ir/type.h"
#include "ops/info.h"
#include "ops/property.h"
#include "sym/sym.h"

enum {
	SCALAR_MAX_STEPS = 24 /* nodes looked at around one number */
};

/* ---- what explains a number ---- */

struct explanation {
	struct pass *pass;
	double number;
	uint32_t bit; /* the freed size that it could be */
	unsigned steps;
	bool is_found;
	bool is_summed; /* a sum over the freed axis comes before it */
};

static bool is_close(double a, double b)
{
	return fabs(a - b) < 1e-6 * b;
}

static bool is_root_of(double number, int64_t size)
{
	double root = sqrt((double)size);

	return size > 1 && (is_close(number, root) || is_close(number, 1 / root));
}

static bool is_count_of(double number, int64_t size)
{
	return size > 1 && (is_close(number, (double)size) || is_close(number, 1 / (double)size));
}

static uint64_t scalar_symbols(const struct track *t)
{
	uint64_t symbols = 0;

	for (uint32_t i = 0; i < t->rank; i++)
		symbols |= axis_symbols(t->axes[i]);
	return symbols;
}

static bool has_weight(const struct pass *p, const struct node *n)
{
	return n->input_count < 2 || fold_is_constant(p->folder, n->inputs[0]) ||
	       fold_is_constant(p->folder, n->inputs[1]);
}

/* A product that the number comes after. */
static void explain_by_product(struct explanation *e, const struct node *n, bool turned)
{
	const struct track *a = &e->pass->tracks[n->inputs[0]];
	struct flow_axis inner;

	if (!a->known || a->rank == 0 || (turned && a->rank < 2))
		return;
	inner = a->axes[turned ? a->rank - 2 : a->rank - 1];
	e->is_summed |= axis_symbols(inner) >> e->bit & 1;
	e->is_found |= !axis_symbols(inner) && is_root_of(e->number, axis_old(inner)) &&
		       !has_weight(e->pass, n);
}

/* A sum over the freed axis, which the number comes after. */
static void find_sum(struct explanation *e, const struct node *n)
{
	uint64_t before = scalar_symbols(&e->pass->tracks[n->inputs[0]]);
	uint64_t after = scalar_symbols(&e->pass->tracks[n->outputs[0]]);

	e->is_summed |= (before & ~after) >> e->bit & 1;
}

static void explain_before(struct explanation *e, uint32_t value)
{
	const struct model *m = e->pass->in->model;
	const struct node *n = &m->nodes.at[m->values.at[value].producer];
	const struct attr *turned;

	if (!m->values.at[value].producer || n->input_count == 0 || e->steps++ == SCALAR_MAX_STEPS)
		return;
	switch (op_flow(m, n)) {
	case OP_FLOW_MATMUL:
		explain_by_product(e, n, false);
		break;
	case OP_FLOW_GEMM:
		turned = node_attr(m, n, "transA");
		explain_by_product(e, n, turned && turned->i);
		break;
	case OP_FLOW_REDUCE:
		find_sum(e, n);
		break;
	case OP_FLOW_ELEMENTWISE:
		for (uint32_t i = 0; i < n->input_count; i++)
			explain_before(e, n->inputs[i]);
		break;
	case OP_FLOW_SAME:
	case OP_FLOW_TRANSPOSE:
	case OP_FLOW_RESHAPE:
	case OP_FLOW_FLATTEN:
	case OP_FLOW_SQUEEZE:
	case OP_FLOW_UNSQUEEZE:
		explain_before(e, n->inputs[0]);
		break;
	default:
		break;
	}
}

/* Where the axis of the node's first input is in its output; -1 when that is not seen. */
static int64_t scalar_moved_axis(struct pass *p, const struct node *n, int64_t axis)
{
	const struct visit v = {.pass = p, .node = n};
	const int64_t *perm;
	uint32_t count;
	const struct info *from = &p->in->infos[n->inputs[0]], *to = &p->in->infos[n->outputs[0]];
	enum op_flow kind = op_flow(p->in->model, n);

	if (!from->ranked || !to->ranked || !to->rank || axis >= from->rank)
		return -1;
	if (kind == OP_FLOW_SAME)
		return from->rank == to->rank ? axis : -1;
	if (kind == OP_FLOW_RESHAPE && axis == from->rank - 1 &&
	    sym_same(from->dims[axis], to->dims[to->rank - 1]))
		return to->rank - 1;
	if (kind != OP_FLOW_TRANSPOSE || !visit_attr_ints(&v, "perm", &perm, &count))
		return -1;
	for (uint32_t i = 0; i < count && i < to->rank; i++) {
		if (perm[i] == axis)
			return i;
	}
	return -1;
}

/* A product that sums over this axis of the scaled tensor. */
static void explain_after(struct explanation *e, uint32_t value, int64_t axis)
{
	const struct model *m = e->pass->in->model;
	uint32_t count;
	const struct reader *readers = model_readers(m, value, &count);

	for (uint32_t i = 0; i < count; i++) {
		const struct node *n = &m->nodes.at[readers[i].node];
		const struct info *info = &e->pass->in->infos[value];
		int64_t moved;

		if (!readers[i].node || !n->output_count || e->steps++ >= SCALAR_MAX_STEPS)
			continue;
		if (op_flow(m, n) == OP_FLOW_MATMUL) {
			e->is_found |= axis == (int64_t)info->rank - 1 - (readers[i].port == 1) &&
				       !has_weight(e->pass, n);
			continue;
		}
		moved = readers[i].port == 0 ? scalar_moved_axis(e->pass, n, axis) : -1;
		if (moved >= 0)
			explain_after(e, n->outputs[0], moved);
	}
}

static bool is_explained(struct visit *v, uint32_t port, double number, uint32_t bit)
{
	struct explanation e = {.pass = v->pass, .number = number, .bit = bit};
	uint32_t other = port == 0 ? 1 : 0;
	const struct track *x;

	if (!visit_has(v, other))
		return false;
	x = &v->in[other];
	explain_before(&e, v->node->inputs[other]);
	for (uint32_t k = 0; k < x->rank && !e.is_found && !e.is_summed; k++) {
		e.steps = 0;
		if (!axis_symbols(x->axes[k]) && is_root_of(number, axis_old(x->axes[k])) &&
		    x->rank == visit_rank(v, 0))
			explain_after(&e, v->node->outputs[0], k);
	}
	return e.is_found && !e.is_summed;
}

/* ---- suspects ---- */

/* Could the number be the size, its inverse, or the root of one of them? */
static bool may_be_size(double number, int64_t old)
{
	double root = sqrt((double)old);
	bool has_root = root != floor(root);

	return old >= 3 && (is_count_of(number, old) || (has_root && is_root_of(number, old)));
}

static void suspect_scalar(struct visit *v, double number, uint32_t bit, struct sym size,
			   int64_t old)
{
	struct pass *p = v->pass;

	for (size_t i = 0; i < p->scalars.len; i++) {
		if (p->scalars.at[i].node == v->id && p->scalars.at[i].bit == bit)
			return;
	}
	vec_push(&p->scalars, ((struct flow_scalar){v->id, bit, number, size, old}));
}

/* Where items have met, it may be the count of a product or a sum of sizes, too. */
static void check_count(struct visit *v, uint32_t port, double number, uint64_t depends)
{
	struct pass *p = v->pass;

	for (size_t i = 0; i < p->known.len; i++) {
		const struct factor *f = &p->known.at[i];
		uint32_t bit = 0;

		if (!(f->symbols & depends) || f->old < 3 || !is_count_of(number, f->old))
			continue;
		while (!((f->symbols & depends) >> bit & 1))
			bit++;
		if (p->mixed[bit].is_mixed && !is_explained(v, port, number, bit))
			suspect_scalar(v, number, bit, f->size, f->old);
	}
}

static void check_scalar(struct visit *v, uint32_t port)
{
	struct pass *p = v->pass;
	const struct array *a = v->in[port].constant ? visit_array(v, port) : NULL;
	uint64_t depends = 0;
	double number;

	if (!a || a->count != 1 ||
	    (a->elem != ELEM_FLOAT32 && a->elem != ELEM_FLOAT64 && a->elem != ELEM_FLOAT16 &&
	     a->elem != ELEM_BFLOAT16))
		return;
	number = fabs(array_real(a, 0));
	for (uint32_t i = 0; i < v->node->input_count; i++)
		depends |= p->depends[v->node->inputs[i]] & ~p->carried;
	for (uint32_t i = 0; i < p->factory.symbol_count; i++) {
		if (depends >> i & 1 && may_be_size(number, p->old[i]) &&
		    !is_explained(v, port, number, i))
			suspect_scalar(v, number, i, sum_size(p, i), p->old[i]);
	}
	check_count(v, port, number, depends);
}

void flow_suspect_scalars(struct visit *v)
{
	for (uint32_t i = 0; i < v->node->input_count && !v->pass->watch; i++)
		check_scalar(v, i);
}

/* Mul and Div: an export may have baked the size in as a number. */
bool flow_scaled(struct visit *v)
{
	flow_suspect_scalars(v);
	return flow_elementwise(v);
}

void flow_scalar_print(struct pass *p, const struct flow_scalar *s, struct str *out)
{
	str_format(out, "the number %g may be computed from %s, which was %" PRId64, s->number,
		   flow_names(p, UINT64_C(1) << s->bit), p->old[s->bit]);
	if (is_close(s->number, (double)s->old) && s->old == p->old[s->bit])
		return;
	str_text(out, ", as ");
	str_text(out, s->number < 1 ? "1/" : "");
	if (is_count_of(s->number, s->old))
		str_text(out, flow_text(p, s->size));
	else
		str_format(out, "sqrt(%s)", flow_text(p, s->size));
}
