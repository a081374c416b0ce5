/*
 * Lines that open prompts, configure the screen, and serve scripts.
 */
#include <stdio.h>

#include "app/recent.h"
#include "app/tui_aliases.h"
#include "app/tui_field.h"
#include "app/tui_keymap.h"
#include "app/tui_lines.h"
#include "app/tui_session.h"
#include "app/tui_themes.h"
#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "base/words.h"
#include "cmd/keys.h"
#include "ir/graph.h"
#include "ui/canvas.h"
#include "ui/dims.h"
#include "ui/prompt.h"
#include "ui/screen.h"
#include "ui/terminal.h"
#include "ui/theme.h"
#include "wire/atomic.h"
#include "wire/destination.h"

/* ---- typing ---- */

void session_prompt(struct session *s, char kind, const char *label, struct sv text)
{
	field_close(s);
	s->asking = QUESTION_NONE;
	prompt_open(&s->screen.prompt, kind, label, text);
	s->previewed = 0;
}

/* What `e` edits where the cursor is; the cursor stays there, whatever the size becomes. */
static bool selected_edit(const struct call *c, struct str *line, struct str *note)
{
	struct screen *s = &c->session->screen;
	struct dim_at at;

	if (screen_dim(s, &at))
		screen_point(s, at);
	if (screen_edit_line(s, line, note))
		return true;
	return err_set(c->err, ERR_USAGE, "%s",
		       note->len ? str_c(note) : "nothing here can be edited");
}

/* To a key the answer is a field that says so: what is typed next is not a command. */
static bool lines_screen_no_field(const struct call *c, const char *label)
{
	if (!c->session->terminal && !c->session->pressing)
		return false;
	field_refuse(c->session, label, c->err);
	return true;
}

bool line_edit(const struct call *c)
{
	struct session *s = c->session;
	struct str line = {0}, note = {0};
	bool ok = true;

	if (c->count > 1) {
		str_add(&line, sv_trim(sv_skip(sv_trim(c->line), c->words[0].len)));
		session_prompt(s, 'e', " EDIT ", str_sv(&line));
	} else {
		ok = selected_edit(c, &line, &note) && field_open(s, str_sv(&line), c->err);
		if (ok)
			str_add(&s->screen.prompt.hint, str_sv(&note));
		else
			ok = lines_screen_no_field(c, " EDIT ");
	}
	str_release(&line);
	str_release(&note);
	return ok;
}

/* The symbol of the dim that `e` would edit: the text after the last equals sign. */
static bool selected_symbol(const struct call *c, struct str *out)
{
	struct str text = {0}, note = {0};
	struct words w = {0};
	struct sv left = {0}, right = {0};
	bool ok = selected_edit(c, &text, &note) && words_split(&w, str_sv(&text), c->err);

	if (ok && (!w.at.len || !sv_split_last(*vec_last(&w.at), '=', &left, &right) ||
		   !right.len || sv_is(right, "?")))
		ok = err_set(c->err, ERR_USAGE, "this size has no name; e gives it one");
	else if (ok && right.at[0] >= '0' && right.at[0] <= '9')
		ok = err_set(c->err, ERR_USAGE, "%.*s is a number; e gives it a name",
			     (int)MIN(right.len, 30), right.at);
	if (ok)
		str_add(out, right);
	words_release(&w);
	str_release(&text);
	str_release(&note);
	return ok;
}

static bool open_symbol(const struct call *c, bool tries)
{
	struct str name = {0};
	bool ok = selected_symbol(c, &name);

	if (ok)
		field_open_symbol(c->session, str_sv(&name), tries);
	else
		ok = lines_screen_no_field(c, tries ? " TRY " : " RENAME ");
	str_release(&name);
	return ok;
}

/* rename OLD NEW, without asking. */
static bool rename_named(const struct call *c)
{
	struct str word = {0}, line = {0};
	struct sv to = c->words[2];
	bool ok;

	if (to.len && to.at[0] >= '0' && to.at[0] <= '9')
		return err_set(c->err, ERR_USAGE, "%.*s is a size: set fixes a symbol to one",
			       (int)MIN(to.len, 100), to.at);
	str_add(&word, c->words[1]);
	str_char(&word, '=');
	str_add(&word, to);
	str_text(&line, "set");
	words_quote(&line, str_sv(&word));
	ok = session_run(c->session, str_sv(&line), c->err);
	str_release(&word);
	str_release(&line);
	return ok;
}

bool line_rename(const struct call *c)
{
	if (c->count == 2)
		return call_usage(c);
	return c->count > 2 ? rename_named(c) : open_symbol(c, false);
}

bool line_size(const struct call *c)
{
	return open_symbol(c, true);
}

bool line_command(const struct call *c)
{
	session_prompt(c->session, ':', ":", c->count > 1 ? c->words[1] : SV(""));
	return true;
}

bool line_find(const struct call *c)
{
	session_prompt(c->session, '/', "/", SV(""));
	return true;
}

/* ---- other ---- */

bool line_copy(const struct call *c)
{
	struct session *s = c->session;
	const struct model *m = &s->document.wire.model;
	uint32_t tensor = screen_weight(&s->screen);
	struct sv name = tensor           ? model_name(m, m->tensors.at[tensor].name)
			 : s->screen.node ? node_label(m, s->screen.node)
					  : model_name(m, m->values.at[s->screen.value].name);
	struct str shown = {0};

	if (name.len == 0)
		return err_set(c->err, ERR_USAGE, "nothing is selected");
	/* It may be pasted into a shell: a name must not bring line breaks along. */
	str_add_shown(&shown, name);
	if (s->terminal)
		terminal_copy(s->terminal, str_sv(&shown));
	str_release(&shown);
	screen_say(&s->screen, false, "copied %.*s", (int)MIN(name.len, 200), name.at);
	return true;
}

bool line_redraw(const struct call *c)
{
	struct session *s = c->session;

	if (s->terminal)
		terminal_redraw(s->terminal);
	return true;
}

bool line_suspend(const struct call *c)
{
	struct session *s = c->session;

	if (s->terminal)
		terminal_suspend(s->terminal);
	return true;
}

void session_theme(struct session *s)
{
	struct err ignored;

	s->themed = false;
	if (s->terminal && !theme_load(&s->screen.theme, sv_of(theme_for(s->terminal)), &ignored))
		theme_plain(&s->screen.theme);
}

void session_theme_remembered(struct session *s)
{
	struct str name = {0};
	struct err ignored;

	if (terminal_colors(s->terminal) && theme_remembered(&name) &&
	    theme_load(&s->screen.theme, str_sv(&name), &ignored))
		s->themed = true;
	str_release(&name);
}

static bool lines_screen_auto_theme(const struct call *c)
{
	struct session *s = c->session;

	session_theme(s);
	if (!s->terminal || s->configuring)
		return true;
	screen_say(&s->screen, false, "theme %s, as suits the terminal", theme_for(s->terminal));
	return theme_remember(SV(""), c->err);
}

/* What a person asks for is remembered; a script and a configuration say it each time. */
bool line_theme(const struct call *c)
{
	struct session *s = c->session;
	struct sv name;
	struct err why;

	if (!call_word(c, 1, &name))
		return call_usage(c);
	if (sv_is(name, "auto"))
		return lines_screen_auto_theme(c);
	if (s->terminal && terminal_colors(s->terminal) == 0 && !sv_is(name, "mono"))
		return err_set(c->err, ERR_REFUSED,
			       "this terminal has no colours; the theme stays mono");
	if (!theme_load(&s->screen.theme, name, c->err))
		return false;
	s->themed = true;
	if (!s->terminal || s->configuring)
		return true;
	if (!theme_remember(name, &why))
		return err_set(c->err, why.kind, "theme %.*s, for now: %s", (int)MIN(name.len, 100),
			       name.at, why.text);
	screen_say(&s->screen, false, "theme %.*s, from now on; :theme auto follows the terminal",
		   (int)MIN(name.len, 100), name.at);
	return true;
}

bool line_option(const struct call *c)
{
	struct session *s = c->session;
	struct sv name, value;
	bool on;

	if (!call_word(c, 1, &name) || !call_word(c, 2, &value) ||
	    (!sv_is(value, "on") && !sv_is(value, "off")))
		return call_usage(c);
	on = sv_is(value, "on");
	if (sv_is(name, "ascii"))
		s->screen.canvas.ascii = on;
	else if (sv_is(name, "names"))
		s->screen.names.off = !on;
	else if (sv_is(name, "mouse")) {
		if (s->terminal)
			terminal_mouse(s->terminal, on);
	} else if (sv_is(name, "recent")) {
		s->forgetful = !on;
		if (s->forgetful && s->terminal)
			recent_forget();
	} else {
		return err_set(c->err, ERR_USAGE,
			       "there is no option '%.*s'; the options are mouse, ascii, names and "
			       "recent",
			       (int)MIN(name.len, 50), name.at);
	}
	session_renew(s);
	return true;
}

/* The line within a line `bind KEY LINE`, taken verbatim, quotes included. */
static struct sv inner_line(const struct call *c)
{
	struct sv rest = sv_trim(c->line);

	for (int words = 0; words < 2; words++) {
		while (rest.len && rest.at[0] != ' ')
			rest = sv_skip(rest, 1);
		rest = sv_trim(rest);
	}
	return rest;
}

bool line_bind(const struct call *c)
{
	if (c->count < 3)
		return call_usage(c);
	if (!keymap_bind(&c->session->keymap, c->words[1], inner_line(c), c->err))
		return false;
	if (!c->session->configuring)
		session_help(c->session);
	return true;
}

bool line_alias(const struct call *c)
{
	if (c->count < 3)
		return call_usage(c);
	return alias_set(&c->session->aliases, c->words[1], inner_line(c), c->err);
}

/* ---- scripts ---- */

static void lines_screen_press(struct session *s, struct sv word)
{
	struct keys keys;

	if (!keys_parse(word, &keys)) {
		for (; word.len; word = sv_skip(word, 1))
			session_key(s, (struct event){.key = (unsigned char)word.at[0]});
		return;
	}
	for (unsigned i = 0; i < keys.count; i++)
		session_key(s, (struct event){.key = keys.at[i]});
}

/* A key may be bound to this line; without the check it could press itself forever. */
bool line_keys(const struct call *c)
{
	struct session *s = c->session;

	if (s->pressing)
		return err_set(c->err, ERR_REFUSED, "keys cannot be nested");
	s->pressing = true;
	for (size_t i = 1; i < c->count; i++)
		lines_screen_press(s, c->words[i]);
	s->pressing = false;
	return true;
}

bool line_resize(const struct call *c)
{
	struct sv columns, rows;
	int64_t width, height;

	if (!call_word(c, 1, &columns) || !call_word(c, 2, &rows) || !sv_int(columns, &width) ||
	    !sv_int(rows, &height) || width < 1 || height < 1 || width > CANVAS_WIDEST ||
	    height > CANVAS_TALLEST)
		return call_usage(c);
	screen_resize(&c->session->screen, (int)width, (int)height);
	return true;
}

/* As text, or as text and styles. */
bool line_save_canvas(const struct call *c)
{
	struct session *s = c->session;
	const struct destination_rules rules = {.kind = DESTINATION_TEXT,
						.source = &s->document.wire};
	struct str text = {0};
	bool ok;

	if (s->terminal && c->count < 2)
		return err_set(c->err, ERR_USAGE, "%s needs a FILE on the screen", c->kind->name);
	do
		screen_draw(&s->screen);
	while (s->screen.working);
	canvas_print(&text, &s->screen.canvas, c->kind->argument);
	if (c->count > 1)
		ok = atomic_write(c->words[1].at, &rules, str_sv(&text), c->err);
	else
		ok = fwrite(str_c(&text), 1, text.len, stdout) == text.len ||
		     err_system(c->err, "cannot write the screen");
	str_release(&text);
	return ok;
}
