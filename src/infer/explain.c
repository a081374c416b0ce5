#include "infer/explain.h"

#include "base/map.h"
#include "base/vec.h"
#include "infer/finding.h"
#include "infer/infer.h"
#include "infer/why.h"
#include "ir/graph.h"
#include "ops/info.h"
#include "ops/property.h"
#include "sym/sym.h"

enum {
	DEEPEST = 60,
	MAX_PASSED = 100000
};

void explanation_init(struct explanation *e)
{
	*e = (struct explanation){.max = EXPLAIN_MAX_STEPS, .work = EXPLAIN_WORK};
}

void explanation_release(struct explanation *e)
{
	vec_release(&e->steps);
	map_release(&e->seen);
}

/* ---- one step back ---- */

static uint64_t explain_rank(const struct node *n, struct why what)
{
	uint64_t port = 0;

	while (port < n->input_count && n->inputs[port] != what.value)
		port++;
	return port << 32 | (uint64_t)what.element << 31 | what.index;
}

/* They arrive in hash order, and twice if a node reads a tensor twice; there are few. */
static size_t explain_sort(const struct node *n, struct why *at, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		struct why one = at[i];
		uint64_t rank = explain_rank(n, one);
		size_t k = kept;

		while (k && explain_rank(n, at[k - 1]) > rank)
			k--;
		if (k && explain_rank(n, at[k - 1]) == rank)
			continue;
		for (size_t last = kept++; last > k; last--)
			at[last] = at[last - 1];
		at[k] = one;
	}
	return kept;
}

/*
 * Is a size only passed on?  Then the other sources equal it, or are broadcast 1s, or pads
 * and steps of 0 and 1.  Where an element gives the size (a Reshape, a Slice), it tells more
 * than a dim that agrees with it.
 */
static const struct why *explain_same(const struct infer *in, struct why what,
				      const struct why *from, size_t count)
{
	struct sym is = why_expression(in, what);
	const struct why *found = NULL;

	for (size_t i = 0; i < count; i++) {
		struct sym other = why_expression(in, from[i]);

		if (!sym_same(other, is) && !sym_is(other, 1) &&
		    !(from[i].element && sym_is(other, 0)))
			return NULL;
		if (sym_same(other, is) && (!found || (from[i].element && !found->element)))
			found = &from[i];
	}
	return found;
}

size_t explain_sources(struct infer *in, struct why what, struct why out[WHY_MAX],
		       const struct why **same)
{
	const struct model *m = in->model;
	size_t count = why_find(in, what, out, WHY_MAX);

	count = explain_sort(&m->nodes.at[m->values.at[what.value].producer], out, count);
	*same = explain_same(in, what, out, count);
	return count;
}

/* ---- the walk ---- */

/* Takes the cost of looking at a node from the budget; false when it is too much. */
static bool explain_afford(const struct infer *in, struct explanation *e, uint32_t node)
{
	size_t cost = in->model->nodes.at[node].input_count;

	/* The cost of a node with very many inputs takes long to add up. */
	if (cost <= e->work)
		cost = why_cost(in, node);
	if (cost > e->work) {
		e->cut = true;
		return false;
	}
	e->work -= cost;
	return true;
}

static size_t explain_ask(struct infer *in, struct explanation *e, struct why what,
			  struct why out[WHY_MAX], const struct why **same)
{
	uint32_t producer = in->model->values.at[what.value].producer;

	*same = NULL;
	if (!producer || !explain_afford(in, e, producer))
		return 0;
	return explain_sources(in, what, out, same);
}

/* The sources, through nodes that only pass the size on. */
static size_t explain_ask_through(struct infer *in, struct explanation *e, struct why what,
				  struct why out[WHY_MAX], uint32_t *passed)
{
	const struct why *same;
	size_t count = explain_ask(in, e, what, out, &same);

	if (!same)
		return count;
	for (out[0] = *same; *passed < MAX_PASSED; ++*passed) {
		struct why further[WHY_MAX];

		(void)explain_ask(in, e, out[0], further, &same);
		if (!same)
			break;
		out[0] = *same;
	}
	return 1;
}

static enum step_origin explain_origin(const struct infer *in, uint32_t value)
{
	const struct value *v = &in->model->values.at[value];

	if (value_is_constant(in->model, value) || in->sources[value] == SOURCE_INITIALIZER)
		return STEP_CONSTANT;
	if (v->flags & VALUE_INPUT)
		return STEP_INPUT;
	return v->producer ? STEP_NODE : STEP_UNKNOWN;
}

static void explain_walk(struct infer *in, struct explanation *e, struct why what, uint32_t depth,
			 uint32_t passed)
{
	uint64_t key = (uint64_t)what.value << 32 | what.index << 1 | what.element;
	struct step step = {.what = what,
			    .depth = depth,
			    .passed = passed,
			    .origin = explain_origin(in, what.value)};
	struct why next[WHY_MAX];
	size_t at = e->steps.len, count = 0, told = 0;

	passed = 0;
	if (step.origin == STEP_NODE)
		step.again = (*map_at(&e->seen, key))++;
	if (step.origin == STEP_NODE && !step.again)
		count = explain_ask_through(in, e, what, next, &passed);
	step.is_claim = count == 0 && !step.again && in->sources[what.value] == SOURCE_CLAIM;
	vec_push(&e->steps, step);
	while (told < MIN(count, (size_t)EXPLAIN_SOURCES) && depth < DEEPEST &&
	       e->steps.len < e->max)
		explain_walk(in, e, next[told++], depth + 1, passed);
	e->steps.at[at].more = (uint32_t)(count - told);
	e->cut |= told < count;
}

void explain_place(struct infer *in, struct why what, struct explanation *e)
{
	if (e->steps.len < e->max)
		explain_walk(in, e, what, 0, 0);
	else
		e->cut = true;
}

void explain_value(struct infer *in, uint32_t value, struct explanation *e)
{
	const struct info *info = &in->infos[value];
	uint32_t rank = info->ranked ? info->rank : 0;
	uint32_t elements = info->contents.at
				    ? MIN(info->contents.count, (uint32_t)EXPLAIN_MAX_ELEMENTS)
				    : 0;

	for (uint32_t i = 0; i < rank; i++)
		explain_place(in, (struct why){.value = value, .index = i}, e);
	for (uint32_t i = 0; i < elements; i++)
		explain_place(in, (struct why){.value = value, .index = i, .element = true}, e);
}

/* ---- findings ---- */

static size_t explain_places(struct infer *in, const struct finding *f, struct explanation *e,
			     struct why out[EXPLAIN_SOURCES])
{
	if (f->value && f->axis >= 0) {
		out[0] = (struct why){.value = f->value, .index = (uint32_t)f->axis};
		return 1;
	}
	if (!f->fact || !explain_afford(in, e, f->node))
		return 0;
	return why_fact(in, &in->facts.at[f->fact - 1], out, EXPLAIN_SOURCES);
}

void explain_finding(struct infer *in, const struct finding *f, struct explanation *e)
{
	struct why places[EXPLAIN_SOURCES];
	size_t count = explain_places(in, f, e, places), max = e->max;

	for (size_t i = 0; i < count; i++) {
		/* Each gets its share of the steps that are left. */
		e->max = e->steps.len + (max - e->steps.len) / (count - i);
		if (!sym_is_unknown(why_expression(in, places[i])))
			explain_place(in, places[i], e);
	}
	e->max = max;
}
