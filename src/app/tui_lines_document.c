/*
 * Lines that edit the document, save it, or print what is in it.
 */
#include <string.h>

#include "app/tui_lines.h"
#include "base/utf8.h"
#include "edit/description.h"
#include "edit/journal.h"
#include "edit/recipe.h"
#include "ir/place.h"
#include "sym/text.h"
#include "ui/panes/problems.h"

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
