/*
 * The line above the panes: the model, and what is not as in its file.
 */
#ifndef UI_HEADER_H
#define UI_HEADER_H

#include "ui/screen.h"

/* After the panes: it tells of problems whose pane is hidden. */
void header_draw(struct screen *s);

#endif
