/*
 * A model's graph with labels, for tests and for people: op and shape, scopes with counts.
 * Simpler than on the screen.
 */
#ifndef TESTS_LAYOUT_SHOWN_H
#define TESTS_LAYOUT_SHOWN_H

#include "infer/infer.h"
#include "layout/draw.h"
#include "layout/view/view.h"

struct shown {
	const struct model *model; /* borrowed */
	const struct infer *infer; /* borrowed; NULL: no shapes */
	struct scopes scopes;
	struct view view;
};

/* Labels and sizes for the current folding. */
void shown_update(struct shown *s, struct view_focus focus);
void shown_release(struct shown *s);
void shown_label(void *context, uint32_t item, uint32_t line, struct str *out);
void shown_name(void *context, uint32_t net, struct str *out);
uint32_t shown_mark(void *context, uint32_t item);
void shown_boxes(struct shown *s, bool ascii, struct str *out);
void shown_lanes(struct shown *s, bool ascii, struct str *out);
void shown_map(struct shown *s, bool ascii, struct str *out);

#endif
