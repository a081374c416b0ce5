#include "app/paths.h"

#include <stdlib.h>

#include "base/file.h"

enum {
	LARGEST_TEXT = 1 << 20
};

bool config_path(struct str *out, const char *name)
{
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");

	if (config && *config == '/')
		str_format(out, "%s/axed/%s", config, name);
	else if (home && *home == '/')
		str_format(out, "%s/.config/axed/%s", home, name);
	else
		return false;
	return true;
}

bool text_read(const char *path, struct str *out, struct err *err)
{
	struct file f = {0};
	bool ok;

	if (!file_open(&f, path, err))
		return err_prefix(err, "%s", path);
	ok = f.size <= LARGEST_TEXT || err_set(err, ERR_LIMIT, "%s: too large", path);
	if (ok && f.size) {
		str_repeat(out, ' ', f.size);
		ok = file_read(&f, 0, out->at, f.size, err) || err_prefix(err, "%s", path);
	}
	file_release(&f);
	return ok;
}
