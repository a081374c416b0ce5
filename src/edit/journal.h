/*
 * What was done to an open document, kept on disk until it is saved or given up.
 *
 * One file per model below $XDG_STATE_HOME/axed (or ~/.local/state/axed):
 *
 *   axed-journal 1
 *   model /home/me/model.onnx
 *   base 504 1700000000000000000 9f86d081884c7d65
 *   do set input:0=batch
 *   undo
 *   saved 510 1700000100000000000 d2a84f4b8b650937
 *
 * The base says what was opened: size, time, hash of the file's structure.  A `saved` line
 * says what the model's own file has become.  So the next open knows whether the file it
 * has is the one before the first step, or the one after the last save, and nothing is
 * applied twice.  A step is on disk before it is acknowledged.  The file is made by the
 * first step and locked while the document is open.
 */
#ifndef EDIT_JOURNAL_H
#define EDIT_JOURNAL_H

#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"

struct document;
struct journal;

/*
 * Keeps a journal of the document from now on.  Fails when there is no place for one, or
 * another axed has the model open; the document can be edited all the same.
 */
bool journal_start(struct document *d, struct err *err) MUST_USE;
/* Steps that an earlier run left behind for this file; 0 for none. */
size_t journal_pending(const struct document *d);
/*
 * Does them.  A step that fails is told in `report`, one a line, and the rest goes on.
 * Without it, the old journal is set aside (its name gets .old) by the first new step.
 */
void journal_recover(struct document *d, struct str *report);
/* The steps are given up: on purpose, by somebody who was asked. */
void journal_discard(struct document *d);

/* Told once: from now on steps may be lost, for they cannot be written down. */
bool journal_just_failed(struct document *d);

/* ---- for document.c; each accepts NULL ---- */

enum journal_step {
	JOURNAL_DO,
	JOURNAL_UNDO,
	JOURNAL_REDO,
	JOURNAL_STEP_COUNT
};

/* `line` is what was done; empty but for JOURNAL_DO. */
void journal_note(struct journal *j, enum journal_step step, struct sv line);
void journal_saved(struct document *d, const char *target);
/* Removed when nothing is unsaved, else kept for the next open. */
void journal_end(struct document *d);

#endif
