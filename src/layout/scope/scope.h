/*
 * The tree of what can be folded in a graph: scopes from node names (/encoder/layer.0/attn/Add) or
 * from torch's metadata (where most names say nothing, blocks of the dataflow: "Conv·Relu"); inside
 * them runs of equal blocks and pieces of shape arithmetic.  Every node is in one scope; a folded
 * scope hides its contents.
 *
 *   (root)
 *     encoder              SCOPE_NAME
 *       layer.0
 *         attn
 *           SCOPE_SHAPES   Shape, Gather, Concat … that end in one tensor; `node` is the last
 *     SCOPE_GROUP          loose nodes that serve one tensor only, such as a mask; likewise
 *     SCOPE_FAN            many equal nodes side by side; `node` is the first
 *       SCOPE_REPEAT       layer.1 … layer.11, all equal to `like`, which is layer.0
 *         layer.1 …
 *
 * Scope 0 is the root and never folded.  The caller folds: it sets `folded` and makes a view;
 * folding and unfolding restores the same picture.  Built once per graph; the model must outlive
 * it.
 */
#ifndef LAYOUT_SCOPE_SCOPE_H
#define LAYOUT_SCOPE_SCOPE_H

#include "base/arena.h"
#include "base/str.h"
#include "base/sv.h"
#include "ir/graph.h"

enum {
	SCOPE_MAX_VISIBLE = 300, /* items after the initial folding */
	SCOPE_DEEPEST = 32       /* parts of a name; deeper parts stay together */
};

enum scope_kind {
	SCOPE_NAME,
	SCOPE_REPEAT,
	SCOPE_SHAPES,
	SCOPE_GROUP,
	SCOPE_FAN,
	SCOPE_KIND_COUNT
};

struct scope {
	enum scope_kind kind;
	bool made; /* SCOPE_NAME: a block that no name says; it is named after its operators */
	bool folded;
	bool entered;   /* for the caller: its inside was shown alone */
	struct sv name; /* in the arena; the last part; of a REPEAT its first child's */
	uint32_t parent;
	uint32_t first_child, next; /* in the order of the file; 0 ends the list */
	uint32_t child_count;
	uint32_t depth;
	uint32_t own_count;   /* nodes in it and in no scope below it, without constants */
	uint32_t node_count;  /* nodes in it and below it */
	uint32_t first_index; /* the first of these in the file */
	/* SCOPE_SHAPES, SCOPE_GROUP: outputs the result; SCOPE_FAN, or made: the first. */
	uint32_t node;
	uint32_t after; /* made: the node after it in the dataflow; 0 for none */
	uint32_t like;  /* SCOPE_REPEAT: the scope that its children equal */
};

struct scopes {
	const struct model *model; /* borrowed */
	uint32_t graph;
	struct arena arena;
	struct scope *at; /* in the arena */
	uint32_t count;
	uint32_t *of_node; /* in the arena; by node index */
};

void scopes_find(struct scopes *s, const struct model *m, uint32_t graph);
void scopes_release(struct scopes *s);
/*
 * The initial folding: repeats, fans and shape arithmetic, and as many scopes, deepest first, as
 * it takes to leave at most `max` items, unless the root alone has more; a scope that has every
 * node is open like the root.  With 0 everything is folded.
 */
void scopes_fold(struct scopes *s, uint32_t max);
/* After an edit that changed the nodes: scopes that still exist keep their folding. */
void scopes_fold_like(struct scopes *s, const struct scopes *old);
/* How many more items are visible when it is unfolded. */
uint32_t scope_gain(const struct scope *scope);
/* Is a scope inside another one, or the same? */
bool scope_has(const struct scopes *s, uint32_t scope, uint32_t inner);
/* What is shown in place of a scope's nodes: the outermost folded scope, or 0 for the nodes. */
uint32_t scopes_shown(const struct scopes *s, uint32_t scope);
/* Unfolds everything that hides the inside of a scope. */
void scopes_reveal(struct scopes *s, uint32_t scope);
/* Does its name count all that is in it, as "Conv ×3, Relu ×3, Add"? */
bool scope_counts(const struct scope *scope);
/* /encoder/layer.0; only what the file names. */
void scope_path(struct str *out, const struct scopes *s, uint32_t scope);
/* A Constant, or a copy of an initializer, is not an item: its readers show its value. */
bool scope_is_constant(const struct model *m, const struct node *n);
/* The first node that reads a value, or a copy of it, and is no constant itself; 0 for none. */
uint32_t scope_reader(const struct model *m, uint32_t value);

#endif
