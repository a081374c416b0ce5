/*
 * Side computations without a name: a mask, positions, boxes to rescale.  Where a scope has very
 * many nodes of its own, those that serve one result only become a scope.  As with shapes: going
 * backwards, a node joins its readers when all of them are in one group.  So a group has one
 * result, and folding it never makes a cycle.
 */
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/vec.h"
#include "ir/graph.h"
#include "layout/scope/internal.h"

enum {
	MANY_LOOSE = 12, /* own nodes of a scope; fewer need no groups */
	SMALLEST = 4,    /* nodes of a group */
	MAIN_PART = 3    /* quarters of its scope; what has more is the main path */
};

struct grouping {
	struct folding *f;     /* borrowed */
	const struct model *m; /* borrowed */
	uint32_t *loose;       /* owned; by scope: its own nodes, shape arithmetic counted once */
	uint32_t *group; /* owned; by node index: the index of the group's last node, plus 1 */
	uint32_t *size;  /* owned; by index of the last node */
};

static uint32_t *groups_zeros(size_t count)
{
	uint32_t *at = must_alloc((count + 2) * sizeof(*at));

	memset(at, 0, (count + 2) * sizeof(*at));
	return at;
}

/* The scope that a node is loose in: of shape arithmetic, the one around it. */
static uint32_t home_of(const struct grouping *w, uint32_t index)
{
	uint32_t scope = w->f->s->of_node[index];

	return w->f->scopes.at[scope].kind == SCOPE_SHAPES ? w->f->scopes.at[scope].parent : scope;
}

/* Shape arithmetic has one result; its other nodes go where that goes. */
static uint32_t result_of(const struct grouping *w, uint32_t index)
{
	const struct scope *scope = &w->f->scopes.at[w->f->s->of_node[index]];

	return scope->kind == SCOPE_SHAPES ? w->m->nodes.at[scope->node].index : index;
}

/* Neither a constant nor inside shape arithmetic. */
static bool is_loose(const struct grouping *w, uint32_t index)
{
	const struct node *n = &w->m->nodes.at[w->f->graph->nodes.at[index]];

	return result_of(w, index) == index && !scope_is_constant(w->m, n);
}

/* The group that has all readers, if they are loose in the same scope; else 0. */
static uint32_t group_of_readers(const struct grouping *w, const struct node *n)
{
	uint32_t group = 0, count;

	for (uint32_t i = 0; i < n->output_count; i++) {
		const struct reader *r = model_readers(w->m, n->outputs[i], &count);

		for (uint32_t k = 0; k < count; k++) {
			const struct node *reader = &w->m->nodes.at[r[k].node];
			uint32_t other;

			if (!r[k].node || r[k].graph != w->f->s->graph ||
			    home_of(w, reader->index) != home_of(w, n->index))
				return 0;
			other = w->group[result_of(w, reader->index)];
			if (!other || (group && group != other))
				return 0;
			group = other;
		}
	}
	return group;
}

static void find_groups(struct grouping *w)
{
	const struct graph *g = w->f->graph;

	for (uint32_t i = 0; i < g->nodes.len; i++)
		w->loose[home_of(w, i)] += is_loose(w, i);
	for (size_t i = g->order.len; i-- > 0;) {
		const struct node *n = &w->m->nodes.at[g->order.at[i]];
		uint32_t group;

		if (w->loose[home_of(w, n->index)] < MANY_LOOSE || !is_loose(w, n->index))
			continue;
		group = group_of_readers(w, n);
		w->group[n->index] = group ? group : n->index + 1;
		w->size[w->group[n->index]]++;
	}
}

/* Beside named scopes the main path is in these. */
static uint64_t most_of(const struct grouping *w, uint32_t scope)
{
	return w->f->scopes.at[scope].child_count ? UINT32_MAX
						  : (uint64_t)w->loose[scope] * MAIN_PART / 4;
}

static void groups_make_scopes(struct grouping *w)
{
	struct folding *f = w->f;
	uint32_t *made = groups_zeros(f->graph->nodes.len);

	for (uint32_t i = 0; i < f->graph->nodes.len; i++) {
		uint32_t last = w->group[i], home = home_of(w, i), size = w->size[last];

		if (!last || size < SMALLEST || size > most_of(w, home))
			continue;
		if (!made[last]) {
			made[last] = (uint32_t)f->scopes.len;
			vec_push(&f->scopes,
				 ((struct scope){.kind = SCOPE_GROUP,
						 .parent = home,
						 .node = f->graph->nodes.at[last - 1]}));
		}
		if (f->s->of_node[i] == home)
			f->s->of_node[i] = made[last];
		else
			f->scopes.at[f->s->of_node[i]].parent = made[last];
	}
	free(made);
}

void folding_groups(struct folding *f)
{
	struct grouping w = {.f = f, .m = f->s->model};

	w.loose = groups_zeros(f->scopes.len);
	w.group = groups_zeros(f->graph->nodes.len);
	w.size = groups_zeros(f->graph->nodes.len);
	for (uint32_t i = 1; i < f->scopes.len; i++)
		f->scopes.at[f->scopes.at[i].parent].child_count += f->scopes.at[i].kind ==
								    SCOPE_NAME;
	find_groups(&w);
	groups_make_scopes(&w);
	free(w.loose);
	free(w.group);
	free(w.size);
}
