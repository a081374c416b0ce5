#include "app/cli_bind.h"

#include "base/err.h"
#include "base/sv.h"
#include "base/vec.h"
#include "cmd/args.h"
#include "sym/eval.h"
#include "sym/sym.h"

static bool bind_one(struct infer *in, struct sym_env *env, const char *text, struct bindings *out,
		     struct err *err)
{
	struct sv name, number;
	uint32_t symbol;
	int64_t size;

	if (!sv_split_last(sv_of(text), '=', &name, &number) || !sv_int(number, &size) || size < 0)
		return err_set(err, ERR_USAGE, "--bind takes NAME=N with N >= 0, not '%s'", text);
	if (!sym_symbol_id(&in->pool, sym_find(&in->pool, name), &symbol))
		return err_set(err, ERR_USAGE, "the model has no symbol '%.*s'", (int)name.len,
			       name.at);
	*vec_add(out) = (struct infer_binding){name, size};
	return sym_bind(env, &in->pool, symbol, size, err);
}

bool bind_all(const struct app *app, struct infer *in, struct sym_env *env, struct bindings *out,
	      struct err *err)
{
	for (size_t i = 0; i < app->args->all.len; i++) {
		const struct given *g = &app->args->all.at[i];

		if (g->option == OPTION_BIND && !bind_one(in, env, g->value, out, err))
			return false;
	}
	return true;
}
