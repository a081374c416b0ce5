/*
 * Whether the screen may draw with Unicode.
 *
 * A server or a container often has no locale, or one that is not installed, while the terminal
 * in front of it takes UTF-8 for granted.
 */
#ifndef APP_TUI_CHARSET_H
#define APP_TUI_CHARSET_H

#include <stdbool.h>

enum charset {
	CHARSET_OTHER, /* not UTF-8, or LC_ALL asks for C: ASCII */
	CHARSET_UTF8,
	CHARSET_GUESSED /* nobody said UTF-8, but it is very likely */
};

/* Changes LC_CTYPE to a locale with UTF-8, if it guesses. */
enum charset charset_choose(void);

#endif
