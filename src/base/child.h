/*
 * Child processes: started, heard, limited in time, stopped and reaped.
 *
 * A child starts with the default action for each signal that its parent handles: those
 * handlers restore a terminal that is not the child's.  Ignored signals stay ignored (nohup),
 * except SIGPIPE: a child whose parent is gone should end.
 *
 * An all-zero struct child is one that was never started.
 */
#ifndef BASE_CHILD_H
#define BASE_CHILD_H

#include <sys/types.h>

#include "base/err.h"

enum {
	CHILD_MESSAGE_MAX = 512 /* bytes: POSIX writes that many to a pipe at once */
};

enum child_how {
	CHILD_EXITED, /* the number is its exit status */
	CHILD_KILLED, /* the number is the signal */
	CHILD_LATE,   /* stopped at its time limit */
	CHILD_HOW_COUNT
};

struct child_end {
	enum child_how how;
	int number;
};

enum child_news {
	CHILD_SILENT,
	CHILD_SENT, /* a message */
	CHILD_OVER, /* it sends nothing more */
	CHILD_NEWS_COUNT
};

/* Runs in the child; returns its exit status.  `parent` is for child_send, -1 without messages. */
typedef int child_work(void *context, int parent);

struct child_plan {
	child_work *work;
	void *context;    /* borrowed */
	bool messages;    /* it sends some */
	bool group;       /* it leads a process group, which dies with it */
	int64_t limit_ms; /* 0 for no time limit */
};

struct child {
	pid_t pid; /* 0 when it does not run */
	bool group;
	bool messages;
	int from;             /* owned: the pipe, when there are messages */
	int64_t deadline;     /* of clock_ms; 0 for none */
	struct child_end end; /* once it was reaped */
};

bool child_start(struct child *c, const struct child_plan *plan, struct err *err) MUST_USE;

/* In the child: sends a message, which arrives whole. */
void child_send(int parent, const void *message, size_t size);
/* Waits for the next message, at most `wait_ms`; all messages have the same size. */
enum child_news child_hear(struct child *c, void *out, size_t size, int wait_ms);

/* Milliseconds until its time limit, at most `longest`. */
int64_t child_time_left(const struct child *c, int64_t longest);
/* Each of these reaps it if it has ended; unread messages are lost. */
bool child_ended(struct child *c); /* stops it when it is late */
void child_wait(struct child *c);
void child_stop(struct child *c);

#endif
