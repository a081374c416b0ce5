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
	FILE *out; /* borrowed: the result */
	int news;
};

typedef bool worker_task(void *context, struct worker *a, struct err *err);

struct worker_watch {
	/* Like save_progress: called many times a second, false stops the work; may be NULL. */
	bool (*step)(void *context, const char *what, uint64_t done, uint64_t total);
	void *context; /* borrowed */
};

struct worker_result {
	FILE *file;      /* positioned at its start; the caller closes it */
	struct err note; /* the worker's last one, if any */
	bool graphviz;   /* it failed while Graphviz was at work */
};

/* Reports the current step, a short text; Graphviz's timeout in seconds if it does it, else 0. */
void worker_tell(struct worker *a, const char *what, unsigned graphviz);
/* A sentence for the user, shown when the work is done. */
void worker_note(struct worker *a, const char *note);

/* Fails with ERR_STOPPED when it was stopped. */
bool worker_run(worker_task *task, void *context, const struct worker_watch *watch,
		struct worker_result *out, struct err *err) MUST_USE;

#endif
