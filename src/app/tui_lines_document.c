/*
 * Lines that edit the document, save it, or print what is in it.
 */
#include <inttypes.h>
#include <stdio.h>

#include "app/app.h"
#include "app/tui_lines.h"
#include "app/tui_session.h"
#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "cmd/args.h"
#include "edit/description.h"
#include "edit/document.h"
#include "edit/journal/journal.h"
#include "edit/recipe.h"
#include "infer/infer.h"
#include "ir/graph.h"
#include "ir/place.h"
#include "ops/info.h"
#include "sym/text.h"
#include "ui/panes/problems.h"
#include "ui/panes/symbols.h"
#include "ui/screen.h"
#include "wire/wire.h"

static void tell_last(struct session *s)
{
	struct descriptions list = {0};

	if (!s->out)
		return;
	describe_actions(&list, &s->document, s->document.done - 1);
	for (size_t i = 0; i < list.len; i++) {
		struct str shown = {0};

		str_add_shown(&shown, str_sv(&list.at[i].what));
		str_text(&shown, ": ");
		str_add_shown(&shown, str_sv(&list.at[i].before));
		str_text(&shown, list.at[i].before.len && list.at[i].after.len ? " -> " : "");
		str_add_shown(&shown, str_sv(&list.at[i].after));
		fprintf(s->out, "%s\n", str_c(&shown));
		str_release(&shown);
	}
	descriptions_release(&list);
}

/* "; constant /c: [3, 10] → [0, 10], and 2 more" */
static void add_what_changed(const struct session *s, struct str *out)
{
	struct descriptions list = {0};

	describe_actions(&list, &s->document, s->document.done - 1);
	if (list.len) {
		str_text(out, "; ");
		str_add(out, str_sv(&list.at[0].what));
		str_text(out, list.at[0].before.len || list.at[0].after.len ? ": " : "");
		str_add(out, str_sv(&list.at[0].before));
		str_text(out, list.at[0].before.len && list.at[0].after.len ? " \u2192 " : "");
		str_add(out, str_sv(&list.at[0].after));
	}
	if (list.len > 1)
		str_format(out, ", and %zu more (D)", list.len - 1);
	descriptions_release(&list);
}

/* A repair says how it was proved, and what it changed. */
static void say_proof_of_last(struct session *s)
{
	const struct action *a = &s->document.actions.at[s->document.done - 1];
	struct str text = {0}, shown = {0};

	if (!a->said.len)
		return;
	str_add(&text, str_sv(&a->said));
	add_what_changed(s, &text);
	/* The demo has no file to compare with. */
	if (!s->document.wire.file.piped)
		str_text(&text, "; V runs it in ONNX Runtime");
	str_add_shown(&shown, str_sv(&text));
	screen_say(&s->screen, false, "%s", str_c(&shown));
	str_release(&text);
	str_release(&shown);
}

static void say_warning_of_last(struct session *s)
{
	const struct action *a = &s->document.actions.at[s->document.done - 1];
	struct str shown = {0};

	str_add_shown(&shown, str_sv(&a->warning));
	if (shown.len)
		screen_say(&s->screen, true, "%s", str_c(&shown));
	str_release(&shown);
}

/* What is offered for the selected problem or symbol; false for nothing. */
static bool line_of_selected(const struct screen *s, struct str *out)
{
	if (s->active == PANE_PROBLEMS)
		return problems_repair(s, out);
	return s->active == PANE_SYMBOLS && symbols_offer(s, out);
}

/*
 * A line that the document runs itself, as written.  One without words whose row says so runs
 * what is offered for the selected problem or symbol.
 */
bool line_act(const struct call *c)
{
	struct session *s = c->session;
	size_t before = s->document.done;
	struct str line = {0};
	bool ok;

	if (!c->kind->argument || c->count > 1 || !line_of_selected(&s->screen, &line))
		str_add(&line, c->line);
	ok = session_edit(s, str_sv(&line), c->err);
	if (ok && s->document.done > before)
		tell_last(s);
	if (ok)
		session_renew(s);
	if (ok && s->document.done > before) {
		say_proof_of_last(s);
		say_warning_of_last(s);
	} else if (ok && c->kind->argument)
		screen_say(&s->screen, false,
			   "nothing to repair: no axis that is declared dynamic is pinned");
	str_release(&line);
	return ok;
}

/* What a step took back or did again: its line, or how many. */
static void say_steps(struct session *s, const char *did, int64_t count, size_t newest)
{
	struct str shown = {0};

	if (count == 1)
		str_add_shown(&shown, str_sv(&s->document.actions.at[newest].line));
	else
		str_format(&shown, "%" PRId64 " %s", count, PLURAL(count, "edit", "edits"));
	screen_say(&s->screen, false, "%s %s", did, str_c(&shown));
	str_release(&shown);
}

/* Once, or N times. */
static bool lines_document_repeat(const struct call *c, bool (*step)(struct document *d),
				  const char *did)
{
	int64_t count = 1, steps = 0;
	const struct document *d = &c->session->document;
	size_t before = d->done;

	if (c->count > 1 && (!sv_int(c->words[1], &count) || count < 1))
		return err_set(c->err, ERR_USAGE, "'%.*s' is not a count",
			       (int)MIN(c->words[1].len, 100), c->words[1].at);
	for (; steps < count; steps++) {
		if (!step(&c->session->document))
			return err_set(c->err, ERR_USAGE, "nothing to %s", c->kind->name);
	}
	session_renew(c->session);
	say_steps(c->session, did, steps, MAX(before, d->done) - 1);
	return true;
}

bool session_leave_tried(struct session *s)
{
	if (s->document.what_ifs.len == 0)
		return false;
	document_clear_what_if(&s->document);
	session_renew(s);
	screen_say(&s->screen, false, "left the sizes that were tried");
	return true;
}

bool line_undo(const struct call *c)
{
	const struct document *d = &c->session->document;

	/* What was done last is undone first. */
	if (c->count == 1 && d->done <= d->tried_at && session_leave_tried(c->session))
		return true;
	return lines_document_repeat(c, document_undo, "undid");
}

bool line_redo(const struct call *c)
{
	return lines_document_repeat(c, document_redo, "redid");
}

bool line_try(const struct call *c)
{
	struct session *s = c->session;

	if (c->count == 1) {
		if (!session_leave_tried(s))
			screen_say(&s->screen, false, "no size is tried; try NAME=N tries one");
		return true;
	}
	for (size_t i = 1; i < c->count; i++) {
		struct sv word = c->words[i], name = {0}, number = {0};
		bool split = sv_split_last(word, '=', &name, &number);
		int64_t size = 0;

		if (split && number.len == 0) {
			document_forget_what_if(&s->document, name);
			continue;
		}
		if (!split)
			return err_set(c->err, ERR_USAGE, "try takes NAME=N, not '%.*s'",
				       (int)MIN(word.len, 100), word.at);
		if (!sv_int(number, &size))
			return err_set(c->err, ERR_USAGE, "a size is a whole number, not '%.*s'",
				       (int)MIN(number.len, 100), number.at);
		if (!document_what_if(&s->document, name, size, c->err))
			return false;
	}
	session_renew(s);
	return true;
}

static bool need_file(const struct call *c)
{
	return c->count == 2 || err_set(c->err, ERR_USAGE, "%.*s needs a file",
					(int)c->words[0].len, c->words[0].at);
}

bool line_apply(const struct call *c)
{
	struct session *s = c->session;
	struct recipe_result result = {0};
	struct sv rest, first;
	bool force = args_has(s->app->args, OPTION_FORCE), ok;

	ok = need_file(c) && recipe_apply(&s->document, c->words[1].at, force, &result, c->err);
	rest = str_sv(&result.failures);
	first = sv_cut(&rest, '\n');
	if (ok && result.failed) /* one sentence: the first failure */
		ok = err_set(c->err, ERR_REFUSED, "%zu of %zu %s failed; %.*s", result.failed,
			     result.failed + result.done,
			     PLURAL(result.failed + result.done, "line", "lines"),
			     (int)MIN(first.len, 300), first.at);
	recipe_result_release(&result);
	session_renew(s);
	return ok;
}

bool line_recipe(const struct call *c)
{
	struct session *s = c->session;
	struct str edits = {0};

	if (!need_file(c) || !recipe_write(&s->document, c->words[1].at, c->err))
		return false;
	str_things(&edits, s->document.done, "edit");
	screen_say(&s->screen, false, "saved %s to %s", str_c(&edits), c->words[1].at);
	str_release(&edits);
	return true;
}

/* The file has all edits, is ours, and nobody has changed it. */
static bool lines_document_is_saved(const struct session *s)
{
	const struct document *d = &s->document;

	return !s->held && !document_is_changed(d) && file_unchanged(&d->wire.file) &&
	       !wire_was_replaced(&d->wire);
}

bool line_write(const struct call *c)
{
	struct session *s = c->session;
	const char *target = c->count > 1 ? c->words[1].at : str_c(&s->document.wire.path);

	if (c->count < 2 && s->document.wire.file.piped)
		return err_set(c->err, ERR_USAGE, "the model has no file name; use :w FILE");
	if (c->count < 2 && !(c->kind->argument & WRITE_FORCE) && lines_document_is_saved(s)) {
		screen_say(&s->screen, false, "nothing has changed: %s stays as it is", target);
	} else {
		if (!session_save(s, target, c->kind->argument & WRITE_FORCE, c->err))
			return false;
		session_renew(s);
	}
	if (c->kind->argument & WRITE_QUIT)
		s->done = true;
	return true;
}

bool line_history(const struct call *c)
{
	struct session *s = c->session;

	screen_pane(&s->screen, PANE_HISTORY);
	for (size_t i = 0; s->out && i < s->document.actions.len; i++) {
		struct str shown = {0};

		str_add_shown(&shown, str_sv(&s->document.actions.at[i].line));
		fprintf(s->out ? s->out : stdout, i < s->document.done ? "%s\n" : "[%s]\n",
			str_c(&shown));
		str_release(&shown);
	}
	return true;
}

static void print_shape(struct session *s, uint32_t value)
{
	const struct infer *in = &s->document.infer;
	const struct info *info = &in->infos[value];
	struct str text = {0}, shown = {0};

	str_add(&text, model_name(in->model, in->model->values.at[value].name));
	str_text(&text, info->ranked ? " [" : " ?");
	for (uint32_t i = 0; info->ranked && i < info->rank; i++) {
		str_text(&text, i ? ", " : "");
		sym_print(&in->pool, info->dims[i], &text);
	}
	str_text(&text, info->ranked ? "]" : "");
	str_add_shown(&shown, str_sv(&text));
	fprintf(s->out ? s->out : stdout, "%s\n", str_c(&shown));
	str_release(&text);
	str_release(&shown);
}

bool line_shapes(const struct call *c)
{
	struct session *s = c->session;
	const struct model *m = &s->document.wire.model;
	struct place place;

	for (size_t i = 1; i < c->count; i++) {
		if (!place_find(m, c->words[i], &place, c->err))
			return false;
		print_shape(s, place.value);
	}
	for (uint32_t v = 1; c->count == 1 && v < m->values.len; v++) {
		if (!(m->values.at[v].flags & VALUE_DEAD) && s->document.infer.infos[v].kind)
			print_shape(s, v);
	}
	return true;
}

bool line_quit(const struct call *c)
{
	struct session *s = c->session;

	if (document_is_changed(&s->document) && s->terminal) {
		session_prompt(
			s, '?',
			" Unsaved edits. (w)rite and leave, (l)eave anyway, Esc to stay: ", SV(""));
		s->asking = QUESTION_LEAVE;
		return true;
	}
	if (document_is_changed(&s->document))
		return err_set(c->err, ERR_REFUSED, "there are unsaved edits; quit! discards them");
	s->done = true;
	return true;
}

bool line_abandon(const struct call *c)
{
	struct session *s = c->session;

	journal_discard(s->document.journal);
	s->done = true;
	return true;
}
