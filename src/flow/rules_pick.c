/*
 * TopK, OneHot and Trilu; blocks of space and depth.
 */
#include <inttypes.h>

#include "base/arena.h"
#include "flow/axis.h"
#include "flow/cause.h"
#include "flow/index.h"
#include "flow/rules.h"
#include "flow/visit.h"
#include "sym/sym.h"

/* ---- TopK ---- */

/* As many as there are: all of them, at every size. */
static bool take_all(struct visit *v, struct sym size)
{
	if (!visit_has(v, 1))
		return flow_refuse(v, CAUSE_OPSET, "it takes all by an attribute, before opset 10");
	flow_note(v, "it takes all, as many as", flow_symbols(&v->pass->factory, size));
	return visit_replace_sizes(v, 1, &size, 1);
}

bool flow_top_k(struct visit *v)
{
	struct factory *f = &v->pass->factory;
	const struct track *x = &v->in[0];
	int64_t axis = visit_attr(v, "axis", -1), count;
	struct flow_axis *axes = visit_axes(v, x->rank);
	const struct flow_axis **keep = arena_array(&v->pass->arena, x->rank,
						    const struct flow_axis *);
	uint32_t output = v->node->outputs[0] ? 0 : 1;

	axis = axis < 0 ? axis + x->rank : axis;
	if (axis < 0 || axis >= x->rank)
		return flow_refuse(v, CAUSE_BROKEN, "an axis is out of range");
	count = visit_old(v, output, (uint32_t)axis);
	for (uint32_t k = 0; k < x->rank; k++) {
		axes[k] = x->axes[k];
		keep[k] = k == axis ? NULL : &axes[k];
	}
	if (axis_symbols(axes[axis]) && !(visit_has(v, 1) && v->in[1].contents.at)) {
		flow_mix(v, axis_symbols(axes[axis]), "it is sorted");
		if (count >= axis_old(axes[axis]) && flow_meant(v->pass, axes[axis])) {
			if (!take_all(v, axis_size(f, axes[axis])))
				return false;
			flow_assume(v, "it takes all of %s, which was %" PRId64,
				    flow_text(v->pass, axis_size(f, axes[axis])), count);
			keep[axis] = &axes[axis];
		} else {
			flow_limit(v, axis_size(f, axes[axis]), count, true);
		}
	}
	for (uint32_t i = 0; i < v->node->output_count; i++) {
		if (!visit_put_sizes(v, i, keep))
			return false;
	}
	return true;
}

/* ---- OneHot ---- */

bool flow_one_hot(struct visit *v)
{
	struct pass *p = v->pass;
	const struct track *x = &v->in[0];
	uint32_t rank = visit_rank(v, 0);
	const struct flow_axis **keep = arena_array(&p->arena, rank, const struct flow_axis *);
	struct flow_axis depth;
	int64_t axis = visit_attr(v, "axis", -1);

	axis = axis < 0 ? axis + rank : axis;
	if (rank != x->rank + 1 || axis < 0 || axis >= rank)
		return flow_refuse(v, CAUSE_BROKEN, "an axis is out of range");
	for (uint32_t k = 0; k < rank; k++)
		keep[k] = k == axis ? NULL : &x->axes[k < axis ? k : k - 1];
	depth = axis_number(&p->factory, visit_old(v, 0, (uint32_t)axis));
	if (!v->in[1].contents.at) {
		for (uint32_t i = 0; i < p->factory.symbol_count; i++) {
			if (p->old[i] > 1 && p->old[i] == axis_old(depth) && !p->watch)
				flow_assume(v,
					    "the depth %" PRId64
					    " is not the size that was %" PRId64,
					    p->old[i], p->old[i]);
		}
		if (!index_check_numbered(v, 0, x->numbered, depth, true))
			return false;
	}
	return visit_put_sizes(v, 0, keep);
}

/* ---- Trilu ---- */

bool flow_trilu(struct visit *v)
{
	const struct track *x = &v->in[0];

	if (x->rank < 2)
		return flow_refuse(v, CAUSE_BROKEN, "its input has the wrong rank");
	if (visit_has(v, 1) && !v->in[1].constant && !v->in[1].contents.at)
		return flow_refuse(v, CAUSE_DATA, "its diagonal depends on data");
	flow_mix(v, axis_symbols(x->axes[x->rank - 1]) | axis_symbols(x->axes[x->rank - 2]),
		 "a triangle is cut from it");
	return visit_put(v, 0, x->axes, x->rank);
}

/* ---- blocks ---- */

/* When watching: blocks are made of channels. */
static bool watch_depth(struct visit *v)
{
	struct factory *f = &v->pass->factory;
	const struct track *x = &v->in[0];
	struct flow_axis *axes = visit_axes(v, 4);
	int64_t number = visit_attr(v, "blocksize", 1);
	struct sym size = sym_int(f->pool, number);
	struct flow_axis block = axis_some(f, size, number, axis_symbols(x->axes[1]));

	axes[0] = x->axes[0];
	axes[1] = axis_some(
		f, sym_floor_div(f->pool, axis_size(f, x->axes[1]), sym_mul(f->pool, size, size)),
		visit_old(v, 0, 1), axis_symbols(x->axes[1]));
	axes[2] = axis_joined(f, x->axes[2], block);
	axes[3] = axis_joined(f, x->axes[3], block);
	return visit_put_as(v, 0, axes, 4);
}

/* Each position of a spatial axis becomes `block` positions. */
bool flow_depth_to_space(struct visit *v)
{
	struct factory *f = &v->pass->factory;
	const struct track *x = &v->in[0];
	struct flow_axis *axes = visit_axes(v, 4),
			 block = axis_number(f, visit_attr(v, "blocksize", 1));

	if (x->rank != 4 || flow_pins(v, x->axes[1]))
		return flow_refuse(v, CAUSE_OPERATOR,
				   "it takes its blocks from the freed channels");
	if (axis_symbols(x->axes[1]))
		return watch_depth(v);
	axes[0] = x->axes[0];
	axes[1] = axis_number(f, visit_old(v, 0, 1));
	axes[2] = axis_joined(f, x->axes[2], block);
	axes[3] = axis_joined(f, x->axes[3], block);
	return visit_put(v, 0, axes, 4);
}

/* The axis without its last digit, which is `block`. */
static bool cut_block(struct visit *v, struct flow_axis a, int64_t block, struct flow_axis *out)
{
	struct factory *f = &v->pass->factory;
	struct factor *factors = arena_array(&v->pass->arena, a.count + 1, struct factor);
	struct sym divisor = sym_int(f->pool, block), quotient;
	const struct factor *last = &a.at[a.count - 1];

	for (uint32_t i = 0; i < a.count; i++)
		factors[i] = a.at[i];
	if (block < 1 || last->old % block)
		return flow_refuse(v, CAUSE_OPERATOR,
				   "blocks of %" PRId64 " are not whole digits of the axis", block);
	if (!sym_divide(f->pool, last->size, divisor, &quotient))
		return flow_unequal(
			v, sym_mul(f->pool, divisor, sym_floor_div(f->pool, last->size, divisor)),
			last->size, "an axis is cut into blocks");
	factors[a.count - 1] = factor_make(f, quotient, last->old / block);
	*out = axis_make(f, factors, a.count);
	return true;
}

/* When watching: channels are made of space, too. */
static bool watch_blocks(struct visit *v)
{
	struct factory *f = &v->pass->factory;
	const struct track *x = &v->in[0];
	struct flow_axis *axes = visit_axes(v, 4);
	int64_t block = visit_attr(v, "blocksize", 1);
	struct sym channels = sym_mul_int(f->pool, axis_size(f, x->axes[1]), block);

	axes[0] = x->axes[0];
	axes[1] = axis_some(f, sym_mul_int(f->pool, channels, block), visit_old(v, 0, 1),
			    axes_symbols(x->axes + 1, 3));
	for (uint32_t k = 2; k < 4; k++)
		axes[k] = axis_some(
			f,
			sym_floor_div(f->pool, axis_size(f, x->axes[k]), sym_int(f->pool, block)),
			visit_old(v, 0, k), axis_symbols(x->axes[k]));
	return visit_put_as(v, 0, axes, 4);
}

bool flow_space_to_depth(struct visit *v)
{
	struct factory *f = &v->pass->factory;
	const struct track *x = &v->in[0];
	struct flow_axis *axes = visit_axes(v, 4);

	if (x->rank == 4 && v->pass->watch)
		return watch_blocks(v);
	if (x->rank != 4 || axis_symbols(x->axes[1]))
		return flow_refuse(v, CAUSE_OPERATOR, "it adds its blocks to the freed channels");
	axes[0] = x->axes[0];
	axes[1] = axis_number(f, visit_old(v, 0, 1));
	for (uint32_t k = 2; k < 4; k++) {
		axes[k] = axis_number(f, visit_old(v, 0, k));
		flow_mix(v, axis_symbols(x->axes[k]), "blocks are cut from it");
		if (axis_symbols(x->axes[k]) &&
		    !cut_block(v, x->axes[k], visit_attr(v, "blocksize", 1), &axes[k]))
			return false;
	}
	return visit_put(v, 0, axes, 4);
}
