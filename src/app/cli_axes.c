#include "app/app.h"
#include "app/cli_many.h"
#include "app/cli_models.h"
#include "base/err.h"
#include "base/str.h"
#include "cmd/args.h"
#include "infer/axes.h"
#include "infer/infer.h"
#include "infer/verdict.h"
#include "report/axes.h"
#include "report/paint.h"
#include "report/printout.h"
#include "wire/wire.h"

static void print_axes(const struct app *app, const struct wire *w, const struct axes *axes)
{
	struct printout p = {
		.as_json = args_has(app->args, OPTION_JSON),
		.table = {.columns = AXIS_COLUMN_COUNT, .hang = AXIS_VERDICT, .width = app->width},
	};

	struct infer in;
	bool paints = app->color && !p.as_json;

	/* Colours are those of the symbols as declared. */
	if (paints)
		infer_run(&in, &w->model, (struct infer_options){0});
	paints_init(&p.table.paints, paints, paints ? &in : NULL);
	printout_begin(&p, str_sv(&w->path), "axes");
	for (size_t i = 0; i < axes->list.len; i++) {
		axis_record(&p.record, &w->model, &axes->list.at[i]);
		printout_add(&p);
	}
	printout_end(&p);
	if (paints)
		infer_release(&in);
}

static enum exit_code tell_axes(const struct app *app)
{
	struct axes axes;
	struct wire w;
	struct err err;

	if (!open_only(app, &w, &err))
		return complain(&err);
	axes_find(&axes, &w.model);
	print_axes(app, &w, &axes);
	axes_release(&axes);
	wire_release(&w);
	return EXIT_DONE;
}

enum exit_code run_axes(const struct app *app)
{
	return many_run(&(struct many){.app = app, .one = tell_axes, .models = model_count(app)});
}
