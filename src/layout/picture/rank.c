/*
 * The layer of an item: the length of its longest chain of producers.  Items without
 * producers (an input read late, a constant and what is computed from it) move down to
 * their reader.
 */
#include "base/arena.h"
#include "layout/picture/internal.h"
#include "layout/sketch.h"

static void sink_from_producers(struct layout *l)
{
	const struct sketch *s = l->sketch;

	for (size_t i = 0; i < s->items.len; i++) {
		uint32_t item = s->order[i], rank = 0;

		for (uint32_t k = s->in_at[item]; k < s->in_at[item + 1]; k++) {
			const struct sketch_net *net = &s->nets.at[s->in[k]];

			/* A net from below arrives as a stub in the layer above its reader. */
			if (sketch_is_back(s, net, item))
				rank = MAX(rank, 1);
			else
				rank = MAX(rank, l->rank[net->from] + 1);
		}
		l->rank[item] = rank;
	}
}

/* An item is loose when nothing is above it, or only items that it alone reads. */
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

void layout_rank(struct layout *l)
{
	l->rank = arena_array(&l->scratch, l->sketch->items.len + 1, uint32_t);
	sink_from_producers(l);
	pull_down(l);
}
