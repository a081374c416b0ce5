/*
 * The lines that can be run on an open document: a row of lines.def and a function each, in
 * one of the files tui_lines_*.c.
 */
#ifndef APP_TUI_LINES_H
#define APP_TUI_LINES_H

#include "app/tui_session.h"
#include "base/err.h"

/* A line that is being run. */
struct call {
	struct session *session;      /* borrowed */
	const struct line_kind *kind; /* borrowed: its row */
	struct sv line;               /* as it was written */
	const struct sv *words;       /* borrowed: its name first; each is followed by a NUL */
	size_t count;                 /* of the words: at least 1 */
	struct err *err;              /* borrowed: why it failed */
};

typedef bool run_line(const struct call *c);

/* The functions of the rows; several rows may have the same one. */
#define LINE(run, argument, name, abbreviation, usage, group, help) run_line line_##run;
#include "app/lines.def"
#undef LINE

struct line_kind {
	const char *name, *abbreviation, *usage, *group, *help;
	run_line *run;
	int argument; /* for `run`: a motion, a step, a yes or no; 0 when it wants none */
};

extern const struct line_kind line_kinds[];
extern const size_t line_kind_count;

/* A whole name, a short name, or a beginning that only one line has. */
const struct line_kind *line_kind_find(struct sv name, size_t *out_fits);
/* Word i of the line; false, and the empty text, when there is none. */
bool call_word(const struct call *c, size_t i, struct sv *out);
/* "zoom in|out": what the line should have been. */
bool call_usage(const struct call *c);

#endif
