/*
 * What others may ask of the pane of problems.
 */
#ifndef UI_PANES_PROBLEMS_H
#define UI_PANES_PROBLEMS_H

#include "ui/screen.h"

/* The line that repairs the selected problem; false when there is none. */
bool problems_repair(const struct screen *s, struct str *out);

#endif
