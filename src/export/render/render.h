/*
 * Rendering with Graphviz.  The input is untrusted and some layouts never end: the caller is a
 * process of its own, which may die of any signal here, of SIGALRM after the timeout.  What
 * Graphviz allocates is not freed.
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
	const char *format; /* as Graphviz calls it */
	enum render_limit limit;
	const char *engine; /* nop2 keeps our positions; dot computes its own */
	unsigned seconds;   /* timeout; 0 for none */
};

/* ERR_LIMIT: the image would be too large. */
bool render(struct sheet *s, const struct render_how *how, FILE *to, struct err *err) MUST_USE;

#endif
