/*
 * Products of matrices.
 */
#include <inttypes.h>

#include "base/arena.h"
#include "flow/axis.h"
#include "flow/cause.h"
#include "flow/rules.h"
#include "flow/visit.h"

/* An axis of an operand. */
struct side {
	uint32_t port;
	uint32_t axis;
};

static struct flow_axis side_axis(const struct visit *v, struct side s)
{
	return v->in[s.port].axes[s.axis];
}

/* Two axes that are summed over together. */
static bool contract_axes(struct visit *v, struct side a, struct side b)
{
	struct factory *f = &v->pass->factory;
	struct flow_axis left = side_axis(v, a), right = side_axis(v, b);
	uint64_t symbols = axis_symbols(left) | axis_symbols(right);

	if (!symbols || v->pass->watch)
		return true;
	if (v->in[a.port].constant || v->in[b.port].constant)
		return flow_refuse_weight(v, left);
	if (!axis_symbols(left))
		return flow_demand(v, a.port, a.axis, right);
	if (!axis_symbols(right))
		return flow_demand(v, b.port, b.axis, left);
	if (!axis_same_size(f, left, right))
		return flow_unequal(v, axis_size(f, left), axis_size(f, right),
				    "the inner sizes of the product");
	if (!axis_same(f, left, right))
		return flow_refuse(v, CAUSE_ORDER,
				   "the inner axes have their elements in different orders");
	flow_mix(v, symbols, "a product sums over it");
	return true;
}

static void mix_outer(struct visit *v, struct flow_axis a, struct flow_axis b)
{
	flow_mix(v, axis_symbols(a) & axis_symbols(b), "a product pairs each with each");
}

/* MatMulInteger: one zero point for all, since one for each row would have to follow. */
static bool zero_points_stay(struct visit *v)
{
	for (uint32_t i = 2; i < v->node->input_count; i++) {
		for (uint32_t k = 0; visit_has(v, i) && k < v->in[i].rank; k++) {
			if (axis_symbols(v->in[i].axes[k]) || axis_old(v->in[i].axes[k]) != 1)
				return flow_refuse(v, CAUSE_WEIGHT,
						   "there is a zero point for each row or column");
		}
	}
	return true;
}

bool flow_matmul(struct visit *v)
{
	static const uint32_t ports[] = {0, 1};
	uint32_t ra = v->in[0].rank, rb = v->in[1].rank, rank = visit_rank(v, 0);
	uint32_t batch = MAX(ra, rb) > 2 ? MAX(ra, rb) - 2 : 0;
	struct flow_axis *axes = visit_axes(v, rank), rows = {0}, columns = {0};

	if (!ra || !rb)
		return flow_refuse(v, CAUSE_BROKEN, "an operand is a scalar");
	if (!zero_points_stay(v))
		return false;
	if (!contract_axes(v, (struct side){0, ra - 1}, (struct side){1, rb > 1 ? rb - 2 : 0}))
		return false;
	if (ra > 1)
		rows = v->in[0].axes[ra - 2];
	if (rb > 1)
		columns = v->in[1].axes[rb - 1];
	if (rank != batch + (ra > 1) + (rb > 1) || !flow_broadcast(v, ports, 2, 2, axes, batch))
		return false;
	mix_outer(v, rows, columns);
	for (uint32_t i = 0; i < batch; i++) {
		mix_outer(v, axes[i], rows);
		mix_outer(v, axes[i], columns);
	}
	if (ra > 1)
		axes[batch] = rows;
	if (rb > 1)
		axes[rank - 1] = columns;
	return visit_put(v, 0, axes, rank);
}

/* C is broadcast to the product. */
static bool add_to_product(struct visit *v, struct flow_axis *axes)
{
	const struct track *c = &v->in[2];
	struct follow spec[2] = {0};
	bool any = false;

	for (uint32_t i = 0; i < c->rank && i < 2; i++) {
		struct flow_axis own = c->axes[c->rank - 1 - i], product = axes[1 - i];
		struct factory *f = &v->pass->factory;

		if ((!axis_symbols(own) && !axis_symbols(product)) || v->pass->watch)
			continue;
		if (!axis_symbols(own) && axis_old(own) == 1)
			continue;
		if (axis_symbols(own)) {
			if (!axis_same(f, own, product))
				return flow_unequal(v, axis_size(f, own), axis_size(f, product),
						    "the sizes of the sum");
			continue;
		}
		if (!c->constant)
			return flow_demand(v, 2, c->rank - 1 - i, product);
		spec[c->rank - 1 - i] = (struct follow){true, product};
		any = true;
	}
	return !any || flow_follow(v, 2, spec, true);
}

bool flow_gemm(struct visit *v)
{
	bool ta = visit_attr(v, "transA", 0), tb = visit_attr(v, "transB", 0);
	struct flow_axis *axes = visit_axes(v, 2);

	if (v->in[0].rank != 2 || v->in[1].rank != 2)
		return flow_refuse(v, CAUSE_BROKEN, "an operand is not a matrix");
	if (!contract_axes(v, (struct side){0, ta ? 0 : 1}, (struct side){1, tb ? 1 : 0}))
		return false;
	axes[0] = v->in[0].axes[ta ? 1 : 0];
	axes[1] = v->in[1].axes[tb ? 0 : 1];
	mix_outer(v, axes[0], axes[1]);
	if (visit_has(v, 2) && !add_to_product(v, axes))
		return false;
	return visit_put(v, 0, axes, 2);
}

/* A product with a packed weight: each row of the first input by itself. */
bool flow_rows(struct visit *v)
{
	const struct track *x = &v->in[0];
	const struct flow_axis **keep = arena_array(&v->pass->arena, x->rank + 1,
						    const struct flow_axis *);

	if (!x->rank || visit_rank(v, 0) != x->rank)
		return flow_refuse(v, CAUSE_BROKEN, "its output has another rank");
	if (axis_symbols(x->axes[x->rank - 1]))
		return flow_refuse_weight(v, x->axes[x->rank - 1]);
	for (uint32_t i = 1; i < v->node->input_count; i++) {
		if (visit_has(v, i) && !v->in[i].constant)
			return flow_refuse(v, CAUSE_OPERATOR, "input %" PRIu32 " is no constant",
					   i);
	}
	for (uint32_t k = 0; k + 1 < x->rank; k++)
		keep[k] = &x->axes[k];
	return visit_put_sizes(v, 0, keep);
}
