#define _GNU_SOURCE /* copy_file_range */
#include "base/os.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#endif
#if defined(SYS_openat2) && defined(__has_include)
#if __has_include(<linux/openat2.h>)
#include <linux/openat2.h>
#define HAVE_OPENAT2
#endif
#endif

#include "base/clock.h"

static ssize_t copy_by_hand(int from, off_t at, int to, size_t len)
{
	char buffer[128 << 10]; /* not thread-local: the loader clears those at every start */
	ssize_t got = pread(from, buffer, MIN(len, sizeof(buffer)), at);
	ssize_t done = 0;

	while (got > 0 && done < got) {
		ssize_t n = write(to, buffer + done, (size_t)(got - done));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		done += n;
	}
	return got;
}

ssize_t os_copy(int from, off_t at, int to, size_t len)
{
#ifdef __linux__
	ssize_t n = copy_file_range(from, &at, to, NULL, len, 0);

	/* Several file systems return 0 or an error where read() works. */
	if (n > 0 || (n < 0 && (errno == ENOSPC || errno == EFBIG || errno == EDQUOT)))
		return n;
#endif
	return copy_by_hand(from, at, to, len);
}

bool os_clone(int from, int to)
{
#ifdef FICLONE
	return ioctl(to, FICLONE, from) == 0;
#else
	(void)from;
	(void)to;
	return false;
#endif
}

/* ---- below a folder ---- */

enum {
	POLL_MS = 10
};

enum {
	MAX_DEPTH = 64, /* folders between the first and the file */
	MAX_LINKS = 40
};

/* The folders on the way to where we are, so that ".." never asks the file system. */
struct walk {
	int folders[MAX_DEPTH];
	int depth; /* of the current one */
	int links; /* followed so far */
	char rest[PATH_MAX];
};

static bool walk_up(struct walk *w)
{
	if (w->depth == 0) {
		errno = EXDEV;
		return false;
	}
	close(w->folders[w->depth--]);
	return true;
}

/* The link's target comes before what is left of the path. */
static bool walk_along_link(struct walk *w, const char *name)
{
	char target[PATH_MAX], joined[2 * PATH_MAX];
	ssize_t len = readlinkat(w->folders[w->depth], name, target, sizeof(target) - 1);

	if (len < 0)
		return false; /* no link after all: as readlinkat says */
	target[len] = '\0';
	if (target[0] == '/' || w->links++ == MAX_LINKS) {
		errno = target[0] == '/' ? EXDEV : ELOOP;
		return false;
	}
	if ((size_t)snprintf(joined, sizeof(joined), "%s/%s", target, w->rest) >= sizeof(w->rest)) {
		errno = ENAMETOOLONG;
		return false;
	}
	memcpy(w->rest, joined, strlen(joined) + 1);
	return true;
}

static bool is_last_name(const char *rest)
{
	return rest[strspn(rest, "/")] == '\0';
}

/* Takes the next name from the rest. */
static void walk_next(struct walk *w, char *out)
{
	size_t len = strcspn(w->rest, "/");
	size_t skip = len + strspn(w->rest + len, "/");

	memcpy(out, w->rest, len);
	out[len] = '\0';
	memmove(w->rest, w->rest + skip, strlen(w->rest + skip) + 1);
}

/* One name further; *out is the file once it is reached. */
static bool walk_step(struct walk *w, int *out)
{
	char name[PATH_MAX];
	bool is_last;
	int fd;

	walk_next(w, name);
	if (name[0] == '\0' || strcmp(name, ".") == 0)
		return true;
	if (strcmp(name, "..") == 0)
		return walk_up(w);
	is_last = is_last_name(w->rest);
	fd = openat(w->folders[w->depth], name,
		    O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY |
			    (is_last ? 0 : O_DIRECTORY));
	if (fd < 0 && (errno == ELOOP || errno == ENOTDIR || errno == EMLINK)) {
		int why = errno;

		if (walk_along_link(w, name))
			return true;
		if (errno == EINVAL)
			errno = why;
		return false;
	}
	if (fd < 0 || is_last) {
		*out = fd;
		return fd >= 0;
	}
	if (w->depth + 1 == MAX_DEPTH) {
		close(fd);
		errno = ENAMETOOLONG;
		return false;
	}
	w->folders[++w->depth] = fd;
	return true;
}

int os_walk_below(int dir, const char *path)
{
	struct walk w = {.folders = {fcntl(dir, F_DUPFD_CLOEXEC, 0)}};
	bool ok = false;
	int fd = -1, why;

	if (w.folders[0] < 0)
		return -1;
	if (path[0] == '/')
		errno = EXDEV;
	else if (path[0] == '\0')
		errno = ENOENT;
	else if ((size_t)snprintf(w.rest, sizeof(w.rest), "%s", path) >= sizeof(w.rest))
		errno = ENAMETOOLONG;
	else
		ok = true;
	while (ok && fd < 0 && w.rest[0])
		ok = walk_step(&w, &fd);
	if (ok && fd < 0) /* the path ends in dots: a folder */
		fd = fcntl(w.folders[w.depth], F_DUPFD_CLOEXEC, 0);
	why = errno;
	for (int i = 0; i <= w.depth; i++)
		close(w.folders[i]);
	errno = why;
	return fd;
}

int os_open_below(int dir, const char *path)
{
#ifdef HAVE_OPENAT2
	struct open_how how = {
		.flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY,
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS,
	};
	int fd = (int)syscall(SYS_openat2, dir, path, &how, sizeof(how));

	if (fd >= 0 || (errno != ENOSYS && errno != EPERM && errno != EINVAL))
		return fd;
#endif
	return os_walk_below(dir, path);
}

int os_open_unnamed(int dir)
{
#ifdef O_TMPFILE
	return dir < 0 ? -1 : openat(dir, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
#else
	(void)dir;
	return -1;
#endif
}

bool os_lock(int fd)
{
	return flock(fd, LOCK_EX | LOCK_NB) == 0;
}

bool os_lacks_locks(int error)
{
	return error == EOPNOTSUPP || error == ENOSYS || error == ENOLCK || error == EINVAL;
}

bool os_flush_data(int fd)
{
#ifdef __APPLE__
	return fsync(fd) == 0;
#else
	return fdatasync(fd) == 0;
#endif
}

static struct timespec timespec_of(int64_t ms)
{
	return (struct timespec){.tv_sec = (time_t)(ms / 1000),
				 .tv_nsec = (long)(ms % 1000 * 1000000)};
}

int os_poll_signal(const sigset_t *blocked, int64_t ms)
{
	const struct timespec step = timespec_of(POLL_MS);
	int64_t end = clock_ms() + ms;
	sigset_t pending;
	int number;

	for (;;) {
		sigpending(&pending);
		for (int i = 1; i < NSIG; i++) {
			if (sigismember(blocked, i) == 1 && sigismember(&pending, i) == 1)
				return sigwait(blocked, &number) == 0 ? number : 0;
		}
		if (clock_ms() >= end)
			return 0;
		nanosleep(&step, NULL);
	}
}

int os_await_signal(const sigset_t *blocked, int64_t ms)
{
#ifdef __linux__
	const struct timespec longest = timespec_of(ms);
	int number = sigtimedwait(blocked, NULL, &longest);

	return MAX(number, 0);
#else
	return os_poll_signal(blocked, ms);
#endif
}

void os_end_with_parent(pid_t parent)
{
#ifdef __linux__
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
	if (getppid() != parent)
		_exit(1); /* it has ended before */
}

bool os_random(void *out, size_t len)
{
#ifdef __linux__
	return getrandom(out, len, GRND_NONBLOCK) == (ssize_t)len;
#else
	return getentropy(out, len) == 0;
#endif
}

#ifdef __linux__
static void copy_attribute(int from, int to, const char *name)
{
	char *value = malloc(XATTR_SIZE_MAX);
	ssize_t len = value ? fgetxattr(from, name, value, XATTR_SIZE_MAX) : -1;

	if (len >= 0)
		(void)fsetxattr(to, name, value, (size_t)len, 0);
	free(value);
}
#endif

void os_copy_attributes(int from, int to)
{
#ifdef __linux__
	char names[XATTR_LIST_MAX];
	ssize_t len = flistxattr(from, names, sizeof(names));

	for (ssize_t at = 0; at < len; at += (ssize_t)strlen(names + at) + 1)
		copy_attribute(from, to, names + at);
#else
	(void)from;
	(void)to;
#endif
}

int64_t os_mtime(const struct stat *st)
{
#ifdef __APPLE__
	const struct timespec *at = &st->st_mtimespec;
#else
	const struct timespec *at = &st->st_mtim;
#endif

	return (int64_t)at->tv_sec * 1000000000 + at->tv_nsec;
}
