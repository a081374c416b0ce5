/*
 * Inside the folder: a view while it is built; see view.h.
 */
#ifndef LAYOUT_VIEW_INTERNAL_H
#define LAYOUT_VIEW_INTERNAL_H

#include "base/map.h"
#include "base/vec.h"
#include "ir/graph.h"
#include "layout/view/view.h"

struct net_value {
	uint32_t net, value;
};

struct viewing {
	struct view *v;        /* borrowed */
	const struct model *m; /* borrowed */
	const struct graph *g; /* borrowed */
	uint32_t inside;       /* the scope that is shown alone; 0 for all */
	uint32_t *of_scope;    /* owned; item of a folded scope */
	struct map exits;      /* value -> item + 1 */
	struct map outer;      /* value -> item + 1 */
	/* A node's key identifies its future item; with a family, the ends of one at it. */
	struct map many;  /* key -> number of ends of the graph at it alone */
	struct map joint; /* key -> the item that stands for them, plus 1 */
	/* Nets: */
	struct map of_readers; /* hash of an item and its readers -> net + 1 */
	VEC(uint32_t) readers; /* of one value, each once */
	uint32_t *seen;        /* owned; by item: the value for which it was last listed, plus 1 */
	VEC(struct net_value) pairs;
};

/* The node of this graph that is the reader or contains it, at any depth; false for outputs. */
bool viewing_reader(const struct viewing *w, const struct reader *r, uint32_t *out_index);
/* Is a node of this graph shown, not outside the scope that is shown alone? */
bool viewing_has(const struct viewing *w, uint32_t index);
/* All nets of all items. */
void viewing_nets(struct viewing *w);
/* Equal for values whose names and types differ in numbers and one word only; 0 without a number.
 */
uint64_t view_family(const struct model *m, uint32_t value);
/* Removes what is far from the focus. */
void view_narrow(struct view *v, struct view_focus focus);

#endif
