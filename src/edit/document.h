/*
 * A model being edited: the file, what is inferred of it, and everything done to it.
 *
 * An action is one line of text (`set input:0=batch`): what a key runs, what the command
 * line runs, what history shows, what the journal holds and a recipe replays.  Actions
 * can be undone and redone without limit; undone to the start, a save gives the first
 * bytes.  An action that fails changes nothing.
 *
 * Here are the data and the history.  What edits (set.h, repair/repair.h) stands above and
 * hands its changes in; line.h runs a line, write.h saves.
 */
#ifndef EDIT_DOCUMENT_H
#define EDIT_DOCUMENT_H

#include "edit/change.h"
#include "infer/infer.h"
#include "wire/wire.h"

struct action {
	struct str line;
	struct change_log log;
};

struct journal;

/* A size tried out without editing. */
struct what_if {
	struct str name;
	int64_t size;
};

struct document {
	struct wire wire;
	struct infer infer;
	VEC(struct action)
	actions;
	size_t done;                       /* of the actions; the others were undone */
	size_t saved;                      /* how many were done at the last save */
	bool saved_lost;                   /* that state cannot be reached any more */
	struct changed_values changed;     /* values whose shape the last step changed */
	struct changed_values was_changed; /* the same before the preview */
	struct journal *journal;           /* owned; NULL for none */
	/* Asked now and then by work that may take long; false stops it; NULL for nobody. */
	bool (*working)(void *context, size_t done);
	void *working_context; /* borrowed */
	bool previewing;       /* the newest action is one for the eye only */
	VEC(struct action)
	kept; /* actions that were undone, while a preview stands in their place */
	struct journal *was_journal; /* borrowed, from the begin of a preview until it is shown */
	size_t was_done;
	size_t was_saved;
	bool was_lost;
	VEC(struct what_if)
	what_ifs;
	VEC(struct infer_binding)
	bindings; /* the same, as inference wants them */
};

/* The struct must stay where it is. */
bool document_open(struct document *d, const char *path, struct err *err) MUST_USE;
bool document_open_memory(struct document *d, const char *name, const void *bytes, size_t size,
			  struct err *err) MUST_USE;
void document_release(struct document *d);

/* False when there is nothing to undo or redo. */
bool document_undo(struct document *d);
bool document_redo(struct document *d);
bool document_is_changed(const struct document *d);

/* What if a symbol had this size?  Evaluated everywhere, until it is cleared. */
bool document_what_if(struct document *d, struct sv name, int64_t size, struct err *err) MUST_USE;
void document_clear_what_if(struct document *d);

/*
 * What is done between these two is for the eye only: no journal, no history, and what was
 * undone stays so.  When nothing was done, there is no preview.
 */
void document_begin_preview(struct document *d);
void document_show_preview(struct document *d);
/* Leaves no trace.  Whatever is done after a preview must begin with it. */
void document_end_preview(struct document *d);

/* ---- for the files of this room that make actions ---- */

/* Renews the inference after the model changed, and adds to what changed. */
void document_infer(struct document *d);
/* Inference with what-if sizes (as usual), or without: claims are written in symbols. */
void document_bind(struct document *d, bool bound);
/* Takes a finished log as the newest action; what was undone is forgotten. */
void document_commit(struct document *d, struct sv line, struct change_log *log);
/* Takes the newest action back and out of the history. */
void document_forget(struct document *d);
/* The model as it was before the log, and its inference. */
void document_cancel(struct document *d, struct change_log *log);

#endif
