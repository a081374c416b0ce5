/*
 * Preloaded into axed by test_faults.py: the Nth call that touches the disk fails, is cut short, or
 * is the last thing that the process does.
 *
 *   AXED_FAULT=N:enospc|eio|short|before|after   N counts from 1
 *   AXED_FAULT=full                              nothing can be written, as on a full disk
 *   AXED_FAULT_CLOCK=coarse                      times of files are even seconds, as on FAT
 *   AXED_FAULT_LOG=FILE                          where every call is written, one per line, with
 *                                                the mode of a file that it creates or changes
 *
 * Reading is left alone, and so are files that are open before main.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static long calls;

/* POSIX lets a pointer to an object hold a function, ISO C does not: it is copied. */
static void (*real(const char *name))(void)
{
	void *found = dlsym(RTLD_NEXT, name);
	void (*function)(void);

	if (!found)
		abort();
	memcpy(&function, &found, sizeof(function));
	return function;
}

static void log_call(const char *name, mode_t mode)
{
	const char *path = getenv("AXED_FAULT_LOG");
	FILE *log = path ? fopen(path, "ae") : NULL;

	if (log) {
		fprintf(log, "%ld %s %o\n", calls, name, (unsigned)mode);
		fclose(log);
	}
}

/* What happens at this call: NULL for nothing.  `mode` is that of a file, or 0. */
static const char *fault_with(const char *name, mode_t mode)
{
	const char *wanted = getenv("AXED_FAULT");
	const char *how = wanted ? strchr(wanted, ':') : NULL;

	calls++;
	log_call(name, mode);
	if (wanted && strcmp(wanted, "full") == 0)
		return strstr(name, "write") ? "enospc" : NULL;
	return how && strtol(wanted, NULL, 10) == calls ? how + 1 : NULL;
}

static const char *fault_at(const char *name)
{
	return fault_with(name, 0);
}

static int fails(const char *fault)
{
	if (fault && strcmp(fault, "before") == 0)
		raise(SIGKILL);
	if (fault && strcmp(fault, "enospc") == 0)
		errno = ENOSPC;
	else if (fault && strcmp(fault, "eio") == 0)
		errno = EIO;
	else
		return 0;
	return 1;
}

static void end_after(const char *fault)
{
	if (fault && strcmp(fault, "after") == 0)
		raise(SIGKILL);
}

static size_t cut(const char *fault, size_t len)
{
	return fault && strcmp(fault, "short") == 0 && len > 1 ? len / 2 : len;
}

/* A call without a length: `short` does nothing to it. */
#define SIMPLE(name, type, parameters, ...)                                               \
	int name parameters                                                               \
	{                                                                                 \
		const char *fault = fault_at(#name);                                      \
		int result = fails(fault) ? -1 : ((int(*) type)real(#name))(__VA_ARGS__); \
                                                                                          \
		end_after(fault);                                                         \
		return result;                                                            \
	}

SIMPLE(fsync, (int), (int fd), fd)
SIMPLE(fdatasync, (int), (int fd), fd)
SIMPLE(ftruncate, (int, off_t), (int fd, off_t len), fd, len)
SIMPLE(ftruncate64, (int, off64_t), (int fd, off64_t len), fd, len)
SIMPLE(flock, (int, int), (int fd, int how), fd, how)
SIMPLE(rename, (const char *, const char *), (const char *a, const char *b), a, b)
SIMPLE(renameat, (int, const char *, int, const char *),
       (int d, const char *a, int e, const char *b), d, a, e, b)
SIMPLE(unlinkat, (int, const char *, int), (int d, const char *a, int how), d, a, how)
SIMPLE(mkdir, (const char *, mode_t), (const char *a, mode_t mode), a, mode)

int fchmod(int fd, mode_t mode)
{
	const char *fault = fault_with("fchmod", mode);
	int result = fails(fault) ? -1 : ((int (*)(int, mode_t))real("fchmod"))(fd, mode);

	end_after(fault);
	return result;
}

static ssize_t write_some(const char *name, int fd, const void *bytes, size_t len, off64_t at,
			  int placed)
{
	const char *fault = fd > 2 ? fault_at(name) : NULL;
	ssize_t result = -1;

	if (!fails(fault)) {
		len = cut(fault, len);
		result = placed ? ((ssize_t(*)(int, const void *, size_t, off64_t))real(
					  "pwrite64"))(fd, bytes, len, at)
				: ((ssize_t(*)(int, const void *, size_t))real("write"))(fd, bytes,
											 len);
		/* After a short write the disk is full. */
		if (fault && strcmp(fault, "short") == 0) {
			errno = ENOSPC;
			result = -1;
		}
	}
	end_after(fault);
	return result;
}

ssize_t write(int fd, const void *bytes, size_t len)
{
	return write_some("write", fd, bytes, len, 0, 0);
}

ssize_t pwrite(int fd, const void *bytes, size_t len, off_t at)
{
	return write_some("pwrite", fd, bytes, len, at, 1);
}

ssize_t pwrite64(int fd, const void *bytes, size_t len, off64_t at)
{
	return write_some("pwrite64", fd, bytes, len, at, 1);
}

static int open_for_writing(const char *name, int folder, const char *path, int flags, mode_t mode)
{
	const char *fault = flags & (O_WRONLY | O_RDWR | O_CREAT)
				    ? fault_with(name, flags & O_CREAT ? mode : 0)
				    : NULL;
	int result = fails(fault) ? -1
				  : ((int (*)(int, const char *, int, ...))real("openat64"))(
					    folder, path, flags, mode);

	end_after(fault);
	return result;
}

#define OPEN(name, at, first)                                          \
	int name(first const char *path, int flags, ...)               \
	{                                                              \
		mode_t mode = 0;                                       \
		va_list rest;                                          \
                                                                       \
		va_start(rest, flags);                                 \
		if (flags & O_CREAT)                                   \
			mode = va_arg(rest, mode_t);                   \
		va_end(rest);                                          \
		return open_for_writing(#name, at, path, flags, mode); \
	}

#define NO_FOLDER
#define A_FOLDER int folder,
OPEN(open, AT_FDCWD, NO_FOLDER)
OPEN(open64, AT_FDCWD, NO_FOLDER)
OPEN(openat, folder, A_FOLDER)
OPEN(openat64, folder, A_FOLDER)

/* ---- times ---- */

static int round_time(int result, struct stat *st)
{
	if (result == 0 && getenv("AXED_FAULT_CLOCK")) {
		st->st_mtim.tv_sec -= st->st_mtim.tv_sec % 2;
		st->st_mtim.tv_nsec = 0;
	}
	return result;
}

/* Where these are 64 bits wide, both names mean the same struct. */
_Static_assert(sizeof(struct stat) == sizeof(struct stat64), "stat and stat64 differ");

#define STAT(name, parameters, ...)                                              \
	int name parameters                                                      \
	{                                                                        \
		return round_time(((int(*) parameters)real(#name))(__VA_ARGS__), \
				  (struct stat *)st);                            \
	}

STAT(stat, (const char *path, struct stat *st), path, st)
STAT(stat64, (const char *path, struct stat64 *st), path, st)
STAT(fstat, (int fd, struct stat *st), fd, st)
STAT(fstat64, (int fd, struct stat64 *st), fd, st)
STAT(fstatat, (int d, const char *path, struct stat *st, int how), d, path, st, how)
STAT(fstatat64, (int d, const char *path, struct stat64 *st, int how), d, path, st, how)
