/*
 * The few system calls we use that POSIX lacks.  Each falls back to POSIX or
 * reports failure, so that the rest of the program need not know.
 */
#ifndef BASE_OS_H
#define BASE_OS_H

#include <signal.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "base/base.h"

/*
 * Copies up to `len` bytes from `from` at `at` to the current end of `to`, inside the
 * kernel if possible.  Returns the number of bytes copied (0 at the end of `from`),
 * or -1.
 */
ssize_t os_copy(int from, off_t at, int to, size_t len);

/* Makes `to`, an empty file, share the blocks of `from`; false when not supported. */
bool os_clone(int from, int to);

/*
 * Opens `path`, relative to the folder `dir`, for reading, and follows no link
 * out of that folder: -1 and errno EXDEV.
 */
int os_open_below(int dir, const char *path);
/* The same name by name, for systems that cannot do it at once: no race lets it out either. */
int os_walk_below(int dir, const char *path);

/* A file without a name in the folder, which disappears with the process; -1 if not possible. */
int os_open_unnamed(int dir);

/* Locks the file exclusively without waiting; closing the descriptor unlocks it. */
bool os_lock(int fd);
/* Does this errno of os_lock say that the file system has no locks? */
bool os_lacks_locks(int error);

/* Waits until the contents of the file are on the disk; its times may still be on their way. */
bool os_flush_data(int fd);

/* Waits for one of these blocked signals: its number, or 0 if none came within `ms`. */
int os_await_signal(const sigset_t *blocked, int64_t ms);
/* The same by looking every few milliseconds, for systems that cannot wait for both. */
int os_poll_signal(const sigset_t *blocked, int64_t ms);

/* This process is killed when its parent ends, where the system can do that. */
void os_end_with_parent(pid_t parent);

/* Fills with random bytes; false when the system has none yet. */
bool os_random(void *out, size_t len);

/* Extended attributes, as far as the file system and our rights allow. */
void os_copy_attributes(int from, int to);

/* The time of the last modification in nanoseconds. */
int64_t os_mtime(const struct stat *st);

#endif
