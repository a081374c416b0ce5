/*
 * Replays the steps that a journal kept of an earlier run.
 */
#ifndef EDIT_RECOVERY_H
#define EDIT_RECOVERY_H

#include "base/str.h"
#include "edit/document.h"

/*
 * Runs the pending steps of the document's journal.  Failed steps are listed in
 * `report`, one per line; the others still run.
 */
void document_recover(struct document *d, struct str *report);

#endif
