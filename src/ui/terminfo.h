/*
 * What to draw for when terminfo has no entry for $TERM: kitty, foot or ghostty on a server
 * that has not heard of them, or a machine without any entries.
 *
 * First the nearest entries by name, then one that is built in.
 */
#ifndef UI_TERMINFO_H
#define UI_TERMINFO_H

#include <stddef.h>

#include "base/str.h"

/* The name of the built-in entry. */
#define TERMINFO_BUILTIN "axed-builtin"

/* The i-th entry to try instead of that of `term`; NULL after the last. */
const char *terminfo_nearest(const char *term, size_t i);
/*
 * The built-in entry, as a value of $TERMINFO: "hex:" and the compiled bytes.  It is that of
 * an xterm with 256 colours; for a `term` of DEC's, that of a VT100.
 */
void terminfo_builtin(const char *term, struct str *out);

#endif
