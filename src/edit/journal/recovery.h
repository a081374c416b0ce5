/*
 * Replays the steps that a journal kept of an earlier run.
 */
#ifndef EDIT_JOURNAL_RECOVERY_H
#define EDIT_JOURNAL_RECOVERY_H

#include "base/err.h"
#include "base/str.h"
#include "edit/document.h"

/*
 * Makes the steps that the document's journal left again, and goes on from there.  Failed steps are
 * listed in `report`, one per line; the others still run.  Returns how many edits stand then.
 */
size_t document_recover(struct document *d, struct str *report);

struct reload {
	size_t done;         /* edits that were made again */
	size_t failed;       /* and those that the new file does not take */
	struct str failures; /* one line each; owned by the caller */
};

/* Opens the file again that has the document's name now, and makes the edits again. */
bool document_reload(struct document *d, struct reload *out, struct err *err) MUST_USE;

#endif
