#include "ui/search/reading.h"

#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/vec.h"
#include "ir/graph.h"
#include "layout/scope/scope.h"
#include "layout/view/view.h"

enum {
	STEP = 256 /* between two places: room for the scopes that begin at the second */
};

/* A graph that is being read. */
struct reading_page {
	uint32_t graph;
	size_t next;     /* of its nodes */
	uint32_t inside; /* of the last node: the next body */
};

struct reading_work {
	struct reading *reading;
	const struct model *model;
	uint64_t at;
	uint8_t *seen; /* owned; by graph */
	VEC(struct reading_page) pages;
};

static void reading_open(struct reading_work *r, uint32_t graph)
{
	const struct graph *g = &r->model->graphs.at[graph];

	if (r->seen[graph])
		return;
	r->seen[graph] = 1;
	vec_push(&r->reading->graphs, graph);
	vec_push(&r->pages, ((struct reading_page){.graph = graph}));
	for (size_t i = 0; i < g->inputs.len; i++)
		r->reading->of_value.at[g->inputs.at[i]] = r->at += STEP;
}

/* A body of the last node, else the next node, else the outputs: then the page is read. */
static void reading_turn(struct reading_work *r)
{
	struct reading_page *page = vec_last(&r->pages);
	const struct graph *g = &r->model->graphs.at[page->graph];
	uint32_t inside;

	if (page->next &&
	    view_inside(r->model, g->order.at[page->next - 1], page->inside, &inside)) {
		page->inside++;
		reading_open(r, inside);
		return;
	}
	if (page->next < g->order.len) {
		page->inside = 0;
		r->reading->of_node.at[g->order.at[page->next++]] = r->at += STEP;
		return;
	}
	for (size_t i = 0; i < g->outputs.len; i++)
		r->reading->of_value.at[g->outputs.at[i]] = r->at += STEP;
	vec_pop(&r->pages);
}

void reading_init(struct reading *out, const struct model *m)
{
	struct reading_work r = {.reading = out, .model = m};

	*out = (struct reading){0};
	r.seen = calloc(m->graphs.len + 1, 1);
	BUG_ON(!r.seen);
	memset(vec_extend(&out->of_node, m->nodes.len), 0, m->nodes.len * sizeof(uint64_t));
	memset(vec_extend(&out->of_value, m->values.len), 0, m->values.len * sizeof(uint64_t));
	for (uint32_t i = 0; i < m->graphs.len; i++) {
		/* A body is read with its node. */
		if (m->graphs.at[i].kind != GRAPH_BODY)
			reading_open(&r, i);
		while (r.pages.len)
			reading_turn(&r);
	}
	vec_release(&r.pages);
	free(r.seen);
}

void reading_release(struct reading *r)
{
	vec_release(&r->of_node);
	vec_release(&r->of_value);
	vec_release(&r->graphs);
}

void reading_scopes(const struct reading *r, const struct scopes *scopes, uint64_t *out_at)
{
	const struct graph *g = &scopes->model->graphs.at[scopes->graph];

	memset(out_at, 0, scopes->count * sizeof(*out_at));
	for (size_t i = 0; i < g->nodes.len; i++) {
		uint64_t at = r->of_node.at[g->nodes.at[i]];
		uint32_t scope = scopes->of_node[i];

		for (; at && scope && (!out_at[scope] || at < out_at[scope]);
		     scope = scopes->at[scope].parent)
			out_at[scope] = at;
	}
	for (uint32_t i = 1; i < scopes->count; i++) {
		if (out_at[i])
			out_at[i] -= STEP - MIN(scopes->at[i].depth, (uint32_t)STEP - 1);
	}
}
