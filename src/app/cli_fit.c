#include <inttypes.h>
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
#include "edit/fit/fit.h"
#include "report/json.h"
#include "report/table.h"
#include "wire/wire.h"

/* ---- what was found ---- */

static void fit_print_reasons(const struct fit_report *r)
{
	for (size_t i = 0; i < r->reasons.len; i++) {
		struct str shown = {0};

		str_add_shown(&shown, str_sv(&r->reasons.at[i]));
		fprintf(stderr, "axed: cannot fit: %s\n", str_c(&shown));
		str_release(&shown);
	}
	if (r->more)
		fprintf(stderr, "axed: cannot fit: %zu more %s\n", r->more,
			PLURAL(r->more, "difference", "differences"));
}

static void fit_add_sizes(const struct fit_report *r, const struct fit_axis *a, struct str *out)
{
	for (uint32_t i = 0; i < r->exports; i++)
		str_format(out, "%s%" PRId64, i ? " | " : "", a->sizes[i]);
}

static void fit_add_row(struct table *t, const char *what, const struct str *place,
			struct sv before, const struct str *after)
{
	struct str change = {0};

	str_text(table_cell(t), what);
	str_add_shown(table_cell(t), str_sv(place));
	str_add_shown(&change, before);
	str_text(&change, before.len ? " -> " : "");
	str_add_shown(&change, str_sv(after));
	str_add(table_cell(t), str_sv(&change));
	str_release(&change);
}

static void fit_print_text(FILE *out, const struct fit_report *r)
{
	struct table t = {.columns = 3};
	const struct str empty = {0};

	for (size_t i = 0; i < r->axes.len; i++) {
		struct str sizes = {0};

		fit_add_sizes(r, &r->axes.at[i], &sizes);
		fit_add_row(&t, "axis", &r->axes.at[i].axis, str_sv(&sizes), &r->axes.at[i].name);
		str_release(&sizes);
	}
	for (size_t i = 0; i < r->numbers.len; i++)
		fit_add_row(&t, "solved", &r->numbers.at[i].place, str_sv(&r->numbers.at[i].before),
			    &r->numbers.at[i].after);
	for (size_t i = 0; i < r->bounds.len; i++)
		fit_add_row(&t, "needs", &r->bounds.at[i], (struct sv){"", 0}, &empty);
	for (size_t i = 0; i < r->assumes.len; i++)
		fit_add_row(&t, "assumes", &r->assumes.at[i], (struct sv){"", 0}, &empty);
	table_print_to(&t, out);
}

static void fit_json_texts(struct json *j, const char *key, const struct str *at, size_t len)
{
	json_key(j, key);
	json_array(j);
	for (size_t i = 0; i < len; i++)
		json_text(j, str_sv(&at[i]));
	json_end_array(j);
}

static void fit_json_axes(struct json *j, const struct fit_report *r)
{
	json_key(j, "axes");
	json_array(j);
	for (size_t i = 0; i < r->axes.len; i++) {
		json_object(j);
		json_key(j, "axis");
		json_text(j, str_sv(&r->axes.at[i].axis));
		json_key(j, "name");
		json_text(j, str_sv(&r->axes.at[i].name));
		json_key(j, "sizes");
		json_array(j);
		for (uint32_t k = 0; k < r->exports; k++)
			json_int(j, r->axes.at[i].sizes[k]);
		json_end_array(j);
		json_end_object(j);
	}
	json_end_array(j);
}

static void fit_print_json(FILE *out, const struct fit_report *r)
{
	struct json j;

	json_begin(&j, out);
	json_key(&j, "fitted");
	json_bool(&j, r->reasons.len == 0);
	fit_json_axes(&j, r);
	json_key(&j, "solved");
	json_array(&j);
	for (size_t i = 0; i < r->numbers.len; i++) {
		json_object(&j);
		json_key(&j, "place");
		json_text(&j, str_sv(&r->numbers.at[i].place));
		json_key(&j, "before");
		json_text(&j, str_sv(&r->numbers.at[i].before));
		json_key(&j, "after");
		json_text(&j, str_sv(&r->numbers.at[i].after));
		json_end_object(&j);
	}
	json_end_array(&j);
	fit_json_texts(&j, "bounds", r->bounds.at, r->bounds.len);
	fit_json_texts(&j, "assumes", r->assumes.at, r->assumes.len);
	fit_json_texts(&j, "reasons", r->reasons.at, r->reasons.len);
	json_end_object(&j);
	json_line(&j);
}

/* With the model on standard output, reports go to standard error. */
static void fit_tell(const struct app *app, const char *target, const struct fit_report *r)
{
	FILE *out = target && sv_is(sv_of(target), "-") ? stderr : stdout;

	if (args_has(app->args, OPTION_JSON))
		fit_print_json(out, r);
	else if (!args_has(app->args, OPTION_QUIET) && !r->reasons.len)
		fit_print_text(out, r);
}

/* ---- running ---- */

static bool fit_verify(const struct app *app, struct document *d, struct err *err)
{
	bool ok = true;

	for (size_t i = 0; ok && i < app->args->words.len; i++)
		ok = verify_before_writing(app, d, app->args->words.at[i], (struct sv){0}, err);
	return ok;
}

static bool fit_cmd_step(void *context, size_t done)
{
	return progress_step(context, "fitting", done, 0);
}

static bool fit_cmd_run(const struct app *app, struct document *d, struct wire *const *others,
			size_t count, struct fit_report *report, struct err *err)
{
	VEC(struct sv) names = {0};
	struct progress progress;
	struct fit_options options = {.progress = fit_cmd_step, .context = &progress};
	bool ok;

	for (size_t i = 0; i < app->args->all.len; i++) {
		if (app->args->all.at[i].option == OPTION_NAME)
			vec_push(&names, sv_of(app->args->all.at[i].value));
	}
	options.names = names.at;
	options.name_count = names.len;
	progress_begin(&progress, args_has(app->args, OPTION_QUIET));
	ok = document_fit(d, others, count, &options, report, err);
	progress_end(&progress);
	vec_release(&names);
	return ok;
}

static bool fit_cmd_target(const struct app *app, const char **out, struct err *err)
{
	*out = NULL;
	if (app->args->words.len > FIT_MAX_EXPORTS)
		return err_set(err, ERR_USAGE, "fit takes at most %d exports", FIT_MAX_EXPORTS);
	for (size_t i = 0; i < app->args->words.len; i++) {
		if (sv_is(sv_of(app->args->words.at[i]), "-"))
			return err_set(err, ERR_USAGE, "fit reads files, not standard input");
	}
	if (args_has(app->args, OPTION_DRY_RUN))
		return true;
	if (!args_has(app->args, OPTION_OUTPUT))
		return err_set(err, ERR_USAGE,
			       "no output file: use -o FILE, or -n to write nothing");
	*out = app->args->values[OPTION_OUTPUT];
	return true;
}

static bool fit_cmd_fit(const struct app *app, struct document *d, struct wire *const *others,
			size_t count, const char *target, bool *fitted, struct err *err)
{
	struct fit_report report = {0};
	bool ok = fit_cmd_run(app, d, others, count, &report, err);

	*fitted = ok && report.reasons.len == 0;
	fit_print_reasons(&report);
	if (*fitted && args_has(app->args, OPTION_VERIFY))
		ok = fit_verify(app, d, err);
	if (ok && *fitted && target)
		ok = edit_save(app, d, target, err);
	if (ok)
		fit_tell(app, target, &report);
	fit_report_release(&report);
	return ok;
}

enum exit_code run_fit(const struct app *app)
{
	struct wire wires[FIT_MAX_EXPORTS], *others[FIT_MAX_EXPORTS];
	struct document d;
	struct err err;
	const char *target;
	size_t count = 0;
	bool ok, fitted = false;

	if (!fit_cmd_target(app, &target, &err) || !edit_open(app, &d, &err))
		return complain(&err);
	ok = true;
	for (size_t i = 1; ok && i < app->args->words.len; i++) {
		ok = open_model(app, i, &wires[count], &err);
		others[count] = &wires[count];
		count += ok;
	}
	ok = ok && fit_cmd_fit(app, &d, others, count, target, &fitted, &err);
	while (count)
		wire_release(&wires[--count]);
	document_release(&d);
	if (!ok)
		return complain(&err);
	return fitted ? EXIT_DONE : EXIT_FOUND;
}
