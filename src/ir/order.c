/*
 * The readers of every value, and an order in which nodes can run.
 *
 * A node waits for the values it reads and for those that the graphs inside it capture
 * from its own graph.  Both are found in one walk over all node inputs: a captured
 * value is attributed to the node of its own graph that contains the reader.
 */
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/vec.h"
#include "ir/build.h"
#include "ir/graph.h"

typedef void visit_read(struct model *m, uint32_t value, struct reader reader);

static void each_read(struct model *m, visit_read *visit)
{
	for (uint32_t id = 1; id < m->nodes.len; id++) {
		const struct node *n = &m->nodes.at[id];

		for (uint32_t i = 0; !n->dead && i < n->input_count; i++) {
			if (n->inputs[i])
				visit(m, n->inputs[i], (struct reader){id, n->graph, i});
		}
	}
	for (uint32_t graph = 0; graph < m->graphs.len; graph++) {
		const struct graph *g = &m->graphs.at[graph];

		for (uint32_t i = 0; i < g->outputs.len; i++) {
			if (g->outputs.at[i])
				visit(m, g->outputs.at[i], (struct reader){0, graph, i});
		}
	}
}

static void count_reader(struct model *m, uint32_t value, struct reader reader)
{
	(void)reader;
	m->values.at[value].readers_count++;
}

static void place_reader(struct model *m, uint32_t value, struct reader reader)
{
	struct value *v = &m->values.at[value];

	m->readers.at[v->readers_at + v->readers_count++] = reader;
}

static void index_readers(struct model *m)
{
	uint32_t total = 0;

	for (size_t i = 0; i < m->values.len; i++)
		m->values.at[i].readers_count = 0;
	each_read(m, count_reader);
	for (size_t i = 0; i < m->values.len; i++) {
		m->values.at[i].readers_at = total;
		total += m->values.at[i].readers_count;
		m->values.at[i].readers_count = 0;
	}
	vec_clear(&m->readers);
	(void)vec_extend(&m->readers, total);
	each_read(m, place_reader);
}

/* The node of the value's graph that waits for it on behalf of a reader; 0 for none. */
static uint32_t waiting_node(const struct model *m, uint32_t value, const struct reader *r)
{
	uint32_t home = m->values.at[value].graph;
	uint32_t node = r->node;
	uint32_t graph = r->graph;

	while (graph != home) {
		const struct graph *g = &m->graphs.at[graph];

		if (g->kind != GRAPH_BODY)
			return 0;
		node = g->owner;
		graph = g->parent;
	}
	return node;
}

struct waits {
	uint32_t *open;      /* owned: values a node still waits for */
	VEC(uint32_t) ready; /* nodes skipped earlier that can run now */
};

static void count_waits(const struct model *m, struct waits *w)
{
	for (uint32_t value = 1; value < m->values.len; value++) {
		uint32_t count;
		const struct reader *r = model_readers(m, value, &count);

		if (m->values.at[value].producer == 0)
			continue;
		for (uint32_t i = 0; i < count; i++)
			w->open[waiting_node(m, value, &r[i])]++;
	}
}

/* Readers with a larger id come later in file order; the others can run now. */
static void order_release_readers(const struct model *m, struct waits *w, uint32_t value,
				  uint32_t passed)
{
	uint32_t count;
	const struct reader *r = model_readers(m, value, &count);

	for (uint32_t i = 0; i < count; i++) {
		uint32_t node = waiting_node(m, value, &r[i]);

		if (node && --w->open[node] == 0 && node <= passed)
			vec_push(&w->ready, node);
	}
}

static void order_run(struct model *m, struct waits *w, uint32_t node, uint32_t passed)
{
	const struct node *n = &m->nodes.at[node];

	vec_push(&m->graphs.at[n->graph].order, node);
	for (uint32_t i = 0; i < n->output_count; i++) {
		if (n->outputs[i])
			order_release_readers(m, w, n->outputs[i], passed);
	}
}

/* For each stuck node, a stuck node that it waits for. */
static uint32_t *order_blockers(const struct model *m, const struct waits *w)
{
	uint32_t *blocker = must_alloc(m->nodes.len * sizeof(*blocker));

	memset(blocker, 0, m->nodes.len * sizeof(*blocker));
	for (uint32_t value = 1; value < m->values.len; value++) {
		uint32_t producer = m->values.at[value].producer;
		uint32_t count;
		const struct reader *r = model_readers(m, value, &count);

		if (producer == 0 || w->open[producer] == 0)
			continue;
		for (uint32_t i = 0; i < count; i++)
			blocker[waiting_node(m, value, &r[i])] = producer;
	}
	return blocker;
}

/* Every stuck node waits for a stuck node, so walking back ends in a cycle. */
static uint32_t node_in_cycle(const uint32_t *blocker, size_t count, uint32_t node)
{
	for (size_t step = 0; step < count; step++)
		node = blocker[node];
	return node;
}

static void add_stuck(struct model *m, const struct waits *w)
{
	uint32_t *blocker = NULL; /* owned */

	for (uint32_t graph = 0; graph < m->graphs.len; graph++) {
		struct graph *g = &m->graphs.at[graph];
		uint32_t first = 0;

		if (g->order.len == g->nodes.len)
			continue;
		for (size_t i = 0; i < g->nodes.len; i++) {
			uint32_t node = g->nodes.at[i];

			if (w->open[node] == 0)
				continue;
			vec_push(&g->order, node);
			first = first ? first : node;
		}
		blocker = blocker ? blocker : order_blockers(m, w);
		first = node_in_cycle(blocker, g->nodes.len, first);
		*vec_add(&m->flaws) = (struct flaw){FLAW_CYCLE, graph, first, 0};
	}
	free(blocker);
}

static void index_order(struct model *m)
{
	struct waits w = {.open = must_alloc(m->nodes.len * sizeof(*w.open))};

	memset(w.open, 0, m->nodes.len * sizeof(*w.open));
	count_waits(m, &w);
	for (uint32_t node = 1; node < m->nodes.len; node++) {
		if (w.open[node] == 0 && !m->nodes.at[node].dead)
			vec_push(&w.ready, node);
		while (w.ready.len) {
			uint32_t next = *vec_last(&w.ready);

			vec_pop(&w.ready);
			order_run(m, &w, next, node);
		}
	}
	w.open[0] = 0; /* graph outputs were counted there */
	add_stuck(m, &w);
	vec_release(&w.ready);
	free(w.open);
}

/* Cycles are searched again; the other flaws were found when names were resolved. */
static void forget_cycles(struct model *m)
{
	size_t kept = 0;

	for (size_t i = 0; i < m->flaws.len; i++) {
		if (m->flaws.at[i].kind != FLAW_CYCLE)
			m->flaws.at[kept++] = m->flaws.at[i];
	}
	m->flaws.len = kept;
}

void model_index(struct model *m)
{
	forget_cycles(m);
	for (size_t i = 0; i < m->graphs.len; i++)
		vec_clear(&m->graphs.at[i].order);
	index_readers(m);
	index_order(m);
}
