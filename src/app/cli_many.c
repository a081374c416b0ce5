#include "app/cli_many.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "app/cli_job.h"
#include "base/bug.h"
#include "base/child.h"
#include "base/err.h"
#include "base/os.h"
#include "base/sv.h"
#include "cmd/args.h"

enum {
	MAX_JOBS = 64,
	AHEAD = 64,              /* finished jobs that may wait for a slow one before them */
	LONGEST = 1000 * 1000,   /* seconds, for --timeout */
	FOREVER_MS = 3600 * 1000 /* of one wait; then it waits again */
};

/* These signals stop all jobs.  SIGPIPE is one: nobody reads the output any more. */
static const int many_stops[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};

/*
 * Models are started and printed in order; model i is in ring[i % slots]:
 *
 *	told <= i < started: running, or finished and waiting for those before it
 */
struct runner {
	const struct many *many; /* borrowed */
	struct job *ring;        /* owned */
	size_t slots;
	size_t jobs;   /* in parallel */
	int64_t limit; /* ms for each; 0 for none */
	size_t started;
	size_t running;
	size_t told;
	bool after; /* something was printed */
	int signal; /* that stops all jobs; 0 for none */
	sigset_t watched;
	sigset_t before;
	enum exit_code worst;
};

/* ---- options ---- */

static bool read_jobs(const struct args *a, size_t *out, struct err *err)
{
	int64_t n;

	*out = 1;
	if (!args_has(a, OPTION_JOBS))
		return true;
	if (!sv_int(sv_of(a->values[OPTION_JOBS]), &n) || n < 1)
		return err_set(err, ERR_USAGE, "--jobs takes a positive number, not '%s'",
			       a->values[OPTION_JOBS]);
	*out = (size_t)MIN(n, MAX_JOBS);
	return true;
}

static bool read_limit(const struct args *a, int64_t *out, struct err *err)
{
	const char *text = a->values[OPTION_TIMEOUT];
	char *end;
	double seconds;

	*out = 0;
	if (!args_has(a, OPTION_TIMEOUT))
		return true;
	seconds = strtod(text, &end);
	if (end == text || *end || !(seconds >= 0.001 && seconds <= (double)LONGEST))
		return err_set(err, ERR_USAGE, "--timeout takes seconds, 0.001 to %d, not '%s'",
			       LONGEST, text);
	*out = (int64_t)(seconds * 1000);
	return true;
}

static bool read_once(const struct many *many, struct err *err)
{
	size_t piped = 0;

	if (args_has(many->app->args, OPTION_DEMO))
		return true;
	for (size_t i = 0; i < many->models; i++)
		piped += strcmp(many->app->args->words.at[i], "-") == 0;
	return piped < 2 || err_set(err, ERR_USAGE, "only one model can be standard input");
}

/* ---- signals: blocked, and received where the runner waits ---- */

static void many_watch(struct runner *r)
{
	struct sigaction action;

	sigemptyset(&r->watched);
	sigaddset(&r->watched, SIGCHLD);
	for (size_t i = 0; i < ARRAY_LEN(many_stops); i++) {
		/* Signals ignored by nohup stay ignored. */
		if (sigaction(many_stops[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
			sigaddset(&r->watched, many_stops[i]);
	}
	sigprocmask(SIG_BLOCK, &r->watched, &r->before);
}

/* Lets the signal that stopped us take its default action. */
static void many_unwatch(struct runner *r)
{
	if (r->signal)
		raise(r->signal);
	sigprocmask(SIG_SETMASK, &r->before, NULL);
}

static struct job *job_of(struct runner *r, size_t model)
{
	return &r->ring[model % r->slots];
}

/* Waits until a child ends, a time limit is reached, or a signal stops us. */
static void wait_for_news(struct runner *r)
{
	int64_t wait = FOREVER_MS;
	int signal;

	for (size_t i = r->told; i < r->started; i++)
		wait = child_time_left(&job_of(r, i)->child, wait);
	signal = os_await_signal(&r->watched, wait);
	if (signal > 0 && signal != SIGCHLD)
		r->signal = signal;
}

/* ---- running ---- */

/* While others run, a failed start can be tried again later. */
static bool start_more(struct runner *r, struct err *err)
{
	while (r->running < r->jobs && r->started < r->many->models &&
	       r->started - r->told < r->slots) {
		struct job *j = job_of(r, r->started);

		if (!job_start(j, r->many, r->started, r->limit, &r->before, err))
			return r->running > 0;
		r->started++;
		r->running++;
	}
	return true;
}

static void look_after(struct runner *r)
{
	for (size_t i = r->told; i < r->started; i++) {
		struct child *c = &job_of(r, i)->child;

		r->running -= c->pid && child_ended(c);
	}
}

static void tell_ended(struct runner *r)
{
	while (r->told < r->started && !job_of(r, r->told)->child.pid) {
		enum exit_code code = job_tell(job_of(r, r->told), r->many, &r->after);

		r->worst = MAX(r->worst, code);
		r->told++;
	}
}

static bool run_all(struct runner *r, struct err *err)
{
	while (r->told < r->many->models && !r->signal) {
		if (!start_more(r, err))
			return false;
		wait_for_news(r);
		if (r->signal)
			break;
		look_after(r);
		tell_ended(r);
	}
	return true;
}

static enum exit_code run_apart(struct runner *r)
{
	struct err err;

	r->slots = r->jobs == 1 ? 1 : MIN(r->many->models, r->jobs + AHEAD);
	r->ring = must_alloc(r->slots * sizeof(*r->ring));
	memset(r->ring, 0, r->slots * sizeof(*r->ring));
	fflush(stdout); /* or each child would print it again */
	many_watch(r);
	if (!run_all(r, &err))
		r->worst = complain(&err);
	for (size_t i = 0; i < r->slots; i++) {
		child_stop(&r->ring[i].child);
		job_release(&r->ring[i]);
	}
	free(r->ring);
	many_unwatch(r);
	return r->signal ? EXIT_BAD : r->worst;
}

enum exit_code many_run(const struct many *many)
{
	const struct args *a = many->app->args;
	struct runner r = {.many = many};
	struct err err;

	if (many->models == 0) {
		err_set(&err, ERR_USAGE, "%s needs a MODEL, or --demo", a->command->name);
		return complain(&err);
	}
	if (!read_jobs(a, &r.jobs, &err) || !read_limit(a, &r.limit, &err) ||
	    !read_once(many, &err))
		return complain(&err);
	return many->models == 1 && !r.limit ? many->one(many->app) : run_apart(&r);
}
