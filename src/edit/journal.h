/*
 * What was done to a model, kept on disk until it is saved or given up.  The journal knows
 * the steps as lines of text; what they mean, and how to do them again, is recovery.h.
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
#include "wire/wire.h"

struct journal;

/*
 * A journal of the model from now on.  Fails when there is no place for one, or another
 * axed has the model open; it can be edited all the same.  Every function below accepts
 * NULL, for no journal.
 */
bool journal_open(struct journal **out, const struct wire *w, struct err *err) MUST_USE;
/* The file is removed, or kept for the next open when there is something unsaved. */
void journal_close(struct journal *j, bool unsaved);

/* Steps that an earlier run left behind for this file; 0 for none. */
size_t journal_pending(const struct journal *j);
/* They as text: `do LINE`, `undo` or `redo`, one a line. */
struct sv journal_pending_steps(const struct journal *j);

enum journal_step {
	JOURNAL_DO,
	JOURNAL_UNDO,
	JOURNAL_REDO,
	JOURNAL_STEP_COUNT
};

/* *out_done is what JOURNAL_DO did.  False when the line is no step. */
bool journal_read_step(struct sv line, enum journal_step *out, struct sv *out_done);
/* Goes through the pending steps, from *rest; false after the last. */
bool journal_next_step(struct sv *rest, struct sv *out);
/*
 * Between the two, steps are not noted.  The end makes a new journal that starts with the
 * steps that were brought back.  Without it, the old journal is set aside (its name gets
 * .old) by the first new step.
 */
void journal_begin_recovery(struct journal *j);
void journal_end_recovery(struct journal *j, struct sv steps);
/* The steps are given up: on purpose, by somebody who was asked. */
void journal_discard(struct journal *j);

/* `line` is what was done; empty but for JOURNAL_DO. */
void journal_note(struct journal *j, enum journal_step step, struct sv line);
void journal_saved(struct journal *j, const char *target);
/* Told once: from now on steps may be lost, for they cannot be written down. */
bool journal_just_failed(struct journal *j);

#endif
