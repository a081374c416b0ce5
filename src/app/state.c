#include "app/state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/os.h"
#include "edit/journal/folder.h"
#include "edit/journal/lock.h"

enum {
	LARGEST_STATE = 1 << 16
};

static bool state_folder(int *out, bool make, struct err *err)
{
	struct str path = {0};
	bool ok = folder_open(out, &path, make, err);

	str_release(&path);
	return ok;
}

bool state_read(const char *name, struct str *out)
{
	struct err ignored;
	struct file f = {0};
	struct stat st;
	int folder;
	bool ok = false;

	if (!state_folder(&folder, false, &ignored))
		return false;
	f.fd = lock_open_own(folder, name, O_RDONLY, &ignored);
	close(folder);
	if (f.fd < 0)
		return false;
	if (fstat(f.fd, &st) == 0 && st.st_size > 0 && st.st_size <= LARGEST_STATE) {
		str_repeat(out, 0, (size_t)st.st_size);
		ok = file_read(&f, 0, out->at, (size_t)st.st_size, &ignored);
	}
	close(f.fd);
	return ok;
}

/* Beside the old one until it is whole; two that write at once are one too many. */
static bool state_replace(int folder, const char *name, const char *fresh, struct sv text,
			  struct err *err)
{
	int fd = lock_open_own(folder, fresh, O_RDWR | O_CREAT, err);
	bool ok;

	if (fd < 0)
		return false;
	ok = os_lock(fd) || os_lacks_locks(errno);
	ok = ok && ftruncate(fd, 0) == 0 && write(fd, text.at, text.len) == (ssize_t)text.len &&
	     renameat(folder, fresh, folder, name) == 0;
	if (!ok)
		err_system(err, "cannot write %s", name);
	close(fd);
	return ok;
}

bool state_write(const char *name, struct sv text, struct err *err)
{
	struct str fresh = {0};
	int folder;
	bool ok;

	if (!state_folder(&folder, true, err))
		return false;
	str_format(&fresh, "%s.new", name);
	ok = state_replace(folder, name, str_c(&fresh), text, err);
	close(folder);
	str_release(&fresh);
	return ok;
}

void state_forget(const char *name)
{
	struct err ignored;
	int folder;

	if (!state_folder(&folder, false, &ignored))
		return;
	(void)unlinkat(folder, name, 0);
	close(folder);
}
