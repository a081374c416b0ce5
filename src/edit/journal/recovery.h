/*
 * Replays the steps that a journal kept of an earlier run.
 */
#ifndef EDIT_JOURNAL_RECOVERY_H
#define EDIT_JOURNAL_RECOVERY_H

#include "base/str.h"
#include "edit/document.h"

/*
 * Makes the steps that the document's journal left again, and goes on from there.  Failed steps are
 * listed in `report`, one per line; the others still run.  Returns how many did.
 */
size_t document_recover(struct document *d, struct str *report);

#endif
