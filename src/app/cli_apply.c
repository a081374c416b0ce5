#include <stdio.h>

#include "app/app.h"
#include "app/cli_edit.h"
#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "cmd/args.h"
#include "edit/document.h"
#include "edit/recipe.h"
#include "wire/destination.h"

static void print_failures(const char *recipe, struct sv rest)
{
	while (rest.len) {
		struct str shown = {0};

		str_add_shown(&shown, sv_cut(&rest, '\n'));
		fprintf(stderr, "axed: %s: %s\n", recipe, str_c(&shown));
		str_release(&shown);
	}
}

static bool apply_lines(const struct app *app, struct document *d, const char *target,
			struct recipe_result *result, struct err *err)
{
	const char *recipe = app->args->words.at[edit_first_word(app)];

	if (target && destination_same(recipe, target))
		return err_set(err, ERR_USAGE, "%s: the model and the recipe cannot be one file",
			       recipe);
	if (!recipe_apply(d, recipe, args_has(app->args, OPTION_FORCE), result, err))
		return false;
	print_failures(recipe, str_sv(&result->failures));
	if (result->failed && !args_has(app->args, OPTION_PARTIAL))
		return err_set(err, ERR_REFUSED,
			       "%s: %zu of %zu %s failed; nothing was written (--partial "
			       "writes the rest)",
			       recipe, result->failed, result->failed + result->done,
			       PLURAL(result->failed + result->done, "line", "lines"));
	return edit_finish(app, d, target, NULL, err);
}

enum exit_code run_apply(const struct app *app)
{
	struct document d;
	struct recipe_result result = {0};
	struct err err;
	const char *target = NULL;
	bool ok;

	if (!edit_target(app, &target, &err))
		return complain(&err);
	if (app->args->words.len != edit_first_word(app) + 1) {
		err_set(&err, ERR_USAGE, "apply needs a MODEL and a RECIPE");
		return complain(&err);
	}
	if (!edit_open(app, &d, &err))
		return complain(&err);
	ok = apply_lines(app, &d, target, &result, &err);
	document_release(&d);
	recipe_result_release(&result);
	if (!ok)
		return complain(&err);
	return result.failed ? EXIT_FOUND : EXIT_DONE;
}
