/*
 * Selects the links to draw straight.  Between two layers these are pairs that do not
 * cross, each spot in at most one of them; selected in order of importance: the spine,
 * lines that continue, middle child under middle parent, then whatever still fits.
 */
#include "base/arena.h"
#include "layout/picture/internal.h"
#include "layout/sketch.h"

enum {
	FEW = 16 /* links of one spot that are considered */
};

enum turn {
	TURN_SPINE,
	TURN_LINE,
	TURN_MIDDLE,
	TURN_ANY,
	TURN_COUNT
};

struct aligning {
	struct picture *p;         /* borrowed */
	const struct layer *upper; /* borrowed */
	const struct layer *lower; /* borrowed */
	uint32_t *below;           /* of spots; the result */
	uint32_t *above;           /* of spots */
	uint32_t *right;           /* by position above: pairs right of it start here below */
	const uint32_t *spine;     /* borrowed; by layer */
};

struct choice {
	uint32_t spots[FEW]; /* the best first */
	uint32_t count;
};

/* Items first, then lines, then secondary items. */
static int align_worth(const struct spot *s)
{
	return s->aside ? 0 : s->kind == SPOT_ITEM ? 2 : 1;
}

/* Links from the middle outwards; of two in the middle, the one of higher worth. */
static struct choice from_the_middle(const struct picture *p, const struct picture_link *links,
				     uint32_t count)
{
	uint32_t sorted[FEW] = {0}, n = MIN(count, FEW);
	struct choice c = {.count = n};
	uint32_t left, right;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t spot = links[(uint64_t)i * count / n].spot, k = i;

		for (; k && p->spots[sorted[k - 1]].pos > p->spots[spot].pos; k--)
			sorted[k] = sorted[k - 1];
		sorted[k] = spot;
	}
	left = n ? (n - 1) / 2 : 0;
	right = left + 1;
	for (uint32_t i = 0; i < n; i++)
		c.spots[i] = i % 2 ? sorted[right++] : sorted[left--];
	if (n % 2 == 0 && n &&
	    align_worth(&p->spots[c.spots[0]]) < align_worth(&p->spots[c.spots[1]])) {
		uint32_t other = c.spots[0];

		c.spots[0] = c.spots[1];
		c.spots[1] = other;
	}
	return c;
}

/* Is the upper spot in the middle of those above the lower? */
static bool is_middle(const struct picture *p, uint32_t upper, uint32_t lower)
{
	const struct spot *spot = &p->spots[lower];
	struct choice c = from_the_middle(p, p->up + spot->first_up, spot->up_count);

	return c.spots[0] == upper || (c.count % 2 == 0 && c.spots[1] == upper);
}

static bool align_wanted(const struct aligning *a, enum turn turn, uint32_t upper, uint32_t lower,
			 uint32_t nth, uint32_t count)
{
	const struct spot *spots = a->p->spots;

	switch (turn) {
	case TURN_SPINE:
		return a->spine[spots[upper].layer] == upper &&
		       a->spine[spots[lower].layer] == lower;
	case TURN_LINE:
		return spots[upper].kind == SPOT_LINE && spots[lower].kind == SPOT_LINE;
	case TURN_MIDDLE:
		return !spots[upper].aside && !spots[lower].aside &&
		       (nth == 0 || (nth == 1 && count % 2 == 0)) && is_middle(a->p, upper, lower);
	case TURN_ANY:
	case TURN_COUNT:
		break;
	}
	return true;
}

/* Pairs already chosen to the right of each upper position bound later ones. */
static void align_find_bounds(struct aligning *a)
{
	uint32_t bound = a->lower->count;

	for (uint32_t i = a->upper->count; i-- > 0;) {
		uint32_t below = a->below[a->p->row[a->upper->first + i]];

		a->right[i] = bound;
		if (below != SKETCH_NONE)
			bound = a->p->spots[below].pos;
	}
}

static bool turn_is_empty(const struct aligning *a, enum turn turn)
{
	uint32_t layer = a->p->spots[a->p->row[a->upper->first]].layer;

	return turn == TURN_SPINE &&
	       (a->spine[layer] == SKETCH_NONE || a->spine[layer + 1] == SKETCH_NONE);
}

static void take_turn(struct aligning *a, enum turn turn)
{
	struct picture *p = a->p;
	uint32_t left = 0; /* positions below that are still free of crossing */

	if (turn_is_empty(a, turn))
		return;
	align_find_bounds(a);
	for (uint32_t i = 0; i < a->upper->count; i++) {
		uint32_t upper = p->row[a->upper->first + i];
		const struct spot *spot = &p->spots[upper];
		struct choice c;

		if (a->below[upper] != SKETCH_NONE) {
			left = p->spots[a->below[upper]].pos + 1;
			continue;
		}
		c = from_the_middle(p, p->down + spot->first_down, spot->down_count);
		for (uint32_t k = 0; k < c.count; k++) {
			uint32_t lower = c.spots[k], pos = p->spots[lower].pos;

			if (a->above[lower] != SKETCH_NONE || pos < left || pos >= a->right[i] ||
			    !align_wanted(a, turn, upper, lower, k, c.count))
				continue;
			a->below[upper] = lower;
			a->above[lower] = upper;
			left = pos + 1;
			break;
		}
	}
}

uint32_t *layout_align(struct layout *l)
{
	struct picture *p = l->picture;
	struct aligning a = {.p = p, .spine = l->spine};
	uint32_t widest = 0;

	a.below = arena_array(&l->scratch, p->spot_count + 1, uint32_t);
	a.above = arena_array(&l->scratch, p->spot_count + 1, uint32_t);
	for (uint32_t i = 0; i < p->spot_count; i++)
		a.below[i] = a.above[i] = SKETCH_NONE;
	for (uint32_t i = 0; i < p->layer_count; i++)
		widest = MAX(widest, p->layers[i].count);
	a.right = arena_array(&l->scratch, widest + 1, uint32_t);
	for (uint32_t i = 0; i + 1 < p->layer_count; i++) {
		a.upper = &p->layers[i];
		a.lower = &p->layers[i + 1];
		for (enum turn turn = 0; turn < TURN_COUNT; turn++)
			take_turn(&a, turn);
	}
	return a.below;
}
