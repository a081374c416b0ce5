/*
 * Who has a model: a locked file that holds the number of the process.
 *
 * The file is apart from the journal, so that the journal can be replaced and removed while the
 * model stays taken.  It disappears when it is given back; one that a killed process left is
 * taken over, because the kernel has given up its lock.
 */
#ifndef EDIT_JOURNAL_LOCK_H
#define EDIT_JOURNAL_LOCK_H

#include "base/err.h"

struct lock {
	int fd;
	int folder;       /* borrowed: must stay open */
	const char *name; /* borrowed: in the folder */
	bool taken;
};

enum lock_result {
	LOCK_TAKEN,
	LOCK_HELD,   /* by another process */
	LOCK_FAILED, /* the folder cannot be written, or the name is not a file of ours */
};

/* *out_holder is the process of LOCK_HELD, 0 if that is not known. */
enum lock_result lock_take(struct lock *l, int folder, const char *name, long *out_holder,
			   struct err *err);
void lock_release(struct lock *l);

/* A regular file of ours, opened or created for us alone; -1 and an error if it is not. */
int lock_open_own(int folder, const char *name, int flags, struct err *err);

#endif
