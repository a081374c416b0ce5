/*
 * Long work in a child process that can be watched and stopped at any point without leaving
 * anything behind.  Its result is a stream of bytes.
 */
#ifndef APP_WORKER_H
#define APP_WORKER_H

#include <stdio.h>

#include "base/err.h"

/* The worker's side. */
struct worker {
	FILE *out;        /* borrowed: the result */
	int news;         /* -1 when the work runs in this process */
	struct err *note; /* borrowed: receives the note in that case */
};

typedef bool worker_task(void *context, struct worker *a, struct err *err);

struct worker_watch {
	/* Like save_progress: called many times a second, false stops the work; may be NULL. */
	bool (*step)(void *context, const char *what, uint64_t done, uint64_t total);
	void *context; /* borrowed */
};

/* Reports the current step; a short text. */
void worker_tell(struct worker *a, const char *what);
/* A sentence for the user, shown when the work is done. */
void worker_note(struct worker *a, const char *note);

/*
 * Returns the result, positioned at its start; the caller closes it.  ERR_STOPPED when it was
 * stopped.  `out_note` receives the worker's note, if any.
 */
bool worker_run(worker_task *task, void *context, const struct worker_watch *watch, FILE **out,
		struct err *out_note, struct err *err) MUST_USE;

#endif
