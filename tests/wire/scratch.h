/*
 * A private folder for a test, and whole files in memory.
 */
#ifndef TESTS_SCRATCH_H
#define TESTS_SCRATCH_H

#include "base/str.h"

/* Creates an empty folder; scratch_remove removes it with its contents. */
const char *scratch_folder(void);
void scratch_remove(void);
/* For many runs: the folder is in memory if possible, and removed at exit. */
void scratch_in_memory(void);
/* A path in it; valid until the next call with the same slot. */
const char *scratch_path(int slot, const char *name);
bool read_whole(const char *path, struct str *out);
bool write_whole(const char *path, struct sv bytes);
/* The number of entries of a folder, without . and .. */
int count_entries(const char *folder);

#endif
