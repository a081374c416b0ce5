/*
 * A folder of its own for a test, and whole files in memory.
 */
#ifndef TESTS_SCRATCH_H
#define TESTS_SCRATCH_H

#include "base/str.h"

/* Makes a new empty folder; gone at scratch_remove with all that is in it. */
const char *scratch_folder(void);
void scratch_remove(void);
/* For many runs: where it can, the folder will be in memory; and it is gone at exit. */
void scratch_in_memory(void);
/* A path in it; valid until the same slot is asked for again. */
const char *scratch_path(int slot, const char *name);
bool read_whole(const char *path, struct str *out);
bool write_whole(const char *path, struct sv bytes);
/* How many entries a folder has, besides . and .. */
int count_entries(const char *folder);

#endif
