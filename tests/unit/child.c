/*
 * Child processes: how they end is told, signals and messages arrive, and nobody is left over.
 */
#include "tests/tap.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"
#include "base/child.h"
#include "base/clock.h"

enum {
	LONG_MS = 60 * 1000, /* only a hang takes that long */
	MESSAGES = 2000
};

static void pause_ms(long ms)
{
	const struct timespec pause = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};

	(void)nanosleep(&pause, NULL);
}

static bool start(struct child *c, struct child_plan plan)
{
	struct err err;

	*c = (struct child){0};
	return CHECK(child_start(c, &plan, &err)) && CHECK(c->pid > 0);
}

static bool end_is(const struct child *c, enum child_how how, int number)
{
	return c->pid == 0 && c->end.how == how && (how == CHILD_LATE || c->end.number == number);
}

static bool nobody_is_left(void)
{
	return waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD;
}

/* ---- what the children do ---- */

static int exit_with(void *context, int parent)
{
	return parent == -1 ? *(int *)context : 99;
}

static int die_by(void *context, int parent)
{
	(void)parent;
	raise(*(int *)context);
	return 0;
}

static int sleep_on(void *context, int parent)
{
	(void)parent;
	pause_ms(context ? *(int *)context : LONG_MS);
	return 1;
}

struct message {
	int number;
	char rest[CHILD_MESSAGE_MAX - sizeof(int)];
};

static int count_up(void *context, int parent)
{
	struct message m;

	(void)context;
	for (int i = 0; i < MESSAGES; i++) {
		memset(&m, i & 0x7f, sizeof(m));
		m.number = i;
		child_send(parent, &m, sizeof(m));
	}
	return 7;
}

/* Its own child keeps the pipes open. */
static int leave_a_child(void *context, int parent)
{
	struct message m = {.number = fork()};

	if (m.number == 0)
		return sleep_on(context, parent);
	child_send(parent, &m, sizeof(m));
	return 3;
}

/* Which signals have their default action and which are blocked, as two sets of bits. */
static int tell_signals(void *context, int parent)
{
	static const int asked[] = {SIGTERM, SIGSEGV, SIGPIPE, SIGHUP, SIGCHLD, SIGWINCH};
	struct message m = {0};
	sigset_t blocked;

	(void)context;
	sigprocmask(SIG_SETMASK, NULL, &blocked);
	for (size_t i = 0; i < ARRAY_LEN(asked); i++) {
		struct sigaction action;

		sigaction(asked[i], NULL, &action);
		m.rest[i] = (char)(action.sa_handler == SIG_DFL);
		m.number |= sigismember(&blocked, asked[i]) << i;
	}
	child_send(parent, &m, sizeof(m));
	return 0;
}

static int tell_group(void *context, int parent)
{
	struct message m = {.number = getpgrp() == getpid()};

	(void)context;
	child_send(parent, &m, sizeof(m));
	return 0;
}

/* ---- the tests ---- */

TEST(exit_status_is_told)
{
	for (int status = 0; status < 256; status += 51) {
		struct child c;

		if (!start(&c, (struct child_plan){.work = exit_with, .context = &status}))
			return;
		child_wait(&c);
		CHECK_THAT(end_is(&c, CHILD_EXITED, status), "%d: %d", status, c.end.number);
	}
	CHECK(nobody_is_left());
}

TEST(signal_is_told)
{
	int signals[] = {SIGSEGV, SIGABRT, SIGKILL, SIGTERM, SIGALRM};

	for (size_t i = 0; i < ARRAY_LEN(signals); i++) {
		struct child c;

		if (!start(&c, (struct child_plan){.work = die_by, .context = &signals[i]}))
			return;
		child_wait(&c);
		CHECK_THAT(end_is(&c, CHILD_KILLED, signals[i]), "%d: %d", signals[i],
			   c.end.number);
	}
	CHECK(nobody_is_left());
}

TEST(it_ends_only_once)
{
	struct child c = {0};
	int status = 5;

	CHECK(child_ended(&c));
	child_wait(&c);
	child_stop(&c); /* none of them waits for, or kills, anybody */
	if (!start(&c, (struct child_plan){.work = exit_with, .context = &status}))
		return;
	while (!child_ended(&c))
		pause_ms(1);
	child_wait(&c);
	child_stop(&c);
	CHECK(child_ended(&c) && end_is(&c, CHILD_EXITED, 5));
}

TEST(stopping)
{
	for (int group = 0; group < 2; group++) {
		struct child c;

		if (!start(&c, (struct child_plan){.work = sleep_on, .group = group}))
			return;
		CHECK(!child_ended(&c));
		child_stop(&c);
		CHECK(end_is(&c, CHILD_KILLED, SIGKILL));
	}
	CHECK(nobody_is_left());
}

TEST(time_limit)
{
	int64_t begin = clock_ms();
	struct child c, other;
	int status = 0;

	if (!start(&c, (struct child_plan){.work = sleep_on, .limit_ms = 50}) ||
	    !start(&other,
		   (struct child_plan){.work = exit_with, .context = &status, .limit_ms = LONG_MS}))
		return;
	CHECK(child_time_left(&c, LONG_MS) <= 50 && child_time_left(&c, 1) <= 1);
	CHECK(child_time_left(&other, 2 * LONG_MS) > 50);
	while (!child_ended(&c))
		pause_ms(1);
	CHECK(end_is(&c, CHILD_LATE, 0) && clock_ms() - begin >= 50);
	CHECK(child_time_left(&c, 1234) == 1234);
	child_wait(&other);
	CHECK(end_is(&other, CHILD_EXITED, 0));
	CHECK(nobody_is_left());
}

/* More than a pipe holds, and the last ones are read after its death. */
TEST(messages_arrive_whole)
{
	struct message m;
	enum child_news heard;
	struct child c;
	int next = 0;

	if (!start(&c, (struct child_plan){.work = count_up, .messages = true}))
		return;
	while ((heard = child_hear(&c, &m, sizeof(m), 1)) != CHILD_OVER) {
		char same[sizeof(m.rest)];

		if (heard == CHILD_SILENT)
			continue;
		memset(same, next & 0x7f, sizeof(same));
		if (!CHECK_THAT(m.number == next && memcmp(m.rest, same, sizeof(same)) == 0,
				"message %d", next))
			break;
		if (next == MESSAGES - 20)
			pause_ms(50);
		next++;
	}
	CHECK_THAT(next == MESSAGES, "%d messages", next);
	child_wait(&c);
	CHECK(end_is(&c, CHILD_EXITED, 7));
}

TEST(what_it_left_dies_with_it)
{
	struct message m = {0};
	int64_t begin = clock_ms();
	struct child c;
	int ends[2];
	char byte;

	if (!CHECK(pipe(ends) == 0) ||
	    !start(&c, (struct child_plan){.work = leave_a_child, .messages = true, .group = true}))
		return;
	close(ends[1]);
	while (child_hear(&c, &m, sizeof(m), 10) != CHILD_OVER)
		;
	child_wait(&c);
	CHECK(end_is(&c, CHILD_EXITED, 3) && m.number > 0);
	CHECK(read(ends[0], &byte, 1) == 0); /* all writers are dead */
	CHECK_THAT(clock_ms() - begin < LONG_MS, "it slept to its end");
	close(ends[0]);
}

static void on_signal(int number)
{
	(void)number;
}

static bool hear_one(struct child *c, struct message *out)
{
	enum child_news heard;

	while ((heard = child_hear(c, out, sizeof(*out), 10)) == CHILD_SILENT)
		;
	child_wait(c);
	return heard == CHILD_SENT;
}

TEST(handlers_stay_with_the_parent)
{
	static const int handled[] = {SIGTERM, SIGSEGV, SIGCHLD, SIGWINCH};
	struct sigaction catch = {.sa_handler = on_signal}, plain = {.sa_handler = SIG_DFL}, now;
	struct sigaction ignore = {.sa_handler = SIG_IGN};
	struct message m = {0};
	sigset_t before, after;
	struct child c;

	for (size_t i = 0; i < ARRAY_LEN(handled); i++)
		sigaction(handled[i], &catch, NULL);
	sigaction(SIGPIPE, &ignore, NULL);
	sigaction(SIGHUP, &ignore, NULL);
	sigprocmask(SIG_SETMASK, NULL, &before);
	if (!start(&c, (struct child_plan){.work = tell_signals, .messages = true}))
		return;
	CHECK(hear_one(&c, &m));
	/* TERM SEGV PIPE HUP CHLD WINCH: only what nohup ignores is still ignored. */
	CHECK(memcmp(m.rest, "\1\1\1\0\1\1", 6) == 0 && m.number == 0);
	sigprocmask(SIG_SETMASK, NULL, &after);
	CHECK(sigismember(&after, SIGTERM) == sigismember(&before, SIGTERM));
	sigaction(SIGTERM, NULL, &now);
	CHECK(now.sa_handler == on_signal);
	for (size_t i = 0; i < ARRAY_LEN(handled); i++)
		sigaction(handled[i], &plain, NULL);
	sigaction(SIGPIPE, &plain, NULL);
	sigaction(SIGHUP, &plain, NULL);
}

TEST(its_end_is_known_where_children_are_ignored)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN};
	struct child c;
	int status = 42;

	sigaction(SIGCHLD, &ignore, NULL);
	if (!start(&c, (struct child_plan){.work = exit_with, .context = &status}))
		return;
	child_wait(&c);
	CHECK(end_is(&c, CHILD_EXITED, 42));
}

TEST(process_group)
{
	for (int group = 0; group < 2; group++) {
		struct message m = {.number = -1};
		struct child c;

		if (!start(&c, (struct child_plan){
				       .work = tell_group, .messages = true, .group = group}))
			return;
		CHECK(hear_one(&c, &m) && m.number == group);
	}
}

/* Waits are not cut short by a signal that the parent handles. */
TEST(interrupted_waits)
{
	struct sigaction catch = {.sa_handler = on_signal}, plain = {.sa_handler = SIG_DFL};
	struct itimerval often = {{0, 10000}, {0, 10000}}, never = {0};
	struct child c;
	int ms = 200;

	sigaction(SIGALRM, &catch, NULL); /* without SA_RESTART */
	setitimer(ITIMER_REAL, &often, NULL);
	if (start(&c, (struct child_plan){.work = sleep_on, .context = &ms, .group = true}))
		child_wait(&c);
	CHECK(end_is(&c, CHILD_EXITED, 1));
	setitimer(ITIMER_REAL, &never, NULL);
	sigaction(SIGALRM, &plain, NULL);
	CHECK(nobody_is_left());
}

/* Not exit(): what the parent has buffered is printed once. */
TEST(streams_are_not_flushed_twice)
{
	FILE *file = tmpfile();
	struct child c;
	int status = 0;

	if (!CHECK(file != NULL))
		return;
	(void)fputs("once", file);
	if (!start(&c, (struct child_plan){.work = exit_with, .context = &status}))
		return;
	child_wait(&c);
	CHECK(fflush(file) == 0 && fseek(file, 0, SEEK_END) == 0 && ftell(file) == 4);
	(void)fclose(file);
}

TESTS(T(exit_status_is_told), T(signal_is_told), T(it_ends_only_once), T(stopping), T(time_limit),
      T(messages_arrive_whole), T(what_it_left_dies_with_it), T(handlers_stay_with_the_parent),
      T(its_end_is_known_where_children_are_ignored), T(process_group), T(interrupted_waits),
      T(streams_are_not_flushed_twice))
