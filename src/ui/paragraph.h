/*
 * Text over several rows, broken at spaces if possible.  Text from a file is shown escaped.
 */
#ifndef UI_PARAGRAPH_H
#define UI_PARAGRAPH_H

#include "base/sv.h"
#include "ui/canvas.h"

/* Returns the rows used, at most the box's; cut text ends with an ellipsis. */
int draw_flow(struct canvas *c, struct box box, struct sv text, enum style style);

#endif
