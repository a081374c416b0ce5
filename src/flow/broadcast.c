/*
 * Operands that are broadcast together.
 */
#include <inttypes.h>

#include "flow/axis.h"
#include "flow/cause.h"
#include "flow/rules.h"
#include "flow/sums.h"
#include "flow/visit.h"
#include "ops/info.h"
#include "sym/sym.h"

/* One axis of the result, and where it is in each operand. */
struct column {
	struct visit *visit;
	const uint32_t *ports;
	uint32_t count;
	uint32_t skip; /* axes after the broadcast ones */
	uint32_t rank; /* of the result, without those */
	uint32_t axis;
};

/* The operand's axis, or -1. */
static int64_t operand_axis(const struct column *c, uint32_t operand)
{
	const struct track *t = &c->visit->in[c->ports[operand]];
	uint32_t own = t->rank > c->skip ? t->rank - c->skip : 0;

	return (int64_t)c->axis - ((int64_t)c->rank - own);
}

static bool forced_axis(const struct column *c, uint32_t operand, struct flow_axis *out)
{
	const struct force *f = flow_force(c->visit->pass, c->visit->id, c->ports[operand],
					   (uint32_t)operand_axis(c, operand));

	if (f)
		*out = f->factors;
	return f;
}

/* The first operand that has the axis; constants only when a demand says so. */
static bool find_origin(const struct column *c, struct flow_axis *out)
{
	for (uint32_t i = 0; i < c->count; i++) {
		const struct track *t = &c->visit->in[c->ports[i]];
		int64_t axis = operand_axis(c, i);

		if (axis >= 0 && axis_symbols(t->axes[axis])) {
			*out = t->axes[axis];
			return true;
		}
	}
	for (uint32_t i = 0; i < c->count; i++) {
		if (operand_axis(c, i) >= 0 && c->visit->in[c->ports[i]].constant &&
		    forced_axis(c, i, out))
			return true;
	}
	return false;
}

/* When watching: the operand that says most.  What is 1 is broadcast. */
static bool watch_column(const struct column *c, struct flow_axis *out)
{
	*out = (struct flow_axis){0};
	for (uint32_t i = 0; i < c->count; i++) {
		int64_t axis = operand_axis(c, i);

		if (axis >= 0)
			*out = axis_known(*out, c->visit->in[c->ports[i]].axes[axis]);
	}
	for (uint32_t i = 0; i < c->count; i++) {
		int64_t axis = operand_axis(c, i), old;

		old = axis < 0 ? 1 : axis_old(c->visit->in[c->ports[i]].axes[axis]);
		if (old != 1 && old != axis_old(*out))
			return flow_refuse(c->visit, CAUSE_BROKEN, "its operands do not fit");
	}
	return true;
}

static struct flow_axis widest_axis(const struct column *c)
{
	struct flow_axis out = {0};

	for (uint32_t i = 0; i < c->count; i++) {
		int64_t axis = operand_axis(c, i);
		const struct track *t = &c->visit->in[c->ports[i]];

		if (axis >= 0 && axis_old(t->axes[axis]) != 1)
			out = t->axes[axis];
	}
	return out;
}

static bool operand_meets(const struct column *c, struct flow_axis origin, uint32_t operand)
{
	struct visit *v = c->visit;
	struct factory *f = &v->pass->factory;
	int64_t axis = operand_axis(c, operand);
	const struct track *t = &v->in[c->ports[operand]];
	struct flow_axis own;

	if (axis < 0)
		return true;
	own = t->axes[axis];
	if (axis_symbols(own)) {
		if (!axis_same_size(f, own, origin))
			return flow_unequal(v, axis_size(f, origin), axis_size(f, own),
					    "two sizes meet");
		return axis_same_order(f, own, origin) ||
		       flow_refuse(
			       v, CAUSE_ORDER,
			       "two axes of one size, %s, have their elements in different orders",
			       flow_text(v->pass, axis_size(f, own)));
	}
	if (axis_old(own) == 1)
		return true;
	if (axis_old(own) != axis_old(origin))
		return flow_impossible(v, CAUSE_UNEQUAL,
				       "%s meets axis %" PRId64 " of input %" PRIu32
				       ", which is %" PRId64,
				       flow_text(v->pass, axis_size(f, origin)), axis,
				       c->ports[operand], axis_old(own));
	return t->constant || flow_demand(v, c->ports[operand], (uint32_t)axis, origin);
}

/* A size that was free before meets a number: at every size that runs, it is that number. */
static bool is_fixed_beside(const struct column *c, struct flow_axis *out)
{
	for (uint32_t i = 0; i < c->count && !flow_meant(c->visit->pass, *out); i++) {
		const struct track *t = &c->visit->in[c->ports[i]];
		int64_t axis = operand_axis(c, i);

		if (axis < 0 || axis_symbols(t->axes[axis]) || axis_old(t->axes[axis]) == 1)
			continue;
		*out = t->axes[axis];
		return true;
	}
	return false;
}

/* Does an operand that is no constant have the axis?  Else the constants make it. */
static bool is_carried(const struct column *c)
{
	for (uint32_t i = 0; i < c->count; i++) {
		const struct track *t = &c->visit->in[c->ports[i]];
		int64_t axis = operand_axis(c, i);

		if (!t->constant && axis >= 0 && axis_symbols(t->axes[axis]))
			return true;
	}
	return false;
}

/*
 * A mask has one row for each new position, and columns for what was before too.  Nothing says yet
 * that its rows follow: that is asked for, since only both together are a band.
 */
static bool demand_rows(const struct column *c, uint32_t operand, const struct flow_axis *axes)
{
	struct visit *v = c->visit;
	struct pass *p = v->pass;
	const struct track *t = &v->in[c->ports[operand]];

	if (p->refusal.kind != REFUSAL_PLAIN || c->skip || t->rank < 2 ||
	    !axis_symbols(axes[c->rank - 1]) || axis_symbols(axes[c->rank - 2]))
		return false;
	for (uint32_t i = 0; i < p->factory.symbol_count; i++) {
		struct sym rows = sum_size(p, i);

		if (p->old[i] != axis_old(t->axes[t->rank - 2]) || p->old[i] < 2 ||
		    !sum_joins(p, axis_size(&p->factory, axes[c->rank - 1]), rows))
			continue;
		p->refusal.kind = REFUSAL_DEMAND;
		p->refusal.value = v->node->outputs[0];
		p->refusal.axis = c->rank - 2;
		p->refusal.factors = axis_of(&p->factory, rows, p->old[i]);
		return false;
	}
	return false;
}

static bool follow_operands(struct visit *v, const struct column *c, const struct flow_axis *axes)
{
	for (uint32_t i = 0; i < c->count; i++) {
		const struct track *t = &v->in[c->ports[i]];
		struct follow spec[RULE_MAX_RANK] = {0};
		bool any = false, may_be_one = true;

		for (uint32_t k = 0; t->constant && k < c->rank; k++) {
			struct column at = *c;
			int64_t axis;

			at.axis = k;
			axis = operand_axis(&at, i);
			if (axis < 0 || !axis_symbols(axes[k]) || axis_old(t->axes[axis]) == 1)
				continue;
			spec[axis] = (struct follow){true, axes[k]};
			any = true;
			may_be_one = may_be_one && is_carried(&at);
		}
		if (any && !flow_follow(v, c->ports[i], spec, may_be_one))
			return demand_rows(c, i, axes);
	}
	return true;
}

/* A symbol on two axes of different operands: every item meets every other. */
static void mix_columns(struct visit *v, const struct column *c)
{
	uint64_t seen = 0, twice = 0;

	for (uint32_t k = 0; k < c->rank; k++) {
		uint64_t here = 0;

		for (uint32_t i = 0; i < c->count; i++) {
			struct column at = *c;
			int64_t axis;

			at.axis = k;
			axis = operand_axis(&at, i);
			if (axis >= 0)
				here |= axis_symbols(v->in[c->ports[i]].axes[axis]);
		}
		twice |= seen & here;
		seen |= here;
	}
	/* One operand that has it twice is no new meeting; two that have it apart are. */
	for (uint32_t i = 0; twice && i < c->count; i++) {
		const struct track *t = &v->in[c->ports[i]];
		uint64_t own = 0, own_twice = 0;

		for (uint32_t k = 0; k < t->rank; k++) {
			own_twice |= own & axis_symbols(t->axes[k]);
			own |= axis_symbols(t->axes[k]);
		}
		twice &= ~own_twice;
	}
	flow_mix(v, twice, "meets itself on another axis");
}

bool flow_broadcast(struct visit *v, const uint32_t *ports, uint32_t count, uint32_t skip,
		    struct flow_axis *out, uint32_t rank)
{
	struct column c = {.visit = v, .ports = ports, .count = count, .skip = skip, .rank = rank};

	for (uint32_t i = 0; i < count; i++) {
		if (!v->in[ports[i]].known)
			return flow_refuse(v, CAUSE_OPERATOR,
					   "the shape of an operand is not known");
	}
	for (uint32_t k = 0; k < rank; k++) {
		c.axis = k;
		if (v->pass->watch) {
			if (!watch_column(&c, &out[k]))
				return false;
			continue;
		}
		if (!find_origin(&c, &out[k])) {
			out[k] = widest_axis(&c);
			continue;
		}
		if (is_fixed_beside(&c, &out[k]))
			continue;
		for (uint32_t i = 0; i < count; i++) {
			if (!operand_meets(&c, out[k], i))
				return false;
		}
	}
	mix_columns(v, &c);
	return follow_operands(v, &c, out);
}
