#include "wire/atomic.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/os.h"
#include "base/sv.h"

enum {
	MAX_TRIES = 100,
	MARK_DIGITS = 8
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
	struct stat st;

	if (fd < 0)
		return;
	/* While its writer lives, it holds the lock. */
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() && os_lock(fd))
		unlinkat(folder, name, 0);
	close(fd);
}

/* The prefix, and then as many digits as we write. */
static bool is_temporary_of(struct sv name, struct sv prefix)
{
	if (name.len != prefix.len + MARK_DIGITS || !sv_starts(name, prefix))
		return false;
	for (size_t i = prefix.len; i < name.len; i++) {
		if (!strchr("0123456789abcdef", name.at[i]))
			return false;
	}
	return true;
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
		if (is_temporary_of(sv_of(entry->d_name), sv_of(prefix)))
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
		       a->mode | S_IRUSR | S_IWUSR);
	if (a->fd < 0)
		return false;
	if (os_lock(a->fd) && fstat(a->fd, &st) == 0 && st.st_nlink == 1)
		return true;
	/* No locks on this file system: no other save can remove it either. */
	if (os_lacks_locks(errno))
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
		str_format(&a->temporary, "%0*" PRIx32, MARK_DIGITS, (uint32_t)hash_seed());
		if (atomic_claim(a)) {
			a->open = true;
			return true;
		}
		if (errno != EEXIST)
			break;
	}
	return err_system(err, "cannot write to its folder");
}

bool atomic_begin(struct atomic_file *a, const struct destination *t, struct err *err)
{
	*a = (struct atomic_file){
		.folder = fcntl(t->folder, F_DUPFD_CLOEXEC, 0),
		.exists = t->exists,
		.old = t->old,
		.mode = t->mode,
	};
	str_add(&a->name, str_sv(&t->name));
	if (a->folder < 0)
		err_system(err, "cannot open its folder");
	else if (make_temporary(a, err))
		return true;
	atomic_cancel(a);
	return false;
}

/* ---- commit ---- */

/* What was there passes on its owner, its mode and its extended attributes. */
static bool keep_what_it_was(const struct atomic_file *a, struct err *err)
{
	int was;

	if (!a->exists)
		return true; /* a new file: the umask has set its mode */
	/* Only root may change the owner; otherwise try the group alone. */
	if (fchown(a->fd, a->old.st_uid, a->old.st_gid) != 0 &&
	    fchown(a->fd, (uid_t)-1, a->old.st_gid) != 0)
		errno = 0;
	was = openat(a->folder, str_c(&a->name), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	if (was >= 0) {
		os_copy_attributes(was, a->fd);
		close(was);
	}
	/* Last: an access list among the attributes has changed the mode. */
	if (fchmod(a->fd, a->mode) != 0)
		return err_system(err, "cannot set the file's mode");
	return true;
}

/*
 * The journal tells versions of a file by size and time, but a clock ticks every few milliseconds,
 * on some file systems every two seconds: a file saved twice within a tick gets a later time.
 */
static void differ_from_what_it_was(const struct atomic_file *a)
{
	static const int64_t steps[] = {1, 1000, 1000000, 1000000000, 2000000000};
	struct stat now;

	for (size_t i = 0; a->exists && i < ARRAY_LEN(steps); i++) {
		int64_t later = os_mtime(&a->old) + steps[i];
		struct timespec times[] = {{.tv_nsec = UTIME_OMIT},
					   {later / 1000000000, later % 1000000000}};

		if (fstat(a->fd, &now) != 0 || now.st_size != a->old.st_size ||
		    os_mtime(&now) != os_mtime(&a->old) || futimens(a->fd, times) != 0)
			return;
	}
}

bool atomic_flush(struct atomic_file *a, struct err *err)
{
	if (a->flushed)
		return true;
	if (!keep_what_it_was(a, err))
		return false;
	differ_from_what_it_was(a);
	a->flushed = fsync(a->fd) == 0;
	return a->flushed || err_system(err, "cannot flush to disk");
}

bool atomic_commit(struct atomic_file *a, struct err *err)
{
	if (!atomic_flush(a, err))
		return false;
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

/* A device or a pipe takes a text, and is not replaced by it. */
static bool write_to_device(const char *target, struct sv bytes, struct err *err)
{
	int fd = open(target, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	bool ok = fd >= 0 && file_write_all(fd, bytes.at, bytes.len);

	if (!ok)
		err_system(err, "%s", target);
	if (fd >= 0)
		close(fd);
	return ok;
}

bool atomic_write(const char *target, const struct destination_rules *rules, struct sv bytes,
		  struct err *err)
{
	struct atomic_file a;
	struct destination t;
	struct stat st;
	bool ok;

	if (rules->kind == DESTINATION_TEXT && stat(target, &st) == 0 &&
	    (S_ISCHR(st.st_mode) || S_ISFIFO(st.st_mode)))
		return write_to_device(target, bytes, err);
	if (!destination_resolve(&t, target, rules, err))
		return err_prefix(err, "%s", target);
	ok = atomic_begin(&a, &t, err);
	if (ok) {
		ok = file_write_all(a.fd, bytes.at, bytes.len) ||
		     err_system(err, "cannot be written");
		ok = ok && atomic_commit(&a, err);
		atomic_cancel(&a);
	}
	destination_release(&t);
	return ok || err_prefix(err, "%s", target);
}
