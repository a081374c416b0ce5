/*
 * The symbols pane's interface for others.
 */
#ifndef UI_PANES_SYMBOLS_H
#define UI_PANES_SYMBOLS_H

#include "base/str.h"
#include "ui/screen.h"

/* Is it in some shape?  A name that was fixed or renamed is no longer listed. */
bool symbols_list(struct screen *s, uint32_t symbol);

/* Goes to the pane, and to the symbol if it is listed. */
void symbols_select(struct screen *s, uint32_t symbol);

/* The line that writes what the selected symbol must equal in its place; false for none. */
bool symbols_offer(const struct screen *s, struct str *out);

#endif
