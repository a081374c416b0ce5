/*
 * The tree of scopes while it is made; see scope.h.  Only for this room.
 */
#ifndef LAYOUT_SCOPE_INTERNAL_H
#define LAYOUT_SCOPE_INTERNAL_H

#include "layout/scope/scope.h"

struct folding {
	struct scopes *s; /* borrowed */
	const struct graph *graph;
	VEC(struct scope)
	scopes;
	struct intern names;
	struct map children; /* parent << 32 | name -> scope */
	/* After folding_list: */
	uint32_t *begin; /* owned; by scope: its nodes are listed from here on ... */
	uint32_t *end;   /* owned; ... to here */
	uint32_t *list;  /* owned; places in the graph, scope by scope */
	uint32_t *place; /* owned; by place in the graph: where in the list */
};

/* Scopes by name, in two ways: what torch writes beside a node, or the node's name. */
void folding_by_name(struct folding *f);
/* Stretches of unnamed nodes that repeat become scopes. */
void folding_periods(struct folding *f);
/* Shape arithmetic gets scopes of its own. */
void folding_shapes(struct folding *f);
/* Lists children in the order of the file, counts, and lists nodes by scope. */
void folding_list(struct folding *f);
/* Puts equal neighbours under a scope of their own; wants the lists, leaves them stale. */
void folding_repeats(struct folding *f);
uint32_t folding_child(struct folding *f, uint32_t parent, struct sv name);

#endif
