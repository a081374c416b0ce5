/*
 * The value whose shape an item shows, on the screen and in pictures: what it is, or its first
 * output; of a fold its result.
 */
#ifndef LAYOUT_VIEW_SHOWN_H
#define LAYOUT_VIEW_SHOWN_H

#include "layout/view/view.h"

/* What is known of shapes, which the layout does not know. */
struct shown_shapes {
	bool (*is_wide)(const void *context, uint32_t value); /* more than one dim */
	bool (*are_same)(const void *context, uint32_t a, uint32_t b);
	bool (*is_changed)(const void *context, uint32_t value); /* NULL: nothing changes */
	const void *context;                                     /* borrowed */
};

/* 0 for none: a fan whose outputs have several shapes. */
uint32_t view_shown(const struct view *v, uint32_t item, const struct shown_shapes *shapes);

#endif
