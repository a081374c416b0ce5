#include "wire/external.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/os.h"
#include "base/utf8.h"

bool external_init(struct external_files *e, const char *path, struct err *err)
{
	struct str folder = {0};
	bool ok = true;

	*e = (struct external_files){.folder = -1};
	if (!path || strcmp(path, "-") == 0)
		return true;
	str_add(&folder, sv_folder(sv_of(path)));
	e->folder = open(str_c(&folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (e->folder < 0)
		ok = err_system(err, "cannot open its folder %s", str_c(&folder));
	str_release(&folder);
	return ok;
}

static bool external_refuse(struct sv location, const char *why, struct err *err)
{
	struct str shown = {0};

	str_add_shown(&shown, (struct sv){location.at, MIN(location.len, 200)});
	err_set(err, ERR_REFUSED, "external data '%s' %s", str_c(&shown), why);
	str_release(&shown);
	return false;
}

static bool cannot_open(struct sv location, int reason, struct err *err)
{
	struct err why;

	external_refuse(location, "cannot be opened", &why);
	errno = reason;
	return err_system(err, "%s", why.text);
}

/* Dots that lead back to the folder lead nowhere else, but are not followed either. */
static bool external_refuse_dots(struct sv location, struct err *err)
{
	int64_t depth = 0;

	for (struct sv rest = location; rest.len && depth >= 0;) {
		struct sv part = sv_cut(&rest, '/');

		if (sv_is(part, ".."))
			depth--;
		else if (part.len && !sv_is(part, "."))
			depth++;
	}
	external_refuse(location,
			depth < 0 ? "leads out of the model's folder" : "has '..' in its path",
			err);
	if (depth >= 0)
		err->kind = ERR_LIMIT;
	return false;
}

bool external_location_ok(struct sv location, struct err *err)
{
	if (location.len == 0)
		return err_set(err, ERR_FORMAT, "external data without a location");
	if (sv_has(location, '\0'))
		return external_refuse(location, "has a NUL in its name", err);
	if (location.at[0] == '/')
		return external_refuse(location, "is an absolute path, outside the model's folder",
				       err);
	for (struct sv rest = location; rest.len;) {
		if (sv_is(sv_cut(&rest, '/'), ".."))
			return external_refuse_dots(location, err);
	}
	return true;
}

static bool open_new(struct external_files *e, struct err *err)
{
	struct sv location = str_sv(&e->location);
	struct stat st;
	int fd;

	if (!external_location_ok(location, err))
		return false;
	if (e->folder < 0) {
		external_refuse(location, "cannot be found: the model came from a pipe", err);
		err->kind = ERR_LIMIT;
		return false;
	}
	fd = os_open_below(e->folder, e->location.at);
	if (fd < 0 && errno == EXDEV)
		return external_refuse(location, "leads out of the model's folder", err);
	if (fd < 0)
		return cannot_open(location, errno, err);
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
		close(fd);
		return external_refuse(location, "is not a regular file", err);
	}
	e->open = (struct file){.fd = fd, .open = true, .size = (uint64_t)st.st_size, .stamp = st};
	return true;
}

const struct file *external_open(struct external_files *e, struct sv location, struct err *err)
{
	if (!e->asked || !sv_eq(location, str_sv(&e->location))) {
		file_release(&e->open);
		e->failure = (struct err){0};
		e->asked = true;
		str_clear(&e->location);
		str_add(&e->location, location);
		if (!open_new(e, &e->failure))
			file_release(&e->open);
	}
	if (e->open.open)
		return &e->open;
	*err = e->failure;
	return NULL;
}

void external_release(struct external_files *e)
{
	file_release(&e->open);
	str_release(&e->location);
	if (e->folder >= 0)
		close(e->folder);
	*e = (struct external_files){.folder = -1};
}
