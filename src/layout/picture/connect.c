/*
 * Nets become chains: one spot in every layer that a net passes, one chain for all its
 * readers, and a pair of stubs where the chain would be too long.
 */
#include <string.h>

#include "base/arena.h"
#include "base/vec.h"
#include "layout/picture/internal.h"
#include "layout/sketch.h"

enum {
	MAX_SIZE = 100000,    /* of one item */
	MAX_COLUMNS = 1 << 29 /* of all spots in a row, and rows of all in a column */
};

struct edge {
	uint32_t from, to, net;
	bool alone;
};

struct builder {
	struct layout *l;
	uint32_t layers;
	VEC(struct spot) spots;
	VEC(struct edge) edges;
	uint32_t *arrive;       /* by layer: the stub of the net that ... */
	uint32_t *arrive_owner; /* ... is this one, plus 1 */
	uint32_t chain[LONGEST_LINE + 1];
	uint32_t edges_from[LONGEST_LINE + 1];
};

/* A net that closes a cycle may still lead down: only layers count here. */
static bool is_short(const struct layout *l, const struct sketch_net *net, uint32_t reader)
{
	return l->rank[reader] > l->rank[net->from] &&
	       l->rank[reader] - l->rank[net->from] <= l->longest;
}

/* The number of layers from the producer to its last reader in range. */
static uint32_t connect_reach(const struct layout *l, const struct sketch_net *net)
{
	uint32_t far = 0;

	for (uint32_t i = 0; i < net->count; i++) {
		uint32_t reader = l->sketch->readers.at[net->first + i];

		if (is_short(l, net, reader))
			far = MAX(far, l->rank[reader] - l->rank[net->from]);
	}
	return far;
}

/* A file may have every net cross sixty layers; lines are then cut earlier. */
static void limit_length(struct layout *l)
{
	const struct sketch *s = l->sketch;
	uint64_t max = 4 * (uint64_t)s->items.len + 20000, spots;

	for (;; l->longest /= 2) {
		spots = 0;
		for (size_t n = 0; n < s->nets.len; n++)
			spots += connect_reach(l, &s->nets.at[n]);
		if (spots <= max + s->nets.len || l->longest <= 1)
			return;
	}
}

static uint32_t add_spot(struct builder *b, enum spot_kind kind, uint32_t net, uint32_t layer)
{
	int32_t label = (int32_t)MIN(b->l->sketch->nets.at[net].label, MAX_SIZE);
	int32_t right = kind == SPOT_LINE ? 0 : label + STUB_EXTRA - 1;

	vec_push(&b->spots,
		 ((struct spot){
			 .kind = kind, .id = net, .layer = layer, .right = right, .height = 1}));
	b->layers = MAX(b->layers, layer + 1);
	return (uint32_t)b->spots.len - 1;
}

static void connect_add_edge(struct builder *b, uint32_t from, uint32_t to, uint32_t net)
{
	vec_push(&b->edges, ((struct edge){from, to, net, false}));
}

/* The stub above a reader; readers in one layer share it. */
static uint32_t arrive_at(struct builder *b, uint32_t net, uint32_t layer)
{
	if (b->arrive_owner[layer] != net + 1)
		b->arrive[layer] = add_spot(b, SPOT_ARRIVE, net, layer);
	b->arrive_owner[layer] = net + 1;
	return b->arrive[layer];
}

static void connect_net(struct builder *b, uint32_t n)
{
	const struct layout *l = b->l;
	const struct sketch_net *net = &l->sketch->nets.at[n];
	uint32_t top = l->rank[net->from], far = connect_reach(l, net);
	size_t first = b->edges.len;
	bool leaves = false;

	memset(b->edges_from, 0, sizeof(b->edges_from));
	b->chain[0] = net->from;
	for (uint32_t i = 1; i < far; i++) {
		b->chain[i] = add_spot(b, SPOT_LINE, n, top + i);
		connect_add_edge(b, b->chain[i - 1], b->chain[i], n);
		b->edges_from[i - 1]++;
	}
	for (uint32_t i = 0; i < net->count; i++) {
		uint32_t reader = l->sketch->readers.at[net->first + i], rank = l->rank[reader];

		if (is_short(l, net, reader)) {
			connect_add_edge(b, b->chain[rank - top - 1], reader, n);
			b->edges_from[rank - top - 1]++;
			continue;
		}
		connect_add_edge(b, arrive_at(b, n, rank - 1), reader, n);
		leaves = true;
	}
	if (leaves) {
		connect_add_edge(b, net->from, add_spot(b, SPOT_LEAVE, n, top + 1), n);
		b->edges_from[0]++;
	}
	for (size_t i = first; i < b->edges.len; i++) {
		struct edge *e = &b->edges.at[i];
		uint32_t at = b->spots.at[e->from].layer - top;

		if (b->spots.at[e->from].kind != SPOT_ARRIVE)
			e->alone = b->edges_from[at] == 1;
	}
}

/* Odd, so that there is a middle column, and wide enough for its lines. */
static int32_t half_width(const struct layout *l, uint32_t item)
{
	const struct sketch *s = l->sketch;
	uint32_t outs = s->out_at[item + 1] - s->out_at[item];
	uint32_t ins = s->in_at[item + 1] - s->in_at[item];
	uint32_t ports = MAX(outs > MAX_PORTS ? 1 : outs, ins >= BUS_FROM ? 1 : ins);
	uint32_t width = MIN(s->items.at[item].width, MAX_SIZE);

	return (int32_t)MAX(width / 2, 2 * (ports / 2) + 1);
}

static void add_items(struct builder *b)
{
	const struct sketch *s = b->l->sketch;

	for (uint32_t i = 0; i < s->items.len; i++) {
		struct spot *spot = vec_add(&b->spots);

		spot->id = i;
		spot->aside = s->items.at[i].aside;
		spot->group = s->items.at[i].group;
		spot->layer = b->l->rank[i];
		spot->left = spot->right = half_width(b->l, i);
		spot->height = (int32_t)MAX(1, MIN(s->items.at[i].height, MAX_SIZE));
		b->layers = MAX(b->layers, spot->layer + 1);
	}
}

/* Sizes come from names and shapes; their sum must not overflow. */
static void limit_sizes(struct picture *p)
{
	int32_t max = MAX_COLUMNS / (int32_t)(p->spot_count + 1);

	max = MAX(max, 2 * MAX_PORTS);
	for (uint32_t i = 0; i < p->spot_count; i++) {
		struct spot *spot = &p->spots[i];

		spot->left = MIN(spot->left, max);
		spot->right = MIN(spot->right, max);
		spot->height = MIN(spot->height, max);
	}
}

static void list_links(struct picture *p, struct edge *edges, uint32_t count)
{
	uint32_t ups = 0, downs = 0;

	p->link_count = count;
	p->up = arena_array(&p->arena, count + 1, struct picture_link);
	p->down = arena_array(&p->arena, count + 1, struct picture_link);
	for (uint32_t i = 0; i < count; i++) {
		p->spots[edges[i].from].down_count++;
		p->spots[edges[i].to].up_count++;
	}
	for (uint32_t i = 0; i < p->spot_count; i++) {
		p->spots[i].first_up = ups += p->spots[i].up_count;
		p->spots[i].first_down = downs += p->spots[i].down_count;
	}
	for (uint32_t i = count; i-- > 0;) {
		struct edge *e = &edges[i];

		if (p->spots[e->from].kind == SPOT_ARRIVE)
			e->alone = p->spots[e->from].down_count == 1;
		p->down[--p->spots[e->from].first_down] = (struct picture_link){e->to, e->net,
										e->alone};
		p->up[--p->spots[e->to].first_up] = (struct picture_link){e->from, e->net,
									  e->alone};
	}
}

void layout_connect(struct layout *l)
{
	struct picture *p = l->picture;
	struct builder b = {.l = l};

	limit_length(l);
	add_items(&b);
	b.arrive = arena_array(&l->scratch, b.layers + 1, uint32_t);
	b.arrive_owner = arena_array(&l->scratch, b.layers + 1, uint32_t);
	for (uint32_t n = 0; n < l->sketch->nets.len; n++)
		connect_net(&b, n);
	p->item_count = (uint32_t)l->sketch->items.len;
	p->spot_count = (uint32_t)b.spots.len;
	p->spots = arena_array(&p->arena, b.spots.len + 1, struct spot);
	if (b.spots.len)
		memcpy(p->spots, b.spots.at, b.spots.len * sizeof(*p->spots));
	p->layer_count = b.layers;
	p->layers = arena_array(&p->arena, b.layers + 1, struct layer);
	limit_sizes(p);
	list_links(p, b.edges.at, (uint32_t)b.edges.len);
	vec_release(&b.edges);
	vec_release(&b.spots);
}
