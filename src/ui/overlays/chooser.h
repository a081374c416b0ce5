/*
 * A list with an input line that filters it: palette, help, start.  The list is the pane's.
 */
#ifndef UI_OVERLAYS_CHOOSER_H
#define UI_OVERLAYS_CHOOSER_H

#include "base/sv.h"
#include "ui/canvas.h"
#include "ui/prompt.h"
#include "ui/screen.h"

enum chosen {
	CHOSEN_NOTHING, /* not handled */
	CHOSEN_MOVE,
	CHOSEN_TYPED, /* the text changed: filter again */
	CHOSEN_ONE    /* Enter on the selected row */
};

enum chosen chooser_key(struct pane *p, struct prompt *filter, uint32_t key);
/* Draws the input line with `note` at its right, and the list below it. */
void chooser_draw(struct pane *p, const struct prompt *filter, struct box box, struct sv note);
/* Does the text contain the part, ignoring case? */
bool text_holds(struct sv text, struct sv part);

#endif
