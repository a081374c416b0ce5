/*
 * Edges run from layer to layer along the columns that the layout reserved for their net,
 * straight through a layer, bent between two.
 *
 * At a stub or a cut between strips, an edge is drawn in two pieces, below its producer and
 * above its reader.  Each cut end is labelled with the net's name, once for all edges that end
 * there.
 */
#include "export/paper/routes.h"

#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "export/paper/ink.h"
#include "export/paper/paper.h"
#include "layout/picture/picture.h"

enum {
	NAME_HEIGHT = 12,  /* points per row of names */
	NAME_COLUMNS = 24, /* the width that the layout reserves */
	STUB_MIDDLE = 8    /* points from the border of a layer to the middle of a stub's row */
};

/* ---- curves ---- */

static void routes_put(struct routes *r, struct point p)
{
	vec_push(&r->line->points, p);
}

static void start_at(struct routes *r, struct point at)
{
	routes_put(r, at);
	r->at = r->next = at;
}

/* The control points of a straight piece are its end points. */
static void write_straight(struct routes *r)
{
	if (r->next.y == r->at.y)
		return;
	routes_put(r, r->at);
	routes_put(r, r->next);
	routes_put(r, r->next);
	r->at = r->next;
}

static void straight_to(struct routes *r, int32_t y)
{
	r->next.y = MIN(r->next.y, y);
}

static void bend_to(struct routes *r, struct point to)
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
	routes_put(r, (struct point){r->at.x, middle});
	routes_put(r, (struct point){to.x, middle});
	routes_put(r, to);
	r->at = r->next = to;
}

/* ---- routes ---- */

static const struct band *band_of(const struct routes *r, uint32_t spot)
{
	return &r->paper->bands[r->paper->sheet->picture.spots[spot].layer];
}

static int32_t column_of(const struct routes *r, uint32_t spot)
{
	const struct spot *s = &r->paper->sheet->picture.spots[spot];

	return paper_x(r->paper, s->layer, s->x);
}

static int32_t y_of(const struct routes *r, int32_t down)
{
	return paper_y(r->paper, down);
}

/* From one spot's layer to the top of the next one's, but not below `min`. */
static void go_down(struct routes *r, uint32_t from, uint32_t to, int32_t min)
{
	int32_t over = y_of(r, band_of(r, to)->over);

	straight_to(r, y_of(r, band_of(r, from)->under));
	bend_to(r, (struct point){column_of(r, to), MAX(over, min)});
}

/* Collects the spots from reader to producer; false when a cut is between them. */
static bool routes_trace(struct routes *r, uint32_t reader, uint32_t above)
{
	const struct picture *p = &r->paper->sheet->picture;

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
static void routes_follow(struct routes *r, struct point head)
{
	int32_t end = head.y + ARROW;

	for (size_t i = r->spots.len - 1; i > 0; i--)
		go_down(r, r->spots.at[i], r->spots.at[i - 1], end);
	straight_to(r, end);
	write_straight(r);
}

/* ---- cut lines ---- */

/* Points from a strip to the name of a net that is cut there. */
static int32_t name_row(const struct routes *r, struct cut_names *names, uint32_t spot,
			bool *out_named)
{
	uint32_t *row = map_at(&names->rows, (uint64_t)spot << 32 | r->net);

	*out_named = *row != 0;
	if (*row == 0)
		*row = names->counts[band_of(r, spot)->strip]++ % NAME_ROWS + 1;
	return (int32_t)*row * NAME_HEIGHT;
}

static bool is_named(struct routes *r, uint32_t stub)
{
	uint32_t *seen = map_at(&r->stubs, stub);
	bool was = *seen != 0;

	*seen = 1;
	return was;
}

/* Where the edge resumes: at its stub, or above the strip. */
static struct line_end routes_arrive(struct routes *r)
{
	uint32_t top = r->spots.at[r->spots.len - 1];
	const struct band *b = band_of(r, top);
	struct line_end cut = {.at.x = column_of(r, top)};

	if (r->paper->sheet->picture.spots[top].kind == SPOT_ARRIVE) {
		cut.at.y = y_of(r, b->bottom - STUB_MIDDLE);
		cut.named = is_named(r, top);
	} else {
		uint32_t first = r->paper->strips[b->strip].first;
		int32_t up = name_row(r, &r->above, top, &cut.named);

		cut.at.y = y_of(r, r->paper->bands[first].over - up);
	}
	return cut;
}

/* The net's spot in the next layer: its stub, else its line; false when there is none. */
static bool next_below(const struct routes *r, uint32_t from, uint32_t *out)
{
	const struct picture *p = &r->paper->sheet->picture;
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
static struct line_end routes_depart(struct routes *r, uint32_t from)
{
	struct bounds box = paper_outline(r->paper, from);
	uint32_t at = from, next = from;
	struct line_end cut = {0};

	start_at(r, (struct point){(box.left + box.right) / 2, box.bottom});
	for (; next_below(r, at, &next); at = next)
		go_down(r, at, next, INT32_MIN);
	cut.at.x = column_of(r, at);
	if (r->paper->sheet->picture.spots[at].kind == SPOT_LEAVE) {
		cut.at.y = y_of(r, band_of(r, at)->top + STUB_MIDDLE);
		cut.named = is_named(r, at);
	} else {
		uint32_t strip = band_of(r, at)->strip;
		uint32_t last = r->paper->strips[strip].end - 1;
		int32_t down = name_row(r, &r->below, at, &cut.named);

		cut.at.y = y_of(r, r->paper->bands[last].under + down);
	}
	straight_to(r, cut.at.y);
	write_straight(r);
	return cut;
}

/* ---- edges ---- */

void routes_line(struct routes *r, const struct picture_link *up, uint32_t reader, struct line *out)
{
	uint32_t from = r->paper->sheet->view.sketch.nets.at[up->net].from;
	struct bounds above = paper_outline(r->paper, from);
	struct bounds below = paper_item(r->paper, reader);
	struct point tail = {(above.left + above.right) / 2, above.bottom};
	bool whole = routes_trace(r, reader, up->spot);

	vec_clear(&out->points);
	out->left = out->back = (struct line_end){.named = true};
	out->head = (struct point){(below.left + below.right) / 2, below.top};
	out->second = 0;
	r->net = up->net;
	r->line = out;
	if (!whole) {
		out->left = routes_depart(r, from);
		out->back = routes_arrive(r);
		out->second = out->points.len;
	}
	start_at(r, whole ? tail : out->back.at);
	routes_follow(r, out->head);
}

int32_t routes_add_name(const struct sheet *s, uint32_t net, bool head, struct str *out)
{
	int32_t mark = 2 * NAME_SIZE * 6 / 10, width;
	struct str name = {0};

	sheet_net(s, net, &name);
	str_text(out, head ? "\u25c2 " : "\u25b8 ");
	width = mark + ink_name(out, str_sv(&name), NAME_COLUMNS * NAME_SIZE * 6 / 10);
	str_release(&name);
	return width;
}

static uint32_t *routes_zeros(size_t count)
{
	uint32_t *at = must_alloc(count * sizeof(*at));

	memset(at, 0, count * sizeof(*at));
	return at;
}

void routes_begin(struct routes *r, const struct paper *p)
{
	*r = (struct routes){.paper = p};
	r->above.counts = routes_zeros((size_t)p->strip_count + 1);
	r->below.counts = routes_zeros((size_t)p->strip_count + 1);
}

void routes_release(struct routes *r)
{
	free(r->above.counts);
	free(r->below.counts);
	map_release(&r->above.rows);
	map_release(&r->below.rows);
	map_release(&r->stubs);
	vec_release(&r->spots);
}

void line_release(struct line *l)
{
	vec_release(&l->points);
}
