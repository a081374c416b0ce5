#include <string.h>

#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "base/words.h"
#include "edit/change.h"
#include "edit/refresh.h"
#include "edit/repair/apply.h"
#include "edit/repair/internal.h"
#include "edit/repair/old_sizes.h"
#include "flow/cause.h"
#include "flow/flow.h"
#include "infer/finding.h"
#include "infer/infer.h"
#include "ir/build.h"
#include "ir/graph.h"
#include "ops/info.h"
#include "sym/sym.h"

struct flow_goals {
	struct flow_goal *at; /* owned */
	size_t len;
	size_t cap;
};

/* ---- proof ---- */

static size_t count_errors(const struct infer *in)
{
	size_t count = 0;

	for (size_t i = 0; i < in->findings.len; i++)
		count += in->findings.at[i].level == LEVEL_ERROR;
	return count;
}

/* At the old sizes, is every shape unchanged?  Else *out is a value whose is not, or 0. */
static bool shapes_stay(struct repairing *r, uint32_t *out)
{
	const struct model *m = &r->document->wire.model;
	struct changed_values changed = {0};
	bool same = true;

	*out = 0;
	infer_update(&r->bound, &changed);
	for (size_t i = 0; same && i < changed.len; i++) {
		same = changed.at[i] >= r->first_new ||
		       m->values.at[changed.at[i]].flags & VALUE_DEAD;
		*out = same ? 0 : changed.at[i];
	}
	same = same && count_errors(&r->bound) <= r->errors;
	vec_release(&changed);
	return same;
}

/* Removes what is no longer read, and what only that read. */
static void drop_unread(struct repairing *r)
{
	struct model *m = &r->document->wire.model;
	size_t end = r->log.list.len;

	model_index(m);
	for (size_t i = 0; i < end; i++) {
		struct change c = r->log.list.at[i];

		for (uint32_t p = 0; c.kind == CHANGE_NODE && p < c.parts_before.input_count; p++) {
			if (c.parts_before.inputs[p])
				change_drop_unread(&r->log, m, c.parts_before.inputs[p]);
		}
	}
}

/* What still needs one size of a freed symbol; NULL for nothing. */
static const struct finding *find_pinned(const struct repairing *r)
{
	const struct infer *in = &r->document->infer;

	for (size_t i = 0; i < in->findings.len; i++) {
		const struct finding *f = &in->findings.at[i];

		for (uint32_t j = 0; j < r->goals && f->level == LEVEL_PIN; j++) {
			if (finding_pins(&in->pool, f, in->pool.symbols.at[r->old.symbols[j]].self))
				return f;
		}
	}
	return NULL;
}

/* A contradiction at a node that had none before. */
static const struct finding *find_new_error(const struct repairing *r)
{
	const struct infer *in = &r->document->infer;
	struct map before = {0};
	const struct finding *found = NULL;

	for (size_t i = 0; i < r->bound.findings.len; i++) {
		if (r->bound.findings.at[i].level == LEVEL_ERROR)
			*map_at(&before, r->bound.findings.at[i].node) = 1;
	}
	for (size_t i = 0; !found && i < in->findings.len; i++) {
		if (in->findings.at[i].level == LEVEL_ERROR &&
		    !map_find(&before, in->findings.at[i].node))
			found = &in->findings.at[i];
	}
	map_release(&before);
	return found;
}

/* ---- the flow ---- */

/* Sets the reason of the goals with these symbols; false if there are none. */
static bool fail_goals(struct repairing *r, uint64_t symbols, enum flow_cause cause, struct sv why)
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
		g->cause = cause;
		g->followed = symbols == UINT64_MAX;
		any = true;
	}
	return any;
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

/* Every axis of an input that has one of the symbols, asked for or not. */
static void list_goals(struct repairing *r, struct flow_goals *out)
{
	const struct infer *in = &r->document->infer;
	const struct graph *g = &in->model->graphs.at[0];

	for (size_t i = 0; i < g->inputs.len; i++) {
		uint32_t value = g->inputs.at[i];
		const struct info *info = &in->infos[value];

		for (uint32_t k = 0; info->ranked && k < info->rank; k++) {
			for (uint32_t j = 0; j < r->old.count; j++) {
				struct sym self = in->pool.symbols.at[r->old.symbols[j]].self;

				if (sym_same(info->dims[k], self))
					vec_push(out,
						 ((struct flow_goal){value, k, r->binding[j].name,
								     r->old.sizes[j], j >= r->goals,
								     r->stand_ins >> j & 1}));
			}
		}
	}
}

/* The model as it is now: right at the old sizes, and open at the others? */
static bool is_proved(struct repairing *r, struct steady *steady, struct str *why)
{
	struct document *d = r->document;
	uint32_t changed;

	drop_unread(r);
	changes_settle(&r->log, &d->wire.model);
	document_infer(d);
	if (count_errors(&d->infer) > r->errors) {
		str_text(why, "the change would make the model wrong");
		tell_finding(r, find_new_error(r), why);
	} else if (!shapes_stay(r, &changed)) {
		str_text(why, "the change would alter a shape at the old sizes");
		str_text(why, changed ? ": " : "");
		str_add(why, model_name(&d->wire.model, d->wire.model.values.at[changed].name));
	} else if (!steady_holds(steady, r)) {
		str_text(why, "the change would alter a shape at other sizes of a free axis");
	} else if (find_pinned(r)) {
		str_text(why, "a size would still be pinned");
		tell_finding(r, find_pinned(r), why);
	}
	return !why->len;
}

static bool flow_step(void *context, size_t passes)
{
	struct repairing *r = context;

	if (r->options->progress && !r->options->progress(r->options->context, passes))
		r->stopped = true;
	return !r->stopped;
}

/* False, and the reason, when the flow is refused. */
static bool repair_flow(struct repairing *r, struct str *why, enum flow_cause *cause)
{
	struct flow flow;
	struct flow_goals goals = {0};
	struct steady steady = {0};

	list_goals(r, &goals);
	*cause = CAUSE_CHOICE;
	if (!flow_solve(&flow, &r->bound, goals.at, goals.len, flow_step, r)) {
		*cause = tell_refusal(r, &flow, why);
		if (!why->len)
			str_text(why, "it could not be proved");
	} else if (!tell_ambiguities(r, &flow, why)) {
		*cause = CAUSE_OPERATOR;
		steady_begin(&steady, r);
		plan_apply(&flow.pass.plan, &r->document->wire.model, &r->log);
		if (is_proved(r, &steady, why))
			tell_result(r, &flow);
	}
	steady_release(&steady);
	flow_release(&flow);
	vec_release(&goals);
	return !why->len;
}

/* The largest stand-ins are tried for what they may prove: a refusal at others is told. */
static void keep_refusal(struct repairing *r, const struct str *why, enum flow_cause cause)
{
	if (r->refusal.len && r->attempt + 1 == REPAIR_ATTEMPTS)
		return;
	str_clear(&r->refusal);
	str_add(&r->refusal, str_sv(why));
	r->cause = cause;
}

/* With every size a number, and none that contradicts another, if there are such stand-ins. */
static bool repair_attempt(struct repairing *r)
{
	bool last = r->attempt + 1 == REPAIR_ATTEMPTS, done = false;
	bool fits = goals_carry(r);
	enum flow_cause cause = CAUSE_LIMIT;
	struct str why = {0};

	bind_old(r);
	if (!fits)
		str_text(&why, "too many axes at once");
	else if (r->errors <= count_errors(&r->document->infer) || !r->stand_ins ||
		 (last && !r->refusal.len))
		done = repair_flow(r, &why, &cause);
	if (why.len)
		keep_refusal(r, &why, cause);
	if (!done && (!fits || last || !r->stand_ins || r->stopped))
		(void)fail_goals(r, UINT64_MAX, r->cause, str_sv(&r->refusal));
	r->attempt++;
	str_release(&why);
	return done;
}

static bool any_left(const struct repairing *r)
{
	for (size_t i = 0; i < r->report->len; i++) {
		if (r->report->at[i].reason.len == 0)
			return true;
	}
	return false;
}

/* Each round infers the model twice, or follows the axes through it. */
static size_t max_rounds(const struct model *m)
{
	enum {
		LEAST = 8,
		WORK = 1 << 19
	};

	return LEAST + WORK / (m->nodes.len + m->values.len);
}

static void refuse_rest(struct repairing *r)
{
	for (size_t i = 0; i < r->report->len; i++) {
		if (r->report->at[i].reason.len == 0)
			str_text(&r->report->at[i].reason,
				 "too many others failed before it; free it alone");
	}
}

/* Tries all goals together; when some fail, tries again without them. */
static void free_goals(struct repairing *r)
{
	bool named = goals_are_free(r);
	bool ok = false;

	for (size_t rounds = max_rounds(&r->document->wire.model);
	     !ok && !r->stopped && any_left(r); rounds--) {
		if (!rounds) {
			refuse_rest(r);
			break;
		}
		r->old = (struct old_sizes){0};
		ok = goals_free(r);
		r->goals = r->old.count;
		if (ok) {
			ok = named ? ranks_stay(r) : repair_attempt(r);
			if (ok && named)
				tell_needs(r, NULL);
			infer_release(&r->bound);
		}
		if (!ok)
			document_cancel(r->document, &r->log);
	}
	for (size_t i = 0; i < r->report->len; i++) {
		r->report->at[i].freed = ok && r->report->at[i].reason.len == 0;
		r->report->at[i].was_free = named;
	}
}

/* ---- the action ---- */

static void repair_make_line(struct str *line, const struct repair_report *report, bool assume)
{
	str_text(line, assume ? "repair --assume" : "repair");
	for (size_t i = 0; i < report->len; i++) {
		if (report->at[i].freed)
			words_quote(line, str_sv(&report->at[i].text));
	}
}

/* "; assuming …, and 2 more" */
static void say_first(const struct str *at, size_t count, const char *what, struct str *out)
{
	if (!count)
		return;
	str_format(out, "; %s ", what);
	str_add(out, str_sv(&at[0]));
	if (count > 1)
		str_format(out, ", and %zu more", count - 1);
}

/* In one line: the weakest proof, and what it rests on. */
static void say_proof(const struct repair_report *report, struct str *out)
{
	const struct repair_goal *weakest = NULL;
	size_t freed = 0;

	for (size_t i = 0; i < report->len; i++) {
		const struct repair_goal *g = &report->at[i];

		freed += g->freed;
		if (g->freed && (!weakest || (g->by_shape && !weakest->by_shape)))
			weakest = g;
	}
	if (!weakest)
		return;
	str_text(out, "freed ");
	str_add(out, str_sv(&weakest->text));
	if (freed > 1)
		str_format(out, " and %zu more,", freed - 1);
	str_format(out, " %s", repair_proof(weakest));
	for (size_t i = 0; i < report->bounds.len; i++)
		str_format(out, "%s%s", i ? ", " : "; needs ", str_c(&report->bounds.at[i]));
	say_first(report->assumes.at, report->assumes.len, "assuming", out);
	say_first(report->warnings.at, report->warnings.len, "warning:", out);
}

static void repair_finish(struct repairing *r, const struct remembered *before)
{
	struct document *d = r->document;
	struct map none = {0};
	struct str line = {0};

	refresh_claims(d, before, &none, &r->log);
	document_infer(d);
	repair_make_line(&line, r->report, r->options->assume);
	document_commit(d, str_sv(&line), &r->log);
	say_proof(r->report, &d->actions.at[d->done - 1].said);
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
		goals_add_stopped(&r);
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
	str_release(&r.refusal);
	document_bind(d, true);
	return ok;
}

const char *repair_proof(const struct repair_goal *g)
{
	if (g->was_free)
		return "was free";
	return g->by_shape ? "by shape" : "item by item";
}

void repair_report_release(struct repair_report *r)
{
	for (size_t i = 0; i < r->len; i++) {
		str_release(&r->at[i].text);
		str_release(&r->at[i].reason);
		str_release(&r->at[i].hint);
		str_release(&r->at[i].level);
	}
	for (size_t i = 0; i < r->bounds.len; i++)
		str_release(&r->bounds.at[i]);
	for (size_t i = 0; i < r->assumes.len; i++)
		str_release(&r->assumes.at[i]);
	for (size_t i = 0; i < r->warnings.len; i++)
		str_release(&r->warnings.at[i]);
	vec_release(&r->bounds);
	vec_release(&r->assumes);
	for (size_t i = 0; i < r->suggested.len; i++)
		str_release(&r->suggested.at[i]);
	vec_release(&r->warnings);
	vec_release(&r->suggested);
	str_release(&r->wanted);
	str_release(&r->command);
	for (size_t i = 0; i < r->notes.len; i++)
		str_release(&r->notes.at[i]);
	vec_release(&r->notes);
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
		else if (sv_is(words[i], "--assume"))
			options.assume = true;
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
