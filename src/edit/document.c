#include "edit/document.h"

#include <stdlib.h>

#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "base/words.h"
#include "edit/journal/journal.h"
#include "edit/journal/text.h"
#include "sym/sym.h"

bool document_open(struct document *d, const char *path, struct err *err)
{
	*d = (struct document){0};
	if (!wire_open(&d->wire, path, err))
		return false;
	infer_run(&d->infer, &d->wire.model, (struct infer_options){0});
	return true;
}

bool document_open_memory(struct document *d, const char *name, const void *bytes, size_t size,
			  struct err *err)
{
	*d = (struct document){0};
	if (!wire_open_memory(&d->wire, name, bytes, size, err))
		return false;
	infer_run(&d->infer, &d->wire.model, (struct infer_options){0});
	return true;
}

static void release_action(struct action *a)
{
	str_release(&a->line);
	str_release(&a->said);
	str_release(&a->warning);
	changes_release(&a->log);
}

void document_clear(struct document *d)
{
	document_end_preview(d);
	document_clear_what_if(d);
	past_release(&d->in_file);
	past_release(&d->before);
	for (size_t i = 0; i < d->actions.len; i++)
		release_action(&d->actions.at[i]);
	vec_clear(&d->actions);
	vec_clear(&d->changed);
	vec_clear(&d->was_changed);
	d->done = d->saved = 0;
	d->saved_lost = false;
}

void document_take_wire(struct document *d, struct wire *w)
{
	infer_release(&d->infer);
	wire_release(&d->wire);
	wire_move(&d->wire, w);
	infer_run(&d->infer, &d->wire.model, (struct infer_options){0});
}

void document_release(struct document *d)
{
	bool unsaved;

	document_end_preview(d);
	unsaved = document_is_changed(d);
	document_clear(d);
	vec_release(&d->actions);
	vec_release(&d->kept);
	vec_release(&d->changed);
	vec_release(&d->was_changed);
	vec_release(&d->what_ifs);
	vec_release(&d->bindings);
	journal_close(d->journal, unsaved);
	d->journal = NULL;
	infer_release(&d->infer);
	wire_release(&d->wire);
}

/* ---- steps ---- */

static int by_id(const void *left, const void *right)
{
	const uint32_t *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

void document_infer(struct document *d)
{
	size_t kept = 0;

	if (d->watching && !d->in_file.taken)
		past_take(&d->in_file, &d->infer);
	infer_update(&d->infer, &d->changed);
	if (d->changed.len)
		qsort(d->changed.at, d->changed.len, sizeof(*d->changed.at), by_id);
	for (size_t i = 0; i < d->changed.len; i++) {
		if (kept == 0 || d->changed.at[kept - 1] != d->changed.at[i])
			d->changed.at[kept++] = d->changed.at[i];
	}
	d->changed.len = kept;
}

void document_watch(struct document *d)
{
	d->watching = true;
}

void document_note_before(struct document *d)
{
	if (d->watching)
		past_take(&d->before, &d->infer);
}

void document_forget_changes(struct document *d)
{
	vec_clear(&d->changed);
}

void document_note_saved(struct document *d)
{
	if (!d->in_file.taken)
		return;
	document_bind(d, false);
	past_take(&d->in_file, &d->infer);
	document_bind(d, true);
}

/* A new action discards the undone ones. */
static void forget_undone(struct document *d)
{
	d->saved_lost |= d->saved > d->done;
	while (d->actions.len > d->done) {
		release_action(vec_last(&d->actions));
		vec_pop(&d->actions);
	}
}

void document_commit(struct document *d, struct sv line, struct change_log *log)
{
	struct action *a;

	forget_undone(d);
	a = vec_add(&d->actions);
	str_add(&a->line, line);
	a->log = *log;
	*log = (struct change_log){0};
	d->done++;
	journal_note(d->journal, JOURNAL_DO, line);
}

void document_cancel(struct document *d, struct change_log *log)
{
	changes_revert(log, &d->wire.model);
	changes_settle(log, &d->wire.model);
	changes_release(log);
	*log = (struct change_log){0};
	document_infer(d);
}

bool document_undo(struct document *d)
{
	struct change_log *log;

	if (d->done == 0)
		return false;
	log = &d->actions.at[--d->done].log;
	changes_revert(log, &d->wire.model);
	changes_settle(log, &d->wire.model);
	vec_clear(&d->changed);
	document_infer(d);
	journal_note(d->journal, JOURNAL_UNDO, SV(""));
	return true;
}

/* Removes the newest action without a trace. */
void document_forget(struct document *d)
{
	if (!document_undo(d))
		return;
	release_action(vec_last(&d->actions));
	vec_pop(&d->actions);
}

bool document_redo(struct document *d)
{
	struct change_log *log;

	if (d->done == d->actions.len)
		return false;
	log = &d->actions.at[d->done++].log;
	changes_replay(log, &d->wire.model);
	changes_settle(log, &d->wire.model);
	vec_clear(&d->changed);
	document_infer(d);
	journal_note(d->journal, JOURNAL_REDO, SV(""));
	return true;
}

bool document_is_changed(const struct document *d)
{
	return d->saved_lost || d->done != d->saved;
}

/* ---- previews ---- */

static void copy_changed(struct changed_values *to, const struct changed_values *from)
{
	vec_clear(to);
	for (size_t i = 0; i < from->len; i++)
		vec_push(to, from->at[i]);
}

void document_begin_preview(struct document *d)
{
	document_end_preview(d);
	for (size_t i = d->done; i < d->actions.len; i++)
		vec_push(&d->kept, d->actions.at[i]);
	d->actions.len = d->done;
	d->was_done = d->done;
	d->was_saved = d->saved;
	d->was_lost = d->saved_lost;
	copy_changed(&d->was_changed, &d->changed);
	document_note_before(d);
	d->was_journal = d->journal;
	d->journal = NULL;
	d->trying = true;
}

void document_show_preview(struct document *d)
{
	d->journal = d->was_journal;
	d->was_journal = NULL;
	d->trying = false;
	d->previewing = d->done > d->was_done;
	if (!d->previewing) {
		copy_changed(&d->changed, &d->was_changed);
		document_end_preview(d);
	}
}

void document_end_preview(struct document *d)
{
	struct journal *journal = d->journal;

	if (d->previewing) {
		d->journal = NULL;
		(void)document_undo(d);
		d->journal = journal;
		release_action(vec_last(&d->actions));
		vec_pop(&d->actions);
		d->saved = d->was_saved;
		d->saved_lost = d->was_lost;
		copy_changed(&d->changed, &d->was_changed);
	}
	for (size_t i = 0; i < d->kept.len; i++)
		vec_push(&d->actions, d->kept.at[i]);
	vec_clear(&d->kept);
	d->previewing = false;
}

/* ---- what if ---- */

static void bind_again(struct document *d)
{
	vec_clear(&d->bindings);
	for (size_t i = 0; i < d->what_ifs.len; i++)
		*vec_add(&d->bindings) = (struct infer_binding){str_sv(&d->what_ifs.at[i].name),
								d->what_ifs.at[i].size};
	d->infer.options.bindings = d->bindings.at;
	d->infer.options.binding_count = d->bindings.len;
}

void document_bind(struct document *d, bool bound)
{
	struct changed_values all = {0}; /* changed by what-if sizes, not by an edit */

	if (d->what_ifs.len == 0)
		return;
	bind_again(d);
	if (!bound)
		d->infer.options.binding_count = 0;
	infer_update(&d->infer, &all);
	vec_release(&all);
}

static struct what_if *find_what_if(const struct document *d, struct sv name)
{
	for (size_t i = 0; i < d->what_ifs.len; i++) {
		if (sv_eq(str_sv(&d->what_ifs.at[i].name), name))
			return &d->what_ifs.at[i];
	}
	return NULL;
}

static void set_what_if(struct document *d, struct sv name, int64_t size)
{
	struct what_if *w = find_what_if(d, name);

	d->tried_at = d->done;
	if (!w) {
		w = vec_add(&d->what_ifs);
		str_add(&w->name, name);
	}
	w->size = size;
	bind_again(d);
	vec_clear(&d->changed);
	document_infer(d);
}

bool document_what_if(struct document *d, struct sv name, int64_t size, struct err *err)
{
	struct str bare = {0};
	bool known = !sym_is_unknown(sym_find(&d->infer.pool, name));

	if (size < 0)
		return err_set(err, ERR_USAGE, "a size must be 0 or more");
	if (known) {
		set_what_if(d, name, size);
	} else if (name_unquote(&bare, name) &&
		   !sym_is_unknown(sym_find(&d->infer.pool, str_sv(&bare)))) {
		set_what_if(d, str_sv(&bare), size);
		known = true;
	}
	str_release(&bare);
	return known || infer_no_symbol(&d->wire.model, name, err);
}

bool document_is_tried(const struct document *d, struct sv name, int64_t *out)
{
	const struct what_if *w = find_what_if(d, name);

	if (w)
		*out = w->size;
	return w;
}

void document_forget_what_if(struct document *d, struct sv name)
{
	struct what_if *w = find_what_if(d, name);

	if (!w)
		return;
	str_release(&w->name);
	*w = *vec_last(&d->what_ifs);
	vec_pop(&d->what_ifs);
	bind_again(d);
	vec_clear(&d->changed);
	document_infer(d);
}

void document_clear_what_if(struct document *d)
{
	bool had = d->what_ifs.len != 0;

	for (size_t i = 0; i < d->what_ifs.len; i++)
		str_release(&d->what_ifs.at[i].name);
	vec_clear(&d->what_ifs);
	d->infer.options.binding_count = 0;
	if (had && d->infer.model)
		document_infer(d);
}
