/*
 * Frames around open scopes: thin rails beside their boxes, and a name.
 *
 *   ╭┄ query ┄┄┄┄┄┄╮     the upper and lower edge only where there is a row between layers:
 *   ┊ ╭─ MatMul ─╮ ┊     a frame takes no room that boxes could have
 *   ┊ ╰────┬─────╯ ┊
 *
 * Only what is blank is drawn on: lines stay whole.  A scope has no frame if another one's box
 * is inside it, and none has one in a narrow pane.
 */
#include <stdlib.h>

#include "base/bug.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "layout/picture/picture.h"
#include "layout/scope/scope.h"
#include "layout/view/view.h"
#include "ui/canvas.h"
#include "ui/graph/internal.h"
#include "ui/screen.h"

enum {
	FRAMES_MAX = 100,   /* of more none is told from the others */
	FRAMED_ITEMS = 600, /* in a picture; a larger one has no frames */
	FEWEST_FRAMED = 2,  /* items in a frame */
	FRAMES_WIDTH = 60,  /* columns of the smallest pane with frames */
	FRAMES_DEEP = 3     /* frames around one item */
};

/* The scope around an item. */
static uint32_t scope_around(const struct stage *st, uint32_t item)
{
	uint32_t scope = view_scope(&st->view, item);

	return st->view.items.at[item].kind == VIEW_SCOPE ? st->scopes.at[scope].parent : scope;
}

static struct rect join_rects(struct rect a, struct rect b)
{
	int32_t right = MAX(a.x + a.width, b.x + b.width);
	int32_t bottom = MAX(a.y + a.height, b.y + b.height);
	struct rect r = {MIN(a.x, b.x), MIN(a.y, b.y), 0, 0};

	r.width = right - r.x;
	r.height = bottom - r.y;
	return r;
}

/* Adds an item to the frames of its scope and of those around it, up to the room. */
static void frames_add_item(struct stage *st, uint32_t item, uint32_t *frame_of)
{
	uint32_t room = room_now(st), scope = scope_around(st, item);
	struct rect r = picture_rect(&st->picture, item);

	for (; scope && scope != room; scope = st->scopes.at[scope].parent) {
		struct scope_frame *f;

		if (st->scopes.at[scope].kind != SCOPE_NAME)
			continue;
		if (!frame_of[scope]) {
			if (st->frames.len == FRAMES_MAX)
				return;
			vec_push(&st->frames, ((struct scope_frame){.scope = scope, .rect = r}));
			frame_of[scope] = (uint32_t)st->frames.len;
		}
		f = &st->frames.at[frame_of[scope] - 1];
		f->rect = join_rects(f->rect, r);
		f->items++;
	}
}

static bool rects_meet(struct rect a, struct rect b)
{
	return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height &&
	       b.y < a.y + a.height;
}

/* Is a box of another scope inside the rails? */
static bool is_crowded(const struct stage *st, const struct scope_frame *f)
{
	struct rect r = f->rect;

	r.x -= f->margin;
	r.width += 2 * f->margin;
	for (uint32_t i = 0; i < st->view.items.len; i++) {
		if (rects_meet(r, picture_rect(&st->picture, i)) &&
		    !scope_has(&st->scopes, f->scope, scope_around(st, i)))
			return true;
	}
	return false;
}

/* A frame around frames is wider than all of them. */
static void set_margins(struct stage *st)
{
	for (size_t i = 0; i < st->frames.len; i++) {
		struct scope_frame *f = &st->frames.at[i];

		f->margin = 1;
		for (size_t k = 0; k < st->frames.len; k++) {
			const struct scope_frame *inner = &st->frames.at[k];
			uint32_t at = inner->scope;
			int32_t deep = 1;

			if (k == i || inner->items < FEWEST_FRAMED)
				continue;
			while (at && at != f->scope) {
				at = st->scopes.at[at].parent;
				deep++;
			}
			if (at == f->scope)
				f->margin = MAX(f->margin, deep);
		}
	}
}

void frames_find(struct stage *st)
{
	uint32_t *frame_of;

	vec_clear(&st->frames);
	if (st->view.items.len > FRAMED_ITEMS)
		return;
	frame_of = must_alloc((st->scopes.count + 1) * sizeof(*frame_of));
	for (uint32_t i = 0; i <= st->scopes.count; i++)
		frame_of[i] = 0;
	for (uint32_t i = 0; i < st->view.items.len; i++)
		frames_add_item(st, i, frame_of);
	free(frame_of);
	set_margins(st);
	for (size_t i = 0; i < st->frames.len; i++) {
		struct scope_frame *f = &st->frames.at[i];

		f->drawn = f->items >= FEWEST_FRAMED && f->margin <= FRAMES_DEEP &&
			   !is_crowded(st, f);
	}
}

/* ---- drawing ---- */

static bool frames_is_blank(const struct canvas *c, int x, int y)
{
	const struct glyph *at = x >= 0 && y >= 0 && x < c->width && y < c->height
					 ? &c->cells[y * c->width + x]
					 : NULL;

	return at && at->code == ' ' && at->target == 0;
}

static void frames_put(struct canvas *c, int x, int y, uint32_t code)
{
	if (frames_is_blank(c, x, y))
		canvas_put(c, x, y, code, STYLE_DIM);
}

static bool has_room(const struct canvas *c, int x, int y, int columns)
{
	for (int i = 0; i < columns; i++) {
		if (!frames_is_blank(c, x + i, y))
			return false;
	}
	return true;
}

/* In the upper edge; else beside the upper right corner, or the left one. */
static void draw_name(struct canvas *c, struct rect r, struct sv name, bool edge)
{
	int columns = (int)MIN(utf8_width(name), 24), right = r.x + r.width + 1;

	if (edge && columns + 4 <= r.width && has_room(c, r.x + 1, r.y - 1, columns + 3))
		canvas_text(c, r.x + 3, r.y - 1, columns, name, STYLE_DIM);
	else if (has_room(c, right, r.y, columns + 1))
		canvas_text(c, right, r.y, columns, name, STYLE_DIM);
	else if (has_room(c, r.x - columns - 2, r.y, columns + 1))
		canvas_text(c, r.x - columns - 1, r.y, columns, name, STYLE_DIM);
}

/* An edge in a row between layers; in a row of boxes there is none. */
static bool draw_edge(struct canvas *c, const struct stage *st, struct rect r, int y, bool upper)
{
	for (uint32_t i = 0; i < st->view.items.len; i++) {
		struct rect box = picture_rect(&st->picture, i);

		box.x -= st->x;
		box.y -= st->y;
		if (rects_meet(box, (struct rect){r.x, y, r.width, 1}))
			return false;
	}
	frames_put(c, r.x, y, upper ? 0x256d : 0x2570);
	frames_put(c, r.x + r.width - 1, y, upper ? 0x256e : 0x256f);
	return true;
}

static void draw_frame(struct canvas *c, const struct stage *st, const struct scope_frame *f)
{
	struct rect r = {f->rect.x - st->x - f->margin, f->rect.y - st->y,
			 f->rect.width + 2 * f->margin, f->rect.height};
	bool edge = draw_edge(c, st, r, r.y - 1, true);

	draw_name(c, r, st->scopes.at[f->scope].name, edge);
	for (int x = r.x + 1; edge && x < r.x + r.width - 1; x++)
		frames_put(c, x, r.y - 1, 0x2504);
	if (draw_edge(c, st, r, r.y + r.height, false)) {
		for (int x = r.x + 1; x < r.x + r.width - 1; x++)
			frames_put(c, x, r.y + r.height, 0x2504);
	}
	for (int y = MAX(r.y, 0); y < MIN(r.y + r.height, c->height); y++) {
		frames_put(c, r.x, y, 0x250a);
		frames_put(c, r.x + r.width - 1, y, 0x250a);
	}
}

void frames_draw(struct screen *s, const struct graph_state *g)
{
	const struct stage *st = g->now;

	if (g->width < FRAMES_WIDTH)
		return;
	for (size_t i = 0; i < st->frames.len; i++) {
		if (st->frames.at[i].drawn)
			draw_frame(&s->canvas, st, &st->frames.at[i]);
	}
}
