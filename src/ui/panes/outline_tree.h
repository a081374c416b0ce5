/*
 * The outline as a tree: graphs, scopes, nodes, inputs, outputs, weights.
 *
 * Items are made when what they are in is opened for the first time, and stay; which are
 * open is remembered by key, so an edit that changes the graph leaves the folds as they
 * were.  Item 0 is the root, which is not seen.
 */
#ifndef UI_PANES_OUTLINE_TREE_H
#define UI_PANES_OUTLINE_TREE_H

#include "layout/scope/scope.h"

enum item_kind {
	ITEM_ROOT,
	ITEM_GRAPH,
	ITEM_SCOPE,
	ITEM_NODE,
	ITEM_CONSTANTS, /* the nodes of a scope that only give a constant */
	ITEM_INPUTS,
	ITEM_OUTPUTS,
	ITEM_WEIGHTS,
	ITEM_FUNCTIONS,
	ITEM_TRAINING,
	ITEM_VALUE,
	ITEM_TENSOR,
	ITEM_KIND_COUNT
};

struct item {
	enum item_kind kind;
	bool open, filled;
	uint32_t graph;
	uint32_t id; /* scope, node, value or tensor; of CONSTANTS the scope */
	uint32_t parent, first, last, next;
	uint32_t depth;
	uint64_t key;
};

/* A graph that was opened: its scopes, and the nodes of each. */
struct branch {
	bool ready;
	struct scopes scopes;
	uint32_t *start; /* in the scopes' arena; by scope: its first place in list */
	uint32_t *list;  /* in the scopes' arena; places in the graph's list of nodes */
	uint8_t *marks;  /* in the scopes' arena; by scope; whatever the owner wants */
};

struct tree {
	const struct model *model; /* borrowed */
	VEC(struct item)
	items;
	VEC(struct branch)
	branches; /* by graph */
	size_t ready_count;
	VEC(uint32_t)
	rows;       /* items that are seen, from top to bottom */
	bool stale; /* the rows */
	VEC(uint32_t)
	revealed;          /* opened only to show an item */
	struct map opened; /* key -> 1 closed, 2 open; of those somebody opened or closed */
	uint64_t structure;
};

/* True when the graph is another one: items of before are gone. */
bool tree_renew(struct tree *t, const struct model *m);
void tree_release(struct tree *t);
/* The rows as they are now. */
void tree_list(struct tree *t);
bool tree_is_folder(const struct tree *t, uint32_t item);
void tree_open(struct tree *t, uint32_t item, bool open);
/* The item, with all open that it is in; 0 for none. */
uint32_t tree_reveal_node(struct tree *t, uint32_t node);
uint32_t tree_reveal_value(struct tree *t, uint32_t value);
/* Closes what was opened only to show something, or keeps it open for good. */
void tree_unreveal(struct tree *t);
void tree_keep_revealed(struct tree *t);
/* Row of an item, or of what hides it. */
size_t tree_row(const struct tree *t, uint32_t item);
const struct branch *tree_branch(struct tree *t, uint32_t graph);

/* ---- for the tree itself ---- */

/* Makes what is in an item. */
void tree_fill(struct tree *t, uint32_t item);
/* The only node of a scope stands for it, and for scopes that hold nothing else; 0 for none. */
uint32_t tree_only_node(const struct tree *t, uint32_t graph, uint32_t scope);

#endif
