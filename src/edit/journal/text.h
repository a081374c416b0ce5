/*
 * The text of a journal.
 *
 *   axed-journal 1
 *   model /home/me/model.onnx
 *   base 504 1700000000000000000 9f86d081884c7d65
 *   do set input:0=batch
 *   undo
 *   saved 510 1700000100000000000 0
 *   onto 777 1700000200000000000 d2a84f4b8b650937
 *
 * A stamp is a version of the model file: size, time, hash of its structure (0 for not known).
 * The steps lead on from the base.  `saved` is written just before the new file gets the model's
 * name: whoever finds a file of that stamp needs only the steps below.  `onto` says that the steps
 * above it, which were made for another version, were made again on this one.
 *
 * A step is on disk before it is acknowledged, so the last line may be torn, but no other.
 */
#ifndef EDIT_JOURNAL_TEXT_H
#define EDIT_JOURNAL_TEXT_H

#include "base/str.h"
#include "base/sv.h"

struct stamp {
	uint64_t size;
	int64_t time;
	uint64_t hash;
};

enum journal_step {
	JOURNAL_DO,
	JOURNAL_UNDO,
	JOURNAL_REDO,
	JOURNAL_STEP_COUNT
};

/* What an earlier run left. */
enum journal_kind {
	JOURNAL_NOTHING,
	JOURNAL_UNSAVED,   /* steps on the file as it is now */
	JOURNAL_ELSEWHERE, /* steps on another version of it */
	JOURNAL_DAMAGED,   /* lines that are none of the above; what can be read is there */
};

struct journal_left {
	enum journal_kind kind;
	struct str steps; /* `do LINE`, `undo` or `redo`, one per line */
	size_t count;     /* of the edits that stand after them, or are undone by them */
	size_t unread;    /* lines of a damaged journal */
	size_t whole;     /* bytes up to the end of the last line that can be read */
};

void journal_write_head(struct str *out, struct sv model, const struct stamp *base);
void journal_write_stamp(struct str *out, const char *what, const struct stamp *stamp);
/* `line` is the action; empty except for JOURNAL_DO. */
void journal_write_step(struct str *out, enum journal_step step, struct sv line);

void journal_read(struct journal_left *out, struct sv text, const struct stamp *now);
void journal_left_release(struct journal_left *l);
/* Iterates over the lines in *rest; false after the last whole one. */
bool journal_next_line(struct sv *rest, struct sv *out);
/* *out_done is the line of JOURNAL_DO.  False when the line is no step. */
bool journal_read_step(struct sv line, enum journal_step *out, struct sv *out_done);

#endif
