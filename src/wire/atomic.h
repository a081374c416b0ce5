/*
 * A file that appears whole or not at all.
 *
 * Begun under a temporary name in the target's folder and locked, so that a later save
 * can tell one that is being written from one that a kill left behind.
 */
#ifndef WIRE_ATOMIC_H
#define WIRE_ATOMIC_H

#include "base/err.h"
#include "base/str.h"

struct atomic_file {
	int fd;
	int folder;      /* owned */
	struct str name; /* in the folder */
	struct str temporary;
	bool open;
};

/* Follows a symbolic link to what it names.  Removes what earlier saves left behind. */
bool atomic_begin(struct atomic_file *a, const char *target, struct err *err) MUST_USE;
/* The same for a name without folders below an open folder; links are not followed. */
bool atomic_begin_at(struct atomic_file *a, int folder, const char *name, struct err *err) MUST_USE;
/* Mode and owner of the file replaced, contents and name on disk. */
bool atomic_commit(struct atomic_file *a, struct err *err) MUST_USE;
/* Removes the temporary file; nothing after a commit. */
void atomic_cancel(struct atomic_file *a);
/* All of it at once: a text, a picture.  The error names the target. */
bool atomic_write(const char *target, struct sv bytes, struct err *err) MUST_USE;

#endif
