/*
 * The outline, for other panes.
 */
#ifndef UI_PANES_OUTLINE_H
#define UI_PANES_OUTLINE_H

#include "base/str.h"
#include "ir/tensor.h"
#include "ops/info.h"
#include "ui/panes/outline_tree.h"
#include "ui/screen.h"

/* /encoder/layer.0; empty for a node at the top level. */
void outline_scope(struct screen *s, uint32_t node, struct str *out);
/* Bytes of a tensor's data; computed from the shape if the file does not say. */
uint64_t weight_bytes(const struct tensor *t);

/* ---- for the outline itself ---- */

void outline_label(struct screen *s, const struct tree *t, const struct item *i, struct str *out);
/* The result of folded shape arithmetic, as a shape; see value_computed. */
bool outline_computed(const struct screen *s, const struct tree *t, const struct item *i,
		      struct info *out);
/* The text at the right edge: a count, a size or an operator. */
void outline_right(const struct tree *t, const struct item *i, struct str *out);

enum mark {
	MARK_CHANGED = 1 << 0,
	MARK_WARNING = 1 << 1,
	MARK_CONFLICT = 1 << 2
};

struct marks {
	uint8_t *at; /* owned; by node; marks of scopes are in the tree's branches */
	size_t len;
	size_t ready; /* graphs open in the tree at that time */
};

void marks_make(struct marks *k, const struct screen *s, const struct tree *t);
uint8_t marks_of(const struct marks *k, const struct screen *s, const struct tree *t,
		 const struct item *i);
void marks_release(struct marks *k);

#endif
