#include "export/json/part.h"

#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/vec.h"
#include "ir/graph.h"
#include "layout/scope/scope.h"
#include "layout/sketch.h"

struct choosing {
	struct part *part;     /* borrowed */
	const struct model *m; /* borrowed */
	VEC(uint32_t) graphs;  /* pending: their nodes are not taken yet */
};

static uint8_t *no_marks(size_t count)
{
	uint8_t *marks = must_alloc(count + 1);

	memset(marks, 0, count + 1);
	return marks;
}

static void take_node(struct choosing *c, uint32_t id)
{
	const struct node *n = &c->m->nodes.at[id];
	uint32_t graph;

	if (c->part->nodes[id])
		return;
	c->part->nodes[id] = 1;
	for (uint32_t i = 0; i < n->input_count; i++)
		c->part->values[n->inputs[i]] = 1;
	for (uint32_t i = 0; i < n->output_count; i++)
		c->part->values[n->outputs[i]] = 1;
	for (uint32_t nth = 0; view_inside(c->m, id, nth, &graph); nth++) {
		if (!c->part->graphs[graph])
			vec_push(&c->graphs, graph);
		c->part->graphs[graph] = 1;
	}
}

static void take_graphs(struct choosing *c)
{
	while (c->graphs.len) {
		uint32_t id = c->graphs.at[c->graphs.len - 1];
		const struct graph *g = &c->m->graphs.at[id];

		vec_pop(&c->graphs);
		for (size_t i = 0; i < g->nodes.len; i++)
			take_node(c, g->nodes.at[i]);
		for (size_t i = 0; i < g->inputs.len; i++)
			c->part->values[g->inputs.at[i]] = 1;
		for (size_t i = 0; i < g->outputs.len; i++)
			c->part->values[g->outputs.at[i]] = 1;
	}
}

/* Views do not show constants: a constant belongs to its readers. */
static void take_constants(struct choosing *c)
{
	const struct graph *g = &c->m->graphs.at[0];
	bool more = true;

	/* Copies of constants form chains of bounded length, see scope_is_constant. */
	for (int round = 0; more && round < 8; round++) {
		more = false;
		for (size_t i = 0; i < g->nodes.len; i++) {
			const struct node *n = &c->m->nodes.at[g->nodes.at[i]];

			for (uint32_t k = 0; k < n->output_count; k++) {
				if (c->part->nodes[g->nodes.at[i]] || !n->outputs[k] ||
				    !c->part->values[n->outputs[k]] || !scope_is_constant(c->m, n))
					continue;
				take_node(c, g->nodes.at[i]);
				more = true;
			}
		}
	}
}

void part_make(struct part *p, const struct model *m, const struct view *v)
{
	struct choosing c = {.part = p, .m = m};
	const struct graph *g = &m->graphs.at[0];

	*p = (struct part){no_marks(m->nodes.len), no_marks(m->values.len),
			   no_marks(m->graphs.len)};
	for (size_t i = 0; i < g->nodes.len; i++) {
		if (view_find(v, g->nodes.at[i]) != SKETCH_NONE)
			take_node(&c, g->nodes.at[i]);
	}
	take_graphs(&c);
	take_constants(&c);
	p->values[0] = 0;
	vec_release(&c.graphs);
}

bool part_has_node(const struct part *p, uint32_t node)
{
	return !p->nodes || p->nodes[node];
}

bool part_has_value(const struct part *p, uint32_t value)
{
	return !p->values || p->values[value];
}

bool part_has_graph(const struct part *p, uint32_t graph)
{
	return !p->graphs || graph == 0 || p->graphs[graph];
}

void part_release(struct part *p)
{
	free(p->nodes);
	free(p->values);
	free(p->graphs);
	*p = (struct part){0};
}
