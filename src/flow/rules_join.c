/*
 * Operators that put tensors together, take them apart, or repeat them.
 */
#include <inttypes.h>

#include "base/arena.h"
#include "base/base.h"
#include "flow/axis.h"
#include "flow/cause.h"
#include "flow/rules.h"
#include "flow/visit.h"
#include "ops/info.h"
#include "sym/sym.h"

/* ---- Concat ---- */

/* When watching: the part that says most. */
static bool watch_shared(struct visit *v, uint32_t axis, struct flow_axis *out)
{
	for (uint32_t i = 0; i < v->node->input_count; i++) {
		if (axis_old(v->in[i].axes[axis]) != axis_old(*out))
			return flow_refuse(v, CAUSE_BROKEN, "its parts do not fit");
		*out = axis_known(*out, v->in[i].axes[axis]);
	}
	return true;
}

/* The axis that the parts share, from the first that has it free; else as numbers. */
static bool shared_axis(struct visit *v, uint32_t axis, struct flow_axis *out)
{
	struct factory *f = &v->pass->factory;
	bool found = false;

	*out = v->in[0].axes[axis];
	if (v->pass->watch)
		return watch_shared(v, axis, out);
	for (uint32_t i = 0; i < v->node->input_count && !found; i++) {
		const struct force *force = flow_force(v->pass, v->id, i, axis);

		if (axis_symbols(v->in[i].axes[axis]) || force) {
			*out = axis_symbols(v->in[i].axes[axis]) ? v->in[i].axes[axis]
								 : force->factors;
			found = true;
		}
	}
	for (uint32_t i = 0; i < v->node->input_count && found; i++) {
		struct flow_axis own = v->in[i].axes[axis];

		if (axis_symbols(own) && !axis_same_size(f, own, *out))
			return flow_unequal(v, axis_size(f, *out), axis_size(f, own),
					    "parts are put side by side");
		if (axis_symbols(own) && !axis_same(f, own, *out))
			return flow_refuse(v, CAUSE_ORDER,
					   "its parts have their elements in different orders");
		if (!axis_symbols(own) && !v->in[i].constant)
			return flow_demand(v, i, axis, *out);
	}
	return true;
}

/* The first part that follows, along the axis; empty when there is none. */
static struct flow_axis first_free(const struct visit *v, uint32_t along)
{
	for (uint32_t i = 0; i < v->node->input_count; i++) {
		if (axis_symbols(v->in[i].axes[along]))
			return v->in[i].axes[along];
	}
	return (struct flow_axis){0};
}

/* A part along which the tensors are put together; a constant may have to grow too. */
static struct flow_axis part_axis(struct visit *v, uint32_t part, uint32_t along,
				  struct flow_axis free)
{
	struct flow_axis own = v->in[part].axes[along];

	if (v->pass->watch || !v->in[part].constant || !free.count || axis_old(own) == 1 ||
	    axis_old(own) != axis_old(free))
		return own;
	return flow_choose(v, 2, axis_symbols(free),
			   "a constant part of %" PRId64 " stays, or grows", axis_old(own)) == 0
		       ? own
		       : free;
}

/* Equal parts are a digit more, before the items: no item meets another. */
static bool join_parts(struct visit *v, const struct flow_axis *parts, struct flow_axis *out)
{
	struct factory *f = &v->pass->factory;
	uint32_t count = v->node->input_count;
	struct sym sum = sym_int(f->pool, 0);
	int64_t old = 0;
	uint64_t symbols = 0;
	bool equal = true, was_one = false;

	for (uint32_t i = 0; i < count; i++) {
		was_one |= flow_pins(v, parts[i]) && axis_old(parts[i]) == 1;
		sum = sym_add(f->pool, sum, axis_size(f, parts[i]));
		old += axis_old(parts[i]);
		symbols |= axis_symbols(parts[i]);
		equal = equal && axis_same(f, parts[i], parts[0]);
	}
	if (symbols && equal) {
		*out = axis_joined(f, axis_number(f, count), parts[0]);
		return true;
	}
	if (was_one)
		return flow_refuse(v, CAUSE_ONE, "parts are put together along a size that was 1");
	flow_mix(v, symbols, "tensors are put together along it");
	*out = axis_of(f, sum, old);
	if (v->pass->watch)
		*out = axis_some(f, sum, old, symbols | flow_symbols(f, sum));
	return true;
}

bool flow_concat(struct visit *v)
{
	uint32_t rank = v->in[0].rank, count = v->node->input_count;
	struct flow_axis *axes = visit_axes(v, rank);
	struct flow_axis *parts = visit_axes(v, count), free;
	int64_t along = visit_attr(v, "axis", 1);

	along = along < 0 ? along + rank : along;
	for (uint32_t i = 0; i < count; i++) {
		if (!visit_has(v, i) || v->in[i].rank != rank || along < 0 || along >= rank)
			return flow_refuse(v, CAUSE_BROKEN, "its parts do not fit");
	}
	free = first_free(v, (uint32_t)along);
	for (uint32_t i = 0; i < count; i++)
		parts[i] = part_axis(v, i, (uint32_t)along, free);
	if (!join_parts(v, parts, &axes[along]))
		return false;
	for (uint32_t k = 0; k < rank; k++) {
		if (k != along && !shared_axis(v, k, &axes[k]))
			return false;
	}
	for (uint32_t i = 0; i < count; i++) {
		struct follow spec[RULE_MAX_RANK] = {0};
		bool any = false;

		for (uint32_t k = 0; v->in[i].constant && k < rank; k++) {
			struct flow_axis wanted = k == along ? parts[i] : axes[k];

			spec[k] = (struct follow){axis_symbols(wanted) != 0, wanted};
			any |= spec[k].set;
		}
		if (any && !flow_follow(v, i, spec, false))
			return false;
	}
	return visit_put(v, 0, axes, rank);
}

/* ---- Split ---- */

/* Equal parts of an axis whose first factor is a number: each has a part of that number. */
static bool split_number(struct visit *v, uint32_t axis, struct flow_axis *out)
{
	struct factory *f = &v->pass->factory;
	struct flow_axis a = v->in[0].axes[axis];
	int64_t parts = v->node->output_count;
	struct factor *factors;

	for (uint32_t i = 1; i < v->node->output_count; i++) {
		if (visit_old(v, i, axis) != visit_old(v, 0, axis))
			return false;
	}
	if (a.count < 2 || factor_is_origin(&a.at[0]) || a.at[0].old % parts)
		return false;
	factors = arena_array(&v->pass->arena, a.count, struct factor);
	for (uint32_t i = 0; i < a.count; i++)
		factors[i] = a.at[i];
	factors[0] = factor_number(f, a.at[0].old / parts);
	*out = axis_make(f, factors, a.count);
	return true;
}

/* Lengths of equal parts, for an axis that grows. */
static bool write_split(struct visit *v, struct flow_axis part)
{
	struct pass *p = v->pass;
	struct sym *sizes = arena_array(&p->arena, v->node->output_count, struct sym);

	if (visit_version(v) < 13)
		return flow_refuse(v, CAUSE_OPSET, "it splits the axis by an attribute");
	if (!visit_has(v, 1))
		return true;
	for (uint32_t i = 0; i < v->node->output_count; i++)
		sizes[i] = axis_size(&p->factory, part);
	flow_note(v, "its parts follow", axis_symbols(part));
	return visit_replace_sizes(v, 1, sizes, v->node->output_count);
}

/* When watching: each part is some of the axis. */
static bool watch_split(struct visit *v, uint32_t axis)
{
	const struct track *x = &v->in[0];

	for (uint32_t i = 0; i < v->node->output_count; i++) {
		const struct flow_axis **keep = arena_array(&v->pass->arena, x->rank,
							    const struct flow_axis *);

		for (uint32_t k = 0; k < x->rank; k++)
			keep[k] = k == axis ? NULL : &x->axes[k];
		if (!visit_put_sizes(v, i, keep))
			return false;
	}
	return true;
}

bool flow_split(struct visit *v)
{
	const struct track *x = &v->in[0];
	int64_t axis = visit_attr(v, "axis", 0);
	struct flow_axis part = {0};
	bool free;

	axis = axis < 0 ? axis + x->rank : axis;
	if (axis < 0 || axis >= x->rank)
		return flow_refuse(v, CAUSE_BROKEN, "an axis is out of range");
	free = axis_symbols(x->axes[axis]);
	if (v->pass->watch)
		return watch_split(v, (uint32_t)axis);
	if (free) {
		if (!split_number(v, (uint32_t)axis, &part))
			return flow_refuse(
				v, CAUSE_MEANT,
				"it splits %s, which was %" PRId64 ", into %" PRIu32
				" parts: any of them may grow",
				flow_text(v->pass, axis_size(&v->pass->factory, x->axes[axis])),
				axis_old(x->axes[axis]), v->node->output_count);
		if (!write_split(v, part))
			return false;
	}
	for (uint32_t i = 0; i < v->node->output_count; i++) {
		struct flow_axis *axes = visit_axes(v, x->rank);

		for (uint32_t k = 0; k < x->rank; k++)
			axes[k] = x->axes[k];
		axes[axis] = free ? part
				  : axis_number(&v->pass->factory, visit_old(v, i, (uint32_t)axis));
		if (v->node->outputs[i] && !visit_put(v, i, axes, x->rank))
			return false;
	}
	return true;
}

/* ---- Expand ---- */

/* One entry of the target, aligned with an axis of the input and one of the output. */
static bool expand_entry(struct visit *v, uint32_t axis, struct sym *entry, struct flow_axis *out,
			 struct follow *spec)
{
	struct pass *p = v->pass;
	const struct track *x = &v->in[0];
	uint32_t rank = visit_rank(v, 0);
	int64_t own_axis = (int64_t)axis - ((int64_t)rank - x->rank), number;
	struct flow_axis own = own_axis >= 0 ? x->axes[own_axis] : (struct flow_axis){0};
	const struct force *force = flow_force(p, v->id, FORCE_ENTRY, axis);

	if (p->watch && axis_old(own) != visit_old(v, 0, axis))
		own = (struct flow_axis){0};
	if (axis_symbols(own)) {
		if (axis_old(own) == 1 && sym_value(&p->in->pool, *entry, &number) && number > 1)
			return flow_impossible(v, CAUSE_ONE,
					       "a freed size, which was 1, is expanded to %" PRId64,
					       number);
		*out = own;
		if (sym_value(&p->in->pool, *entry, &number))
			*entry = sym_int(&p->in->pool, 1);
		return true;
	}
	if (flow_symbols(&p->factory, *entry)) {
		*out = axis_of(&p->factory, *entry, visit_old(v, 0, axis));
		if (axis_old(own) == 1)
			return true;
		if (!x->constant)
			return flow_demand(v, 0, (uint32_t)own_axis, *out);
		spec[own_axis] = (struct follow){true, *out};
		return true;
	}
	*out = force && axis_old(own) == 1 ? force->factors
					   : axis_number(&p->factory, visit_old(v, 0, axis));
	if (force && axis_old(own) == 1)
		*entry = axis_size(&p->factory, force->factors);
	return true;
}

bool flow_expand(struct visit *v)
{
	struct pass *p = v->pass;
	uint32_t rank = visit_rank(v, 0), count = 0;
	struct flow_axis *axes = visit_axes(v, rank);
	struct sym *entries = arena_array(&p->arena, rank, struct sym);
	struct follow spec[RULE_MAX_RANK] = {0};
	const struct sym *list;
	bool follows = false, changed = false;

	if (!visit_list(v, 1, &list, &count) || count > rank)
		return flow_refuse(v, CAUSE_DATA, "its target depends on data");
	for (uint32_t k = 0; k < rank; k++) {
		entries[k] = k < rank - count ? sym_int(&p->in->pool, 1) : list[k - (rank - count)];
		if (!expand_entry(v, k, &entries[k], &axes[k], spec))
			return false;
		changed |= k >= rank - count && !sym_same(entries[k], list[k - (rank - count)]);
		changed |= k < rank - count && !sym_is(entries[k], 1);
	}
	for (uint32_t k = 0; k < v->in[0].rank; k++)
		follows |= spec[k].set;
	if (follows && !flow_follow(v, 0, spec, true))
		return false;
	if (changed)
		flow_note(v, "its target follows", axes_symbols(axes, rank));
	if (changed && !visit_replace_sizes(v, 1, entries, rank))
		return false;
	return visit_put(v, 0, axes, rank);
}

/* ---- Tile ---- */

/* The factors before those that the input has: how often it is repeated. */
static bool repeat_forced(struct visit *v, struct flow_axis wanted, int64_t old, struct sym *out)
{
	struct flow_axis before = wanted;
	int64_t inner = 1;

	while (before.count && inner < old && !factor_is_origin(&before.at[before.count - 1]))
		inner *= before.at[--before.count].old;
	if (inner != old)
		return flow_refuse(v, CAUSE_FIXED, "a part of %s is repeated",
				   flow_text(v->pass, axis_size(&v->pass->factory, wanted)));
	*out = axis_size(&v->pass->factory, before);
	return true;
}

bool flow_tile(struct visit *v)
{
	struct pass *p = v->pass;
	const struct track *x = &v->in[0];
	struct flow_axis *axes = visit_axes(v, x->rank);
	struct sym *repeats = arena_array(&p->arena, x->rank, struct sym);
	const struct sym *list;
	uint32_t count;
	bool changed = false;

	if (!visit_list(v, 1, &list, &count) || count != x->rank)
		return flow_refuse(v, CAUSE_DATA, "its repeats depend on data");
	for (uint32_t k = 0; k < x->rank; k++) {
		const struct force *force = flow_force(p, v->id, FORCE_ENTRY, k);
		int64_t old = axis_old(x->axes[k]);

		repeats[k] = list[k];
		if (force && axis_symbols(x->axes[k]) == 0) {
			if (!repeat_forced(v, force->factors, old, &repeats[k]))
				return false;
			axes[k] = force->factors;
			changed = true;
			continue;
		}
		if (!sym_is(list[k], 1))
			flow_mix(v, axis_symbols(x->axes[k]), "it is repeated");
		axes[k] = axis_joined(
			&p->factory,
			axis_of(&p->factory, list[k], old > 0 ? visit_old(v, 0, k) / old : 0),
			x->axes[k]);
	}
	if (changed)
		flow_note(v, "its repeats follow", axes_symbols(axes, x->rank));
	if (changed && !visit_replace_sizes(v, 1, repeats, x->rank))
		return false;
	return visit_put(v, 0, axes, x->rank);
}
