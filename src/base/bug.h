/*
 * A broken invariant of the program, never bad input: prints the location, runs
 * the exit hook (the screen restores the terminal there) and aborts.
 */
#ifndef BASE_BUG_H
#define BASE_BUG_H

#include "base/base.h"

#define BUG_ON(condition)                                    \
	do {                                                 \
		if (condition)                               \
			bug(__FILE__, __LINE__, #condition); \
	} while (0)

NORETURN void bug(const char *file, int line, const char *condition);

/* Out of memory aborts: sizes from a file are checked before. */
void *must_alloc(size_t size) MUST_USE;
void *must_realloc(void *old, size_t size) MUST_USE;

/* Runs once, before abort(); only to restore what a killed program would leave broken. */
void bug_at_exit(void (*restore)(void));

#endif
