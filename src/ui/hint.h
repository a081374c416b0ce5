/*
 * What may be typed next: the row at the bottom, and the list above it while a sequence of keys is
 * incomplete.
 */
#ifndef UI_HINT_H
#define UI_HINT_H

#include "ui/screen.h"

/*
 * The keys that work now, in row y; `columns` of it.  Words that do not fit are dropped, but
 * never the last ones: how to get on, and how to get out.
 */
void hint_draw(struct screen *s, int y, int columns);
/* The keys that may follow, above row y. */
void hint_draw_following(struct screen *s, int y);
/* The words that Tab offers, above row y. */
void hint_draw_candidates(struct screen *s, int y);

#endif
