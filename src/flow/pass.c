#include "flow/pass.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/base.h"
#include "base/bug.h"
#include "base/map.h"
#include "base/vec.h"
#include "flow/axis.h"
#include "flow/cause.h"
#include "flow/fold.h"
#include "flow/plan.h"
#include "flow/rules.h"
#include "flow/scalar.h"
#include "flow/sums.h"
#include "ir/graph.h"
#include "ir/type.h"
#include "ops/info.h"
#include "ops/property.h"
#include "sym/sym.h"

/* ---- the old sizes ---- */

static bool plain_track(struct pass *p, const struct info *info, struct track *out);

/* A sequence whose elements are known one by one. */
static bool plain_items(struct pass *p, const struct info *info, struct track *out)
{
	uint32_t count = info->items ? info->item_count : 0;
	struct track *items = arena_array(&p->arena, count, struct track);
	int64_t length;

	if (!sym_value(&p->in->pool, info->length, &length) || length != count)
		return false;
	for (uint32_t i = 0; i < count; i++) {
		if (info->items[i].kind != TYPE_TENSOR ||
		    !plain_track(p, &info->items[i], &items[i]))
			return false;
	}
	*out = (struct track){
		.known = true, .is_sequence = true, .items = items, .item_count = count};
	return true;
}

/* The shape of a value at the old sizes, as axes that are numbers. */
static bool plain_track(struct pass *p, const struct info *info, struct track *out)
{
	struct flow_axis *axes;

	if (info->kind == TYPE_SEQUENCE)
		return plain_items(p, info, out);
	if (info->kind != TYPE_TENSOR || !info->ranked)
		return false;
	axes = arena_array(&p->arena, info->rank, struct flow_axis);
	for (uint32_t i = 0; i < info->rank; i++) {
		int64_t size;

		if (!sym_value(&p->in->pool, info->dims[i], &size))
			return false;
		axes[i] = axis_number(&p->factory, size);
	}
	*out = (struct track){.known = true, .rank = info->rank, .axes = axes};
	return true;
}

static bool plain_axes(struct pass *p, uint32_t value, struct track *out)
{
	return plain_track(p, &p->in->infos[value], out);
}

/* ---- what a node reads ---- */

static bool is_free(const struct track *t)
{
	uint64_t symbols = 0;

	for (uint32_t i = 0; i < t->rank; i++)
		symbols |= axis_symbols(t->axes[i]);
	for (uint32_t i = 0; i < t->item_count; i++) {
		if (is_free(&t->items[i]))
			return true;
	}
	return symbols || t->contents.at;
}

static struct info info_of(struct pass *p, uint32_t value, const struct track *t)
{
	struct info info = p->in->infos[value];
	struct sym *dims;

	if (t->constant || !t->known || t->is_sequence)
		return info;
	dims = arena_array(&p->arena, t->rank, struct sym);
	for (uint32_t i = 0; i < t->rank; i++)
		dims[i] = axis_size(&p->factory, t->axes[i]);
	info.rank = t->rank;
	info.dims = dims;
	info.contents = t->contents;
	info.items = NULL;
	info.tensor = 0;
	return info;
}

void pass_visit(struct pass *p, uint32_t id, struct visit *v)
{
	const struct node *n = &p->in->model->nodes.at[id];

	*v = (struct visit){
		.pass = p,
		.id = id,
		.node = n,
		.in = arena_array(&p->arena, n->input_count, struct track),
		.infos = arena_array(&p->arena, n->input_count, struct info),
		.out = arena_array(&p->arena, n->output_count, struct info),
	};
	for (uint32_t i = 0; i < n->input_count; i++) {
		v->in[i] = p->tracks[n->inputs[i]];
		if (n->inputs[i])
			v->infos[i] = info_of(p, n->inputs[i], &v->in[i]);
	}
	p->plan.before = id;
}

/* ---- nodes that nothing freed reaches ---- */

static bool is_forced(const struct pass *p, uint32_t node)
{
	for (size_t i = 0; i < p->forces.list.len; i++) {
		if (p->forces.list.at[i].node == node)
			return true;
	}
	return false;
}

static bool reads_only_constants(const struct visit *v)
{
	for (uint32_t i = 0; i < v->node->input_count; i++) {
		if (v->node->inputs[i] && !v->in[i].constant)
			return false;
	}
	return true;
}

bool pass_reads_free(const struct visit *v)
{
	for (uint32_t i = 0; i < v->node->input_count; i++) {
		if (is_free(&v->in[i]))
			return true;
	}
	return false;
}

bool pass_has_bodies(const struct node *n)
{
	for (uint32_t i = 0; i < n->attr_count; i++) {
		if (n->attrs[i].kind == ATTR_GRAPH || n->attrs[i].kind == ATTR_GRAPHS)
			return true;
	}
	return false;
}

static bool graph_reads_free(const struct pass *p, uint32_t graph, unsigned depth)
{
	const struct graph *g = &p->in->model->graphs.at[graph];

	for (size_t i = 0; i < g->outputs.len; i++) {
		if (is_free(&p->tracks[g->outputs.at[i]]))
			return true;
	}
	for (size_t i = 0; i < g->nodes.len; i++) {
		const struct node *n = &p->in->model->nodes.at[g->nodes.at[i]];

		for (uint32_t k = 0; k < n->input_count; k++) {
			if (is_free(&p->tracks[n->inputs[k]]))
				return true;
		}
		if (pass_body_reads_free(p, n, depth))
			return true;
	}
	return false;
}

/* Bodies nested too deeply count as reading it: they are refused when they are run. */
bool pass_body_reads_free(const struct pass *p, const struct node *owner, unsigned depth)
{
	for (uint32_t i = 0; i < owner->attr_count; i++) {
		const struct attr *a = &owner->attrs[i];

		if (a->kind == ATTR_GRAPHS ||
		    (a->kind == ATTR_GRAPH &&
		     (depth == PASS_MAX_DEPTH || graph_reads_free(p, a->graph, depth + 1))))
			return true;
	}
	return false;
}

static bool reads_lost(const struct visit *v)
{
	for (uint32_t i = 0; i < v->node->input_count; i++) {
		if (v->in[i].lost)
			return true;
	}
	return false;
}

/* Elements that depend on freed sizes, whatever the shape is: they are no constant. */
static bool reads_sized(const struct visit *v, uint64_t *out_numbered)
{
	bool sized = false;

	for (uint32_t i = 0; i < v->node->input_count; i++) {
		*out_numbered |= v->in[i].numbered;
		sized |= v->in[i].sized || v->in[i].numbered;
	}
	return sized && op_shapes(v->pass->in->model, v->node) != OP_SHAPES_START;
}

/* The outputs are as they were; a constant stays one. */
void pass_leave_alone(struct visit *v)
{
	struct pass *p = v->pass;
	enum op_flow flow = op_flow(p->in->model, v->node);
	bool constant = reads_only_constants(v) && flow != OP_FLOW_NONE && flow != OP_FLOW_RANDOM &&
			!pass_has_bodies(v->node);
	uint64_t numbered = 0;
	bool lost = reads_lost(v), sized = reads_sized(v, &numbered), counted = visit_counted(v);

	if (flow == OP_FLOW_SCALED)
		flow_suspect_scalars(v);
	for (uint32_t i = 0; i < v->node->output_count; i++) {
		struct track *t = &p->tracks[v->node->outputs[i]];

		if (!v->node->outputs[i])
			continue;
		if (lost)
			*t = (struct track){.lost = true};
		/* Sizes of what does not follow are numbers. */
		else if (plain_axes(p, v->node->outputs[i], t) && sized)
			*t = (struct track){.known = true,
					    .rank = t->rank,
					    .axes = t->axes,
					    .numbered = numbered,
					    .sized = true};
		else if (t->known)
			t->constant = constant ||
				      (flow != OP_FLOW_RANDOM && !pass_has_bodies(v->node) &&
				       p->in->infos[v->node->outputs[i]].contents.at &&
				       fold_is_constant(p->folder, v->node->outputs[i]));
		t->counted = counted && t->known;
	}
}

/* ---- the walk ---- */

static uint64_t body_dependence(const struct pass *p, uint32_t graph, unsigned depth);

/* What a node reads; its bodies may read anything that is visible to them. */
static uint64_t node_dependence(const struct pass *p, const struct node *n, unsigned depth)
{
	uint64_t symbols = 0;

	for (uint32_t i = 0; i < n->input_count; i++)
		symbols |= p->depends[n->inputs[i]];
	for (uint32_t i = 0; i < n->attr_count && depth < PASS_MAX_DEPTH; i++) {
		if (n->attrs[i].kind == ATTR_GRAPH && !n->attrs[i].ref)
			symbols |= body_dependence(p, n->attrs[i].graph, depth + 1);
	}
	return symbols;
}

static uint64_t body_dependence(const struct pass *p, uint32_t graph, unsigned depth)
{
	const struct graph *g = &p->in->model->graphs.at[graph];
	uint64_t symbols = 0;

	for (size_t i = 0; i < g->outputs.len; i++)
		symbols |= p->depends[g->outputs.at[i]];
	for (size_t i = 0; i < g->nodes.len; i++)
		symbols |= node_dependence(p, &p->in->model->nodes.at[g->nodes.at[i]], depth);
	return symbols;
}

static void spread_dependence(struct pass *p, uint32_t id)
{
	const struct node *n = &p->in->model->nodes.at[id];
	uint64_t symbols = node_dependence(p, n, 0);

	for (uint32_t i = 0; i < n->output_count; i++)
		p->depends[n->outputs[i]] |= symbols;
	p->depends[0] = 0;
}

static uint64_t track_symbols(const struct pass *p, const struct track *t)
{
	uint64_t symbols = 0;

	for (uint32_t i = 0; i < t->rank; i++)
		symbols |= axis_symbols(t->axes[i]);
	for (uint32_t i = 0; t->contents.at && i < t->contents.count; i++)
		symbols |= flow_symbols(&p->factory, t->contents.at[i]);
	for (uint32_t i = 0; i < t->item_count; i++)
		symbols |= track_symbols(p, &t->items[i]);
	return symbols;
}

/* Only sizes that were free before, and nothing that a demand forces? */
static bool reads_only_carried(const struct visit *v)
{
	uint64_t symbols = 0;

	for (uint32_t i = 0; i < v->node->input_count; i++)
		symbols |= track_symbols(v->pass, &v->in[i]);
	return symbols && !(symbols & ~v->pass->carried) && !is_forced(v->pass, v->id) &&
	       !pass_has_bodies(v->node) && !pass_is_call(v->pass, v->node);
}

/*
 * The node works at every such size as it is.  Where the order of elements cannot be followed, the
 * sizes are enough, or else its outputs are not known.
 */
static bool follow_carried(struct visit *v)
{
	struct pass *p = v->pass;
	struct pass_mark mark = pass_mark(p);
	struct visit again;

	if (flow_rule_run(v) && p->choices.len == mark.choices && p->plan.inputs.len == mark.inputs)
		return true;
	pass_return(p, &mark);
	pass_visit(p, v->id, &again);
	for (uint32_t i = 0; i < again.node->output_count; i++) {
		if (!again.node->outputs[i])
			continue;
		p->tracks[again.node->outputs[i]] = (struct track){0};
		if (!visit_put_sizes(&again, i, NULL))
			p->tracks[again.node->outputs[i]] = (struct track){.lost = true};
	}
	p->refusal = (struct refusal){0};
	return true;
}

bool pass_node(struct pass *p, uint32_t id)
{
	struct visit v;

	if (p->watch)
		return p->watch(p, id);
	spread_dependence(p, id);
	pass_visit(p, id, &v);
	if (!pass_reads_free(&v) && !is_forced(p, id) && !pass_body_reads_free(p, v.node, 0)) {
		pass_leave_alone(&v);
		return true;
	}
	if (reads_only_carried(&v))
		return follow_carried(&v);
	return pass_is_call(p, v.node) ? pass_call(&v) : flow_rule_run(&v);
}

void pass_set_sources(struct pass *p)
{
	vec_clear(&p->plan.sources);
	for (size_t i = 0; i < p->seed_count; i++) {
		const struct seed *s = &p->seeds[i];

		vec_push(&p->plan.sources, ((struct plan_source){
						   .symbol = p->factory.symbols[s->bit],
						   .input = s->input,
						   .axis = s->axis,
						   .multiple = p->multiple[s->bit],
					   }));
	}
}

static void set_inputs(struct pass *p)
{
	const struct graph *g = &p->in->model->graphs.at[0];

	for (uint32_t id = 1; id < p->value_count; id++) {
		const struct value *value = &p->in->model->values.at[id];

		if ((value->tensor || value->sparse) && !(value->flags & VALUE_DEAD) &&
		    plain_axes(p, id, &p->tracks[id]))
			p->tracks[id].constant = !value_is_default(p->in->model, id);
	}
	for (size_t i = 0; i < g->inputs.len; i++)
		if (!p->tracks[g->inputs.at[i]].known)
			(void)plain_axes(p, g->inputs.at[i], &p->tracks[g->inputs.at[i]]);
	for (size_t i = 0; i < p->seed_count; i++) {
		const struct seed *s = &p->seeds[i];
		struct track *t = &p->tracks[s->input];
		struct sym size = sum_size(p, s->bit);

		if (t->known && s->axis < t->rank) {
			struct flow_axis *axes = arena_array(&p->arena, t->rank, struct flow_axis);

			memcpy(axes, t->axes, t->rank * sizeof(*axes));
			axes[s->axis] = axis_of(&p->factory, size, p->old[s->bit]);
			t->axes = axes;
			vec_push(&p->known, t->axes[s->axis].at[0]);
			p->depends[s->input] |= UINT64_C(1) << s->bit | axis_symbols(axes[s->axis]);
			if (!sym_is_unknown(p->sums[s->bit]))
				p->mixed[s->bit] = (struct mixing){
					.is_mixed = true, .why = "its size is that of others"};
		}
	}
}

static bool check_outputs(struct pass *p)
{
	const struct graph *g = &p->in->model->graphs.at[0];

	for (size_t i = 0; i < g->outputs.len; i++) {
		uint32_t value = g->outputs.at[i];
		const struct track *t = &p->tracks[value];
		struct visit v = {.pass = p, .id = p->in->model->values.at[value].producer};

		if (!pass_check_output(&v, value, t))
			return false;
	}
	return true;
}

void pass_reset(struct pass *p)
{
	arena_rewind(&p->arena);
	p->factory.arena = &p->arena;
	p->factory.pool = &p->in->pool;
	p->plan.arena = &p->arena;
	p->plan.pool = &p->in->pool;
	plan_clear(&p->plan);
	map_release(&p->calls);
	p->depth = 0;
	p->visits = 0;
	p->is_joined = false;
	if (!p->tracks) {
		p->value_count = p->in->value_count;
		p->tracks = must_alloc(p->value_count * sizeof(*p->tracks));
		p->turns = must_alloc(p->in->model->nodes.len * sizeof(*p->turns));
		p->depends = must_alloc(p->value_count * sizeof(*p->depends));
	}
	memset(p->depends, 0, p->value_count * sizeof(*p->depends));
	memset(p->tracks, 0, p->value_count * sizeof(*p->tracks));
	memset(p->mixed, 0, sizeof(p->mixed));
	vec_clear(&p->choices);
	memset(p->turns, 0, p->in->model->nodes.len * sizeof(*p->turns));
	vec_clear(&p->bounds);
	map_release(&p->bounds_from);
	map_release(&p->literals_by);
	vec_clear(&p->assumptions);
	vec_clear(&p->known);
	vec_clear(&p->literals);
	vec_clear(&p->scalars);
	p->refusal = (struct refusal){0};
	p->asked_totals = false;
}

/* What was 1 left no trace in the shapes: where items meet, nothing tells how. */
static bool check_mixed(struct pass *p)
{
	for (uint32_t i = 0; i < p->factory.symbol_count; i++) {
		struct visit v = {.pass = p, .id = p->mixed[i].node};

		if (p->mixed[i].is_mixed && p->old[i] == 1 && !(p->carried >> i & 1))
			return flow_refuse(
				&v, CAUSE_ONE, "%s was 1, so nothing shows how its items meet: %s",
				flow_text(p, p->in->pool.symbols.at[p->factory.symbols[i]].self),
				p->mixed[i].why);
	}
	return true;
}

void pass_start(struct pass *p)
{
	pass_reset(p);
	pass_set_sources(p);
	set_inputs(p);
}

bool pass_run_from(struct pass *p, size_t first)
{
	const struct graph *g = &p->in->model->graphs.at[0];

	for (size_t i = first; i < g->order.len; i++) {
		if (p->rejoins && p->rejoins(p->rejoins_context, p, g->order.at[i])) {
			p->is_joined = true;
			return true;
		}
		p->visits++;
		if (!pass_node(p, g->order.at[i]))
			return false;
	}
	if (!check_mixed(p))
		return false;
	return check_outputs(p);
}

bool pass_run(struct pass *p)
{
	pass_start(p);
	return pass_run_from(p, 0);
}

void pass_release(struct pass *p)
{
	vec_release(&p->forces.list);
	vec_release(&p->totals);
	arena_release(&p->forces.arena);
	plan_release(&p->plan);
	map_release(&p->calls);
	free(p->tracks);
	free(p->turns);
	free(p->depends);
	vec_release(&p->choices);
	vec_release(&p->bounds);
	map_release(&p->bounds_from);
	map_release(&p->literals_by);
	vec_release(&p->assumptions);
	vec_release(&p->known);
	vec_release(&p->literals);
	vec_release(&p->scalars);
	vec_release(&p->unknowns);
	arena_release(&p->arena);
}
