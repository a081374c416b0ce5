/*
 * The terminal: cells out, keys in.  Only curses.c and keyboard.c, behind this header, know curses.
 *
 * The terminal is always restored: at the end, on suspension, on a fatal signal and after a
 * crash.
 */
#ifndef UI_TERMINAL_H
#define UI_TERMINAL_H

#include "base/err.h"
#include "base/sv.h"
#include "ui/background.h"
#include "ui/canvas.h"
#include "ui/theme.h"

struct event {
	uint32_t key; /* see cmd/keys.h; 0 for none */
	int x, y;     /* of the mouse */
	bool pasted;  /* pasted, not typed; line ends became spaces */
};

struct terminal;

/* Fails if there is no usable terminal.  An unknown one is taken for the nearest known. */
struct terminal *terminal_open(bool mouse, bool color, struct err *err);
void terminal_close(struct terminal *t);
void terminal_size(const struct terminal *t, int *width, int *height);
/* As it answered; KEY_BACKGROUND says when.  Unknown before that, and when it never answers. */
enum background terminal_background(const struct terminal *t);
/* 0, 8 or 256. */
int terminal_colors(const struct terminal *t);
/* What an unknown TERM is taken for; NULL when it is known. */
const char *terminal_substitute(const struct terminal *t);
void terminal_mouse(struct terminal *t, bool on);
/* False while the output is blocked: writing now would block the keys too. */
bool terminal_has_room(const struct terminal *t);
/* Sends the changes since the last call. */
void terminal_show(struct terminal *t, const struct canvas *c, const struct theme *theme);
/* Sends everything: another program wrote on the screen. */
void terminal_redraw(struct terminal *t);
/* Moves the cursor; hides it outside the screen. */
void terminal_cursor(struct terminal *t, int x, int y);
/* Waits up to `ms` (-1: forever) for a key.  Sets *out_end on a terminating signal. */
struct event terminal_wait(struct terminal *t, int ms, bool *out_end);
/* Suspends the program and returns when it is resumed. */
void terminal_suspend(struct terminal *t);
/* Copies text to the clipboard by the terminal (OSC 52). */
void terminal_copy(struct terminal *t, struct sv text);

#endif
