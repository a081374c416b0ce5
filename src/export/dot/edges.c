/*
 * Edges run from layer to layer along the columns that the layout reserved for their net,
 * straight through a layer, bent between two.
 *
 * At a stub or a cut between strips, an edge is drawn in two pieces, below its producer and
 * above its reader.  Each cut end is labelled with the net's name, once for all edges that end
 * there.
 */
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "export/dot/internal.h"
#include "layout/picture/picture.h"

enum {
	NAME_HEIGHT = 12,  /* points per row of names */
	NAME_COLUMNS = 24, /* the width that the layout reserves */
	NAME_BESIDE = 5,   /* points from a line to its name */
	STUB_MIDDLE = 8    /* points from the border of a layer to the middle of a stub's row */
};

struct point {
	int32_t x, y; /* points, y upwards */
};

/* One end of a cut line. */
struct cut {
	struct point at;
	bool named; /* already labelled */
};

/* Names above or below strips. */
struct cut_names {
	struct map rows;  /* spot of the cut << 32 | net -> row of its name, from 1 */
	uint32_t *counts; /* owned; by strip */
};

struct route {
	struct dot *d; /* borrowed */
	uint32_t net;
	struct point at;     /* written up to here; from here ... */
	struct point next;   /* ... straight to here */
	VEC(uint32_t) spots; /* from the reader up to the producer or the cut */
	struct cut_names above, below;
	struct map stubs; /* spot -> 1 once its name is written */
	struct str name;
};

/* ---- curves ---- */

static void dot_edges_put(struct route *r, struct point p)
{
	str_char(&r->d->text, ' ');
	dot_add_point(&r->d->text, p.x, p.y);
}

static void start_at(struct route *r, struct point at)
{
	dot_add_point(&r->d->text, at.x, at.y);
	r->at = r->next = at;
}

/* Graphviz takes Bézier curves only; the control points are the end points. */
static void write_straight(struct route *r)
{
	if (r->next.y == r->at.y)
		return;
	dot_edges_put(r, r->at);
	dot_edges_put(r, r->next);
	dot_edges_put(r, r->next);
	r->at = r->next;
}

static void straight_to(struct route *r, int32_t y)
{
	r->next.y = MIN(r->next.y, y);
}

static void bend_to(struct route *r, struct point to)
{
	int32_t middle;

	/* Consecutive straight pieces merge. */
	if (to.x == r->next.x) {
		straight_to(r, to.y);
		return;
	}
	/* A short piece becomes part of the bend. */
	if (r->at.y - r->next.y > INSET)
		write_straight(r);
	middle = r->at.y + (to.y - r->at.y) / 2;
	dot_edges_put(r, (struct point){r->at.x, middle});
	dot_edges_put(r, (struct point){to.x, middle});
	dot_edges_put(r, to);
	r->at = r->next = to;
}

/* ---- routes ---- */

static const struct band *band_of(const struct route *r, uint32_t spot)
{
	return &r->d->paper.bands[r->d->sheet->picture.spots[spot].layer];
}

static int32_t dot_edges_column_of(const struct route *r, uint32_t spot)
{
	const struct spot *s = &r->d->sheet->picture.spots[spot];

	return paper_x(&r->d->paper, s->layer, s->x);
}

static int32_t y_of(const struct route *r, int32_t down)
{
	return paper_y(&r->d->paper, down);
}

/* From one spot's layer to the top of the next one's, but not below `min`. */
static void dot_edges_go(struct route *r, uint32_t from, uint32_t to, int32_t min)
{
	int32_t over = y_of(r, band_of(r, to)->over);

	straight_to(r, y_of(r, band_of(r, from)->under));
	bend_to(r, (struct point){dot_edges_column_of(r, to), MAX(over, min)});
}

/* Collects the spots from reader to producer; false when a cut is between them. */
static bool dot_edges_trace(struct route *r, uint32_t reader, uint32_t above)
{
	const struct picture *p = &r->d->sheet->picture;

	vec_clear(&r->spots);
	vec_push(&r->spots, reader);
	for (;;) {
		const struct spot *s = &p->spots[above];

		if (band_of(r, above)->strip != band_of(r, reader)->strip)
			return false;
		vec_push(&r->spots, above);
		if (s->kind != SPOT_LINE || !s->up_count)
			return s->kind == SPOT_ITEM;
		above = p->up[s->first_up].spot;
	}
}

/* Along these spots, down to the tail of the arrow. */
static void dot_edges_follow(struct route *r, struct point head)
{
	int32_t end = head.y + ARROW;

	for (size_t i = r->spots.len - 1; i > 0; i--)
		dot_edges_go(r, r->spots.at[i], r->spots.at[i - 1], end);
	straight_to(r, end);
	write_straight(r);
}

/* ---- cut lines ---- */

/* Points from a strip to the name of a net that is cut there. */
static int32_t name_row(const struct route *r, struct cut_names *names, uint32_t spot,
			bool *out_named)
{
	uint32_t *row = map_at(&names->rows, (uint64_t)spot << 32 | r->net);

	*out_named = *row != 0;
	if (*row == 0)
		*row = names->counts[band_of(r, spot)->strip]++ % NAME_ROWS + 1;
	return (int32_t)*row * NAME_HEIGHT;
}

static bool is_named(struct route *r, uint32_t stub)
{
	uint32_t *seen = map_at(&r->stubs, stub);
	bool was = *seen != 0;

	*seen = 1;
	return was;
}

/* Where the edge resumes: at its stub, or above the strip. */
static struct cut dot_edges_arrival(struct route *r)
{
	uint32_t top = r->spots.at[r->spots.len - 1];
	const struct band *b = band_of(r, top);
	struct cut cut = {.at.x = dot_edges_column_of(r, top)};

	if (r->d->sheet->picture.spots[top].kind == SPOT_ARRIVE) {
		cut.at.y = y_of(r, b->bottom - STUB_MIDDLE);
		cut.named = is_named(r, top);
	} else {
		uint32_t first = r->d->paper.strips[b->strip].first;
		int32_t up = name_row(r, &r->above, top, &cut.named);

		cut.at.y = y_of(r, r->d->paper.bands[first].over - up);
	}
	return cut;
}

/* The net's spot in the next layer: its stub, else its line; false when there is none. */
static bool next_below(const struct route *r, uint32_t from, uint32_t *out)
{
	const struct picture *p = &r->d->sheet->picture;
	const struct spot *s = &p->spots[from];
	bool found = false;

	for (uint32_t i = s->first_down; i < s->first_down + s->down_count; i++) {
		uint32_t spot = p->down[i].spot;

		if (p->down[i].net != r->net || p->spots[spot].kind == SPOT_ITEM ||
		    band_of(r, spot)->strip != band_of(r, from)->strip)
			continue;
		if (!found || p->spots[spot].kind == SPOT_LEAVE)
			*out = spot;
		found = true;
	}
	return found;
}

/* From the producer down to the cut. */
static struct cut dot_edges_depart(struct route *r, uint32_t from)
{
	struct bounds box = paper_item(&r->d->paper, from);
	uint32_t at = from, next = from;
	struct cut cut = {0};

	start_at(r, (struct point){(box.left + box.right) / 2, box.bottom});
	for (; next_below(r, at, &next); at = next)
		dot_edges_go(r, at, next, INT32_MIN);
	cut.at.x = dot_edges_column_of(r, at);
	if (r->d->sheet->picture.spots[at].kind == SPOT_LEAVE) {
		cut.at.y = y_of(r, band_of(r, at)->top + STUB_MIDDLE);
		cut.named = is_named(r, at);
	} else {
		uint32_t strip = band_of(r, at)->strip;
		uint32_t last = r->d->paper.strips[strip].end - 1;
		int32_t down = name_row(r, &r->below, at, &cut.named);

		cut.at.y = y_of(r, r->d->paper.bands[last].under + down);
	}
	straight_to(r, cut.at.y);
	write_straight(r);
	return cut;
}

/* ---- edges ---- */

/* Beside the cut end, as on the screen. */
static void write_name(struct route *r, Agedge_t *edge, struct cut cut, bool head)
{
	int32_t mark = 2 * NAME_SIZE * 6 / 10, width;
	struct str name = {0};

	if (cut.named)
		return;
	sheet_net(r->d->sheet, r->net, &name);
	str_clear(&r->name);
	str_text(&r->name, head ? "\u25c2 " : "\u25b8 ");
	width = mark + dot_add_name(&r->name, str_sv(&name), NAME_COLUMNS * NAME_SIZE * 6 / 10);
	str_clear(&r->d->text);
	dot_add_escaped(&r->d->text, str_sv(&r->name));
	dot_set(r->d, edge, head ? DOT_EDGE_HEAD : DOT_EDGE_TAIL, str_c(&r->d->text));
	str_clear(&r->d->text);
	dot_add_point(&r->d->text, cut.at.x + NAME_BESIDE + width / 2, cut.at.y);
	dot_set(r->d, edge, head ? DOT_EDGE_HEAD_POS : DOT_EDGE_TAIL_POS, str_c(&r->d->text));
	str_release(&name);
}

static void place_edge(struct route *r, Agedge_t *edge, const struct picture_link *up,
		       uint32_t reader)
{
	uint32_t from = r->d->sheet->view.sketch.nets.at[up->net].from;
	struct bounds out = paper_item(&r->d->paper, from), in = paper_item(&r->d->paper, reader);
	struct point head = {(in.left + in.right) / 2, in.top};
	struct point tail = {(out.left + out.right) / 2, out.bottom};
	bool whole = dot_edges_trace(r, reader, up->spot);
	struct cut left = {.named = true}, back = {.named = true};

	r->net = up->net;
	str_clear(&r->d->text);
	if (!whole) {
		left = dot_edges_depart(r, from);
		back = dot_edges_arrival(r);
		str_char(&r->d->text, ';');
	}
	str_text(&r->d->text, "e,");
	dot_add_point(&r->d->text, head.x, head.y);
	str_char(&r->d->text, ' ');
	start_at(r, whole ? tail : back.at);
	dot_edges_follow(r, head);
	dot_set(r->d, edge, DOT_EDGE_POS, str_c(&r->d->text));
	write_name(r, edge, left, false);
	write_name(r, edge, back, true);
}

static void dot_edges_add_edge(struct route *r, const struct picture_link *up, uint32_t reader)
{
	struct dot *d = r->d;
	uint32_t from = d->sheet->view.sketch.nets.at[up->net].from;
	Agedge_t *edge = agedge(d->graph, d->nodes[from], d->nodes[reader], NULL, 1);

	if (d->placed)
		place_edge(r, edge, up, reader);
	str_clear(&r->name);
	sheet_net(d->sheet, up->net, &r->name);
	str_clear(&d->text);
	dot_add_escaped(&d->text, str_sv(&r->name));
	dot_set(d, edge, DOT_EDGE_TOOLTIP, str_c(&d->text));
}

static uint32_t *dot_edges_zeros(size_t count)
{
	uint32_t *at = must_alloc(count * sizeof(*at));

	memset(at, 0, count * sizeof(*at));
	return at;
}

void dot_edges(struct dot *d)
{
	const struct picture *p = &d->sheet->picture;
	struct route r = {.d = d};

	r.above.counts = dot_edges_zeros((size_t)d->paper.strip_count + 1);
	r.below.counts = dot_edges_zeros((size_t)d->paper.strip_count + 1);
	/* The upward links of an item are its inputs, each net once. */
	for (uint32_t i = 0; i < p->item_count; i++) {
		for (uint32_t k = 0; k < p->spots[i].up_count; k++)
			dot_edges_add_edge(&r, &p->up[p->spots[i].first_up + k], i);
	}
	free(r.above.counts);
	free(r.below.counts);
	map_release(&r.above.rows);
	map_release(&r.below.rows);
	map_release(&r.stubs);
	vec_release(&r.spots);
	str_release(&r.name);
}
