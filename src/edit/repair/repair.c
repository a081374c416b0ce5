#include <string.h>

#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "base/words.h"
#include "edit/change.h"
#include "edit/refresh.h"
#include "edit/repair/internal.h"
#include "edit/repair/obstacle.h"
#include "edit/repair/old_sizes.h"
#include "edit/repair/site.h"
#include "edit/repair/sizes.h"
#include "infer/infer.h"
#include "ir/build.h"
#include "ir/graph.h"
#include "sym/sym.h"
#include "sym/text.h"

enum {
	MAX_CHANGES = 100000, /* of one repair */
	MAX_VARIANTS = 64,    /* of one site */
	MAX_TRIES = 200       /* for one obstacle; real ones are gone after a few */
};

/* ---- proof ---- */

static size_t count_errors(const struct infer *in)
{
	size_t count = 0;

	for (size_t i = 0; i < in->findings.len; i++)
		count += in->findings.at[i].level == LEVEL_ERROR;
	return count;
}

/* At the old sizes, is every shape unchanged? */
static bool shapes_stay(struct repairing *r)
{
	const struct model *m = &r->document->wire.model;
	struct changed_values changed = {0};
	bool same = true;

	infer_update(&r->bound, &changed);
	for (size_t i = 0; same && i < changed.len; i++)
		same = changed.at[i] >= r->first_new ||
		       m->values.at[changed.at[i]].flags & VALUE_DEAD;
	same = same && count_errors(&r->bound) <= r->errors;
	vec_release(&changed);
	return same;
}

static void repair_take(struct repairing *r, struct change_log *log)
{
	for (size_t i = 0; i < log->list.len; i++)
		vec_push(&r->log.list, log->list.at[i]);
	r->log.structural |= log->structural;
	changes_release(log);
}

/* Reverts everything from this index of the log on. */
static void take_back(struct repairing *r, size_t mark)
{
	struct changed_values ignored = {0};

	if (r->log.list.len == mark)
		return;
	changes_revert_to(&r->log, &r->document->wire.model, mark);
	changes_settle(&r->log, &r->document->wire.model);
	document_infer(r->document);
	infer_update(&r->bound, &ignored);
	vec_release(&ignored);
}

/* Removes what is no longer read, and what only that read. */
static void drop_unread(struct repairing *r, struct change_log *log)
{
	struct model *m = &r->document->wire.model;
	size_t end = log->list.len;

	model_index(m);
	for (size_t i = 0; i < end; i++) {
		struct change c = log->list.at[i];

		for (uint32_t p = 0; c.kind == CHANGE_NODE && p < c.parts_before.input_count; p++) {
			if (c.parts_before.inputs[p])
				change_drop_unread(log, m, c.parts_before.inputs[p]);
		}
	}
}

/* Is the change sound: no new errors, and no shape changed at the old sizes? */
static bool is_sound(struct repairing *r, struct change_log *log, size_t errors)
{
	struct document *d = r->document;

	drop_unread(r, log);
	changes_settle(log, &d->wire.model);
	document_infer(d);
	return count_errors(&d->infer) <= errors && shapes_stay(r);
}

static bool remove_obstacle(struct repairing *r, const struct obstacle *o, unsigned depth);

/*
 * Tries one change.  If it is sound but the obstacle remains, there may be several
 * constants behind it (the two states of an LSTM), so tries the others too.
 */
static bool try_change(struct repairing *r, const struct obstacle *o, const struct site *site,
		       unsigned variant, unsigned depth, bool *out_none)
{
	enum {
		DEEPEST = 3
	};
	struct document *d = r->document;
	struct change_log log = {0};
	size_t errors = count_errors(&d->infer), times = obstacle_count(d, &r->old, o);

	size_t mark = r->log.list.len;
	bool sound = site_change(d, &r->old, site, variant, &log, out_none) &&
		     is_sound(r, &log, errors);

	repair_take(r, &log);
	if (sound && (obstacle_count(d, &r->old, o) < times ||
		      (depth < DEEPEST && remove_obstacle(r, o, depth + 1))))
		return true;
	take_back(r, mark);
	return false;
}

static bool may_go_on(struct repairing *r)
{
	if (r->options->progress && !r->options->progress(r->options->context, r->changes))
		r->stopped = true;
	return !r->stopped;
}

static bool remove_obstacle(struct repairing *r, const struct obstacle *o, unsigned depth)
{
	struct site sites[OBSTACLE_MAX_SITES];
	size_t count = o->weight || o->unknown ? 0 : obstacle_sites(r->document, &r->old, o, sites);

	for (size_t i = 0; i < count; i++) {
		bool none = false;

		for (unsigned variant = 0; !none && variant < MAX_VARIANTS; variant++) {
			if (++r->tries > MAX_TRIES || !may_go_on(r))
				return false;
			if (try_change(r, o, &sites[i], variant, depth, &none))
				return true;
		}
	}
	return false;
}

/* ---- the search ---- */

static void repair_explain(struct repairing *r, const struct obstacle *o, struct str *out)
{
	const struct infer *in = &r->document->infer;
	const struct node *n = &in->model->nodes.at[o->node];
	struct str free = {0}, fixed = {0};

	if (o->node) {
		str_add(out, model_cut_name(in->model, n->op));
		str_char(out, ' ');
		str_add(out, model_cut_name(in->model, node_called(in->model, n)));
	} else {
		const struct value *v = &in->model->values.at[o->value];

		str_text(out, "output ");
		str_add(out, model_cut_name(in->model, v->name));
		str_text(out, v->producer ? " of " : "");
		str_add(out, model_cut_name(in->model, in->model->nodes.at[v->producer].name));
	}
	sym_print(&in->pool, o->free, &free);
	sym_print(&in->pool, o->fixed, &fixed);
	str_format(out, ": %s", o->why);
	if (!sym_is_unknown(o->free) && !sym_is_unknown(o->fixed))
		str_format(out, ": %s and %s", str_c(&free), str_c(&fixed));
	str_text(out, o->weight    ? "; a weight has that size"
		      : o->unknown ? "; nothing after it can be proved"
				   : "; no provable change frees it");
	str_release(&free);
	str_release(&fixed);
}

/* Sets the reason of the goals with these symbols; false if there are none. */
static bool fail_goals(struct repairing *r, uint64_t symbols, struct sv why)
{
	bool any = false;

	for (size_t i = 0; i < r->report->len; i++) {
		struct repair_goal *g = &r->report->at[i];
		uint32_t symbol = goal_symbol(r, g);
		bool meant = symbols == UINT64_MAX;

		for (uint32_t j = 0; j < r->goals; j++)
			meant |= r->old.symbols[j] == symbol && symbols >> j & 1;
		if (!meant || g->reason.len)
			continue;
		str_add(&g->reason, why);
		any = true;
	}
	return any;
}

/* A loop's symbol may stand for any goal: if none matches, all fail. */
static void give_up(struct repairing *r, const struct obstacle *o)
{
	struct str why = {0};

	repair_explain(r, o, &why);
	if (!fail_goals(r, obstacle_goals(r->document, &r->old, o), str_sv(&why)))
		(void)fail_goals(r, UINT64_MAX, str_sv(&why));
	str_release(&why);
}

static void bind_old(struct repairing *r)
{
	const struct infer *in = &r->document->infer;

	for (uint32_t i = 0; i < r->old.count; i++)
		r->binding[i] = (struct infer_binding){sym_name(&in->pool, r->old.symbols[i]),
						       r->old.sizes[i]};
	infer_run(&r->bound, &r->document->wire.model,
		  (struct infer_options){.bindings = r->binding, .binding_count = r->old.count});
	r->first_new = r->document->wire.model.values.len;
	r->errors = count_errors(&r->bound);
}

/* False when an obstacle remains: some goals failed, or the user stopped it. */
static bool repair_search(struct repairing *r)
{
	struct obstacle o;
	bool ok = true;

	for (goals_add_loops(r); ok && obstacle_find(r->document, &r->old, &o);
	     goals_add_loops(r)) {
		r->tries = 0;
		ok = r->changes++ < MAX_CHANGES && remove_obstacle(r, &o, 0);
		if (!ok && !r->stopped)
			give_up(r, &o);
	}
	return ok;
}

static bool any_left(const struct repairing *r)
{
	for (size_t i = 0; i < r->report->len; i++) {
		if (r->report->at[i].reason.len == 0)
			return true;
	}
	return false;
}

/* Tries all goals together; when some fail, tries again without them. */
static void free_goals(struct repairing *r)
{
	bool ok = false;

	while (!ok && !r->stopped && any_left(r)) {
		r->old = (struct old_sizes){0};
		ok = goals_free(r);
		r->goals = r->old.count;
		if (ok) {
			bind_old(r);
			ok = repair_search(r);
			infer_release(&r->bound);
		}
		if (!ok)
			document_cancel(r->document, &r->log);
	}
	for (size_t i = 0; i < r->report->len; i++)
		r->report->at[i].freed = ok && r->report->at[i].reason.len == 0;
}

/* ---- the action ---- */

static void repair_make_line(struct str *line, const struct repair_report *report)
{
	str_text(line, "repair");
	for (size_t i = 0; i < report->len; i++) {
		if (report->at[i].freed)
			words_quote(line, str_sv(&report->at[i].text));
	}
}

static void repair_finish(struct repairing *r, const struct remembered *before)
{
	struct document *d = r->document;
	struct map none = {0};
	struct str line = {0};

	refresh_claims(d, before, &none, &r->log);
	document_infer(d);
	repair_make_line(&line, r->report);
	document_commit(d, str_sv(&line), &r->log);
	map_release(&none);
	str_release(&line);
}

bool document_repair(struct document *d, const struct sv *axes, size_t count,
		     const struct repair_options *options, struct repair_report *out,
		     struct err *err)
{
	struct repairing r = {.document = d, .options = options, .report = out};
	struct remembered before = {0};
	bool ok = true;

	document_bind(d, false);
	vec_clear(&d->changed);
	for (size_t i = 0; ok && i < count; i++)
		ok = goal_add(&r, axes[i], err);
	if (ok && options->batch.len)
		ok = goals_add_batch(&r, options->batch, err);
	else if (ok && count == 0)
		goals_add_pinned(&r);
	if (ok && out->len) {
		refresh_remember(&before, d);
		free_goals(&r);
		if (r.log.list.len)
			repair_finish(&r, &before);
		remembered_release(&before);
	}
	if (ok && r.stopped)
		ok = err_set(err, ERR_STOPPED, "stopped; nothing was changed");
	changes_release(&r.log);
	document_bind(d, true);
	return ok;
}

void repair_report_release(struct repair_report *r)
{
	for (size_t i = 0; i < r->len; i++) {
		str_release(&r->at[i].text);
		str_release(&r->at[i].reason);
	}
	vec_release(r);
}

bool repair_words(struct document *d, const struct sv *words, size_t count, struct err *err)
{
	struct repair_report report = {0};
	struct repair_options options = {.progress = d->working, .context = d->working_context};
	VEC(struct sv) axes = {0};
	size_t done = d->done;
	bool ok;

	for (size_t i = 0; i < count; i++) {
		if (sv_starts(words[i], SV("--batch=")))
			options.batch = sv_skip(words[i], strlen("--batch="));
		else if (sv_is(words[i], "--batch") && i + 1 < count)
			options.batch = words[++i];
		else
			vec_push(&axes, words[i]);
	}
	ok = document_repair(d, axes.at, axes.len, &options, &report, err);
	vec_release(&axes);
	for (size_t i = 0; ok && i < report.len; i++) {
		if (!report.at[i].freed)
			ok = err_set(err, ERR_REFUSED, "%s cannot be freed: %s",
				     str_c(&report.at[i].text), str_c(&report.at[i].reason));
	}
	/* A line does everything or nothing. */
	if (!ok && d->done > done)
		document_forget(d);
	repair_report_release(&report);
	return ok;
}
