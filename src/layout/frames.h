/*
 * Frames around the members of scopes in a picture, in layers and columns.  Who draws them gives
 * them rows, edges and names.
 */
#ifndef LAYOUT_FRAMES_H
#define LAYOUT_FRAMES_H

#include "base/vec.h"
#include "layout/picture/picture.h"
#include "layout/scope/scope.h"
#include "layout/view/view.h"

enum {
	FRAME_DEEPEST = 12
};

/*
 * Adjacent members of a scope: the rectangle of these layers and columns contains no other
 * item.  A scope has as many frames as that takes.  Two frames are nested or disjoint; frame 0
 * is the whole drawing.
 */
struct frame {
	uint32_t scope; /* 0 when not drawn */
	uint32_t parent;
	uint32_t older;       /* next older one with the same scope and parent, or 0 */
	uint32_t count;       /* of items */
	uint32_t first, last; /* layers */
	int32_t left, right;  /* columns, inclusive */
	int32_t low, high;    /* columns of its neighbours: it cannot grow that far */
	uint32_t rise, drop;  /* depth of frames that begin/end with it, itself included */
	uint32_t nested;      /* nesting depth inside it, itself included */
};

struct frames {
	VEC(struct frame) at;
	uint32_t *of_item; /* owned; the innermost */
	uint32_t nested;   /* maximum over all frames */
	bool given_up;     /* some frame is not drawn */
};

/* The innermost named scope of an item, or 0. */
uint32_t frame_scope(const struct view *v, uint32_t item);
uint32_t frame_scope_above(const struct scopes *s, uint32_t scope);
/* No frame crosses from one strip to another; `strip` is by layer, NULL for a single one. */
void frames_make(struct frames *f, const struct view *v, const struct picture *p,
		 const uint32_t *strip);
void frames_release(struct frames *f);

#endif
