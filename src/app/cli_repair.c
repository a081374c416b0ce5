#include <stdio.h>

#include "app/app.h"
#include "app/cli_edit.h"
#include "app/cli_progress.h"
#include "app/cli_verify.h"
#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "cmd/args.h"
#include "edit/document.h"
#include "edit/repair/hint.h"
#include "edit/repair/repair.h"
#include "edit/repair/suggestion.h"
#include "export/quote.h"
#include "flow/cause.h"
#include "infer/finding.h"
#include "infer/infer.h"
#include "infer/sentence.h"
#include "ir/graph.h"
#include "ops/info.h"
#include "sym/sym.h"

/* Axes that are refused for one reason are told together. */
static bool refused_alike(const struct repair_goal *a, const struct repair_goal *b)
{
	return !a->freed && !b->freed && sv_eq(str_sv(&a->reason), str_sv(&b->reason));
}

static bool is_told(const struct repair_report *report, size_t goal)
{
	for (size_t i = 0; i < goal; i++) {
		if (refused_alike(&report->at[i], &report->at[goal]))
			return true;
	}
	return false;
}

static void add_refused(const struct repair_report *report, size_t first, struct str *out)
{
	size_t count = 0, said = 0;

	for (size_t i = first; i < report->len; i++)
		count += refused_alike(&report->at[i], &report->at[first]);
	for (size_t i = first; i < report->len; i++) {
		if (!refused_alike(&report->at[i], &report->at[first]))
			continue;
		said++;
		str_text(out, said == 1 ? "" : said == count ? " and " : ", ");
		str_add_shown(out, str_sv(&report->at[i].text));
	}
}

static void print_reasons(const struct repair_report *report)
{
	for (size_t i = 0; i < report->len; i++) {
		struct str shown = {0};

		if (report->at[i].freed || is_told(report, i))
			continue;
		add_refused(report, i, &shown);
		str_text(&shown, " cannot be freed: ");
		str_add_shown(&shown, str_sv(&report->at[i].reason));
		fprintf(stderr, "axed: %s\n", str_c(&shown));
		str_release(&shown);
	}
}

/* The command that frees them together with what they need. */
static void repair_make_command(const struct app *app, const struct repair_report *report,
				struct str *out)
{
	const struct args *a = app->args;

	str_text(out, "axed repair ");
	if (args_has(a, OPTION_DEMO))
		str_text(out, "--demo");
	else
		quote_shell(out, sv_of(a->words.at[0]));
	for (size_t i = 0; i < report->suggested.len; i++) {
		str_char(out, ' ');
		quote_shell(out, str_sv(&report->suggested.at[i]));
	}
	if (args_has(a, OPTION_ASSUME))
		str_text(out, " --assume");
	if (args_has(a, OPTION_OUTPUT)) {
		str_text(out, " -o ");
		quote_shell(out, sv_of(a->values[OPTION_OUTPUT]));
	}
	str_text(out, args_has(a, OPTION_IN_PLACE) ? " -i" : "");
	str_text(out, args_has(a, OPTION_DRY_RUN) ? " -n" : "");
}

static void print_suggestion(const struct app *app, struct repair_report *report)
{
	struct str shown = {0};

	if (!report->suggested.len)
		return;
	repair_make_command(app, report, &report->command);
	str_add_shown(&shown, str_sv(&report->command));
	fprintf(stderr, "axed: hint: try %s\n", str_c(&shown));
	str_release(&shown);
}

/* What would free what was refused, once: causes may have the same hint. */
static void print_hint(const struct repair_goal *const first[CAUSE_COUNT],
		       const struct repair_goal *g)
{
	struct str shown = {0};

	for (size_t i = 0; i < CAUSE_COUNT; i++) {
		if (first[i] && first[i] != g && sv_eq(str_sv(&first[i]->hint), str_sv(&g->hint)))
			return;
	}
	str_add_shown(&shown, str_sv(&g->hint));
	if (g->hint.len)
		fprintf(stderr, "axed: hint: %s\n", str_c(&shown));
	str_release(&shown);
}

/* The first goal of each cause has the hint of the cause; the others have a copy. */
static void print_hints(const struct app *app, struct repair_report *report)
{
	const struct repair_goal *first[CAUSE_COUNT] = {NULL /* the rest is NULL, too */};
	struct str model = {0};

	if (args_has(app->args, OPTION_DEMO) || sv_is(sv_of(app->args->words.at[0]), "-"))
		str_text(&model, "MODEL.onnx");
	else
		quote_shell(&model, sv_of(app->args->words.at[0]));
	for (size_t i = 0; i < report->len; i++) {
		struct repair_goal *g = &report->at[i];

		if (g->freed)
			continue;
		if (first[g->cause]) {
			str_add(&g->hint, str_sv(&first[g->cause]->hint));
			continue;
		}
		repair_hint(report, g, str_sv(&model), &g->hint);
		first[g->cause] = g;
		print_hint(first, g);
	}
	str_release(&model);
}

static void print_shown(const char *label, struct sv text, const char *more)
{
	struct str shown = {0};

	str_add_shown(&shown, text);
	printf("%-8s %s%s\n", label, str_c(&shown), more);
	str_release(&shown);
}

/* How each axis is proved, and what that rests on. */
static void print_proofs(const struct repair_report *report, bool verbose)
{
	for (size_t i = 0; i < report->len; i++) {
		const struct repair_goal *g = &report->at[i];
		struct str text = {0};

		if (!g->freed)
			continue;
		str_add(&text, str_sv(&g->text));
		str_format(&text, "  %s", repair_proof(g));
		if (g->by_shape) {
			str_text(&text, ": ");
			str_add(&text, str_sv(&g->level));
		}
		print_shown("freed", str_sv(&text), "");
		str_release(&text);
	}
	for (size_t i = 0; i < report->bounds.len; i++)
		print_shown("needs", str_sv(&report->bounds.at[i]), "");
	for (size_t i = 0; i < report->assumes.len; i++)
		print_shown("assumes", str_sv(&report->assumes.at[i]), "");
	for (size_t i = 0; i < report->warnings.len; i++)
		print_shown("warning", str_sv(&report->warnings.at[i]), "");
	for (size_t i = 0; verbose && i < report->notes.len; i++)
		print_shown("at", str_sv(&report->notes.at[i]), "");
}

static size_t count_freed(const struct repair_report *report)
{
	size_t freed = 0;

	for (size_t i = 0; i < report->len; i++)
		freed += report->at[i].freed;
	return freed;
}

static bool repair_cmd_step(void *context, size_t done)
{
	return progress_step(context, "repairing", done, 0);
}

static bool repair_cmd_run(const struct app *app, struct document *d, struct repair_report *report,
			   struct err *err)
{
	VEC(struct sv) axes = {0};
	struct progress progress;
	struct repair_options options = {.progress = repair_cmd_step, .context = &progress};
	bool ok;

	options.assume = args_has(app->args, OPTION_ASSUME);
	if (args_has(app->args, OPTION_BATCH))
		options.batch = sv_of(app->args->values[OPTION_BATCH]);
	for (size_t i = edit_first_word(app); i < app->args->words.len; i++)
		vec_push(&axes, sv_of(app->args->words.at[i]));
	progress_begin(&progress, args_has(app->args, OPTION_QUIET));
	ok = document_repair(d, axes.at, axes.len, &options, report, err);
	if (ok && report->wanted.len && !count_freed(report))
		repair_suggest(d, &options, report);
	progress_end(&progress);
	vec_release(&axes);
	return ok;
}

/* Does an output have an axis of these items, so that they can be told apart? */
static bool output_has(const struct document *d, struct sv name)
{
	const struct infer *in = &d->infer;
	const struct graph *g = &in->model->graphs.at[0];
	uint32_t symbol;

	for (size_t i = 0; i < g->outputs.len; i++) {
		const struct info *info = &in->infos[g->outputs.at[i]];

		for (uint32_t k = 0; info->ranked && k < info->rank; k++) {
			if (sym_symbol_id(&in->pool, info->dims[k], &symbol) &&
			    sv_eq(sym_name(&in->pool, symbol), name))
				return true;
		}
	}
	return false;
}

/* A freed size whose items are independent: the original can be asked about each. */
static struct sv independent_symbol(const struct document *d, const struct repair_report *report)
{
	for (size_t i = 0; i < report->len; i++) {
		const struct repair_goal *g = &report->at[i];
		struct sv name = sv_after_last(str_sv(&g->text), '=');

		if (g->freed && !g->by_shape && !g->was_free && sv_has(str_sv(&g->text), '=') &&
		    output_has(d, name))
			return name;
	}
	return (struct sv){"", 0};
}

static void print_place(const struct model *m, const struct finding *f, struct str *out)
{
	if (f->node) {
		const struct node *n = &m->nodes.at[f->node];

		str_add(out, model_cut_name(m, n->op));
		str_char(out, ' ');
		str_add(out, model_cut_name(m, node_called(m, n)));
		str_text(out, ": ");
	}
	if (f->value) {
		str_add(out, model_cut_name(m, m->values.at[f->value].name));
		str_text(out, ": ");
	}
}

/* What makes check fail is said: exit 0 is a promise that it does not. */
static bool tell_remaining(const struct infer *in)
{
	const struct finding *first = NULL;
	size_t count = 0;

	for (size_t i = 0; i < in->findings.len; i++) {
		if (!level_info(in->findings.at[i].level)->fails)
			continue;
		first = first ? first : &in->findings.at[i];
		count++;
	}
	if (first) {
		struct str text = {0}, shown = {0};

		print_place(in->model, first, &text);
		finding_print(in, first, &text);
		str_add_shown(&shown, str_sv(&text));
		fprintf(stderr, "axed: check still fails: %s", str_c(&shown));
		if (count > 1)
			fprintf(stderr, "; and %zu more", count - 1);
		fputc('\n', stderr);
		str_release(&text);
		str_release(&shown);
	}
	return first;
}

static bool repair_any_pinned(const struct infer *in)
{
	for (size_t i = 0; i < in->findings.len; i++) {
		if (in->findings.at[i].level == LEVEL_PIN)
			return true;
	}
	return false;
}

/* Nobody asked for an axis, and none was found that could be freed. */
static bool tell_nothing(const struct app *app, const struct document *d, const char *target)
{
	bool pinned = repair_any_pinned(&d->infer);
	bool copied = !pinned && target && !args_has(app->args, OPTION_IN_PLACE) &&
		      !sv_is(sv_of(target), "-");
	struct str shown = {0};

	if (pinned)
		str_text(&shown, "nothing could be freed: no number of the model tells which size "
				 "a pinned axis was exported with");
	else if (!args_has(app->args, OPTION_QUIET))
		str_text(&shown, "note: nothing to repair: no axis that is declared dynamic is "
				 "pinned");
	if (copied && shown.len) {
		str_text(&shown, "; ");
		str_add_shown(&shown, sv_of(target));
		str_text(&shown, " is a copy");
	}
	if (shown.len)
		fprintf(stderr, "axed: %s\n", str_c(&shown));
	str_release(&shown);
	return !pinned;
}

enum exit_code run_repair(const struct app *app)
{
	struct document d;
	struct repair_report report = {0};
	struct err err;
	const char *target = NULL;
	bool ok, whole;

	if (!edit_target(app, &target, &err) || !edit_open(app, &d, &err))
		return complain(&err);
	ok = repair_cmd_run(app, &d, &report, &err);
	print_reasons(&report);
	print_suggestion(app, &report);
	if (ok && !report.suggested.len)
		print_hints(app, &report);
	whole = count_freed(&report) == report.len;
	if (ok && !report.len)
		whole = tell_nothing(app, &d, target);
	if (ok && count_freed(&report) && args_has(app->args, OPTION_VERIFY))
		ok = verify_before_writing(app, &d, NULL, independent_symbol(&d, &report), &err);
	/* If no axis was freed, there is nothing to write. */
	if (ok && (whole || count_freed(&report)))
		ok = edit_finish(app, &d, target, &report, &err);
	else if (ok)
		edit_tell(app, &d, target, &report);
	if (ok && !args_has(app->args, OPTION_JSON) && !args_has(app->args, OPTION_QUIET) &&
	    !(target && sv_is(sv_of(target), "-")))
		print_proofs(&report, args_has(app->args, OPTION_VERBOSE));
	if (ok && whole)
		whole = !tell_remaining(&d.infer);
	repair_report_release(&report);
	document_release(&d);
	if (!ok)
		return complain(&err);
	return whole ? EXIT_DONE : EXIT_FOUND;
}
