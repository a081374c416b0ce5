#include "ir/build.h"

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

static uint32_t *place_of(struct model *m, uint32_t graph, uint32_t name)
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
	place = place_of(m, graph, name);
	if (*place == 0) {
		id = *place = value_new(m, graph, name, flags);
	} else {
		id = value_new(m, graph, name, flags | VALUE_DUPLICATE);
		add_flaw(m, FLAW_DUPLICATE, graph, node, id);
	}
	m->values.at[id].producer = node;
	m->values.at[id].port = port;
	return id;
}

uint32_t value_read(struct model *m, uint32_t graph, uint32_t name, uint32_t node)
{
	uint32_t id;

	if (name == 0)
		return 0;
	id = model_resolve(m, graph, name);
	if (id == 0) {
		id = value_new(m, graph, name, VALUE_MISSING);
		*place_of(m, graph, name) = id;
		add_flaw(m, FLAW_MISSING, graph, node, id);
	}
	return id;
}

uint32_t value_claimed(struct model *m, uint32_t graph, uint32_t name)
{
	uint32_t *place;

	if (name == 0)
		return 0;
	place = place_of(m, graph, name);
	if (*place == 0)
		*place = value_new(m, graph, name, VALUE_CLAIMED);
	return *place;
}

uint32_t claim_new(struct model *m, uint32_t graph, enum claim_kind kind, uint32_t value)
{
	struct claim *c = vec_add(&m->claims);
	uint32_t id = (uint32_t)m->claims.len - 1;
	uint32_t *last;

	c->kind = kind;
	c->value = value;
	if (value) {
		/* The newest goes second, so that the first stays first and nothing is walked. */
		last = &m->values.at[value].first_claim;
		if (*last)
			last = &m->claims.at[*last].next;
		c->next = *last;
		*last = id;
	}
	vec_push(&m->graphs.at[graph].claims, id);
	return id;
}
