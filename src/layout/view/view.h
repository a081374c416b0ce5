/*
 * What is visible of a graph: its inputs and outputs, nodes, and one item per folded scope;
 * with a sketch of the same items and nets, ready for layout once the caller has set the
 * sizes.
 *
 * Many inputs that only one item reads, or many outputs of one item, are one item; so are those
 * of one name and type but for numbers and a last word, as keys and values, at a fold.  Nets from
 * one item to the same readers are one net.  Constants and initializers are not items: the
 * labels of their readers show them.  A body (of If, Loop, Scan) or a function is a separate
 * graph, entered like a folder; the values it captures from enclosing graphs are items too.
 */
#ifndef LAYOUT_VIEW_VIEW_H
#define LAYOUT_VIEW_VIEW_H

#include "base/vec.h"
#include "ir/graph.h"
#include "layout/scope/scope.h"
#include "layout/sketch.h"

enum view_kind {
	VIEW_INPUT, /* a value */
	VIEW_OUTER, /* a value of an enclosing graph, or from outside the scope shown alone */
	VIEW_NODE,
	VIEW_SCOPE,
	VIEW_OUTPUT, /* a value, of the graph or of the scope shown alone */
	VIEW_KIND_COUNT
};

struct view_item {
	enum view_kind kind;
	uint32_t id;    /* node, scope or value */
	uint32_t count; /* of values; id is the first */
	uint32_t last;  /* of these values */
	bool cut;       /* has lines to items outside the focus */
};

/* The tensors of a net: values[first] … values[first + count - 1]. */
struct view_net {
	uint32_t first, count;
};

/* A value that enters the graph, and the item that shows it. */
struct view_end {
	uint32_t item, value;
};

enum {
	VIEW_MANY = 5, /* ends of a graph at one item that become one item */
	VIEW_ALIKE = 2 /* the same, of like-named ends at a folded scope */
};

/*
 * A part of the graph: up to `hops` nets from a node; or everything between two nodes; or
 * a scope with its neighbours.
 */
struct view_focus {
	uint32_t node; /* 0 for everything */
	uint32_t hops;
	uint32_t other; /* 0, else: everything on a path between the two, in either direction */
	uint32_t scope; /* without a node; 0 for everything */
	/* This scope alone, as if it were a graph; the rest narrows it further.  0: everything. */
	uint32_t inside;
};

/* Each once, in the order of the model. */
struct view_values {
	uint32_t *at; /* owned */
	size_t len, cap;
};

struct view {
	const struct scopes *scopes; /* borrowed */
	VEC(struct view_item) items; /* as in the sketch */
	VEC(struct view_net) nets;   /* as in the sketch */
	VEC(uint32_t) values;
	VEC(struct view_end) ends;  /* inputs, then values that enter from outside */
	VEC(struct view_end) exits; /* values that leave the scope that is shown alone */
	struct sketch sketch;
	uint32_t *of_node;   /* owned; by node index: item, or SKETCH_NONE */
	uint32_t *of_output; /* owned; by output index: item, or SKETCH_NONE */
};

/* Items have no size yet, nets no label. */
void view_make(struct view *v, const struct scopes *s, struct view_focus focus);
void view_release(struct view *v);
/* The item that shows a node, folded or not; SKETCH_NONE for constants and outside the focus. */
uint32_t view_find(const struct view *v, uint32_t node);
/* An item's scope: a fold is one, a node is in one; 0 for ends and what is in none. */
uint32_t view_scope(const struct view *v, uint32_t item);
/* What the nodes and outputs of a graph read, and those of the bodies in it. */
void view_reads(struct view_values *out, const struct model *m, uint32_t graph);
/* The nth graph inside a node: its bodies, or the function it calls. */
bool view_inside(const struct model *m, uint32_t node, uint32_t nth, uint32_t *out_graph);

#endif
