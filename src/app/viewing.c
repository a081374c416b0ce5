/*
 * Lines that change what is seen, and nothing else.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "app/session.h"
#include "app/themes.h"
#include "ir/place.h"
#include "ui/graph.h"
#include "ui/search.h"

static bool word_at(const struct words *w, size_t i, struct sv *out)
{
	*out = i < w->at.len ? w->at.at[i] : SV("");
	return i < w->at.len;
}

static bool usage(const struct words *w, const char *text, struct err *err)
{
	return err_set(err, ERR_USAGE, "%.*s %s", (int)MIN(w->at.at[0].len, 50), w->at.at[0].at,
		       text);
}

/* ---- moving ---- */

#define MOTION_LINE(id, motion)                                                                   \
	bool line_##id(struct session *s, const struct words *w, struct sv line, struct err *err) \
	{                                                                                         \
		(void)w;                                                                          \
		(void)line;                                                                       \
		(void)err;                                                                        \
		screen_move(&s->screen, motion);                                                  \
		return true;                                                                      \
	}

MOTION_LINE(up, MOTION_UP)
MOTION_LINE(down, MOTION_DOWN)
MOTION_LINE(left, MOTION_LEFT)
MOTION_LINE(right, MOTION_RIGHT)
MOTION_LINE(page_up, MOTION_PAGE_UP)
MOTION_LINE(page_down, MOTION_PAGE_DOWN)
MOTION_LINE(half_up, MOTION_HALF_UP)
MOTION_LINE(half_down, MOTION_HALF_DOWN)
MOTION_LINE(first, MOTION_FIRST)
MOTION_LINE(last, MOTION_LAST)

#define VIEW_LINE(id) \
	bool line_##id(struct session *s, const struct words *w, struct sv line, struct err *err)

VIEW_LINE(open)
{
	(void)w;
	(void)line;
	(void)err;
	(void)screen_open(&s->screen);
	return true;
}

VIEW_LINE(leave)
{
	(void)w;
	(void)line;
	(void)err;
	screen_leave(&s->screen);
	return true;
}

VIEW_LINE(follow)
{
	struct sv way, letter;

	(void)line;
	if (!word_at(w, 1, &way) || (!sv_is(way, "out") && !sv_is(way, "in")))
		return usage(w, "out|in [LETTER]", err);
	(void)word_at(w, 2, &letter);
	if (graph_follow(&s->screen, sv_is(way, "out"), letter.len ? letter.at[0] : 0))
		return true;
	str_clear(&s->awaited);
	str_format(&s->awaited, "follow %.*s ", (int)way.len, way.at);
	return true;
}

VIEW_LINE(back)
{
	(void)w;
	(void)line;
	return graph_back(&s->screen) || err_set(err, ERR_USAGE, "there is nothing to go back to");
}

VIEW_LINE(forward)
{
	(void)w;
	(void)line;
	return graph_forward(&s->screen) ||
	       err_set(err, ERR_USAGE, "there is nothing to go forward to");
}

VIEW_LINE(mark)
{
	struct sv letter;

	(void)line;
	if (!word_at(w, 1, &letter))
		return usage(w, "LETTER", err);
	graph_mark(&s->screen, letter.at[0]);
	return true;
}

VIEW_LINE(jump)
{
	struct sv letter;

	(void)line;
	if (!word_at(w, 1, &letter))
		return usage(w, "LETTER", err);
	return graph_jump(&s->screen, letter.at[0]) ||
	       err_set(err, ERR_USAGE, "there is no mark '%c'", letter.at[0]);
}

VIEW_LINE(goto)
{
	struct sv name;

	(void)line;
	return word_at(w, 1, &name) ? search_goto(&s->screen, name, err) : usage(w, "NAME", err);
}

/* ---- looking ---- */

static bool read_pane(const struct words *w, enum pane_id *out, struct err *err)
{
	struct sv name;

	return (word_at(w, 1, &name) && pane_find(name, out)) || usage(w, "NAME|N", err);
}

VIEW_LINE(pane)
{
	enum pane_id pane;

	(void)line;
	if (!read_pane(w, &pane, err))
		return false;
	screen_pane(&s->screen, pane);
	return true;
}

VIEW_LINE(toggle)
{
	enum pane_id pane;

	(void)line;
	if (!read_pane(w, &pane, err))
		return false;
	screen_toggle(&s->screen, pane);
	return true;
}

VIEW_LINE(next_pane)
{
	(void)w;
	(void)line;
	(void)err;
	screen_next_pane(&s->screen, 1);
	return true;
}

VIEW_LINE(previous_pane)
{
	(void)w;
	(void)line;
	(void)err;
	screen_next_pane(&s->screen, -1);
	return true;
}

VIEW_LINE(zoom)
{
	static const char *const names[ZOOM_COUNT] = {
		[ZOOM_MAP] = "map",
		[ZOOM_LANES] = "lanes",
		[ZOOM_BOXES] = "boxes",
		[ZOOM_DETAILS] = "details",
	};
	enum zoom now = graph_zoom_now(&s->screen);
	struct sv word;

	(void)line;
	(void)word_at(w, 1, &word);
	if (sv_is(word, "default")) {
		graph_zoom_default(&s->screen);
		return true;
	}
	if (sv_is(word, "in") || sv_is(word, "out")) {
		int to = (int)now + (sv_is(word, "in") ? 1 : -1);

		graph_zoom(&s->screen, (enum zoom)MAX(0, MIN(to, ZOOM_COUNT - 1)));
		return true;
	}
	for (int i = 0; i < ZOOM_COUNT; i++) {
		if (sv_is(word, names[i])) {
			graph_zoom(&s->screen, (enum zoom)i);
			return true;
		}
	}
	return usage(w, "in|out|default|map|lanes|boxes|details", err);
}

VIEW_LINE(fold)
{
	static const char *const names[FOLD_COUNT] = {
		[FOLD_TOGGLE] = "toggle", [FOLD_OPEN] = "open", [FOLD_CLOSE] = "close",
		[FOLD_ALL] = "all",       [FOLD_NONE] = "none", [FOLD_START] = "start",
	};
	struct sv word;

	(void)line;
	(void)word_at(w, 1, &word);
	for (int i = 0; i < FOLD_COUNT; i++) {
		if (sv_is(word, names[i])) {
			graph_fold(&s->screen, (enum fold)i);
			return true;
		}
	}
	return usage(w, "toggle|open|close|all|none|start", err);
}

VIEW_LINE(focus)
{
	struct sv word;
	int64_t hops = 2;

	(void)line;
	if (word_at(w, 1, &word) && (!sv_int(word, &hops) || hops < 0 || hops > 1000))
		return usage(w, "[HOPS]", err);
	graph_focus(&s->screen, (uint32_t)hops);
	return true;
}

VIEW_LINE(path)
{
	(void)w;
	(void)line;
	return graph_path_to_mark(&s->screen) ||
	       err_set(err, ERR_USAGE, "mark a node first (m and a letter)");
}

VIEW_LINE(why)
{
	(void)w;
	(void)line;
	if (!s->screen.node && !s->screen.value)
		return err_set(err, ERR_USAGE, "nothing is selected");
	screen_overlay(&s->screen, OVERLAY_WHY);
	return true;
}

/* ---- finding ---- */

VIEW_LINE(search)
{
	struct sv text = sv_trim(line);

	(void)w;
	while (text.len && text.at[0] != ' ')
		text = sv_skip(text, 1);
	if (!search_run(&s->screen, sv_trim(text), err))
		return false;
	return search_step(&s->screen, 1) || err_set(err, ERR_USAGE, "nothing fits");
}

static bool found(bool yes, struct err *err)
{
	return yes || err_set(err, ERR_USAGE, "there is none");
}

VIEW_LINE(next)
{
	(void)w;
	(void)line;
	return found(search_step(&s->screen, 1), err);
}

VIEW_LINE(previous)
{
	(void)w;
	(void)line;
	return found(search_step(&s->screen, -1), err);
}

VIEW_LINE(next_change)
{
	(void)w;
	(void)line;
	return found(search_changed(&s->screen, 1), err);
}

VIEW_LINE(previous_change)
{
	(void)w;
	(void)line;
	return found(search_changed(&s->screen, -1), err);
}

VIEW_LINE(next_problem)
{
	(void)w;
	(void)line;
	return found(search_problem(&s->screen, 1), err);
}

VIEW_LINE(previous_problem)
{
	(void)w;
	(void)line;
	return found(search_problem(&s->screen, -1), err);
}

VIEW_LINE(palette)
{
	(void)w;
	(void)line;
	(void)err;
	screen_overlay(&s->screen, OVERLAY_PALETTE);
	return true;
}

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
		  err_set(err, ERR_USAGE, "no symbol is selected (pane 4 lists them)");

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
	if (!word_at(w, 1, &name))
		return usage(w, "NAME", err);
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
	if (!word_at(w, 1, &name) || !word_at(w, 2, &value) ||
	    (!sv_is(value, "on") && !sv_is(value, "off")))
		return usage(w, "NAME on|off", err);
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
		return usage(w, "KEY LINE", err);
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

VIEW_LINE(keys)
{
	(void)line;
	(void)err;
	for (size_t i = 1; i < w->at.len; i++) {
		struct keys keys;

		if (!keys_parse(w->at.at[i], &keys)) {
			for (struct sv rest = w->at.at[i]; rest.len; rest = sv_skip(rest, 1))
				session_key(s, (struct event){.key = (unsigned char)rest.at[0]});
			continue;
		}
		for (unsigned j = 0; j < keys.count; j++)
			session_key(s, (struct event){.key = keys.at[j]});
	}
	return true;
}

VIEW_LINE(resize)
{
	struct sv columns, rows;
	int64_t width, height;

	(void)line;
	if (!word_at(w, 1, &columns) || !word_at(w, 2, &rows) || !sv_int(columns, &width) ||
	    !sv_int(rows, &height) || width < 1 || height < 1 || width > 2000 || height > 1000)
		return usage(w, "COLUMNS ROWS", err);
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
