/*
 * A list and a line above it whose text narrows it: palette, help, start.
 */
#ifndef UI_OVERLAYS_CHOOSER_H
#define UI_OVERLAYS_CHOOSER_H

#include "ui/screen.h"

struct chooser {
	struct prompt filter;
	struct list list;
	size_t rows; /* that were seen last */
};

enum chosen {
	CHOSEN_NOTHING, /* none of its keys */
	CHOSEN_MOVE,
	CHOSEN_TYPED, /* the text is another: the list must be made anew */
	CHOSEN_ONE    /* the selected row it is */
};

void chooser_release(struct chooser *c);
enum chosen chooser_key(struct chooser *c, uint32_t key);
struct sv chooser_text(const struct chooser *c);
/* The line with its text, `count` at its right end; gives the box below for the rows. */
struct box chooser_draw(struct screen *s, struct chooser *c, struct box inside, struct sv count);
/* Does a text hold another, upper and lower case being the same? */
bool text_holds(struct sv text, struct sv part);

#endif
