/*
 * A file that is exported anew while it is open: noticed, and taken up when that is asked for.
 *
 * Looked at between keys, once a second.  A file that still changes, or cannot be read yet, is
 * waited for.
 */
#include <string.h>
#include <sys/stat.h>

#include "app/app.h"
#include "app/cli_edit.h"
#include "app/tui_lines.h"
#include "app/tui_session.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "base/sv.h"
#include "cmd/args.h"
#include "edit/journal/recovery.h"
#include "ui/prompt.h"
#include "ui/screen.h"
#include "wire/wire.h"

/* Another model: nothing that the screen knows of the old one may stay. */
static void renew_screen(struct session *s)
{
	struct screen *screen = &s->screen;
	struct screen old = *screen;

	screen->prompt = (struct prompt){0}; /* the line that runs may be in it */
	screen_release(screen);
	screen_init(screen, old.canvas.width, old.canvas.height);
	screen->prompt = old.prompt;
	screen->theme = old.theme;
	screen->canvas.ascii = old.canvas.ascii;
	screen->help = old.help;
	screen->help_count = old.help_count;
	memcpy(screen->wanted, old.wanted, sizeof(old.wanted));
	screen->alone = old.alone;
	session_renew(s);
}

static void tell_reload(struct session *s, const struct reload *done)
{
	struct sv rest = str_sv(&done->failures), first = sv_cut(&rest, '\n');
	const char *name = str_c(&s->document.wire.path);

	if (s->out)
		print_notes(str_sv(&done->failures));
	if (done->failed)
		screen_say(&s->screen, true, "reloaded %s; %zu of %zu edit%s failed: %.*s", name,
			   done->failed, done->failed + done->done,
			   done->failed + done->done == 1 ? "" : "s", (int)MIN(first.len, 300),
			   first.at);
	else if (done->done)
		screen_say(&s->screen, false, "reloaded %s, with %zu edit%s", name, done->done,
			   done->done == 1 ? "" : "s");
	else
		screen_say(&s->screen, false, "reloaded %s", name);
}

bool session_reload(struct session *s, struct err *err)
{
	struct reload done = {0};

	if (s->document.wire.file.piped)
		return err_set(err, ERR_USAGE, "the model has no file name");
	if (!document_reload(&s->document, &done, err))
		return false;
	s->seen = (struct stat){0};
	if (done.done)
		session_hold(s);
	renew_screen(s);
	tell_reload(s, &done);
	str_release(&done.failures);
	return true;
}

static void take_up(struct session *s)
{
	struct err err;

	/* Not while a line is typed: it is about the old file. */
	if (s->screen.prompt.open || s->document.previewing)
		return;
	s->tried = true;
	if (!session_reload(s, &err))
		screen_say(&s->screen, true, "waiting for the rest: %s", err.text);
	session_tell_journal(s);
}

void session_look(struct session *s)
{
	bool watch = args_has(s->app->args, OPTION_WATCH);
	struct stat now;

	if (!wire_was_replaced(&s->document.wire) || stat(str_c(&s->document.wire.path), &now) != 0)
		return;
	if (!file_same_version(&now, &s->seen)) {
		s->seen = now;
		s->tried = false;
		if (!watch)
			screen_say(&s->screen, true,
				   "%s changed on disk: :reload takes it up, :w! overwrites it",
				   str_c(&s->document.wire.path));
	} else if (watch && !s->tried) {
		take_up(s);
	}
}

bool line_reload(const struct call *c)
{
	return session_reload(c->session, c->err);
}
