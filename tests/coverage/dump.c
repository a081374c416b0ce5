/*
 * Linked into every program of the coverage build, and only there: writes the .gcda files
 * however a process ends.
 *
 * libgcov writes at exit().  That loses children that leave by _exit; and a process that a
 * test kills, or that may not write large files, leaves half a .gcda, which breaks every
 * later process.  So a child in a separate session writes them; the process waits for it
 * and exits without writing anything itself.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

void __gcov_dump(void);
void __real__exit(int status) __attribute__((noreturn));
void __wrap__exit(int status) __attribute__((noreturn));

static int may_write(void)
{
	struct rlimit max = {RLIM_INFINITY, RLIM_INFINITY};

	/* Only root may raise a limit again; other users lose the counts made under one. */
	return setrlimit(RLIMIT_FSIZE, &max) == 0;
}

/* Closes all files: a reader at the other end of a pipe waits for its end. */
static void detach(void)
{
	struct rlimit files = {0};
	int null;

	(void)setsid();
	(void)getrlimit(RLIMIT_NOFILE, &files);
	for (int fd = 0; fd < (int)(files.rlim_cur < 1024 ? files.rlim_cur : 1024); fd++)
		(void)close(fd);
	null = open("/dev/null", O_RDWR);
	(void)dup2(null, STDOUT_FILENO);
	(void)dup2(null, STDERR_FILENO);
}

static void write_counts(void)
{
	sigset_t all, before;
	pid_t child;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	child = fork();
	if (child == 0) {
		detach();
		if (may_write())
			__gcov_dump();
		__real__exit(0);
	}
	if (child > 0)
		(void)waitpid(child, NULL, 0);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

void __wrap__exit(int status)
{
	write_counts();
	__real__exit(status);
}

static void at_exit(int status, void *unused)
{
	(void)unused;
	(void)fflush(NULL);
	__wrap__exit(status);
}

/* Registered first, so it runs last; on_exit because it passes the status. */
__attribute__((constructor)) static void begin(void)
{
	(void)on_exit(at_exit, NULL);
}
