/*
 * Paths in the arguments of a test.  A folder stands for its files, so that a new file in it
 * is tested without being listed elsewhere.
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
 * Adds a file, or a folder's files with this ending, sorted, without hidden ones and
 * subfolders.  A folder without any ends the program: a test of nothing must not pass.
 */
void paths_add(struct paths *p, const char *path, const char *ending);
/* Adds every argument but the first. */
void paths_add_words(struct paths *p, int count, char **words, const char *ending);
void paths_release(struct paths *p);
/* The part after the last slash. */
const char *path_name(const char *path);

#endif
