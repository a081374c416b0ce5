/*
 * Golden files: an input, a line of dashes, and the drawing that is expected of it.
 */
#ifndef TESTS_LAYOUT_FILE_H
#define TESTS_LAYOUT_FILE_H

#include "base/str.h"

typedef bool golden_draw(const char *path, struct sv input, struct str *out);

/*
 * Words: [--update] FILE|FOLDER...; one TAP line a file.  With --update, or UPDATE in the
 * environment, drawings that differ are kept: look at every one of them.
 */
int golden_main(int count, char **words, golden_draw *draw);

/* The next line of a text, without its end; false when there is none. */
bool next_line(struct sv *text, struct sv *out);
/* The next word of a line, blanks around it removed. */
struct sv next_word(struct sv *line);

#endif
