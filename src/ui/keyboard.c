#include "ui/keyboard.h"

#include <curses.h>
#include <poll.h>
#include <string.h>
#include <wchar.h>

#include "base/clock.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "cmd/keys.h"

enum {
	/* Codes for keys that curses does not name. */
	CODE_PASTE = KEY_MAX + 1000,
	CODE_PASTED
};

static const struct {
	int curses;
	uint32_t key;
} keyboard_special[] = {
	{KEY_UP, KEY_CURSOR_UP},       {KEY_DOWN, KEY_CURSOR_DOWN}, {KEY_LEFT, KEY_CURSOR_LEFT},
	{KEY_RIGHT, KEY_CURSOR_RIGHT}, {KEY_PPAGE, KEY_PAGE_UP},    {KEY_NPAGE, KEY_PAGE_DOWN},
	{KEY_HOME, KEY_TO_START},      {KEY_END, KEY_TO_END},       {KEY_DC, KEY_REMOVE},
	{KEY_BTAB, KEY_BACK_TAB},      {KEY_BACKSPACE, KEY_RUBOUT}, {KEY_ENTER, KEY_RETURN},
	{KEY_F(1), KEY_FUNCTION_1},
};

static bool is_second_click(struct keyboard *k, const MEVENT *m)
{
	enum {
		PAIR_MS = 400
	};
	int64_t ms = clock_ms();
	bool second = k->clicked_ms && ms - k->clicked_ms < PAIR_MS && m->x == k->clicked_x &&
		      m->y == k->clicked_y;
	k->clicked_x = m->x;
	k->clicked_y = m->y;
	k->clicked_ms = second ? 0 : ms; /* a third click starts again */
	return second;
}

static struct event mouse_event(struct keyboard *k)
{
	MEVENT m;
	struct event e = {0};
	bool shift;

	if (getmouse(&m) == ERR)
		return e;
	shift = m.bstate & BUTTON_SHIFT;
	e.x = m.x;
	e.y = m.y;
	if (m.bstate & BUTTON1_PRESSED)
		e.key = is_second_click(k, &m) ? KEY_OPEN_CLICK : KEY_CLICK;
	else if (m.bstate & BUTTON4_PRESSED)
		e.key = shift ? KEY_WHEEL_LEFT : KEY_WHEEL_UP;
	else if (m.bstate & BUTTON5_PRESSED)
		e.key = shift ? KEY_WHEEL_RIGHT : KEY_WHEEL_DOWN;
	return e;
}

/* KEY_RESIZE comes from our own resizeterm: the signal already changed the size. */
static struct event named_event(struct keyboard *k, int code)
{
	if (code == KEY_MOUSE)
		return mouse_event(k);
	if (code == CODE_PASTE)
		k->paste.open = true;
	for (size_t i = 0; i < ARRAY_LEN(keyboard_special); i++) {
		if (code == keyboard_special[i].curses)
			return (struct event){.key = keyboard_special[i].key};
	}
	if (code >= KEY_MIN && code < KEY_MAX && code != KEY_RESIZE)
		return (struct event){.key = KEY_UNNAMED};
	return (struct event){0};
}

static struct event plain_event(uint32_t code)
{
	if (code == 8)
		code = KEY_RUBOUT;
	return (struct event){.key = code == '\n' ? KEY_RETURN : code};
}

/* ---- the answer about the background ---- */

/* Soon after the question, the rest of what looks like an answer is worth a moment. */
static bool background_is_due(const struct keyboard *k)
{
	enum {
		ANSWER_MS = 1000
	};

	return k->answer.awaited && clock_ms() - k->asked_ms < ANSWER_MS;
}

/* What was read with a paste comes first. */
static int next_code(struct keyboard *k, wint_t *out)
{
	enum {
		GAP_MS = 50 /* within an answer, on a slow line */
	};
	struct sv rest = paste_rest(&k->paste);
	int kind;

	if (rest.len) {
		*out = (unsigned char)rest.at[0];
		paste_skip(&k->paste, 1);
		return OK;
	}
	kind = get_wch(out);
	if (kind != ERR || !background_is_due(k))
		return kind;
	(void)poll(&(struct pollfd){.fd = k->fd, .events = POLLIN}, 1, GAP_MS);
	return get_wch(out);
}

/* Takes the characters of an answer that was begun; a key when it ends it, or is none of it. */
static struct event answer_event(struct keyboard *k)
{
	bool short_of_one = k->answer.len == 0;
	wint_t code;
	int kind;

	while ((kind = next_code(k, &code)) == OK) {
		enum background_step step = background_take(&k->answer, (uint32_t)code);

		if (step == BACKGROUND_OVER)
			return plain_event((uint32_t)code);
		if (step == BACKGROUND_GOES_ON)
			continue;
		k->background = background_read((struct sv){k->answer.text, k->answer.len});
		return (struct event){.key = KEY_BACKGROUND};
	}
	if (kind == KEY_CODE_YES) {
		k->answer.open = false;
		return named_event(k, (int)code);
	}
	/* Nothing follows: somebody typed it. */
	k->answer.open = !short_of_one || k->answer.len;
	return (struct event){.key = k->answer.open ? 0 : ']' | KEY_ALT_BIT};
}

/* Esc and a character at once are Alt; Esc and a named key are two keys. */
static struct event escape_event(struct keyboard *k)
{
	wint_t next; /* written to even when there is no input */
	int kind = next_code(k, &next);

	if (kind == OK && next == ']' && k->answer.awaited) {
		background_begin(&k->answer);
		return answer_event(k);
	}
	if (kind == OK)
		return (struct event){.key = (uint32_t)next | KEY_ALT_BIT};
	if (kind == KEY_CODE_YES)
		ungetch((int)next);
	return (struct event){.key = KEY_ESCAPE};
}

/* The key of a sequence that was read with a paste; a click has its place in bytes of its own. */
static struct event sequence_event(struct keyboard *k)
{
	struct sv rest = paste_rest(&k->paste), place;
	char text[16] = "";

	/* The shortest first: curses also finds a key by more than its sequence. */
	for (size_t len = 2; len <= MIN(rest.len, sizeof(text) - 1); len++) {
		int code;

		memcpy(text, rest.at, len);
		text[len] = '\0';
		code = key_defined(text);
		if (code <= 0)
			continue;
		paste_skip(&k->paste, len);
		place = paste_rest(&k->paste);
		if (code != KEY_MOUSE)
			return named_event(k, code);
		for (len = 0; len < place.len && !strchr("Mm", place.at[len]); len++)
			continue;
		paste_skip(&k->paste, MIN(len + 1, place.len));
		return (struct event){0};
	}
	paste_skip(&k->paste, 1);
	return (struct event){.key = KEY_ESCAPE};
}

/* Keys that were read together with a paste before them. */
static struct event read_ahead_key(struct keyboard *k)
{
	struct sv rest = paste_rest(&k->paste);
	struct utf8_char c;

	if (rest.at[0] == KEY_ESCAPE) {
		(void)paste_fill(&k->paste, k->fd); /* the rest of the sequence */
		if (k->answer.awaited && sv_starts(paste_rest(&k->paste), SV("\033]11;"))) {
			paste_skip(&k->paste, 2);
			background_begin(&k->answer);
			return answer_event(k);
		}
		return sequence_event(k);
	}
	c = utf8_next(rest);
	paste_skip(&k->paste, c.len);
	return plain_event(c.code < 0 ? (unsigned char)rest.at[0] : (uint32_t)c.code);
}

struct event keyboard_read(struct keyboard *k)
{
	struct event e = {0};
	wint_t code;
	int kind;

	/* Skip codes without a meaning here; a key may follow. */
	do {
		if (k->paste.open) {
			e.key = paste_next(&k->paste, k->fd);
			e.pasted = e.key;
		}
		if (e.key || k->paste.open)
			return e;
		if (k->answer.open)
			e = answer_event(k);
		if (e.key || k->answer.open)
			return e;
		if (paste_rest(&k->paste).len) {
			e = read_ahead_key(k);
			kind = KEY_CODE_YES;
			continue;
		}
		kind = get_wch(&code);
		if (kind == KEY_CODE_YES)
			e = named_event(k, (int)code);
	} while (kind == KEY_CODE_YES && !e.key);
	if (kind != OK)
		return e;
	return code == KEY_ESCAPE ? escape_event(k) : plain_event((uint32_t)code);
}

void keyboard_asked(struct keyboard *k)
{
	k->answer.awaited = true;
	k->asked_ms = clock_ms();
}

void keyboard_await_background(struct keyboard *k)
{
	enum {
		LEAVING_MS = 200 /* after the question */
	};
	int64_t left;

	while (k->answer.awaited && (left = k->asked_ms + LEAVING_MS - clock_ms()) > 0) {
		struct pollfd fd = {.fd = k->fd, .events = POLLIN};

		if (poll(&fd, 1, (int)left) != 1 || !(fd.revents & POLLIN))
			return;
		(void)keyboard_read(k);
	}
}

void keyboard_paste(bool on)
{
	define_key(PASTE_MARK, on ? CODE_PASTE : 0);
	define_key(PASTE_END, on ? CODE_PASTED : 0);
}
