/*
 * Pairs the nodes of two graphs.
 *
 * Each pass of a table computes a key for every unpaired node, and pairs equal keys in
 * graph order.  More specific keys come first.  A pair gives its values the same token on
 * both sides, so that later passes find more.
 */
#include "base/hash.h"
#include "base/map.h"
#include "base/sv.h"
#include "edit/diff/internal.h"
#include "ir/graph.h"
#include "ir/hash.h"
#include "ir/tensor.h"

enum key_part {
	KEY_NAME = 1 << 0,
	KEY_OP = 1 << 1,
	KEY_OUTPUT = 1 << 2, /* the first output's name */
	KEY_UP = 1 << 3,     /* the operator and the chains of producers */
	KEY_DOWN = 1 << 4,   /* the operator and the chains of readers */
	KEY_INPUT = 1 << 5,  /* the first paired input and its port */
	KEY_READER = 1 << 6, /* the first paired reader and its port */
	KEY_FED = 1 << 7     /* has inputs: too many constants are alike */
};

static const unsigned match_passes[] = {
	KEY_NAME | KEY_OP | KEY_OUTPUT,
	KEY_NAME | KEY_UP,
	KEY_UP | KEY_DOWN,
	KEY_NAME | KEY_DOWN,
	KEY_UP | KEY_FED,
	KEY_DOWN,
	KEY_OP | KEY_OUTPUT,
	KEY_NAME | KEY_OP,
	KEY_NAME,
	KEY_OUTPUT,
	KEY_UP,
	KEY_DOWN,
	KEY_OP | KEY_INPUT,
	KEY_UP | KEY_FED,
	KEY_OP | KEY_READER,
	KEY_DOWN,
};

void match_values(struct comparison *c, uint32_t a, uint32_t b)
{
	if (!a || !b || c->a.values[a] || c->b.values[b])
		return;
	c->a.values[a] = b;
	c->b.values[b] = a;
}

/* ---- tokens and hashes ---- */

/* Equal on both sides for a pair: A's id. */
static uint64_t value_token(const struct comparison *c, const struct side *s, uint32_t value)
{
	if (s->values[value])
		return s == &c->a ? value : s->values[value];
	return s->up[value];
}

static uint64_t node_token(const struct comparison *c, const struct side *s, uint32_t node)
{
	if (s->nodes[node])
		return s == &c->a ? node : s->nodes[node];
	return s->node_down[node];
}

static uint64_t op_hash(const struct comparison *c, const struct side *s, const struct node *n)
{
	bool standard = domain_is_standard(model_name(s->m, n->domain));
	uint64_t h = hash_u64(s->name_tokens[n->op], c->seed);

	return hash_u64(standard ? 0 : s->name_tokens[n->domain], h);
}

/* Ignores the order of attributes. */
static uint64_t attrs_hash(const struct side *s, const struct node *n, uint64_t seed)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < n->attr_count; i++) {
		const struct attr *a = &n->attrs[i];

		sum += attr_hash(s->m, a, true, hash_u64(s->name_tokens[a->name], seed));
	}
	return sum;
}

/* Unpaired initializers are identified by their contents. */
static void hash_constants(const struct comparison *c, struct side *s, uint32_t graph)
{
	const struct graph *g = &s->m->graphs.at[graph];

	for (size_t i = 0; i < g->initializers.len; i++) {
		const struct tensor *t = &s->m->tensors.at[g->initializers.at[i]];
		uint32_t value = model_find(s->m, graph, model_name(s->m, t->name));

		s->up[value] = tensor_hash(t, c->seed);
	}
}

static void hash_up(const struct comparison *c, struct side *s, uint32_t graph)
{
	const struct graph *g = &s->m->graphs.at[graph];

	for (size_t i = 0; i < g->order.len; i++) {
		const struct node *n = &s->m->nodes.at[g->order.at[i]];
		uint64_t h = op_hash(c, s, n);

		for (uint32_t j = 0; j < n->input_count; j++)
			h = hash_u64(value_token(c, s, n->inputs[j]), h + 1);
		if (n->input_count == 0)
			h = hash_u64(attrs_hash(s, n, c->seed), h);
		s->node_up[g->order.at[i]] = h;
		for (uint32_t j = 0; j < n->output_count; j++)
			s->up[n->outputs[j]] = n->outputs[j] ? hash_u64(j, h) : 0;
	}
}

/* Ignores the order of readers. */
static uint64_t readers_hash(const struct comparison *c, const struct side *s, uint32_t value)
{
	uint32_t count;
	const struct reader *r = model_readers(s->m, value, &count);
	uint64_t sum = 0;

	for (uint32_t i = 0; i < count; i++)
		sum += hash_u64(r[i].port, c->seed + (r[i].node ? node_token(c, s, r[i].node) : 0));
	return sum;
}

static void hash_down(const struct comparison *c, struct side *s, uint32_t graph)
{
	const struct graph *g = &s->m->graphs.at[graph];

	for (size_t i = g->order.len; i-- > 0;) {
		const struct node *n = &s->m->nodes.at[g->order.at[i]];
		uint64_t h = op_hash(c, s, n);

		for (uint32_t j = 0; j < n->output_count; j++)
			h = hash_u64(n->outputs[j] ? readers_hash(c, s, n->outputs[j]) : 0, h + 1);
		/* Weights distinguish equal chains. */
		for (uint32_t j = 0; j < n->input_count; j++) {
			if (s->m->values.at[n->inputs[j]].tensor)
				h = hash_u64(value_token(c, s, n->inputs[j]), h + j);
		}
		s->node_down[g->order.at[i]] = h;
	}
}

/* ---- keys ---- */

static bool add_input(const struct comparison *c, const struct side *s, const struct node *n,
		      uint64_t *h)
{
	for (uint32_t i = 0; i < n->input_count; i++) {
		uint32_t value = n->inputs[i];

		if (!value || !s->values[value] || s->m->values.at[value].tensor)
			continue;
		*h = hash_u64(value_token(c, s, value), hash_u64(i, *h));
		return true;
	}
	return false;
}

static bool add_reader(const struct comparison *c, const struct side *s, const struct node *n,
		       uint64_t *h)
{
	enum {
		MAX_TRIED = 8 /* of a value with many readers */
	};

	for (uint32_t i = 0; i < MIN(n->output_count, 1u); i++) {
		uint32_t count;
		const struct reader *r = model_readers(s->m, n->outputs[i], &count);

		for (uint32_t j = 0; n->outputs[i] && j < MIN(count, (uint32_t)MAX_TRIED); j++) {
			if (!r[j].node || !s->nodes[r[j].node])
				continue;
			*h = hash_u64(node_token(c, s, r[j].node), hash_u64(r[j].port, *h));
			return true;
		}
	}
	return false;
}

/* False when the node lacks a part of the key. */
static bool node_key(const struct comparison *c, const struct side *s, uint32_t node,
		     unsigned parts, uint64_t *out)
{
	const struct node *n = &s->m->nodes.at[node];
	uint32_t output = n->output_count ? s->m->values.at[n->outputs[0]].name : 0;
	uint64_t h = c->seed;

	if ((parts & KEY_NAME && !n->name) || (parts & KEY_OUTPUT && !output) ||
	    (parts & KEY_FED && !n->input_count))
		return false;
	if (parts & KEY_NAME)
		h = hash_u64(s->name_tokens[n->name], h);
	if (parts & KEY_OP)
		h = hash_u64(op_hash(c, s, n), h);
	if (parts & KEY_OUTPUT)
		h = hash_u64(s->name_tokens[output], h);
	if (parts & KEY_UP)
		h = hash_u64(s->node_up[node], h);
	if (parts & KEY_DOWN)
		h = hash_u64(s->node_down[node], h);
	if (parts & KEY_INPUT && !add_input(c, s, n, &h))
		return false;
	if (parts & KEY_READER && !add_reader(c, s, n, &h))
		return false;
	*out = h;
	return true;
}

/* ---- passes ---- */

static bool match_is_source(const struct side *s, uint32_t value, uint32_t graph)
{
	const struct value *v = &s->m->values.at[value];

	return value && v->graph == graph && !v->producer && !(v->flags & VALUE_INPUT);
}

static void match_nodes(struct comparison *c, uint32_t a, uint32_t b)
{
	const struct node *x = &c->a.m->nodes.at[a], *y = &c->b.m->nodes.at[b];

	c->a.nodes[a] = b;
	c->b.nodes[b] = a;
	for (uint32_t i = 0; i < MIN(x->output_count, y->output_count); i++)
		match_values(c, x->outputs[i], y->outputs[i]);
	for (uint32_t i = 0; i < MIN(x->input_count, y->input_count); i++) {
		if (match_is_source(&c->a, x->inputs[i], x->graph) &&
		    match_is_source(&c->b, y->inputs[i], y->graph))
			match_values(c, x->inputs[i], y->inputs[i]);
	}
}

/* Returns the number of pairs. */
static size_t run_pass(struct comparison *c, struct graph_pair g, unsigned parts)
{
	const struct graph *a = &c->a.m->graphs.at[g.a], *b = &c->b.m->graphs.at[g.b];
	struct map first = {0};
	size_t found = 0;
	uint64_t key;

	if (parts & KEY_UP) {
		hash_up(c, &c->a, g.a);
		hash_up(c, &c->b, g.b);
	}
	if (parts & KEY_DOWN) {
		hash_down(c, &c->a, g.a);
		hash_down(c, &c->b, g.b);
	}
	for (size_t i = a->order.len; i-- > 0;) {
		uint32_t node = a->order.at[i];
		uint32_t *head;

		if (c->a.nodes[node] || !node_key(c, &c->a, node, parts, &key))
			continue;
		head = map_at(&first, key);
		c->next[node] = *head;
		*head = node;
	}
	for (size_t i = 0; first.count && i < b->order.len; i++) {
		uint32_t node = b->order.at[i];
		uint32_t *head;

		if (c->b.nodes[node] || !node_key(c, &c->b, node, parts, &key))
			continue;
		head = map_find(&first, key);
		if (head && *head) {
			uint32_t partner = *head;

			*head = c->next[partner];
			match_nodes(c, partner, node);
			found++;
		}
	}
	map_release(&first);
	return found;
}

static void match_initializers(struct comparison *c, struct graph_pair g, bool any)
{
	const struct graph *b = &c->b.m->graphs.at[g.b];

	for (size_t i = 0; i < b->initializers.len + b->sparses.len; i++) {
		uint32_t tensor = i < b->initializers.len
					  ? b->initializers.at[i]
					  : b->sparses.at[i - b->initializers.len].values;
		struct sv name = model_name(c->b.m, c->b.m->tensors.at[tensor].name);
		uint32_t have = model_find(c->a.m, g.a, name);
		const struct value *v = &c->a.m->values.at[have];

		if (any || v->tensor || v->sparse)
			match_values(c, have, model_find(c->b.m, g.b, name));
	}
}

/* Pairs a constant of A with any value of its name in B. */
static void match_former(struct comparison *c, struct graph_pair g)
{
	const struct graph *a = &c->a.m->graphs.at[g.a];

	for (size_t i = 0; i < a->initializers.len; i++) {
		struct sv name = model_name(c->a.m, c->a.m->tensors.at[a->initializers.at[i]].name);

		match_values(c, model_find(c->a.m, g.a, name), model_find(c->b.m, g.b, name));
	}
}

void match_graphs(struct comparison *c, uint32_t a, uint32_t b)
{
	struct graph_pair g = {a, b};
	size_t left = MIN(c->a.m->graphs.at[a].order.len, c->b.m->graphs.at[b].order.len);

	match_initializers(c, g, false);
	hash_constants(c, &c->a, a);
	hash_constants(c, &c->b, b);
	for (size_t i = 0; left && i < ARRAY_LEN(match_passes); i++)
		left -= run_pass(c, g, match_passes[i]);
	match_initializers(c, g, true);
	match_former(c, g);
}

void match_bodies(struct comparison *c, uint32_t a, uint32_t b)
{
	/* An attribute without a graph has graph 0, which is already paired. */
	if (c->a.graphs[a] || c->b.graphs[b])
		return;
	*vec_add(&c->pairs) = (struct graph_pair){a, b};
	c->a.graphs[a] = b + 1;
	c->b.graphs[b] = a + 1;
}
