#include "edit/journal/shelf.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/file.h"
#include "base/sv.h"
#include "edit/journal/folder.h"

enum {
	NAME_SEED = 0x61786564,
	LARGEST_JOURNAL = 64 << 20
};

/* ---- the names ---- */

/* Of a file that does not exist yet, the folder must. */
static bool full_path(const char *path, struct str *out, struct err *err)
{
	struct sv name = sv_after_last(sv_of(path), '/');
	char *real = realpath(path, NULL);
	struct str folder = {0};

	if (!real && errno == ENOENT) {
		str_add(&folder, sv_folder(sv_of(path)));
		real = realpath(str_c(&folder), NULL);
		str_release(&folder);
		if (real)
			str_format(out, "%s/", real);
		str_add(out, real ? name : SV(""));
	} else if (real) {
		str_text(out, real);
	}
	free(real);
	return out->len || err_system(err, "%s", path);
}

static bool take_lock(struct shelf *s, const char *path, struct err *err)
{
	long holder;

	switch (lock_take(&s->taken, s->folder, str_c(&s->lock), &holder, err)) {
	case LOCK_TAKEN:
		return true;
	case LOCK_HELD:
		if (holder)
			return err_set(err, ERR_REFUSED, "%s is open in another axed, process %ld",
				       path, holder);
		return err_set(err, ERR_REFUSED, "%s is open in another axed", path);
	case LOCK_FAILED:
		break;
	}
	return err_prefix(err, "%s", str_c(&s->place));
}

bool shelf_take(struct shelf *s, const char *path, bool make, struct err *err)
{
	uint64_t digest;

	*s = (struct shelf){.folder = -1};
	if (!full_path(path, &s->model, err) || !folder_open(&s->folder, &s->place, make, err)) {
		shelf_release(s);
		return false;
	}
	digest = digest_bytes(str_sv(&s->model), NAME_SEED);
	str_format(&s->journal, "%016" PRIx64 ".journal", digest);
	str_format(&s->lock, "%016" PRIx64 ".lock", digest);
	if (take_lock(s, path, err))
		return true;
	shelf_release(s);
	return false;
}

void shelf_release(struct shelf *s)
{
	lock_release(&s->taken);
	if (s->folder >= 0)
		close(s->folder);
	str_release(&s->place);
	str_release(&s->model);
	str_release(&s->journal);
	str_release(&s->lock);
	*s = (struct shelf){.folder = -1};
}

bool shelf_read(const struct shelf *s, struct str *out, struct err *err)
{
	struct file f = {.fd = lock_open_own(s->folder, str_c(&s->journal), O_RDONLY, err)};
	struct stat st;
	bool ok;

	if (f.fd < 0)
		return errno == ENOENT;
	ok = fstat(f.fd, &st) == 0 || err_system(err, "%s", str_c(&s->journal));
	if (ok && st.st_size > LARGEST_JOURNAL)
		ok = err_set(err, ERR_LIMIT, "%s is too large for a journal", str_c(&s->journal));
	if (ok && st.st_size > 0) {
		str_repeat(out, 0, (size_t)st.st_size);
		ok = file_read(&f, 0, out->at, (size_t)st.st_size, err);
	}
	close(f.fd);
	return ok;
}
