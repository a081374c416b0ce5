#include "flow/branch.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/bug.h"
#include "base/vec.h"
#include "flow/axis.h"
#include "flow/literal.h"
#include "flow/pass.h"
#include "flow/visit.h"
#include "ir/graph.h"
#include "sym/sym.h"

/* ---- places ---- */

/* A node inside a body is where the node of the main graph is that contains it. */
static void index_bodies(struct flow_places *p, const struct model *m)
{
	for (uint32_t id = 1; id < m->nodes.len; id++) {
		const struct node *n = &m->nodes.at[id];
		uint32_t graph = n->graph;
		unsigned depth = 0;

		if (p->nodes[id] || n->dead)
			continue;
		while (graph && m->graphs.at[graph].kind == GRAPH_BODY &&
		       m->graphs.at[graph].parent && depth++ < PASS_MAX_DEPTH)
			graph = m->graphs.at[graph].parent;
		/* Functions are called from anywhere: their choices count from the start. */
		p->nodes[id] = m->graphs.at[graph].kind == GRAPH_BODY
				       ? p->nodes[m->graphs.at[graph].owner]
				       : 1;
		for (uint32_t k = 0; k < n->input_count; k++)
			p->last_read[n->inputs[k]] = MAX(p->last_read[n->inputs[k]], p->nodes[id]);
	}
}

void flow_places_make(struct flow_places *p, const struct model *m)
{
	const struct graph *g = &m->graphs.at[0];

	p->nodes = must_alloc(m->nodes.len * sizeof(*p->nodes));
	p->last_read = must_alloc((m->values.len + 1) * sizeof(*p->last_read));
	memset(p->nodes, 0, m->nodes.len * sizeof(*p->nodes));
	memset(p->last_read, 0, (m->values.len + 1) * sizeof(*p->last_read));
	for (uint32_t i = 0; i < g->order.len; i++) {
		const struct node *n = &m->nodes.at[g->order.at[i]];

		p->nodes[g->order.at[i]] = i + 1;
		for (uint32_t k = 0; k < n->input_count; k++)
			p->last_read[n->inputs[k]] = i + 1;
	}
	for (size_t i = 0; i < g->outputs.len; i++)
		p->last_read[g->outputs.at[i]] = UINT32_MAX;
	index_bodies(p, m);
}

void flow_places_release(struct flow_places *p)
{
	free(p->nodes);
	free(p->last_read);
}

/* ---- joining again ---- */

bool track_same(struct pass *p, const struct track *a, const struct track *b)
{
	if (a->known != b->known || a->rank != b->rank || a->constant != b->constant ||
	    a->numbered != b->numbered || (a->contents.at == NULL) != (b->contents.at == NULL))
		return false;
	if (a->is_sequence != b->is_sequence || a->item_count != b->item_count ||
	    a->sized != b->sized)
		return false;
	for (uint32_t i = 0; i < a->item_count; i++) {
		if (!track_same(p, &a->items[i], &b->items[i]))
			return false;
	}
	if (a->axes == b->axes && a->contents.at == b->contents.at)
		return true;
	for (uint32_t i = 0; i < a->rank; i++) {
		if (!axis_same(&p->factory, a->axes[i], b->axes[i]))
			return false;
	}
	for (uint32_t i = 0; a->contents.at && i < a->contents.count; i++) {
		if (!sym_same(a->contents.at[i], b->contents.at[i]))
			return false;
	}
	return true;
}

bool branch_is_rejoined(const struct flow_places *places, struct pass *a, struct pass *b,
			uint32_t node)
{
	const struct model *m = a->in->model;
	uint32_t place = places->nodes[node];

	if (m->nodes.at[node].graph != 0)
		return false; /* half of a body has run */
	for (uint32_t id = 1; id < a->value_count; id++) {
		if (places->last_read[id] < place ||
		    places->nodes[m->values.at[id].producer] >= place)
			continue;
		if (!track_same(a, &a->tracks[id], &b->tracks[id]))
			return false;
	}
	return true;
}

/* ---- from where it parts ---- */

/* Forces of the part that both have: only those that this part itself demands. */
static bool branch_forces(const struct flow_places *places, struct pass *p, const struct pass *done,
			  uint32_t place)
{
	for (size_t i = 0; i < done->forces.list.len; i++) {
		const struct force *f = &done->forces.list.at[i];

		if (places->nodes[f->node] >= place)
			continue;
		if (places->nodes[f->by] >= place)
			return false;
		vec_push(&p->forces.list, *f);
	}
	return true;
}

static void branch_tracks(const struct flow_places *places, struct pass *p, const struct pass *done,
			  uint32_t place)
{
	const struct model *m = p->in->model;

	for (uint32_t id = 1; id < p->value_count; id++) {
		if (places->nodes[m->values.at[id].producer] >= place)
			continue;
		p->tracks[id] = done->tracks[id];
		p->depends[id] = done->depends[id];
	}
	for (uint32_t i = 0; i < p->factory.symbol_count; i++) {
		if (done->mixed[i].is_mixed && places->nodes[done->mixed[i].node] < place)
			p->mixed[i] = done->mixed[i];
	}
}

/* What was said before the first choice of the node. */
static void branch_lists(struct pass *p, const struct pass *done, size_t choice)
{
	for (size_t i = 0; i < choice; i++) {
		struct choice c = done->choices.at[i];

		uint32_t option;

		c.is_given = decision_for(p->given, &c.taken, &option);
		pass_add_choice(p, &c);
	}
	for (size_t i = 0; i < done->choices.at[choice].known; i++)
		vec_push(&p->known, done->known.at[i]);
	for (size_t i = 0; i < done->choices.at[choice].literals; i++)
		pass_add_literal(p, done->literals.at[i]);
}

static bool branch_is_possible(const struct pass *p, const struct pass *done)
{
	const struct model *m = p->in->model;

	for (uint32_t i = 0; i < done->factory.symbol_count; i++) {
		if (done->multiple[i] != 1 || !sym_is_unknown(done->sums[i]))
			return false;
	}
	return m->graphs.len == 1 && !done->is_deep && done->totals.len == 0;
}

/* What the way takes at a choice of the other. */
static uint32_t option_of(const struct pass *p, const struct decision *d)
{
	uint32_t option = 0;

	(void)decision_for(p->given, d, &option);
	return option;
}

uint32_t branch_begin(const struct flow_places *places, struct pass *p, const struct pass *done)
{
	size_t choice = 0;
	uint32_t place;

	while (choice < done->choices.len && option_of(p, &done->choices.at[choice].taken) ==
						     done->choices.at[choice].taken.option)
		choice++;
	if (choice == done->choices.len || !branch_is_possible(p, done))
		return 0;
	place = places->nodes[done->choices.at[choice].taken.node];
	while (choice && places->nodes[done->choices.at[choice - 1].taken.node] == place)
		choice--;
	pass_reset(p);
	if (!place || !branch_forces(places, p, done, place)) {
		p->forces.list.len = 0;
		return 0;
	}
	pass_set_sources(p);
	branch_tracks(places, p, done, place);
	branch_lists(p, done, choice);
	return place;
}
