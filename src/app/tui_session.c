#include "app/tui_session.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "app/cli_edit.h"
#include "app/tui_themes.h"
#include "base/bug.h"
#include "base/utf8.h"
#include "base/words.h"
#include "edit/description.h"
#include "edit/journal.h"
#include "edit/repair/offer.h"
#include "edit/recipe.h"
#include "ir/place.h"
#include "sym/text.h"
#include "ui/panes/problems.h"

/* ---- opening ---- */

void session_recover(struct session *s)
{
	size_t pending = journal_pending(&s->document);
	struct str report = {0};

	journal_recover(&s->document, &report);
	if (s->out) {
		print_notes(str_sv(&report));
		fprintf(s->out, "recovered %zu step%s\n", pending, pending == 1 ? "" : "s");
	} else {
		screen_say(&s->screen, report.len != 0, "recovered %zu step%s%s%s", pending,
			   pending == 1 ? "" : "s", report.len ? "; " : "", str_c(&report));
	}
	str_release(&report);
}

static bool settle_journal(struct session *s, struct err *err)
{
	size_t pending;

	if (args_has(s->app->args, OPTION_DEMO))
		return true;
	if (!journal_start(&s->document, err)) {
		if (s->out)
			print_notes(sv_of(err->text));
		else
			screen_say(&s->screen, true, "%s", err->text);
		return true;
	}
	pending = journal_pending(&s->document);
	if (pending == 0)
		return true;
	if (args_has(s->app->args, OPTION_DISCARD)) {
		journal_discard(&s->document);
	} else if (args_has(s->app->args, OPTION_RECOVER)) {
		session_recover(s);
	} else if (args_has(s->app->args, OPTION_SCRIPT)) {
		return err_set(err, ERR_REFUSED,
			       "%s: %zu step%s of an earlier run %s not saved: give --recover or "
			       "--discard",
			       str_c(&s->document.wire.path), pending, pending == 1 ? "" : "s",
			       pending == 1 ? "was" : "were");
	}
	return true;
}

/* Every line that there is, with the keys that run it. */
static void make_help(struct session *s)
{
	s->help = must_alloc(line_kind_count * sizeof(*s->help));
	for (size_t i = 0; i < line_kind_count; i++) {
		struct str *keys = vec_add(&s->help_keys);

		keymap_keys_of(&s->keymap, line_kinds[i].name, keys);
		s->help[i] = (struct help_row){line_kinds[i].group, line_kinds[i].name,
					       line_kinds[i].usage, line_kinds[i].help,
					       str_sv(keys)};
	}
	s->screen.help = s->help;
	s->screen.help_count = line_kind_count;
}

/* ---- what the screen sees ---- */

static bool repair_of(void *context, size_t finding, struct str *out)
{
	const struct session *s = context;
	const struct infer *in = &s->document.infer;

	return finding < in->findings.len && offer_line(in, &in->findings.at[finding], out);
}

static void mark_changed(struct session *s)
{
	size_t count = s->document.wire.model.values.len;

	free(s->changed);
	s->changed = must_alloc(count);
	memset(s->changed, 0, count);
	for (size_t i = 0; i < s->document.changed.len; i++)
		s->changed[s->document.changed.at[i]] = 1;
}

void session_renew(struct session *s)
{
	const struct document *d = &s->document;
	struct subject subject = {
		.model = &d->wire.model,
		.infer = &s->document.infer,
		.path = str_sv(&d->wire.path),
		.modified = document_is_changed(d) && !d->previewing,
		.changed_count = d->changed.len,
		.changed_len = d->wire.model.values.len,
		.preview = d->previewing,
		.history_done = d->done - d->previewing,
		.history_saved = d->saved_lost ? SIZE_MAX : d->saved,
		.tried = d->bindings.at,
		.tried_count = d->what_ifs.len,
		.repair = repair_of,
		.context = s,
	};

	mark_changed(s);
	vec_clear(&s->history);
	for (size_t i = 0; i < d->actions.len; i++)
		vec_push(&s->history, str_sv(&d->actions.at[i].line));
	subject.history = s->history.at;
	subject.history_count = s->history.len - d->previewing;
	subject.changed = s->changed;
	screen_renew(&s->screen, &subject);
}

bool session_open(struct session *s, const struct app *app, struct err *err)
{
	*s = (struct session){.app = app};
	s->out = args_has(app->args, OPTION_SCRIPT) ? stdout : NULL;
	if (!edit_open(app, &s->document, err))
		return false;
	keymap_init(&s->keymap);
	screen_init(&s->screen, 80, 24);
	make_help(s);
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
	for (size_t i = 0; i < s->help_keys.len; i++)
		str_release(&s->help_keys.at[i]);
	vec_release(&s->help_keys);
	vec_release(&s->history);
	free(s->help);
	free(s->changed);
	str_release(&s->awaited);
	vec_release(&s->waiting);
	document_release(&s->document);
}

/* ---- lines ---- */

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

/* A line that the document itself knows, as it was written. */
static bool run_action(struct session *s, struct sv line, struct err *err)
{
	size_t before = s->document.done;

	if (!session_edit(s, line, err))
		return false;
	if (s->document.done > before)
		tell_last(s);
	session_renew(s);
	return true;
}

bool line_set(struct session *s, const struct words *w, struct sv line, struct err *err)
{
	(void)w;
	return run_action(s, line, err);
}

/* Without words, in the pane of problems: what the selected one offers. */
bool line_repair(struct session *s, const struct words *w, struct sv line, struct err *err)
{
	struct str offered = {0};
	bool ok;

	if (w->at.len == 1 && s->screen.active == PANE_PROBLEMS &&
	    problems_repair(&s->screen, &offered))
		line = str_sv(&offered);
	ok = run_action(s, line, err);
	str_release(&offered);
	return ok;
}

static bool count_of(const struct words *w, int64_t *out, struct err *err)
{
	*out = 1;
	return w->at.len < 2 || (sv_int(w->at.at[1], out) && *out > 0) ||
	       err_set(err, ERR_USAGE, "'%.*s' is no number of actions",
		       (int)MIN(w->at.at[1].len, 100), w->at.at[1].at);
}

bool line_undo(struct session *s, const struct words *w, struct sv line, struct err *err)
{
	int64_t count;

	(void)line;
	if (!count_of(w, &count, err))
		return false;
	for (; count > 0; count--) {
		if (!document_undo(&s->document))
			return err_set(err, ERR_USAGE, "there is nothing to undo");
	}
	session_renew(s);
	return true;
}

bool line_redo(struct session *s, const struct words *w, struct sv line, struct err *err)
{
	int64_t count;

	(void)line;
	if (!count_of(w, &count, err))
		return false;
	for (; count > 0; count--) {
		if (!document_redo(&s->document))
			return err_set(err, ERR_USAGE, "there is nothing to redo");
	}
	session_renew(s);
	return true;
}

bool line_try(struct session *s, const struct words *w, struct sv line, struct err *err)
{
	(void)line;
	if (w->at.len == 1)
		document_clear_what_if(&s->document);
	for (size_t i = 1; i < w->at.len; i++) {
		struct sv word = w->at.at[i];
		size_t equals = word.len;
		int64_t size;

		while (equals && word.at[equals - 1] != '=')
			equals--;
		if (!equals || !sv_int(sv_skip(word, equals), &size))
			return err_set(err, ERR_USAGE, "try NAME=N, not '%.*s'",
				       (int)MIN(word.len, 100), word.at);
		if (!document_what_if(&s->document, (struct sv){word.at, equals - 1}, size, err))
			return false;
	}
	session_renew(s);
	return true;
}

static bool need_file(const struct words *w, struct err *err)
{
	return w->at.len == 2 ||
	       err_set(err, ERR_USAGE, "%.*s needs a file", (int)w->at.at[0].len, w->at.at[0].at);
}

bool line_apply(struct session *s, const struct words *w, struct sv line, struct err *err)
{
	struct recipe_result result = {0};
	bool ok;

	(void)line;
	ok = need_file(w, err) && recipe_apply(&s->document, w->at.at[1].at, &result, err);
	if (ok && result.failed) /* one sentence: the first of them */
		ok = err_set(err, ERR_REFUSED, "%zu of %zu lines failed; %.*s", result.failed,
			     result.failed + result.done,
			     (int)MIN(strcspn(str_c(&result.failures), "\n"), 300),
			     str_c(&result.failures));
	recipe_result_release(&result);
	session_renew(s);
	return ok;
}

bool line_recipe(struct session *s, const struct words *w, struct sv line, struct err *err)
{
	(void)line;
	return need_file(w, err) && recipe_write(&s->document, w->at.at[1].at, err);
}

bool line_write(struct session *s, const struct words *w, struct sv line, struct err *err)
{
	const char *target = w->at.len > 1 ? w->at.at[1].at : str_c(&s->document.wire.path);

	(void)line;
	if (w->at.len < 2 && s->document.wire.file.piped)
		return err_set(err, ERR_USAGE, "the model has no file; write FILE");
	if (!session_save(s, target, err))
		return false;
	session_renew(s);
	return true;
}

bool line_write_quit(struct session *s, const struct words *w, struct sv line, struct err *err)
{
	if (!line_write(s, w, line, err))
		return false;
	s->done = true;
	return true;
}

bool line_history(struct session *s, const struct words *w, struct sv line, struct err *err)
{
	(void)w;
	(void)line;
	(void)err;
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

bool line_shapes(struct session *s, const struct words *w, struct sv line, struct err *err)
{
	const struct model *m = &s->document.wire.model;
	struct place place;

	(void)line;
	for (size_t i = 1; i < w->at.len; i++) {
		if (!place_find(m, w->at.at[i], &place, err))
			return false;
		print_shape(s, place.value);
	}
	for (uint32_t v = 1; w->at.len == 1 && v < m->values.len; v++) {
		if (!(m->values.at[v].flags & VALUE_DEAD) && s->document.infer.infos[v].kind)
			print_shape(s, v);
	}
	return true;
}

bool line_quit(struct session *s, const struct words *w, struct sv line, struct err *err)
{
	(void)w;
	(void)line;
	if (document_is_changed(&s->document) && s->terminal) {
		s->asking = QUESTION_LEAVE;
		session_prompt(s, '?', " Not saved. (w)rite and leave, (l)eave without, Esc stay: ",
			       SV(""));
		return true;
	}
	if (document_is_changed(&s->document))
		return err_set(err, ERR_REFUSED,
			       "there are edits that were not saved; quit! "
			       "gives them up");
	s->done = true;
	return true;
}

bool line_abandon(struct session *s, const struct words *w, struct sv line, struct err *err)
{
	(void)w;
	(void)line;
	(void)err;
	journal_discard(&s->document);
	s->done = true;
	return true;
}

const struct line_kind line_kinds[] = {
#define LINE(id, name, abbreviation, usage, group, help) \
	{name, abbreviation, usage, group, help, line_##id},
#include "app/lines.def"
#undef LINE
};
const size_t line_kind_count = ARRAY_LEN(line_kinds);

/* A whole name, a short name, or a beginning that only one line has. */
static const struct line_kind *find_line(struct sv name, size_t *out_fits)
{
	const struct line_kind *found = NULL;

	*out_fits = 0;
	for (size_t i = 0; i < line_kind_count; i++) {
		const struct line_kind *k = &line_kinds[i];

		if (sv_is(name, k->name) || (k->abbreviation && sv_is(name, k->abbreviation))) {
			*out_fits = 1;
			return k;
		}
		if (sv_starts(sv_of(k->name), name)) {
			++*out_fits;
			found = k;
		}
	}
	return *out_fits == 1 ? found : NULL;
}

/* Looking around does not end a preview; whatever asks the document does. */
static bool is_for_the_eye(const struct line_kind *kind)
{
	static const char *const groups[] = {"moving", "looking", "finding", "other"};
	static const char *const names[] = {"keys", "resize", "save-screen", "save-cells", "edit"};

	for (size_t i = 0; i < ARRAY_LEN(groups); i++) {
		if (strcmp(kind->group, groups[i]) == 0)
			return true;
	}
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		if (strcmp(kind->name, names[i]) == 0)
			return true;
	}
	return false;
}

static bool writes_file(const struct line_kind *kind)
{
	static const char *const names[] = {"recipe", "export",      "write",
					    "wq",     "save-screen", "save-cells"};

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		if (strcmp(kind->name, names[i]) == 0)
			return true;
	}
	return false;
}

static void end_preview(struct session *s)
{
	if (!s->document.previewing)
		return;
	document_end_preview(&s->document);
	session_renew(s);
}

/* A full disk, say: the edit is there, but a crash would lose it. */
static void tell_journal(struct session *s)
{
	static const char sentence[] =
		"the journal cannot be written: what is not saved would be lost in a crash";

	if (!journal_just_failed(&s->document))
		return;
	if (!s->terminal)
		print_notes(sv_of(sentence));
	screen_say(&s->screen, true, "%s", sentence);
}

static bool run_kind(struct session *s, const struct line_kind *kind, struct words *w,
		     struct sv line, struct err *err)
{
	bool ok;

	if (s->read_only && writes_file(kind))
		return err_set(err, ERR_REFUSED, "%s: nothing is written here", kind->name);
	if (!is_for_the_eye(kind))
		end_preview(s);
	ok = kind->run(s, w, line, err);
	/* What failed half way may have changed the document all the same. */
	if (!ok)
		session_renew(s);
	return ok;
}

bool session_run(struct session *s, struct sv line, struct err *err)
{
	const struct line_kind *kind;
	struct words w;
	bool ok = true;
	size_t fits;

	if (!words_split(&w, line, err))
		return false;
	if (w.at.len) {
		kind = find_line(w.at.at[0], &fits);
		ok = kind ? run_kind(s, kind, &w, line, err)
			  : err_set(err, ERR_USAGE, "%s '%.*s'",
				    fits ? "several commands begin with" : "there is no command",
				    (int)MIN(w.at.at[0].len, 100), w.at.at[0].at);
		tell_journal(s);
		/* In a terminal the loop does it, once the keys are in. */
		if (!s->terminal)
			session_preview(s);
	}
	words_release(&w);
	return ok;
}

void session_do(struct session *s, struct sv line)
{
	struct err err;

	str_clear(&s->screen.notice);
	if (!session_run(s, line, &err))
		screen_say(&s->screen, true, "%s", err.text);
}
