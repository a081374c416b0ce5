/*
 * One model's run in a child process.  What it prints waits in files without a name until its
 * turn comes; memory does not grow with it.  The files stay, emptied, for the next run.
 */
#ifndef APP_CLI_JOB_H
#define APP_CLI_JOB_H

#include <signal.h>
#include <sys/types.h>

#include "app/cli_models.h"

struct job {
	pid_t pid;    /* 0 when nothing runs */
	size_t model; /* which word */
	int status;   /* as waitpid gives it */
	bool late;    /* stopped by the time limit */
	int64_t end;  /* ms of the monotonic clock; 0 for no limit */
	bool kept;    /* the two descriptors are open */
	int out;      /* owned */
	int err;      /* owned */
};

/* The child gets the signals of `mask`; false when there is no process or no file to be had. */
bool job_start(struct job *j, const struct many *many, size_t model, const sigset_t *mask,
	       struct err *err) MUST_USE;
/* Has it ended?  Then pid is 0. */
bool job_ended(struct job *j);
/* Ends it and waits until it has. */
void job_stop(struct job *j);
/*
 * Prints what an ended one printed, and how it died if it did.  Lines on standard error name
 * the model.  `after`: something was printed before; set when something is.
 */
enum exit_code job_tell(struct job *j, const struct many *many, bool *after);
void job_release(struct job *j);

#endif
