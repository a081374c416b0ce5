#include "app/tui_session.h"

#include <stdlib.h>
#include <string.h>

#include "app/cli_edit.h"
#include "app/tui_lines.h"
#include "app/tui_themes.h"
#include "base/bug.h"
#include "base/err.h"
#include "base/file.h"
#include "base/nearest.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "base/words.h"
#include "cmd/args.h"
#include "edit/journal/journal.h"
#include "edit/journal/recovery.h"
#include "edit/journal/text.h"
#include "edit/repair/offer.h"
#include "infer/infer.h"
#include "infer/past.h"
#include "ui/theme.h"
#include "wire/wire.h"

/* ---- opening ---- */

/* On a full disk, say: the edit is made, but a crash would lose it. */
static const char cannot_journal[] = "cannot write the journal: a crash would lose unsaved edits";

static void tell_recovered(struct session *s, size_t done, size_t left, const struct str *report)
{
	bool failed = journal_just_failed(s->document.journal);
	struct str said = {0};

	str_format(&said, done == left ? "recovered %zu edit%s" : "recovered %zu edit%s of %zu",
		   done, done == 1 ? "" : "s", left);
	if (s->out) {
		print_notes(str_sv(report));
		print_notes(sv_of(failed ? cannot_journal : ""));
		fprintf(s->out, "%s\n", str_c(&said));
	} else {
		str_text(&said, failed ? "; " : "");
		str_text(&said, failed ? cannot_journal : "");
		str_text(&said, report->len ? "; " : "");
		str_add(&said, str_sv(report));
		screen_say(&s->screen, failed || done < left, "%s", str_c(&said));
	}
	str_release(&said);
}

void session_recover(struct session *s)
{
	size_t left = journal_left(s->document.journal)->count, done;
	struct str report = {0};

	session_hold(s);
	done = document_recover(&s->document, &report);
	tell_recovered(s, done, left, &report);
	str_release(&report);
}

void session_describe_left(const struct session *s, struct str *out)
{
	const struct journal_left *left = journal_left(s->document.journal);
	const char *plural = left->count == 1 ? "" : "s";

	switch (left->kind) {
	case JOURNAL_NOTHING:
		break;
	case JOURNAL_UNSAVED:
		str_format(out, "%zu unsaved edit%s of an earlier run", left->count, plural);
		break;
	case JOURNAL_ELSEWHERE:
		str_format(out, "%zu unsaved edit%s of another version of this file", left->count,
			   plural);
		break;
	case JOURNAL_DAMAGED:
		str_format(out, "a damaged journal: %zu edit%s can be read, %zu line%s cannot",
			   left->count, plural, left->unread, left->unread == 1 ? "" : "s");
		break;
	}
}

static void session_tell(struct session *s, const char *text)
{
	if (s->out)
		print_notes(sv_of(text));
	else
		screen_say(&s->screen, true, "%s", text);
}

/* What was left must be dealt with before anything is edited. */
static bool settle_left(struct session *s, struct err *err)
{
	struct str left = {0};
	bool ok = true;

	session_describe_left(s, &left);
	if (left.len == 0)
		return true;
	if (args_has(s->app->args, OPTION_DISCARD))
		journal_discard(s->document.journal);
	else if (args_has(s->app->args, OPTION_RECOVER))
		session_recover(s);
	else if (args_has(s->app->args, OPTION_SCRIPT))
		ok = err_set(err, ERR_REFUSED, "%s: %s: use --recover or --discard",
			     str_c(&s->document.wire.path), str_c(&left));
	str_release(&left);
	return ok;
}

/* Without a journal we still edit, but what another axed has open we only look at. */
static bool settle_journal(struct session *s, struct err *err)
{
	struct str said = {0};

	if (args_has(s->app->args, OPTION_DEMO))
		return true;
	if (journal_open(&s->document.journal, &s->document.wire, err))
		return settle_left(s, err);
	s->held = err->kind == ERR_REFUSED;
	if (s->held &&
	    (args_has(s->app->args, OPTION_RECOVER) || args_has(s->app->args, OPTION_DISCARD)))
		return false;
	str_format(&said, "%s%s", err->text, s->held ? "; this one only looks" : "");
	session_tell(s, str_c(&said));
	str_release(&said);
	return true;
}

/* From the first edit on, what is edited must not be lost. */
void session_hold(struct session *s)
{
	enum {
		HOLD_MS = 20 /* that a key may wait for it */
	};

	wire_hold(&s->document.wire, HOLD_MS);
}

bool session_take(struct session *s, struct err *err)
{
	struct str left = {0};

	session_hold(s);
	if (!s->held)
		return true;
	if (!file_unchanged(&s->document.wire.file) || wire_was_replaced(&s->document.wire))
		return err_set(err, ERR_REFUSED, "the other axed has changed %s: open it again",
			       str_c(&s->document.wire.path));
	/* For whatever reason: the other may still have it. */
	if (!journal_open(&s->document.journal, &s->document.wire, err))
		return false;
	session_describe_left(s, &left);
	if (left.len) {
		journal_close(s->document.journal, true);
		s->document.journal = NULL;
		err_set(err, ERR_REFUSED, "the other axed left %s: open it again to recover them",
			str_c(&left));
	}
	s->held = left.len != 0;
	str_release(&left);
	return !s->held;
}

/* ---- the view of the document ---- */

/* The best line that was not tried in vain. */
static bool repair_of(void *context, size_t finding, struct str *out)
{
	const struct session *s = context;
	const struct infer *in = &s->document.infer;
	struct str line = {0};
	bool found = false, refused = true;

	for (unsigned which = 0; finding < in->findings.len && refused && which < OFFER_MOST;
	     which++) {
		str_clear(&line);
		if (!offer_line(in, &in->findings.at[finding], which, &line))
			continue;
		refused = sv_eq(str_sv(&line), str_sv(&s->screen.proof.refused));
		str_clear(out);
		str_add(out, str_sv(&line));
		found = true;
	}
	str_release(&line);
	return found;
}

/* What the preview changes; without one, what differs from the file. */
static void mark_changed(struct session *s)
{
	struct document *d = &s->document;
	struct past *since = session_is_previewing(s) ? &d->before : &d->in_file;
	size_t count = d->wire.model.values.len;

	past_renew(since, &d->infer);
	free(s->changed);
	s->changed = must_alloc(count);
	memset(s->changed, 0, count);
	s->changed_count = 0;
	for (uint32_t v = 1; since->taken && v < count; v++) {
		if (!past_same(since, &d->infer, v)) {
			s->changed[v] = CHANGED_SHAPE;
			s->changed_count++;
		} else if (!past_same_elements(since, &d->infer, v)) {
			s->changed[v] = CHANGED_ELEMENTS;
		}
	}
}

void session_renew(struct session *s)
{
	const struct document *d = &s->document;
	struct subject subject = {
		.model = &d->wire.model,
		.infer = &s->document.infer,
		.path = str_sv(&d->wire.path),
		.bytes = d->wire.file.size,
		.modified = document_is_changed(d) && !d->previewing,
		.changed_len = d->wire.model.values.len,
		.before = session_is_previewing(s) ? &d->before : NULL,
		.preview = session_is_previewing(s),
		.history_done = d->done - d->previewing,
		.history_saved = d->saved_lost ? SIZE_MAX : d->saved,
		.tried = d->bindings.at,
		.tried_count = d->what_ifs.len,
		.repair = repair_of,
		.context = s,
	};

	mark_changed(s);
	str_clear(&s->screen.proof.line);
	str_clear(&s->screen.proof.refused);
	vec_clear(&s->history);
	vec_clear(&s->history_said);
	for (size_t i = 0; i < d->actions.len; i++) {
		vec_push(&s->history, str_sv(&d->actions.at[i].line));
		vec_push(&s->history_said, str_sv(&d->actions.at[i].said));
	}
	subject.history = s->history.at;
	subject.history_said = s->history_said.at;
	subject.history_count = s->history.len - d->previewing;
	subject.changed = s->changed;
	subject.changed_count = s->changed_count;
	screen_renew(&s->screen, &subject);
}

bool session_open(struct session *s, const struct app *app, struct err *err)
{
	*s = (struct session){.app = app};
	s->out = args_has(app->args, OPTION_SCRIPT) ? stdout : NULL;
	if (!edit_open(app, &s->document, err))
		return false;
	document_watch(&s->document);
	keymap_init(&s->keymap);
	screen_init(&s->screen, 80, 24);
	session_help(s);
	if (!theme_load(&s->screen.theme, SV("dark"), err))
		theme_plain(&s->screen.theme);
	if (!settle_journal(s, err)) {
		session_close(s);
		return false;
	}
	session_renew(s);
	return true;
}

void session_close(struct session *s)
{
	terminal_close(s->terminal);
	screen_release(&s->screen);
	keymap_release(&s->keymap);
	aliases_release(&s->aliases);
	session_help_release(s);
	vec_release(&s->history);
	vec_release(&s->history_said);
	free(s->changed);
	str_release(&s->awaited);
	str_release(&s->trial.name);
	str_release(&s->offer.line);
	for (size_t i = 0; i < s->field.kept.len; i++)
		str_release(&s->field.kept.at[i].value);
	vec_release(&s->field.kept);
	str_release(&s->field.target);
	str_release(&s->field.was);
	vec_release(&s->waiting);
	document_release(&s->document);
}

/* ---- lines ---- */

static void end_preview(struct session *s)
{
	if (!session_is_previewing(s))
		return;
	session_end_preview(s);
	session_renew(s);
}

void session_tell_journal(struct session *s)
{
	if (!journal_just_failed(s->document.journal))
		return;
	if (!s->terminal)
		print_notes(sv_of(cannot_journal));
	screen_say(&s->screen, true, "%s", cannot_journal);
}

/* A word that is not used would be taken for one that is. */
static bool too_many_words(const struct call *c)
{
	size_t most = line_kind_most_words(c->kind);
	struct sv word = c->words[most + 1];

	if (most == 0)
		return err_set(c->err, ERR_USAGE, "%s takes no arguments", c->kind->name);
	return err_set(c->err, ERR_USAGE, "%s %s: '%.*s' is one word too many", c->kind->name,
		       c->kind->usage, (int)MIN(word.len, 100), word.at);
}

static bool run_line_call(const struct call *c)
{
	struct session *s = c->session;
	bool ok;

	if (s->configuring && !(c->kind->flags & LINE_CONFIGURES))
		return err_set(c->err, ERR_REFUSED,
			       "%s: a configuration may only have theme, option, bind and alias",
			       c->kind->name);
	if (s->read_only && c->kind->flags & LINE_WRITES)
		return err_set(c->err, ERR_REFUSED, "%s: writing files is disabled", c->kind->name);
	if (s->terminal && c->kind->flags & LINE_SCRIPTED)
		return err_set(c->err, ERR_REFUSED,
			       "%s is for scripts: axed edit MODEL --script FILE", c->kind->name);
	if (c->count - 1 > line_kind_most_words(c->kind))
		return too_many_words(c);
	if (c->kind->flags & LINE_TAKES && !session_take(s, c->err))
		return false;
	if (c->kind->flags & LINE_ASKS)
		end_preview(s);
	ok = c->kind->run(c);
	/* A line that failed half way may have changed the document. */
	if (!ok)
		session_renew(s);
	return ok;
}

/* "a, b or c": the lines that are meant by a word which is the start of their names, or a synonym.
 */
static void lines_named(struct str *out, struct sv word,
			bool (*fits)(const struct line_kind *kind, struct sv word))
{
	enum {
		MOST = 6
	};
	const char *names[MOST + 1];
	size_t count = 0;

	for (size_t i = 0; i < line_kind_count && count <= MOST; i++) {
		if (fits(&line_kinds[i], word))
			names[count++] = line_kinds[i].name;
	}
	for (size_t i = 0; i < MIN(count, (size_t)MOST); i++)
		str_format(out, "%s%s", i == 0 ? "" : i + 1 == count ? " or " : ", ", names[i]);
	str_text(out, count > MOST ? ", \u2026" : "");
}

static bool line_starts_so(const struct line_kind *kind, struct sv word)
{
	return sv_starts(sv_of(kind->name), word);
}

static bool line_is_called_so(const struct line_kind *kind, struct sv word)
{
	return line_kind_is_called(kind, word, true);
}

static bool no_line(const struct session *s, struct sv name, size_t fits, struct err *err)
{
	struct str others = {0};
	struct nearest near;
	struct sv found = {0};

	lines_named(&others, name, line_is_called_so);
	if (others.len) {
		err_set(err, ERR_USAGE, "there is no command '%.*s'; try %s",
			(int)MIN(name.len, 100), name.at, str_c(&others));
		str_release(&others);
		return false;
	}
	if (fits) {
		lines_named(&others, name, line_starts_so);
		err_set(err, ERR_USAGE, "several commands start with '%.*s': %s",
			(int)MIN(name.len, 100), name.at, str_c(&others));
		str_release(&others);
		return false;
	}
	str_release(&others);
	err_set(err, ERR_USAGE, "there is no command '%.*s'", (int)MIN(name.len, 100), name.at);
	nearest_begin(&near, name);
	for (size_t i = 0; i < line_kind_count; i++)
		nearest_offer(&near, sv_of(line_kinds[i].name), i);
	for (size_t i = 0; i < s->aliases.list.len; i++)
		nearest_offer(&near, str_sv(&s->aliases.list.at[i].name), line_kind_count + i);
	if (near.found)
		found = near.which < line_kind_count
				? sv_of(line_kinds[near.which].name)
				: str_sv(&s->aliases.list.at[near.which - line_kind_count].name);
	return nearest_suggest(err, found);
}

static bool run_words(struct session *s, struct sv line, const struct words *w, struct err *err)
{
	size_t fits;
	struct call c = {
		.session = s,
		.kind = line_kind_find(w->at.at[0], &fits),
		.line = line,
		.words = w->at.at,
		.count = w->at.len,
		.err = err,
	};

	return c.kind ? run_line_call(&c) : no_line(s, w->at.at[0], fits, err);
}

static bool run_expanded(struct session *s, struct sv line, struct err *err)
{
	struct words w;
	bool ok = true;

	if (!words_split(&w, line, err))
		return false;
	if (w.at.len) {
		ok = run_words(s, line, &w, err);
		session_tell_journal(s);
		/* In a terminal the loop does it, once no key is waiting. */
		if (!s->terminal) {
			session_preview(s);
			session_live(s);
			session_prove(s);
		}
	}
	words_release(&w);
	return ok;
}

bool session_run(struct session *s, struct sv line, struct err *err)
{
	struct str expanded = {0};
	bool ok = run_expanded(
		s, alias_expand(&s->aliases, line, &expanded) ? str_sv(&expanded) : line, err);

	str_release(&expanded);
	return ok;
}

void session_do(struct session *s, struct sv line)
{
	struct err err;

	str_clear(&s->screen.notice);
	if (!session_run(s, line, &err))
		screen_say(&s->screen, true, "%s", err.text);
}
