/*
 * The problems pane's interface for others.
 */
#ifndef UI_PANES_PROBLEMS_H
#define UI_PANES_PROBLEMS_H

#include "base/str.h"
#include "ui/screen.h"

/* The command that repairs the selected problem; false if there is none. */
bool problems_repair(const struct screen *s, struct str *out);

#endif
