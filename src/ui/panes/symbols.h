/*
 * What others may ask of the pane of symbols.
 */
#ifndef UI_PANES_SYMBOLS_H
#define UI_PANES_SYMBOLS_H

#include "ui/screen.h"

/* Goes to the pane, and to that symbol when it is listed. */
void symbols_select(struct screen *s, uint32_t symbol);

#endif
