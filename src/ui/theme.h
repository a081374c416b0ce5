/*
 * The colours of styles.
 *
 *   # dark.theme
 *   symbol-1 = 208/3 bold
 *   header   = 15/7 on 24/4
 *   unknown  = 203/1 underline
 *
 * A colour is 0-255 or `default`; after the slash comes the one for 8-colour terminals.
 * Attributes: bold dim italic underline reverse.  An unnamed style has the colours of `text`.
 */
#ifndef UI_THEME_H
#define UI_THEME_H

#include "base/err.h"
#include "base/sv.h"
#include "ui/canvas.h"

enum {
	THEME_BOLD = 1 << 0,
	THEME_DIM = 1 << 1,
	THEME_ITALIC = 1 << 2,
	THEME_UNDERLINE = 1 << 3,
	THEME_REVERSE = 1 << 4
};

struct look {
	int16_t fg, bg;   /* -1: the terminal's default */
	int16_t fg8, bg8; /* for 8 colours */
	uint8_t attrs;
};

struct theme {
	struct look looks[STYLE_COUNT];
};

/* Errors name the line. */
bool theme_parse(struct theme *t, struct sv text, struct err *err) MUST_USE;
/* No colours: attributes only. */
void theme_plain(struct theme *t);

#endif
