#include "ui/terminfo.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/base.h"
#include "base/str.h"

/* In order of preference, for names that start so. */
static const struct {
	const char *start, *entry;
} terminfo_likes[] = {
	{"tmux", "screen-256color"},
	{"screen", "screen-256color"},
	{"linux", "linux"},
	{"vt", "vt220"},
	{"vt", "vt100"},
	{"", "xterm-256color"},
	{"", "xterm"},
	{"", "vt100"},
};

const char *terminfo_nearest(const char *term, size_t i)
{
	for (size_t row = 0; row < ARRAY_LEN(terminfo_likes); row++) {
		const char *start = terminfo_likes[row].start;

		if (strncmp(term, start, strlen(start)) == 0 && i-- == 0)
			return terminfo_likes[row].entry;
	}
	return NULL;
}

/* ---- the built-in entry ---- */

enum level {
	LEVEL_VT100,
	LEVEL_XTERM
};

struct capability {
	uint16_t place;
	enum level level;
	uint16_t number;
	const char *text;
};

static const struct capability terminfo_flags[] = {
#define FLAG(name, place, level) {place, LEVEL_##level, 0, NULL},
#define NUMBER(name, place, level, value)
#define TEXT(name, place, level, value)
#include "ui/terminfo.def"
#undef FLAG
#undef NUMBER
#undef TEXT
};

static const struct capability terminfo_numbers[] = {
#define FLAG(name, place, level)
#define NUMBER(name, place, level, value) {place, LEVEL_##level, value, NULL},
#define TEXT(name, place, level, value)
#include "ui/terminfo.def"
#undef FLAG
#undef NUMBER
#undef TEXT
};

static const struct capability terminfo_texts[] = {
#define FLAG(name, place, level)
#define NUMBER(name, place, level, value)
#define TEXT(name, place, level, value) {place, LEVEL_##level, 0, value},
#include "ui/terminfo.def"
#undef FLAG
#undef NUMBER
#undef TEXT
};

static void put_byte(struct str *out, unsigned byte)
{
	static const char digits[] = "0123456789ABCDEF";

	str_char(out, digits[byte >> 4 & 15]);
	str_char(out, digits[byte & 15]);
}

static void put_short(struct str *out, unsigned number)
{
	put_byte(out, number & 255);
	put_byte(out, number >> 8 & 255);
}

static void put_bytes(struct str *out, const char *text)
{
	do
		put_byte(out, (unsigned char)*text);
	while (*text++);
}

/* The rows are sorted by place: the next one, if it is there. */
static const struct capability *take_row(const struct capability *rows, size_t *next,
					 unsigned place, enum level level)
{
	const struct capability *row = &rows[*next];

	if (row->place != place)
		return NULL;
	++*next;
	return row->level <= level ? row : NULL;
}

static void put_flags(struct str *out, unsigned count, enum level level)
{
	size_t next = 0;

	for (unsigned place = 0; place < count; place++)
		put_byte(out, take_row(terminfo_flags, &next, place, level) ? 1 : 0);
}

static void put_numbers(struct str *out, unsigned count, enum level level)
{
	size_t next = 0;

	for (unsigned place = 0; place < count; place++) {
		const struct capability *row = take_row(terminfo_numbers, &next, place, level);

		put_short(out, row ? row->number : 0xffff);
	}
}

/* Their offsets, and the texts themselves. */
static void put_texts(struct str *offsets, struct str *texts, unsigned count, enum level level)
{
	size_t next = 0;

	for (unsigned place = 0; place < count; place++) {
		const struct capability *row = take_row(terminfo_texts, &next, place, level);

		put_short(offsets, row ? (unsigned)texts->len / 2 : 0xffff);
		if (row)
			put_bytes(texts, row->text);
	}
}

/*
 * Without it ncurses asks for mouse reports that end at column 223.  It has no place in the
 * old tables, but a name in an appendix: counts, offsets of values and of names, texts.
 */
static void put_mouse_mode(struct str *out)
{
	static const char name[] = "XM", mode[] = "\033[?1006;1000%?%p1%{1}%=%th%el%;";
	const unsigned head[] = {0, 0, 1, 2, sizeof(mode) + sizeof(name), 0, 0};

	for (size_t i = 0; i < ARRAY_LEN(head); i++)
		put_short(out, head[i]);
	put_bytes(out, mode);
	put_bytes(out, name);
}

#define PLACES(rows) (rows[ARRAY_LEN(rows) - 1].place + 1U)

void terminfo_builtin(const char *term, struct str *out)
{
	enum {
		MAGIC = 0432
	};
	enum level level = strncmp(term, "vt", 2) == 0 ? LEVEL_VT100 : LEVEL_XTERM;
	unsigned flags = PLACES(terminfo_flags), numbers = PLACES(terminfo_numbers),
		 texts = PLACES(terminfo_texts);
	struct str offsets = {0}, bytes = {0};
	size_t names = sizeof(TERMINFO_BUILTIN);

	put_texts(&offsets, &bytes, texts, level);
	str_text(out, "hex:");
	put_short(out, MAGIC);
	put_short(out, (unsigned)names);
	put_short(out, flags);
	put_short(out, numbers);
	put_short(out, texts);
	put_short(out, (unsigned)bytes.len / 2);
	put_bytes(out, TERMINFO_BUILTIN);
	put_flags(out, flags, level);
	if ((names + flags) % 2)
		put_byte(out, 0);
	put_numbers(out, numbers, level);
	str_add(out, str_sv(&offsets));
	str_add(out, str_sv(&bytes));
	if (bytes.len / 2 % 2)
		put_byte(out, 0);
	if (level == LEVEL_XTERM)
		put_mouse_mode(out);
	str_release(&offsets);
	str_release(&bytes);
}
