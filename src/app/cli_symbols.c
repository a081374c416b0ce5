#include "app/app.h"
#include "base/err.h"
#include "base/sv.h"
#include "cmd/args.h"
#include "infer/infer.h"
#include "report/paint.h"
#include "report/printout.h"
#include "report/record.h"
#include "report/symbols.h"
#include "wire/wire.h"

/* What the rows are made of. */
struct symbols_table {
	const struct infer *in;         /* borrowed */
	const struct symbol_list *list; /* borrowed */
};

static void symbols_row(void *context, struct record *r, size_t row)
{
	const struct symbols_table *t = context;

	symbol_record(r, t->in, &t->list->rows.at[row]);
}

static void print_symbols(const struct app *app, const struct infer *in)
{
	struct printout p = {
		.as_json = args_has(app->args, OPTION_JSON),
		.table = {.columns = SYMBOL_COLUMN_COUNT, .hang = SYMBOL_KIND, .width = app->width},
	};
	struct symbol_list list = {0};

	paints_init(&p.table.paints, app->color, in);
	symbol_list_fill(&list, in, NULL, 0);
	printout_begin(&p, (struct sv){0}, "symbols");
	printout_rows(&p, list.rows.len, args_has(app->args, OPTION_WHOLE), symbols_row,
		      &(struct symbols_table){in, &list});
	printout_end(&p);
	symbol_list_release(&list);
}

enum exit_code run_symbols(const struct app *app)
{
	struct infer in;
	struct wire w;
	struct err err;

	if (!open_only(app, &w, &err))
		return complain(&err);
	infer_run(&in, &w.model, (struct infer_options){0});
	print_symbols(app, &in);
	infer_release(&in);
	wire_release(&w);
	return EXIT_DONE;
}
