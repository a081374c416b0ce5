/*
 * The graph pane's frame: the current place, and how much is hidden beyond each side.
 */
#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "ir/graph.h"
#include "layout/picture/picture.h"
#include "layout/scope/scope.h"
#include "ui/canvas.h"
#include "ui/graph/internal.h"
#include "ui/screen.h"

enum {
	UNITS_MIN = 48,  /* pane width from which "rows" fits */
	BEYOND_MAX = 18, /* columns of the corners and "1,234 rows" at the top */
	PATH_MIN = 8     /* columns of the shortest useful path */
};

static void add_beyond(struct str *out, const char *arrow, int32_t count)
{
	str_text(out, arrow);
	str_count(out, (uint64_t)count);
	str_char(out, ' ');
}

/* Nodes that a preview changes, by the side of the window where they are. */
struct frame_changes {
	uint32_t above, below, left, right;
};

static struct frame_changes frame_count(const struct screen *s, const struct graph_state *g)
{
	const struct stage *st = g->now;
	struct frame_changes c = {0};

	for (uint32_t i = 0; s->subject.preview && i < st->view.items.len; i++) {
		struct rect r = g->changes.at[i] ? stage_rect(st, i) : (struct rect){0};

		if (!g->changes.at[i])
			continue;
		if (r.y + r.height <= st->y)
			c.above += g->changes.at[i];
		else if (r.y >= st->y + g->height)
			c.below += g->changes.at[i];
		else if (st->has_picture && r.x + r.width <= st->x)
			c.left += g->changes.at[i];
		else if (st->has_picture && r.x >= st->x + g->width)
			c.right += g->changes.at[i];
	}
	return c;
}

static void add_changed(struct str *out, const char *arrow, uint32_t count)
{
	if (!count)
		return;
	str_text(out, arrow);
	str_count(out, count);
	str_text(out, " changed ");
}

/* Left of what is there already. */
static void frame_draw_changed(struct screen *s, struct box inside, int y, const struct str *after,
			       const struct str *text)
{
	int columns = inside.width - 1 - (int)label_width(str_sv(after));

	if (text->len && columns > (int)label_width(str_sv(text)))
		canvas_right(&s->canvas, inside.x, y, columns, str_sv(text), STYLE_CHANGED);
}

static void frame_tell_changes(struct screen *s, const struct graph_state *g, struct box inside,
			       const struct str *top, const struct str *bottom)
{
	struct frame_changes c = frame_count(s, g);
	struct str above = {0}, below = {0};

	add_changed(&above, " \u25b2 ", c.above);
	add_changed(&below, " \u25c2 ", c.left);
	add_changed(&below, " \u25b8 ", c.right);
	add_changed(&below, " \u25bc ", c.below);
	frame_draw_changed(s, inside, inside.y - 1, top, &above);
	frame_draw_changed(s, inside, inside.y + inside.height, bottom, &below);
	str_release(&above);
	str_release(&below);
}

void frame_beyond(struct screen *s, const struct graph_state *g, struct box inside)
{
	const struct stage *st = g->now;
	struct rect all = stage_extent(st);
	int below = all.height - st->y - g->height;
	int left = st->x - st->left, right = st->right - st->x - g->width;
	bool wide = inside.width >= UNITS_MIN;
	struct str top = {0}, bottom = {0};

	if (st->y > 0)
		add_beyond(&top, " \u25b2 ", st->y);
	if (st->has_picture && left > 0)
		add_beyond(&bottom, " \u25c2 ", left);
	if (st->has_picture && right > 0)
		add_beyond(&bottom, " \u25b8 ", right);
	if (wide && bottom.len)
		str_text(&bottom, MAX(left, 0) + MAX(right, 0) == 1 ? "column " : "columns ");
	if (below > 0)
		add_beyond(&bottom, " \u25bc ", below);
	if (wide && below > 0)
		str_text(&bottom, below == 1 ? "row " : "rows ");
	if (wide && top.len)
		str_text(&top, st->y == 1 ? "row " : "rows ");
	if (inside.width > 24) {
		canvas_right(&s->canvas, inside.x, inside.y - 1, inside.width - 1, str_sv(&top),
			     STYLE_DIM);
		canvas_right(&s->canvas, inside.x, inside.y + inside.height, inside.width - 1,
			     str_sv(&bottom), STYLE_DIM);
	}
	if (inside.width > 24)
		frame_tell_changes(s, g, inside, &top, &bottom);
	str_release(&top);
	str_release(&bottom);
}

#define CRUMB " \u203a "

/* The file's name without folders and ending. */
static void add_stem(const struct screen *s, struct str *out)
{
	struct sv name = s->subject.path;

	for (size_t i = name.len; i > 0; i--) {
		if (name.at[i - 1] == '/') {
			name = sv_skip(name, i);
			break;
		}
	}
	if (name.len > 5 && sv_ends(name, SV(".onnx")))
		name.len -= 5;
	str_add_shown(out, name);
}

/* The path from the root: "model › Loop.body". */
static void add_crumbs(const struct screen *s, uint32_t graph, struct str *out)
{
	const struct model *m = s->subject.model;
	const struct graph *g = &m->graphs.at[graph];

	if (g->kind == GRAPH_BODY) {
		add_crumbs(s, m->nodes.at[g->owner].graph, out);
		str_text(out, CRUMB);
		str_add_shown(out, model_cut_name(m, m->nodes.at[g->owner].op));
		str_char(out, '.');
		str_add_shown(out, model_cut_name(m, g->role));
		return;
	}
	add_stem(s, out);
	if (g->kind == GRAPH_FUNCTION) {
		str_text(out, CRUMB "function ");
		str_add_shown(out, model_cut_name(m, m->functions.at[g->slot].name));
	} else if (graph) {
		str_text(out, CRUMB);
		graph_path(out, m, graph);
	}
}

/* "features.5" in "features" is "5". */
static struct sv name_inside(const struct scopes *s, uint32_t scope)
{
	struct sv name = s->at[scope].name, around = s->at[s->at[scope].parent].name;

	if (around.len && name.len > around.len + 1 && sv_starts(name, around) &&
	    name.at[around.len] == '.')
		return sv_skip(name, around.len + 1);
	return name;
}

/* Named scopes from the outside in; of others only the room itself. */
static void add_scopes(const struct screen *s, const struct stage *st, uint32_t scope,
		       struct str *out)
{
	uint32_t chain[2 * SCOPE_DEEPEST + 4], count = 0;

	for (; scope && count < ARRAY_LEN(chain); scope = st->scopes.at[scope].parent) {
		if (st->scopes.at[scope].kind == SCOPE_NAME || scope == room_now(st))
			chain[count++] = scope;
	}
	while (count) {
		scope = chain[--count];
		str_text(out, CRUMB);
		if (st->scopes.at[scope].kind == SCOPE_NAME)
			str_add_shown(out, name_inside(&st->scopes, scope));
		else
			fold_title(s, &st->scopes, scope, out);
	}
}

/* The scope around the selection, which is in the room. */
static uint32_t place_of(const struct screen *s, const struct stage *st)
{
	const struct node *n = &s->subject.model->nodes.at[s->node];
	uint32_t scope = room_now(st);

	if (s->node && n->graph == st->graph)
		scope = s->scope ? st->scopes.at[s->scope].parent : st->scopes.of_node[n->index];
	return scope_has(&st->scopes, room_now(st), scope) ? scope : room_now(st);
}

void frame_title(struct pane *p, struct str *out)
{
	static const char *const zooms[ZOOM_COUNT] = {
		[ZOOM_MAP] = "map",
		[ZOOM_LANES] = "lanes",
		[ZOOM_BOXES] = "boxes",
		[ZOOM_DETAILS] = "details",
	};
	const struct screen *s = p->screen;
	const struct graph_state *g = p->state;
	const struct stage *st = g->now;
	struct str path = {0};
	int room;

	if (!st)
		return;
	str_format(out, " \u2500 %s", zooms[st->zoom]);
	if (st->focus.node)
		str_text(out, st->focus.other ? " \u2500 path" : " \u2500 focus");
	add_crumbs(s, st->graph, &path);
	add_scopes(s, st, place_of(s, st), &path);
	room = p->box.width - (int)label_width(str_sv(out)) - 3 - BEYOND_MAX;
	if (path.len && room >= PATH_MIN) {
		str_text(out, " \u2500 ");
		label_add_tail(out, str_sv(&path), room);
	}
	str_release(&path);
}
