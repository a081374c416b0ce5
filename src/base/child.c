#include "base/child.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/bug.h"
#include "base/clock.h"
#include "base/os.h"

static_assert(CHILD_MESSAGE_MAX <= PIPE_BUF, "or messages would be mixed");

enum {
	SIGNALS = 32 /* the real-time ones come after these; we handle none of them */
};

/* ---- starting ---- */

static void child_drop_handlers(void)
{
	const struct sigaction plain = {.sa_handler = SIG_DFL};
	struct sigaction now;

	for (int s = 1; s < SIGNALS; s++) {
		if (sigaction(s, NULL, &now) == 0 && (now.sa_handler != SIG_IGN || s == SIGPIPE) &&
		    now.sa_handler != SIG_DFL)
			(void)sigaction(s, &plain, NULL);
	}
}

static NORETURN void child_be(const struct child_plan *plan, const int *ends, const sigset_t *mask,
			      pid_t parent)
{
	/* It has the parent's locks, too. */
	os_end_with_parent(parent);
	child_drop_handlers();
	(void)sigprocmask(SIG_SETMASK, mask, NULL);
	if (plan->group)
		(void)setpgid(0, 0);
	if (plan->messages)
		close(ends[0]);
	/* Not exit(): it would flush streams shared with the parent. */
	_exit(plan->work(plan->context, ends[1]));
}

/* Signals stay blocked until the child has dropped the handlers. */
static pid_t child_fork(const struct child_plan *plan, const int *ends, struct err *err)
{
	sigset_t all, mask;
	pid_t parent = getpid(), pid;

	(void)sigfillset(&all);
	(void)sigprocmask(SIG_BLOCK, &all, &mask);
	pid = fork();
	if (pid == 0)
		child_be(plan, ends, &mask, parent);
	if (pid < 0)
		err_system(err, "cannot start a process");
	(void)sigprocmask(SIG_SETMASK, &mask, NULL);
	return pid;
}

/* If SIGCHLD was inherited as ignored, the kernel would reap our children. */
static void child_keep_ends(void)
{
	struct sigaction action;

	if (sigaction(SIGCHLD, NULL, &action) == 0 && action.sa_handler == SIG_IGN) {
		action = (struct sigaction){.sa_handler = SIG_DFL};
		(void)sigaction(SIGCHLD, &action, NULL);
	}
}

bool child_start(struct child *c, const struct child_plan *plan, struct err *err)
{
	int ends[2] = {-1, -1};
	pid_t pid;

	if (plan->messages && pipe(ends) != 0)
		return err_system(err, "cannot create a pipe");
	child_keep_ends();
	pid = child_fork(plan, ends, err);
	if (plan->messages)
		close(ends[1]);
	if (pid < 0) {
		if (plan->messages)
			close(ends[0]);
		return false;
	}
	if (plan->group)
		(void)setpgid(pid, pid); /* parent or child, whichever is first */
	*c = (struct child){.pid = pid,
			    .group = plan->group,
			    .messages = plan->messages,
			    .from = ends[0],
			    .deadline = plan->limit_ms ? clock_ms() + plan->limit_ms : 0};
	return true;
}

/* ---- its end ---- */

/* It stays a zombie: its process id cannot be reused yet. */
static bool child_is_dead(const struct child *c, int options)
{
	siginfo_t info = {0};
	int failed;

	do {
		failed = waitid(P_PID, (id_t)c->pid, &info, WEXITED | WNOWAIT | options);
	} while (failed && errno == EINTR);
	BUG_ON(failed); /* nobody else reaps it */
	return info.si_pid != 0;
}

static bool child_reap(struct child *c, int options)
{
	int status = 0;

	if (!child_is_dead(c, options))
		return false;
	if (c->group)
		kill(-c->pid, SIGKILL); /* what it left running */
	while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
		;
	c->pid = 0;
	c->end = WIFSIGNALED(status) ? (struct child_end){CHILD_KILLED, WTERMSIG(status)}
				     : (struct child_end){CHILD_EXITED, WEXITSTATUS(status)};
	if (c->messages)
		close(c->from);
	return true;
}

void child_wait(struct child *c)
{
	if (c->pid)
		(void)child_reap(c, 0);
}

void child_stop(struct child *c)
{
	if (!c->pid)
		return;
	kill(c->group ? -c->pid : c->pid, SIGKILL);
	(void)child_reap(c, 0);
}

bool child_ended(struct child *c)
{
	if (c->pid && !child_reap(c, WNOHANG) && c->deadline && clock_ms() >= c->deadline) {
		child_stop(c);
		c->end.how = CHILD_LATE;
	}
	return c->pid == 0;
}

int64_t child_time_left(const struct child *c, int64_t longest)
{
	return c->pid && c->deadline ? MIN(MAX(c->deadline - clock_ms(), 0), longest) : longest;
}

/* ---- messages ---- */

void child_send(int parent, const void *message, size_t size)
{
	BUG_ON(size > CHILD_MESSAGE_MAX);
	while (write(parent, message, size) < 0 && errno == EINTR)
		;
}

enum child_news child_hear(struct child *c, void *out, size_t size, int wait_ms)
{
	struct pollfd pipe = {.fd = c->from, .events = POLLIN};
	/* Once it is dead, all it sent is in the pipe.  An end of file does not tell: its own
	 * children may hold the pipe open. */
	bool dead = child_is_dead(c, WNOHANG);
	int found = poll(&pipe, 1, dead ? 0 : wait_ms);
	ssize_t got;

	if (found <= 0)
		return found == 0 && dead ? CHILD_OVER : CHILD_SILENT;
	got = read(c->from, out, size);
	if (got < 0 && errno == EINTR)
		return CHILD_SILENT;
	return got == (ssize_t)size ? CHILD_SENT : CHILD_OVER;
}
