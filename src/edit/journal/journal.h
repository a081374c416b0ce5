/*
 * Edits of a model, kept on disk until they are saved or discarded.
 *
 * One file per model below $XDG_STATE_HOME/axed (or ~/.local/state/axed), see text.h for its
 * contents.  Whoever opens the model takes it (lock.h): nobody else edits it, and nobody else
 * touches its journal.  The journal only grows while it is needed, so that a full disk or a kill
 * at any moment leaves every acknowledged step readable; it is emptied after a save, and removed
 * when the model is closed without unsaved edits.
 */
#ifndef EDIT_JOURNAL_JOURNAL_H
#define EDIT_JOURNAL_JOURNAL_H

#include <sys/stat.h>

#include "base/err.h"
#include "base/sv.h"
#include "edit/journal/text.h"
#include "wire/wire.h"

struct journal;

/*
 * Takes the model and reads what an earlier run left.  Fails with ERR_REFUSED when another axed has
 * it, else when nothing can be journaled; the model can be edited then.  Every function below
 * accepts NULL, for no journal.
 */
bool journal_open(struct journal **out, const struct wire *w, struct err *err) MUST_USE;
/*
 * The same for a path that will be written.  Fails with ERR_REFUSED also when an earlier run left
 * steps for the file that is there.
 */
bool journal_open_for(struct journal **out, const char *path, struct err *err) MUST_USE;
/* Gives the model back.  Removes the journal, or keeps it for the next open when needed. */
void journal_close(struct journal *j, bool unsaved);

/* Empty once it was recovered or discarded.  No step may be noted before. */
const struct journal_left *journal_left(const struct journal *j);
/* The steps that were left have been made again: goes on after them. */
void journal_resume(struct journal *j);
/* The document has another file now, on which these steps were made. */
void journal_restart(struct journal *j, const struct wire *w, struct sv steps);
/* Gives up what was left and what was noted since. */
void journal_discard(struct journal *j);

void journal_note(struct journal *j, enum journal_step step, struct sv line);
/* A file is about to get the name of the model: it will have this stamp. */
void journal_replacing(struct journal *j, const struct stat *file);
/* It has got the name: nothing is unsaved. */
void journal_saved(struct journal *j);
/* True once, when steps cannot be written any more and may be lost. */
bool journal_just_failed(struct journal *j);
/* Is every step on disk?  What could not be written is tried again. */
bool journal_is_whole(struct journal *j);

/* A model that is written without being open: taken for that long. */
struct journal_claim;
/* NULL when that is not possible, which is no error.  Fails with ERR_REFUSED. */
bool journal_claim(struct journal_claim **out, const char *path, struct err *err) MUST_USE;
/* The number of unsaved edits that an earlier run left for that model. */
size_t journal_claim_left(const struct journal_claim *c);
void journal_claim_release(struct journal_claim *c);

#endif
