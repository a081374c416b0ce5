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
#include "base/err.h"

struct job {
	pid_t pid;    /* 0 when idle */
	size_t model; /* index of its word */
	int status;   /* from waitpid */
	bool late;    /* killed by the time limit */
	int64_t end;  /* ms of the monotonic clock; 0 for no limit */
	bool kept;    /* the two descriptors are open */
	int out;      /* owned */
	int err;      /* owned */
};

/* The child gets the signal mask `mask`; false when it cannot fork or open a file. */
bool job_start(struct job *j, const struct many *many, size_t model, const sigset_t *mask,
	       struct err *err) MUST_USE;
/* Whether it has ended; then pid is 0. */
bool job_ended(struct job *j);
/* Kills it and waits for it. */
void job_stop(struct job *j);
/*
 * Prints the output of a job that has ended, and how it died if it crashed.  Lines on standard
 * error name the model.  `after`: something was printed before; set when something is.
 */
enum exit_code job_tell(struct job *j, const struct many *many, bool *after);
void job_release(struct job *j);

#endif
