#include "app/worker.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"
#include "base/clock.h"

enum {
	PAUSE_MS = 60 /* between two polls */
};

enum news_kind {
	NEWS_WHAT, /* the text names the current step */
	NEWS_NOTE,
	NEWS_DONE,
	NEWS_FAILED, /* the error says why */
	NEWS_KIND_COUNT
};

/* Small enough (PIPE_BUF) for an atomic write to the pipe. */
struct news {
	enum news_kind kind;
	struct err err;
};

struct watched {
	pid_t pid; /* also its process group, so its children die with it */
	int news;
	bool ended;
	int status; /* set once it was waited for */
	struct news last;
	struct err *note; /* borrowed */
	char what[64];
	int64_t start_ms;
};

/* ---- the worker's side ---- */

static void worker_send(int fd, const struct news *news)
{
	/* If the reader is gone, the signal or the next poll ends us. */
	if (write(fd, news, sizeof(*news)) < 0)
		return;
}

static void worker_say(struct worker *a, enum news_kind kind, const char *text)
{
	struct news news;

	memset(&news, 0, sizeof(news));
	news.kind = kind;
	err_set(&news.err, ERR_NONE, "%s", text);
	if (a->news >= 0)
		worker_send(a->news, &news);
	else if (kind == NEWS_NOTE)
		*a->note = news.err;
}

void worker_tell(struct worker *a, const char *what)
{
	worker_say(a, NEWS_WHAT, what);
}

void worker_note(struct worker *a, const char *note)
{
	worker_say(a, NEWS_NOTE, note);
}

/*
 * The parent's handlers restore a terminal that is not the child's: signals stay blocked across
 * the fork until they have their default actions.
 */
static void worker_take_signals(const sigset_t *mask)
{
	static const int plain[] = {SIGSEGV, SIGABRT, SIGBUS,  SIGFPE, SIGTERM,
				    SIGHUP,  SIGINT,  SIGPIPE, SIGCHLD};

	for (size_t i = 0; i < ARRAY_LEN(plain); i++)
		(void)signal(plain[i], SIG_DFL);
	(void)sigprocmask(SIG_SETMASK, mask, NULL);
}

static NORETURN void be_worker(worker_task *task, void *context, struct worker *a)
{
	struct news news;

	memset(&news, 0, sizeof(news));
	news.kind = task(context, a, &news.err) ? NEWS_DONE : NEWS_FAILED;
	if (news.kind == NEWS_DONE && (fflush(a->out) != 0 || ferror(a->out))) {
		err_system(&news.err, "cannot write the result");
		news.kind = NEWS_FAILED;
	}
	worker_send(a->news, &news);
	/* Not exit(): it would flush streams shared with the parent. */
	_exit(0);
}

/* ---- the parent's side ---- */

static void worker_hear(struct watched *w)
{
	struct news news;
	ssize_t got = read(w->news, &news, sizeof(news));

	if (got < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (got != (ssize_t)sizeof(news)) { /* it has exited */
		w->ended = true;
	} else if (news.kind == NEWS_WHAT) {
		(void)snprintf(w->what, sizeof(w->what), "%.40s (seconds)", news.err.text);
	} else if (news.kind == NEWS_NOTE) {
		*w->note = news.err;
	} else {
		w->last = news;
		w->ended = true;
	}
}

/* A worker that sent its result exits by itself; any other is killed with all its children. */
static void worker_stop(struct watched *w)
{
	if (w->last.kind == NEWS_WHAT)
		kill(-w->pid, SIGKILL);
	while (waitpid(w->pid, &w->status, 0) < 0 && errno == EINTR)
		;
}

/* End of file on the pipe does not tell: its children may keep it open. */
static bool has_exited(const struct watched *w)
{
	siginfo_t info = {0};

	return waitid(P_PID, (id_t)w->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid;
}

/* False when the watcher asks it to stop. */
static bool watch_until_end(struct watched *w, const struct worker_watch *watch)
{
	while (!w->ended) {
		struct pollfd from = {.fd = w->news, .events = POLLIN};
		bool exited = has_exited(w); /* then everything it sent is in the pipe */
		int found = poll(&from, 1, exited ? 0 : PAUSE_MS);

		if (found > 0)
			worker_hear(w);
		else if (found == 0 && exited)
			w->ended = true;
		if (watch && watch->step && !w->ended &&
		    !watch->step(watch->context, w->what,
				 (uint64_t)(clock_ms() - w->start_ms) / 1000, 0))
			return false;
	}
	return true;
}

static bool worker_judge(const struct watched *w, struct err *err)
{
	if (w->last.kind == NEWS_DONE)
		return true;
	if (w->last.kind == NEWS_FAILED)
		*err = w->last.err;
	else if (WIFSIGNALED(w->status))
		err_set(err, ERR_SYSTEM, "the export process died (signal %d)",
			WTERMSIG(w->status));
	else
		err_set(err, ERR_SYSTEM, "the export process ended early (exit status %d)",
			WEXITSTATUS(w->status));
	return false;
}

static bool worker_start(struct watched *w, worker_task *task, void *context, FILE *out,
			 struct err *err)
{
	sigset_t all, mask;
	int ends[2];

	if (pipe(ends) != 0)
		return err_system(err, "cannot create a pipe");
	w->start_ms = clock_ms();
	(void)sigfillset(&all);
	(void)sigprocmask(SIG_BLOCK, &all, &mask);
	w->pid = fork();
	if (w->pid == 0) {
		struct worker a = {.out = out, .news = ends[1]};

		worker_take_signals(&mask);
		(void)setpgid(0, 0);
		close(ends[0]);
		be_worker(task, context, &a);
	}
	(void)sigprocmask(SIG_SETMASK, &mask, NULL);
	close(ends[1]);
	w->news = ends[0];
	if (w->pid > 0) {
		(void)setpgid(w->pid, w->pid); /* parent or child, whichever is first */
		return true;
	}
	close(ends[0]);
	return err_system(err, "cannot start a process");
}

bool worker_run(worker_task *task, void *context, const struct worker_watch *watch, FILE **out,
		struct err *out_note, struct err *err)
{
	struct watched w = {.last = {.kind = NEWS_WHAT}, .note = out_note, .what = "working"};
	FILE *file = tmpfile();
	bool ok;

	if (!file)
		return err_system(err, "cannot create a temporary file");
	if (!worker_start(&w, task, context, file, err)) {
		(void)fclose(file);
		return false;
	}
	ok = watch_until_end(&w, watch) ||
	     err_set(err, ERR_STOPPED, "stopped; nothing was written");
	worker_stop(&w);
	close(w.news);
	ok = ok && worker_judge(&w, err);
	if (ok) {
		rewind(file);
		*out = file;
	} else {
		(void)fclose(file);
	}
	return ok;
}
