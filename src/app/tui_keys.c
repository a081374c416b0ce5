/*
 * Dispatches keys: to the prompt, the overlay, or the line they are bound to.
 */
#include <ctype.h>
#include <string.h>

#include "app/paths.h"
#include "app/tui_field.h"
#include "app/tui_keymap.h"
#include "app/tui_session.h"
#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "cmd/keys.h"
#include "edit/journal/journal.h"
#include "ui/prompt.h"
#include "ui/screen.h"
#include "ui/terminal.h"

/* ---- the prompt ---- */

static void write_and_leave(struct session *s)
{
	session_do(s, SV("wq"));
}

static void keys_abandon(struct session *s)
{
	session_do(s, SV("quit!"));
}

static void keys_recover(struct session *s)
{
	session_recover(s);
	session_renew(s);
}

static void keys_discard(struct session *s)
{
	size_t count = journal_left(s->document.journal)->count;

	journal_discard(s->document.journal);
	screen_say(&s->screen, false, "discarded %zu edit%s", count, count == 1 ? "" : "s");
}

static void leave_as_is(struct session *s)
{
	s->done = true;
}

static const struct {
	enum question question;
	uint32_t key;
	void (*run)(struct session *s);
} keys_answers[] = {
	{QUESTION_LEAVE, 'w', write_and_leave},      {QUESTION_LEAVE, 'l', keys_abandon},
	{QUESTION_LEAVE, KEY_ESCAPE, NULL},          {QUESTION_JOURNAL, 'r', keys_recover},
	{QUESTION_JOURNAL, 'd', keys_discard},       {QUESTION_JOURNAL, 'l', leave_as_is},
	{QUESTION_JOURNAL, KEY_ESCAPE, leave_as_is}, {QUESTION_NOTHING, KEY_ESCAPE, NULL},
	{QUESTION_NOTHING, KEY_RETURN, NULL},        {QUESTION_NOTHING, 3 /* Ctrl-C */, NULL},
};

/* Any other key leaves the question open. */
static void keys_answer(struct session *s, uint32_t key)
{
	for (size_t i = 0; i < ARRAY_LEN(keys_answers); i++) {
		if (keys_answers[i].question != s->asking || keys_answers[i].key != key)
			continue;
		s->asking = QUESTION_NONE;
		prompt_close(&s->screen.prompt);
		if (keys_answers[i].run)
			keys_answers[i].run(s);
		return;
	}
}

void session_ask_journal(struct session *s)
{
	struct str label = {0}, left = {0};

	session_describe_left(s, &left);
	if (left.len) {
		left.at[0] = (char)toupper((unsigned char)left.at[0]);
		str_format(&label, " %s. (r)ecover, (d)iscard, (l)eave: ", str_c(&left));
		session_prompt(s, '?', str_c(&label), SV(""));
		s->asking = QUESTION_JOURNAL;
	}
	str_release(&label);
	str_release(&left);
}

/* ---- what is typed ---- */

static void finish_prompt(struct session *s)
{
	struct prompt *p = &s->screen.prompt;
	struct str line = {0};

	if (p->kind == '/')
		str_text(&line, "search ");
	str_add(&line, str_sv(&p->text));
	prompt_remember(p);
	prompt_close(p);
	session_do(s, str_sv(&line));
	str_release(&line);
}

static void cancel_prompt(struct session *s)
{
	prompt_close(&s->screen.prompt);
	field_close(s);
	session_end_preview(s);
	session_renew(s);
}

/* Enter on what was refused, and not changed since, adds the option that was offered. */
static void accept_offer(struct session *s, struct str *line)
{
	if (s->offer.typed != s->screen.prompt.typed)
		str_clear(&s->offer.line);
	else if (s->offer.way)
		str_format(&s->offer.line, " %s", s->offer.way);
	s->offer.way = NULL;
	str_add(line, str_sv(&s->offer.line));
}

static void tell_refused(struct session *s, const struct err *err)
{
	static const struct {
		const char *way, *words;
	} offers[] = {
		{"--force", "Enter again sets it anyway"},
		{"--merge", "Enter again merges them"},
	};
	struct prompt *p = &s->screen.prompt;

	s->offer.way = err->way;
	s->offer.typed = p->typed;
	p->bad = true;
	str_clear(&p->why);
	str_clear(&p->offer);
	str_add(&p->why, field_refusal(err));
	for (size_t i = 0; err->way && i < ARRAY_LEN(offers); i++) {
		if (strcmp(err->way, offers[i].way) == 0)
			str_text(&p->offer, offers[i].words);
	}
}

/* An edit that fails keeps its text, and what it would change stays in sight. */
static void finish_edit(struct session *s)
{
	struct prompt *p = &s->screen.prompt;
	struct str line = {0};
	struct err err = {0};

	if (s->field.open && !s->field.tries && !s->field.kept.len && !field_was_typed(s)) {
		cancel_prompt(s);
		return;
	}
	field_line(s, &line);
	accept_offer(s, &line);
	str_clear(&s->screen.notice);
	if (session_run(s, str_sv(&line), &err)) {
		if (!s->field.open)
			prompt_remember(p);
		prompt_close(p);
		field_close(s);
		session_renew(s);
	} else {
		s->previewed = 0;
		session_preview(s);
		tell_refused(s, &err);
	}
	str_release(&line);
}

static void prompt_typed(struct session *s, uint32_t key)
{
	struct completions words = {0};

	if (s->asking) {
		keys_answer(s, key);
		return;
	}
	switch (prompt_key(&s->screen.prompt, key)) {
	case PROMPT_DONE:
		if (s->screen.prompt.kind == 'e' || s->screen.prompt.kind == '=')
			finish_edit(s);
		else
			finish_prompt(s);
		break;
	case PROMPT_CANCELLED:
		cancel_prompt(s);
		break;
	case PROMPT_BEFORE:
	case PROMPT_AFTER:
		session_end_preview(s);
		session_renew(s);
		field_step(s, key == KEY_CURSOR_UP || key == 16 ? -1 : 1);
		break;
	case PROMPT_COMPLETE:
		session_complete(s, &words);
		prompt_complete(&s->screen.prompt, &words);
		break;
	case PROMPT_GOES_ON:
		break;
	}
}

/* ---- keys ---- */

static void show_pending(struct session *s)
{
	str_clear(&s->screen.pending);
	keys_print(&s->screen.pending, &s->typed);
	str_add(&s->screen.pending, str_sv(&s->awaited));
	session_following(s);
}

static void run_bound(struct session *s, struct sv line)
{
	struct str copy = {0};

	str_add(&copy, line);
	if (sv_ends(line, SV(" ")))
		str_add(&s->awaited, line);
	else
		session_do(s, str_sv(&copy));
	str_release(&copy);
}

static void take_awaited(struct session *s, uint32_t key)
{
	struct str line = {0};

	str_add(&line, str_sv(&s->awaited));
	str_clear(&s->awaited);
	str_clear(&s->screen.notice);
	choices_clear(&s->screen);
	if (key > 32 && key < 127) {
		str_char(&line, (char)key);
		session_do(s, str_sv(&line));
	}
	str_release(&line);
}

static void keys_tell_unbound(struct session *s)
{
	struct str name = {0};

	if (s->typed.at[s->typed.count - 1] == KEY_UNNAMED)
		str_text(&name, "this key");
	else
		keys_print(&name, &s->typed);
	screen_say(&s->screen, true, "%s is not bound; ? lists the keys", str_c(&name));
	str_release(&name);
}

static void command_key(struct session *s, uint32_t key)
{
	struct sv line;

	if (s->awaited.len) {
		take_awaited(s, key);
		return;
	}
	if (key == KEY_ESCAPE && s->typed.count) {
		s->typed.count = 0;
		return;
	}
	s->typed.at[s->typed.count++] = key;
	switch (keymap_find(&s->keymap, &s->typed, &line)) {
	case KEYS_WHOLE:
		s->typed.count = 0;
		run_bound(s, line);
		break;
	case KEYS_MORE:
		break;
	case KEYS_NOTHING:
		if (key != KEY_RESIZED && key != KEY_BACKGROUND)
			keys_tell_unbound(s);
		s->typed.count = 0;
		break;
	}
	if (s->typed.count == KEYS_LONGEST)
		s->typed.count = 0;
}

static void mouse_key(struct session *s, struct event e)
{
	static const enum motion wheel[] = {MOTION_UP, MOTION_DOWN, MOTION_LEFT, MOTION_RIGHT};

	if (e.key >= KEY_WHEEL_UP && e.key <= KEY_WHEEL_RIGHT)
		screen_scroll(&s->screen, e.x, e.y, wheel[e.key - KEY_WHEEL_UP]);
	else
		screen_click(&s->screen, e.x, e.y, e.key == KEY_OPEN_CLICK);
}

static void keys_resized(struct session *s)
{
	int width, height;

	if (!s->terminal)
		return;
	terminal_size(s->terminal, &width, &height);
	screen_resize(&s->screen, width, height);
}

/* The terminal's answer, before or after the first frame. */
static void keys_background(struct session *s)
{
	if (!s->themed)
		session_theme(s);
}

/* Keys that an overlay does not handle work as usual, but q closes it. */
static bool overlay_key(struct session *s, uint32_t key)
{
	if (s->screen.overlay == OVERLAY_NONE)
		return false;
	if (screen_overlay_key(&s->screen, key))
		return true;
	if (key == 'q')
		screen_overlay(&s->screen, OVERLAY_NONE);
	return key == 'q';
}

static bool is_mouse(uint32_t key)
{
	return key >= KEY_CLICK && key <= KEY_WHEEL_RIGHT;
}

/* Outside a prompt, pasted text must not trigger key bindings. */
static bool is_stray(const struct session *s, struct event e)
{
	bool typing = s->screen.prompt.open && !s->asking;

	return e.pasted && !typing && s->screen.overlay == OVERLAY_NONE;
}

static void take_key(struct session *s, struct event e)
{
	/* The next key dismisses a message. */
	if (!is_mouse(e.key)) {
		s->dismissed = s->screen.notice.len;
		str_clear(&s->screen.notice);
	}
	if (s->screen.prompt.open)
		prompt_typed(s, e.key);
	else if (overlay_key(s, e.key))
		return;
	else if (!is_mouse(e.key))
		command_key(s, e.key);
	else if (s->screen.overlay == OVERLAY_NONE)
		mouse_key(s, e);
}

/* Esc followed at once by a key looks like Alt; if that is not bound, take it as two keys. */
static bool is_escape_and_key(const struct session *s, uint32_t key)
{
	struct keys typed = {{key}, 1};
	struct sv line;

	return key & KEY_ALT_BIT && (s->screen.prompt.open || s->screen.overlay != OVERLAY_NONE ||
				     keymap_find(&s->keymap, &typed, &line) == KEYS_NOTHING);
}

void session_key(struct session *s, struct event e)
{
	if (is_escape_and_key(s, e.key)) {
		session_key(s, (struct event){.key = KEY_ESCAPE});
		e.key &= ~(uint32_t)KEY_ALT_BIT;
	}
	if (e.key == KEY_RESIZED)
		keys_resized(s);
	else if (e.key == KEY_BACKGROUND)
		keys_background(s);
	else if (is_stray(s, e))
		screen_say(&s->screen, true, "to paste, open a line with : or /");
	else
		take_key(s, e);
	if (s->screen.page_wanted && s->terminal)
		terminal_copy(s->terminal, str_sv(&s->screen.page));
	s->screen.page_wanted = false;
	if (s->screen.line.len) {
		struct str line = s->screen.line;

		s->screen.line = (struct str){0};
		session_do(s, str_sv(&line));
		str_release(&line);
	}
	show_pending(s);
	/* In a terminal, typed text is drawn first: the loop previews when no key is waiting. */
	if (!s->terminal) {
		session_preview(s);
		session_live(s);
	}
}

/* ---- configuration ---- */

void session_configure(struct session *s)
{
	struct str path = {0}, text = {0};
	struct err err;
	struct sv rest;

	if (config_path(&path, "config") && text_read(str_c(&path), &text, &err)) {
		rest = str_sv(&text);
		s->configuring = true;
		for (size_t number = 1; rest.len; number++) {
			if (!session_run(s, sv_cut(&rest, '\n'), &err))
				screen_say(&s->screen, true, "%s: line %zu: %s", str_c(&path),
					   number, err.text);
		}
		s->configuring = false;
	}
	str_release(&path);
	str_release(&text);
}
