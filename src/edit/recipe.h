/*
 * A recipe: actions as text, one a line, to be done again on the next export.
 *
 *   # axed recipe
 *   set input:0=batch mask:0=batch
 *   repair input:0
 *
 * Empty lines and what stands behind a # count for nothing.
 */
#ifndef EDIT_RECIPE_H
#define EDIT_RECIPE_H

#include "edit/document.h"

/* The actions that are done, as a file that appears whole or not at all. */
bool recipe_write(const struct document *d, const char *path, struct err *err) MUST_USE;

struct recipe_result {
	size_t done;
	size_t failed;
	struct str failures; /* "line 3: sentence", one a line */
};

/* Does every line it can.  Fails when the file cannot be read. */
bool recipe_apply(struct document *d, const char *path, struct recipe_result *out,
		  struct err *err) MUST_USE;
void recipe_result_release(struct recipe_result *r);

#endif
