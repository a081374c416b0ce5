#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/vec.h"
#include "ir/graph.h"
#include "layout/scope/scope.h"
#include "layout/sketch.h"
#include "layout/view/internal.h"

bool viewing_reader(const struct viewing *w, const struct reader *r, uint32_t *out_index)
{
	uint32_t graph = r->graph, node = r->node;

	while (graph != w->v->scopes->graph) {
		const struct graph *g = &w->m->graphs.at[graph];

		if (g->kind != GRAPH_BODY)
			return false;
		node = g->owner;
		graph = w->m->nodes.at[node].graph;
	}
	*out_index = w->m->nodes.at[node].index;
	return node != 0;
}

static uint32_t item_of(const struct viewing *w, const struct reader *r)
{
	uint32_t index;

	if (!r->node && r->graph == w->v->scopes->graph)
		return w->v->of_output[r->port];
	return viewing_reader(w, r, &index) ? w->v->of_node[index] : SKETCH_NONE;
}

static void list_reader(struct viewing *w, uint32_t value, uint32_t from, uint32_t item)
{
	if (item == SKETCH_NONE || item == from || w->seen[item] == value + 1)
		return;
	w->seen[item] = value + 1;
	vec_push(&w->readers, item);
}

static void list_readers(struct viewing *w, uint32_t value, uint32_t from)
{
	uint32_t count;
	const struct reader *readers = model_readers(w->m, value, &count);
	const uint32_t *exit = map_find(&w->exits, value);

	vec_clear(&w->readers);
	for (uint32_t i = 0; i < count; i++)
		list_reader(w, value, from, item_of(w, &readers[i]));
	if (exit)
		list_reader(w, value, from, *exit - 1);
}

/* Equal for one item and the same readers, in any order. */
static uint64_t nets_key_of(const struct viewing *w, uint32_t from)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < w->readers.len; i++)
		sum += hash_u64(w->readers.at[i], 7);
	return hash_u64(sum, from);
}

static void add_net(struct viewing *w, uint32_t from, uint32_t value)
{
	struct view *v = w->v;
	uint32_t *net;

	list_readers(w, value, from);
	if (!w->readers.len)
		return;
	net = map_at(&w->of_readers, nets_key_of(w, from));
	if (!*net) {
		*net = sketch_net(&v->sketch, from, 0) + 1;
		for (size_t i = 0; i < w->readers.len; i++)
			sketch_reader(&v->sketch, w->readers.at[i]);
		vec_push(&v->nets, ((struct view_net){0}));
	}
	v->nets.at[*net - 1].count++;
	vec_push(&w->pairs, ((struct net_value){*net - 1, value}));
}

static void add_nets_of_nodes(struct viewing *w)
{
	for (uint32_t i = 0; i < w->g->nodes.len; i++) {
		const struct node *n = &w->m->nodes.at[w->g->nodes.at[i]];

		if (w->v->of_node[i] == SKETCH_NONE || scope_is_constant(w->m, n))
			continue;
		for (uint32_t k = 0; k < n->output_count; k++) {
			if (n->outputs[k])
				add_net(w, w->v->of_node[i], n->outputs[k]);
		}
	}
}

/* Lists the values by net, in order of appearance. */
static void list_values(struct viewing *w)
{
	struct view *v = w->v;
	uint32_t sum = 0;

	for (size_t i = 0; i < v->nets.len; i++) {
		v->nets.at[i].first = sum;
		sum += v->nets.at[i].count;
		v->nets.at[i].count = 0;
	}
	(void)vec_extend(&v->values, sum);
	for (size_t i = 0; i < w->pairs.len; i++) {
		struct view_net *net = &v->nets.at[w->pairs.at[i].net];

		v->values.at[net->first + net->count++] = w->pairs.at[i].value;
	}
}

void viewing_nets(struct viewing *w)
{
	size_t count = w->v->items.len + 1;

	w->seen = must_alloc(count * sizeof(*w->seen));
	memset(w->seen, 0, count * sizeof(*w->seen));
	for (size_t i = 0; i < w->v->ends.len; i++)
		add_net(w, w->v->ends.at[i].item, w->v->ends.at[i].value);
	add_nets_of_nodes(w);
	list_values(w);
	map_release(&w->of_readers);
	vec_release(&w->readers);
	vec_release(&w->pairs);
	free(w->seen);
}
