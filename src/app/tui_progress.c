/*
 * Long work on the screen: a progress line, and Esc to stop it.
 */
#include <inttypes.h>
#include <string.h>

#include "app/app.h"
#include "app/cli_edit.h"
#include "app/cli_export.h"
#include "app/tui_session.h"
#include "app/verify/verify.h"
#include "app/worker.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "cmd/args.h"
#include "cmd/keys.h"
#include "edit/document.h"
#include "edit/line.h"
#include "edit/write.h"
#include "ui/graph/graph.h"
#include "ui/screen.h"
#include "ui/terminal.h"
#include "wire/save.h"
#include "wire/save_options.h"

struct work {
	struct session *session; /* borrowed */
	int64_t last_ms;
	bool stopped;
};

static bool is_due(struct work *w)
{
	enum {
		PAUSE_MS = 60
	};
	int64_t now = clock_ms();

	if (now - w->last_ms < PAUSE_MS)
		return false;
	w->last_ms = now;
	return true;
}

/* Keys typed meanwhile are queued until the work is done; Esc stops it. */
static void look_for_escape(struct work *w)
{
	bool ended = false;
	struct event e;

	while ((e = terminal_wait(w->session->terminal, 0, &ended)).key) {
		if (e.key == KEY_ESCAPE || e.key == 3)
			w->stopped = true;
		else
			vec_push(&w->session->waiting, e);
	}
	w->stopped |= ended;
}

struct event session_event(struct session *s, int wait_ms, bool *out_end)
{
	struct event e;

	if (s->waiting.len == 0)
		return terminal_wait(s->terminal, wait_ms, out_end);
	e = s->waiting.at[0];
	memmove(s->waiting.at, s->waiting.at + 1, (s->waiting.len - 1) * sizeof(e));
	vec_pop(&s->waiting);
	return e;
}

static bool work_step(void *context, const char *what, uint64_t done, uint64_t total)
{
	struct work *w = context;
	struct screen *screen = &w->session->screen;

	if (!w->session->terminal || !is_due(w))
		return !w->stopped;
	str_clear(&screen->busy);
	if (total)
		str_format(&screen->busy, "%s %u %%   Esc stops", what,
			   (unsigned)((double)done / (double)total * 100));
	else
		str_format(&screen->busy, "%s %" PRIu64 "   Esc stops", what, done);
	/* The work must not wait for a slow terminal. */
	if (terminal_has_room(w->session->terminal)) {
		screen_draw(screen);
		terminal_show(w->session->terminal, &screen->canvas, &screen->theme);
	}
	look_for_escape(w);
	return !w->stopped;
}

static bool repair_step(void *context, size_t done)
{
	return work_step(context, "repairing", done, 0);
}

static void work_begin(struct work *w, struct session *s)
{
	*w = (struct work){.session = s, .last_ms = clock_ms()};
}

/* Only the first note fits on the message line. */
static void tell_notes(struct session *s, const char *target, struct sv notes)
{
	struct sv rest = notes, first = sv_cut(&rest, '\n');

	if (!s->terminal)
		print_notes(notes);
	screen_say(&s->screen, false, "saved %s%s%.*s", target, first.len ? "; " : "",
		   (int)MIN(first.len, 300), first.at);
}

bool session_save(struct session *s, const char *target, bool force, struct err *err)
{
	struct work w;
	struct save_options options = {.force = force || args_has(s->app->args, OPTION_FORCE),
				       .fresh = !force,
				       .progress = work_step,
				       .context = &w};
	struct save_report report = {0};
	bool ok;

	if (!force && document_is_at(&s->document, target) && !session_take(s, err))
		return false;
	work_begin(&w, s);
	ok = document_save_as(&s->document, target, &options, &report, err);
	str_clear(&s->screen.busy);
	if (ok)
		tell_notes(s, target, str_sv(&report.notes));
	save_report_release(&report);
	return ok;
}

bool session_edit(struct session *s, struct sv line, struct err *err)
{
	struct work w;
	bool ok;

	work_begin(&w, s);
	s->document.working = repair_step;
	s->document.working_context = &w;
	ok = document_run(&s->document, line, err);
	s->document.working = NULL;
	str_clear(&s->screen.busy);
	return ok;
}

bool session_export(struct session *s, const char *target, bool force, struct err *err)
{
	struct work w;
	struct worker_watch watch = {work_step, &w};
	struct export_view view = {
		.hues = &s->screen.hues, .names = &s->screen.names, .fresh = !force};
	bool ok;

	work_begin(&w, s);
	view.folds = graph_folds(&s->screen, &view.focus);
	ok = export_document(s->app, &s->document, target, &view, &watch, err);
	str_clear(&s->screen.busy);
	return ok;
}

/* Shown as a preview meanwhile. */
static bool verify_begin(struct session *s, struct work *w, struct sv repair, struct err *err)
{
	bool ok;

	if (!repair.len)
		return true;
	s->document.working = repair_step;
	s->document.working_context = w;
	ok = document_preview(&s->document, repair, err);
	s->document.working = NULL;
	session_renew(s);
	return ok;
}

bool session_verify(struct session *s, struct sv repair, const char *original,
		    struct verify_request *request, struct verify_result *out, struct err *err)
{
	struct work w;
	bool ok;

	work_begin(&w, s);
	request->step = work_step;
	request->context = &w;
	ok = verify_begin(s, &w, repair, err) &&
	     verify_document(request, &s->document, original, out, err);
	if (repair.len) {
		document_end_preview(&s->document);
		session_renew(s);
	}
	str_clear(&s->screen.busy);
	return ok;
}
