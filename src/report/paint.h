/*
 * Text whose parts have looks, and the paints that show them on a terminal.
 *
 * What is measured and wrapped is the text alone: looks are written only when it is printed,
 * so colours change no byte of the content.  A symbol looks the same as on the screen.
 */
#ifndef REPORT_PAINT_H
#define REPORT_PAINT_H

#include <stdio.h>

#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "infer/hues.h"
#include "infer/infer.h"
#include "report/record.h"

/* Of the parts of a text. */
enum paint {
	PAINT_PLAIN,
	PAINT_TONE,                              /* plus an enum tone */
	PAINT_UNKNOWN = PAINT_TONE + TONE_COUNT, /* a size */
	PAINT_HEADING,
	PAINT_HUE, /* plus a colour of symbols less 1: see hue_colour */
	PAINT_COUNT = PAINT_HUE + HUES
};

struct coat {
	uint32_t at, len;
	unsigned paint;
};

/* All-zero is empty. */
struct painted {
	struct str text;        /* escaped */
	VEC(struct coat) coats; /* in order; what has none is plain */
};

void painted_clear(struct painted *p);
void painted_release(struct painted *p);
/* Raw text, which is escaped. */
void painted_add(struct painted *p, unsigned paint, struct sv text);
void painted_join(struct painted *to, const struct painted *from);

/* All-zero paints nothing. */
struct paints {
	bool on;
	const struct infer *in; /* borrowed: its symbols are painted; NULL for none */
	struct hues hues;
};

void paints_init(struct paints *p, bool on, const struct infer *in);
void paints_release(struct paints *p);

/* Adds a column of a record, as record_print_column does. */
void paint_column(struct paints *p, const struct record *r, uint32_t column, struct painted *out);
/* The same without tones: only sizes are painted. */
void paint_sizes(struct paints *p, const struct record *r, uint32_t column, struct painted *out);
void paint_print(const struct paints *p, const struct painted *text, FILE *out);
/*
 * Prints the text and a newline to standard output.  Text that exceeds the width continues on the
 * next line, indented; a width of 0 means no limit.  From byte `whole` on it is a phrase
 * that is neither parted nor left alone; 0 for none.
 */
void paint_line(const struct paints *p, const struct painted *text, size_t width, size_t indent,
		size_t whole);

#endif
