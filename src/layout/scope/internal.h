/*
 * Inside the folder: the tree of scopes while it is built; see scope.h.
 */
#ifndef LAYOUT_SCOPE_INTERNAL_H
#define LAYOUT_SCOPE_INTERNAL_H

#include "base/intern.h"
#include "base/map.h"
#include "base/sv.h"
#include "base/vec.h"
#include "ir/graph.h"
#include "layout/scope/scope.h"

enum {
	FOLDING_MANY = 30 /* loose nodes that are divided into blocks */
};

struct folding {
	struct scopes *s; /* borrowed */
	const struct graph *graph;
	VEC(struct scope) scopes;
	struct intern names;
	struct map children; /* parent << 32 | name -> scope */
	uint32_t base;       /* the innermost scope that has every node, or the root */
	/* After folding_list: */
	uint32_t *begin; /* owned; by scope: its nodes are listed from here on ... */
	uint32_t *end;   /* owned; ... to here */
	uint32_t *list;  /* owned; node indices, scope by scope */
	uint32_t *place; /* owned; by node index: position in the list */
};

/* Scopes by name: from torch's metadata of a node, or from the node's name. */
void folding_by_name(struct folding *f);
/* Shape arithmetic gets its own scopes. */
void folding_shapes(struct folding *f);
/* Many nodes of the base are divided into blocks. */
void folding_blocks(struct folding *f);
/* Side computations among many loose nodes get scopes; shape arithmetic has its own. */
void folding_groups(struct folding *f);
/* Many nodes side by side that do the same get a scope. */
void folding_fans(struct folding *f);
/* Lists children in the order of the file, counts, and lists nodes by scope. */
void folding_list(struct folding *f);
/* Groups equal neighbours under a new scope; needs the lists, leaves them stale. */
void folding_repeats(struct folding *f);
uint32_t folding_child(struct folding *f, uint32_t parent, struct sv name);

#endif
