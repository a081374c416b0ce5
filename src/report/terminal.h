/*
 * Prints lines to standard output, wrapped between words to the width of the terminal.
 */
#ifndef REPORT_TERMINAL_H
#define REPORT_TERMINAL_H

#include "base/sv.h"

/* Columns of the terminal at standard output; 0 when it is not one. */
size_t terminal_width(void);
/*
 * Prints the text and a newline.  Text that exceeds the width continues on the next line,
 * indented; a width of 0 means no limit.  The text must already be escaped.
 */
void line_print(struct sv text, size_t width, size_t indent);

#endif
