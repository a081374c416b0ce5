/*
 * What other panes ask the outline.
 */
#ifndef UI_PANES_OUTLINE_H
#define UI_PANES_OUTLINE_H

#include "ui/screen.h"
#include "ui/panes/outline_tree.h"

/* /encoder/layer.0; nothing for a node at the top. */
void outline_scope(struct screen *s, uint32_t node, struct str *out);
/* Bytes that a tensor takes; a guess from its shape where the file does not say. */
uint64_t weight_bytes(const struct tensor *t);
/* Of all weights of a graph; UINT64_MAX when it is more. */
uint64_t graph_weight_bytes(const struct model *m, uint32_t graph);

/* ---- for the outline itself ---- */

void outline_label(struct screen *s, const struct tree *t, const struct item *i, struct str *out);
/* What folded shape arithmetic computes, as if that were a shape; see value_computed. */
bool outline_computed(const struct screen *s, const struct tree *t, const struct item *i,
		      struct info *out);
/* A count, a size, an operator: what stands at the right edge. */
void outline_right(const struct tree *t, const struct item *i, struct str *out);

enum mark {
	MARK_CHANGED = 1 << 0,
	MARK_WARNING = 1 << 1,
	MARK_CONFLICT = 1 << 2
};

struct marks {
	uint8_t *at; /* owned; by node; those of scopes are in the tree's branches */
	size_t len;
	size_t ready; /* graphs that the tree had opened then */
};

void marks_make(struct marks *k, const struct screen *s, const struct tree *t);
uint8_t marks_of(const struct marks *k, const struct screen *s, const struct tree *t,
		 const struct item *i);
void marks_release(struct marks *k);

#endif
