/*
 * A recipe: actions as text, one per line, to replay on the next export.
 *
 *   # axed recipe
 *   set input:0=batch mask:0=batch
 *   repair input:0
 *
 * Empty lines and everything after a # are ignored.
 */
#ifndef EDIT_RECIPE_H
#define EDIT_RECIPE_H

#include "base/err.h"
#include "base/str.h"
#include "edit/document.h"

/* Writes the actions that are not undone, atomically. */
bool recipe_write(struct document *d, const char *path, struct err *err) MUST_USE;

struct recipe_result {
	size_t done;
	size_t failed;
	struct str failures; /* "line 3: sentence", one per line */
};

/* Runs every line it can, with --force if asked.  Fails when the file cannot be read. */
bool recipe_apply(struct document *d, const char *path, bool force, struct recipe_result *out,
		  struct err *err) MUST_USE;
void recipe_result_release(struct recipe_result *r);

#endif
