/*
 * The lines that can be run on an open document: a row of lines.def and a function each, in
 * one of the files tui_lines_*.c.
 */
#ifndef APP_TUI_LINES_H
#define APP_TUI_LINES_H

#include "base/err.h"
#include "base/sv.h"

struct completing;
struct session;

/* A line that is being run. */
struct call {
	struct session *session;      /* borrowed */
	const struct line_kind *kind; /* borrowed: its row */
	struct sv line;               /* as it was written */
	const struct sv *words;       /* borrowed: its name first; each is followed by a NUL */
	size_t count;                 /* of the words: at least 1 */
	struct err *err;              /* borrowed: why it failed */
};

/* What a line does.  Each looks or asks. */
enum line_flag {
	LINE_LOOKS = 1 << 0,  /* changes what is seen, and nothing else: a preview stays */
	LINE_ASKS = 1 << 1,   /* is about the document itself: a preview ends first */
	LINE_EDITS = 1 << 2,  /* is previewed while it is typed */
	LINE_WRITES = 1 << 3, /* a file: not for the lines of strangers */
};

typedef bool run_line(const struct call *c);
/* Offers words for what is typed behind the line's name; in tui_complete.c. */
typedef void complete_words(struct completing *c);

/* The functions of the rows; several rows may have the same one. */
#define LINE(run, argument, name, abbreviation, usage, completes, flags, group, help) \
	run_line line_##run;                                                          \
	complete_words complete_##completes;
#include "app/lines.def"
#undef LINE

struct line_kind {
	const char *name, *abbreviation, *usage, *group, *help;
	unsigned flags; /* of enum line_flag */
	run_line *run;
	int argument; /* for `run`: a motion, a step, a yes or no; 0 when it wants none */
	complete_words *complete;
};

extern const struct line_kind line_kinds[];
extern const size_t line_kind_count;

/* By its whole name or its short one; NULL for none. */
const struct line_kind *line_kind_named(struct sv name);
/* By these, or by a beginning that only one line has; how many lines it fits otherwise. */
const struct line_kind *line_kind_find(struct sv name, size_t *out_fits);
/* Is it nothing without words? */
bool line_kind_needs_words(const struct line_kind *kind);
/* Word i of the line; false, and the empty text, when there is none. */
bool call_word(const struct call *c, size_t i, struct sv *out);
/* "zoom in|out": what the line should have been. */
bool call_usage(const struct call *c);

#endif
