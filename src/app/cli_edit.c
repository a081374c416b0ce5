#include "app/cli_edit.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/cli_progress.h"
#include "app/demo.h"
#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "base/words.h"
#include "cmd/args.h"
#include "edit/description.h"
#include "edit/document.h"
#include "edit/journal/journal.h"
#include "edit/recipe.h"
#include "edit/write.h"
#include "export/quote.h"
#include "report/json.h"
#include "report/table.h"
#include "wire/destination.h"
#include "wire/save.h"
#include "wire/save_options.h"

enum {
	EDIT_MOST_INSIDE = 8, /* changed entries of value_info that are listed without -v */
	EDIT_MOST_PARTS = 8   /* changed constants, and nodes */
};

/* An axis or an edit in the model's place: the model was forgotten. */
static bool edit_has_model(const struct app *app, struct err *err)
{
	const struct args *a = app->args;
	const char *first;

	if (model_count(app) == 0)
		return err_set(err, ERR_USAGE, "%s needs a MODEL", a->command->name);
	if (args_has(a, OPTION_DEMO))
		return true;
	first = a->words.at[0];
	return (!strchr(first, ':') && !strchr(first, '=')) || access(first, F_OK) == 0 ||
	       err_set(err, ERR_USAGE, "the model is missing before '%s': axed %s %s", first,
		       a->command->name, a->command->usage);
}

bool edit_target(const struct app *app, const char **out, struct err *err)
{
	const struct args *a = app->args;
	bool in_place = args_has(a, OPTION_IN_PLACE), dry = args_has(a, OPTION_DRY_RUN);

	*out = NULL;
	if (!edit_has_model(app, err))
		return false;
	if (in_place && args_has(a, OPTION_OUTPUT))
		return err_set(err, ERR_USAGE, "use either -o FILE or --in-place, not both");
	if (dry)
		return true;
	if (!in_place && !args_has(a, OPTION_OUTPUT))
		return err_set(err, ERR_USAGE, "no output file: use -o FILE or --in-place");
	if (in_place && args_has(a, OPTION_DEMO))
		return err_set(err, ERR_USAGE, "the demo has no file to overwrite; use -o FILE");
	*out = in_place ? a->words.at[0] : a->values[OPTION_OUTPUT];
	if (in_place && sv_is(sv_of(*out), "-"))
		return err_set(err, ERR_USAGE, "cannot overwrite standard input; use -o FILE");
	return true;
}

bool edit_open(const struct app *app, struct document *d, struct err *err)
{
	if (model_count(app) == 0)
		return err_set(err, ERR_USAGE, "%s needs a MODEL, or --demo",
			       app->args->command->name);
	if (args_has(app->args, OPTION_DEMO))
		return document_open_memory(d, "demo", demo_model, demo_model_size, err);
	return model_path_ok(app->args->words.at[0], err) &&
	       (document_open(d, app->args->words.at[0], err) ||
		suggest_model(app->args->words.at[0], err));
}

size_t edit_first_word(const struct app *app)
{
	return args_has(app->args, OPTION_DEMO) ? 0 : 1;
}

bool edit_print_command(const struct app *app, struct sv line, struct str *out)
{
	struct words words;
	struct err ignored;

	if (!words_split(&words, line, &ignored) || !words.at.len)
		return false;
	str_text(out, "axed ");
	str_add(out, words.at.at[0]);
	str_char(out, ' ');
	if (args_has(app->args, OPTION_DEMO))
		str_text(out, "--demo");
	else
		quote_shell(out, sv_of(app->args->words.at[0]));
	for (size_t i = 1; i < words.at.len; i++) {
		str_char(out, ' ');
		quote_shell(out, words.at.at[i]);
	}
	str_text(out, " -o OUT");
	words_release(&words);
	return true;
}

/* ---- what changed ---- */

static void edit_add_shown(struct table *t, const struct str *text)
{
	str_add_shown(table_cell(t), str_sv(text));
}

static void edit_add_row(struct table *t, const struct description *d, bool explains)
{
	struct str change = {0};

	str_add(&change, str_sv(&d->before));
	str_text(&change, d->before.len && d->after.len ? " -> " : "");
	str_add(&change, str_sv(&d->after));
	str_text(&change, explains ? " (0 copies the input's size)" : "");
	str_text(table_cell(t), "");
	str_text(&vec_last(&t->cells)->text, d->before.len == 0  ? "+ "
					     : d->after.len == 0 ? "- "
								 : "");
	str_add_shown(&vec_last(&t->cells)->text, str_sv(&d->what));
	edit_add_shown(t, &change);
	str_release(&change);
}

static void edit_add_more(struct table *t, const char *things, bool all, size_t count)
{
	if (all || count <= EDIT_MOST_PARTS)
		return;
	str_text(table_cell(t), things);
	str_format(table_cell(t), "%zu more; -v lists them", count - EDIT_MOST_PARTS);
}

/* The tensors in between follow from the rest: many of them are one line. */
static void edit_print_table(FILE *out, const struct descriptions *list, bool all)
{
	struct table t = {.columns = 2};
	bool explained = false;
	size_t inside = 0, counts[DESCRIPTION_KIND_COUNT] = {0};

	for (size_t i = 0; i < list->len; i++) {
		const struct description *d = &list->at[i];

		inside += d->inside;
		counts[d->kind]++;
		if (d->inside ||
		    (!all && d->kind != DESCRIPTION_CLAIM && counts[d->kind] > EDIT_MOST_PARTS))
			continue;
		edit_add_row(&t, d, d->copies && !explained);
		explained |= d->copies;
	}
	edit_add_more(&t, "constants", all, counts[DESCRIPTION_CONSTANT]);
	edit_add_more(&t, "nodes", all, counts[DESCRIPTION_NODE]);
	all |= inside <= EDIT_MOST_INSIDE;
	for (size_t i = 0; all && i < list->len; i++) {
		if (list->at[i].inside)
			edit_add_row(&t, &list->at[i], false);
	}
	if (!all) {
		str_text(table_cell(&t), "value_info");
		str_format(table_cell(&t), "%zu %s follow; -v lists them", inside,
			   PLURAL(inside, "shape", "shapes"));
	}
	table_print_to(&t, out);
}

static void edit_add_texts(struct json *j, const char *key, const struct str *texts, size_t count)
{
	json_key(j, key);
	json_array(j);
	for (size_t i = 0; i < count; i++)
		json_text(j, str_sv(&texts[i]));
	json_end_array(j);
}

static void edit_add_axes(struct json *j, const struct repair_report *report)
{
	json_key(j, "axes");
	json_array(j);
	for (size_t i = 0; i < report->len; i++) {
		json_object(j);
		json_key(j, "axis");
		json_text(j, str_sv(&report->at[i].text));
		json_key(j, "freed");
		json_bool(j, report->at[i].freed);
		json_key(j, "reason");
		json_text(j, str_sv(&report->at[i].reason));
		if (report->at[i].hint.len) {
			json_key(j, "hint");
			json_text(j, str_sv(&report->at[i].hint));
		}
		if (report->at[i].freed) {
			json_key(j, "proof");
			json_text(j, sv_of(repair_proof(&report->at[i])));
			json_key(j, "mixes");
			json_text(j, str_sv(&report->at[i].level));
		}
		json_end_object(j);
	}
	json_end_array(j);
	edit_add_texts(j, "bounds", report->bounds.at, report->bounds.len);
	edit_add_texts(j, "assumes", report->assumes.at, report->assumes.len);
	edit_add_texts(j, "notes", report->notes.at, report->notes.len);
	edit_add_texts(j, "warnings", report->warnings.at, report->warnings.len);
	if (report->command.len) {
		json_key(j, "try");
		json_text(j, str_sv(&report->command));
	}
}

static void edit_print_json(FILE *out, const struct descriptions *list,
			    const struct repair_report *report)
{
	struct json j;

	json_begin(&j, out);
	json_key(&j, "changes");
	json_array(&j);
	for (size_t i = 0; i < list->len; i++) {
		json_object(&j);
		json_key(&j, "name");
		json_text(&j, str_sv(&list->at[i].what));
		json_key(&j, "before");
		json_text(&j, str_sv(&list->at[i].before));
		json_key(&j, "after");
		json_text(&j, str_sv(&list->at[i].after));
		json_end_object(&j);
	}
	json_end_array(&j);
	if (report)
		edit_add_axes(&j, report);
	json_end_object(&j);
	json_line(&j);
}

/* With the model on standard output, reports go to standard error. */
void edit_tell(const struct app *app, const struct document *d, const char *target,
	       const struct repair_report *report)
{
	FILE *out = target && sv_is(sv_of(target), "-") ? stderr : stdout;
	struct descriptions list = {0};

	describe_actions(&list, d, 0);
	if (args_has(app->args, OPTION_JSON))
		edit_print_json(out, &list, report);
	else if (!args_has(app->args, OPTION_QUIET))
		edit_print_table(out, &list, args_has(app->args, OPTION_VERBOSE));
	descriptions_release(&list);
}

void print_notes(struct sv lines)
{
	while (lines.len) {
		struct str shown = {0};

		str_add_shown(&shown, sv_cut(&lines, '\n'));
		fprintf(stderr, "axed: note: %s\n", str_c(&shown));
		str_release(&shown);
	}
}

/* ---- saving ---- */

static bool save_with_progress(const struct app *app, struct document *d, const char *target,
			       struct err *err)
{
	bool quiet = args_has(app->args, OPTION_QUIET);
	struct progress progress;
	struct save_options options = {
		.force = args_has(app->args, OPTION_FORCE),
		.progress = progress_step,
		.context = &progress,
	};
	struct save_report report = {0};
	bool ok;

	progress_begin(&progress, quiet);
	ok = document_save(d, target, &options, &report, err);
	progress_end(&progress);
	if (ok && !quiet)
		print_notes(str_sv(&report.notes));
	save_report_release(&report);
	return ok;
}

/* Nobody may have the target open: edits there would be of a file that is gone. */
static bool claim_target(const struct app *app, const char *target, struct journal_claim **out,
			 struct err *err)
{
	struct err why;

	*out = NULL;
	return sv_is(sv_of(target), "-") || journal_claim(out, target, &why) ||
	       args_has(app->args, OPTION_FORCE) ||
	       err_set(err, ERR_REFUSED, "%s; --force writes it all the same", why.text);
}

static void tell_left(const char *target, const struct journal_claim *claim)
{
	size_t left = journal_claim_left(claim);

	if (left)
		fprintf(stderr,
			"axed: note: an earlier run left %zu unsaved edit%s of %s; "
			"axed edit --recover brings them back\n",
			left, left == 1 ? "" : "s", target);
}

bool edit_save(const struct app *app, struct document *d, const char *target, struct err *err)
{
	struct journal_claim *claim;
	bool ok;

	if (!claim_target(app, target, &claim, err))
		return false;
	ok = save_with_progress(app, d, target, err);
	if (ok)
		tell_left(target, claim);
	journal_claim_release(claim);
	return ok;
}

/* Asked before anything is written: one name for two files would lose the first. */
static bool recipe_has_a_place(const struct app *app, struct document *d, const char *target,
			       struct err *err)
{
	const struct destination_rules rules = {.kind = DESTINATION_TEXT, .source = &d->wire};
	const char *recipe = app->args->values[OPTION_SAVE_RECIPE];
	struct destination place;

	if (!args_has(app->args, OPTION_SAVE_RECIPE))
		return true;
	if (target && destination_same(recipe, target))
		return err_set(err, ERR_USAGE, "%s: the model and the recipe cannot be one file",
			       recipe);
	if (!destination_resolve(&place, recipe, &rules, err))
		return err_prefix(err, "%s", recipe);
	destination_release(&place);
	return true;
}

static void tell_warnings(const struct document *d)
{
	for (size_t i = 0; i < d->done; i++) {
		struct str shown = {0};

		str_add_shown(&shown, str_sv(&d->actions.at[i].warning));
		if (shown.len)
			fprintf(stderr, "axed: note: %s\n", str_c(&shown));
		str_release(&shown);
	}
}

bool edit_finish(const struct app *app, struct document *d, const char *target,
		 const struct repair_report *report, struct err *err)
{
	if (!recipe_has_a_place(app, d, target, err))
		return false;
	if (target && !edit_save(app, d, target, err))
		return false;
	edit_tell(app, d, target, report);
	tell_warnings(d);
	return !args_has(app->args, OPTION_SAVE_RECIPE) ||
	       recipe_write(d, app->args->values[OPTION_SAVE_RECIPE], err);
}
