#include "tests/wire/scratch.h"

#include <dirent.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[256];
static struct str paths[8];

const char *scratch_folder(void)
{
	const char *top = getenv("TMPDIR");

	if (!folder[0]) {
		snprintf(folder, sizeof(folder), "%s/axed-test-XXXXXX", top && *top ? top : "/tmp");
		if (!mkdtemp(folder)) {
			perror("mkdtemp");
			exit(99);
		}
		chmod(folder, 0755);
	}
	return folder;
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

void scratch_remove(void)
{
	if (folder[0])
		nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
	folder[0] = '\0';
	for (size_t i = 0; i < ARRAY_LEN(paths); i++)
		str_release(&paths[i]);
}

void scratch_in_memory(void)
{
	if (access("/dev/shm", W_OK) == 0)
		setenv("TMPDIR", "/dev/shm", 0);
	atexit(scratch_remove);
}

const char *scratch_path(int slot, const char *name)
{
	str_clear(&paths[slot]);
	str_format(&paths[slot], "%s/%s", scratch_folder(), name);
	return str_c(&paths[slot]);
}

bool read_whole(const char *path, struct str *out)
{
	FILE *f = fopen(path, "rb");
	char buffer[65536];
	size_t n;

	str_clear(out);
	if (!f)
		return false;
	while ((n = fread(buffer, 1, sizeof(buffer), f)) > 0)
		str_add(out, (struct sv){buffer, n});
	fclose(f);
	return true;
}

bool write_whole(const char *path, struct sv bytes)
{
	FILE *f = fopen(path, "wb");
	bool ok = f && fwrite(bytes.at, 1, bytes.len, f) == bytes.len;

	return f && fclose(f) == 0 && ok;
}

int count_entries(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	int count = 0;

	if (!dir)
		return -1;
	while ((entry = readdir(dir)))
		count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
	closedir(dir);
	return count;
}
