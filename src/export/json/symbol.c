#include "export/json/symbol.h"

#include "base/arena.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "ir/graph.h"
#include "ops/info.h"
#include "ops/need.h"
#include "sym/eval.h"
#include "sym/sym.h"
#include "sym/text.h"

static void symbol_json_count_use(void *context, uint32_t symbol)
{
	uint64_t *uses = context;

	uses[symbol]++;
}

uint64_t *symbol_uses(const struct infer *in, struct arena *arena)
{
	uint64_t *uses = arena_array(arena, in->pool.symbols.len, uint64_t);

	for (size_t v = 1; v < in->model->values.len; v++) {
		const struct info *info = &in->infos[v];

		for (uint32_t i = 0; info->ranked && i < info->rank; i++)
			sym_each_symbol(&in->pool, info->dims[i], symbol_json_count_use, uses);
	}
	return uses;
}

const char *symbol_kind(const struct infer *in, uint32_t id)
{
	static const char *const names[SYM_SOURCE_COUNT] = {
		[SYM_DECLARED] = "declared",
		[SYM_GENERATED] = "generated",
		[SYM_COMPLEX] = "complex",
	};

	return names[in->pool.symbols.at[id].source];
}

void symbol_text(struct str *out, const struct infer *in, uint32_t id)
{
	struct str name = {0};

	sym_print(&in->pool, in->pool.symbols.at[id].self, &name);
	str_add_shown(out, str_sv(&name));
	str_release(&name);
}

void symbol_needs(struct str *out, const struct infer *in, uint32_t id)
{
	for (size_t i = 0; i < in->facts.len; i++) {
		const struct fact *f = &in->facts.at[i];
		struct str other = {0};
		struct sym self = in->pool.symbols.at[id].self;

		if (f->kind != FACT_EQUAL || (!sym_same(f->a, self) && !sym_same(f->b, self)))
			continue;
		sym_print(&in->pool, sym_same(f->a, self) ? f->b : f->a, &other);
		str_text(out, out->len ? ", " : "");
		str_add_shown(out, str_sv(&other));
		str_release(&other);
	}
}

static void put_symbol(struct json *j, const struct infer *in, uint32_t id, uint64_t uses)
{
	const struct sym_symbol *s = &in->pool.symbols.at[id];
	const struct node *n =
		&in->model->nodes.at[s->source == SYM_GENERATED ? s->origin.node : 0];
	struct str name = {0}, needs = {0};

	symbol_text(&name, in, id);
	symbol_needs(&needs, in, id);
	json_object(j);
	json_key(j, "name");
	json_text(j, str_sv(&name));
	json_key(j, "kind");
	json_text(j, sv_of(symbol_kind(in, id)));
	json_key(j, "node");
	json_text(j, model_name(in->model, n->name));
	json_key(j, "uses");
	json_count(j, uses);
	json_key(j, "equal");
	json_text(j, str_sv(&needs));
	json_end_object(j);
	str_release(&name);
	str_release(&needs);
}

void symbols_json(struct json *j, const struct infer *in)
{
	struct arena arena = {0};
	uint64_t *uses = symbol_uses(in, &arena);

	json_array(j);
	for (uint32_t i = 0; i < in->pool.symbols.len; i++) {
		if (uses[i])
			put_symbol(j, in, i, uses[i]);
	}
	json_end_array(j);
	arena_release(&arena);
}
