#include "app/paths.h"

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/nearest.h"
#include "base/sv.h"

enum {
	LARGEST_TEXT = 1 << 20,
	MAX_ENTRIES = 10000 /* of a folder */
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

/* The ending, which all models have, makes no two names alike. */
static struct sv model_stem(struct sv name)
{
	struct sv ending = SV(".onnx");

	return sv_ends(name, ending) ? (struct sv){name.at, name.len - ending.len} : name;
}

bool model_nearest(const char *path, struct str *out)
{
	struct sv folder = sv_through_last(sv_of(path), '/'), best = {0};
	struct str place = {0}, name = {0};
	struct dirent *entry;
	struct sv wanted = sv_skip(sv_of(path), folder.len);
	bool has_ending = model_stem(wanted).len < wanted.len;
	struct nearest near;
	DIR *dir;

	if (access(path, F_OK) == 0)
		return false;
	str_add(&place, folder.len ? folder : SV("."));
	nearest_begin(&near, model_stem(wanted));
	dir = opendir(str_c(&place));
	for (size_t i = 1; dir && i < MAX_ENTRIES && (entry = readdir(dir)); i++) {
		struct sv have = sv_of(entry->d_name);

		if (sv_ends(have, SV(".onnx")))
			nearest_offer(&near, model_stem(have), i);
		if (sv_ends(have, SV(".onnx")) && !has_ending)
			nearest_offer(&near, have, i);
		if (near.found && near.which == i) {
			str_clear(&name);
			str_text(&name, entry->d_name);
		}
	}
	if (dir)
		closedir(dir);
	best = str_sv(&name);
	if (best.len) {
		str_add(out, folder);
		str_add(out, best);
	}
	str_release(&place);
	str_release(&name);
	return out->len;
}
