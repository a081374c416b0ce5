/*
 * Marks items that changed, that a search found, or that have a problem.
 */
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/vec.h"
#include "infer/finding.h"
#include "infer/infer.h"
#include "ir/graph.h"
#include "layout/scope/scope.h"
#include "layout/sketch.h"
#include "layout/view/view.h"
#include "ui/follow.h"
#include "ui/graph/internal.h"
#include "ui/screen.h"
#include "ui/search/hit.h"

uint32_t stage_around(const struct screen *s, const struct stage *st, uint32_t node)
{
	const struct model *m = s->subject.model;

	while (node && m->nodes.at[node].graph != st->graph) {
		const struct graph *in = &m->graphs.at[m->nodes.at[node].graph];

		node = in->kind == GRAPH_BODY ? in->owner : 0;
	}
	return node ? view_find(&st->view, node) : SKETCH_NONE;
}

static void mark_item(struct graph_state *g, uint32_t item, enum item_mark mark)
{
	if (item != SKETCH_NONE)
		g->marks.at[item] |= (uint8_t)mark;
}

static void mark_changed(struct graph_state *g, uint32_t item)
{
	mark_item(g, item, ITEM_CHANGED);
	if (item != SKETCH_NONE)
		g->changes.at[item]++;
}

/* A node has the marks of its bodies. */
static void mark_bodies(const struct screen *s, struct graph_state *g)
{
	const struct model *m = s->subject.model;

	for (uint32_t i = 1; m->graphs.len > 1 && i < m->nodes.len; i++) {
		if (!m->nodes.at[i].dead && m->nodes.at[i].graph != g->now->graph &&
		    node_changed(s, i))
			mark_changed(g, stage_around(s, g->now, i));
	}
}

static void mark_changes(const struct screen *s, struct graph_state *g)
{
	const struct stage *st = g->now;
	const struct graph *graph = &s->subject.model->graphs.at[st->graph];

	for (size_t i = 0; i < graph->nodes.len; i++) {
		if (node_changed(s, graph->nodes.at[i]))
			mark_changed(g, st->view.of_node[i]);
		else if (node_computes_other(s, graph->nodes.at[i]))
			mark_item(g, st->view.of_node[i], ITEM_CHANGED);
	}
	for (size_t i = 0; i < st->view.ends.len; i++) {
		if (value_changed(s, st->view.ends.at[i].value))
			mark_changed(g, st->view.ends.at[i].item);
	}
	for (size_t i = 0; i < st->view.exits.len; i++) {
		if (value_changed(s, st->view.exits.at[i].value))
			mark_item(g, st->view.exits.at[i].item, ITEM_CHANGED);
	}
	for (size_t i = 0; i < graph->outputs.len; i++) {
		if (value_changed(s, graph->outputs.at[i]))
			mark_changed(g, st->view.of_output[i]);
	}
	mark_bodies(s, g);
}

/* A followed symbol fades what does not carry it. */
static void mark_followed(const struct screen *s, struct graph_state *g)
{
	const struct stage *st = g->now;
	const struct model *m = s->subject.model;
	const struct graph *graph = &m->graphs.at[st->graph];
	uint32_t item;

	for (size_t i = 0; i < st->view.items.len; i++)
		g->marks.at[i] |= ITEM_FADED;
	for (size_t i = 0; i < graph->nodes.len; i++) {
		item = st->view.of_node[i];
		if (item != SKETCH_NONE && g->marks.at[item] & ITEM_FADED &&
		    follow_has_node(&s->follow, m, graph->nodes.at[i]))
			g->marks.at[item] &= (uint8_t)~ITEM_FADED;
	}
	for (size_t i = 0; i < st->view.items.len; i++) {
		const struct view_item *at = &st->view.items.at[i];

		if (at->kind != VIEW_NODE && at->kind != VIEW_SCOPE &&
		    follow_has(&s->follow, at->id))
			g->marks.at[i] &= (uint8_t)~ITEM_FADED;
	}
}

/* Of a block: the fold that is or hides it, or all that is in it, unless only that is shown. */
static void mark_blocks(const struct screen *s, struct graph_state *g)
{
	const struct stage *st = g->now;
	const struct graph *graph = &s->subject.model->graphs.at[st->graph];
	uint8_t *lit = calloc(st->scopes.count + 1, 1);
	bool any = false;

	BUG_ON(!lit);
	for (size_t i = 0; i < s->search.hits.len; i++) {
		struct hit hit = s->search.hits.at[i];

		if (!hit.scope || hit.scope >= st->scopes.count ||
		    hit.node >= s->subject.model->nodes.len ||
		    s->subject.model->nodes.at[hit.node].graph != st->graph ||
		    scope_has(&st->scopes, hit.scope, room_now(st)))
			continue;
		lit[hit.scope] = 1;
		any = true;
	}
	for (size_t i = 0; any && i < graph->nodes.len; i++) {
		uint32_t scope = st->scopes.of_node[i];

		while (scope && !lit[scope])
			scope = st->scopes.at[scope].parent;
		if (scope)
			mark_item(g, st->view.of_node[i], ITEM_MATCH);
	}
	free(lit);
}

static void mark_hits(const struct screen *s, struct graph_state *g)
{
	const struct stage *st = g->now;

	if (!s->search.hits.len)
		return;
	for (size_t i = 0; i < s->search.hits.len; i++) {
		struct hit hit = s->search.hits.at[i];

		if (hit.node && !hit.scope && hit.node < s->subject.model->nodes.len)
			mark_item(g, stage_around(s, st, hit.node), ITEM_MATCH);
		for (size_t j = 0; !hit.node && j < st->view.items.len; j++) {
			const struct view_item *at = &st->view.items.at[j];

			if (at->kind != VIEW_NODE && at->kind != VIEW_SCOPE && at->id == hit.value)
				mark_item(g, (uint32_t)j, ITEM_MATCH);
		}
	}
	mark_blocks(s, g);
}

void stage_mark(const struct screen *s, struct graph_state *g)
{
	const struct infer *in = s->subject.infer;
	const struct stage *st = g->now;

	vec_clear(&g->marks);
	memset(vec_extend(&g->marks, st->view.items.len + 1), 0, st->view.items.len + 1);
	vec_clear(&g->changes);
	memset(vec_extend(&g->changes, st->view.items.len + 1), 0,
	       (st->view.items.len + 1) * sizeof(*g->changes.at));
	if (s->subject.changed_count)
		mark_changes(s, g);
	if (s->follow.lit)
		mark_followed(s, g);
	for (size_t i = 0; i < in->findings.len; i++) {
		const struct finding *f = &in->findings.at[i];
		enum gravity gravity = level_info(f->level)->gravity;

		if (gravity < GRAVITY_NOTE)
			mark_item(g, stage_around(s, st, f->node),
				  gravity == GRAVITY_PROBLEM ? ITEM_PROBLEM : ITEM_WARNING);
	}
	mark_hits(s, g);
}
