/*
 * The order in each layer: initially from a walk down the graph, then by the median of
 * the neighbours, downwards and upwards in turn, while the number of crossings falls.
 */
#include <string.h>

#include "base/arena.h"
#include "layout/picture/internal.h"

enum {
	SWEEPS = 12,
	FEWEST_SWEEPS = 2,
	LINKS_LOOKED_AT = 2000000, /* in all sweeps together; a dense graph gets fewer sweeps */
	PATIENCE = 3,              /* sweeps without a gain */
	SMALL = 4000,              /* spots up to which adjacent ones are also swapped */
	FEW_LINKS = 32,            /* of a spot that takes part in that */
	SWAP_ROUNDS = 8,           /* of swapping */
	SHORT_LAYER = 24           /* sorted by insertion */
};

struct ordering {
	struct layout *l;
	struct picture *p; /* borrowed */
	uint32_t *best;    /* the best `row` so far */
	uint32_t *spare;   /* for sorting */
	uint64_t *key;     /* of spots */
	uint32_t *tree;    /* sums over the positions of a layer, for counting */
	uint32_t widest;
};

/* ---- the initial order ---- */

/* Layers get their spots in the order of a walk down from each source. */
static void walk_down(struct ordering *o)
{
	struct picture *p = o->p;
	uint32_t *stack = arena_array(&o->l->scratch, p->spot_count + 1, uint32_t);
	uint32_t *next = arena_array(&o->l->scratch, p->spot_count + 1, uint32_t);
	bool *met = arena_array(&o->l->scratch, p->spot_count + 1, bool);

	for (uint32_t i = 0; i < p->spot_count; i++) {
		size_t depth = 0;

		if (p->spots[i].up_count)
			continue;
		stack[depth++] = i;
		while (depth) {
			uint32_t at = stack[depth - 1];
			struct spot *spot = &p->spots[at];
			struct layer *layer = &p->layers[spot->layer];

			if (!met[at])
				p->row[layer->first + layer->count++] = at;
			met[at] = true;
			while (next[at] < spot->down_count &&
			       met[p->down[spot->first_down + next[at]].spot])
				next[at]++;
			if (next[at] == spot->down_count)
				depth--;
			else
				stack[depth++] = p->down[spot->first_down + next[at]].spot;
		}
	}
}

static void number_layer(struct picture *p, const struct layer *layer)
{
	for (uint32_t i = 0; i < layer->count; i++)
		p->spots[p->row[layer->first + i]].pos = i;
}

static void first_order(struct ordering *o)
{
	struct picture *p = o->p;
	uint32_t sum = 0;

	for (uint32_t i = 0; i < p->spot_count; i++)
		p->layers[p->spots[i].layer].first++;
	for (uint32_t i = 0; i < p->layer_count; i++) {
		uint32_t count = p->layers[i].first;

		o->widest = MAX(o->widest, count);
		p->layers[i].first = sum;
		sum += count;
	}
	walk_down(o);
	for (uint32_t i = 0; i < p->layer_count; i++)
		number_layer(p, &p->layers[i]);
}

/* ---- counting crossings ---- */

/* Pairs of links that cross between this layer and the one above it. */
static uint64_t layers_crossings(const struct ordering *o, uint32_t layer)
{
	const struct picture *p = o->p;
	const struct layer *low = &p->layers[layer];
	uint32_t width = p->layers[layer - 1].count, inserted = 0;
	uint64_t sum = 0;

	if (width < 2 || low->count < 2)
		return 0;
	memset(o->tree, 0, (width + 1) * sizeof(*o->tree));
	for (uint32_t i = 0; i < low->count; i++) {
		const struct spot *spot = &p->spots[p->row[low->first + i]];
		const struct picture_link *up = p->up + spot->first_up;

		for (uint32_t k = 0; k < spot->up_count; k++) {
			uint32_t at = p->spots[up[k].spot].pos + 1;

			sum += inserted;
			for (; at; at &= at - 1)
				sum -= o->tree[at];
		}
		for (uint32_t k = 0; k < spot->up_count; k++) {
			uint32_t at = p->spots[up[k].spot].pos + 1;

			for (; at <= width; at += at & -at)
				o->tree[at]++;
			inserted++;
		}
	}
	return sum;
}

static uint64_t all_crossings(const struct ordering *o)
{
	uint64_t sum = 0;

	for (uint32_t i = 1; i < o->p->layer_count; i++)
		sum += layers_crossings(o, i);
	return sum;
}

/* ---- medians ---- */

/* Links are listed by net, not by position; their median is found in a sorted copy. */
static uint64_t median_key(const struct picture *p, const struct picture_link *links,
			   uint32_t count)
{
	uint32_t at[FEW_LINKS], n = MIN(count, FEW_LINKS);

	for (uint32_t i = 0; i < n; i++) {
		/* Of very many, an evenly spaced sample. */
		uint32_t pos = p->spots[links[(uint64_t)i * count / n].spot].pos, k = i;

		for (; k && at[k - 1] > pos; k--)
			at[k] = at[k - 1];
		at[k] = pos;
	}
	return n % 2 ? 2 * (uint64_t)at[n / 2] : (uint64_t)at[n / 2 - 1] + at[n / 2];
}

/* Equal keys keep their order. */
static void sort_short(const struct ordering *o, uint32_t *row, uint32_t count)
{
	for (uint32_t i = 1; i < count; i++) {
		uint32_t spot = row[i], k = i;

		for (; k && o->key[row[k - 1]] > o->key[spot]; k--)
			row[k] = row[k - 1];
		row[k] = spot;
	}
}

static void sort_layer(const struct ordering *o, uint32_t *row, uint32_t count)
{
	uint32_t *from = row, *to = o->spare;

	for (uint32_t i = 0; i < count; i += SHORT_LAYER)
		sort_short(o, row + i, MIN(SHORT_LAYER, count - i));
	for (uint64_t run = SHORT_LAYER; run < count; run *= 2) {
		for (uint64_t at = 0; at < count; at += 2 * run) {
			uint64_t a = at, middle = MIN(at + run, count), b = middle;
			uint64_t end = MIN(at + 2 * run, count);

			for (uint64_t i = at; i < end; i++) {
				bool left = a < middle &&
					    (b == end || o->key[from[a]] <= o->key[from[b]]);

				to[i] = left ? from[a++] : from[b++];
			}
		}
		from = to;
		to = from == row ? o->spare : row;
	}
	if (from != row)
		memcpy(row, from, count * sizeof(*row));
}

static void sort_by_median(struct ordering *o, uint32_t at, bool down)
{
	struct picture *p = o->p;
	struct layer *layer = &p->layers[at];
	uint32_t other = p->layers[down ? at - 1 : at + 1].count;
	bool sorted = true;

	for (uint32_t i = 0; i < layer->count; i++) {
		uint32_t id = p->row[layer->first + i];
		const struct spot *spot = &p->spots[id];
		uint32_t count = down ? spot->up_count : spot->down_count;

		if (count)
			o->key[id] = median_key(
				p, down ? p->up + spot->first_up : p->down + spot->first_down,
				count);
		else /* stays about where it is */
			o->key[id] = 2 * (uint64_t)i * other / layer->count;
		if (i && o->key[id] < o->key[p->row[layer->first + i - 1]])
			sorted = false;
	}
	if (sorted)
		return;
	sort_layer(o, p->row + layer->first, layer->count);
	number_layer(p, layer);
}

static void layers_sweep(struct ordering *o, bool down)
{
	uint32_t count = o->p->layer_count;

	for (uint32_t i = 1; i < count; i++)
		sort_by_median(o, down ? i : count - 1 - i, down);
}

/* ---- swapping ---- */

/* The number of crossings of a's and b's links with a left of b, minus that with a right of b. */
static int64_t layers_gain(const struct picture *p, const struct picture_link *a, uint32_t a_count,
			   const struct picture_link *b, uint32_t b_count)
{
	int64_t sum = 0;

	for (uint32_t i = 0; i < a_count; i++) {
		uint32_t pos = p->spots[a[i].spot].pos;

		for (uint32_t k = 0; k < b_count; k++) {
			uint32_t other = p->spots[b[k].spot].pos;

			sum += (pos > other) - (pos < other);
		}
	}
	return sum;
}

static bool swap_in_layer(struct picture *p, const struct layer *layer)
{
	bool any = false;

	for (uint32_t i = 0; i + 1 < layer->count; i++) {
		uint32_t *row = p->row + layer->first + i;
		struct spot *a = &p->spots[row[0]], *b = &p->spots[row[1]];
		uint32_t left = row[0];

		if (MAX(MAX(a->up_count, a->down_count), MAX(b->up_count, b->down_count)) >
		    FEW_LINKS)
			continue;
		if (layers_gain(p, p->up + a->first_up, a->up_count, p->up + b->first_up,
				b->up_count) +
			    layers_gain(p, p->down + a->first_down, a->down_count,
					p->down + b->first_down, b->down_count) <=
		    0)
			continue;
		row[0] = row[1];
		row[1] = left;
		a->pos++;
		b->pos--;
		any = true;
	}
	return any;
}

static void swap_neighbours(struct picture *p)
{
	bool any = true;

	for (int round = 0; round < SWAP_ROUNDS && any; round++) {
		any = false;
		for (uint32_t i = 0; i < p->layer_count; i++)
			any |= swap_in_layer(p, &p->layers[i]);
	}
}

static bool keep_if_better(struct ordering *o, uint64_t *best)
{
	uint64_t now = all_crossings(o);

	if (now >= *best)
		return false;
	*best = now;
	memcpy(o->best, o->p->row, o->p->spot_count * sizeof(*o->best));
	return true;
}

void layout_order(struct layout *l)
{
	struct picture *p = l->picture;
	struct ordering o = {.l = l, .p = p};
	uint64_t best = UINT64_MAX;
	uint32_t sweeps = LINKS_LOOKED_AT / (p->link_count + 1), idle = 0;

	p->row = arena_array(&p->arena, p->spot_count + 1, uint32_t);
	first_order(&o);
	o.best = arena_array(&l->scratch, p->spot_count + 1, uint32_t);
	o.key = arena_array(&l->scratch, p->spot_count + 1, uint64_t);
	o.spare = arena_array(&l->scratch, o.widest + 1, uint32_t);
	o.tree = arena_array(&l->scratch, o.widest + 2, uint32_t);
	(void)keep_if_better(&o, &best);
	sweeps = MAX(FEWEST_SWEEPS, MIN(sweeps, SWEEPS));
	for (uint32_t i = 0; i < sweeps && best && idle < PATIENCE; i++) {
		layers_sweep(&o, i % 2 == 0);
		if (p->spot_count <= SMALL)
			swap_neighbours(p);
		idle = keep_if_better(&o, &best) ? 0 : idle + 1;
	}
	if (p->spot_count)
		memcpy(p->row, o.best, p->spot_count * sizeof(*p->row));
	for (uint32_t i = 0; i < p->layer_count; i++)
		number_layer(p, &p->layers[i]);
}
