/*
 * A list with an input line that filters it: palette, help, start.
 */
#ifndef UI_OVERLAYS_CHOOSER_H
#define UI_OVERLAYS_CHOOSER_H

#include "base/sv.h"
#include "ui/canvas.h"
#include "ui/prompt.h"
#include "ui/screen.h"

struct chooser {
	struct prompt filter;
	struct list list;
	size_t rows; /* visible when last drawn */
};

enum chosen {
	CHOSEN_NOTHING, /* not handled */
	CHOSEN_MOVE,
	CHOSEN_TYPED, /* the text changed: filter again */
	CHOSEN_ONE    /* Enter on the selected row */
};

void chooser_release(struct chooser *c);
enum chosen chooser_key(struct chooser *c, uint32_t key);
struct sv chooser_text(const struct chooser *c);
/* Draws the input line with `count` at its right; returns the box for the rows. */
struct box chooser_draw(struct screen *s, struct chooser *c, struct box inside, struct sv count);
/* Does the text contain the part, ignoring case? */
bool text_holds(struct sv text, struct sv part);

#endif
