/*
 * The screen in a terminal: draw, wait for a key, do it, until a line says to leave.
 *
 * Keys that are already there are taken before anything is drawn, so a slow terminal skips
 * frames and loses no key.
 */
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "app/session.h"
#include "app/themes.h"

static void place_cursor(struct session *s)
{
	const struct prompt *p = &s->screen.prompt;
	int x = -1, y = s->screen.canvas.height - 2;

	if (p->open)
		x = MIN(screen_cursor(&s->screen), s->screen.canvas.width - 1);
	terminal_cursor(s->terminal, x, y);
}

static void show(struct session *s)
{
	screen_draw(&s->screen);
	place_cursor(s);
	terminal_show(s->terminal, &s->screen.canvas, &s->screen.theme);
}

static void loop(struct session *s)
{
	enum {
		AT_ONCE = 64 /* keys between two frames, at most */
	};
	bool ended = false;

	while (!s->done && !ended) {
		struct event e;
		int taken = 0;

		show(s);
		e = terminal_wait(s->terminal, s->screen.working ? 0 : -1, &ended);
		while (e.key && !s->done && taken++ < AT_ONCE) {
			session_key(s, e);
			e = terminal_wait(s->terminal, 0, &ended);
		}
		if (e.key && !s->done)
			session_key(s, e);
	}
}

static bool is_utf8(void)
{
	return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

/* A light background when the terminal says so; there is no way to be sure. */
static const char *default_theme(const struct session *s)
{
	const char *colors = getenv("COLORFGBG");
	const char *ground = colors ? strrchr(colors, ';') : NULL;

	if (terminal_colors(s->terminal) == 0)
		return "mono";
	return ground && (strcmp(ground, ";7") == 0 || strcmp(ground, ";15") == 0) ? "light"
										   : "dark";
}

enum exit_code run_screen(const struct app *app)
{
	struct session s;
	struct err err;
	int width, height;

	if (!session_open(&s, app, &err))
		return complain(&err);
	s.terminal = terminal_open(true, &err);
	if (!s.terminal) {
		session_close(&s);
		return complain(&err);
	}
	terminal_size(s.terminal, &width, &height);
	screen_resize(&s.screen, width, height);
	s.screen.canvas.ascii = !is_utf8() || args_has(app->args, OPTION_ASCII);
	if (!theme_load(&s.screen.theme, sv_of(default_theme(&s)), &err))
		theme_plain(&s.screen.theme);
	session_configure(&s);
	session_renew(&s);
	session_ask_journal(&s);
	if (app->chosen)
		screen_overlay(&s.screen, OVERLAY_START);
	loop(&s);
	if (app->chosen)
		str_add(app->chosen, str_sv(&s.screen.chosen));
	session_close(&s);
	return EXIT_DONE;
}
