/*
 * The screen as cells: a glyph, its style, and its click target.
 *
 * A frame is drawn here completely, then the changes are sent to the terminal; tests read the
 * same cells.  Drawing is clipped to the canvas and to the given columns.  Text from a file is
 * shown escaped.
 */
#ifndef UI_CANVAS_H
#define UI_CANVAS_H

#include "base/str.h"
#include "base/sv.h"

enum style {
#define STYLE(id, name, help) STYLE_##id,
#include "ui/roles.def"
#undef STYLE
	STYLE_COUNT
};

enum {
	STYLE_SYMBOLS = STYLE_SYMBOL_10 - STYLE_SYMBOL_1 + 1,
	STYLE_LANES = STYLE_LANE_6 - STYLE_LANE_1 + 1,
	CANVAS_WIDEST = 2000, /* columns that are used of a wider window */
	CANVAS_TALLEST = 1000
};

struct glyph {
	uint32_t code;   /* 0: the right half of a wide glyph */
	uint8_t style;   /* enum style */
	uint8_t ground;  /* the style that gives the background; STYLE_TEXT for none */
	uint32_t target; /* what a click here means to the pane; 0 for nothing */
};

struct box {
	int x, y, width, height;
};

struct canvas {
	int width, height;
	struct glyph *cells; /* owned; row-major */
	bool ascii;
	uint8_t ground;  /* of what is drawn from now on */
	uint32_t target; /* likewise */
};

void canvas_resize(struct canvas *c, int width, int height);
void canvas_clear(struct canvas *c);
void canvas_release(struct canvas *c);
/* NULL outside the canvas. */
struct glyph *canvas_at(struct canvas *c, int x, int y);
void canvas_put(struct canvas *c, int x, int y, uint32_t code, enum style style);
/* At most `columns`, with an ellipsis when `cut`; returns the columns used. */
int canvas_text(struct canvas *c, int x, int y, int columns, struct sv text, enum style style);
/* Ends at column x + columns. */
void canvas_right(struct canvas *c, int x, int y, int columns, struct sv text, enum style style);
void canvas_fill(struct canvas *c, struct box box, uint32_t code, enum style style);
/* Sets the background, but for the dim cursor, and keeps the glyphs. */
void canvas_ground(struct canvas *c, struct box box, enum style style);
/* Sets the style and keeps the glyphs. */
void canvas_restyle(struct canvas *c, struct box box, enum style style);
/* A frame with a title in its top border. */
void canvas_frame(struct canvas *c, struct box box, struct sv title, enum style frame,
		  enum style title_style);
/* The same of what lies over others: at its corners it joins the frames that go on beside it. */
void canvas_popup(struct canvas *c, struct box box, struct sv title, enum style title_style);
/* A drawing character, or its ASCII substitute. */
uint32_t canvas_mark(const struct canvas *c, uint32_t code);

/* Prints UTF-8 lines without trailing spaces; with `styles`, lists the runs of each style. */
void canvas_print(struct str *out, const struct canvas *c, bool styles);
const char *style_name(enum style style);
bool style_find(struct sv name, enum style *out);

#endif
