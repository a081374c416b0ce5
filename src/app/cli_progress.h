/*
 * A progress line on standard error, for work that takes long enough to notice, and
 * Ctrl-C as a clean stop.
 */
#ifndef APP_CLI_PROGRESS_H
#define APP_CLI_PROGRESS_H

#include <signal.h>

#include "base/base.h"

struct progress {
	bool shown; /* may be drawn: a terminal, and not --quiet */
	bool drawn;
	int64_t start_ms;
	int64_t last_ms;
	struct sigaction before[3]; /* of the signals that stop it */
};

/* From here to the end, Ctrl-C makes progress_step return false. */
void progress_begin(struct progress *p, bool quiet);
/* A save_progress function; the context is the struct. */
bool progress_step(void *context, const char *what, uint64_t done, uint64_t total);
void progress_end(struct progress *p);
/* If a signal stopped it, raises that signal again. */
void progress_raise(void);

#endif
