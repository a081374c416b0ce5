/*
 * Tracks in a gap.  A skyline records how high each column is filled; a wire goes on top of
 * the highest column that it spans.
 */
#include <string.h>

#include "base/vec.h"
#include "layout/picture/route.h"
#include "layout/sketch.h"

/* ---- the skyline: a tree over the columns, leaves at [leaves, 2 * leaves) ---- */

static uint32_t stack_column_of(const struct gap *g, int32_t x)
{
	size_t low = 0, high = g->columns.len;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (g->columns.at[middle] <= x)
			low = middle;
		else
			high = middle;
	}
	return (uint32_t)low;
}

static uint32_t stack_highest(const struct gap *g, uint32_t from, uint32_t to)
{
	uint32_t n = g->leaves, high = 0;

	for (uint32_t l = from + n, r = to + n + 1; l < r; l /= 2, r /= 2) {
		if (l % 2) {
			high = MAX(high, g->heights.at[l]);
			l++;
		}
		if (r % 2) {
			r--;
			high = MAX(high, g->heights.at[r]);
		}
	}
	for (uint32_t l = (from + n) / 2; l; l /= 2)
		high = MAX(high, g->floors.at[l]);
	for (uint32_t r = (to + n) / 2; r; r /= 2)
		high = MAX(high, g->floors.at[r]);
	return high;
}

static void stack_fill(struct gap *g, uint32_t from, uint32_t to, uint32_t height)
{
	uint32_t n = g->leaves;

	for (uint32_t l = from + n, r = to + n + 1; l < r; l /= 2, r /= 2) {
		if (l % 2) {
			g->heights.at[l] = g->floors.at[l] = height;
			l++;
		}
		if (r % 2) {
			r--;
			g->heights.at[r] = g->floors.at[r] = height;
		}
	}
	/* Heights only grow, and each of these nodes covers a column just filled. */
	for (uint32_t l = (from + n) / 2; l; l /= 2)
		g->heights.at[l] = MAX(g->heights.at[l], height);
	for (uint32_t r = (to + n) / 2; r; r /= 2)
		g->heights.at[r] = MAX(g->heights.at[r], height);
}

static void list_columns(struct gap *g)
{
	size_t w = 0, e = 0;

	vec_clear(&g->columns);
	while (w < g->wires.len || e < g->ends.len) {
		bool above = e == g->ends.len ||
			     (w < g->wires.len && g->wires.at[w].x <= g->ends.at[e].x);
		int32_t x = above ? g->wires.at[w++].x : g->ends.at[e++].x;

		if (!g->columns.len || *vec_last(&g->columns) != x)
			vec_push(&g->columns, x);
	}
	for (g->leaves = 1; g->leaves < g->columns.len; g->leaves *= 2)
		;
	vec_clear(&g->heights);
	vec_clear(&g->floors);
	memset(vec_extend(&g->heights, 2 * g->leaves), 0, 2 * g->leaves * sizeof(uint32_t));
	memset(vec_extend(&g->floors, 2 * g->leaves), 0, 2 * g->leaves * sizeof(uint32_t));
}

/* ---- stacking ---- */

uint32_t gap_root(struct gap *g, uint32_t wire)
{
	while (g->wires.at[wire].join != wire) {
		uint32_t *join = &g->wires.at[wire].join;

		*join = g->wires.at[*join].join;
		wire = *join;
	}
	return wire;
}

static void stack_widen(struct wire *root, int32_t x)
{
	root->low = MIN(root->low, x);
	root->high = MAX(root->high, x);
}

/* The columns of every root, and the list of its wires. */
static bool find_spans(struct gap *g)
{
	bool any = false;

	for (uint32_t i = 0; i < g->wires.len; i++) {
		uint32_t id = gap_root(g, i);
		struct wire *w = &g->wires.at[i], *root = &g->wires.at[id];

		w->next = i;
		w->low = w->high = w->x;
		if (w == root)
			continue;
		w->next = root->next == id ? i : root->next;
		root->next = i;
		stack_widen(root, w->x);
	}
	for (size_t i = 0; i < g->ends.len; i++)
		stack_widen(&g->wires.at[g->ends.at[i].wire], g->ends.at[i].x);
	for (uint32_t i = 0; i < g->wires.len && !any; i++)
		any = g->wires.at[i].join == i && g->wires.at[i].low != g->wires.at[i].high;
	return any;
}

/* The root that ends in column x, where another wire begins: it must be lower. */
static uint32_t stack_below(const struct gap *g, int32_t x)
{
	size_t low = 0, high = g->ends.len;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (g->ends.at[middle].x < x)
			low = middle + 1;
		else
			high = middle;
	}
	return low < g->ends.len && g->ends.at[low].x == x ? g->ends.at[low].wire : SKETCH_NONE;
}

static void stack_settle(struct gap *g, uint32_t id)
{
	struct wire *root = &g->wires.at[id];
	uint32_t from = stack_column_of(g, root->low), to = stack_column_of(g, root->high);

	root->track = stack_highest(g, from, to) + 1;
	root->state = WIRE_STACKED;
	stack_fill(g, from, to, root->track);
	g->tracks = MAX(g->tracks, root->track);
}

/* No other wire of its root is in column x: an end there belongs to another root. */
static void step_aside(struct gap *g, struct wire *w, uint32_t id)
{
	struct wire *root = &g->wires.at[id];

	w->aside = true;
	g->has_aside = true;
	root->low += root->low == w->x;
	root->high += root->high == w->x;
}

/* Roots that must be lower go first; a cycle is broken where it closes. */
static void stack_wire(struct gap *g, uint32_t id)
{
	vec_push(&g->waiting, id);
	g->wires.at[id].state = WIRE_WAITING;
	while (g->waiting.len) {
		uint32_t root = *vec_last(&g->waiting), at = g->next.at[root], other;
		struct wire *w = &g->wires.at[at];

		if (at == SKETCH_NONE) {
			stack_settle(g, root);
			vec_pop(&g->waiting);
			continue;
		}
		g->next.at[root] = w->next == at ? SKETCH_NONE : w->next;
		other = stack_below(g, w->x);
		if (other == SKETCH_NONE || other == root ||
		    g->wires.at[other].low == g->wires.at[other].high)
			continue;
		if (g->wires.at[other].state == WIRE_WAITING) {
			step_aside(g, w, root);
		} else if (g->wires.at[other].state == WIRE_NEW) {
			g->wires.at[other].state = WIRE_WAITING;
			vec_push(&g->waiting, other);
		}
	}
}

static bool wants_track(const struct gap *g, uint32_t i)
{
	const struct wire *w = &g->wires.at[i];

	return w->join == i && w->low != w->high && w->state == WIRE_NEW;
}

/*
 * Of two that go right the left one is lower, of two that go left the right one: so they
 * run in parallel.
 */
void gap_stack(struct gap *g)
{
	g->tracks = 0;
	g->has_aside = false;
	if (!find_spans(g))
		return;
	list_columns(g);
	vec_clear(&g->next);
	for (uint32_t i = 0; i < g->wires.len; i++)
		vec_push(&g->next, i);
	for (uint32_t i = 0; i < g->wires.len; i++) {
		const struct wire *w = &g->wires.at[i];

		if (wants_track(g, i) && w->x - w->low <= w->high - w->x)
			stack_wire(g, i);
	}
	for (uint32_t i = (uint32_t)g->wires.len; i-- > 0;) {
		if (wants_track(g, i))
			stack_wire(g, i);
	}
}

void gap_release(struct gap *g)
{
	vec_release(&g->wires);
	vec_release(&g->ends);
	vec_release(&g->columns);
	vec_release(&g->heights);
	vec_release(&g->floors);
	vec_release(&g->waiting);
	vec_release(&g->next);
	vec_release(&g->strokes);
}
