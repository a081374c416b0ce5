/*
 * Jumps in the graph: along lines, back and forth, to marks, into bodies.
 */
#include "base/str.h"
#include "base/vec.h"
#include "ir/graph.h"
#include "layout/picture/picture.h"
#include "layout/scope/scope.h"
#include "layout/sketch.h"
#include "ui/graph/internal.h"
#include "ui/screen.h"

enum {
	JUMPS_MAX = 200,
	CHOICES_MAX = 52 /* one per letter */
};

/* ---- the jump list ---- */

static bool jumps_same_place(struct spot_at a, struct spot_at b)
{
	return a.graph == b.graph && a.node == b.node && a.value == b.value && a.scope == b.scope;
}

void graph_remember(struct graph_state *g, struct spot_at place)
{
	if (g->quiet || (!place.node && !place.value))
		return;
	g->jumps.len = MIN(g->jumps.len, g->jump);
	if (g->jumps.len && jumps_same_place(*vec_last(&g->jumps), place))
		return;
	if (g->jumps.len == JUMPS_MAX) {
		for (size_t i = 1; i < g->jumps.len; i++)
			g->jumps.at[i - 1] = g->jumps.at[i];
		vec_pop(&g->jumps);
	}
	vec_push(&g->jumps, place);
	g->jump = g->jumps.len;
}

static bool place_lives(const struct model *m, struct spot_at p)
{
	if (p.graph >= m->graphs.len)
		return false;
	if (p.node)
		return p.node < m->nodes.len && !m->nodes.at[p.node].dead;
	return p.value && p.value < m->values.len && !(m->values.at[p.value].flags & VALUE_DEAD);
}

static void go_quietly(struct screen *s, struct graph_state *g, struct spot_at place)
{
	g->quiet = true;
	graph_go(s, place);
	g->quiet = false;
}

bool graph_back(struct screen *s)
{
	struct graph_state *g = graph_of(s);

	/* Forward must return here. */
	if (g->jump == g->jumps.len && g->jump) {
		graph_remember(g, g->at);
		g->jump = g->jumps.len - 1;
	}
	while (g->jump > 0) {
		struct spot_at place = g->jumps.at[--g->jump];

		if (!place_lives(s->subject.model, place) || jumps_same_place(place, g->at))
			continue;
		go_quietly(s, g, place);
		return true;
	}
	return false;
}

bool graph_forward(struct screen *s)
{
	struct graph_state *g = graph_of(s);

	while (g->jump + 1 < g->jumps.len) {
		struct spot_at place = g->jumps.at[++g->jump];

		if (!place_lives(s->subject.model, place))
			continue;
		go_quietly(s, g, place);
		return true;
	}
	return false;
}

/* ---- marks ---- */

void graph_mark(struct screen *s, char letter)
{
	struct graph_state *g = graph_of(s);

	if ((unsigned char)letter >= ARRAY_LEN(g->places))
		return;
	g->places[(unsigned char)letter] = g->at;
	g->last_mark = letter;
	screen_say(s, false, "mark '%c' set", letter);
}

bool graph_jump(struct screen *s, char letter)
{
	struct graph_state *g = graph_of(s);

	if ((unsigned char)letter >= ARRAY_LEN(g->places) ||
	    !place_lives(s->subject.model, g->places[(unsigned char)letter]))
		return false;
	graph_remember(g, g->at);
	go_quietly(s, g, g->places[(unsigned char)letter]);
	return true;
}

bool graph_list_marks(struct screen *s)
{
	const struct model *m = s->subject.model;
	struct graph_state *g = graph_of(s);

	choices_clear(s);
	for (size_t i = 0; i < ARRAY_LEN(g->places); i++) {
		struct spot_at at = g->places[i];

		if (place_lives(m, at))
			choices_add(s, (char)i,
				    at.node ? node_label(m, at.node)
					    : model_cut_name(m, m->values.at[at.value].name));
	}
	return s->choices.len > 0;
}

/* ---- a part of the graph ---- */

uint32_t graph_node(const struct screen *s, struct spot_at at)
{
	const struct model *m = s->subject.model;
	uint32_t count;
	const struct reader *r;

	if (at.node || !at.value)
		return at.node;
	if (m->values.at[at.value].producer)
		return m->values.at[at.value].producer;
	r = model_readers(m, at.value, &count);
	for (uint32_t i = 0; i < count; i++) {
		if (r[i].node && m->nodes.at[r[i].node].graph == at.graph)
			return r[i].node;
	}
	return 0;
}

static void jumps_narrow(struct screen *s, struct graph_state *g, struct view_focus focus)
{
	focus.inside = room_now(g->now);
	g->now->focus = focus;
	stage_renew(s, g, STALE_VIEW);
}

void graph_focus(struct screen *s, uint32_t hops)
{
	struct graph_state *g = graph_of(s);
	uint32_t node = graph_node(s, g->at);

	if (!g->now)
		return;
	if (g->now->focus.node)
		jumps_narrow(s, g, (struct view_focus){0});
	else if (hops && node && s->subject.model->nodes.at[node].graph == g->now->graph)
		jumps_narrow(s, g, (struct view_focus){.node = node, .hops = hops});
	else if (hops)
		screen_say(s, true, "select a node to focus on");
}

bool graph_path_to_mark(struct screen *s)
{
	const struct model *m = s->subject.model;
	struct graph_state *g = graph_of(s);
	struct spot_at mark = g->places[(unsigned char)g->last_mark];
	struct scopes *scopes;
	uint32_t from, to;

	if (!g->now || !place_lives(m, mark) || mark.graph != g->now->graph)
		return false;
	from = graph_node(s, mark);
	to = graph_node(s, g->at);
	if (!from || !to || m->nodes.at[to].graph != g->now->graph)
		return false;
	/* A room hides the way to a mark outside it; what was seen in the room stays in sight. */
	scopes = &g->now->scopes;
	if (room_leave_for(s, g, from, scopes->of_node[m->nodes.at[from].index]))
		scopes_reveal(scopes, scopes->of_node[m->nodes.at[to].index]);
	jumps_narrow(s, g, (struct view_focus){.node = from, .other = to});
	return true;
}

/* ---- into bodies and out ---- */

static void show_graph(struct screen *s, struct graph_state *g, uint32_t graph)
{
	graph_remember(g, g->at);
	go_quietly(s, g, (struct spot_at){.graph = graph});
}

static char letter_of(size_t i)
{
	return (char)(i < 26 ? 'a' + i : 'A' + (i - 26));
}

static uint32_t count_insides(const struct model *m, uint32_t node)
{
	uint32_t count = 0, graph;

	while (count < CHOICES_MAX && view_inside(m, node, count, &graph))
		count++;
	return count;
}

/* t for then_branch, e for else_branch; by position if names begin alike. */
static char letter_of_inside(const struct model *m, uint32_t node, uint32_t nth)
{
	uint32_t graph;
	char letters[CHOICES_MAX];
	uint32_t count = 0;

	for (; count < CHOICES_MAX && view_inside(m, node, count, &graph); count++) {
		struct sv role = model_name(m, m->graphs.at[graph].role);

		letters[count] = role.len ? role.at[0] : ' ';
		for (uint32_t i = 0; i < count; i++) {
			if (letters[i] == letters[count])
				return letter_of(nth);
		}
		if (letters[count] < 'a' || letters[count] > 'z')
			return letter_of(nth);
	}
	return letters[nth];
}

static void tell_insides(struct screen *s, uint32_t node, uint32_t count)
{
	const struct model *m = s->subject.model;

	choices_clear(s);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t graph = 0;

		(void)view_inside(m, node, i, &graph);
		choices_add(s, letter_of_inside(m, node, i),
			    model_cut_name(m, m->graphs.at[graph].role));
	}
}

uint32_t graph_insides(const struct screen *s)
{
	return s->node && !s->scope ? count_insides(s->subject.model, s->node) : 0;
}

bool graph_enter(struct screen *s, char letter)
{
	const struct model *m = s->subject.model;
	struct graph_state *g = graph_of(s);
	uint32_t count = graph_insides(s), nth = 0, graph = 0;

	if (count > 1 && !letter) {
		tell_insides(s, s->node, count);
		return false;
	}
	while (count > 1 && nth < count && letter_of_inside(m, s->node, nth) != letter)
		nth++;
	if (nth >= count) {
		screen_say(s, true, count ? "no choice '%c'" : "nothing to enter", letter);
		return true;
	}
	(void)view_inside(m, s->node, nth, &graph);
	vec_push(&g->crumbs, ((struct spot_at){.graph = graph, .node = s->node}));
	show_graph(s, g, graph);
	return true;
}

bool graph_exit(struct screen *s)
{
	const struct model *m = s->subject.model;
	struct graph_state *g = graph_of(s);
	const struct graph *graph = &m->graphs.at[s->graph];
	uint32_t node = graph->kind == GRAPH_BODY ? graph->owner : 0;

	if (s->graph == 0)
		return false;
	/* Leaving a function returns to the call. */
	while (g->crumbs.len) {
		struct spot_at crumb = *vec_last(&g->crumbs);

		vec_pop(&g->crumbs);
		if (crumb.graph == s->graph && !m->nodes.at[crumb.node].dead) {
			node = crumb.node;
			break;
		}
	}
	graph_remember(g, g->at);
	if (node)
		go_quietly(s, g, (struct spot_at){.graph = m->nodes.at[node].graph, .node = node});
	else
		go_quietly(s, g, (struct spot_at){0});
	return true;
}

/* ---- along a line ---- */

/* In boxes, the one that j or k leads to is first; then as they are drawn. */
static bool end_is_before(const struct stage *st, uint32_t first, uint32_t a, uint32_t b)
{
	struct rect x = stage_rect(st, a), y = stage_rect(st, b);

	if (a == first || b == first)
		return a == first;
	return x.y != y.y ? x.y < y.y : x.x < y.x;
}

static void sort_ends(const struct stage *st, bool out, uint32_t *ends, size_t count)
{
	uint32_t first = SKETCH_NONE;

	if (st->has_picture)
		first = picture_step(&st->picture, st->item, out ? STEP_DOWN : STEP_UP);
	for (size_t i = 1; i < count; i++) {
		uint32_t end = ends[i];
		size_t at = i;

		for (; at > 0 && end_is_before(st, first, end, ends[at - 1]); at--)
			ends[at] = ends[at - 1];
		ends[at] = end;
	}
}

/* Distinct items at the other ends of an item's lines; returns how many. */
static size_t list_ends(const struct stage *st, bool out, uint32_t *ends)
{
	const struct sketch *k = &st->view.sketch;
	const uint32_t *at = out ? k->out_at : k->in_at, *nets = out ? k->out : k->in;
	size_t count = 0;

	for (uint32_t i = at[st->item]; i < at[st->item + 1] && count < CHOICES_MAX; i++) {
		const struct sketch_net *net = &k->nets.at[nets[i]];

		for (uint32_t j = 0; j < (out ? net->count : 1) && count < CHOICES_MAX; j++) {
			uint32_t item = out ? k->readers.at[net->first + j] : net->from;
			size_t known = 0;

			while (known < count && ends[known] != item)
				known++;
			ends[known] = item;
			count += known == count;
		}
	}
	sort_ends(st, out, ends, count);
	return count;
}

static void tell_choices(struct screen *s, const struct stage *st, const uint32_t *ends,
			 size_t count)
{
	struct str text = {0}, more = {0};

	choices_clear(s);
	for (size_t i = 0; i < count; i++) {
		const struct view_item *at = &st->view.items.at[ends[i]];

		str_clear(&text);
		str_clear(&more);
		label_title(s, st, ends[i], &text, &more);
		if (at->kind == VIEW_NODE) {
			str_text(&text, "  ");
			str_add(&text, label_tail(node_label(s->subject.model, at->id), 40));
		}
		choices_add(s, letter_of(i), str_sv(&text));
	}
	str_release(&text);
	str_release(&more);
}

bool graph_follow(struct screen *s, bool out, char letter)
{
	struct graph_state *g = graph_of(s);
	uint32_t ends[CHOICES_MAX + 1];
	size_t count, which = 0;

	if (!g->now || g->now->item == SKETCH_NONE)
		return true;
	count = list_ends(g->now, out, ends);
	if (count == 0) {
		screen_say(s, false, out ? "no readers" : "no inputs");
		return true;
	}
	if (count > 1 && letter == 0) {
		tell_choices(s, g->now, ends, count);
		return false;
	}
	while (letter && which < count && letter_of(which) != letter)
		which++;
	if (which == count) {
		screen_say(s, true, "no choice '%c'", letter);
		return true;
	}
	graph_remember(g, g->at);
	graph_pick(s, g, ends[which]);
	return true;
}
