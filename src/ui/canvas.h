/*
 * The screen as cells: a glyph, what it means (its style), and what it belongs to.
 *
 * Everything is drawn here first, whole, and then sent to the terminal where it changed;
 * tests read the same cells.  Drawing is clipped to the canvas and to the given columns,
 * never past them.  Texts from a file are shown escaped.
 */
#ifndef UI_CANVAS_H
#define UI_CANVAS_H

#include "base/str.h"
#include "base/vec.h"

enum style {
#define STYLE(id, name, help) STYLE_##id,
#include "ui/roles.def"
#undef STYLE
	STYLE_COUNT
};

enum {
	STYLE_SYMBOLS = STYLE_SYMBOL_10 - STYLE_SYMBOL_1 + 1
};

struct glyph {
	uint32_t code;   /* 0: the right half of the one before */
	uint8_t style;   /* enum style */
	uint8_t ground;  /* enum style whose background it has; STYLE_TEXT for none */
	uint32_t target; /* what a click here means; the pane knows; 0 for nothing */
};

struct box {
	int x, y, width, height;
};

struct canvas {
	int width, height;
	struct glyph *cells; /* owned; row by row */
	bool ascii;
	uint8_t ground;  /* for what is drawn from now on */
	uint32_t target; /* the same */
};

void canvas_resize(struct canvas *c, int width, int height);
void canvas_clear(struct canvas *c);
void canvas_release(struct canvas *c);
/* NULL when it is outside. */
struct glyph *canvas_at(struct canvas *c, int x, int y);
void canvas_put(struct canvas *c, int x, int y, uint32_t code, enum style style);
/* At most `columns`, cut with an ellipsis when `cut`; gives the columns used. */
int canvas_text(struct canvas *c, int x, int y, int columns, struct sv text, enum style style);
/* Ends at column x + columns. */
void canvas_right(struct canvas *c, int x, int y, int columns, struct sv text, enum style style);
void canvas_fill(struct canvas *c, struct box box, uint32_t code, enum style style);
/* The background of a row, under what is there. */
void canvas_ground(struct canvas *c, struct box box, enum style style);
/* A frame with a title in its upper border. */
void canvas_frame(struct canvas *c, struct box box, struct sv title, enum style frame,
		  enum style title_style);
/* A character of the drawing set, or its stand-in where there is only ASCII. */
uint32_t canvas_mark(const struct canvas *c, uint32_t code);

/* Lines of UTF-8 without blanks at their ends; with `styles`, every run of a style is told. */
void canvas_print(struct str *out, const struct canvas *c, bool styles);
const char *style_name(enum style style);
bool style_find(struct sv name, enum style *out);

#endif
