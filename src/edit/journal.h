/*
 * Edits of a model, kept on disk until they are saved or discarded.  The journal stores
 * steps as lines of text; recovery.h interprets and replays them.
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
 * The base identifies the opened file: size, time, hash of its structure.  A `saved` line
 * does so for the model file after a save.  So the next open knows whether its file is the
 * one before the first step or the one after the last save, and nothing is applied twice.
 * A step is on disk before it is acknowledged.  The first step creates the file, which
 * stays locked while the document is open.
 */
#ifndef EDIT_JOURNAL_H
#define EDIT_JOURNAL_H

#include "base/err.h"
#include "base/sv.h"
#include "wire/wire.h"

struct journal;

/*
 * Starts a journal of the model.  Fails when it has no place on disk, or another axed
 * has the model open; the model can still be edited.  Every function below accepts
 * NULL, for no journal.
 */
bool journal_open(struct journal **out, const struct wire *w, struct err *err) MUST_USE;
/* Removes the file, or keeps it for the next open when edits are unsaved. */
void journal_close(struct journal *j, bool unsaved);

/* The number of steps that an earlier run left for this file. */
size_t journal_pending(const struct journal *j);
/* The steps as text: `do LINE`, `undo` or `redo`, one per line. */
struct sv journal_pending_steps(const struct journal *j);

enum journal_step {
	JOURNAL_DO,
	JOURNAL_UNDO,
	JOURNAL_REDO,
	JOURNAL_STEP_COUNT
};

/* *out_done is the line of JOURNAL_DO.  False when the line is no step. */
bool journal_read_step(struct sv line, enum journal_step *out, struct sv *out_done);
/* Iterates over the pending steps in *rest; false after the last. */
bool journal_next_step(struct sv *rest, struct sv *out);
/*
 * Between the two, steps are not recorded.  The end starts a new journal with the
 * recovered steps.  Without it, the first new step sets the old journal aside (renames it
 * to .old).
 */
void journal_begin_recovery(struct journal *j);
void journal_end_recovery(struct journal *j, struct sv steps);
/* Discards the steps, after the user confirmed it. */
void journal_discard(struct journal *j);

/* `line` is the action; empty except for JOURNAL_DO. */
void journal_note(struct journal *j, enum journal_step step, struct sv line);
void journal_saved(struct journal *j, const char *target);
/* True once, when steps cannot be written any more and may be lost. */
bool journal_just_failed(struct journal *j);

#endif
