#include "edit/journal/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/os.h"

enum {
	MAX_TRIES = 100
};

int lock_open_own(int folder, const char *name, int flags, struct err *err)
{
	/* No link is followed, and a pipe that somebody put there cannot make us wait. */
	int fd = openat(folder, name, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0600);
	struct stat st;

	if (fd < 0) {
		int why = errno;

		if (why == ELOOP)
			err_set(err, ERR_SYSTEM, "%s is a link", name);
		else
			err_system(err, "%s", name);
		errno = why;
		return -1;
	}
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
	    st.st_nlink <= 1)
		return fd;
	err_set(err, ERR_SYSTEM, "%s is not a file of yours", name);
	close(fd);
	errno = EPERM;
	return -1;
}

static long read_holder(int fd)
{
	char text[32];
	ssize_t got = pread(fd, text, sizeof(text) - 1, 0);

	text[MAX(got, 0)] = '\0';
	return strtol(text, NULL, 10);
}

/* Only for people: that it cannot be written does no harm. */
static void write_holder(int fd)
{
	char text[32];
	int len = snprintf(text, sizeof(text), "%ld\n", (long)getpid());

	if (ftruncate(fd, 0) != 0 || pwrite(fd, text, (size_t)len, 0) != len)
		errno = 0;
}

/* The holder may have removed the file between our open and our lock. */
static bool is_still_there(const struct lock *l)
{
	struct stat ours, named;

	return fstat(l->fd, &ours) == 0 &&
	       fstatat(l->folder, l->name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
	       ours.st_dev == named.st_dev && ours.st_ino == named.st_ino;
}

static enum lock_result lock_try(int fd, long *out_holder, const char *name, struct err *err)
{
	if (os_lock(fd))
		return LOCK_TAKEN;
	if (errno == EWOULDBLOCK) {
		*out_holder = read_holder(fd);
		return LOCK_HELD;
	}
	/* Without locks on this file system, we cannot know of others. */
	if (os_lacks_locks(errno))
		return LOCK_TAKEN;
	err_system(err, "cannot lock %s", name);
	return LOCK_FAILED;
}

enum lock_result lock_take(struct lock *l, int folder, const char *name, long *out_holder,
			   struct err *err)
{
	enum lock_result result;

	*out_holder = 0;
	for (int i = 0; i < MAX_TRIES; i++) {
		*l = (struct lock){.folder = folder, .name = name};
		l->fd = lock_open_own(folder, name, O_RDWR | O_CREAT, err);
		if (l->fd < 0)
			return LOCK_FAILED;
		result = lock_try(l->fd, out_holder, name, err);
		if (result != LOCK_TAKEN) {
			close(l->fd);
			return result;
		}
		if (is_still_there(l)) {
			l->taken = true;
			write_holder(l->fd);
			return LOCK_TAKEN;
		}
		close(l->fd);
	}
	err_set(err, ERR_SYSTEM, "%s comes and goes", name);
	return LOCK_FAILED;
}

void lock_release(struct lock *l)
{
	if (!l->taken)
		return;
	/* While it is locked, so that nobody can take it before it is gone. */
	if (is_still_there(l))
		(void)unlinkat(l->folder, l->name, 0);
	close(l->fd);
	l->taken = false;
}
