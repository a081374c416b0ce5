/*
 * Columns.  First align.c selects the straight links: spots tied by them form blocks,
 * vertical columns that never cross.  Blocks are then pushed left as far as possible, and
 * from there moved towards the neighbours that they bend to; only the spine stays.
 * Straight links stay exactly straight.
 */
#include "base/arena.h"
#include "layout/picture/internal.h"
#include "layout/sketch.h"

enum {
	ROUNDS = 3,
	MANY_SPOTS = 300000, /* from here on there is only one round */
	BETWEEN_GROUPS = 2,  /* columns more than between other neighbours */
	MAX_PULLS = 64       /* neighbours of one block that pull it */
};

struct tie {
	uint32_t block;
	int32_t apart; /* columns between the centres */
};

struct placing {
	struct picture *p; /* borrowed */
	struct arena *scratch;
	const uint32_t *below; /* of spots: the one straight below, or SKETCH_NONE */
	uint32_t *block;       /* of spots: the block's topmost spot, which names it */
	int32_t *x;            /* of blocks */
	uint32_t *order;       /* blocks, from left to right */
	uint32_t count;
	uint32_t *right_at, *left_at; /* into these: */
	struct tie *right, *left;
	uint32_t spine;
};

static void find_blocks(struct placing *g)
{
	const struct picture *p = g->p;

	for (uint32_t i = 0; i < p->spot_count; i++)
		g->block[i] = SKETCH_NONE;
	for (uint32_t i = 0; i < p->spot_count; i++) {
		/* By layer: the top of a block is met before the rest of it. */
		uint32_t spot = p->row[i];

		if (g->block[spot] != SKETCH_NONE)
			continue;
		for (uint32_t at = spot; at != SKETCH_NONE; at = g->below[at])
			g->block[at] = spot;
	}
}

/* Even, so that lines stay in even columns. */
static int32_t columns_apart(const struct spot *a, const struct spot *b)
{
	bool rails = a->group && b->group && a->group != b->group;

	return (a->right + 1 + b->left + 2 + (rails ? BETWEEN_GROUPS : 0)) & ~1;
}

static void add_ties(struct placing *g, bool count_only)
{
	const struct picture *p = g->p;

	for (uint32_t i = p->layer_count; i-- > 0;) {
		for (uint32_t k = p->layers[i].count; k-- > 1;) {
			const uint32_t *row = p->row + p->layers[i].first + k;
			uint32_t a = g->block[row[-1]], b = g->block[row[0]];
			int32_t columns = columns_apart(&p->spots[row[-1]], &p->spots[row[0]]);

			if (count_only) {
				g->right_at[a]++;
				g->left_at[b]++;
				continue;
			}
			g->right[--g->right_at[a]] = (struct tie){b, columns};
			g->left[--g->left_at[b]] = (struct tie){a, columns};
		}
	}
}

static void tie_blocks(struct placing *g)
{
	uint32_t count = g->p->spot_count;

	g->right_at = arena_array(g->scratch, count + 2, uint32_t);
	g->left_at = arena_array(g->scratch, count + 2, uint32_t);
	add_ties(g, true);
	for (uint32_t i = 0; i < count; i++) {
		g->right_at[i + 1] += g->right_at[i];
		g->left_at[i + 1] += g->left_at[i];
	}
	g->right = arena_array(g->scratch, count + 1, struct tie);
	g->left = arena_array(g->scratch, count + 1, struct tie);
	add_ties(g, false);
}

/* Blocks never cross, so "left of" has no cycles. */
static void push_left(struct placing *g)
{
	uint32_t *waits = arena_array(g->scratch, g->p->spot_count + 1, uint32_t);

	for (uint32_t i = 0; i < g->p->spot_count; i++) {
		waits[i] = g->left_at[i + 1] - g->left_at[i];
		if (g->block[i] == i && waits[i] == 0)
			g->order[g->count++] = i;
	}
	for (uint32_t i = 0; i < g->count; i++) {
		uint32_t b = g->order[i];

		for (uint32_t k = g->right_at[b]; k < g->right_at[b + 1]; k++) {
			const struct tie *t = &g->right[k];

			g->x[t->block] = MAX(g->x[t->block], g->x[b] + t->apart);
			if (--waits[t->block] == 0)
				g->order[g->count++] = t->block;
		}
	}
}

/* The column that the block's lines pull it to: the nearer one of two medians. */
static bool pulled_to(const struct placing *g, uint32_t block, int32_t *out)
{
	const struct picture *p = g->p;
	int32_t at[MAX_PULLS];
	uint32_t count = 0;

	for (uint32_t i = block; i != SKETCH_NONE && count < MAX_PULLS; i = g->below[i]) {
		const struct spot *spot = &p->spots[i];
		uint32_t links = spot->up_count + spot->down_count;

		for (uint32_t k = 0; k < links && count < MAX_PULLS; k++) {
			const struct picture_link *link =
				k < spot->up_count
					? &p->up[spot->first_up + k]
					: &p->down[spot->first_down + k - spot->up_count];
			uint32_t other = g->block[link->spot], m = count;

			if (other == block)
				continue;
			for (; m && at[m - 1] > g->x[other]; m--)
				at[m] = at[m - 1];
			at[m] = g->x[other];
			count++;
		}
	}
	if (!count)
		return false;
	*out = g->x[block] <= at[(count - 1) / 2] ? at[(count - 1) / 2] : at[count / 2];
	return true;
}

static void columns_move(struct placing *g, uint32_t block)
{
	int32_t low = INT32_MIN, high = INT32_MAX, x;

	if (block == g->spine || !pulled_to(g, block, &x))
		return;
	for (uint32_t k = g->left_at[block]; k < g->left_at[block + 1]; k++)
		low = MAX(low, g->x[g->left[k].block] + g->left[k].apart);
	for (uint32_t k = g->right_at[block]; k < g->right_at[block + 1]; k++)
		high = MIN(high, g->x[g->right[k].block] - g->right[k].apart);
	g->x[block] = x < low ? low : MIN(x, high);
}

/* The leftmost cell becomes column 0 or 1: centres stay even. */
static void take_columns(struct placing *g)
{
	struct picture *p = g->p;
	int32_t min = INT32_MAX;

	for (uint32_t i = 0; i < p->spot_count; i++) {
		p->spots[i].x = g->x[g->block[i]];
		min = MIN(min, p->spots[i].x - p->spots[i].left);
	}
	min &= ~1;
	for (uint32_t i = 0; i < p->spot_count; i++) {
		p->spots[i].x -= min;
		p->width = MAX(p->width, p->spots[i].x + p->spots[i].right + 1);
	}
}

/* The spine may be in pieces where a net was cut; the piece with the end counts. */
static uint32_t spine_block(const struct layout *l, const struct placing *g)
{
	for (uint32_t i = l->picture->layer_count; i-- > 0;) {
		if (l->spine[i] != SKETCH_NONE)
			return g->block[l->spine[i]];
	}
	return SKETCH_NONE;
}

void layout_place(struct layout *l)
{
	struct picture *p = l->picture;
	struct placing g = {.p = p, .scratch = &l->scratch};

	g.below = layout_align(l);
	g.block = arena_array(&l->scratch, p->spot_count + 1, uint32_t);
	g.x = arena_array(&l->scratch, p->spot_count + 1, int32_t);
	g.order = arena_array(&l->scratch, p->spot_count + 1, uint32_t);
	find_blocks(&g);
	tie_blocks(&g);
	push_left(&g);
	g.spine = spine_block(l, &g);
	for (int round = 0; round < (p->spot_count < MANY_SPOTS ? ROUNDS : 1); round++) {
		for (uint32_t i = g.count; i-- > 0;)
			columns_move(&g, g.order[i]);
		for (uint32_t i = 0; i < g.count; i++)
			columns_move(&g, g.order[i]);
	}
	take_columns(&g);
}
