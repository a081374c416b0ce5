/*
 * A model being edited: the file, its inference, and the history of edits.
 *
 * An action is one line of text (`set input:0=batch`): keys and the command line run it,
 * history shows it, the journal stores it and a recipe replays it.  Undo and redo are
 * unlimited; after undoing everything, a save writes the original bytes.  An action that
 * fails changes nothing.
 *
 * This holds the data and the history.  The edits (set.h, repair/repair.h) build on it and
 * pass their changes in; line.h runs a line, write.h saves.
 */
#ifndef EDIT_DOCUMENT_H
#define EDIT_DOCUMENT_H

#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "edit/change.h"
#include "infer/infer.h"
#include "infer/past.h"
#include "wire/wire.h"

struct action {
	struct str line;
	struct str said;    /* how it was proved, for people; empty for nothing */
	struct str warning; /* what it does that nobody may have asked for; empty for nothing */
	struct change_log log;
};

struct journal;

/* A size tried without editing. */
struct what_if {
	struct str name;
	int64_t size;
};

struct document {
	struct wire wire;
	struct infer infer;
	VEC(struct action) actions;
	size_t done;                       /* the other actions were undone */
	size_t saved;                      /* `done` at the last save */
	bool saved_lost;                   /* the saved state cannot be reached any more */
	struct changed_values changed;     /* values whose shape the last step changed */
	struct changed_values was_changed; /* the same before the preview */
	bool watching;                     /* keeps the next two, for a screen */
	struct past in_file;               /* the shapes when opened or last saved */
	struct past before;                /* the shapes before the preview */
	struct journal *journal;           /* owned; NULL for none */
	/* Called now and then during long work; false stops it; may be NULL. */
	bool (*working)(void *context, size_t done);
	void *working_context;       /* borrowed */
	bool trying;                 /* a preview was begun and is not shown yet */
	bool previewing;             /* the newest action is a preview */
	VEC(struct action) kept;     /* undone actions, while a preview replaces them */
	struct journal *was_journal; /* borrowed, from the start of a preview until it is shown */
	size_t was_done;
	size_t was_saved;
	bool was_lost;
	VEC(struct what_if) what_ifs;
	size_t tried_at; /* actions that were done when the last size was tried */
	VEC(struct infer_binding) bindings; /* the same, as options of the inference */
};

/* The struct must not move. */
bool document_open(struct document *d, const char *path, struct err *err) MUST_USE;
bool document_open_memory(struct document *d, const char *name, const void *bytes, size_t size,
			  struct err *err) MUST_USE;
void document_release(struct document *d);
/* Forgets the history, previews and tried sizes; the document must get another file then. */
void document_clear(struct document *d);
/* Takes over an open file, which replaces the document's. */
void document_take_wire(struct document *d, struct wire *w);

/* From now on, keeps what shapes were; call it before the first edit. */
void document_watch(struct document *d);
/* What follows is compared with the shapes as they are. */
void document_note_before(struct document *d);
/* Nothing changed, whatever was tried meanwhile. */
void document_forget_changes(struct document *d);
/* The shapes are now those of the file. */
void document_note_saved(struct document *d);

/* False when there is nothing to undo or redo. */
bool document_undo(struct document *d);
bool document_redo(struct document *d);
bool document_is_changed(const struct document *d);

/* Evaluates everything as if a symbol had this size, until cleared. */
bool document_what_if(struct document *d, struct sv name, int64_t size, struct err *err) MUST_USE;
/* Whether it has, and which. */
bool document_is_tried(const struct document *d, struct sv name, int64_t *out);
void document_forget_what_if(struct document *d, struct sv name);
void document_clear_what_if(struct document *d);

/*
 * Actions between these two are a preview: no journal, no history, and undone actions are
 * kept.  Without an action there is no preview.
 */
void document_begin_preview(struct document *d);
void document_show_preview(struct document *d);
/* Leaves no trace.  Must be called before anything else is done. */
void document_end_preview(struct document *d);

/* ---- for the files of this room that make actions ---- */

/* Reruns the inference after a change, and adds to `changed`. */
void document_infer(struct document *d);
/* Inference with what-if sizes (the default), or without, to write claims in symbols. */
void document_bind(struct document *d, bool bound);
/* Adds a finished log as the newest action; discards undone ones. */
void document_commit(struct document *d, struct sv line, struct change_log *log);
/* Undoes the newest action and removes it from the history. */
void document_forget(struct document *d);
/* Reverts the log and reruns the inference. */
void document_cancel(struct document *d, struct change_log *log);

#endif
