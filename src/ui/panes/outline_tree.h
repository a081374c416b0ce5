/*
 * The outline as a tree: graphs, scopes, nodes, inputs, outputs, weights.
 *
 * Items are created when their parent is first opened, and stay.  Open items are remembered
 * by key, so folds survive an edit of the graph.  Item 0 is the root, which is not shown.
 */
#ifndef UI_PANES_OUTLINE_TREE_H
#define UI_PANES_OUTLINE_TREE_H

#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "infer/infer.h"
#include "ir/graph.h"
#include "layout/scope/scope.h"

enum item_kind {
	ITEM_ROOT,
	ITEM_GRAPH,
	ITEM_SCOPE,
	ITEM_NODE,
	ITEM_CONSTANTS, /* the nodes of a scope that only produce a constant */
	ITEM_INPUTS,
	ITEM_OUTPUTS,
	ITEM_WEIGHTS,
	ITEM_FUNCTIONS,
	ITEM_TRAINING,
	ITEM_LIKE, /* like-named inputs or outputs */
	ITEM_VALUE,
	ITEM_TENSOR,
	ITEM_KIND_COUNT
};

struct item {
	enum item_kind kind;
	bool open, filled;
	uint32_t graph;
	uint32_t id; /* scope, node, value or tensor; for CONSTANTS the scope; for LIKE the first
			value */
	uint32_t parent, first, last, next;
	uint32_t depth;
	uint64_t key;
};

/* An opened graph: its scopes, and the nodes of each. */
struct branch {
	bool ready;
	struct scopes scopes;
	uint32_t *start; /* in the scopes' arena; by scope: its first index in list */
	uint32_t *list;  /* in the scopes' arena; indexes into the graph's nodes */
	uint8_t *marks;  /* in the scopes' arena; by scope; for the owner's use */
};

/* Inputs or outputs of one shape, whose names count up. */
struct like {
	uint32_t first;   /* value */
	struct str label; /* past_key_values.0…31.{key,value} ×64 */
};

struct tree {
	const struct model *model; /* borrowed */
	VEC(struct item) items;
	VEC(struct branch) branches; /* by graph */
	size_t ready_count;
	VEC(uint32_t) rows;     /* visible items, from top to bottom */
	bool stale;             /* the rows */
	VEC(uint32_t) revealed; /* opened only to reveal an item */
	VEC(struct like) likes;
	VEC(uint32_t) like_of;  /* by input, then by output of the main graph: plus 1; 0 for none */
	uint64_t likes_shapes;  /* hash of the shapes that they were found for */
	uint64_t likes_grouped; /* hash of which are together */
	struct map opened;      /* key -> 1 closed, 2 open; only items that the user toggled */
	uint64_t structure;
};

/* True when the graph, or what folds, changed: all items are new. */
bool tree_renew(struct tree *t, const struct model *m, const struct infer *in);
void tree_release(struct tree *t);
/* Updates the rows. */
void tree_list(struct tree *t);
bool tree_is_folder(const struct tree *t, uint32_t item);
void tree_open(struct tree *t, uint32_t item, bool open);
/* The item, with all its parents opened; 0 for none. */
uint32_t tree_reveal_node(struct tree *t, uint32_t node);
uint32_t tree_reveal_scope(struct tree *t, uint32_t graph, uint32_t scope);
uint32_t tree_reveal_value(struct tree *t, uint32_t value);
/* Closes what was opened only to reveal an item, or keeps it open. */
void tree_unreveal(struct tree *t);
void tree_keep_revealed(struct tree *t);
/* The row of an item or its closed parent. */
size_t tree_row(const struct tree *t, uint32_t item);
const struct branch *tree_branch(struct tree *t, uint32_t graph);

/* ---- internal ---- */

/* True if others are together now. */
bool tree_find_likes(struct tree *t, const struct model *m, const struct infer *in);
void tree_forget_likes(struct tree *t);
/* Of an input or output of the main graph; NULL for none. */
const struct like *tree_like_of(const struct tree *t, bool output, size_t at);
const struct like *tree_like_from(const struct tree *t, uint32_t first);
/* Adds an item's children. */
void tree_fill(struct tree *t, uint32_t item);
/* The only node of a scope, also through scopes that contain nothing else; 0 for none. */
uint32_t tree_only_node(const struct tree *t, uint32_t graph, uint32_t scope);

#endif
