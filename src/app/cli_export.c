#include "app/cli_export.h"

#include <stdio.h>
#include <string.h>

#include "app/cli_bind.h"
#include "app/cli_edit.h"
#include "app/cli_many.h"
#include "app/cli_models.h"
#include "app/cli_progress.h"
#include "app/worker.h"
#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "cmd/args.h"
#include "edit/document.h"
#include "export/sheet/sheet.h"
#include "report/offers.h"

enum {
	MAX_HOPS = 1000,
	READABLE_DPI = 60, /* text of 10 points is 8 pixels high */
	SMALL_GRAPH = 500  /* nodes below which it is whole for other programs */
};

/* ---- options ---- */

static struct sv export_given(const struct app *app, enum option_id option)
{
	return args_has(app->args, option) ? sv_of(app->args->values[option]) : (struct sv){0};
}

static bool read_engine(const struct app *app, struct wish *w, struct err *err)
{
	struct sv name = export_given(app, OPTION_ENGINE);

	w->use_dot = sv_is(name, "dot");
	if (name.len && !w->use_dot && !sv_is(name, "axed"))
		return err_set(err, ERR_USAGE, "--engine must be axed or dot, not '%s'", name.at);
	return !w->use_dot || w->format->graphviz ||
	       err_set(err, ERR_USAGE, "%s does not support --engine dot", w->format->name);
}

static bool read_part(const struct app *app, struct sheet_request *r, struct err *err)
{
	struct sv hops = export_given(app, OPTION_HOPS);
	int64_t number = 0;

	r->whole = args_has(app->args, OPTION_WHOLE);
	r->expressions = args_has(app->args, OPTION_EXPRESSIONS);
	r->graph = export_given(app, OPTION_GRAPH);
	r->scope = export_given(app, OPTION_SCOPE);
	r->focus = export_given(app, OPTION_FOCUS);
	r->path = export_given(app, OPTION_PATH);
	if (hops.len && (!sv_int(hops, &number) || number < 1 || number > MAX_HOPS))
		return err_set(err, ERR_USAGE, "--hops takes a number from 1 to %d, not '%s'",
			       MAX_HOPS, hops.at);
	r->hops = (uint32_t)number;
	if (r->whole && args_has(app->args, OPTION_FOLDED))
		return err_set(err, ERR_USAGE, "--whole and --folded cannot be combined");
	if ((r->path.len || hops.len) && !r->focus.len)
		return err_set(err, ERR_USAGE, "--hops and --path need --focus");
	return !r->focus.len || !r->scope.len ||
	       err_set(err, ERR_USAGE, "--scope and --focus cannot be combined");
}

static bool read_wish(const struct app *app, struct wish *w, struct err *err)
{
	if (!export_target(app, 0, w, err) || !read_engine(app, w, err) ||
	    !read_part(app, &w->sheet, err))
		return false;
	if (w->format->flags & FORMAT_WHOLE && !args_has(app->args, OPTION_FOLDED))
		w->sheet.small = SMALL_GRAPH;
	return !w->sheet.graph.len || w->format->draws ||
	       err_set(err, ERR_USAGE, "%s always holds every graph; omit --graph",
		       w->format->name);
}

/* ---- the work ---- */

/* Input of the worker process. */
struct making {
	const struct app *app; /* borrowed */
	struct document *document;
	const struct wish *wish;
	bool use_dot;
};

static void export_tell(void *context, const char *what, unsigned seconds)
{
	worker_tell(context, what, seconds);
}

/* What folds hide and which bodies are not drawn; on the screen it is seen. */
static void tell_folds(const struct wish *w, const struct sheet *s, struct str *out)
{
	size_t folds, hidden = sheet_hidden(s, &folds), left_out = sheet_left_out(s);

	if (w->sheet.like || (!folds && !left_out))
		return;
	if (folds) {
		str_count(out, hidden);
		str_text(out, hidden == 1 ? " node folded into " : " nodes folded into ");
		str_count(out, folds);
		str_text(out, folds == 1 ? " box; --whole draws all" : " boxes; --whole draws all");
	}
	if (left_out) {
		str_text(out, folds ? "; " : "");
		str_count(out, left_out);
		str_text(out, left_out == 1 ? " body left folded; --graph draws it"
					    : " bodies left folded; --graph draws one");
	}
}

/* Nothing is folded, cut, shrunk or left out in silence. */
static void tell_fitted(struct worker *a, const struct wish *w, const struct sheet *s)
{
	struct str note = {0}, folds = {0};
	bool fitted = s->strips || s->dpi || s->unframed;

	tell_folds(w, s, &folds);
	if (!folds.len && !fitted)
		return;
	str_format(&note, "%s: %s%s", str_c(&w->target), str_c(&folds),
		   folds.len && fitted ? "; " : "");
	if (s->unframed)
		str_format(&note, "%u %s left out: too many for Graphviz%s", s->unframed,
			   PLURAL(s->unframed, "frame is", "frames are"),
			   s->strips || s->dpi ? "; " : "");
	if (s->strips)
		str_format(&note, "too tall for one column, split into %u", s->strips);
	if (s->dpi)
		str_format(&note, "%slarge, drawn at %u dots per inch%s; SVG has no such limit%s",
			   s->strips ? "; " : "", s->dpi,
			   s->dpi < READABLE_DPI ? ", too few to read" : "",
			   s->dpi < READABLE_DPI && w->sheet.whole
				   ? ", and without --whole it is folded"
				   : "");
	worker_note(a, str_c(&note));
	str_release(&note);
	str_release(&folds);
}

static bool make_drawing(struct format_job job, const struct wish *w, struct worker *a,
			 struct err *err)
{
	struct sheet sheet;
	bool ok;

	/* A text has no legend. */
	job.part.expressions |= job.format == format_row(FORMAT_TXT);
	/* The screen shows a body on its own. */
	job.part.bodies = job.format->flags & FORMAT_BODIES && !job.part.like;
	worker_tell(a, "laying out", 0);
	if (!sheet_make(&sheet, job.in, &job.part, err))
		return false;
	job.sheet = &sheet;
	ok = job.format->write(&job, a->out, err);
	if (ok)
		tell_fitted(a, w, &sheet);
	sheet_release(&sheet);
	return ok;
}

static bool make_telling(struct format_job job, struct document *d, struct worker *a,
			 struct err *err)
{
	struct offers offers = {0};
	bool ok;

	worker_tell(a, "writing", 0);
	if (job.format->flags & FORMAT_REPAIRS)
		offers_find(&offers, d);
	job.repairs = offers.lines.at;
	job.repair_count = offers.lines.len;
	ok = job.format->write(&job, a->out, err);
	offers_release(&offers);
	return ok;
}

static bool export_make(void *context, struct worker *a, struct err *err)
{
	struct making *m = context;
	struct document *d = m->document;
	const struct wish *w = m->wish;
	struct format_job job = {
		.format = w->format,
		.in = &d->infer,
		.path = str_sv(&d->wire.path),
		.bytes = d->wire.file.size,
		.part = w->sheet,
		.use_dot = m->use_dot,
		.ascii = args_has(m->app->args, OPTION_ASCII),
		.tell = export_tell,
		.context = a,
	};

	return w->format->draws ? make_drawing(job, w, a, err) : make_telling(job, d, a, err);
}

/* Why it is drawn by us, before what the drawing has to say: "TARGET: note". */
static void export_add_reason(struct err *note, const struct str *target, const char *why)
{
	struct err drawn = *note;
	struct sv more = sv_of(drawn.text);

	if (sv_starts(more, str_sv(target)))
		more = sv_skip(more, target->len + strlen(": "));
	err_set(note, ERR_NONE, "%s; drawn as on the screen instead%s%.*s", why,
		more.len ? "; " : "", (int)MIN(more.len, 400), more.at);
}

/* If Graphviz's layout fails, a second worker draws ours: the first may be dead. */
static bool export_run(struct making *m, const struct worker_watch *watch,
		       struct worker_result *out, struct err *err)
{
	bool ok = worker_run(export_make, m, watch, out, err);

	if (!ok && out->graphviz && m->use_dot && err->kind != ERR_LIMIT) {
		struct err why = *err;

		out->note = (struct err){0};
		m->use_dot = false;
		ok = worker_run(export_make, m, watch, out, err);
		export_add_reason(&out->note, &m->wish->target, why.text);
	}
	return ok || (out->graphviz && err_prefix(err, "%s", str_c(&m->wish->target)));
}

static bool export_wish(const struct app *app, struct document *d, const struct wish *w,
			const struct worker_watch *watch, struct err *out_note, struct err *err)
{
	struct making m = {app, d, w, w->use_dot};
	struct worker_result made = {0};
	bool ok;

	if (!export_may_write(w, &d->wire, err) || !export_run(&m, watch, &made, err))
		return false;
	*out_note = made.note;
	ok = export_deliver(made.file, w, &d->wire, err);
	(void)fclose(made.file);
	return ok;
}

bool export_document(const struct app *app, struct document *d, const char *target,
		     const struct export_view *view, const struct worker_watch *watch,
		     struct err *err)
{
	struct wish wish = {.format = format_of_file(sv_of(target)), .fresh = view->fresh};
	struct err note = {0};
	bool ok;

	if (!wish.format)
		return err_set(err, ERR_USAGE, "%s: the ending must be " FORMAT_ENDING_CHOICE,
			       target);
	wish.sheet.like = view->folds;
	wish.sheet.seen = view->focus;
	wish.sheet.hues = view->hues;
	wish.sheet.names = view->names;
	str_text(&wish.target, target);
	ok = export_wish(app, d, &wish, watch, &note, err);
	str_release(&wish.target);
	return ok;
}

/* ---- the command ---- */

/* With sizes bound, infer everything again: numbers can decide what names could not. */
static bool bind_document(const struct app *app, struct document *d, struct err *err)
{
	struct bindings bindings = {0};
	bool ok = bind_all(app, &d->infer, &bindings, err);

	for (size_t i = 0; ok && i < bindings.len; i++)
		ok = document_what_if(d, bindings.at[i].name, bindings.at[i].size, err);
	vec_release(&bindings);
	return ok;
}

static bool export_open(const struct app *app, struct document *d, const struct wish *w,
			struct err *err)
{
	bool quiet = args_has(app->args, OPTION_QUIET);
	struct progress progress;
	struct worker_watch watch = {progress_step, &progress};
	struct err note = {0};
	bool ok;

	progress_begin(&progress, quiet);
	ok = bind_document(app, d, err) && export_wish(app, d, w, &watch, &note, err);
	progress_end(&progress);
	if (ok && !quiet && note.text[0])
		(void)fprintf(stderr, "axed: %s\n", note.text);
	return ok;
}

static enum exit_code export_one(const struct app *app)
{
	struct wish wish = {0};
	struct document d;
	struct err err;
	bool ok;

	ok = read_wish(app, &wish, &err) && edit_open(app, &d, &err);
	if (ok) {
		ok = export_open(app, &d, &wish, &err);
		document_release(&d);
	}
	str_release(&wish.target);
	/* Everything is cleaned up: now the signal may take its default action. */
	progress_raise();
	return ok ? EXIT_DONE : complain(&err);
}

enum exit_code run_export(const struct app *app)
{
	struct wish wish = {0};
	struct err err;
	bool ok = read_wish(app, &wish, &err);

	str_release(&wish.target);
	/* Report bad options once, not once per model, and before anything is written. */
	if (!ok || !export_targets_ok(app, &err))
		return complain(&err);
	return many_run(&(struct many){
		.app = app, .one = export_one, .models = model_count(app), .bare = true});
}
