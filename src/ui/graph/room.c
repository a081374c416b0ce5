/*
 * Rooms: folds that were entered.  The inside of the newest is shown alone, with what enters and
 * leaves it; leaving folds it again, and selects the fold.
 */
#include "base/vec.h"
#include "layout/scope/scope.h"
#include "layout/view/view.h"
#include "ui/graph/internal.h"
#include "ui/screen.h"

uint32_t room_now(const struct stage *st)
{
	return st->rooms.len ? vec_last(&st->rooms)->scope : 0;
}

static void room_show(struct screen *s, struct graph_state *g)
{
	g->now->focus = (struct view_focus){.inside = room_now(g->now)};
	stage_renew(s, g, STALE_VIEW);
}

static void room_open(struct screen *s, struct stage *st, uint32_t scope)
{
	struct box pane = screen_graph_box(s);
	struct room room = {scope, st->x, st->y};

	vec_push(&st->rooms, room);
	st->scopes.at[scope].folded = false;
	stage_forget_place(st);
	if (!st->scopes.at[scope].entered) {
		st->scopes.at[scope].entered = true;
		st->focus = (struct view_focus){.inside = scope};
		opening_fold(s, st, scope, pane.width, pane.height);
	}
}

void room_enter(struct screen *s, struct graph_state *g, uint32_t scope)
{
	graph_remember(g, g->at);
	stage_choose_folds(s, g);
	room_open(s, g->now, scope);
	g->now->y = 0;
	room_show(s, g);
	graph_pick_first(s, g);
}

/* The fold of the room, as it was before it was entered. */
static void room_close(struct stage *st)
{
	st->scopes.at[vec_last(&st->rooms)->scope].folded = true;
	vec_pop(&st->rooms);
}

bool room_leave(struct screen *s, struct graph_state *g)
{
	struct stage *st = g->now;
	struct room room;

	if (!st->rooms.len)
		return false;
	room = *vec_last(&st->rooms);
	room_close(st);
	stage_forget_place(st);
	room_show(s, g);
	st->x = room.x;
	st->y = room.y;
	for (uint32_t i = 0; i < st->view.items.len; i++) {
		if (st->view.items.at[i].kind == VIEW_SCOPE &&
		    st->view.items.at[i].id == room.scope)
			graph_pick(s, g, i);
	}
	return true;
}

bool room_leave_for(struct screen *s, struct graph_state *g, uint32_t node, uint32_t scope)
{
	struct stage *st = g->now;
	size_t count = st->rooms.len;

	while (st->rooms.len && (!node || s->subject.model->nodes.at[node].graph != st->graph ||
				 !scope_has(&st->scopes, room_now(st), scope)))
		room_close(st);
	if (st->rooms.len == count)
		return false;
	stage_forget_place(st);
	room_show(s, g);
	return true;
}

/* A few nodes that serve one tensor say little alone. */
static bool room_is_worth_it(const struct scope *scope)
{
	return scope->kind == SCOPE_NAME || scope->kind == SCOPE_REPEAT;
}

void room_enter_for(struct screen *s, struct graph_state *g, uint32_t scope)
{
	struct stage *st = g->now;
	uint32_t hides;
	bool enters = false;

	stage_open(s, g);
	while ((hides = scopes_shown(&st->scopes, scope)) != 0 &&
	       room_is_worth_it(&st->scopes.at[hides])) {
		stage_choose_folds(s, g);
		room_open(s, st, hides);
		enters = true;
	}
	if (enters)
		room_show(s, g);
}
