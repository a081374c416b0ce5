#define _GNU_SOURCE /* copy_file_range */
#include "base/os.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>
#ifdef __linux__
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#endif
#if defined(SYS_openat2) && defined(__has_include)
#if __has_include(<linux/openat2.h>)
#include <linux/openat2.h>
#define HAVE_OPENAT2
#endif
#endif

static ssize_t copy_by_hand(int from, off_t at, int to, size_t len)
{
	static _Thread_local char buffer[256 << 10];
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

/* The path of a folder, from its descriptor. */
static bool folder_of(int dir, char *out)
{
	int here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool ok = here >= 0 && fchdir(dir) == 0 && getcwd(out, PATH_MAX) != NULL;

	if (here >= 0) {
		ok = fchdir(here) == 0 && ok;
		close(here);
	}
	return ok;
}

/* Without openat2: resolve every link first, then compare the prefixes. */
static int open_resolved(int dir, const char *path)
{
	char folder[PATH_MAX], joined[PATH_MAX], resolved[PATH_MAX];
	size_t len;

	if (!folder_of(dir, folder))
		return -1;
	if ((size_t)snprintf(joined, sizeof(joined), "%s/%s", folder, path) >= sizeof(joined)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	if (!realpath(joined, resolved))
		return -1;
	len = strlen(folder);
	if (strncmp(resolved, folder, len) != 0 || (len > 1 && resolved[len] != '/')) {
		errno = EXDEV;
		return -1;
	}
	return open(resolved, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
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
	return open_resolved(dir, path);
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
	return (int64_t)st->st_mtim.tv_sec * 1000000000 + st->st_mtim.tv_nsec;
}
