/*
 * Completion of file names.
 */
#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

#include "app/cli_export.h"
#include "app/complete.h"
#include "base/str.h"
#include "base/sv.h"
#include "export/formats.h"

/* Folders end with a slash; hidden files only after a dot. */
static void complete_entry(const struct completing *c, const char *folder, const char *name,
			   bool models)
{
	struct sv typed = sv_after_last(c->prefix, '/');
	struct str path = {0}, word = {0};
	struct stat status;
	bool is_folder;

	str_format(&path, "%s%s", folder, name);
	is_folder = stat(str_c(&path), &status) == 0 && S_ISDIR(status.st_mode);
	str_add(&word, sv_through_last(c->prefix, '/'));
	str_format(&word, "%s%s", name, is_folder ? "/" : "");
	if ((name[0] != '.' || sv_starts(typed, SV("."))) && strcmp(name, ".") != 0 &&
	    strcmp(name, "..") != 0 && (is_folder || !models || sv_ends(sv_of(name), SV(".onnx"))))
		complete_offer(c, str_sv(&word), NULL);
	str_release(&path);
	str_release(&word);
}

static void complete_folder(const struct completing *c, bool models)
{
	struct sv typed = sv_through_last(c->prefix, '/');
	struct str folder = {0};
	struct dirent *entry;
	DIR *dir;

	str_add(&folder, typed.len ? typed : SV("./"));
	dir = opendir(str_c(&folder));
	while (dir && (entry = readdir(dir)))
		complete_entry(c, str_c(&folder), entry->d_name, models);
	if (dir)
		closedir(dir);
	str_release(&folder);
}

void complete_models(const struct completing *c)
{
	complete_folder(c, true);
}

void complete_files(const struct completing *c)
{
	complete_folder(c, false);
}

/* A file name for each format, and existing files. */
void complete_exports(const struct completing *c)
{
	struct str name = {0};

	for (int i = 0; c->path && i < FORMAT_COUNT; i++) {
		export_file_name(&name, c->path, format_row((enum format_id)i));
		complete_offer(c, str_sv(&name), NULL);
		str_clear(&name);
	}
	str_release(&name);
	complete_folder(c, false);
}
