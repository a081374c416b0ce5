/*
 * Lines on standard output, for people: not wider than the terminal, broken between words.
 */
#ifndef APP_WRAP_H
#define APP_WRAP_H

#include "base/sv.h"

/* Columns of the terminal that standard output is; 0 when it is none. */
size_t terminal_width(void);
/*
 * The text and a line break.  What does not fit the width goes on below, after so many
 * spaces; a width of 0 is no limit.  The text must be fit to be seen.
 */
void line_print(struct sv text, size_t width, size_t indent);

#endif
