#include "tests/paths.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/str.h"
#include "base/vec.h"

static void push(struct paths *p, const char *folder, const char *name)
{
	struct str s = {0};

	str_format(&s, "%s%s%s", folder, *folder ? "/" : "", name);
	vec_push(p, s.at);
}

static int by_text(const void *left, const void *right)
{
	return strcmp(*(char *const *)left, *(char *const *)right);
}

static bool is_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static void add_folder(struct paths *p, DIR *dir, const char *folder, struct sv ending)
{
	size_t first = p->len;
	struct dirent *entry;

	while ((entry = readdir(dir))) {
		if (entry->d_name[0] == '.' || !sv_ends(sv_of(entry->d_name), ending))
			continue;
		push(p, folder, entry->d_name);
		if (!is_file(*vec_last(p))) {
			free(*vec_last(p));
			vec_pop(p);
		}
	}
	if (p->len == first) {
		fprintf(stderr, "%s: no files *%s\n", folder, ending.at);
		exit(99);
	}
	qsort(p->at + first, p->len - first, sizeof(*p->at), by_text);
}

void paths_add(struct paths *p, const char *path, const char *ending)
{
	DIR *dir = opendir(path);

	if (!dir) {
		push(p, "", path);
		return;
	}
	add_folder(p, dir, path, sv_of(ending));
	closedir(dir);
}

void paths_add_words(struct paths *p, int count, char **words, const char *ending)
{
	for (int i = 1; i < count; i++)
		paths_add(p, words[i], ending);
}

void paths_release(struct paths *p)
{
	for (size_t i = 0; i < p->len; i++)
		free(p->at[i]);
	vec_release(p);
}

const char *path_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}
