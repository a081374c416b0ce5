/*
 * Pictures that another program draws: PNG and PDF, from our own positions, and whatever Graphviz
 * places itself.  dot draws when it is in PATH and has the engine for it, else rsvg-convert; see
 * program.h.
 */
#ifndef EXPORT_RENDER_RENDER_H
#define EXPORT_RENDER_RENDER_H

#include <stdio.h>

#include "base/err.h"
#include "export/sheet/sheet.h"

/* How large a drawing may be. */
enum render_limit {
	RENDER_ANY,
	RENDER_PIXELS, /* across, and in all: it is an image in memory */
	RENDER_POINTS, /* across: PDF viewers fail beyond */
	RENDER_LIMIT_COUNT
};

struct render_how {
	const char *format; /* as Graphviz calls it: "png" */
	const char *label;  /* in a sentence: "PNG" */
	enum render_limit limit;
	uint64_t pixels;  /* of an image */
	bool use_dot;     /* Graphviz places the boxes too */
	unsigned seconds; /* for each program that is run */
};

/* ERR_LIMIT: the image would be too large.  Sets strips and dpi of the sheet. */
bool render(struct sheet *s, const struct render_how *how, FILE *to, struct err *err) MUST_USE;

#endif
