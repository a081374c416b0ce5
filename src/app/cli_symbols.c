#include <inttypes.h>
#include <stdio.h>

#include "app/app.h"
#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "cmd/args.h"
#include "export/json/symbol.h"
#include "infer/infer.h"
#include "report/json.h"
#include "report/table.h"
#include "wire/wire.h"

static void symbols_cmd_add_row(struct table *t, const struct infer *in, uint32_t id, uint64_t uses)
{
	struct str needs = {0};

	symbol_needs(&needs, in, id);
	symbol_text(table_cell(t), in, id);
	str_text(table_cell(t), symbol_kind(in, id));
	str_format(table_cell(t), uses == 1 ? "1 axis" : "%" PRIu64 " axes", uses);
	str_format(table_cell(t), "%s%s", needs.len ? "must equal " : "", str_c(&needs));
	str_release(&needs);
}

static void symbols_cmd_print_table(const struct infer *in)
{
	struct arena arena = {0};
	uint64_t *uses = symbol_uses(in, &arena);
	struct table table = {.columns = 4, .hang = 1};

	for (uint32_t i = 0; i < in->pool.symbols.len; i++) {
		if (uses[i])
			symbols_cmd_add_row(&table, in, i, uses[i]);
	}
	table_print(&table);
	arena_release(&arena);
}

static void symbols_cmd_print_json(const struct infer *in)
{
	struct json j;

	json_init(&j, stdout);
	json_object(&j);
	json_key(&j, "symbols");
	symbols_json(&j, in);
	json_end_object(&j);
	json_line(&j);
}

enum exit_code run_symbols(const struct app *app)
{
	struct infer in;
	struct wire w;
	struct err err;

	if (!open_only(app, &w, &err))
		return complain(&err);
	infer_run(&in, &w.model, (struct infer_options){0});
	if (args_has(app->args, OPTION_JSON))
		symbols_cmd_print_json(&in);
	else
		symbols_cmd_print_table(&in);
	infer_release(&in);
	wire_release(&w);
	return EXIT_DONE;
}
