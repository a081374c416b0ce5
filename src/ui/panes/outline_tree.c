#include "ui/panes/outline_tree.h"

#include "base/hash.h"
#include "base/map.h"
#include "base/vec.h"
#include "ir/graph.h"
#include "ir/hash.h"

enum {
	DEEPEST_PATH = 4 * SCOPE_DEEPEST /* repeats and shape arithmetic add levels */
};

bool tree_is_folder(const struct tree *t, uint32_t item)
{
	const struct item *i = &t->items.at[item];
	const struct node *n;

	if (i->kind == ITEM_VALUE || i->kind == ITEM_TENSOR)
		return false;
	if (i->kind != ITEM_NODE)
		return true;
	n = &t->model->nodes.at[i->id];
	for (uint32_t k = 0; k < n->attr_count; k++) {
		if ((n->attrs[k].kind == ATTR_GRAPH && !n->attrs[k].ref) ||
		    (n->attrs[k].kind == ATTR_GRAPHS && n->attrs[k].count))
			return true;
	}
	return false;
}

void tree_open(struct tree *t, uint32_t item, bool open)
{
	struct item *i = &t->items.at[item];

	if (item == 0 || i->open == open || !tree_is_folder(t, item))
		return;
	i->open = open;
	*map_at(&t->opened, i->key) = open ? 2 : 1;
	t->stale = true;
}

/* ---- finding ---- */

static uint32_t child_of(struct tree *t, uint32_t parent, enum item_kind kind, uint32_t graph,
			 uint32_t id)
{
	uint32_t child;

	if (!t->items.at[parent].open)
		vec_push(&t->revealed, parent);
	tree_open(t, parent, true);
	tree_fill(t, parent);
	for (child = t->items.at[parent].first; child; child = t->items.at[child].next) {
		const struct item *i = &t->items.at[child];

		if (i->kind == kind && i->graph == graph && i->id == id)
			break;
	}
	return child;
}

static uint32_t reveal_graph(struct tree *t, uint32_t graph)
{
	const struct graph *g = &t->model->graphs.at[graph];
	uint32_t around = 0;

	if (g->kind == GRAPH_BODY)
		around = tree_reveal_node(t, g->owner);
	else if (g->kind == GRAPH_FUNCTION)
		around = child_of(t, 0, ITEM_FUNCTIONS, 0, 0);
	else if (g->kind == GRAPH_TRAINING)
		around = child_of(t, 0, ITEM_TRAINING, 0, 0);
	if (graph && !around)
		return 0;
	return child_of(t, around, ITEM_GRAPH, graph, 0);
}

/* From the graph's item to the item of a scope or, where that has one node only, the one around. */
static uint32_t reveal_scope_from(struct tree *t, uint32_t item, uint32_t graph, uint32_t scope)
{
	const struct scopes *s = &tree_branch(t, graph)->scopes;
	uint32_t path[DEEPEST_PATH], depth = 0;

	for (uint32_t at = scope; at && depth < DEEPEST_PATH; at = s->at[at].parent)
		path[depth++] = at;
	while (item && depth && !tree_only_node(t, graph, path[depth - 1]))
		item = child_of(t, item, ITEM_SCOPE, graph, path[--depth]);
	return item;
}

uint32_t tree_reveal_scope(struct tree *t, uint32_t graph, uint32_t scope)
{
	uint32_t item = reveal_graph(t, graph);

	return item ? reveal_scope_from(t, item, graph, scope) : 0;
}

uint32_t tree_reveal_node(struct tree *t, uint32_t node)
{
	const struct node *n = &t->model->nodes.at[node];
	uint32_t item = node && !n->dead ? reveal_graph(t, n->graph) : 0, scope;

	if (!item)
		return 0;
	scope = tree_branch(t, n->graph)->scopes.of_node[n->index];
	item = reveal_scope_from(t, item, n->graph, scope);
	if (item && t->items.at[item].id == scope && scope_is_constant(t->model, n))
		item = child_of(t, item, ITEM_CONSTANTS, n->graph, scope);
	return item ? child_of(t, item, ITEM_NODE, n->graph, node) : 0;
}

static const struct like *reveal_like(const struct tree *t, uint32_t value)
{
	const struct graph *g = &t->model->graphs.at[0];
	bool output = !(t->model->values.at[value].flags & VALUE_INPUT);
	size_t count = output ? g->outputs.len : g->inputs.len;

	for (size_t i = 0; i < count; i++) {
		if ((output ? g->outputs.at[i] : g->inputs.at[i]) == value)
			return tree_like_of(t, output, i);
	}
	return NULL;
}

uint32_t tree_reveal_value(struct tree *t, uint32_t value)
{
	const struct value *v = &t->model->values.at[value];
	enum item_kind kind = v->flags & VALUE_INPUT ? ITEM_INPUTS : ITEM_OUTPUTS;
	const struct like *like;
	uint32_t item;

	if (!(v->flags & (VALUE_INPUT | VALUE_OUTPUT)))
		return 0;
	item = v->graph ? reveal_graph(t, v->graph) : 0;
	if (v->graph && !item)
		return 0;
	item = child_of(t, item, kind, v->graph, 0);
	like = item ? reveal_like(t, value) : NULL;
	if (like)
		item = child_of(t, item, ITEM_LIKE, v->graph, like->first);
	return item ? child_of(t, item, ITEM_VALUE, v->graph, value) : 0;
}

void tree_unreveal(struct tree *t)
{
	for (size_t i = 0; i < t->revealed.len; i++)
		tree_open(t, t->revealed.at[i], false);
	vec_clear(&t->revealed);
}

void tree_keep_revealed(struct tree *t)
{
	vec_clear(&t->revealed);
}

/* ---- rows ---- */

void tree_list(struct tree *t)
{
	uint32_t item = 0;

	if (!t->stale)
		return;
	t->stale = false;
	vec_clear(&t->rows);
	for (;;) {
		if (item)
			vec_push(&t->rows, item);
		if (t->items.at[item].open)
			tree_fill(t, item);
		if (t->items.at[item].open && t->items.at[item].first) {
			item = t->items.at[item].first;
			continue;
		}
		while (item && !t->items.at[item].next)
			item = t->items.at[item].parent;
		if (!item)
			return;
		item = t->items.at[item].next;
	}
}

size_t tree_row(const struct tree *t, uint32_t item)
{
	for (; item; item = t->items.at[item].parent) {
		for (size_t i = 0; i < t->rows.len; i++) {
			if (t->rows.at[i] == item)
				return i;
		}
	}
	return 0;
}

/* ---- life ---- */

static uint64_t tree_structure_of(const struct model *m)
{
	uint64_t hash = hash_u64(m->values.len, m->nodes.len);

	for (size_t i = 0; i < m->graphs.len; i++) {
		const struct graph *g = &m->graphs.at[i];

		hash = ids_hash(g->nodes.at, g->nodes.len, hash);
		hash = ids_hash(g->inputs.at, g->inputs.len, hash);
		hash = ids_hash(g->outputs.at, g->outputs.len, hash);
		hash = ids_hash(g->initializers.at, g->initializers.len, hash);
	}
	return hash;
}

static void tree_forget(struct tree *t)
{
	for (size_t i = 0; i < t->branches.len; i++) {
		if (t->branches.at[i].ready)
			scopes_release(&t->branches.at[i].scopes);
	}
	vec_clear(&t->branches);
	vec_clear(&t->items);
	vec_clear(&t->rows);
	vec_clear(&t->revealed);
	t->ready_count = 0;
}

bool tree_renew(struct tree *t, const struct model *m, const struct infer *in)
{
	uint64_t structure = tree_structure_of(m);
	bool regrouped = tree_find_likes(t, m, in);

	if (t->items.len && t->model == m && t->structure == structure && !regrouped)
		return false;
	tree_forget(t);
	t->model = m;
	t->structure = structure;
	t->stale = true;
	for (size_t i = 0; i < m->graphs.len; i++)
		(void)vec_add(&t->branches);
	vec_add(&t->items)->open = true;
	return true;
}

void tree_release(struct tree *t)
{
	tree_forget(t);
	tree_forget_likes(t);
	vec_release(&t->likes);
	vec_release(&t->like_of);
	vec_release(&t->branches);
	vec_release(&t->items);
	vec_release(&t->rows);
	vec_release(&t->revealed);
	map_release(&t->opened);
}
