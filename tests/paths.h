/*
 * Paths on the command line of a test: a folder stands for its files, so that the folder is
 * the list and a new file in it is tested without a word elsewhere.
 */
#ifndef TESTS_PATHS_H
#define TESTS_PATHS_H

#include <stddef.h>

struct paths {
	char **at; /* owned, and each */
	size_t len;
	size_t cap;
};

/*
 * A file; or the files in a folder whose names end so, sorted, without hidden ones and those in
 * folders below.  A folder without any ends the program: a test of nothing must not pass.
 */
void paths_add(struct paths *p, const char *path, const char *ending);
/* Every word but the first. */
void paths_add_words(struct paths *p, int count, char **words, const char *ending);
void paths_release(struct paths *p);
/* What comes after the last slash. */
const char *path_name(const char *path);

#endif
