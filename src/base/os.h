/*
 * The few things we use that POSIX does not have.  Each falls back to what POSIX
 * has, or says that it cannot, so that the rest of the program need not know.
 */
#ifndef BASE_OS_H
#define BASE_OS_H

#include <sys/stat.h>
#include <sys/types.h>

#include "base/base.h"

/*
 * Copies up to `len` bytes from `from` at `at` to the current end of `to`, inside the
 * kernel where it can.  Returns how many were copied (0 at the end of `from`), or -1.
 */
ssize_t os_copy(int from, off_t at, int to, size_t len);

/* Makes `to`, an empty file, share the blocks of `from`; false where that is not possible. */
bool os_clone(int from, int to);

/*
 * Opens `path`, relative to the folder `dir`, for reading, following no link that
 * leads out of that folder.  -1 and errno EXDEV when it would leave it.
 */
int os_open_below(int dir, const char *path);

/* Takes the file for this process alone, at once or not at all; it goes with the descriptor. */
bool os_lock(int fd);

/* Nanoseconds of the last change of contents. */
int64_t os_mtime(const struct stat *st);

#endif
