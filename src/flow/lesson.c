#include "flow/lesson.h"

#include "base/base.h"
#include "base/map.h"
#include "base/vec.h"
#include "flow/axis.h"
#include "flow/demand.h"
#include "flow/sums.h"
#include "flow/visit.h"
#include "sym/eval.h"
#include "sym/sym.h"

void lesson_release(struct lesson *l)
{
	map_release(&l->by_value);
	vec_release(&l->deep);
	vec_release(&l->deep_values);
}

/* Sizes have another meaning now: what was learnt about constants is learnt anew. */
void lesson_forget(struct lesson *l, struct pass *p)
{
	p->forces.list.len = 0;
	l->deep.len = l->deep_values.len = 0;
	map_release(&l->by_value);
	l->by_value = (struct map){0};
}

static bool learn_sum(struct pass *p, struct lesson *l)
{
	if (!sum_learn(p))
		return false;
	lesson_forget(l, p);
	return true;
}

static bool learn_demand(struct pass *p, struct demand_end *wanted)
{
	struct refusal *r = &p->refusal;
	struct demand_end end;
	size_t before = p->forces.list.len;
	bool ok = demand_walk(p, r->value, r->axis, r->factors, false, &p->forces, &end);

	for (size_t i = before; i < p->forces.list.len; i++)
		p->forces.list.at[i].by = r->node;
	p->refusal.impossible = !end.lost;
	if (!ok && end.input && !wanted->input)
		*wanted = end;
	r->end = end;
	return ok;
}

/* What the constant is made of follows instead; if that is not possible, its elements do. */
static bool learn_deep(struct pass *p, struct lesson *l)
{
	const struct refusal *r = &p->refusal;
	size_t before = p->forces.list.len;
	struct demand_end ignored;

	l->is_deep = true;
	if (demand_walk(p, r->value, r->axis, r->factors, true, &p->forces, &ignored)) {
		vec_push(&l->deep, before);
		vec_push(&l->deep_values, r->value);
	} else {
		*map_at(&l->by_value, r->value) = 1;
	}
	return true;
}

/* The last deep demand led nowhere. */
static bool unlearn_deep(struct pass *p, struct lesson *l)
{
	if (!l->deep.len)
		return false;
	if (p->visits > l->reach) {
		l->furthest = p->refusal;
		l->reach = p->visits;
	}
	p->forces.list.len = *vec_last(&l->deep);
	*map_at(&l->by_value, *vec_last(&l->deep_values)) = 1;
	vec_pop(&l->deep);
	vec_pop(&l->deep_values);
	return true;
}

/* Multiples, or least sizes, to be tried for up to two names. */
struct trial {
	uint32_t bits[2];
	int64_t numbers[2];
	uint32_t count;
	bool least; /* sizes from the number on; else multiples of it */
};

/* Would the two sizes be equal then? */
static bool trial_fits(struct pass *p, const struct trial *t)
{
	struct sym_pool *pool = &p->in->pool;
	struct sym_subst subst = {0};
	bool fits;

	for (uint32_t i = 0; i < t->count; i++) {
		uint32_t id = p->factory.symbols[t->bits[i]];
		struct sym self = pool->symbols.at[id].self;

		sym_replace(&subst, id,
			    t->least ? sym_add_int(pool, self, t->numbers[i] - 1)
				     : sym_mul_int(pool, self, t->numbers[i]));
	}
	fits = sym_eq(pool, sym_substitute(pool, &subst, p->refusal.a),
		      sym_substitute(pool, &subst, p->refusal.b)) == SYM_YES;
	sym_subst_release(&subst);
	return fits;
}

/*
 * Multiples that only keep a size from being small are no answer; nor is the old size itself,
 * which explains every number.
 */
static bool trial_divides(struct pass *p, struct trial t)
{
	for (uint32_t i = 0; i < t.count; i++) {
		int64_t count = p->old[t.bits[i]] / p->multiple[t.bits[i]];

		if (count % t.numbers[i] || (t.numbers[i] > 1 && count == t.numbers[i]))
			return false;
	}
	if (!trial_fits(p, &t))
		return false;
	t.least = true;
	return !trial_fits(p, &t);
}

/* The smallest multiples of one name or two for which the two sizes are equal. */
static bool learn_multiple(struct pass *p, struct lesson *l)
{
	static const int64_t multiples[] = {1,  2,  3,  4,  5,  6,  7,  8,  9, 10,
					    12, 14, 16, 20, 24, 28, 32, 48, 64};
	uint64_t symbols = flow_symbols(&p->factory, p->refusal.a) |
			   flow_symbols(&p->factory, p->refusal.b);
	struct trial t = {0}, best = {0};

	for (uint32_t i = 0; i < p->factory.symbol_count; i++) {
		if (!(symbols >> i & 1))
			continue;
		if (t.count == ARRAY_LEN(t.bits))
			return false;
		t.bits[t.count++] = i;
	}
	for (size_t i = 0; t.count && i < ARRAY_LEN(multiples); i++) {
		for (size_t k = 0; k < (t.count == 2 ? ARRAY_LEN(multiples) : 1); k++) {
			t.numbers[0] = multiples[i];
			t.numbers[1] = multiples[k];
			if (i + k &&
			    (!best.count ||
			     t.numbers[0] * t.numbers[1] < best.numbers[0] * best.numbers[1]) &&
			    trial_divides(p, t))
				best = t;
		}
	}
	for (uint32_t i = 0; i < best.count; i++)
		p->multiple[best.bits[i]] *= best.numbers[i];
	if (best.count)
		lesson_forget(l, p);
	return best.count;
}

bool lesson_learn(struct pass *p, struct lesson *l, struct demand_end *wanted)
{
	switch (p->refusal.kind) {
	case REFUSAL_DEMAND:
		if (learn_demand(p, wanted))
			return true;
		break;
	case REFUSAL_DEEP:
		return learn_deep(p, l);
	case REFUSAL_UNEQUAL:
		if (learn_multiple(p, l))
			return true;
		break;
	default:
		break;
	}
	return learn_sum(p, l) || unlearn_deep(p, l);
}

/* What stopped a constant that did follow says more than that it cannot, by its elements. */
void lesson_tell(struct pass *p, const struct lesson *l)
{
	bool impossible = p->refusal.impossible;

	if (l->reach <= p->visits)
		return;
	p->refusal = l->furthest;
	p->refusal.impossible = impossible;
	p->refusal.factors = (struct flow_axis){0}; /* of a pass that is gone */
}
