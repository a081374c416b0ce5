/*
 * What comes from a terminal that curses has opened: keys, the mouse, pasted text, and the answer
 * to the question what its background is.  For curses.c alone.
 */
#ifndef UI_KEYBOARD_H
#define UI_KEYBOARD_H

#include "ui/background.h"
#include "ui/paste.h"
#include "ui/terminal.h"

struct keyboard {
	int fd; /* borrowed */
	struct paste paste;
	struct background_answer answer;
	int64_t asked_ms; /* when the background was asked for */
	enum background background;
	int clicked_x, clicked_y; /* to detect a double click */
	int64_t clicked_ms;
};

/* What waits; no key when nothing does. */
struct event keyboard_read(struct keyboard *k);
/* The question was sent. */
void keyboard_asked(struct keyboard *k);
/* An answer that comes after the end would be typed into the shell. */
void keyboard_await_background(struct keyboard *k);
/* The marks around pasted text become keys. */
void keyboard_paste(bool on);

#endif
