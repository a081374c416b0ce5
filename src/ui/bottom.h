/*
 * The lines below the panes: what is selected, or typed, or was just done; and the keys.
 */
#ifndef UI_BOTTOM_H
#define UI_BOTTOM_H

#include "ui/screen.h"

void bottom_draw(struct screen *s);

#endif
