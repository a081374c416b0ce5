/*
 * A list with an input line that filters it: palette, help, start.  The list is the pane's.
 */
#ifndef UI_OVERLAYS_CHOOSER_H
#define UI_OVERLAYS_CHOOSER_H

#include "base/sv.h"
#include "ui/canvas.h"
#include "ui/prompt.h"
#include "ui/screen.h"

/*
 * A key for the list or the input line; if it changes the text, the list is narrowed.  False
 * for Enter, Esc and others that are not handled here.
 */
bool chooser_key(struct pane *p, struct prompt *filter, uint32_t key,
		 void (*narrow)(struct pane *p));
/* Draws the input line with `note` at its right, and the list below it. */
void chooser_draw(struct pane *p, const struct prompt *filter, struct box box, struct sv note);
/* Does the text contain the part, ignoring case? */
bool text_holds(struct sv text, struct sv part);

#endif
