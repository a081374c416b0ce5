#include "wire/atomic.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/os.h"
#include "base/sv.h"

enum {
	MAX_LINKS = 40,
	MAX_TRIES = 100
};

#define TEMPORARY_MARK ".axed-"

/* ".model.onnx.axed-": the prefix of a target's temporary files. */
static void add_temporary_prefix(struct str *s, const char *name)
{
	/* A name is at most 255 bytes, including the mark. */
	str_char(s, '.');
	str_add(s, (struct sv){name, MIN(strlen(name), 200)});
	str_text(s, TEMPORARY_MARK);
}

/* ---- abandoned files ---- */

static void remove_if_abandoned(int folder, const char *name)
{
	int fd = openat(folder, name, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return;
	/* Its writer still holds the lock. */
	if (os_lock(fd))
		unlinkat(folder, name, 0);
	close(fd);
}

static void remove_abandoned(int folder, const char *prefix)
{
	int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = copy >= 0 ? fdopendir(copy) : NULL;
	struct dirent *entry;

	if (!dir) {
		if (copy >= 0)
			close(copy);
		return;
	}
	while ((entry = readdir(dir))) {
		if (sv_starts(sv_of(entry->d_name), sv_of(prefix)))
			remove_if_abandoned(folder, entry->d_name);
	}
	closedir(dir);
}

/* ---- the temporary file ---- */

/* Locked, and still there: another save may have removed it in between. */
static bool atomic_claim(struct atomic_file *a)
{
	struct stat st;

	a->fd = openat(a->folder, str_c(&a->temporary), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC,
		       0666);
	if (a->fd < 0)
		return false;
	if (os_lock(a->fd) && fstat(a->fd, &st) == 0 && st.st_nlink == 1)
		return true;
	/* No locks on this file system: no other save can remove it either. */
	if (errno == EOPNOTSUPP || errno == ENOSYS || errno == ENOLCK)
		return true;
	close(a->fd);
	errno = EEXIST;
	return false;
}

static bool make_temporary(struct atomic_file *a, struct err *err)
{
	size_t prefix;

	add_temporary_prefix(&a->temporary, str_c(&a->name));
	remove_abandoned(a->folder, str_c(&a->temporary));
	prefix = a->temporary.len;
	for (int i = 0; i < MAX_TRIES; i++) {
		a->temporary.len = prefix;
		str_format(&a->temporary, "%08" PRIx32, (uint32_t)hash_seed());
		if (atomic_claim(a)) {
			a->open = true;
			return true;
		}
		if (errno != EEXIST)
			break;
	}
	return err_system(err, "cannot write to its folder");
}

/* ---- resolving the target ---- */

/* Replaces `path` by the target of the link, relative to the link's folder. */
static bool follow_once(struct str *path, bool *was_link, struct err *err)
{
	char to[PATH_MAX];
	ssize_t len = readlink(str_c(path), to, sizeof(to) - 1);
	struct str next = {0};

	*was_link = len >= 0;
	if (len < 0)
		return true;
	to[len] = '\0';
	if (to[0] != '/')
		str_add(&next, sv_through_last(str_sv(path), '/'));
	str_text(&next, to);
	str_release(path);
	*path = next;
	return len < PATH_MAX - 1 || err_set(err, ERR_SYSTEM, "the link is too long");
}

static bool follow_links(struct str *path, struct err *err)
{
	bool was_link = true;

	for (int i = 0; was_link; i++) {
		if (i == MAX_LINKS)
			return err_set(err, ERR_SYSTEM, "too many symbolic links");
		if (!follow_once(path, &was_link, err))
			return false;
	}
	return true;
}

static bool check_target(int folder, const char *name, struct err *err)
{
	struct stat st;

	if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && !S_ISREG(st.st_mode))
		return err_set(err, ERR_REFUSED, "is not a regular file, so it is not replaced");
	return true;
}

static bool open_folder(struct atomic_file *a, const char *path, struct err *err)
{
	struct str folder = {0};

	str_add(&folder, sv_folder(sv_of(path)));
	str_add(&a->name, sv_after_last(sv_of(path), '/'));
	a->folder = open(str_c(&folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (a->folder < 0)
		err_system(err, "cannot open the folder %s", str_c(&folder));
	str_release(&folder);
	if (a->folder >= 0 && a->name.len == 0)
		return err_set(err, ERR_USAGE, "is a folder");
	return a->folder >= 0;
}

bool atomic_begin(struct atomic_file *a, const char *target, struct err *err)
{
	struct str path = {0};
	bool ok;

	*a = (struct atomic_file){.folder = -1};
	str_text(&path, target);
	ok = follow_links(&path, err) && open_folder(a, str_c(&path), err) &&
	     check_target(a->folder, str_c(&a->name), err) && make_temporary(a, err);
	str_release(&path);
	if (!ok)
		atomic_cancel(a);
	return ok;
}

bool atomic_begin_at(struct atomic_file *a, int folder, const char *name, struct err *err)
{
	*a = (struct atomic_file){.folder = -1};
	str_text(&a->name, name);
	a->folder = fcntl(folder, F_DUPFD_CLOEXEC, 0);
	if (a->folder < 0)
		return err_system(err, "cannot open its folder");
	if (check_target(a->folder, name, err) && make_temporary(a, err))
		return true;
	atomic_cancel(a);
	return false;
}

/* ---- commit ---- */

static bool keep_mode_and_owner(const struct atomic_file *a, struct err *err)
{
	struct stat old;

	if (fstatat(a->folder, str_c(&a->name), &old, AT_SYMLINK_NOFOLLOW) != 0)
		return true; /* a new file: the umask has set its mode */
	/* Only root may change the owner; otherwise try the group alone. */
	if (fchown(a->fd, old.st_uid, old.st_gid) != 0 && fchown(a->fd, (uid_t)-1, old.st_gid) != 0)
		errno = 0;
	if (fchmod(a->fd, old.st_mode & 07777) != 0)
		return err_system(err, "cannot set the file's mode");
	return true;
}

bool atomic_commit(struct atomic_file *a, struct err *err)
{
	if (!keep_mode_and_owner(a, err))
		return false;
	if (fsync(a->fd) != 0)
		return err_system(err, "cannot flush to disk");
	if (renameat(a->folder, str_c(&a->temporary), a->folder, str_c(&a->name)) != 0)
		return err_system(err, "cannot rename the new file");
	a->open = false;
	close(a->fd);
	/* Some file systems cannot flush a folder; the file itself is already safe. */
	if (fsync(a->folder) != 0 && errno == EIO)
		return err_system(err, "was written, but its folder could not be flushed");
	return true;
}

void atomic_cancel(struct atomic_file *a)
{
	if (a->open) {
		unlinkat(a->folder, str_c(&a->temporary), 0);
		close(a->fd);
	}
	if (a->folder >= 0)
		close(a->folder);
	str_release(&a->name);
	str_release(&a->temporary);
	*a = (struct atomic_file){.folder = -1};
}

bool atomic_write(const char *target, struct sv bytes, struct err *err)
{
	struct atomic_file a;
	bool ok;

	if (!atomic_begin(&a, target, err))
		return err_prefix(err, "%s", target);
	ok = file_write_all(a.fd, bytes.at, bytes.len) || err_system(err, "cannot be written");
	ok = ok && atomic_commit(&a, err);
	atomic_cancel(&a);
	return ok || err_prefix(err, "%s", target);
}
