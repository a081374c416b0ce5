/*
 * The problems pane's interface for others.
 */
#ifndef UI_PANES_PROBLEMS_H
#define UI_PANES_PROBLEMS_H

#include <stddef.h>

#include "base/str.h"
#include "infer/finding.h"
#include "ui/screen.h"

/* The command that repairs the selected problem; false if there is none. */
bool problems_repair(const struct screen *s, struct str *out);

/* How many of this gravity there are, consequences included. */
size_t problems_count(const struct screen *s, enum gravity gravity);

#endif
