/*
 * The lines that can be run on an open document: a row of lines.def and a function each, in
 * one of the files tui_lines_*.c.
 */
#ifndef APP_TUI_LINES_H
#define APP_TUI_LINES_H

#include "app/tui_session.h"
#include "base/words.h"

typedef bool run_line(struct session *s, const struct words *w, struct sv line, struct err *err);

/* One function per row of lines.def. */
#define LINE(id, name, abbreviation, usage, group, help) run_line line_##id;
#include "app/lines.def"
#undef LINE

struct line_kind {
	const char *name, *abbreviation, *usage, *group, *help;
	run_line *run;
};

extern const struct line_kind line_kinds[];
extern const size_t line_kind_count;

/* The function of a row of lines.def. */
#define VIEW_LINE(id) \
	bool line_##id(struct session *s, const struct words *w, struct sv line, struct err *err)

/* A whole name, a short name, or a beginning that only one line has. */
const struct line_kind *line_kind_find(struct sv name, size_t *out_fits);
/* Word i of the line; false, and the empty text, when there is none. */
bool line_word(const struct words *w, size_t i, struct sv *out);
/* "zoom in|out": what the line should have been. */
bool line_usage(const struct words *w, const char *text, struct err *err);

#endif
