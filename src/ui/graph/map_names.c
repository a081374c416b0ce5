/*
 * Beside and in the dots of the map: names of scopes, the part that the graph pane shows, and
 * letters where something changed, is wrong or was found.
 *
 *   ⣿⣿⣿   embed
 *   ⣿⣿✗ ┃ layer.0
 *   ⣿⣿⣿ ◂ layer.1        the selection, in the visible part
 */
#include <inttypes.h>
#include <string.h>

#include "base/str.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "layout/scope/scope.h"
#include "layout/sketch.h"
#include "ui/canvas.h"
#include "ui/graph/internal.h"
#include "ui/screen.h"

enum {
	NAMES_FROM = 16, /* columns of a map that has room for names */
	BAR = 2,         /* columns of the bar: a space, and itself */
	NAMES_DEEP = 6,
	NAMES_PER_TWO_ROWS = 3 /* a scope takes several rows, others have none */
};

/* A scope of the level whose names are shown. */
struct map_name {
	uint32_t scope;
	int first, last; /* rows of the map */
};

struct map_names {
	VEC(struct map_name) at; /* by their first items */
	int width;               /* of the longest */
};

/* ---- which scopes ---- */

/* The scope of at most that depth around it, or 0; computed ones have no name. */
static uint32_t scope_at_depth(const struct scopes *s, uint32_t scope, uint32_t depth)
{
	while (scope && (s->at[scope].depth > depth || !s->at[scope].name.len))
		scope = s->at[scope].parent;
	return scope;
}

/* The scopes of a depth, or above it what is not that deep; a repeat is as deep as what it is like.
 */
static void names_at(struct map_names *n, const struct stage *st, struct box dots, uint32_t depth)
{
	VEC(uint32_t) places = {0}; /* by scope: in the list, plus 1 */

	vec_clear(&n->at);
	(void)memset(vec_extend(&places, st->scopes.count), 0,
		     st->scopes.count * sizeof(*places.at));
	for (uint32_t i = 0; i < st->view.items.len; i++) {
		uint32_t scope = scope_at_depth(&st->scopes, view_scope(&st->view, i), depth);
		struct map_name *name;
		struct rect r;

		if (!scope)
			continue;
		r = map_cells(st, dots, stage_rect(st, i));
		if (!places.at[scope]) {
			vec_push(&n->at, ((struct map_name){scope, r.y, r.y}));
			places.at[scope] = (uint32_t)n->at.len;
		}
		name = &n->at.at[places.at[scope] - 1];
		name->first = MIN(name->first, r.y);
		name->last = MAX(name->last, r.y + r.height - 1);
	}
	vec_release(&places);
}

static uint32_t deepest_of(const struct scopes *s)
{
	uint32_t deepest = 0;

	for (uint32_t i = 1; i < s->count; i++)
		deepest = MAX(deepest, s->at[i].depth);
	return MIN(deepest, NAMES_DEEP);
}

/* As many as about find a row each, of the least such depth; an only one tells nothing. */
static void names_find(struct map_names *n, const struct stage *st, struct box dots)
{
	size_t rows = (size_t)map_cells(st, dots, stage_extent(st)).height, most = 1;
	uint32_t best = 0, deepest = deepest_of(&st->scopes);

	for (uint32_t depth = 1; depth <= deepest; depth++) {
		names_at(n, st, dots, depth);
		if (best && 2 * n->at.len > NAMES_PER_TWO_ROWS * rows)
			break;
		best = n->at.len > most ? depth : best;
		most = MAX(most, n->at.len);
	}
	if (best)
		names_at(n, st, dots, best);
	else
		vec_clear(&n->at);
}

/* The name; of equal blocks the first and how many they are. */
static void add_name(const struct stage *st, uint32_t scope, struct str *out)
{
	const struct scope *at = &st->scopes.at[scope];

	str_add_shown(out, at->name);
	if (at->kind == SCOPE_REPEAT)
		str_format(out, " \u00d7%" PRIu32, at->child_count);
}

static void names_measure(struct map_names *n, const struct stage *st)
{
	struct str text = {0};

	for (size_t i = 0; i < n->at.len; i++) {
		str_clear(&text);
		add_name(st, n->at.at[i].scope, &text);
		n->width = MAX(n->width, (int)MIN(utf8_width(str_sv(&text)), CANVAS_WIDEST));
	}
	str_release(&text);
}

static void names_make(struct map_names *n, const struct stage *st, struct box all)
{
	*n = (struct map_names){0};
	if (all.width < NAMES_FROM)
		return;
	names_find(n, st, all);
	names_measure(n, st);
	n->width = MIN(n->width, all.width / 3);
}

struct box map_dots(const struct graph_state *g, struct box all)
{
	struct map_names n;

	names_make(&n, g->now, all);
	if (all.width >= NAMES_FROM) {
		struct rect used;

		/* The names are right beside the dots. */
		all.width -= BAR + n.width + (n.width > 0);
		used = map_cells(g->now, all, stage_extent(g->now));
		all.width = MAX(MIN(all.width, used.x + used.width), 1);
	}
	vec_release(&n.at);
	return all;
}

/* ---- drawing ---- */

static bool is_around(const struct stage *st, uint32_t scope)
{
	uint32_t at = st->item == SKETCH_NONE ? 0 : view_scope(&st->view, st->item);

	while (at && at != scope)
		at = st->scopes.at[at].parent;
	return at != 0;
}

/* One a row, each at the first free row of its scope. */
static void draw_names(struct screen *s, const struct stage *st, const struct map_names *n,
		       struct box all, int from)
{
	struct str text = {0};

	for (size_t i = 0; i < n->at.len; i++) {
		const struct map_name *name = &n->at.at[i];
		int x = all.x + from, row = name->first;

		while (row <= name->last && row < all.height &&
		       canvas_at(&s->canvas, x, all.y + row)->code != ' ')
			row++;
		if (row > name->last || row >= all.height)
			continue;
		str_clear(&text);
		add_name(st, name->scope, &text);
		canvas_text(&s->canvas, x, all.y + row, n->width, str_sv(&text),
			    is_around(st, name->scope) ? STYLE_NODE_SELECTED : STYLE_SCOPE);
	}
	str_release(&text);
}

/* Beside the dots: the visible rows, and among them the selected one. */
static void draw_bar(struct screen *s, const struct graph_state *g, struct box dots, bool window)
{
	const struct stage *st = g->now;
	struct rect seen = map_cells(st, dots, (struct rect){st->x, st->y, g->width, g->height});
	struct rect here = map_cells(st, dots, stage_rect(st, st->item));
	int x = dots.x + dots.width + 1;

	for (int y = seen.y; window && y < seen.y + seen.height && y < dots.height; y++)
		canvas_put(&s->canvas, x, dots.y + y, 0x2503, STYLE_BRIGHT);
	if (st->item != SKETCH_NONE && here.y < dots.height)
		canvas_put(&s->canvas, x, dots.y + here.y, 0x25c2, STYLE_NODE_SELECTED);
}

/* A letter in the middle of each item that has a mark; the gravest is put last. */
static void draw_letters(struct screen *s, const struct graph_state *g, struct box dots)
{
	static const struct {
		enum item_mark mark;
		uint32_t code;
		enum style style;
	} letters[] = {{ITEM_MATCH, '/', STYLE_MATCH},
		       {ITEM_WARNING, '!', STYLE_WARNING},
		       {ITEM_CHANGED, '~', STYLE_CHANGED},
		       {ITEM_PROBLEM, 0x2717, STYLE_CONFLICT}};
	const struct stage *st = g->now;

	for (size_t k = 0; k < ARRAY_LEN(letters); k++) {
		for (uint32_t i = 0; i < MIN(st->view.items.len, g->marks.len); i++) {
			struct rect r;

			if (!(g->marks.at[i] & letters[k].mark))
				continue;
			r = map_cells(st, dots, stage_rect(st, i));
			canvas_put(&s->canvas, dots.x + MIN(map_column(st, i, r), dots.width - 1),
				   dots.y + MIN(r.y + r.height / 2, dots.height - 1),
				   letters[k].code, letters[k].style);
		}
	}
}

void map_annotate(struct screen *s, const struct graph_state *g, struct box all, struct box dots,
		  bool window)
{
	struct map_names n;

	draw_letters(s, g, dots);
	if (all.width < NAMES_FROM)
		return;
	names_make(&n, g->now, all);
	for (int y = 0; y < dots.height; y++) {
		s->canvas.target = MAP_TARGET + (uint32_t)((y + 1) * dots.width - 1);
		canvas_fill(
			&s->canvas,
			(struct box){dots.x + dots.width, dots.y + y, all.width - dots.width, 1},
			' ', STYLE_TEXT);
	}
	s->canvas.target = 0;
	draw_names(s, g->now, &n, all, dots.width + BAR + 1);
	draw_bar(s, g, dots, window);
	vec_release(&n.at);
}
