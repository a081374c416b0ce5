/*
 * Long work in a child process that can be watched and stopped at any point without leaving
 * anything behind.  Its result is a stream of bytes.
 */
#ifndef APP_CHILD_H
#define APP_CHILD_H

#include <stdio.h>

#include "base/err.h"

/* The worker's side. */
struct apart {
	FILE *out;        /* borrowed: the result */
	int news;         /* -1 when the work runs in this process */
	struct err *note; /* borrowed: receives the note in that case */
};

typedef bool apart_work(void *context, struct apart *a, struct err *err);

struct apart_watch {
	/* Like save_progress: called many times a second, false stops the work; may be NULL. */
	bool (*step)(void *context, const char *what, uint64_t done, uint64_t total);
	void *context; /* borrowed */
};

/* Reports the current step; a short text. */
void apart_tell(struct apart *a, const char *what);
/* A sentence for the user, shown when the work is done. */
void apart_note(struct apart *a, const char *note);

/*
 * Returns the result, positioned at its start; the caller closes it.  ERR_STOPPED when it was
 * stopped.  `out_note` receives the worker's note, if any.
 */
bool apart_run(apart_work *work, void *context, const struct apart_watch *watch, FILE **out,
	       struct err *out_note, struct err *err) MUST_USE;

#endif
