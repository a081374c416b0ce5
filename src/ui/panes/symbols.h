/*
 * The symbols pane's interface for others.
 */
#ifndef UI_PANES_SYMBOLS_H
#define UI_PANES_SYMBOLS_H

#include "ui/screen.h"

/* Goes to the pane, and to the symbol if it is listed. */
void symbols_select(struct screen *s, uint32_t symbol);

#endif
