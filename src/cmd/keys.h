/*
 * Keys and their names: `j`, `Ctrl-P`, `Alt-O`, `PgUp`, `gg`.
 *
 * A key is a character, or one of the names below; Alt adds a bit.  Ctrl with a letter is
 * the character that terminals send for it, so Ctrl-I is Tab and Ctrl-M is Enter.
 */
#ifndef CMD_KEYS_H
#define CMD_KEYS_H

#include "base/str.h"
#include "base/sv.h"

enum {
	KEY_NAMED = 0x110000, /* keys from here on are not characters */
	KEY_ALT_BIT = 1 << 24,
	KEY_TAB = 9,
	KEY_RETURN = 13,
	KEY_ESCAPE = 27,
	KEY_RUBOUT = 127
};

enum key_name {
	KEY_CURSOR_UP = KEY_NAMED,
	KEY_CURSOR_DOWN,
	KEY_CURSOR_LEFT,
	KEY_CURSOR_RIGHT,
	KEY_PAGE_UP,
	KEY_PAGE_DOWN,
	KEY_TO_START,
	KEY_TO_END,
	KEY_REMOVE,
	KEY_BACK_TAB,
	KEY_CLICK,      /* the left button, at the position of the event */
	KEY_OPEN_CLICK, /* double click */
	KEY_WHEEL_UP,
	KEY_WHEEL_DOWN,
	KEY_WHEEL_LEFT,
	KEY_WHEEL_RIGHT,
	KEY_RESIZED,
	KEY_FUNCTION_1,
	KEY_UNNAMED,    /* any other key that the terminal knows; not for binding */
	KEY_BACKGROUND, /* the terminal said what its background is; not for binding */
	KEY_NAME_COUNT
};

enum {
	KEYS_LONGEST = 4 /* keys of one sequence */
};

struct keys {
	uint32_t at[KEYS_LONGEST];
	unsigned count;
};

/* Parses a sequence: a name, or characters one after the other.  False when it is invalid. */
bool keys_parse(struct sv text, struct keys *out);
void keys_print(struct str *out, const struct keys *keys);
/*
 * What somebody looks for, as keys_print writes it: C-r, ctrl+r, <c-r> and ^R are Ctrl-R, pageup is
 * PgUp.  A beginning, such as ctrl+, stays one; what is no key stays as it is.
 */
void keys_tidy(struct str *out, struct sv text);
void key_print(struct str *out, uint32_t key);

#endif
