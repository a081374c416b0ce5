/*
 * A file that is written completely or not at all.
 *
 * It is locked and has a temporary name in the target's folder.  The lock tells a later
 * save whether it is being written or was left by a killed process.
 */
#ifndef WIRE_ATOMIC_H
#define WIRE_ATOMIC_H

#include <sys/stat.h>

#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "wire/destination.h"

struct atomic_file {
	int fd;
	int folder;      /* owned */
	struct str name; /* in the folder */
	struct str temporary;
	bool open;
	bool flushed;
	bool exists;     /* a file is replaced: */
	struct stat old; /* that one */
	mode_t mode;     /* of the file, from its first byte on */
};

/* Also removes temporary files of earlier saves to that target. */
bool atomic_begin(struct atomic_file *a, const struct destination *t, struct err *err) MUST_USE;
/* The file is complete: keeps mode, owner and extended attributes of the one it replaces. */
bool atomic_flush(struct atomic_file *a, struct err *err) MUST_USE;
/* Gives it its name, after flushing it if that was not done. */
bool atomic_commit(struct atomic_file *a, struct err *err) MUST_USE;
/* Removes the temporary file; does nothing after a commit. */
void atomic_cancel(struct atomic_file *a);
/* Writes a whole file.  The error names the target. */
bool atomic_write(const char *target, const struct destination_rules *rules, struct sv bytes,
		  struct err *err) MUST_USE;

#endif
