#include "app/app.h"
#include "app/cli_edit.h"
#include "base/err.h"
#include "base/sv.h"
#include "base/vec.h"
#include "cmd/args.h"
#include "edit/document.h"
#include "edit/set.h"

static bool read_options(const struct app *app, struct set_options *out, struct err *err)
{
	*out = (struct set_options){
		.merge = args_has(app->args, OPTION_MERGE),
		.force = args_has(app->args, OPTION_FORCE),
		.model = args_has(app->args, OPTION_DEMO) ? "--demo" : app->args->words.at[0],
	};
	if (args_has(app->args, OPTION_BATCH))
		out->batch = sv_of(app->args->values[OPTION_BATCH]);
	if (args_has(app->args, OPTION_BATCH) && !out->batch.len)
		return err_set(err, ERR_USAGE, "--batch needs a name");
	return !args_has(app->args, OPTION_SHAPES) ||
	       shapes_policy_find(sv_of(app->args->values[OPTION_SHAPES]), &out->shapes) ||
	       err_set(err, ERR_USAGE, "--shapes must be keep, refresh, all or strip, not '%s'",
		       app->args->values[OPTION_SHAPES]);
}

static bool apply_edits(const struct app *app, struct document *d,
			const struct set_options *options, struct err *err)
{
	VEC(struct sv) edits = {0};
	bool ok;

	for (size_t i = edit_first_word(app); i < app->args->words.len; i++)
		vec_push(&edits, sv_of(app->args->words.at[i]));
	/* Without an edit, the file is saved unchanged. */
	ok = (edits.len == 0 && !options->batch.len && options->shapes <= SHAPES_KEEP) ||
	     document_set(d, edits.at, edits.len, options, err);
	vec_release(&edits);
	return ok;
}

enum exit_code run_set(const struct app *app)
{
	struct document d;
	struct set_options options;
	struct err err;
	const char *target = NULL;
	bool ok;

	if (!edit_target(app, &target, &err) || !read_options(app, &options, &err) ||
	    !edit_open(app, &d, &err))
		return complain(&err);
	ok = apply_edits(app, &d, &options, &err) && edit_finish(app, &d, target, NULL, &err);
	document_release(&d);
	return ok ? EXIT_DONE : complain(&err);
}
