/*
 * What a graph reads, with the bodies in it: found from its own nodes, since a model may have
 * very many values and very many bodies.
 */
#include <stdlib.h>

#include "base/vec.h"
#include "ir/graph.h"
#include "layout/view/view.h"

struct reading {
	struct view_values *out; /* borrowed */
	VEC(uint32_t) graphs;    /* the graph and its bodies, outer ones first */
};

static void reads_add(struct reading *r, const uint32_t *values, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (values[i])
			vec_push(r->out, values[i]);
	}
}

/* An attribute that should hold a graph may have none: then it is graph 0. */
static void reads_add_graph(struct reading *r, uint32_t graph)
{
	if (graph)
		vec_push(&r->graphs, graph);
}

static void reads_add_node(struct reading *r, const struct node *n)
{
	reads_add(r, n->inputs, n->input_count);
	for (uint32_t i = 0; i < n->attr_count; i++) {
		const struct attr *a = &n->attrs[i];

		if (a->kind == ATTR_GRAPH)
			reads_add_graph(r, a->graph);
		for (uint32_t k = 0; a->kind == ATTR_GRAPHS && k < a->count; k++)
			reads_add_graph(r, a->graphs[k]);
	}
}

static int compare_values(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

void view_reads(struct view_values *out, const struct model *m, uint32_t graph)
{
	struct reading r = {.out = out};
	size_t kept = 0;

	vec_clear(out);
	vec_push(&r.graphs, graph);
	for (size_t i = 0; i < r.graphs.len; i++) {
		const struct graph *g = &m->graphs.at[r.graphs.at[i]];

		reads_add(&r, g->outputs.at, g->outputs.len);
		for (size_t k = 0; k < g->nodes.len; k++)
			reads_add_node(&r, &m->nodes.at[g->nodes.at[k]]);
	}
	if (out->len)
		qsort(out->at, out->len, sizeof(*out->at), compare_values);
	for (size_t i = 0; i < out->len; i++) {
		if (!kept || out->at[kept - 1] != out->at[i])
			out->at[kept++] = out->at[i];
	}
	out->len = kept;
	vec_release(&r.graphs);
}
