/*
 * A window of a picture as cells.  The caller provides window.width x window.height of
 * them; only the window is drawn, so a picture may have any size.
 *
 * Every cell records what it belongs to, so that a click can find a line.  Texts come
 * from the caller, line by line; a screen that colours parts of them leaves `label` NULL
 * and writes into the rectangles of the items itself.
 */
#ifndef LAYOUT_DRAW_H
#define LAYOUT_DRAW_H

#include "base/str.h"
#include "base/sv.h"
#include "layout/picture/picture.h"

enum role {
	ROLE_NONE,
	ROLE_LINE,
	ROLE_STUB,
	ROLE_FRAME,
	ROLE_TITLE, /* in the upper border */
	ROLE_TEXT,
	ROLE_COUNT
};

struct cell {
	uint32_t glyph; /* a character; 0 is the right half of the one before */
	enum role role;
	uint32_t item; /* SKETCH_NONE outside items */
	uint32_t net;  /* SKETCH_NONE; where two nets cross, the one on top */
};

struct drawing {
	bool ascii;
	uint32_t selected; /* item with a heavy frame; SKETCH_NONE */
	/* Line 0 is the title (of an item of height 1: the text).  Long text is cut. */
	void (*label)(void *context, uint32_t item, uint32_t line, struct str *out);
	void (*name)(void *context, uint32_t net, struct str *out);
	uint32_t (*mark)(void *context, uint32_t item); /* in lanes; NULL: a diamond */
	void *context;                                  /* borrowed */
};

/* Directions in which a cell's line continues; together they select its glyph. */
enum direction {
	DIR_UP = 1 << 0,
	DIR_DOWN = 1 << 1,
	DIR_LEFT = 1 << 2,
	DIR_RIGHT = 1 << 3
};

uint32_t line_glyph(unsigned directions, bool ascii);
void picture_draw(const struct picture *p, struct rect window, const struct drawing *how,
		  struct cell *out);
/* Writes text into a row of cells, cut with an ellipsis; never more than `columns`. */
void cells_text(struct cell *cells, int32_t columns, struct sv text, struct cell like, bool ascii);
/* Lines of UTF-8, without trailing blanks. */
void cells_print(struct str *s, const struct cell *cells, int32_t width, int32_t height);

#endif
