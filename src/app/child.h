/*
 * Long work in a process of its own: while it runs somebody may watch and stop it, and then
 * nothing of it is left, whatever it was doing.  What it makes is bytes.
 */
#ifndef APP_CHILD_H
#define APP_CHILD_H

#include <stdio.h>

#include "base/err.h"

/* The worker's end. */
struct apart {
	FILE *out;        /* borrowed: what it makes */
	int news;         /* -1 when the work is done in this process */
	struct err *note; /* borrowed: where a note goes then */
};

typedef bool apart_work(void *context, struct apart *a, struct err *err);

struct apart_watch {
	/* As save_progress: asked many times a second, false stops the work; NULL for nobody. */
	bool (*step)(void *context, const char *what, uint64_t done, uint64_t total);
	void *context; /* borrowed */
};

/* What the worker does now; a short text. */
void apart_tell(struct apart *a, const char *what);
/* A sentence for the user, told when the work is done. */
void apart_note(struct apart *a, const char *note);

/*
 * Gives what was made, to be read from its start; the caller closes it.  ERR_STOPPED when it
 * was stopped.  `out_note` has room for a sentence as long as an error's.
 */
bool apart_run(apart_work *work, void *context, const struct apart_watch *watch, FILE **out,
	       struct err *out_note, struct err *err) MUST_USE;

#endif
