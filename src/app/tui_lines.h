/*
 * The lines that can be run on an open document: each has a row in lines.def and a function in
 * one of the files tui_lines_*.c.
 */
#ifndef APP_TUI_LINES_H
#define APP_TUI_LINES_H

#include "app/complete.h"
#include "base/err.h"
#include "base/sv.h"

struct session;

/* A line that is being run. */
struct call {
	struct session *session;      /* borrowed */
	const struct line_kind *kind; /* borrowed: its row */
	struct sv line;               /* as written */
	const struct sv *words;       /* borrowed: its name first; each is followed by a NUL */
	size_t count;                 /* of the words: at least 1 */
	struct err *err;              /* borrowed: why it failed */
};

/* What a line does.  Each has either LINE_LOOKS or LINE_ASKS. */
enum line_flag {
	LINE_LOOKS = 1 << 0,      /* only changes the view: keeps a preview */
	LINE_ASKS = 1 << 1,       /* uses the document: ends a preview first */
	LINE_EDITS = 1 << 2,      /* is previewed while being typed */
	LINE_WRITES = 1 << 3,     /* writes a file or runs a program: refused when read-only */
	LINE_TAKES = 1 << 4,      /* changes the document: refused while another axed has it */
	LINE_CONFIGURES = 1 << 5, /* may be in the configuration */
	LINE_SCRIPTED = 1 << 6,   /* prints, or sets the size: refused on the screen */
	LINE_REST = 1 << 7,       /* its last word is the rest of the line */
};

/* How a line writes: its argument, as bits. */
enum write_how {
	WRITE_PLAIN = 0,
	WRITE_FORCE = 1 << 0, /* replaces whatever may be replaced */
	WRITE_QUIT = 1 << 1,
};

typedef bool run_line(const struct call *c);

/* The rows' functions; several rows may share one. */
#define LINE(run, argument, name, abbreviation, usage, completes, flags, group, help) \
	run_line line_##run;
#include "app/lines.def"
#undef LINE

struct line_kind {
	const char *name, *abbreviation, *usage, *group, *help;
	run_line *run;
	enum complete_id completes; /* the words after its name */
	int argument;               /* for `run`: a motion, a step, bits or a bool; 0 when unused */
	unsigned flags;             /* of enum line_flag */
};

extern const struct line_kind line_kinds[];
extern const size_t line_kind_count;

/* By its name or abbreviation; NULL for none. */
const struct line_kind *line_kind_named(struct sv name);
/* The same, or by an unambiguous prefix; else sets how many lines it matches. */
const struct line_kind *line_kind_find(struct sv name, size_t *out_fits);
/* Other words for what it does, from synonyms.def; "" for none. */
const char *line_kind_synonyms(const struct line_kind *kind);
/* Is one of them the word, or does it begin so? */
bool line_kind_is_called(const struct line_kind *kind, struct sv word, bool whole);
/* The most words that it takes after its name; SIZE_MAX for any number. */
size_t line_kind_most_words(const struct line_kind *kind);
/* Whether it needs arguments. */
bool line_kind_needs_words(const struct line_kind *kind);
/* Word i of the line; false and an empty text when there is none. */
bool call_word(const struct call *c, size_t i, struct sv *out);
/* Fails with the usage, such as "zoom in|out". */
bool call_usage(const struct call *c);

#endif
