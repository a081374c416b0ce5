/*
 * The uses of the followed symbol, which the pane of symbols lists instead of symbols.
 */
#ifndef UI_PANES_USES_H
#define UI_PANES_USES_H

#include <stddef.h>

#include "ui/canvas.h"
#include "ui/screen.h"

void uses_draw_row(struct pane *p, size_t i, struct box line);
/* Below the list: where the selected use is. */
void uses_draw_details(const struct pane *p, struct box box);

#endif
