/*
 * Text over several rows, broken at blanks where there are some.  Texts from a file are
 * shown escaped.
 */
#ifndef UI_PARAGRAPH_H
#define UI_PARAGRAPH_H

#include "ui/canvas.h"

/* Gives the rows used: at most the box's; what does not fit ends with an ellipsis. */
int draw_flow(struct canvas *c, struct box box, struct sv text, enum style style);

#endif
