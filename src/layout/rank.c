/*
 * Which layer an item is in: as deep as its longest chain of producers.  What hangs above
 * the drawing by nothing (an input read late, a constant and what is made of it) comes
 * down to where it is read.
 */
#include <string.h>

#include "layout/inside.h"

static void sink_from_producers(struct layout *l)
{
	const struct sketch *s = l->sketch;

	for (size_t i = 0; i < s->items.len; i++) {
		uint32_t item = s->order[i], rank = 0;

		for (uint32_t k = s->in_at[item]; k < s->in_at[item + 1]; k++) {
			const struct sketch_net *net = &s->nets.at[s->in[k]];

			/* A net from below arrives as a stub, one layer above its reader. */
			if (sketch_is_back(s, net, item))
				rank = MAX(rank, 1);
			else
				rank = MAX(rank, l->rank[net->from] + 1);
		}
		l->rank[item] = rank;
	}
}

/* Has nothing above it, or only what is there for its sake. */
static void find_loose(struct layout *l, bool *loose)
{
	const struct sketch *s = l->sketch;

	for (size_t i = 0; i < s->items.len; i++) {
		uint32_t item = s->order[i];

		loose[item] = true;
		for (uint32_t k = s->in_at[item]; k < s->in_at[item + 1] && loose[item]; k++) {
			const struct sketch_net *net = &s->nets.at[s->in[k]];
			uint32_t outs = s->out_at[net->from + 1] - s->out_at[net->from];

			loose[item] = outs == 1 && net->count == 1 && loose[net->from] &&
				      !sketch_is_back(s, net, item);
		}
	}
}

static uint32_t first_reader_rank(const struct layout *l, uint32_t item)
{
	const struct sketch *s = l->sketch;
	uint32_t rank = UINT32_MAX;

	for (uint32_t k = s->out_at[item]; k < s->out_at[item + 1]; k++) {
		const struct sketch_net *net = &s->nets.at[s->out[k]];

		for (uint32_t i = 0; i < net->count; i++) {
			uint32_t reader = s->readers.at[net->first + i];

			if (!sketch_is_back(s, net, reader))
				rank = MIN(rank, l->rank[reader]);
		}
	}
	return rank;
}

static void pull_down(struct layout *l)
{
	const struct sketch *s = l->sketch;
	bool *loose = arena_array(&l->scratch, s->items.len + 1, bool);

	find_loose(l, loose);
	for (size_t i = s->items.len; i-- > 0;) {
		uint32_t item = s->order[i], rank;

		if (!loose[item])
			continue;
		rank = first_reader_rank(l, item);
		if (rank != UINT32_MAX && rank > l->rank[item] + 1)
			l->rank[item] = rank - 1;
	}
}

/* Is the net's producer right above the item, with the longest chain behind it? */
static bool is_right_above(const struct layout *l, const uint32_t *depth, uint32_t net, uint32_t item)
{
	const struct sketch *s = l->sketch;
	uint32_t from = s->nets.at[net].from;

	return l->rank[from] + 1 == l->rank[item] && s->when[from] < s->when[item] &&
	       depth[from] + 1 == depth[item];
}

/* A producer in the layer right above: of several, a middle one, which keeps the balance. */
static uint32_t above(const struct layout *l, const uint32_t *depth, uint32_t item)
{
	const struct sketch *s = l->sketch;
	uint32_t count = 0;

	for (uint32_t k = s->in_at[item]; k < s->in_at[item + 1]; k++)
		count += is_right_above(l, depth, s->in[k], item);
	for (uint32_t k = s->in_at[item], nth = 0; k < s->in_at[item + 1]; k++) {
		nth += is_right_above(l, depth, s->in[k], item);
		if (nth && nth == (count + 1) / 2)
			return s->nets.at[s->in[k]].from;
	}
	return SKETCH_NONE;
}

/* The middle one of the deepest items. */
static uint32_t deepest(const struct layout *l)
{
	uint32_t rank = 0, count = 0, nth = 0, item = 0;

	for (uint32_t i = 0; i < l->sketch->items.len; i++) {
		if (l->rank[i] > rank)
			count = 0;
		rank = MAX(rank, l->rank[i]);
		count += l->rank[i] == rank;
	}
	for (uint32_t i = 0; i < l->sketch->items.len && nth < (count + 1) / 2; i++) {
		nth += l->rank[i] == rank;
		item = i;
	}
	return item;
}

static void find_path(struct layout *l, const uint32_t *depth)
{
	size_t count = l->sketch->items.len;
	uint32_t item = count ? deepest(l) : SKETCH_NONE;

	l->path = arena_array(&l->scratch, count + 1, uint32_t);
	for (; item != SKETCH_NONE; item = above(l, depth, item))
		l->path[l->path_count++] = item;
	for (uint32_t i = 0; i < l->path_count / 2; i++) {
		uint32_t other = l->path[l->path_count - 1 - i];

		l->path[l->path_count - 1 - i] = l->path[i];
		l->path[i] = other;
	}
}

void layout_rank(struct layout *l)
{
	size_t count = l->sketch->items.len;
	uint32_t *depth = arena_array(&l->scratch, count + 1, uint32_t);

	l->rank = arena_array(&l->scratch, count + 1, uint32_t);
	sink_from_producers(l);
	memcpy(depth, l->rank, count * sizeof(*depth));
	pull_down(l);
	find_path(l, depth);
}
