/*
 * Lines that open prompts, set up the screen, and serve scripts.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "app/tui_lines.h"
#include "app/tui_themes.h"

/* ---- typing ---- */

void session_prompt(struct session *s, char kind, const char *label, struct sv text)
{
	prompt_open(&s->screen.prompt, kind, label, text);
	s->previewed = 0;
	s->opened = s->screen.prompt.typed;
}

/* `set batch=batch` would be nothing: what stands behind the sign is to be typed. */
static void open_end(struct str *text)
{
	struct sv rest = str_sv(text);
	size_t blank = 0, equals = rest.len;

	while (blank < rest.len && rest.at[blank] != ' ')
		blank++;
	while (equals && rest.at[equals - 1] != '=')
		equals--;
	if (equals > blank + 1 &&
	    sv_eq((struct sv){rest.at + blank + 1, equals - blank - 2}, sv_skip(rest, equals))) {
		text->len = equals;
		text->at[equals] = 0;
	}
}

VIEW_LINE(edit)
{
	struct str text = {0};
	bool ok = true;

	if (w->at.len > 1)
		str_add(&text, sv_trim(sv_skip(sv_trim(line), w->at.at[0].len)));
	else
		ok = screen_edit_line(&s->screen, &text) ||
		     err_set(err, ERR_USAGE,
			     "nothing here can be edited: select an input or output");
	open_end(&text);
	if (ok)
		session_prompt(s, 'e', " EDIT ", str_sv(&text));
	str_release(&text);
	return ok;
}

/* The symbol that what `e` would edit stands for: what is behind the last equals sign. */
static bool selected_symbol(struct session *s, struct str *out)
{
	struct str text = {0};
	struct words w = {0};
	struct err ignored;
	bool ok = screen_edit_line(&s->screen, &text) && words_split(&w, str_sv(&text), &ignored) &&
		  w.at.len;

	if (ok) {
		struct sv word = *vec_last(&w.at);
		size_t equals = word.len;

		while (equals && word.at[equals - 1] != '=')
			equals--;
		/* `set batch=` is about the symbol itself. */
		if (equals == word.len && equals)
			word.len--;
		else
			word = sv_skip(word, equals);
		ok = equals && word.len && !sv_is(word, "?") &&
		     !(word.at[0] >= '0' && word.at[0] <= '9');
		if (ok)
			str_add(out, word);
	}
	words_release(&w);
	str_release(&text);
	return ok;
}

static bool prompt_for_symbol(struct session *s, char kind, const char *label, const char *verb,
			      struct err *err)
{
	struct str name = {0}, text = {0};
	bool ok = selected_symbol(s, &name) ||
		  err_set(err, ERR_USAGE, "no symbol is selected (pane %d lists them)",
			  PANE_SYMBOLS + 1);

	str_text(&text, verb);
	str_char(&name, '=');
	words_quote(&text, str_sv(&name));
	if (ok)
		session_prompt(s, kind, label, str_sv(&text));
	str_release(&name);
	str_release(&text);
	return ok;
}

VIEW_LINE(rename)
{
	(void)w;
	(void)line;
	return prompt_for_symbol(s, 'e', " RENAME ", "set", err);
}

VIEW_LINE(size)
{
	(void)w;
	(void)line;
	return prompt_for_symbol(s, '=', " TRY ", "try", err);
}

VIEW_LINE(command)
{
	(void)line;
	(void)err;
	session_prompt(s, ':', ":", w->at.len > 1 ? w->at.at[1] : SV(""));
	return true;
}

VIEW_LINE(find)
{
	(void)w;
	(void)line;
	(void)err;
	session_prompt(s, '/', "/", SV(""));
	return true;
}

/* ---- other ---- */

VIEW_LINE(help)
{
	(void)w;
	(void)line;
	(void)err;
	screen_overlay(&s->screen, OVERLAY_HELP);
	return true;
}

VIEW_LINE(copy)
{
	const struct model *m = &s->document.wire.model;
	struct sv name = s->screen.node ? node_label(m, s->screen.node)
					: model_name(m, m->values.at[s->screen.value].name);

	(void)w;
	(void)line;
	if (name.len == 0)
		return err_set(err, ERR_USAGE, "nothing is selected");
	if (s->terminal)
		terminal_copy(s->terminal, name);
	screen_say(&s->screen, false, "copied %.*s", (int)MIN(name.len, 200), name.at);
	return true;
}

VIEW_LINE(redraw)
{
	(void)w;
	(void)line;
	(void)err;
	if (s->terminal)
		terminal_redraw(s->terminal);
	return true;
}

VIEW_LINE(suspend)
{
	(void)w;
	(void)line;
	(void)err;
	if (s->terminal)
		terminal_suspend(s->terminal);
	return true;
}

VIEW_LINE(theme)
{
	struct sv name;

	(void)line;
	if (!line_word(w, 1, &name))
		return line_usage(w, "NAME", err);
	if (s->terminal && terminal_colors(s->terminal) == 0 && !sv_is(name, "mono"))
		return err_set(err, ERR_REFUSED,
			       "this terminal has no colours; the theme stays mono");
	return theme_load(&s->screen.theme, name, err);
}

VIEW_LINE(option)
{
	struct sv name, value;
	bool on;

	(void)line;
	if (!line_word(w, 1, &name) || !line_word(w, 2, &value) ||
	    (!sv_is(value, "on") && !sv_is(value, "off")))
		return line_usage(w, "NAME on|off", err);
	on = sv_is(value, "on");
	if (sv_is(name, "ascii"))
		s->screen.canvas.ascii = on;
	else if (sv_is(name, "mouse")) {
		if (s->terminal)
			terminal_mouse(s->terminal, on);
	} else {
		return err_set(err, ERR_USAGE,
			       "there is no option '%.*s'; there are mouse and ascii",
			       (int)MIN(name.len, 50), name.at);
	}
	session_renew(s);
	return true;
}

VIEW_LINE(bind)
{
	struct sv rest = sv_trim(line), key;

	if (w->at.len < 3)
		return line_usage(w, "KEY LINE", err);
	key = w->at.at[1];
	/* The line is taken as it was written, quotes and all. */
	for (int words = 0; words < 2; words++) {
		while (rest.len && rest.at[0] != ' ')
			rest = sv_skip(rest, 1);
		rest = sv_trim(rest);
	}
	return keymap_bind(&s->keymap, key, rest, err);
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

/* A key may be bound to this line: one that presses itself would never end. */
VIEW_LINE(keys)
{
	(void)line;
	if (s->pressing)
		return err_set(err, ERR_REFUSED, "a key that is pressed by a line presses no keys");
	s->pressing = true;
	for (size_t i = 1; i < w->at.len; i++)
		lines_screen_press(s, w->at.at[i]);
	s->pressing = false;
	return true;
}

VIEW_LINE(resize)
{
	struct sv columns, rows;
	int64_t width, height;

	(void)line;
	if (!line_word(w, 1, &columns) || !line_word(w, 2, &rows) || !sv_int(columns, &width) ||
	    !sv_int(rows, &height) || width < 1 || height < 1 || width > 2000 || height > 1000)
		return line_usage(w, "COLUMNS ROWS", err);
	screen_resize(&s->screen, (int)width, (int)height);
	return true;
}

static bool save_canvas(struct session *s, const struct words *w, bool styles, struct err *err)
{
	FILE *out = w->at.len > 1 ? fopen(w->at.at[1].at, "we") : stdout;
	struct str text = {0};
	bool ok;

	if (!out)
		return err_system(err, "%s", w->at.at[1].at);
	do
		screen_draw(&s->screen);
	while (s->screen.working);
	canvas_print(&text, &s->screen.canvas, styles);
	ok = fwrite(str_c(&text), 1, text.len, out) == text.len;
	if (out != stdout)
		ok = fclose(out) == 0 && ok;
	str_release(&text);
	return ok || err_system(err, "cannot write the screen");
}

VIEW_LINE(save_screen)
{
	(void)line;
	return save_canvas(s, w, false, err);
}

VIEW_LINE(save_cells)
{
	(void)line;
	return save_canvas(s, w, true, err);
}
