#include "flow/watch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/num.h"
#include "base/str.h"
#include "base/vec.h"
#include "flow/axis.h"
#include "flow/cause.h"
#include "flow/pass.h"
#include "flow/plan.h"
#include "flow/rules.h"
#include "flow/visit.h"
#include "ir/graph.h"
#include "ir/type.h"
#include "ops/info.h"
#include "sym/sym.h"

enum {
	VISITS_PER_NODE = 8, /* on average: bodies and single sizes visit a node again */
	MORE_VISITS = 4096,
	REACH_PER_VISIT = 8 /* leaves of sizes */
};

/* ---- what is not known ---- */

static struct sym unknown_size(struct pass *p, int64_t old)
{
	struct sym_pool *pool = &p->in->pool;
	struct str name = {0};
	struct sym s;
	uint32_t id = 0;

	for (size_t i = 0; i < p->unknowns.len; i++) {
		if (p->unknowns.at[i].old == old)
			return pool->symbols.at[p->unknowns.at[i].symbol].self;
	}
	str_format(&name, "?%" PRId64, old);
	while (!sym_is_unknown(sym_find(pool, str_sv(&name))))
		str_char(&name, '?');
	s = sym_declare(pool, str_sv(&name));
	str_release(&name);
	if (sym_symbol_id(pool, s, &id))
		vec_push(&p->unknowns, ((struct unknown_size){id, old}));
	return s;
}

struct flow_axis watch_unknown(struct pass *p, int64_t old)
{
	return axis_some(&p->factory, unknown_size(p, old), old, FLOW_UNKNOWN);
}

/* Nothing is known about the outputs but their sizes. */
static void forget_outputs(struct pass *p, const struct node *n)
{
	for (uint32_t i = 0; i < n->output_count; i++) {
		const struct info *info = &p->in->infos[n->outputs[i]];
		struct flow_axis *axes = arena_array(&p->arena, info->rank, struct flow_axis);
		struct track *t = &p->tracks[n->outputs[i]];
		bool known = info->kind == TYPE_TENSOR && info->ranked;

		if (!n->outputs[i])
			continue;
		for (uint32_t k = 0; known && k < info->rank; k++) {
			int64_t size;

			known = sym_value(&p->in->pool, info->dims[k], &size);
			if (known)
				axes[k] = watch_unknown(p, size);
		}
		*t = (struct track){.known = known, .lost = !known, .rank = info->rank, axes};
	}
}

/* ---- one node ---- */

static bool outputs_known(const struct visit *v)
{
	for (uint32_t i = 0; i < v->node->output_count; i++) {
		if (v->node->outputs[i] && !v->pass->tracks[v->node->outputs[i]].known)
			return false;
	}
	return true;
}

static void clear_outputs(struct pass *p, const struct node *n)
{
	for (uint32_t i = 0; i < n->output_count; i++)
		p->tracks[n->outputs[i]] = (struct track){0};
}

/* Does the rule know one way, and only one? */
static bool watch_rule(struct visit *v)
{
	struct pass *p = v->pass;
	struct pass_mark mark = pass_mark(p);
	bool ok;

	clear_outputs(p, v->node);
	ok = pass_is_call(p, v->node) ? pass_call(v) : flow_rule_run(v);
	if (ok && p->choices.len > mark.choices)
		ok = flow_refuse(v, CAUSE_OPERATOR, "%s", vec_last(&p->choices)->what);
	if (ok && p->assumptions.len > mark.assumptions)
		ok = flow_refuse(v, CAUSE_OPERATOR, "unless %s", vec_last(&p->assumptions)->text);
	ok = ok &&
	     (outputs_known(v) || flow_refuse(v, CAUSE_OPERATOR, "its outputs are not known"));
	if (!ok)
		pass_return(p, &mark);
	p->plan.notes.len = mark.notes; /* of changes, which nobody makes */
	return ok;
}

static bool reads_unknown(const struct visit *v)
{
	for (uint32_t i = 0; i < v->node->input_count; i++) {
		if (visit_has(v, i) && !v->in[i].known)
			return true;
	}
	return false;
}

/* ---- one size at a time ---- */

/* What a node makes of each size. */
struct spots {
	struct visit *visit;
	struct track *runs; /* in the arena: one per output, for each size that could be followed */
	uint32_t run_count;
	bool lost;     /* a size could not be followed */
	bool lost_one; /* the same, of sizes that are 1 */
};

/* A digit of an axis, and how many elements its step is. */
struct spot {
	struct factor factor;
	int64_t step;
};

static uint64_t read_symbols(const struct visit *v)
{
	uint64_t symbols = 0;

	for (uint32_t i = 0; i < v->node->input_count; i++) {
		for (uint32_t k = 0; k < v->in[i].rank; k++)
			symbols |= axis_symbols(v->in[i].axes[k]);
	}
	return symbols;
}

static struct flow_axis axis_alone(struct pass *p, struct flow_axis a, uint64_t bit)
{
	struct factor *factors = arena_array(&p->arena, a.count, struct factor);

	for (uint32_t i = 0; i < a.count; i++)
		factors[i] = a.at[i].symbols & bit ? a.at[i]
						   : factor_number(&p->factory, a.at[i].old);
	return axis_make(&p->factory, factors, a.count);
}

/* The node as it is when every other size is a number; was the size ever more than 1? */
static bool visit_alone(struct pass *p, uint32_t id, uint64_t bit, struct visit *v)
{
	bool large = false;

	pass_visit(p, id, v);
	for (uint32_t i = 0; i < v->node->input_count; i++) {
		struct track *t = &v->in[i];
		struct flow_axis *axes = visit_axes(v, t->rank);
		struct sym *dims = arena_array(&p->arena, t->rank, struct sym);

		if (t->constant || !t->known)
			continue;
		for (uint32_t k = 0; k < t->rank; k++) {
			axes[k] = axis_alone(p, t->axes[k], bit);
			dims[k] = axis_size(&p->factory, axes[k]);
			for (uint32_t j = 0; j < axes[k].count; j++)
				large |= axes[k].at[j].symbols && axes[k].at[j].old != 1;
		}
		t->axes = axes;
		v->infos[i].dims = dims;
	}
	return large;
}

static void run_alone(struct spots *s, uint64_t bit)
{
	struct pass *p = s->visit->pass;
	const struct node *n = s->visit->node;
	struct visit v;
	bool large = visit_alone(p, s->visit->id, bit, &v);

	p->visits++;
	if (!watch_rule(&v)) {
		s->lost |= large;
		s->lost_one |= !large;
		return;
	}
	for (uint32_t i = 0; i < n->output_count; i++)
		s->runs[s->run_count * n->output_count + i] = p->tracks[n->outputs[i]];
	s->run_count++;
}

static int spot_vagueness(const struct spot *s)
{
	return (s->factor.step == FACTOR_SOME) + 2 * !!(s->factor.symbols & FLOW_UNKNOWN);
}

/* The most significant first.  Of two at one place, the one that says more. */
static int compare_spots(const void *a, const void *b)
{
	const struct spot *x = a, *y = b;
	int64_t top_x = x->step * x->factor.old, top_y = y->step * y->factor.old;

	if (top_x != top_y)
		return top_x > top_y ? -1 : 1;
	if (x->step != y->step)
		return x->step > y->step ? -1 : 1;
	return spot_vagueness(x) - spot_vagueness(y);
}

static uint32_t find_spots(const struct spots *s, uint32_t output, uint32_t axis, struct spot *out,
			   uint32_t max)
{
	uint32_t count = 0;

	for (uint32_t r = 0; r < s->run_count; r++) {
		struct flow_axis a = s->runs[r * s->visit->node->output_count + output].axes[axis];
		int64_t step = 1;

		for (uint32_t i = a.count; i-- > 0;) {
			if (factor_is_origin(&a.at[i]) && count < max)
				out[count++] = (struct spot){a.at[i], step};
			if (!num_imul(step, a.at[i].old, &step))
				return max;
		}
	}
	qsort(out, count, sizeof(*out), compare_spots);
	return count;
}

static struct factor gap_factor(struct spots *s, int64_t old)
{
	struct pass *p = s->visit->pass;

	return s->lost ? watch_unknown(p, old).at[0] : factor_number(&p->factory, old);
}

/* The digits of all sizes in one axis; unknown when they do not fit. */
static struct flow_axis lay_spots(struct spots *s, uint32_t output, uint32_t axis)
{
	struct pass *p = s->visit->pass;
	struct spot spots[RULE_MAX_RANK];
	struct factor out[2 * RULE_MAX_RANK + 1];
	uint32_t count = find_spots(s, output, axis, spots, RULE_MAX_RANK), used = 0;
	int64_t old = visit_old(s->visit, output, axis), left = old;

	if (count == RULE_MAX_RANK || old < 1 || (old == 1 && !count && s->lost_one))
		return watch_unknown(p, old);
	for (uint32_t i = 0; i < count; i++) {
		int64_t top = spots[i].step * spots[i].factor.old;

		/* Two sizes that go together: the first is told. */
		if (i && spots[i].factor.old > 1 && spots[i].step == spots[i - 1].step &&
		    spots[i].factor.old == spots[i - 1].factor.old)
			continue;
		if (top < 1 || top > left || left % top)
			return watch_unknown(p, old);
		if (top < left)
			out[used++] = gap_factor(s, left / top);
		out[used++] = spots[i].factor;
		left = spots[i].step;
	}
	if (left > 1)
		out[used++] = gap_factor(s, left);
	return axis_make(&p->factory, out, used);
}

/* Sizes that are long expressions are looked through wherever they are read. */
static uint64_t watch_cost(const struct visit *v)
{
	const struct sym_pool *pool = &v->pass->in->pool;
	uint64_t reach = 0;

	for (uint32_t i = 0; i < v->node->input_count; i++) {
		const struct info *info = &v->pass->in->infos[v->node->inputs[i]];
		const struct track *t = &v->in[i];

		for (uint32_t k = 0; info->ranked && k < info->rank; k++)
			reach += sym_reach(pool, info->dims[k]);
		for (uint32_t k = 0; t->contents.at && k < t->contents.count; k++)
			reach += sym_reach(pool, t->contents.at[k]);
	}
	return 1 + reach / REACH_PER_VISIT;
}

static size_t count_symbols(uint64_t symbols)
{
	size_t count = 0;

	for (; symbols; symbols &= symbols - 1)
		count++;
	return count;
}

static bool watch_alone(struct pass *p, uint32_t id)
{
	struct visit v;
	struct spots s = {.visit = &v};
	uint64_t symbols;

	pass_visit(p, id, &v);
	symbols = read_symbols(&v);
	s.runs = arena_array(&p->arena, count_symbols(symbols) * v.node->output_count,
			     struct track);
	p->alone = true;
	for (uint32_t i = 0; i < FLOW_MAX_SYMBOLS; i++) {
		if (!(symbols >> i & 1))
			continue;
		p->visits += watch_cost(&v);
		run_alone(&s, UINT64_C(1) << i);
	}
	p->alone = false;
	clear_outputs(p, v.node);
	for (uint32_t i = 0; s.run_count && i < v.node->output_count; i++) {
		uint32_t rank = visit_rank(&v, i);
		struct flow_axis *axes = visit_axes(&v, rank);

		for (uint32_t k = 0; v.node->outputs[i] && k < rank; k++)
			axes[k] = lay_spots(&s, i, k);
		if (v.node->outputs[i])
			p->tracks[v.node->outputs[i]] = (struct track){
				.known = true, .rank = rank, .axes = axes};
	}
	return s.run_count;
}

bool watch_node(struct pass *p, uint32_t id)
{
	struct visit v;
	char why[sizeof(p->refusal.why)];

	pass_visit(p, id, &v);
	p->visits += watch_cost(&v);
	if (p->visits / VISITS_PER_NODE > p->in->model->nodes.len + MORE_VISITS) {
		forget_outputs(p, v.node);
		plan_note(&p->plan, id, "the model is too large to follow all of it");
		return true;
	}
	if (!pass_reads_free(&v) && !reads_unknown(&v) && !pass_body_reads_free(p, v.node, 0)) {
		pass_leave_alone(&v);
		if (!outputs_known(&v))
			forget_outputs(p, v.node);
		return true;
	}
	if (watch_rule(&v))
		return true;
	(void)snprintf(why, sizeof(why), "%s", p->refusal.why);
	if (pass_has_bodies(v.node) || pass_is_call(p, v.node) || reads_unknown(&v) ||
	    !watch_alone(p, id))
		forget_outputs(p, v.node);
	plan_note(&p->plan, id, "%s", why);
	return true;
}
