/*
 * What is seen of a graph: its inputs and outputs, nodes, and for what is folded one item
 * a scope; with a sketch of it, item by item and net by net, ready to be laid out once the
 * caller has written the sizes into it.
 *
 * Inputs that only one item reads, and outputs that one item gives, are one item when they
 * are many; nets that lead from one item to the same readers are one net.
 * Constants and initializers are no items: they belong into the labels of their readers.
 * A body (of If, Loop, Scan) or a function is a graph of its own, entered like a folder; what
 * it takes from the graphs around it are items too.
 */
#ifndef LAYOUT_VIEW_VIEW_H
#define LAYOUT_VIEW_VIEW_H

#include "layout/scope/scope.h"
#include "layout/sketch.h"

enum view_kind {
	VIEW_INPUT, /* a value */
	VIEW_OUTER, /* a value of a graph around this one */
	VIEW_NODE,
	VIEW_SCOPE,
	VIEW_OUTPUT, /* a value */
	VIEW_KIND_COUNT
};

struct view_item {
	enum view_kind kind;
	uint32_t id;    /* node, scope or value */
	uint32_t count; /* of values, when it stands for several; id is the first */
	bool cut;       /* has lines to what the focus leaves out */
};

/* The tensors of a net: values[first] … values[first + count - 1]. */
struct view_net {
	uint32_t first, count;
};

/* A value that comes into the graph, and the item that shows it. */
struct view_end {
	uint32_t item, value;
};

enum {
	VIEW_MANY = 5 /* ends of a graph at one item, from which on they are one item */
};

/*
 * Only what is near a node: up to `hops` nets away; or all that lies between two nodes; or
 * what is in a scope, with what it touches.
 */
struct view_focus {
	uint32_t node; /* 0 for everything */
	uint32_t hops;
	uint32_t other; /* 0, else: what lies on a path from one to the other, either way */
	uint32_t scope; /* without a node; 0 for everything */
};

struct view {
	const struct scopes *scopes; /* borrowed */
	VEC(struct view_item)
	items; /* as in the sketch */
	VEC(struct view_net)
	nets; /* as in the sketch */
	VEC(uint32_t)
	values;
	VEC(struct view_end)
	ends; /* inputs, then values from around */
	struct sketch sketch;
	uint32_t *of_node;   /* owned; by place in the graph: item, or SKETCH_NONE */
	uint32_t *of_output; /* owned; by place in the graph's outputs: item */
};

/* Items have no size yet, nets no label. */
void view_make(struct view *v, const struct scopes *s, struct view_focus focus);
void view_release(struct view *v);
/* The item that shows a node, folded or not; SKETCH_NONE for a constant or what is left out. */
uint32_t view_find(const struct view *v, uint32_t node);
/* The graphs inside a node, one after the other: bodies, or the function it calls. */
bool view_inside(const struct model *m, uint32_t node, uint32_t nth, uint32_t *out_graph);

#endif
