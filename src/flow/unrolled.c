/*
 * A Loop that is run round by round, because a sequence grows in it.
 *
 * Each round is followed with its own number; what is planned must be the same in all of them.
 */
#include "base/arena.h"
#include "flow/array.h"
#include "flow/bodies.h"
#include "flow/cause.h"
#include "flow/fold.h"
#include "flow/visit.h"
#include "ir/graph.h"
#include "ops/info.h"
#include "sym/sym.h"

enum {
	MAX_ROUNDS = 16
};

static bool is_true(const struct array *a)
{
	return a && a->count == 1 && a->bytes[0];
}

/* How often it runs; 0 when that is not known. */
static uint32_t count_rounds(struct visit *v, uint32_t graph)
{
	const struct graph *g = &v->pass->in->model->graphs.at[graph];
	const int64_t *trips;
	uint32_t count;

	if (!visit_numbers(v, 0, &trips, &count) || count != 1 || trips[0] < 1 ||
	    trips[0] > MAX_ROUNDS)
		return 0;
	if ((visit_has(v, 1) && !is_true(visit_array(v, 1))) || !g->outputs.len ||
	    !is_true(fold_value(v->pass->folder, g->outputs.at[0])))
		return 0;
	return (uint32_t)trips[0];
}

/* A scalar, which some bodies declare as [1]. */
static struct track one_element(struct visit *v, uint32_t graph, uint32_t input)
{
	const struct graph *g = &v->pass->in->model->graphs.at[graph];
	uint32_t rank = input < g->inputs.len ? v->pass->in->infos[g->inputs.at[input]].rank : 0;

	return (struct track){.known = true, .rank = rank, .axes = visit_axes(v, rank)};
}

static struct track round_number(struct visit *v, uint32_t graph, uint32_t round)
{
	struct sym *number = arena_array(&v->pass->arena, 1, struct sym);
	struct track t = one_element(v, graph, 0);

	*number = sym_int(&v->pass->in->pool, round);
	t.contents = (struct contents){.at = number, .count = 1};
	return t;
}

static bool run_round(struct visit *v, uint32_t graph, uint32_t round, struct track *states,
		      uint32_t count)
{
	struct track number = round_number(v, graph, round), condition = one_element(v, graph, 1);

	flow_body_set_input(v, graph, 0, &number);
	flow_body_set_input(v, graph, 1, &condition);
	for (uint32_t i = 0; i < count; i++)
		flow_body_set_input(v, graph, 2 + i, &states[i]);
	if (!flow_body_run(v, graph))
		return false;
	for (uint32_t i = 0; i < count; i++) {
		states[i] = *flow_body_output(v, graph, 1 + i);
		if (!states[i].known)
			return flow_refuse(v, CAUSE_OPERATOR, "the shape of a state is not known");
	}
	return true;
}

bool flow_unrolled(struct visit *v, uint32_t graph)
{
	uint32_t count = v->node->input_count - 2, rounds = count_rounds(v, graph);
	struct track *states = arena_array(&v->pass->arena, count, struct track);
	uint64_t planned = 0;

	if (!rounds || v->node->output_count > count)
		return flow_refuse(v, CAUSE_OPERATOR, "nothing shows how often it runs");
	for (uint32_t i = 0; i < count; i++)
		states[i] = v->in[2 + i];
	for (uint32_t round = 0; round < rounds; round++) {
		struct pass_mark mark = pass_mark(v->pass);
		uint64_t print;

		if (!run_round(v, graph, round, states, count))
			return false;
		print = plan_print(&v->pass->plan, &mark);
		if (round && print != planned)
			return flow_refuse(v, CAUSE_OPERATOR,
					   "its rounds would need different changes");
		planned = print;
		if (round)
			pass_return(v->pass, &mark);
	}
	for (uint32_t i = 0; i < v->node->output_count; i++) {
		if (states[i].is_sequence)
			v->pass->tracks[v->node->outputs[i]] = states[i];
		else if (!visit_put_as(v, i, states[i].axes, states[i].rank))
			return false;
	}
	return true;
}
