/*
 * Scopes are framed level by level, from the outermost: each frame is inside one frame of the
 * level above.  Adjacent items of one scope in a layer are a run.  A run joins a frame of its
 * scope that ends a few layers above it, unless the frame would then contain foreign items.
 * To check that, a frame records its nearest neighbours on either side.
 */
#include "layout/frames.h"

#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/map.h"
#include "base/vec.h"
#include "layout/picture/picture.h"
#include "layout/scope/scope.h"
#include "layout/view/view.h"

enum {
	MAX_EMPTY = 8, /* consecutive layers in which a frame has no item */
	MAX_TRIED = 4, /* frames that a run tries to join */
	MAX_ROUNDS = 16,
	MAX_PIECES = 100 /* per scope: frames of a scattered scope explain nothing */
};

struct framing {
	struct frames *f;        /* borrowed */
	const struct view *v;    /* borrowed */
	const struct picture *p; /* borrowed */
	const uint32_t *strip;   /* borrowed; by layer, or NULL */
	uint32_t *items;         /* owned; layer by layer, from the left */
	uint32_t *first;         /* owned; by layer: first index in items; one extra at the end */
	uint32_t *scope;         /* owned; by item: its scope of this level, or 0 */
	struct map newest;       /* parent frame << 32 | scope -> newest frame */
	struct map pieces;       /* same key -> number of frames */
};

/* Adjacent items of one layer. */
struct run {
	uint32_t layer, begin, end; /* begin and end index items */
	int32_t left, right;
	int32_t low, high; /* columns of its neighbours */
};

uint32_t frame_scope_above(const struct scopes *s, uint32_t scope)
{
	do {
		scope = s->at[scope].parent;
	} while (scope && s->at[scope].kind != SCOPE_NAME);
	return scope;
}

uint32_t frame_scope(const struct view *v, uint32_t item)
{
	const struct scopes *scopes = v->scopes;
	uint32_t scope = view_scope(v, item);
	bool around = v->items.at[item].kind == VIEW_SCOPE || scopes->at[scope].kind != SCOPE_NAME;

	return scope && around ? frame_scope_above(scopes, scope) : scope;
}

/* ---- joining ---- */

static int32_t left_of(const struct framing *w, uint32_t item)
{
	const struct spot *s = &w->p->spots[item];

	return s->x - s->left;
}

static int32_t right_of(const struct framing *w, uint32_t item)
{
	const struct spot *s = &w->p->spots[item];

	return s->x + s->right;
}

/* The first item of a layer that ends at or right of a column. */
static uint32_t first_from(const struct framing *w, uint32_t layer, int32_t column)
{
	uint32_t low = w->first[layer], high = w->first[layer + 1];

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (right_of(w, w->items[middle]) < column)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Extends a frame over a layer in which it has no item.  Frames must not cross. */
static bool pass_layer(const struct framing *w, struct frame *f, uint32_t layer)
{
	uint32_t right = first_from(w, layer, f->left);
	bool has_left = right > w->first[layer], has_right = right < w->first[layer + 1];

	if (has_right && left_of(w, w->items[right]) <= f->right)
		return false;
	if (has_left)
		f->low = MAX(f->low, right_of(w, w->items[right - 1]));
	if (has_right)
		f->high = MIN(f->high, left_of(w, w->items[right]));
	return !has_left || !has_right ||
	       w->f->of_item[w->items[right - 1]] != w->f->of_item[w->items[right]] ||
	       w->f->of_item[w->items[right]] == f->parent;
}

/* Grows the frame to contain the run; false if it would then contain foreign items. */
static bool frames_grow(const struct framing *w, struct frame *f, const struct run *r)
{
	if (r->layer - f->last > MAX_EMPTY + 1 ||
	    (w->strip && w->strip[r->layer] != w->strip[f->last]))
		return false;
	for (uint32_t layer = f->last + 1; layer < r->layer; layer++) {
		if (!pass_layer(w, f, layer))
			return false;
	}
	f->last = r->layer;
	f->left = MIN(f->left, r->left);
	f->right = MAX(f->right, r->right);
	f->low = MAX(f->low, r->low);
	f->high = MIN(f->high, r->high);
	return f->low < f->left && f->right < f->high;
}

static uint32_t frames_join(struct framing *w, const struct run *r, uint32_t above, uint32_t scope)
{
	uint32_t *newest = map_at(&w->newest, (uint64_t)above << 32 | scope), at = *newest;
	struct frame grown;

	for (int tried = 0; at && tried < MAX_TRIED; tried++, at = w->f->at.at[at].older) {
		grown = w->f->at.at[at];
		if (!frames_grow(w, &grown, r))
			continue;
		w->f->at.at[at] = grown;
		return at;
	}
	if (++*map_at(&w->pieces, (uint64_t)above << 32 | scope) > MAX_PIECES)
		return above;
	vec_push(&w->f->at, ((struct frame){.scope = scope,
					    .parent = above,
					    .older = *newest,
					    .first = r->layer,
					    .last = r->layer,
					    .left = r->left,
					    .right = r->right,
					    .low = r->low,
					    .high = r->high}));
	*newest = (uint32_t)w->f->at.len - 1;
	return *newest;
}

/* ---- levels ---- */

static bool belong_together(const struct framing *w, uint32_t a, uint32_t b)
{
	return w->scope[a] == w->scope[b] && w->f->of_item[a] == w->f->of_item[b];
}

static struct run next_run(const struct framing *w, uint32_t layer, uint32_t begin)
{
	struct run r = {.layer = layer, .begin = begin, .end = begin + 1};

	while (r.end < w->first[layer + 1] && belong_together(w, w->items[begin], w->items[r.end]))
		r.end++;
	r.left = left_of(w, w->items[begin]);
	r.right = right_of(w, w->items[r.end - 1]);
	r.low = begin > w->first[layer] ? right_of(w, w->items[begin - 1]) : INT32_MIN;
	r.high = r.end < w->first[layer + 1] ? left_of(w, w->items[r.end]) : INT32_MAX;
	return r;
}

static void frame_layer(struct framing *w, uint32_t layer)
{
	uint32_t begin = w->first[layer];

	while (begin < w->first[layer + 1]) {
		uint32_t scope = w->scope[w->items[begin]];
		struct run r = next_run(w, layer, begin);

		if (scope) {
			uint32_t frame = frames_join(w, &r, w->f->of_item[w->items[begin]], scope);

			w->f->at.at[frame].count += r.end - r.begin;
			for (uint32_t i = r.begin; i < r.end; i++)
				w->f->of_item[w->items[i]] = frame;
		}
		begin = r.end;
	}
}

/* ---- frames that meet ---- */

/* A frame in one of its layers. */
struct cover {
	uint32_t parent, layer, frame;
	int32_t left, right;
};

struct covers {
	struct cover *at; /* owned */
	size_t len;
	size_t cap;
};

static int compare_covers(const void *a, const void *b)
{
	const struct cover *x = a, *y = b;

	if (x->parent != y->parent)
		return x->parent < y->parent ? -1 : 1;
	if (x->layer != y->layer)
		return x->layer < y->layer ? -1 : 1;
	return x->left < y->left ? -1 : x->left > y->left;
}

/*
 * Frames may overlap where there are no items: the one with fewer items is then not drawn.  A
 * frame of an outer level stays, since it contains frames.
 */
static void give_up_one(struct frames *f, size_t from, uint32_t a, uint32_t b)
{
	uint32_t one = f->at.at[a].count < f->at.at[b].count ? a : b;

	if (a < from && b < from)
		return;
	if (one < from)
		one = one == a ? b : a;
	f->at.at[one].scope = 0;
	f->given_up = true;
}

/* The list stays short: MAX_EMPTY bounds the empty layers of a frame. */
static void list_covers(const struct frames *f, size_t from, struct covers *out)
{
	vec_clear(out);
	/* The contents of a dropped frame may overlap frames of the level above. */
	for (size_t i = f->given_up ? 1 : from; i < f->at.len; i++) {
		const struct frame *at = &f->at.at[i];

		for (uint32_t layer = at->first; at->scope && layer <= at->last; layer++)
			vec_push(out, ((struct cover){at->parent, layer, (uint32_t)i, at->left,
						      at->right}));
	}
	if (out->len)
		qsort(out->at, out->len, sizeof(*out->at), compare_covers);
}

/* Dropping a frame can reveal another overlap; false when none was found. */
static bool part_some(struct frames *f, size_t from, const struct covers *c)
{
	bool parted = false;

	for (size_t i = 1, widest = 0; i < c->len; i++) {
		const struct cover *a = &c->at[widest], *b = &c->at[i];
		bool beside = a->parent == b->parent && a->layer == b->layer;
		bool meets = beside && b->left <= a->right + 1;

		if (meets && f->at.at[a->frame].scope && f->at.at[b->frame].scope)
			give_up_one(f, from, a->frame, b->frame);
		parted = parted || meets;
		if (!beside || b->right > a->right)
			widest = i;
	}
	return parted;
}

static void part_frames(struct framing *w, size_t from)
{
	struct covers covers = {0};
	int rounds = 0;

	do {
		list_covers(w->f, from, &covers);
	} while (part_some(w->f, from, &covers) && ++rounds < MAX_ROUNDS);
	for (uint32_t i = 0; i < w->p->item_count; i++) {
		const struct frame *f = &w->f->at.at[w->f->of_item[i]];

		if (w->f->of_item[i] >= from && !f->scope)
			w->f->of_item[i] = f->parent;
	}
	vec_release(&covers);
}

/* ---- all levels ---- */

/* The ancestor at depth `level`; 0 if the scope is not that deep. */
static uint32_t scope_at(const struct scopes *s, uint32_t scope, uint32_t level)
{
	uint32_t deep = 0;

	for (uint32_t at = scope; at; at = frame_scope_above(s, at))
		deep++;
	for (; deep > level; deep--)
		scope = frame_scope_above(s, scope);
	return deep == level ? scope : 0;
}

static void list_items(struct framing *w)
{
	const struct picture *p = w->p;
	uint32_t count = 0;

	for (uint32_t i = 0; i < p->layer_count; i++) {
		w->first[i] = count;
		for (uint32_t k = 0; k < p->layers[i].count; k++) {
			uint32_t spot = p->row[p->layers[i].first + k];

			if (p->spots[spot].kind == SPOT_ITEM)
				w->items[count++] = spot;
		}
	}
	w->first[p->layer_count] = count;
}

/* Backwards: inner frames come after outer ones. */
static void count_nested(struct frames *f)
{
	for (size_t i = f->at.len; i-- > 1;) {
		struct frame *in = &f->at.at[i], *out = &f->at.at[in->parent];

		if (!in->scope)
			continue;
		in->rise++;
		in->drop++;
		in->nested++;
		if (in->first == out->first)
			out->rise = MAX(out->rise, in->rise);
		if (in->last == out->last)
			out->drop = MAX(out->drop, in->drop);
		out->nested = MAX(out->nested, in->nested);
		f->nested = MAX(f->nested, in->nested);
	}
}

void frames_make(struct frames *f, const struct view *v, const struct picture *p,
		 const uint32_t *strip)
{
	struct framing w = {.f = f, .v = v, .p = p, .strip = strip};
	size_t items = (size_t)p->item_count + 1, layers = (size_t)p->layer_count;
	size_t from;
	bool deeper = true;

	*f = (struct frames){.of_item = must_alloc(items * sizeof(*f->of_item))};
	memset(f->of_item, 0, items * sizeof(*f->of_item));
	(void)vec_add(&f->at);
	w.items = must_alloc(items * sizeof(*w.items));
	w.first = must_alloc((layers + 1) * sizeof(*w.first));
	w.scope = must_alloc(items * sizeof(*w.scope));
	list_items(&w);
	for (uint32_t level = 1; deeper && level <= FRAME_DEEPEST; level++) {
		deeper = false;
		for (uint32_t i = 0; i < p->item_count; i++) {
			w.scope[i] = scope_at(v->scopes, frame_scope(v, i), level);
			deeper = deeper || w.scope[i];
		}
		from = f->at.len;
		for (uint32_t i = 0; deeper && i < layers; i++)
			frame_layer(&w, i);
		part_frames(&w, from);
	}
	count_nested(f);
	free(w.items);
	free(w.first);
	free(w.scope);
	map_release(&w.newest);
	map_release(&w.pieces);
}

void frames_release(struct frames *f)
{
	vec_release(&f->at);
	free(f->of_item);
	*f = (struct frames){0};
}
