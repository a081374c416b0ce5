#include "edit/fit/fit.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/bug.h"
#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "base/words.h"
#include "edit/change.h"
#include "edit/diff/compare.h"
#include "edit/fit/internal.h"
#include "edit/refresh.h"
#include "edit/repair/apply.h"
#include "flow/fold.h"
#include "flow/plan.h"
#include "infer/infer.h"
#include "ir/build.h"
#include "ir/graph.h"
#include "sym/eval.h"

/* Removes constants that nothing reads any more. */
static void fit_drop_unread(struct fitting *f)
{
	struct model *m = &f->document->wire.model;
	size_t end = f->log.list.len;

	model_index(m);
	for (size_t i = 0; i < end; i++) {
		struct change c = f->log.list.at[i];

		for (uint32_t p = 0; c.kind == CHANGE_NODE && p < c.parts_before.input_count; p++) {
			if (c.parts_before.inputs[p])
				change_drop_unread(&f->log, m, c.parts_before.inputs[p]);
		}
	}
}

/* Claims follow, so that a shape of one export contradicts nothing at the sizes of another. */
static void fit_apply(struct fitting *f, const struct remembered *before)
{
	struct model *m = &f->document->wire.model;
	struct map none = {0};

	plan_apply(&f->plan, m, &f->log);
	fit_drop_unread(f);
	changes_settle(&f->log, m);
	document_infer(f->document);
	refresh_claims(f->document, before, &none, &f->log);
	document_infer(f->document);
	map_release(&none);
}

static void fit_finish(struct fitting *f)
{
	struct document *d = f->document;
	struct str line = {0};

	str_text(&line, "fit");
	for (size_t i = 0; i < f->report->axes.len; i++) {
		struct str word = {0};

		str_add(&word, str_sv(&f->report->axes.at[i].axis));
		str_char(&word, '=');
		str_add(&word, str_sv(&f->report->axes.at[i].name));
		words_quote(&line, str_sv(&word));
		str_release(&word);
	}
	document_commit(d, str_sv(&line), &f->log);
	str_release(&line);
}

static void fit_release(struct fitting *f)
{
	for (uint32_t i = 0; i < f->count; i++) {
		pairing_release(&f->sides[i].pairing);
		folder_release(&f->sides[i].folder);
		if (f->sides[i].m)
			infer_release(&f->sides[i].in);
		sym_env_release(&f->envs[i]);
	}
	sym_env_release(&f->sample);
	plan_release(&f->plan);
	changes_release(&f->log);
	free(f->infos);
	vec_release(&f->bases);
	map_release(&f->known);
	vec_release(&f->uses);
	vec_release(&f->rounded);
	arena_release(&f->arena);
	free(f);
}

/* False when it is refused. */
static bool fit_run(struct fitting *f, struct wire *const *others, struct err *err, bool *valid)
{
	struct remembered before = {0};
	bool ok;

	*valid = true;
	if (!fit_infer_sides(f, others) || !fit_pair(f))
		return false;
	refresh_remember(&before, f->document);
	*valid = fit_name_axes(f, err);
	ok = *valid && !f->report->reasons.len && fit_solve(f);
	if (ok) {
		fit_apply(f, &before);
		ok = fit_is_proved(f);
	}
	if (ok)
		fit_finish(f);
	else
		document_cancel(f->document, &f->log);
	remembered_release(&before);
	return ok;
}

bool document_fit(struct document *d, struct wire *const *others, size_t count,
		  const struct fit_options *options, struct fit_report *out, struct err *err)
{
	struct fitting *f;
	bool valid;

	if (count == 0 || count >= FIT_MAX_EXPORTS)
		return err_set(err, ERR_USAGE, "fit takes from 2 to %d exports", FIT_MAX_EXPORTS);
	f = calloc(1, sizeof(*f));
	BUG_ON(!f);
	f->document = d;
	f->report = out;
	f->options = options;
	f->count = out->exports = (uint32_t)count + 1;
	document_bind(d, false);
	vec_clear(&d->changed);
	(void)fit_run(f, others, err, &valid);
	document_bind(d, true);
	if (valid && f->stopped)
		valid = err_set(err, ERR_STOPPED, "stopped; nothing was changed");
	fit_release(f);
	return valid;
}

void fit_report_release(struct fit_report *r)
{
	for (size_t i = 0; i < r->axes.len; i++) {
		str_release(&r->axes.at[i].axis);
		str_release(&r->axes.at[i].name);
	}
	for (size_t i = 0; i < r->numbers.len; i++) {
		str_release(&r->numbers.at[i].place);
		str_release(&r->numbers.at[i].before);
		str_release(&r->numbers.at[i].after);
	}
	for (size_t i = 0; i < r->bounds.len; i++)
		str_release(&r->bounds.at[i]);
	for (size_t i = 0; i < r->assumes.len; i++)
		str_release(&r->assumes.at[i]);
	for (size_t i = 0; i < r->reasons.len; i++)
		str_release(&r->reasons.at[i]);
	vec_release(&r->axes);
	vec_release(&r->numbers);
	vec_release(&r->bounds);
	vec_release(&r->assumes);
	vec_release(&r->reasons);
}
