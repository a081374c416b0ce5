/*
 * The steps that a journal kept of an earlier run, done again.
 */
#ifndef EDIT_RECOVERY_H
#define EDIT_RECOVERY_H

#include "base/str.h"
#include "edit/document.h"

/*
 * Does the pending steps of the document's journal.  A step that fails is told in
 * `report`, one a line, and the rest goes on.
 */
void document_recover(struct document *d, struct str *report);

#endif
