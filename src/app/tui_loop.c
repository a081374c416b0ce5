/*
 * The event loop of the screen: draw, wait for a key, handle it, until a line quits.
 *
 * Keys already waiting are handled before drawing, and nothing is drawn while the output is
 * congested, so a slow terminal skips frames but loses no key.  A typed character is drawn
 * before it is previewed, and previewed only when no other is waiting.
 */
#include <stdio.h>
#include <stdlib.h>

#include "app/app.h"
#include "app/recent.h"
#include "app/tui_charset.h"
#include "app/tui_session.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/str.h"
#include "cmd/args.h"
#include "edit/document.h"
#include "edit/journal/journal.h"
#include "ui/prompt.h"
#include "ui/screen.h"
#include "ui/terminal.h"
#include "wire/wire.h"

static void place_cursor(struct session *s)
{
	const struct prompt *p = &s->screen.prompt;
	int x = -1, y = screen_prompt_row(&s->screen);

	if (p->open)
		x = MIN(screen_cursor(&s->screen), s->screen.canvas.width - 1);
	terminal_cursor(s->terminal, x, y);
}

static void screen_loop_show(struct session *s)
{
	screen_draw(&s->screen);
	place_cursor(s);
	terminal_show(s->terminal, &s->screen.canvas, &s->screen.theme);
}

/* A held key must still show progress: handle keys for at most `max_ms` between frames. */
static bool take_keys(struct session *s, int wait_ms, int64_t max_ms, bool *ended)
{
	struct event e = session_event(s, wait_ms, ended);
	int64_t end = clock_ms() + max_ms;
	bool any = e.key;

	while (e.key) {
		session_key(s, e);
		if (s->done || clock_ms() >= end)
			break;
		e = session_event(s, 0, ended);
	}
	return any;
}

/* False when it was ended from outside: by a signal, or the terminal is gone. */
static bool screen_loop_run(struct session *s)
{
	enum {
		FULL_MS = 10, /* until congested output is checked again */
		KEYS_MS = 30,
		LOOK_MS = 500 /* until the file is looked at again */
	};
	int64_t took = 0;
	bool ended = false;

	/* Often the terminal has said already what its background is. */
	(void)take_keys(s, 0, KEYS_MS, &ended);
	while (!s->done && !ended) {
		int wait_ms = FULL_MS;

		if (terminal_has_room(s->terminal)) {
			took = clock_ms();
			screen_loop_show(s);
			took = clock_ms() - took;
			wait_ms = s->screen.working || session_lacks_preview(s) ||
						  session_lacks_live(s) || session_lacks_proof(s) ||
						  wire_is_holding(&s->document.wire)
					  ? 0
					  : LOOK_MS;
		}
		/* If a frame takes long, handle keys for as long, oldest first. */
		if (!take_keys(s, wait_ms, MAX(took, KEYS_MS), &ended) && !ended) {
			session_preview(s);
			session_live(s);
			session_prove(s);
			if (wait_ms == LOOK_MS)
				session_look(s);
			else if (wire_is_holding(&s->document.wire))
				session_hold(s);
		}
	}
	return s->done;
}

/* Where the edits are that nobody could save. */
static void describe_unsaved(struct session *s, struct str *out)
{
	const char *path = str_c(&s->document.wire.path);

	document_end_preview(&s->document);
	if (!document_is_changed(&s->document))
		return;
	if (journal_is_whole(s->document.journal))
		str_format(out,
			   "unsaved edits of %s are kept: axed edit --recover brings them back",
			   path);
	else if (s->document.journal)
		str_format(out, "the latest unsaved edits of %s are lost: cannot write the journal",
			   path);
	else
		str_format(out, "unsaved edits of %s are lost: nothing was journaled", path);
}

/* What was assumed about the terminal; the user may know better. */
static void tell_assumed(struct session *s, enum charset charset)
{
	const char *entry = terminal_substitute(s->terminal);
	const char *term = entry ? getenv("TERM") : NULL;
	struct str said = {0};

	if (term)
		str_format(&said, "terminal '%.40s' is unknown here: drawing for %s", term, entry);
	if (charset == CHARSET_GUESSED)
		str_format(&said, "%sno locale is set: drawing in UTF-8; --ascii draws plain",
			   term ? "; " : "");
	if (said.len)
		screen_say(&s->screen, false, "%s", str_c(&said));
	str_release(&said);
}

/* For the start screen of later runs. */
static void remember_model(const struct session *s)
{
	if (!s->forgetful && !args_has(s->app->args, OPTION_DEMO) && !s->document.wire.file.piped)
		recent_note(str_c(&s->document.wire.path));
}

enum exit_code run_screen(const struct app *app)
{
	struct session s;
	struct err err;
	struct str unsaved = {0};
	struct recent recent = {0};
	enum exit_code code;
	enum charset charset;
	int width, height;

	if (!session_open(&s, app, &err))
		return complain(&err);
	charset = args_has(app->args, OPTION_ASCII) ? CHARSET_OTHER : charset_choose();
	s.terminal = terminal_open(true, app->screen_color, &err);
	if (!s.terminal) {
		session_close(&s);
		return complain(&err);
	}
	terminal_size(s.terminal, &width, &height);
	screen_resize(&s.screen, width, height);
	s.screen.canvas.ascii = charset == CHARSET_OTHER;
	session_theme(&s);
	tell_assumed(&s, charset);
	session_configure(&s);
	session_theme_remembered(&s);
	session_help(&s); /* the configuration may bind keys */
	session_renew(&s);
	session_ask_journal(&s);
	remember_model(&s);
	if (app->chosen) {
		recent_read(&recent);
		s.screen.recent = recent.paths.at;
		s.screen.recent_count = recent.paths.len;
		screen_overlay(&s.screen, OVERLAY_START);
	}
	if (!screen_loop_run(&s))
		describe_unsaved(&s, &unsaved);
	if (app->chosen)
		str_add(app->chosen, str_sv(&s.screen.chosen));
	session_close(&s);
	recent_release(&recent);
	code = unsaved.len ? EXIT_BAD : EXIT_DONE;
	if (unsaved.len)
		fprintf(stderr, "axed: %s\n", str_c(&unsaved));
	str_release(&unsaved);
	return code;
}
