#include "base/bug.h"

#include <stdio.h>
#include <stdlib.h>

/* The one mutable global: an abort has no other way to reach the terminal. */
static void (*restore_hook)(void);

void bug_at_exit(void (*restore)(void))
{
	restore_hook = restore;
}

/* Before anything is printed: leaving the screen would erase it. */
static void bug_restore(void)
{
	void (*hook)(void) = restore_hook;

	restore_hook = NULL;
	if (hook)
		hook();
}

void bug(const char *file, int line, const char *condition)
{
	bug_restore();
	fprintf(stderr, "axed: bug at %s:%d: %s\n", file, line, condition);
	abort();
}

static void *or_give_up(void *memory, size_t size)
{
	if (memory)
		return memory;
	bug_restore();
	fprintf(stderr, "axed: out of memory (%zu bytes requested)\n", size);
	abort();
}

void *must_alloc(size_t size)
{
	return or_give_up(malloc(size ? size : 1), size);
}

void *must_realloc(void *old, size_t size)
{
	return or_give_up(realloc(old, size ? size : 1), size);
}
