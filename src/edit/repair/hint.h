/*
 * What would free an axis that was refused, in a sentence.
 */
#ifndef EDIT_REPAIR_HINT_H
#define EDIT_REPAIR_HINT_H

#include "base/str.h"
#include "base/sv.h"
#include "edit/repair/repair.h"

/* `model` is the file as a word of a shell.  Adds nothing when there is nothing to say. */
void repair_hint(const struct repair_report *report, const struct repair_goal *g, struct sv model,
		 struct str *out);
/* Do they have one hint?  Then it is said once. */
bool repair_same_hint(const struct repair_goal *a, const struct repair_goal *b);

#endif
