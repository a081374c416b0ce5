/*
 * A file that is written completely or not at all.
 *
 * It is locked and has a temporary name in the target's folder.  The lock tells a later
 * save whether it is being written or was left by a killed process.
 */
#ifndef WIRE_ATOMIC_H
#define WIRE_ATOMIC_H

#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"

struct atomic_file {
	int fd;
	int folder;      /* owned */
	struct str name; /* in the folder */
	struct str temporary;
	bool open;
};

/* Follows a symbolic link.  Removes temporary files of earlier saves. */
bool atomic_begin(struct atomic_file *a, const char *target, struct err *err) MUST_USE;
/* The same for a name in an open folder; does not follow links. */
bool atomic_begin_at(struct atomic_file *a, int folder, const char *name, struct err *err) MUST_USE;
/* Keeps mode and owner of the replaced file; flushes it. */
bool atomic_commit(struct atomic_file *a, struct err *err) MUST_USE;
/* Removes the temporary file; does nothing after a commit. */
void atomic_cancel(struct atomic_file *a);
/* Writes a whole file.  The error names the target. */
bool atomic_write(const char *target, struct sv bytes, struct err *err) MUST_USE;

#endif
