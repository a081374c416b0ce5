/*
 * A file opened for reading: a path, or a pipe spooled to an unlinked temporary
 * file so that it can be read at any offset.
 *
 * Never mapped: a file truncated under us must be an error, not a signal.
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <sys/stat.h>

#include "base/err.h"

struct file {
	int fd;
	bool open;
	bool piped; /* from standard input: has no folder and no name */
	uint64_t size;
	struct stat stamp; /* as it was when opened */
};

/* A path, or "-" for standard input.  Refuses folders and devices. */
bool file_open(struct file *f, const char *path, struct err *err) MUST_USE;
/* An unlinked temporary file, which disappears with the process; -1 on failure. */
int file_spool(struct err *err) MUST_USE;
/* A text in memory as a file; for data built into the program. */
bool file_from_memory(struct file *f, const void *bytes, size_t size, struct err *err) MUST_USE;
/* Reads exactly `len` bytes at `at`; an earlier end of file is an error. */
bool file_read(const struct file *f, uint64_t at, void *out, size_t len, struct err *err) MUST_USE;
/* Does the file still have the size and time it had when opened? */
bool file_unchanged(const struct file *f);
/* Are they one file that nobody has written to in between? */
bool file_same_version(const struct stat *a, const struct stat *b);
void file_release(struct file *f);

/* Writes all `len` bytes, with as many system calls as it takes. */
bool file_write_all(int fd, const void *bytes, size_t len);

#endif
