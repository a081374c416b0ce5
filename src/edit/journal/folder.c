#include "edit/journal/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

static bool make_folders(struct str *path, struct err *err)
{
	for (size_t i = 1; i <= path->len; i++) {
		char c = path->at[i];

		if (c != '/' && i != path->len)
			continue;
		path->at[i] = 0;
		if (mkdir(path->at, 0700) != 0 && errno != EEXIST)
			return err_system(err, "cannot create %s", path->at);
		path->at[i] = c;
	}
	return true;
}

static bool name_folder(struct str *out, struct err *err)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");

	if (state && *state == '/')
		str_format(out, "%s/axed", state);
	else if (home && *home == '/')
		str_format(out, "%s/.local/state/axed", home);
	else
		return err_set(err, ERR_USAGE,
			       "neither XDG_STATE_HOME nor HOME is an absolute path");
	return true;
}

bool folder_open(int *out, struct str *out_path, bool make, struct err *err)
{
	int fd;

	if (!name_folder(out_path, err))
		return false;
	fd = open(str_c(out_path), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT && make) {
		if (!make_folders(out_path, err))
			return false;
		fd = open(str_c(out_path), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	}
	if (fd < 0)
		return err_system(err, "%s", str_c(out_path));
	*out = fd;
	return true;
}
