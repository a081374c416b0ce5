#include "ir/build.h"

#include <string.h>

#include "base/bug.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/sv.h"
#include "base/vec.h"

void model_init(struct model *m)
{
	*m = (struct model){0};
	(void)vec_add(&m->nodes);
	(void)vec_add(&m->values);
	(void)vec_add(&m->tensors);
	(void)vec_add(&m->claims);
	(void)graph_new(m, GRAPH_MAIN);
}

uint32_t model_intern(struct model *m, struct sv text)
{
	return intern_add(&m->names, text);
}

uint32_t graph_new(struct model *m, enum graph_kind kind)
{
	vec_add(&m->graphs)->kind = kind;
	return (uint32_t)m->graphs.len - 1;
}

uint32_t node_new(struct model *m, uint32_t graph)
{
	struct graph *g = &m->graphs.at[graph];
	struct node *n = vec_add(&m->nodes);
	uint32_t id = (uint32_t)m->nodes.len - 1;

	n->graph = graph;
	n->index = (uint32_t)g->nodes.len;
	vec_push(&g->nodes, id);
	return id;
}

uint32_t tensor_new(struct model *m)
{
	(void)vec_add(&m->tensors);
	return (uint32_t)m->tensors.len - 1;
}

static uint32_t *build_place_of(struct model *m, uint32_t graph, uint32_t name)
{
	return map_at(&m->by_name, (uint64_t)graph << 32 | name);
}

static uint32_t value_new(struct model *m, uint32_t graph, uint32_t name, unsigned flags)
{
	struct value *v = vec_add(&m->values);

	v->name = name;
	v->graph = graph;
	v->flags = flags;
	return (uint32_t)m->values.len - 1;
}

static void add_flaw(struct model *m, enum flaw_kind kind, uint32_t graph, uint32_t node,
		     uint32_t value)
{
	*vec_add(&m->flaws) = (struct flaw){kind, graph, node, value};
}

uint32_t value_define(struct model *m, uint32_t graph, uint32_t name, uint32_t node, uint32_t port,
		      unsigned flags)
{
	uint32_t *place, id;

	if (name == 0)
		return 0;
	place = build_place_of(m, graph, name);
	/* A dead value never comes back after a new edit: its name is free. */
	if (*place == 0 || m->values.at[*place].flags & VALUE_DEAD) {
		id = *place = value_new(m, graph, name, flags);
	} else {
		id = value_new(m, graph, name, flags | VALUE_DUPLICATE);
		add_flaw(m, FLAW_DUPLICATE, graph, node, id);
	}
	m->values.at[id].producer = node;
	m->values.at[id].port = port;
	return id;
}

static uint32_t value_read(struct model *m, uint32_t graph, uint32_t name, uint32_t node)
{
	uint32_t id;

	if (name == 0)
		return 0;
	id = model_resolve(m, graph, name);
	if (id == 0) {
		id = value_new(m, graph, name, VALUE_MISSING);
		*build_place_of(m, graph, name) = id;
		add_flaw(m, FLAW_MISSING, graph, node, id);
	}
	return id;
}

static uint32_t value_claimed(struct model *m, uint32_t graph, uint32_t name)
{
	uint32_t *place;

	if (name == 0)
		return 0;
	place = build_place_of(m, graph, name);
	if (*place == 0)
		*place = value_new(m, graph, name, VALUE_CLAIMED);
	return *place;
}

uint32_t claim_new(struct model *m, uint32_t graph, enum claim_kind kind, uint32_t name)
{
	struct claim *c = vec_add(&m->claims);
	uint32_t id = (uint32_t)m->claims.len - 1;

	c->kind = kind;
	c->name = name;
	vec_push(&m->graphs.at[graph].claims, id);
	return id;
}

/* Inserts the newest second: the first stays first and no list is walked. */
static void tie_claim(struct model *m, uint32_t id, uint32_t value)
{
	struct claim *c = &m->claims.at[id];
	uint32_t *last = &m->values.at[value].first_claim;

	c->value = value;
	if (value == 0)
		return;
	if (*last)
		last = &m->claims.at[*last].next;
	c->next = *last;
	*last = id;
}

uint32_t claim_about(struct model *m, enum claim_kind kind, uint32_t value)
{
	const struct value *v = &m->values.at[value];
	uint32_t id = claim_new(m, v->graph, kind, v->name);

	tie_claim(m, id, value);
	return id;
}

/* ---- removing and restoring, for edits ---- */

static void set_dead(struct model *m, uint32_t value, bool dead)
{
	struct value *v = &m->values.at[value];

	if (value)
		v->flags = dead ? v->flags | VALUE_DEAD : v->flags & ~(unsigned)VALUE_DEAD;
}

static void build_renumber(struct model *m, uint32_t graph, uint32_t from)
{
	const struct graph *g = &m->graphs.at[graph];

	for (size_t i = from; i < g->nodes.len; i++)
		m->nodes.at[g->nodes.at[i]].index = (uint32_t)i;
}

static void set_node_dead(struct model *m, uint32_t node, bool dead)
{
	struct node *n = &m->nodes.at[node];

	n->dead = dead;
	for (uint32_t i = 0; i < n->output_count; i++)
		set_dead(m, n->outputs[i], dead);
}

void node_unlist(struct model *m, uint32_t node)
{
	uint32_t graph = m->nodes.at[node].graph, index = m->nodes.at[node].index;
	struct graph *g = &m->graphs.at[graph];

	BUG_ON(index >= g->nodes.len || g->nodes.at[index] != node);
	memmove(&g->nodes.at[index], &g->nodes.at[index + 1],
		(g->nodes.len - index - 1) * sizeof(*g->nodes.at));
	vec_pop(&g->nodes);
	set_node_dead(m, node, true);
	build_renumber(m, graph, index);
}

void node_list(struct model *m, uint32_t node, uint32_t index)
{
	struct graph *g = &m->graphs.at[m->nodes.at[node].graph];

	BUG_ON(index > g->nodes.len);
	(void)vec_add(&g->nodes);
	memmove(&g->nodes.at[index + 1], &g->nodes.at[index],
		(g->nodes.len - index - 1) * sizeof(*g->nodes.at));
	g->nodes.at[index] = node;
	set_node_dead(m, node, false);
	build_renumber(m, m->nodes.at[node].graph, index);
}

uint32_t initializer_unlist(struct model *m, uint32_t value)
{
	struct graph *g = &m->graphs.at[m->values.at[value].graph];
	uint32_t index = 0;

	while (index < g->initializers.len &&
	       g->initializers.at[index] != m->values.at[value].tensor)
		index++;
	BUG_ON(index == g->initializers.len);
	memmove(&g->initializers.at[index], &g->initializers.at[index + 1],
		(g->initializers.len - index - 1) * sizeof(*g->initializers.at));
	vec_pop(&g->initializers);
	set_dead(m, value, true);
	return index;
}

void initializer_list(struct model *m, uint32_t value, uint32_t index)
{
	struct graph *g = &m->graphs.at[m->values.at[value].graph];

	(void)vec_add(&g->initializers);
	memmove(&g->initializers.at[index + 1], &g->initializers.at[index],
		(g->initializers.len - index - 1) * sizeof(*g->initializers.at));
	g->initializers.at[index] = m->values.at[value].tensor;
	set_dead(m, value, false);
}

/* ---- resolving names ---- */

static void connect_claims(struct model *m, uint32_t graph)
{
	size_t next_input = 0;

	for (size_t i = 0; i < m->graphs.at[graph].claims.len; i++) {
		uint32_t id = m->graphs.at[graph].claims.at[i];
		uint32_t name = m->claims.at[id].name;

		switch (m->claims.at[id].kind) {
		case CLAIM_INPUT: /* in the order of the inputs: a name may occur twice */
			tie_claim(m, id, m->graphs.at[graph].inputs.at[next_input++]);
			break;
		case CLAIM_OUTPUT:
			tie_claim(m, id, name ? model_resolve(m, graph, name) : 0);
			break;
		case CLAIM_VALUE_INFO:
			tie_claim(m, id, value_claimed(m, graph, name));
			break;
		case CLAIM_KIND_COUNT:
			break;
		}
	}
}

static void connect_outputs(struct model *m, uint32_t graph)
{
	for (size_t i = 0; i < m->graphs.at[graph].outputs.len; i++) {
		uint32_t value = value_read(m, graph, m->graphs.at[graph].outputs.at[i], 0);

		m->graphs.at[graph].outputs.at[i] = value;
		m->values.at[value].flags |= value ? VALUE_OUTPUT : 0;
	}
}

void model_connect(struct model *m)
{
	for (uint32_t id = 1; id < m->nodes.len; id++) {
		const struct node *n = &m->nodes.at[id];

		for (uint32_t i = 0; i < n->input_count; i++)
			n->inputs[i] = value_read(m, n->graph, n->inputs[i], id);
	}
	for (uint32_t graph = 0; graph < m->graphs.len; graph++)
		connect_outputs(m, graph);
	for (uint32_t graph = 0; graph < m->graphs.len; graph++)
		connect_claims(m, graph);
	model_index(m);
}
