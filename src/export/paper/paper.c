/*
 * Positions on paper: layers and columns in points.
 */
#include "export/paper/paper.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "export/paper/internal.h"
#include "layout/picture/picture.h"

enum {
	BORDER = 10,    /* around everything */
	STRIP_GAP = 60, /* between strips */
	TALL = 5000,    /* five screens; such a drawing is cut if it is */
	NARROW = 4,     /* times as tall as wide */
	MAX_STRIPS = 64,
	SIDE_ROOM = 8,     /* for frames, on either side of a box */
	SIDE_STEP = 3,     /* between nested frames, if there is room */
	GAP_MAX = 10,      /* rows between two layers: curves need fewer than straight lines */
	CROSSING_COST = 3, /* of an edge across a cut; a frame costs 1 */
	NAME_HEIGHT = 12
};

/* ---- rows ---- */

static void reset_bands(struct paper *p)
{
	for (uint32_t k = 0; k < p->strip_count; k++) {
		for (uint32_t i = p->strips[k].first; i < p->strips[k].end; i++)
			p->bands[i] = (struct band){.strip = k};
	}
}

/* The extra height that frames need in a layer: `over` and `under`. */
static void make_room(struct paper *p)
{
	for (size_t i = 1; i < p->frames.at.len; i++) {
		const struct frame *f = &p->frames.at.at[i];
		struct band *first = &p->bands[f->first], *last = &p->bands[f->last];

		if (!f->scope)
			continue;
		first->over = MAX(first->over, (int32_t)f->rise * CAPTION - INSET + 2);
		last->under = MAX(last->under, (int32_t)f->drop * FRAME_BELOW - INSET + 2);
	}
}

static void place_strip(struct paper *p, const struct strip *s)
{
	const struct layer *layers = p->sheet->picture.layers;
	int32_t names = p->strip_count > 1 ? NAME_ROWS * NAME_HEIGHT : 0;
	int32_t y = BORDER + names;

	for (uint32_t i = s->first; i < s->end; i++) {
		struct band *b = &p->bands[i];
		int32_t over = b->over, under = b->under;

		b->over = y;
		b->top = y + over;
		b->bottom = b->top + layers[i].height * CELL_HEIGHT;
		b->under = b->bottom + under;
		p->height = MAX(p->height, b->under + names + BORDER);
		y = b->under + MAX(1, MIN(layers[i].gap, GAP_MAX)) * CELL_HEIGHT;
	}
}

/* ---- columns ---- */

static void find_columns(const struct picture *p, struct strip *s)
{
	s->left = INT32_MAX;
	s->right = INT32_MIN;
	for (uint32_t i = s->first; i < s->end; i++) {
		for (uint32_t k = 0; k < p->layers[i].count; k++) {
			const struct spot *spot = &p->spots[p->row[p->layers[i].first + k]];

			s->left = MIN(s->left, spot->x - spot->left);
			s->right = MAX(s->right, spot->x + spot->right);
		}
	}
	if (s->left > s->right)
		s->left = s->right = 0;
}

static void make_frames(struct paper *p)
{
	const struct picture *picture = &p->sheet->picture;
	uint32_t *strip = must_alloc(((size_t)picture->layer_count + 1) * sizeof(*strip));

	for (uint32_t i = 0; i < picture->layer_count; i++)
		strip[i] = p->bands[i].strip;
	frames_make(&p->frames, &p->sheet->view, picture, strip);
	free(strip);
}

static void paper_lay_out(struct paper *p)
{
	int32_t x = BORDER;

	frames_release(&p->frames);
	reset_bands(p);
	make_frames(p);
	make_room(p);
	p->height = 2 * BORDER;
	for (uint32_t k = 0; k < p->strip_count; k++) {
		struct strip *s = &p->strips[k];

		find_columns(&p->sheet->picture, s);
		place_strip(p, s);
		s->x = x;
		x += (s->right - s->left + 1) * CELL_WIDTH;
		p->width = x + BORDER;
		x += STRIP_GAP;
	}
}

/* ---- cutting ---- */

/* By layer: the cost of a cut right above it. */
static uint32_t *cutting_costs(const struct paper *p)
{
	const struct picture *pic = &p->sheet->picture;
	size_t nets = p->sheet->view.nets.len + 1;
	uint32_t *cost = must_alloc(((size_t)pic->layer_count + 2) * sizeof(*cost));
	uint32_t *seen = must_alloc(nets * sizeof(*seen)), covering = 0;

	memset(cost, 0, ((size_t)pic->layer_count + 2) * sizeof(*cost));
	memset(seen, 0xff, nets * sizeof(*seen));
	/* Frames as differences; the unsigned wrap-around cancels in the sum. */
	for (size_t i = 1; i < p->frames.at.len; i++) {
		cost[p->frames.at.at[i].first + 1]++;
		cost[p->frames.at.at[i].last + 1]--;
	}
	for (uint32_t i = 0; i < pic->layer_count; i++) {
		covering += cost[i];
		cost[i] = covering;
		for (uint32_t k = 0; k < pic->layers[i].count; k++) {
			const struct spot *s = &pic->spots[pic->row[pic->layers[i].first + k]];

			for (uint32_t n = s->first_up; n < s->first_up + s->up_count; n++) {
				cost[i] += seen[pic->up[n].net] == i ? 0 : CROSSING_COST;
				seen[pic->up[n].net] = i;
			}
		}
	}
	free(seen);
	return cost;
}

/* The cheapest cut within an eighth of the share. */
static uint32_t best_cut(const struct paper *p, const uint32_t *cost, uint32_t first, int32_t share)
{
	uint32_t count = p->sheet->picture.layer_count, best = first + 1;
	int32_t top = p->bands[first].over, min = share - share / 8, max = share + share / 8;

	for (uint32_t i = first + 1; i < count && p->bands[i - 1].under - top <= max; i++) {
		if (p->bands[best].over - top < min || cost[i] < cost[best])
			best = i;
	}
	return best;
}

/* At most `strips`; fewer only if there are fewer layers. */
static void paper_cut(struct paper *p, uint32_t strips)
{
	uint32_t count = p->sheet->picture.layer_count, first = 0, at = 0;
	uint32_t *cost = cutting_costs(p);

	free(p->strips);
	p->strips = must_alloc((size_t)strips * sizeof(*p->strips));
	while (first < count) {
		int32_t rest = p->bands[count - 1].under - p->bands[first].over;
		int32_t share = rest / (int32_t)(strips - at);
		uint32_t end = at + 1 < strips ? best_cut(p, cost, first, share) : count;

		p->strips[at++] = (struct strip){.first = first, .end = end};
		first = end;
	}
	p->strip_count = at;
	free(cost);
}

/* ---- the whole paper ---- */

/* How many lines one takes, and the columns of the longest of them. */
static uint32_t paper_meaning_lines(struct sheet *s, uint32_t name, size_t *widest)
{
	struct label meaning = {0};
	struct sv rest;
	uint32_t lines = 0;

	sheet_meaning(s, name, &meaning);
	for (rest = str_sv(&meaning.text); rest.len; lines++) {
		size_t line = sheet_line(rest, LEGEND_COLUMNS);

		*widest = MAX(*widest, utf8_width((struct sv){rest.at, line}));
		rest = sv_skip(rest, line);
	}
	label_release(&meaning);
	return lines;
}

uint32_t paper_legend_lines(const struct paper *p, uint32_t first)
{
	size_t unused = 0, end = MIN((size_t)first + p->legend_columns, p->sheet->legend.len);
	uint32_t lines = 1;

	for (size_t i = first; i < end; i++)
		lines = MAX(lines, paper_meaning_lines(p->sheet, (uint32_t)i, &unused));
	return lines;
}

/* Short names and what they stand for, in as many columns as fit below the drawing. */
static void paper_add_legend(struct paper *p, struct sheet *s)
{
	size_t widest = 0, count = s->legend.len;
	uint32_t lines = 1;

	if (!count)
		return;
	for (uint32_t i = 0; i < count; i++)
		(void)paper_meaning_lines(s, i, &widest);
	p->legend_width = (int32_t)(widest + 3) * NAME_SIZE * 6 / 10;
	p->legend_columns = (uint32_t)MAX(1, (p->width - 2 * BORDER) / p->legend_width);
	for (uint32_t i = 0; i < count; i += p->legend_columns)
		lines += paper_legend_lines(p, i);
	p->legend = (int32_t)lines * LEGEND_ROW;
	p->width = MAX(p->width, p->legend_width + 2 * BORDER);
	p->height += p->legend;
}

/* Its own, and those of its bodies. */
static void paper_make_all(struct paper *p, struct sheet *s, uint32_t strips)
{
	uint32_t layers = s->picture.layer_count;

	*p = (struct paper){.sheet = s, .strip_count = 1};
	p->bands = must_alloc(((size_t)layers + 1) * sizeof(*p->bands));
	p->strips = must_alloc(sizeof(*p->strips));
	p->strips[0] = (struct strip){.first = 0, .end = layers};
	paper_lay_out(p);
	if (strips > 1 && layers > 1) {
		paper_cut(p, strips);
		paper_lay_out(p);
	}
	paper_add_legend(p, s);
	if (!s->bodies.len)
		return;
	p->bodies = must_alloc(s->bodies.len * sizeof(*p->bodies));
	for (size_t i = 0; i < s->bodies.len; i++)
		paper_make_all(&p->bodies[i], s->bodies.at[i].sheet, 1);
}

void paper_make(struct paper *p, struct sheet *s, uint32_t strips)
{
	paper_make_all(p, s, strips);
	p->tall = p->height;
	paper_place_bodies(p);
}

static bool is_too_tall(const struct paper *p, int64_t max)
{
	return (max && p->height > max) ||
	       (p->height > TALL && p->height > NARROW * (int64_t)p->width);
}

/* A strip is never wider than the whole, so that fewer than this many are too few. */
static uint32_t least_strips(const struct paper *whole)
{
	double square = sqrt((double)whole->height / (double)(whole->width + STRIP_GAP));

	return (uint32_t)MIN(square, (double)MAX_STRIPS);
}

uint32_t paper_strips(struct sheet *s, int64_t max)
{
	uint32_t strips = 1;
	struct paper p;

	paper_make(&p, s, 1);
	while (is_too_tall(&p, max) || (strips > 1 && p.height > p.width)) {
		int64_t min = max ? (int64_t)strips * p.height / max : 0;

		if ((max && p.width > max) || MAX(strips, min) >= MAX_STRIPS)
			break;
		min = MAX(min, strips == 1 ? least_strips(&p) : 0);
		strips = MAX(strips + 1, (uint32_t)min);
		paper_release(&p);
		paper_make(&p, s, strips);
	}
	paper_release(&p);
	return strips > 1 ? strips : 0;
}

void paper_release(struct paper *p)
{
	for (size_t i = 0; p->bodies && i < p->sheet->bodies.len; i++)
		paper_release(&p->bodies[i]);
	free(p->bodies);
	frames_release(&p->frames);
	free(p->bands);
	free(p->strips);
	*p = (struct paper){0};
}

int32_t paper_y(const struct paper *p, int32_t down)
{
	return p->tall - p->y - down;
}

/* The left edge of a column. */
static int32_t column_at(const struct paper *p, uint32_t layer, int32_t column)
{
	const struct strip *s = &p->strips[p->bands[layer].strip];

	return p->x + s->x + (column - s->left) * CELL_WIDTH;
}

int32_t paper_x(const struct paper *p, uint32_t layer, int32_t column)
{
	return column_at(p, layer, column) + CELL_WIDTH / 2;
}

struct bounds paper_outline(const struct paper *p, uint32_t item)
{
	const struct spot *s = &p->sheet->picture.spots[item];
	const struct layer *layer = &p->sheet->picture.layers[s->layer];
	int32_t top = p->bands[s->layer].top + (s->y - layer->y) * CELL_HEIGHT;

	return (struct bounds){column_at(p, s->layer, s->x - s->left) + SIDE_INSET,
			       paper_y(p, top + s->height * CELL_HEIGHT - INSET),
			       column_at(p, s->layer, s->x + s->right + 1) - SIDE_INSET,
			       paper_y(p, top + INSET)};
}

struct bounds paper_frame(const struct paper *p, uint32_t frame)
{
	const struct frame *f = &p->frames.at.at[frame];
	int32_t step = MAX(1, MIN(SIDE_STEP, SIDE_ROOM / (int32_t)MAX(1, p->frames.nested)));
	int32_t side = MIN(SIDE_ROOM, (int32_t)f->nested * step);

	if (frame == 0)
		return (struct bounds){p->x, paper_y(p, p->height), p->x + p->width, paper_y(p, 0)};
	return (struct bounds){
		column_at(p, f->first, f->left) + SIDE_INSET - side,
		paper_y(p, p->bands[f->last].bottom - INSET + (int32_t)f->drop * FRAME_BELOW),
		column_at(p, f->first, f->right + 1) - SIDE_INSET + side,
		paper_y(p, p->bands[f->first].top + INSET - (int32_t)f->rise * CAPTION)};
}
