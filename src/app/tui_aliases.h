/*
 * Names that the user gives to lines: `alias wide focus 3`, and then `:wide`.
 *
 * What follows the name when it is typed follows the line.  An alias is no name of a line, and is
 * expanded once, so that none can hide a line or run for ever.
 */
#ifndef APP_TUI_ALIASES_H
#define APP_TUI_ALIASES_H

#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"

struct alias {
	struct str name, line;
};

struct aliases {
	VEC(struct alias) list; /* each name once */
};

/* Replaces the one of that name. */
bool alias_set(struct aliases *a, struct sv name, struct sv line, struct err *err) MUST_USE;
/* False when the line does not start with an alias. */
bool alias_expand(const struct aliases *a, struct sv line, struct str *out);
void aliases_release(struct aliases *a);

#endif
