/*
 * One model's run in a child process.  Its output waits in unnamed files, not in memory, until
 * its turn comes.  The files are truncated and reused by the next run.
 */
#ifndef APP_CLI_JOB_H
#define APP_CLI_JOB_H

#include <signal.h>
#include <sys/types.h>

#include "app/app.h"
#include "app/cli_models.h"
#include "base/child.h"
#include "base/err.h"

struct job {
	struct child child;
	size_t model; /* index of its word */
	bool kept;    /* the two descriptors are open */
	int out;      /* owned */
	int err;      /* owned */
};

/* The child gets the signal mask `mask`; false when it cannot fork or open a file. */
bool job_start(struct job *j, const struct many *many, size_t model, int64_t limit_ms,
	       const sigset_t *mask, struct err *err) MUST_USE;
/*
 * Prints the output of a job that has ended, and how it died if it crashed.  Lines on standard
 * error name the model.  `after`: something was printed before; set when something is.
 */
enum exit_code job_tell(struct job *j, const struct many *many, bool *after);
void job_release(struct job *j);

#endif
