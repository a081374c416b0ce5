/*
 * The spine of a drawing: the longest path from top to bottom, which is drawn straight.
 * Secondary items (shape arithmetic) and what is computed only from them (a mask of that
 * shape) do not count and are avoided among equally long paths, so that the data goes
 * straight into a Reshape and its shape comes from the side.
 */
#include "base/arena.h"
#include "layout/picture/internal.h"
#include "layout/sketch.h"

static bool is_side(const struct sketch *s, const bool *side, uint32_t item)
{
	bool all = s->in_at[item] < s->in_at[item + 1];

	for (uint32_t k = s->in_at[item]; all && k < s->in_at[item + 1]; k++)
		all = side[s->nets.at[s->in[k]].from];
	return all || s->items.at[item].aside;
}

static bool *find_sides(struct layout *l)
{
	const struct sketch *s = l->sketch;
	bool *side = arena_array(&l->scratch, s->items.len + 1, bool);

	for (size_t i = 0; i < s->items.len; i++)
		side[s->order[i]] = is_side(s, side, s->order[i]);
	return side;
}

/* The number of items on the best path to each item, without itself. */
static uint32_t *spine_measure(struct layout *l, const bool *side)
{
	const struct sketch *s = l->sketch;
	uint32_t *best = arena_array(&l->scratch, s->items.len + 1, uint32_t);

	for (size_t i = 0; i < s->items.len; i++) {
		uint32_t item = s->order[i];

		for (uint32_t k = s->in_at[item]; k < s->in_at[item + 1]; k++) {
			const struct sketch_net *net = &s->nets.at[s->in[k]];
			uint32_t length = best[net->from] + !side[net->from];

			if (!sketch_is_back(s, net, item))
				best[item] = MAX(best[item], length);
		}
	}
	return best;
}

struct ways {
	const struct sketch *sketch; /* borrowed */
	const uint32_t *best;        /* by item, as measured */
	const bool *side;            /* by item */
};

/* 0 when the net is not on a best path to the item, 1 when it comes from a side item, else 2. */
static int spine_worth(const struct ways *w, uint32_t n, uint32_t item)
{
	const struct sketch_net *net = &w->sketch->nets.at[n];
	bool aside = w->side[net->from];

	if (sketch_is_back(w->sketch, net, item) || w->best[net->from] + !aside != w->best[item])
		return 0;
	return aside ? 1 : 2;
}

/* The net by which the path reaches an item: of several, a middle one for balance. */
static uint32_t way_to(const struct ways *w, uint32_t item)
{
	const struct sketch *s = w->sketch;
	uint32_t count[3] = {0}, nth = 0;
	int wanted;

	for (uint32_t k = s->in_at[item]; k < s->in_at[item + 1]; k++)
		count[spine_worth(w, s->in[k], item)]++;
	wanted = count[2] ? 2 : 1;
	for (uint32_t k = s->in_at[item]; k < s->in_at[item + 1]; k++) {
		nth += spine_worth(w, s->in[k], item) == wanted;
		if (nth && nth == (count[wanted] + 1) / 2)
			return s->in[k];
	}
	return SKETCH_NONE;
}

/* The middle one of the items furthest from the top. */
static uint32_t last_item(const struct sketch *s, const uint32_t *best)
{
	uint32_t max = 0, count = 0, nth = 0, item = 0;

	for (uint32_t i = 0; i < s->items.len; i++) {
		if (best[i] > max)
			count = 0;
		max = MAX(max, best[i]);
		count += best[i] == max;
	}
	for (uint32_t i = 0; i < s->items.len && nth < (count + 1) / 2; i++) {
		nth += best[i] == max;
		item = i;
	}
	return item;
}

/* The spots of a net between two items. */
static void add_lines(const struct layout *l, uint32_t from, uint32_t to, uint32_t net)
{
	const struct picture *p = l->picture;
	uint32_t spot = from;

	while (p->spots[spot].layer + 1 < p->spots[to].layer) {
		const struct spot *s = &p->spots[spot];
		uint32_t k = 0;

		while (k < s->down_count &&
		       (p->down[s->first_down + k].net != net ||
			p->spots[p->down[s->first_down + k].spot].kind != SPOT_LINE))
			k++;
		if (k == s->down_count)
			return;
		spot = p->down[s->first_down + k].spot;
		l->spine[p->spots[spot].layer] = spot;
	}
}

void layout_spine(struct layout *l)
{
	const struct sketch *s = l->sketch;
	const bool *side = find_sides(l);
	struct ways ways = {s, spine_measure(l, side), side};
	uint32_t layers = l->picture->layer_count;
	uint32_t item = s->items.len ? last_item(s, ways.best) : SKETCH_NONE;

	l->spine = arena_array(&l->scratch, layers + 2, uint32_t);
	for (uint32_t i = 0; i < layers + 2; i++)
		l->spine[i] = SKETCH_NONE;
	while (item != SKETCH_NONE) {
		uint32_t net = way_to(&ways, item);

		l->spine[l->picture->spots[item].layer] = item;
		if (net != SKETCH_NONE)
			add_lines(l, s->nets.at[net].from, item, net);
		item = net != SKETCH_NONE ? s->nets.at[net].from : SKETCH_NONE;
	}
	for (uint32_t i = 0; i < layers; i++) {
		if (l->spine[i] != SKETCH_NONE)
			l->picture->spots[l->spine[i]].spine = true;
	}
}
