/*
 * The lines of edges on paper, one after the other: a name at a cut is given to the first.
 */
#ifndef EXPORT_PAPER_ROUTES_H
#define EXPORT_PAPER_ROUTES_H

#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "export/paper/paper.h"
#include "export/sheet/sheet.h"
#include "layout/picture/picture.h"

enum {
	NAME_BESIDE = 5 /* points from a line to its name */
};

/* One end of a cut line. */
struct line_end {
	struct point at;
	bool named; /* already labelled */
};

/* Bézier curves: a point, then three for each curve. */
struct line {
	VEC(struct point) points;
	size_t second;              /* where the second piece begins; 0 when it is not cut */
	struct point head;          /* the tip of the arrow; the line ends ARROW above it */
	struct line_end left, back; /* of a cut */
};

/* Names above or below strips. */
struct cut_names {
	struct map rows;  /* spot of the cut << 32 | net -> row of its name, from 1 */
	uint32_t *counts; /* owned; by strip */
};

struct routes {
	const struct paper *paper; /* borrowed */
	struct line *line;         /* borrowed; being made */
	uint32_t net;
	struct point at;     /* written up to here; from here ... */
	struct point next;   /* ... straight to here */
	VEC(uint32_t) spots; /* from the reader up to the producer or the cut */
	struct cut_names above, below;
	struct map stubs; /* spot -> 1 once its name is written */
};

void routes_begin(struct routes *r, const struct paper *p);
/* The line of an upward link of an item. */
void routes_line(struct routes *r, const struct picture_link *up, uint32_t reader,
		 struct line *out);
/* The name of a net at a cut, as on the screen; returns its width. */
int32_t routes_add_name(const struct sheet *s, uint32_t net, bool head, struct str *out);
void routes_release(struct routes *r);
void line_release(struct line *l);

#endif
