#include <stdio.h>

#include "app/app.h"
#include "app/progress.h"
#include "base/utf8.h"
#include "wire/save.h"

static bool target_of(const struct app *app, const char **out, struct err *err)
{
	const struct args *a = app->args;
	bool in_place = args_has(a, OPTION_IN_PLACE);

	if (model_count(app) == 0)
		return err_set(err, ERR_USAGE, "set needs a MODEL");
	if (in_place == args_has(a, OPTION_OUTPUT))
		return err_set(err, ERR_USAGE,
			       in_place ? "give either -o FILE or --in-place"
					: "where to? give -o FILE or --in-place");
	if (a->words.len > (args_has(a, OPTION_DEMO) ? 0 : 1))
		return err_set(err, ERR_USAGE,
			       "this version saves models as they are; it cannot edit yet");
	if (in_place && args_has(a, OPTION_DEMO))
		return err_set(err, ERR_USAGE, "the demo is part of the program; give -o FILE");
	*out = in_place ? a->words.at[0] : a->values[OPTION_OUTPUT];
	if (in_place && sv_is(sv_of(*out), "-"))
		return err_set(err, ERR_USAGE, "standard input cannot be saved in place; give -o");
	return true;
}

static void print_notes(const struct save_report *report)
{
	struct sv rest = str_sv(&report->notes);

	while (rest.len) {
		size_t len = 0;
		struct str shown = {0};

		while (len < rest.len && rest.at[len] != '\n')
			len++;
		str_add_shown(&shown, (struct sv){rest.at, len});
		fprintf(stderr, "axed: note: %s\n", str_c(&shown));
		str_release(&shown);
		rest = sv_skip(rest, len + 1);
	}
}

static bool save(const struct app *app, struct wire *w, const char *target, struct err *err)
{
	bool quiet = args_has(app->args, OPTION_QUIET);
	struct progress progress;
	struct save_options options = {
		.force = args_has(app->args, OPTION_FORCE),
		.progress = progress_step,
		.context = &progress,
	};
	struct save_report report = {0};
	struct patch patch = {0};
	bool ok;

	progress_begin(&progress, quiet);
	ok = wire_save(w, &patch, target, &options, &report, err);
	progress_end(&progress);
	if (ok && !quiet)
		print_notes(&report);
	patch_release(&patch);
	save_report_release(&report);
	return ok;
}

enum exit_code run_set(const struct app *app)
{
	struct wire w;
	struct err err;
	const char *target = NULL;
	bool ok;

	if (!target_of(app, &target, &err) || !open_model(app, 0, &w, &err))
		return complain(&err);
	ok = save(app, &w, target, &err);
	wire_release(&w);
	return ok ? EXIT_DONE : complain(&err);
}
