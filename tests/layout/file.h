/*
 * Golden files: an input, a line of dashes, and the expected drawing.
 */
#ifndef TESTS_LAYOUT_FILE_H
#define TESTS_LAYOUT_FILE_H

#include "base/str.h"

typedef bool golden_draw(const char *path, struct sv input, struct str *out);

/*
 * Arguments: [--update] FILE|FOLDER...; one TAP line per file.  --update, or UPDATE in the
 * environment, rewrites drawings that differ: check every one of them.
 */
int golden_main(int count, char **words, golden_draw *draw);

/* The next line of a text, without its end; false if there is none. */
bool next_line(struct sv *text, struct sv *out);
/* The next word of a line, without blanks around it. */
struct sv next_word(struct sv *line);

#endif
