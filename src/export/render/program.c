#include "export/render/program.h"

#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/child.h"
#include "base/err.h"

enum {
	NOT_STARTED = 127, /* as shells say it */
	PAUSE_MS = 20      /* between two looks */
};

#define LARGEST_MEMORY ((rlim_t)1 << 30)

struct program {
	const char *const *words; /* borrowed */
	int in, out;
	unsigned seconds;
};

static void program_limit(int resource, rlim_t most)
{
	struct rlimit limit;

	if (getrlimit(resource, &limit) == 0 &&
	    (limit.rlim_cur == RLIM_INFINITY || most < limit.rlim_cur)) {
		limit.rlim_cur = most;
		(void)setrlimit(resource, &limit);
	}
}

static int program_be(void *context, int parent)
{
	const struct program *p = context;
	int null = open("/dev/null", O_WRONLY);

	(void)parent;
	if (null < 0 || dup2(p->in, STDIN_FILENO) < 0 || dup2(p->out, STDOUT_FILENO) < 0 ||
	    dup2(null, STDERR_FILENO) < 0)
		return 1;
	program_limit(RLIMIT_CPU, (rlim_t)p->seconds + 1);
	program_limit(RLIMIT_AS, LARGEST_MEMORY);
	(void)execvp(p->words[0], (char *const *)(uintptr_t)p->words);
	return NOT_STARTED;
}

enum program_end program_run(const char *const *words, FILE *in, FILE *out, unsigned seconds,
			     struct err *err)
{
	struct program p = {words, fileno(in), fileno(out), seconds};
	struct child_plan plan = {
		.work = program_be, .context = &p, .limit_ms = (int64_t)seconds * 1000};
	struct child child = {0};

	if (fflush(in) != 0 || fflush(out) != 0 || lseek(p.in, 0, SEEK_SET) != 0) {
		err_system(err, "cannot write a temporary file");
		return PROGRAM_DIED;
	}
	if (!child_start(&child, &plan, err))
		return PROGRAM_DIED;
	while (!child_ended(&child))
		(void)poll(NULL, 0, (int)child_time_left(&child, PAUSE_MS));
	switch (child.end.how) {
	case CHILD_LATE:
		return PROGRAM_LATE;
	case CHILD_KILLED:
		err_set(err, ERR_SYSTEM, "%s died (signal %d)", words[0], child.end.number);
		return PROGRAM_DIED;
	case CHILD_EXITED:
	case CHILD_HOW_COUNT:
		break;
	}
	return child.end.number == NOT_STARTED ? PROGRAM_MISSING
	       : child.end.number == 0         ? PROGRAM_DONE
					       : PROGRAM_FAILED;
}
