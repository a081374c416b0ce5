#include <inttypes.h>
#include <stdio.h>

#include "app/app.h"
#include "app/table.h"
#include "base/utf8.h"
#include "export/json.h"
#include "infer/infer.h"
#include "sym/text.h"

static void count_use(void *context, uint32_t symbol)
{
	uint64_t *uses = context;

	uses[symbol]++;
}

/* How many dims mention each symbol. */
static uint64_t *count_uses(const struct infer *in, struct arena *arena)
{
	uint64_t *uses = arena_array(arena, in->pool.symbols.len, uint64_t);

	for (size_t v = 1; v < in->model->values.len; v++) {
		const struct info *info = &in->infos[v];

		for (uint32_t i = 0; info->ranked && i < info->rank; i++)
			sym_each_symbol(&in->pool, info->dims[i], count_use, uses);
	}
	return uses;
}

static const char *source_of(const struct sym_symbol *s)
{
	static const char *const names[SYM_SOURCE_COUNT] = {
		[SYM_DECLARED] = "declared",
		[SYM_GENERATED] = "generated",
		[SYM_COMPLEX] = "complex",
	};

	return names[s->source];
}

static void add_symbol(struct str *text, const struct infer *in, uint32_t id)
{
	struct str name = {0};

	sym_print(&in->pool, in->pool.symbols.at[id].self, &name);
	str_add_shown(text, str_sv(&name));
	str_release(&name);
}

/* What some node needs it to be equal to. */
static void add_needs(struct str *text, const struct infer *in, uint32_t id)
{
	for (size_t i = 0; i < in->facts.len; i++) {
		const struct fact *f = &in->facts.at[i];
		struct str other = {0};
		struct sym self = in->pool.symbols.at[id].self;

		if (f->kind != FACT_EQUAL || (!sym_same(f->a, self) && !sym_same(f->b, self)))
			continue;
		sym_print(&in->pool, sym_same(f->a, self) ? f->b : f->a, &other);
		str_text(text, text->len ? ", " : "");
		str_add_shown(text, str_sv(&other));
		str_release(&other);
	}
}

static void print_symbol(const struct infer *in, uint32_t id, uint64_t uses, struct json *j,
			 struct table *t)
{
	const struct sym_symbol *s = &in->pool.symbols.at[id];
	const struct node *n =
		&in->model->nodes.at[s->source == SYM_GENERATED ? s->origin.node : 0];
	struct str name = {0}, needs = {0};

	add_symbol(&name, in, id);
	add_needs(&needs, in, id);
	if (j) {
		json_object(j);
		json_key(j, "name");
		json_text(j, str_sv(&name));
		json_key(j, "kind");
		json_text(j, sv_of(source_of(s)));
		json_key(j, "node");
		json_text(j, model_name(in->model, n->name));
		json_key(j, "uses");
		json_count(j, uses);
		json_key(j, "equal");
		json_text(j, str_sv(&needs));
		json_end_object(j);
	} else {
		str_add(table_cell(t), str_sv(&name));
		str_text(table_cell(t), source_of(s));
		str_format(table_cell(t), uses == 1 ? "1 axis" : "%" PRIu64 " axes", uses);
		str_format(table_cell(t), "%s%s", needs.len ? "must equal " : "", str_c(&needs));
	}
	str_release(&name);
	str_release(&needs);
}

static void print_symbols(const struct infer *in, bool as_json)
{
	struct arena arena = {0};
	uint64_t *uses = count_uses(in, &arena);
	struct table table = {.columns = 4, .hang = 1};
	struct json j;

	json_init(&j, stdout);
	if (as_json) {
		json_object(&j);
		json_key(&j, "symbols");
		json_array(&j);
	}
	for (uint32_t i = 0; i < in->pool.symbols.len; i++) {
		if (uses[i])
			print_symbol(in, i, uses[i], as_json ? &j : NULL, &table);
	}
	if (as_json) {
		json_end_array(&j);
		json_end_object(&j);
		json_line(&j);
	}
	table_print(&table);
	arena_release(&arena);
}

enum exit_code run_symbols(const struct app *app)
{
	struct infer in;
	struct wire w;
	struct err err;

	if (!open_only(app, &w, &err))
		return complain(&err);
	infer_run(&in, &w.model, (struct infer_options){0});
	print_symbols(&in, args_has(app->args, OPTION_JSON));
	infer_release(&in);
	wire_release(&w);
	return EXIT_DONE;
}
