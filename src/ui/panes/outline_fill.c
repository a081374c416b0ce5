/*
 * Creates the children of an outline item when it is first opened.
 */
#include "base/arena.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/vec.h"
#include "ir/graph.h"
#include "layout/scope/scope.h"
#include "ui/panes/outline_tree.h"

enum {
	MAX_OPEN = 12 /* inputs or outputs up to which the list starts open */
};

/* ---- scopes of a graph ---- */

/* Nodes by scope, in file order: a counting sort. */
static void fill_list_nodes(struct branch *b, const struct graph *g)
{
	struct scopes *s = &b->scopes;

	b->start = arena_array(&s->arena, s->count + 2, uint32_t);
	b->list = arena_array(&s->arena, g->nodes.len + 1, uint32_t);
	b->marks = arena_array(&s->arena, s->count, uint8_t);
	for (size_t i = 0; i < g->nodes.len; i++)
		b->start[s->of_node[i] + 2]++;
	for (uint32_t i = 2; i < s->count + 2; i++)
		b->start[i] += b->start[i - 1];
	for (size_t i = 0; i < g->nodes.len; i++)
		b->list[b->start[s->of_node[i] + 1]++] = (uint32_t)i;
}

const struct branch *tree_branch(struct tree *t, uint32_t graph)
{
	struct branch *b = &t->branches.at[graph];

	if (b->ready)
		return b;
	scopes_find(&b->scopes, t->model, graph);
	fill_list_nodes(b, &t->model->graphs.at[graph]);
	b->ready = true;
	t->ready_count++;
	return b;
}

/* ---- items ---- */

static uint64_t fill_key_of(const struct tree *t, uint32_t parent, const struct item *i)
{
	uint64_t key = hash_u64((uint64_t)i->kind << 32 | i->graph, t->items.at[parent].key);
	const struct scope *scope;

	if (i->kind != ITEM_SCOPE)
		return hash_u64(i->id, key);
	scope = &t->branches.at[i->graph].scopes.at[i->id];
	key = hash_u64((uint64_t)scope->kind << 32 | scope->node, key);
	return hash_bytes(scope->name, key);
}

/* Does a row of its own belong to it: the first of those that are alike? */
static bool fill_has_row(const struct tree *t, bool output, const uint32_t *values, size_t at)
{
	const struct like *like = tree_like_of(t, output, at);

	return !like || like->first == values[at];
}

/* Rows of the inputs or outputs of the main graph. */
static size_t fill_count_ends(const struct tree *t, bool output)
{
	const struct graph *g = &t->model->graphs.at[0];
	const uint32_t *values = output ? g->outputs.at : g->inputs.at;
	size_t count = output ? g->outputs.len : g->inputs.len, rows = 0;

	for (size_t i = 0; i < count; i++)
		rows += fill_has_row(t, output, values, i);
	return rows;
}

/* The initial state. */
static bool open_at_first(const struct tree *t, const struct item *i)
{
	const struct scope *around;

	switch (i->kind) {
	case ITEM_ROOT:
		return true;
	case ITEM_GRAPH:
		return i->graph == 0;
	case ITEM_INPUTS:
		return i->graph == 0 && fill_count_ends(t, false) <= MAX_OPEN;
	case ITEM_OUTPUTS:
		return i->graph == 0 && fill_count_ends(t, true) <= MAX_OPEN;
	case ITEM_SCOPE:
		/* An only child adds no information. */
		around = t->branches.at[i->graph].scopes.at;
		around += around[i->id].parent;
		return around->child_count == 1 && around->own_count == 0;
	case ITEM_NODE:
	case ITEM_CONSTANTS:
	case ITEM_WEIGHTS:
	case ITEM_FUNCTIONS:
	case ITEM_TRAINING:
	case ITEM_LIKE:
	case ITEM_VALUE:
	case ITEM_TENSOR:
	case ITEM_KIND_COUNT:
		break;
	}
	return false;
}

static void fill_add_item(struct tree *t, uint32_t parent, enum item_kind kind, uint32_t graph,
			  uint32_t id)
{
	uint32_t number = (uint32_t)t->items.len;
	struct item *i = vec_add(&t->items), *p = &t->items.at[parent];
	const uint32_t *opened;

	*i = (struct item){.kind = kind, .graph = graph, .id = id, .parent = parent};
	i->depth = parent ? p->depth + 1 : 0;
	i->key = fill_key_of(t, parent, i);
	opened = map_find(&t->opened, i->key);
	i->open = opened ? *opened == 2 : open_at_first(t, i);
	if (p->last)
		t->items.at[p->last].next = number;
	else
		p->first = number;
	p->last = number;
}

/* The node at a place of the list, and whether it is a constant. */
static uint32_t fill_node_at(const struct tree *t, uint32_t graph, uint32_t place,
			     bool *out_constant)
{
	uint32_t index = t->branches.at[graph].list[place];
	uint32_t node = t->model->graphs.at[graph].nodes.at[index];

	*out_constant = scope_is_constant(t->model, &t->model->nodes.at[node]);
	return node;
}

uint32_t tree_only_node(const struct tree *t, uint32_t graph, uint32_t scope)
{
	const struct branch *b = &t->branches.at[graph];
	bool constant;

	if (b->scopes.at[scope].node_count != 1)
		return 0;
	while (b->scopes.at[scope].first_child)
		scope = b->scopes.at[scope].first_child;
	return fill_node_at(t, graph, b->start[scope], &constant);
}

static void fill_from(struct tree *t, uint32_t item, uint32_t graph, uint32_t scope)
{
	const struct branch *b = tree_branch(t, graph);
	uint32_t child = b->scopes.at[scope].first_child;
	uint32_t place = b->start[scope], end = b->start[scope + 1];
	bool constant, constants = false;

	while (child || place < end) {
		const struct scope *c = &b->scopes.at[child];
		uint32_t node;

		if (child && (place == end || c->first_index < b->list[place])) {
			node = tree_only_node(t, graph, child);
			fill_add_item(t, item, node ? ITEM_NODE : ITEM_SCOPE, graph,
				      node ? node : child);
			child = c->next;
			continue;
		}
		node = fill_node_at(t, graph, place++, &constant);
		if (!constant)
			fill_add_item(t, item, ITEM_NODE, graph, node);
		constants |= constant;
	}
	if (constants)
		fill_add_item(t, item, ITEM_CONSTANTS, graph, scope);
}

static void fill_constants(struct tree *t, uint32_t item)
{
	uint32_t graph = t->items.at[item].graph, scope = t->items.at[item].id;
	const struct branch *b = tree_branch(t, graph);

	for (uint32_t place = b->start[scope]; place < b->start[scope + 1]; place++) {
		bool constant;
		uint32_t node = fill_node_at(t, graph, place, &constant);

		if (constant)
			fill_add_item(t, item, ITEM_NODE, graph, node);
	}
}

static void fill_ends(struct tree *t, uint32_t item, uint32_t graph)
{
	const struct graph *g = &t->model->graphs.at[graph];

	if (g->inputs.len)
		fill_add_item(t, item, ITEM_INPUTS, graph, 0);
	if (g->outputs.len)
		fill_add_item(t, item, ITEM_OUTPUTS, graph, 0);
}

static void fill_add_weights(struct tree *t, uint32_t item, uint32_t graph)
{
	const struct graph *g = &t->model->graphs.at[graph];

	if (g->initializers.len + g->sparses.len)
		fill_add_item(t, item, ITEM_WEIGHTS, graph, 0);
}

/* What goes in and comes out is on top, as a graph is read. */
static void fill_root(struct tree *t, uint32_t item)
{
	fill_ends(t, item, 0);
	fill_add_item(t, item, ITEM_GRAPH, 0, 0);
	fill_add_weights(t, item, 0);
	if (t->model->functions.len)
		fill_add_item(t, item, ITEM_FUNCTIONS, 0, 0);
	if (t->model->trainings.len)
		fill_add_item(t, item, ITEM_TRAINING, 0, 0);
}

static void fill_graph(struct tree *t, uint32_t item)
{
	uint32_t graph = t->items.at[item].graph;

	if (graph)
		fill_ends(t, item, graph);
	fill_from(t, item, graph, 0);
	if (graph)
		fill_add_weights(t, item, graph);
}

static void fill_scope(struct tree *t, uint32_t item)
{
	fill_from(t, item, t->items.at[item].graph, t->items.at[item].id);
}

static void fill_bodies(struct tree *t, uint32_t item)
{
	const struct node *n = &t->model->nodes.at[t->items.at[item].id];

	for (uint32_t i = 0; i < n->attr_count; i++) {
		const struct attr *a = &n->attrs[i];

		if (a->kind == ATTR_GRAPH && !a->ref)
			fill_add_item(t, item, ITEM_GRAPH, a->graph, 0);
		for (uint32_t k = 0; a->kind == ATTR_GRAPHS && k < a->count; k++)
			fill_add_item(t, item, ITEM_GRAPH, a->graphs[k], 0);
	}
}

static void fill_training(struct tree *t, uint32_t item)
{
	for (size_t i = 0; i < t->model->trainings.len; i++) {
		const struct training *training = &t->model->trainings.at[i];

		if (training->initialization)
			fill_add_item(t, item, ITEM_GRAPH, training->initialization, 0);
		if (training->algorithm)
			fill_add_item(t, item, ITEM_GRAPH, training->algorithm, 0);
	}
}

static void fill_functions(struct tree *t, uint32_t item)
{
	for (size_t i = 0; i < t->model->functions.len; i++)
		fill_add_item(t, item, ITEM_GRAPH, t->model->functions.at[i].graph, 0);
}

static void fill_values(struct tree *t, uint32_t item, bool output)
{
	uint32_t graph = t->items.at[item].graph;
	const struct graph *g = &t->model->graphs.at[graph];
	const uint32_t *values = output ? g->outputs.at : g->inputs.at;
	size_t count = output ? g->outputs.len : g->inputs.len;

	for (size_t i = 0; i < count; i++) {
		const struct like *like = graph ? NULL : tree_like_of(t, output, i);

		if (!like)
			fill_add_item(t, item, ITEM_VALUE, graph, values[i]);
		else if (like->first == values[i])
			fill_add_item(t, item, ITEM_LIKE, graph, values[i]);
	}
}

static void fill_inputs(struct tree *t, uint32_t item)
{
	fill_values(t, item, false);
}

static void fill_outputs(struct tree *t, uint32_t item)
{
	fill_values(t, item, true);
}

static void fill_like(struct tree *t, uint32_t item)
{
	const struct graph *g = &t->model->graphs.at[0];
	uint32_t first = t->items.at[item].id;
	bool output = t->items.at[t->items.at[item].parent].kind == ITEM_OUTPUTS;
	const uint32_t *values = output ? g->outputs.at : g->inputs.at;
	size_t count = output ? g->outputs.len : g->inputs.len;

	for (size_t i = 0; i < count; i++) {
		const struct like *like = tree_like_of(t, output, i);

		if (like && like->first == first)
			fill_add_item(t, item, ITEM_VALUE, 0, values[i]);
	}
}

static void fill_weights(struct tree *t, uint32_t item)
{
	uint32_t graph = t->items.at[item].graph;
	const struct graph *g = &t->model->graphs.at[graph];

	for (size_t i = 0; i < g->initializers.len; i++)
		fill_add_item(t, item, ITEM_TENSOR, graph, g->initializers.at[i]);
	for (size_t i = 0; i < g->sparses.len; i++)
		fill_add_item(t, item, ITEM_TENSOR, graph, g->sparses.at[i].values);
}

void tree_fill(struct tree *t, uint32_t item)
{
	static void (*const fillers[ITEM_KIND_COUNT])(struct tree * t, uint32_t item) = {
		[ITEM_ROOT] = fill_root,           [ITEM_GRAPH] = fill_graph,
		[ITEM_SCOPE] = fill_scope,         [ITEM_NODE] = fill_bodies,
		[ITEM_CONSTANTS] = fill_constants, [ITEM_INPUTS] = fill_inputs,
		[ITEM_OUTPUTS] = fill_outputs,     [ITEM_WEIGHTS] = fill_weights,
		[ITEM_FUNCTIONS] = fill_functions, [ITEM_TRAINING] = fill_training,
		[ITEM_LIKE] = fill_like,
		/* the rest has nothing inside */
	};
	struct item *i = &t->items.at[item];

	if (i->filled)
		return;
	i->filled = true;
	if (fillers[i->kind])
		fillers[i->kind](t, item);
}
