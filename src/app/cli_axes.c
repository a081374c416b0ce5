#include "app/app.h"
#include "app/cli_many.h"
#include "app/cli_models.h"
#include "base/err.h"
#include "base/str.h"
#include "cmd/args.h"
#include "infer/axes.h"
#include "infer/infer.h"
#include "infer/verdict.h"
#include "ir/graph.h"
#include "report/axes.h"
#include "report/paint.h"
#include "report/printout.h"
#include "report/record.h"
#include "wire/wire.h"

/* What the rows are made of. */
struct axes_list {
	const struct model *model; /* borrowed */
	const struct axes *axes;   /* borrowed */
	bool all;                  /* conditions */
};

static void axes_row(void *context, struct record *r, size_t row)
{
	const struct axes_list *l = context;

	axis_record(r, l->model, &l->axes->list.at[row], l->all);
}

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
	printout_rows(&p, axes->list.len, args_has(app->args, OPTION_WHOLE), axes_row,
		      &(struct axes_list){&w->model, axes, args_has(app->args, OPTION_VERBOSE)});
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
