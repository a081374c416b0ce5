/*
 * What the files of lines share: their words, and how one is written.
 */
#ifndef APP_TUI_LINES_H
#define APP_TUI_LINES_H

#include "app/tui_session.h"

/* The function of a row of lines.def. */
#define VIEW_LINE(id) \
	bool line_##id(struct session *s, const struct words *w, struct sv line, struct err *err)

/* Word i of the line; false, and the empty text, when there is none. */
bool line_word(const struct words *w, size_t i, struct sv *out);
/* "zoom in|out": what the line should have been. */
bool line_usage(const struct words *w, const char *text, struct err *err);

#endif
