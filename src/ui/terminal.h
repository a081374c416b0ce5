/*
 * The terminal: cells out, keys in.  The one file that knows curses is behind this.
 *
 * Whatever happens, the terminal is given back as it was: at the end, on suspension, on a
 * signal that ends the program and when it crashes.
 */
#ifndef UI_TERMINAL_H
#define UI_TERMINAL_H

#include "base/err.h"
#include "ui/theme.h"

struct event {
	uint32_t key; /* see cmd/keys.h; 0 for none */
	int x, y;     /* of the mouse */
	bool pasted;  /* text that nobody typed; line ends came as spaces */
};

struct terminal;

/* Fails with a sentence when there is no terminal that can do it. */
struct terminal *terminal_open(bool mouse, struct err *err);
void terminal_close(struct terminal *t);
void terminal_size(const struct terminal *t, int *width, int *height);
/* 0, 8 or 256. */
int terminal_colors(const struct terminal *t);
void terminal_mouse(struct terminal *t, bool on);
/* False while the line is full: what is sent now would have to wait, and the keys with it. */
bool terminal_has_room(const struct terminal *t);
/* Sends what changed since the last time. */
void terminal_show(struct terminal *t, const struct canvas *c, const struct theme *theme);
/* Everything again: somebody else wrote on the screen. */
void terminal_redraw(struct terminal *t);
/* Where the cursor blinks; outside to hide it. */
void terminal_cursor(struct terminal *t, int x, int y);
/* Waits up to `ms` (-1: for ever) for a key.  A signal to end is told by *out_end. */
struct event terminal_wait(struct terminal *t, int ms, bool *out_end);
/* Gives the terminal to the shell until the user comes back. */
void terminal_suspend(struct terminal *t);
/* Puts text into the clipboard of the user's terminal (OSC 52). */
void terminal_copy(struct terminal *t, struct sv text);

#endif
