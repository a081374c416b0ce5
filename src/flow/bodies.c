/*
 * Graphs inside nodes: branches, loops, and local functions.
 *
 * Their values have tracks like any other.  A body sees the values around it, and so the inputs
 * of the model; a function sees only what it is given, so sizes come from its formal inputs.
 */
#include "flow/bodies.h"

#include <inttypes.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/sv.h"
#include "base/vec.h"
#include "flow/array.h"
#include "flow/axis.h"
#include "flow/cause.h"
#include "flow/pass.h"
#include "flow/plan.h"
#include "flow/rules.h"
#include "flow/visit.h"
#include "ir/graph.h"
#include "ops/info.h"
#include "sym/sym.h"

static uint32_t body_attr(const struct visit *v, const char *name)
{
	const struct attr *a = node_attr(v->pass->in->model, v->node, name);

	return a && a->kind == ATTR_GRAPH && !a->ref ? a->graph : 0;
}

bool flow_body_run(struct visit *v, uint32_t graph)
{
	const struct graph *g = &v->pass->in->model->graphs.at[graph];
	bool ok = true;

	if (v->pass->depth == PASS_MAX_DEPTH)
		return flow_refuse(v, CAUSE_LIMIT, "bodies are nested too deeply");
	/* What is computed inside is not seen outside, and not by the other branch. */
	plan_forget(&v->pass->plan);
	v->pass->depth++;
	for (size_t i = 0; ok && i < g->order.len; i++)
		ok = pass_node(v->pass, g->order.at[i]);
	v->pass->depth--;
	plan_forget(&v->pass->plan);
	v->pass->plan.before = v->id;
	return ok;
}

const struct track *flow_body_output(const struct visit *v, uint32_t graph, uint32_t output)
{
	const struct graph *g = &v->pass->in->model->graphs.at[graph];

	return output < g->outputs.len ? &v->pass->tracks[g->outputs.at[output]]
				       : &v->pass->tracks[0];
}

void flow_body_set_input(const struct visit *v, uint32_t graph, uint32_t input,
			 const struct track *t)
{
	const struct graph *g = &v->pass->in->model->graphs.at[graph];

	if (input < g->inputs.len && g->inputs.at[input]) {
		v->pass->tracks[g->inputs.at[input]] = *t;
		v->pass->tracks[g->inputs.at[input]].constant = false;
		/* Whatever reaches the node may reach any input of its body. */
		for (uint32_t i = 0; i < v->node->output_count; i++)
			v->pass->depends[g->inputs.at[input]] |=
				v->pass->depends[v->node->outputs[i]];
	}
}

static bool same_axes(struct visit *v, const struct track *a, const struct track *b)
{
	if (!a->known || !b->known || a->rank != b->rank)
		return false;
	for (uint32_t i = 0; i < a->rank; i++) {
		if (!axis_same(&v->pass->factory, a->axes[i], b->axes[i]))
			return false;
	}
	return true;
}

/* The outputs of a node with a body: no shape rule says them again, so the old sizes must fit. */
bool visit_put_as(struct visit *v, uint32_t output, const struct flow_axis *axes, uint32_t rank)
{
	struct track *t = &v->pass->tracks[v->node->outputs[output]];

	if (!v->node->outputs[output])
		return true;
	if (visit_rank(v, output) != rank)
		return flow_refuse(v, CAUSE_OPERATOR, "the shape of an output is not known");
	for (uint32_t i = 0; i < rank; i++) {
		if (axis_old(axes[i]) != visit_old(v, output, i))
			return flow_refuse(v, CAUSE_OPERATOR,
					   "the shape of an output is not known");
	}
	*t = (struct track){.known = true, .rank = rank, .axes = axes};
	return true;
}

/* ---- If ---- */

bool flow_if(struct visit *v)
{
	uint32_t graphs[2] = {body_attr(v, "then_branch"), body_attr(v, "else_branch")};
	const struct array *condition = v->in[0].constant ? visit_array(v, 0) : NULL;
	uint32_t taken = condition && condition->count == 1 ? !condition->bytes[0] : 2;

	for (uint32_t i = 0; i < 2; i++) {
		if (taken != 2 && taken != i)
			continue;
		if (!graphs[i] || !flow_body_run(v, graphs[i]))
			return graphs[i] ? false
					 : flow_refuse(v, CAUSE_BROKEN, "a branch is missing");
	}
	for (uint32_t i = 0; i < v->node->output_count; i++) {
		const struct track *t = flow_body_output(v, graphs[taken == 1], i);

		if (!t->known ||
		    (taken == 2 && !same_axes(v, t, flow_body_output(v, graphs[1], i))))
			return flow_refuse(v, CAUSE_OPERATOR,
					   "its branches do not have the same axes");
		if (!visit_put_as(v, i, t->axes, t->rank))
			return false;
	}
	return true;
}

/* ---- Loop and Scan ---- */

/* An initial state that is a constant follows what the body makes of it. */
static bool follow_state(struct visit *v, uint32_t port, const struct track *made)
{
	struct follow spec[RULE_MAX_RANK] = {0};
	struct track *t = &v->in[port];
	struct flow_axis *axes = visit_axes(v, t->rank);

	if (!t->known || !made->known || t->rank != made->rank)
		return flow_refuse(v, CAUSE_OPERATOR, "a state changes its rank");
	for (uint32_t k = 0; k < t->rank; k++) {
		axes[k] = t->axes[k];
		if (axis_same(&v->pass->factory, t->axes[k], made->axes[k]))
			continue;
		if (axis_symbols(t->axes[k]) || axis_old(t->axes[k]) != axis_old(made->axes[k]))
			return flow_refuse(v, CAUSE_OPERATOR,
					   "a state changes its size along the axis");
		if (!t->constant)
			return flow_demand(v, port, k, made->axes[k]);
		axes[k] = made->axes[k];
		spec[k] = (struct follow){true, axes[k]};
	}
	if (!flow_follow(v, port, spec, false))
		return false;
	t->axes = axes;
	t->constant = false;
	return true;
}

/*
 * Runs the body until its states have the axes that they begin with; each round makes at least one
 * more axis follow.
 */
static bool settle_states(struct visit *v, uint32_t graph, uint32_t first_port,
			  uint32_t first_input, uint32_t first_output, uint32_t states)
{
	bool changed = true;

	for (unsigned round = 0; changed && round < 4; round++) {
		struct pass_mark mark;

		changed = false;
		for (uint32_t i = 0; i < states; i++)
			flow_body_set_input(v, graph, first_input + i, &v->in[first_port + i]);
		mark = pass_mark(v->pass);
		if (!flow_body_run(v, graph))
			return false;
		for (uint32_t i = 0; i < states && !changed; i++) {
			const struct track *made = flow_body_output(v, graph, first_output + i);

			if (same_axes(v, made, &v->in[first_port + i]))
				continue;
			pass_return(v->pass, &mark);
			if (!follow_state(v, first_port + i, made))
				return false;
			changed = true;
		}
	}
	return !changed || flow_refuse(v, CAUSE_OPERATOR, "its states do not settle");
}

/* Outputs of all rounds, put together along a new first axis. */
static bool put_rounds(struct visit *v, uint32_t output, struct flow_axis rounds,
		       const struct track *one)
{
	struct flow_axis *axes = visit_axes(v, one->rank + 1);

	if (!one->known)
		return flow_refuse(v, CAUSE_OPERATOR, "the shape of an output is not known");
	axes[0] = rounds;
	for (uint32_t k = 0; k < one->rank; k++)
		axes[k + 1] = one->axes[k];
	return visit_put_as(v, output, axes, one->rank + 1);
}

static bool put_states(struct visit *v, uint32_t first_port, uint32_t states)
{
	for (uint32_t i = 0; i < states && i < v->node->output_count; i++) {
		if (!visit_put_as(v, i, v->in[first_port + i].axes, v->in[first_port + i].rank))
			return false;
	}
	return true;
}

static bool has_sequence(const struct visit *v)
{
	for (uint32_t i = 2; i < v->node->input_count; i++) {
		if (v->in[i].is_sequence)
			return true;
	}
	return false;
}

/* A number of rounds that is the old size of what the Loop reads: perhaps one for each. */
static bool check_rounds(struct visit *v, int64_t rounds)
{
	struct pass *p = v->pass;
	uint64_t reach = 0;

	for (uint32_t i = 0; i < v->node->output_count; i++)
		reach |= p->depends[v->node->outputs[i]] & ~p->carried;
	for (size_t i = 0; i < p->known.len; i++) {
		const struct factor *f = &p->known.at[i];

		if (f->symbols & reach && f->old == rounds && rounds > 1)
			return flow_refuse(v, CAUSE_MEANT,
					   "it runs %" PRId64 " times, which may be %s", rounds,
					   flow_text(p, f->size));
	}
	return true;
}

bool flow_loop(struct visit *v)
{
	struct pass *p = v->pass;
	uint32_t graph = body_attr(v, "body");
	uint32_t states = v->node->input_count > 2 ? v->node->input_count - 2 : 0;
	struct track scalar = {.known = true}, number = scalar;
	const struct sym *trips = NULL;
	uint32_t count = 0;
	int64_t rounds_old;

	if (!graph)
		return flow_refuse(v, CAUSE_BROKEN, "its body is missing");
	if (has_sequence(v))
		return flow_unrolled(v, graph);
	(void)visit_list(v, 0, &trips, &count);
	number.counted = count == 1 && sym_value(&p->in->pool, trips[0], &rounds_old);
	if (number.counted && !check_rounds(v, rounds_old))
		return false;
	flow_body_set_input(v, graph, 0, &number);
	flow_body_set_input(v, graph, 1, &scalar);
	if (!settle_states(v, graph, 2, 2, 1, states) || !put_states(v, 2, states))
		return false;
	for (uint32_t i = states; i < v->node->output_count; i++) {
		int64_t old = visit_old(v, i, 0);
		struct flow_axis rounds = axis_number(&p->factory, old);

		if (count == 1 && flow_symbols(&p->factory, trips[0])) {
			rounds = axis_of(&p->factory, trips[0], old);
			flow_mix(v, axis_symbols(rounds), "a Loop runs once for each");
		}
		if (!put_rounds(v, i, rounds, flow_body_output(v, graph, 1 + i)))
			return false;
	}
	return true;
}

bool flow_scan(struct visit *v)
{
	struct pass *p = v->pass;
	uint32_t graph = body_attr(v, "body"), inputs = v->node->input_count, states, ignored;
	int64_t scanned = visit_attr(v, "num_scan_inputs", 0);
	struct flow_axis rounds = {0};
	const int64_t *list;

	if (!graph || scanned < 1 || scanned > inputs || visit_version(v) < 9 ||
	    visit_attr_ints(v, "scan_input_axes", &list, &ignored) ||
	    visit_attr_ints(v, "scan_output_axes", &list, &ignored))
		return flow_refuse(v, CAUSE_OPERATOR,
				   "axed cannot follow an axis through this Scan");
	states = inputs - (uint32_t)scanned;
	for (uint32_t i = states; i < inputs; i++) {
		struct track one = v->in[i];

		if (!one.known || one.rank == 0)
			return flow_refuse(v, CAUSE_OPERATOR, "the shape of an input is not known");
		rounds = one.axes[0];
		if (!axis_same(&p->factory, rounds, v->in[states].axes[0]))
			return flow_refuse(v, CAUSE_OPERATOR,
					   "its inputs do not have the same length");
		one.axes++;
		one.rank--;
		flow_body_set_input(v, graph, i, &one);
	}
	flow_mix(v, axis_symbols(rounds), "a Scan runs along it");
	if (!settle_states(v, graph, 0, 0, 0, states) || !put_states(v, 0, states))
		return false;
	for (uint32_t i = states; i < v->node->output_count; i++) {
		if (!put_rounds(v, i, rounds, flow_body_output(v, graph, i)))
			return false;
	}
	return true;
}

/* ---- functions ---- */

/* Inside a function, sizes come from formal inputs that have one as a whole axis. */
static void set_formal_sources(struct visit *v, const struct graph *g)
{
	struct pass *p = v->pass;

	vec_clear(&p->plan.sources);
	for (size_t i = 0; i < g->inputs.len; i++) {
		const struct track *t = &p->tracks[g->inputs.at[i]];

		for (uint32_t k = 0; t->known && k < t->rank; k++) {
			uint32_t symbol;

			if (t->axes[k].count == 1 &&
			    sym_symbol_id(&p->in->pool, t->axes[k].at[0].size, &symbol))
				vec_push(&p->plan.sources,
					 ((struct plan_source){symbol, g->inputs.at[i], k, 1}));
		}
	}
}

uint64_t plan_print(const struct plan *p, const struct pass_mark *m)
{
	uint64_t hash = 1;

	for (size_t i = m->nodes; i < p->nodes.len; i++) {
		const struct plan_node *n = &p->nodes.at[i];

		hash = hash_bytes(sv_of(n->op), hash);
		for (uint32_t k = 0; k < n->input_count; k++)
			hash = hash_u64(n->inputs[k] & PLAN_MADE ? n->inputs[k] - (uint32_t)m->nodes
								 : n->inputs[k],
					hash);
		if (n->is_constant)
			hash = hash_bytes((struct sv){(const char *)n->array.bytes,
						      n->array.count * array_width(n->array.elem)},
					  hash);
	}
	for (size_t i = m->inputs; i < p->inputs.len; i++) {
		const struct plan_input *in = &p->inputs.at[i];

		hash = hash_u64((uint64_t)in->node << 32 | in->port, hash);
		hash = hash_u64(in->ref & PLAN_MADE ? in->ref - (uint32_t)m->nodes : in->ref, hash);
	}
	return hash;
}

static const struct function *called_function(const struct pass *p, const struct node *n)
{
	const struct model *m = p->in->model;

	for (size_t i = 0; i < m->functions.len; i++) {
		const struct function *f = &m->functions.at[i];

		if (f->name == n->op && f->domain == n->domain && f->overload == n->overload)
			return f;
	}
	return NULL;
}

bool pass_is_call(const struct pass *p, const struct node *n)
{
	return called_function(p, n);
}

bool pass_call(struct visit *v)
{
	struct pass *p = v->pass;
	const struct function *f = called_function(p, v->node);
	const struct graph *g = &p->in->model->graphs.at[f->graph];
	struct pass_mark mark = pass_mark(p);
	uint32_t *known = map_find(&p->calls, f->graph);
	uint32_t hash;
	bool ok;

	for (uint32_t i = 0; i < g->inputs.len; i++)
		flow_body_set_input(v, f->graph, i,
				    i < v->node->input_count ? &v->in[i] : &p->tracks[0]);
	set_formal_sources(v, g);
	plan_forget(&p->plan);
	ok = flow_body_run(v, f->graph);
	pass_set_sources(p);
	plan_forget(&p->plan);
	if (!ok)
		return false;
	hash = (uint32_t)plan_print(&p->plan, &mark) | 1;
	if (known && *known != hash && !p->watch)
		return flow_refuse(v, CAUSE_OPERATOR,
				   "calls of the function would need different changes");
	if (known)
		pass_return(p, &mark);
	*map_at(&p->calls, f->graph) = hash;
	for (uint32_t i = 0; i < v->node->output_count; i++) {
		const struct track *t = flow_body_output(v, f->graph, i);

		if (!t->known || !visit_put_as(v, i, t->axes, t->rank))
			return t->known ? false
					: flow_refuse(v, CAUSE_OPERATOR,
						      "the shape of an output is not known");
	}
	return true;
}
