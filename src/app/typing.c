/*
 * Keys: into the prompt, the overlay, or a line that they are bound to.
 */
#include <string.h>

#include "app/paths.h"
#include "app/session.h"
#include "base/utf8.h"
#include "ui/graph.h"

/* ---- previews ---- */

static bool is_edit(struct sv text)
{
	return sv_starts(text, SV("set ")) || sv_starts(text, SV("repair"));
}

static void tell_preview(struct session *s)
{
	size_t problems = 0;

	for (size_t i = 0; i < s->document.infer.findings.len; i++)
		problems += s->document.infer.findings.at[i].level <= LEVEL_LOSS &&
			    s->document.infer.findings.at[i].root == 0;
	str_clear(&s->screen.prompt.hint);
	str_format(&s->screen.prompt.hint,
		   "%zu shapes change, %zu problem%s   Enter apply   Esc cancel",
		   s->document.changed.len, problems, problems == 1 ? "" : "s");
}

void session_preview(struct session *s)
{
	struct prompt *p = &s->screen.prompt;
	struct err err;

	if (!p->open || p->kind != 'e' || s->previewed == p->typed)
		return;
	s->previewed = p->typed;
	p->bad = false;
	str_clear(&p->hint);
	document_end_preview(&s->document);
	if (is_edit(str_sv(&p->text))) {
		if (document_preview(&s->document, str_sv(&p->text), &err)) {
			if (s->document.previewing)
				tell_preview(s);
		} else {
			p->bad = true;
			str_text(&p->hint, err.text);
		}
	}
	session_renew(s);
}

/* ---- the prompt ---- */

static void answer(struct session *s, uint32_t key)
{
	s->asking = false;
	prompt_close(&s->screen.prompt);
	if (key == 'w')
		session_do(s, SV("wq"));
	else if (key == 'l')
		session_do(s, SV("quit!"));
}

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

static void prompt_typed(struct session *s, uint32_t key)
{
	struct completions words = {0};

	if (s->asking) {
		answer(s, key);
		return;
	}
	switch (prompt_key(&s->screen.prompt, key)) {
	case PROMPT_DONE:
		finish_prompt(s);
		break;
	case PROMPT_CANCELLED:
		prompt_close(&s->screen.prompt);
		document_end_preview(&s->document);
		session_renew(s);
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
}

static void run_bound(struct session *s, struct sv line)
{
	struct str copy = {0};

	str_add(&copy, line);
	if (line.len && line.at[line.len - 1] == ' ')
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
	if (key > 32 && key < 127) {
		str_char(&line, (char)key);
		session_do(s, str_sv(&line));
	}
	str_release(&line);
}

static void command_key(struct session *s, uint32_t key)
{
	struct sv line;

	if (s->awaited.len) {
		take_awaited(s, key);
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
		if (s->typed.count > 1 || key < KEY_NAMED) {
			struct str name = {0};

			keys_print(&name, &s->typed);
			screen_say(&s->screen, true, "%s does nothing; ? lists the keys",
				   str_c(&name));
			str_release(&name);
		}
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

static void resized(struct session *s)
{
	int width, height;

	if (!s->terminal)
		return;
	terminal_size(s->terminal, &width, &height);
	screen_resize(&s->screen, width, height);
}

static bool overlay_key(struct session *s, uint32_t key)
{
	return s->screen.overlay != OVERLAY_NONE && screen_overlay_key(&s->screen, key);
}

void session_key(struct session *s, struct event e)
{
	if (e.key == KEY_RESIZED)
		resized(s);
	else if (s->screen.prompt.open)
		prompt_typed(s, e.key);
	else if (e.key >= KEY_CLICK && e.key <= KEY_WHEEL_RIGHT)
		mouse_key(s, e);
	else if (!overlay_key(s, e.key))
		command_key(s, e.key);
	if (s->screen.line.len) {
		struct str line = s->screen.line;

		s->screen.line = (struct str){0};
		session_do(s, str_sv(&line));
		str_release(&line);
	}
	show_pending(s);
	session_preview(s);
}

/* ---- configuration ---- */

void session_configure(struct session *s)
{
	struct str path = {0}, text = {0};
	struct err err;
	struct sv rest;

	if (config_path(&path, "config") && text_read(str_c(&path), &text, &err)) {
		rest = str_sv(&text);
		for (size_t number = 1; rest.len; number++) {
			size_t len = 0;

			while (len < rest.len && rest.at[len] != '\n')
				len++;
			if (!session_run(s, (struct sv){rest.at, len}, &err))
				screen_say(&s->screen, true, "%s: line %zu: %s", str_c(&path),
					   number, err.text);
			rest = sv_skip(rest, MIN(len + 1, rest.len));
		}
	}
	str_release(&path);
	str_release(&text);
}
