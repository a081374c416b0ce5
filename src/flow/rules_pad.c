/*
 * Pad: a literal may have been computed from the old size.
 */
#include <inttypes.h>

#include "base/arena.h"
#include "flow/axis.h"
#include "flow/cause.h"
#include "flow/rules.h"
#include "flow/visit.h"
#include "sym/sym.h"

/* A pad at the end that fills up to a round number may have been computed from the size. */
static bool check_pads(struct visit *v, uint32_t axis, int64_t before, int64_t after)
{
	struct flow_axis a = v->in[0].axes[axis];
	int64_t old = axis_old(a);
	const struct pass *p = v->pass;
	bool certain;

	if (p->watch)
		return true;
	if (!flow_meant(p, a)) {
		flow_mix(v, axis_symbols(a), "it is padded");
		return true;
	}
	if (before == 0 && after > 1 && old + after >= 4 && (old + after) % 4 == 0)
		return flow_refuse(v, CAUSE_MEANT,
				   "it pads %s, by %" PRId64 " at its end, perhaps to a multiple",
				   flow_was(v->pass, a), after);
	if (!flow_check_padded(v, axis, before, after, &certain))
		return false;
	for (uint32_t i = 0; i < p->factory.symbol_count; i++) {
		if (p->old[i] > 2 && !(p->stand_ins >> i & 1) &&
		    (before == p->old[i] || after == p->old[i]))
			return flow_refuse(v, CAUSE_MEANT, "it pads by %" PRId64 ", perhaps by %s",
					   p->old[i], flow_names(v->pass, UINT64_C(1) << i));
	}
	if (before != after && !certain)
		flow_assume(v, "the pads %" PRId64 " and %" PRId64 " are not computed from %s",
			    before, after, flow_text(v->pass, axis_size(&v->pass->factory, a)));
	flow_mix(v, axis_symbols(a), "it is padded");
	return true;
}

/* The pads at both ends of an axis; those that the model computes are what it means. */
static bool pad_axis(struct visit *v, uint32_t axis, struct sym before, struct sym after)
{
	struct flow_axis a = v->in[0].axes[axis];
	struct pass *p = v->pass;
	uint64_t symbols = flow_symbols(&p->factory, before) | flow_symbols(&p->factory, after);
	int64_t start, end;

	if (symbols) {
		flow_mix(v, axis_symbols(a) | symbols, "it is padded");
		return true;
	}
	if (!sym_value(&p->in->pool, before, &start) || !sym_value(&p->in->pool, after, &end))
		return flow_refuse(v, CAUSE_DATA, "its pads depend on data");
	return !axis_symbols(a) || check_pads(v, axis, start, end);
}

/* Attributes before opset 11. */
static bool read_pads(struct visit *v, const struct sym **out, uint32_t *out_count)
{
	const int64_t *numbers;
	struct sym *list;

	if (visit_has(v, 1))
		return visit_list(v, 1, out, out_count);
	if (!visit_attr_ints(v, "pads", &numbers, out_count) &&
	    !visit_attr_ints(v, "paddings", &numbers, out_count))
		return false;
	list = arena_array(&v->pass->arena, *out_count, struct sym);
	for (uint32_t i = 0; i < *out_count; i++)
		list[i] = sym_int(&v->pass->in->pool, numbers[i]);
	*out = list;
	return true;
}

bool flow_pad(struct visit *v)
{
	const struct track *x = &v->in[0];
	const struct flow_axis **keep = arena_array(&v->pass->arena, x->rank,
						    const struct flow_axis *);
	const struct sym *pads;
	const int64_t *list = NULL;
	uint32_t count, axes = 0;

	if (!read_pads(v, &pads, &count))
		return flow_refuse(v, CAUSE_DATA, "its pads depend on data");
	if (visit_has(v, 3) && !visit_numbers(v, 3, &list, &axes))
		return flow_refuse(v, CAUSE_DATA, "its axes depend on data");
	if (count != 2 * (list ? axes : x->rank))
		return flow_refuse(v, CAUSE_BROKEN, "its pads do not fit");
	for (uint32_t k = 0; k < x->rank; k++)
		keep[k] = &x->axes[k];
	for (uint32_t i = 0; i < count / 2; i++) {
		struct sym before = pads[i], after = pads[i + count / 2];
		int64_t axis = list ? list[i] : i;

		axis = axis < 0 ? axis + x->rank : axis;
		if (axis < 0 || axis >= x->rank)
			return flow_refuse(v, CAUSE_BROKEN, "an axis is out of range");
		if (sym_is(before, 0) && sym_is(after, 0))
			continue;
		keep[axis] = NULL;
		if (!pad_axis(v, (uint32_t)axis, before, after))
			return false;
	}
	return visit_put_sizes(v, 0, keep);
}
