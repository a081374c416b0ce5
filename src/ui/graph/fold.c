/*
 * Zoom and folds.
 */
#include "ir/graph.h"
#include "layout/scope/scope.h"
#include "layout/sketch.h"
#include "ui/graph/internal.h"
#include "ui/screen.h"

void graph_zoom(struct screen *s, enum zoom zoom)
{
	struct graph_state *g = graph_of(s);

	if (!g->now)
		return;
	g->now->zoom = zoom;
	g->now->zoom_chosen = true;
	stage_renew(s, g, STALE_LAYOUT);
}

enum zoom graph_zoom_now(const struct screen *s)
{
	return graph_of(s)->now ? graph_of(s)->now->zoom : ZOOM_BOXES;
}

void graph_zoom_default(struct screen *s)
{
	struct graph_state *g = graph_of(s);

	if (!g->now)
		return;
	g->now->zoom_chosen = false;
	stage_renew(s, g, STALE_LAYOUT);
}

/* The selected scope, or the selected item's; 0 for the root. */
static uint32_t selected_scope(const struct screen *s, const struct stage *st, bool *out_is)
{
	const struct node *n = &s->subject.model->nodes.at[s->node];

	*out_is = st->item != SKETCH_NONE && st->view.items.at[st->item].kind == VIEW_SCOPE;
	if (*out_is)
		return st->view.items.at[st->item].id;
	return s->node && n->graph == st->graph ? st->scopes.of_node[n->index] : 0;
}

/* A single operator says more than the name of its scope. */
static bool is_worth_folding(const struct scopes *scopes, uint32_t scope)
{
	return scopes->at[scope].node_count > 1 || scopes->at[scope].kind == SCOPE_REPEAT;
}

/* Did that change anything? */
static bool fold_all(struct scopes *scopes, bool folded)
{
	bool changed = false;

	for (uint32_t i = 1; i < scopes->count; i++) {
		bool folds = folded && is_worth_folding(scopes, i);

		changed |= folds != scopes->at[i].folded;
		scopes->at[i].folded = folds;
	}
	return changed;
}

/* The scope that is folded or unfolded; 0 if there is none. */
static uint32_t fold_one(struct screen *s, struct stage *st, enum fold fold)
{
	bool is_scope;
	uint32_t scope = selected_scope(s, st, &is_scope);
	bool opens = fold == FOLD_OPEN || (fold == FOLD_TOGGLE && is_scope);

	if (opens && is_scope) {
		st->scopes.at[scope].folded = false;
		/* After unfolding, select the scope's first node, where the box was. */
		s->node = s->subject.model->graphs.at[st->graph]
				  .nodes.at[st->scopes.at[scope].first_index];
		return scope;
	}
	if (is_scope)
		scope = st->scopes.at[scope].parent;
	while (!opens && scope && !is_worth_folding(&st->scopes, scope))
		scope = st->scopes.at[scope].parent;
	if (opens || !scope) {
		screen_say(s, false, opens ? "not folded" : "not in a scope");
		return 0;
	}
	if (scope == room_now(st)) {
		(void)room_leave_for(s, graph_of(s), s->node, st->scopes.at[scope].parent);
		return 0;
	}
	st->scopes.at[scope].folded = true;
	return scope;
}

/* za again: everything is as it was. */
static bool fold_take_back(struct screen *s, struct graph_state *g)
{
	struct stage *st = g->now;
	struct toggle was = st->toggle;

	if (!was.scope)
		return false;
	st->scopes.at[was.scope].folded = !st->scopes.at[was.scope].folded;
	stage_forget_place(st);
	s->node = was.before.node;
	s->value = was.before.value;
	stage_renew(s, g, STALE_VIEW);
	graph_keep(s, g);
	st->x = was.x;
	st->y = was.y;
	st->toggle.scope = 0;
	g->chase = false;
	return true;
}

/* As at the start: a new size of the screen may fold anew. */
static void fold_start(struct screen *s, struct graph_state *g)
{
	g->now->folds_chosen = false;
	g->now->opened_for = (struct size){0};
	stage_open(s, g);
}

/* A script may ask before anything was drawn. */
const struct scopes *graph_folds(struct screen *s, struct view_focus *out_focus)
{
	struct graph_state *g = graph_of(s);

	if (!g->now)
		return NULL;
	stage_open(s, g);
	*out_focus = g->now->focus;
	return &g->now->scopes;
}

void graph_fold(struct screen *s, enum fold fold)
{
	struct graph_state *g = graph_of(s);
	uint32_t node = s->node, toggled = 0;
	struct toggle toggle = {.before = graph_place(s)};
	bool changed = true;

	if (!g->now)
		return;
	stage_choose_folds(s, g);
	if (fold == FOLD_ALL)
		(void)room_leave_for(s, g, s->node, 0);
	toggle.x = g->now->x;
	toggle.y = g->now->y;
	if (fold == FOLD_TOGGLE && fold_take_back(s, g))
		return;
	if (fold == FOLD_ALL || fold == FOLD_NONE)
		changed = fold_all(&g->now->scopes, fold == FOLD_ALL);
	else if (fold == FOLD_START)
		fold_start(s, g);
	else
		toggled = fold_one(s, g->now, fold);
	if (!changed && g->now->has_view)
		return;
	stage_renew(s, g, STALE_VIEW);
	/* A folded node stays selected: unfolding returns to it. */
	if (s->node != node || !node || view_find(&g->now->view, node) == SKETCH_NONE)
		graph_pick(s, g, g->now->item);
	else
		graph_keep(s, g);
	toggle.scope = fold == FOLD_TOGGLE ? toggled : 0;
	g->now->toggle = toggle;
}
