#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/os.h"
#include "base/str.h"

bool file_write_all(int fd, const void *bytes, size_t len)
{
	const char *at = bytes;

	while (len) {
		ssize_t n = write(fd, at, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		at += n;
		len -= (size_t)n;
	}
	return true;
}

static const char *file_kind_of(const struct stat *st)
{
	return S_ISDIR(st->st_mode)   ? "is a folder"
	       : S_ISCHR(st->st_mode) ? "is a device"
	       : S_ISBLK(st->st_mode) ? "is a device"
				      : "is not a regular file";
}

int file_spool(struct err *err)
{
	const char *folder = getenv("TMPDIR");
	struct str path = {0};
	int fd;

	str_format(&path, "%s/axed-spool-XXXXXX", folder && *folder ? folder : "/tmp");
	fd = mkstemp(path.at);
	if (fd < 0)
		err_system(err, "cannot create a temporary file in %s",
			   folder && *folder ? folder : "/tmp");
	else
		unlink(path.at);
	str_release(&path);
	return fd;
}

static bool file_spool_in(int from, int to, struct err *err)
{
	char buffer[64 << 10];

	for (;;) {
		ssize_t n = read(from, buffer, sizeof(buffer));

		if (n == 0)
			return true;
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_system(err, "cannot read");
		if (!file_write_all(to, buffer, (size_t)n))
			return err_system(err, "cannot write to a temporary file");
	}
}

static bool file_take(struct file *f, int fd, bool piped, struct err *err)
{
	struct stat st;

	if (fstat(fd, &st) != 0) {
		err_system(err, "cannot read");
		close(fd);
		return false;
	}
	*f = (struct file){.fd = fd, .open = true, .piped = piped, .stamp = st};
	f->size = (uint64_t)st.st_size;
	return true;
}

static bool open_piped(struct file *f, int from, struct err *err)
{
	int fd = file_spool(err);

	if (fd < 0)
		return false;
	if (!file_spool_in(from, fd, err)) {
		close(fd);
		return false;
	}
	return file_take(f, fd, true, err);
}

bool file_open(struct file *f, const char *path, struct err *err)
{
	struct stat st;
	bool ok;
	int fd;

	if (strcmp(path, "-") == 0)
		return open_piped(f, STDIN_FILENO, err);
	/* O_NONBLOCK: opening a named pipe without a writer must not hang. */
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0)
		return err_system(err, "cannot open");
	if (fstat(fd, &st) != 0 || S_ISREG(st.st_mode))
		return file_take(f, fd, false, err);
	if (!S_ISFIFO(st.st_mode)) {
		close(fd);
		return err_set(err, ERR_FORMAT, "%s, not an ONNX model", file_kind_of(&st));
	}
	/* <(process substitution) and named pipes are spooled like standard input. */
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
	ok = open_piped(f, fd, err);
	close(fd);
	return ok;
}

bool file_from_memory(struct file *f, const void *bytes, size_t size, struct err *err)
{
	int fd = file_spool(err);

	if (fd < 0)
		return false;
	if (!file_write_all(fd, bytes, size)) {
		err_system(err, "cannot write to a temporary file");
		close(fd);
		return false;
	}
	return file_take(f, fd, true, err);
}

bool file_read(const struct file *f, uint64_t at, void *out, size_t len, struct err *err)
{
	char *to = out;

	while (len) {
		ssize_t n = pread(f->fd, to, len, (off_t)at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_system(err, "cannot read at byte %" PRIu64, at);
		if (n == 0)
			return err_set(err, ERR_FORMAT, "unexpected end of file at byte %" PRIu64,
				       at);
		to += n;
		at += (uint64_t)n;
		len -= (size_t)n;
	}
	return true;
}

bool file_unchanged(const struct file *f)
{
	struct stat now;

	return fstat(f->fd, &now) == 0 && now.st_size == f->stamp.st_size &&
	       os_mtime(&now) == os_mtime(&f->stamp);
}

bool file_same_version(const struct stat *a, const struct stat *b)
{
	return a->st_ino == b->st_ino && a->st_dev == b->st_dev && a->st_size == b->st_size &&
	       os_mtime(a) == os_mtime(b);
}

void file_release(struct file *f)
{
	if (f->open)
		close(f->fd);
	*f = (struct file){0};
}
