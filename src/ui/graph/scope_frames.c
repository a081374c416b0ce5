/*
 * Frames around open scopes: thin rails beside their boxes, and a name.
 *
 *   ╭┄ query ┄┄┄┄┄┄╮ ╭┄ key ┄┄┄┄     in a row of their own above the boxes where frames stand
 *   ┊ ╭─ MatMul ─╮ ┊ ┊ ╭─ MatMul    side by side;
 *
 *   ┊ ╭─ Conv ─╮ ┊ layer1           else beside the first box, which takes no row, and of frames
 *   ┊ ╰───┬────╯ ┊                  that begin together as a path: encoder › layer.0
 *
 * Only what is blank is drawn on: lines stay whole.  A scope between whose boxes others stand has
 * several frames, see layout/frames.h.  Two frames are inside one another or share no cell: where
 * there is too little room, those with the fewest boxes are left out.  There are none in a
 * narrow pane.
 */
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "layout/frames.h"
#include "layout/picture/picture.h"
#include "layout/scope/scope.h"
#include "ui/canvas.h"
#include "ui/graph/internal.h"
#include "ui/screen.h"

enum {
	FRAMED_ITEMS = 600, /* in a picture; a larger one has no frames */
	FEWEST_FRAMED = 2,  /* items in a frame */
	FRAMES_WIDTH = 60,  /* columns of the smallest pane with frames */
	FRAMES_DEEP = 3,    /* frames around one item */
	FRAME_NAME = 24,    /* columns of a name */
	SHORT_NAME = 4      /* the same, of what is left of one */
};

struct framed {
	bool lost; /* would meet another one */
	bool drawn;
	uint8_t deep;        /* drawn frames in it, itself included */
	uint8_t rise;        /* of these, those that begin in its first layer */
	uint8_t drop;        /* and those that end in its last one */
	int32_t left, right; /* columns of its rails, outside those in it */
	uint32_t next; /* another that begins in the same layer, not an outer one; 0 for none */
};

struct framer {
	struct stage *st;        /* borrowed */
	const struct picture *p; /* borrowed */
	struct frames all;
	struct framed *at; /* owned; by frame */
	uint32_t *begin;   /* owned; by layer: the outermost frame that begins there, or 0 */
	uint8_t *rows;     /* owned; by layer: what is needed above it */
};

static bool frames_are_shown(const struct screen *s, const struct stage *st)
{
	return st->view.items.len <= FRAMED_ITEMS && screen_graph_box(s).width >= FRAMES_WIDTH;
}

void frames_group(const struct screen *s, struct stage *st)
{
	const struct scopes *scopes = &st->scopes;
	uint32_t *count, room = room_now(st);

	if (!frames_are_shown(s, st))
		return;
	count = must_alloc((scopes->count + 1) * sizeof(*count));
	memset(count, 0, (scopes->count + 1) * sizeof(*count));
	for (uint32_t i = 0; i < st->view.items.len; i++) {
		for (uint32_t at = frame_scope(&st->view, i); at;
		     at = frame_scope_above(scopes, at))
			count[at]++;
	}
	for (uint32_t i = 0; i < st->view.items.len; i++) {
		uint32_t at = frame_scope(&st->view, i);

		while (at && count[at] < FEWEST_FRAMED)
			at = frame_scope_above(scopes, at);
		st->view.sketch.items.at[i].group = at == room ? 0 : at;
	}
	free(count);
}

/* ---- which are drawn ---- */

static bool is_drawn(const struct framer *w, uint32_t frame)
{
	const struct frame *f = &w->all.at.at[frame];
	uint32_t room = room_now(w->st);

	return f->scope && !w->at[frame].lost && f->scope != room &&
	       scope_has(&w->st->scopes, room, f->scope) && f->count >= FEWEST_FRAMED &&
	       w->at[frame].deep < FRAMES_DEEP;
}

/* Backwards: inner frames come after outer ones. */
static void choose_frames(struct framer *w)
{
	memset(w->begin, 0, ((size_t)w->p->layer_count + 1) * sizeof(*w->begin));
	for (size_t i = 0; i < w->all.at.len; i++)
		w->at[i] = (struct framed){.lost = w->at[i].lost,
					   .left = w->all.at.at[i].left,
					   .right = w->all.at.at[i].right};
	for (uint32_t i = (uint32_t)w->all.at.len; i-- > 1;) {
		const struct frame *f = &w->all.at.at[i], *out = &w->all.at.at[f->parent];
		struct framed *in = &w->at[i], *around = &w->at[f->parent];

		if (is_drawn(w, i)) {
			in->drawn = true;
			in->deep++;
			in->rise++;
			in->drop++;
			in->left--;
			in->right++;
			in->next = w->begin[f->first];
			w->begin[f->first] = i;
		}
		around->deep = MAX(around->deep, in->deep);
		around->left = MIN(around->left, in->left);
		around->right = MAX(around->right, in->right);
		if (f->first == out->first)
			around->rise = MAX(around->rise, in->rise);
		if (f->last == out->last)
			around->drop = MAX(around->drop, in->drop);
	}
}

/* The next drawn frame around it; 0 for none. */
static uint32_t drawn_around(const struct framer *w, uint32_t frame)
{
	do {
		frame = w->all.at.at[frame].parent;
	} while (frame && !w->at[frame].drawn);
	return frame;
}

/* The columns of its rails: between two boxes there may be fewer than it wants. */
static int32_t left_rail(const struct framer *w, uint32_t frame)
{
	const struct frame *f = &w->all.at.at[frame];

	return MAX(w->at[frame].left, f->low == INT32_MIN ? f->low : f->low + 1);
}

static int32_t right_rail(const struct framer *w, uint32_t frame)
{
	const struct frame *f = &w->all.at.at[frame];

	return MIN(w->at[frame].right, f->high == INT32_MAX ? f->high : f->high - 1);
}

static bool frames_are_nested(const struct framer *w, uint32_t outer, uint32_t inner)
{
	while (inner && inner != outer)
		inner = w->all.at.at[inner].parent;
	return inner == outer;
}

/* Do their rails share a column beside a layer of both?  The outer one comes first. */
static bool frames_meet(const struct framer *w, uint32_t a, uint32_t b)
{
	const struct frame *x = &w->all.at.at[a], *y = &w->all.at.at[b];
	int32_t left = left_rail(w, a), right = right_rail(w, a);

	if (x->last < y->first || y->last < x->first)
		return false;
	if (frames_are_nested(w, a, b))
		return left >= left_rail(w, b) || right <= right_rail(w, b);
	return left <= right_rail(w, b) && left_rail(w, b) <= right;
}

/* The drawn frame with the fewest boxes of `best` and those of a frame that need columns on one of
 * its sides, itself included. */
static uint32_t frames_least(const struct framer *w, uint32_t frame, bool right, uint32_t best)
{
	const struct frame *f = &w->all.at.at[frame];

	for (uint32_t i = frame; i < w->all.at.len; i++) {
		bool beyond = right ? w->at[i].right > f->right : w->at[i].left < f->left;

		if (w->at[i].drawn && beyond && frames_are_nested(w, frame, i) &&
		    (!best || w->all.at.at[i].count <= w->all.at.at[best].count))
			best = i;
	}
	return best;
}

/* Of two that meet: without it what is around it is narrower. */
static uint32_t frames_choose(const struct framer *w, uint32_t a, uint32_t b)
{
	bool left = w->all.at.at[a].left < w->all.at.at[b].left;

	if (frames_are_nested(w, a, b))
		return frames_least(w, a, left_rail(w, a) < left_rail(w, b), 0);
	return frames_least(w, b, !left, frames_least(w, a, left, 0));
}

/* False when nothing meets. */
static bool part_drawn(struct framer *w)
{
	bool parted = false;

	for (uint32_t a = 1; a < w->all.at.len; a++) {
		for (uint32_t b = a + 1; b < w->all.at.len && w->at[a].drawn; b++) {
			uint32_t one;

			if (!w->at[b].drawn || !frames_meet(w, a, b))
				continue;
			one = frames_choose(w, a, b);
			w->at[one].lost = parted = true;
			w->at[one].drawn = false;
		}
	}
	return parted;
}

/* ---- names ---- */

static void frames_add_name(const struct stage *st, uint32_t scope, struct str *out)
{
	const struct scope *at = &st->scopes.at[scope];

	str_add_shown(out, at->made ? at->name : label_tail(at->name, FRAME_NAME));
}

/* Of those that begin in a layer; false if they are not inside one another. */
static bool frames_path(const struct framer *w, uint32_t layer, struct str *out)
{
	uint32_t last = 0;

	for (uint32_t i = w->begin[layer]; i; i = w->at[i].next) {
		if (last && drawn_around(w, i) != last)
			return false;
		str_text(out, last ? " \u203a " : "");
		frames_add_name(w->st, w->all.at.at[i].scope, out);
		last = i;
	}
	return true;
}

/* Where text beside all rails around a frame may be: on a side where nothing else is in its first
 * layer. */
static bool frames_beside(const struct framer *w, uint32_t frame, int32_t columns,
			  struct frame_sides *out)
{
	const struct layer *layer = &w->p->layers[w->all.at.at[frame].first];
	int32_t left = INT32_MIN, right = INT32_MAX, low = left_rail(w, frame);
	int32_t high = right_rail(w, frame);

	for (uint32_t i = 0; i < layer->count; i++) {
		const struct spot *spot = &w->p->spots[w->p->row[layer->first + i]];

		if (spot->x - spot->left > high)
			right = MIN(right, spot->x - spot->left);
		if (spot->x + spot->right < low)
			left = MAX(left, spot->x + spot->right);
	}
	for (uint32_t i = drawn_around(w, frame); i; i = drawn_around(w, i)) {
		low = MIN(low, left_rail(w, i));
		high = MAX(high, right_rail(w, i));
	}
	out->left = left == INT32_MIN || left < low - columns - 2 ? low - 2 : INT32_MIN;
	out->right = right == INT32_MAX || right > high + columns + 2 ? high + 2 : INT32_MAX;
	return out->left != INT32_MIN || out->right != INT32_MAX;
}

/* Frames that begin in a layer: a path beside the boxes, or rows above with a name for each. */
static void name_layer(struct framer *w, uint32_t layer)
{
	struct str path = {0};
	bool beside = w->begin[layer] && frames_path(w, layer, &path);
	struct frame_sides sides = {0};

	beside = beside &&
		 frames_beside(w, w->begin[layer], (int32_t)label_width(str_sv(&path)), &sides);
	for (uint32_t i = w->begin[layer]; i; i = w->at[i].next) {
		const struct frame *f = &w->all.at.at[i];
		if (!beside)
			w->rows[layer] = MAX(w->rows[layer], w->at[i].rise);
		vec_push(&w->st->frames, ((struct scope_frame){.scope = f->scope,
							       .first = f->first,
							       .last = f->last,
							       .left = left_rail(w, i),
							       .right = right_rail(w, i),
							       .rise = w->at[i].rise,
							       .drop = w->at[i].drop,
							       .edge = !beside,
							       .sides = sides}));
	}
	str_release(&path);
}

/* Between two frames, one below the other, the edge with the name comes first. */
static void drop_edges(struct stage *st, const struct picture *p)
{
	for (size_t i = 0; i < st->frames.len; i++) {
		struct scope_frame *a = &st->frames.at[i];

		for (size_t k = i + 1; k < st->frames.len; k++) {
			const struct scope_frame *b = &st->frames.at[k];

			if (b->first == a->last + 1 && a->left <= b->right && b->left <= a->right &&
			    p->layers[a->last].gap < a->drop + b->rise)
				a->drop = 0;
		}
	}
}

void frames_find(const struct screen *s, struct stage *st, struct picture *p)
{
	struct framer w = {.st = st, .p = p};
	size_t layers = (size_t)p->layer_count + 1;

	vec_clear(&st->frames);
	if (!frames_are_shown(s, st))
		return;
	frames_make(&w.all, &st->view, p, NULL);
	w.at = must_alloc(w.all.at.len * sizeof(*w.at));
	w.begin = must_alloc(layers * sizeof(*w.begin));
	w.rows = must_alloc(layers);
	memset(w.at, 0, w.all.at.len * sizeof(*w.at));
	memset(w.rows, 0, layers);
	do {
		choose_frames(&w);
	} while (part_drawn(&w));
	for (uint32_t i = 0; i < p->layer_count; i++)
		name_layer(&w, i);
	picture_part(p, w.rows);
	drop_edges(st, p);
	frames_release(&w.all);
	free(w.at);
	free(w.begin);
	free(w.rows);
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

static bool frames_has_room(const struct canvas *c, int x, int y, int columns)
{
	for (int i = 0; i < columns; i++) {
		if (!frames_is_blank(c, x + i, y))
			return false;
	}
	return true;
}

/* Nothing but lines that go straight through it; what is not in the window counts as blank.  Its
 * corners may be on those of the next frame. */
static bool edge_is_free(struct canvas *c, struct box b, int y)
{
	uint32_t line = canvas_mark(c, 0x2502);

	if (y < 0 || y >= c->height)
		return false;
	for (int x = MAX(b.x + 1, 0); x < MIN(b.x + b.width - 1, c->width); x++) {
		if (!frames_is_blank(c, x, y) && canvas_at(c, x, y)->code != line)
			return false;
	}
	return true;
}

/* The first part of the edge with so many blanks; -1 for none. */
static int room_in_edge(const struct canvas *c, struct box b, int y, int columns)
{
	for (int x = MAX(b.x + 1, 0); x + columns < b.x + b.width; x++) {
		if (frames_has_room(c, x, y, columns))
			return x;
	}
	return -1;
}

/* Where a name with a blank on either side stands, one column behind the corner if there is room.
 */
static int place_in_edge(const struct canvas *c, struct box b, int y, int columns)
{
	int x = room_in_edge(c, b, y, columns + 3);

	return x >= 0 ? x + 1 : room_in_edge(c, b, y, columns + 2);
}

static void draw_edge(struct canvas *c, struct box b, int y, bool upper, struct sv name)
{
	int columns = (int)label_width(name), at = columns ? place_in_edge(c, b, y, columns) : -1;

	/* Beside a line in the middle. */
	if (at < 0 && columns && b.width / 2 - 4 >= SHORT_NAME) {
		name = label_tail(name, b.width / 2 - 4);
		columns = (int)label_width(name);
		at = place_in_edge(c, b, y, columns);
	}
	if (at >= 0)
		canvas_text(c, at + 1, y, columns, name, STYLE_DIM);
	frames_put(c, b.x, y, upper ? 0x256d : 0x2570);
	for (int x = b.x + 1; x < b.x + b.width - 1; x++) {
		if (at < 0 || x < at || x > at + columns + 1)
			frames_put(c, x, y, 0x2504);
	}
	frames_put(c, b.x + b.width - 1, y, upper ? 0x256e : 0x256f);
}

static void draw_frame(struct canvas *c, const struct stage *st, const struct scope_frame *f,
		       bool named)
{
	const struct layer *first = &st->picture.layers[f->first];
	const struct layer *last = &st->picture.layers[f->last];
	struct box b = {f->left - st->x, first->y - st->y, f->right - f->left + 1,
			last->y + last->height - first->y};
	struct str name = {0};

	if (b.y - f->rise >= c->height || b.y + b.height + f->drop < 0)
		return;
	if (!named)
		frames_add_name(st, f->scope, &name);
	if (edge_is_free(c, b, b.y - f->rise)) {
		b.y -= f->rise;
		b.height += f->rise;
		draw_edge(c, b, b.y, true, str_sv(&name));
	}
	if (edge_is_free(c, b, b.y + b.height + f->drop - 1)) {
		b.height += f->drop;
		draw_edge(c, b, b.y + b.height - 1, false, (struct sv){0});
	}
	for (int y = MAX(b.y, 0); y < MIN(b.y + b.height, c->height); y++) {
		frames_put(c, b.x, y, 0x250a);
		frames_put(c, b.x + b.width - 1, y, 0x250a);
	}
	str_release(&name);
}

static bool name_beside(struct canvas *c, const struct stage *st, const struct scope_frame *f,
			struct sv path)
{
	int columns = (int)label_width(path), y = st->picture.layers[f->first].y - st->y, x = -1;

	if (f->sides.right != INT32_MAX)
		x = f->sides.right - st->x;
	if (f->sides.left != INT32_MIN && !frames_has_room(c, x, y, columns))
		x = f->sides.left - st->x - columns + 1;
	if (!frames_has_room(c, x, y, columns))
		return false;
	canvas_text(c, x, y, columns, path, STYLE_DIM);
	return true;
}

/* Frames that begin together: a path beside them, or names in their edges. */
static size_t draw_group(struct canvas *c, const struct stage *st, size_t first)
{
	const struct scope_frame *f = &st->frames.at[first];
	struct str path = {0};
	size_t end = first;
	bool named;

	for (; end < st->frames.len && st->frames.at[end].first == f->first; end++) {
		str_text(&path, end == first ? "" : c->ascii ? " > " : " \u203a ");
		frames_add_name(st, st->frames.at[end].scope, &path);
	}
	named = !f->edge && name_beside(c, st, f, str_sv(&path));
	for (size_t i = first; i < end; i++)
		draw_frame(c, st, &st->frames.at[i], named);
	str_release(&path);
	return end;
}

void frames_draw(struct screen *s, const struct graph_state *g)
{
	for (size_t i = 0; i < g->now->frames.len;)
		i = draw_group(&s->canvas, g->now, i);
}
