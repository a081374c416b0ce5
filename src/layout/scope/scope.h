/*
 * What can be folded in a graph, as a tree: scopes from node names (/encoder/layer.0/attn/Add)
 * or from what torch writes beside a node ("block 0" … where names say nothing and the graph
 * repeats itself); inside them runs of equal blocks and pieces of shape arithmetic.  Every node is
 * in one scope; a folded scope hides all that is in it.
 *
 *   (root)
 *     encoder              SCOPE_NAME
 *       layer.0
 *         attn
 *           SCOPE_SHAPES   Shape, Gather, Concat … that end in one tensor; `node` is the last
 *       SCOPE_REPEAT       layer.1 … layer.11, all equal to `like`, which is layer.0
 *         layer.1 …
 *
 * Scope 0 is the root and never folded.  Folding is the caller's: set `folded` and make a
 * view; folding and unfolding leads back to the same picture.  Built once a graph; the model
 * must outlive it.
 */
#ifndef LAYOUT_SCOPE_SCOPE_H
#define LAYOUT_SCOPE_SCOPE_H

#include "ir/graph.h"

enum {
	SCOPE_MAX_VISIBLE = 300, /* items that the first folding leaves */
	SCOPE_DEEPEST = 32       /* parts of a name; what is deeper stays together */
};

enum scope_kind {
	SCOPE_NAME,
	SCOPE_REPEAT,
	SCOPE_SHAPES,
	SCOPE_KIND_COUNT
};

struct scope {
	enum scope_kind kind;
	bool folded;
	struct sv name; /* in the arena; the last part; of a REPEAT its first child's */
	uint32_t parent;
	uint32_t first_child, next; /* in the order of the file; 0 ends the list */
	uint32_t child_count;
	uint32_t depth;
	uint32_t own_count;   /* nodes in it and in no scope below it, constants aside */
	uint32_t node_count;  /* nodes in it and below it */
	uint32_t first_index; /* of these the first in the file */
	uint32_t node;        /* SCOPE_SHAPES: whose output is the result */
	uint32_t like;        /* SCOPE_REPEAT: the scope that its children equal */
};

struct scopes {
	const struct model *model; /* borrowed */
	uint32_t graph;
	struct arena arena;
	struct scope *at; /* in the arena */
	uint32_t count;
	uint32_t *of_node; /* in the arena; by place in the graph's list of nodes */
};

void scopes_find(struct scopes *s, const struct model *m, uint32_t graph);
void scopes_release(struct scopes *s);
/*
 * As at the beginning: repeats and shape arithmetic folded, and of the scopes as many, the
 * deepest first, as it takes to leave `most` items; more only where the root alone has more.
 */
void scopes_fold(struct scopes *s, uint32_t max);
/* After an edit that changed the nodes: what is still there is folded as it was. */
void scopes_fold_like(struct scopes *s, const struct scopes *old);
/* What stands for a node: its outermost folded scope, or 0 when it is seen itself. */
uint32_t scopes_shown(const struct scopes *s, uint32_t scope);
/* Unfolds all that hides the inside of a scope. */
void scopes_reveal(struct scopes *s, uint32_t scope);
/* /encoder/layer.0 */
void scope_path(struct str *out, const struct scopes *s, uint32_t scope);
/* A Constant, or a copy of an initializer, is no item: its value stands in its readers. */
bool scope_is_constant(const struct model *m, const struct node *n);

#endif
