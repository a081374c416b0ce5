/*
 * The exports at their own sizes, and their pairs with the first.
 */
#include "base/arena.h"
#include "base/sv.h"
#include "edit/diff/compare.h"
#include "edit/fit/internal.h"
#include "flow/fold.h"
#include "infer/infer.h"
#include "ir/graph.h"
#include "sym/eval.h"
#include "sym/sym.h"
#include "wire/wire.h"

struct fit_names {
	struct infer_binding at[FIT_MAX_SYMBOLS];
	size_t count;
	const struct sym_pool *pool;
	bool full;
};

static void names_add(void *context, uint32_t id)
{
	static const int64_t sizes[] = {11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53};
	struct fit_names *n = context;
	struct sv name = sym_name(n->pool, id);

	for (size_t i = 0; i < n->count; i++) {
		if (sv_eq(n->at[i].name, name))
			return;
	}
	if (n->count == FIT_MAX_SYMBOLS)
		n->full = true;
	else
		n->at[n->count++] = (struct infer_binding){name,
							   sizes[n->count % ARRAY_LEN(sizes)]};
}

/* The names that the inputs of a model have already. */
static void names_find(const struct infer *in, struct fit_names *out)
{
	const struct graph *g = &in->model->graphs.at[0];

	out->pool = &in->pool;
	for (size_t i = 0; i < g->inputs.len; i++) {
		const struct info *info = &in->infos[g->inputs.at[i]];

		for (uint32_t k = 0; info->ranked && k < info->rank; k++)
			sym_each_symbol(&in->pool, info->dims[k], names_add, out);
	}
}

static void names_keep(struct fitting *f, struct fit_names *n)
{
	for (size_t i = 0; i < n->count; i++)
		n->at[i].name = arena_copy(&f->arena, n->at[i].name);
}

bool fit_infer_sides(struct fitting *f, struct wire *const *others)
{
	struct fit_names names = {0};

	for (uint32_t i = 0; i < f->count; i++) {
		struct infer *in = &f->sides[i].in;

		f->sides[i].m = i ? &others[i - 1]->model : &f->document->wire.model;
		infer_run(in, f->sides[i].m, (struct infer_options){0});
		names_find(in, &names);
		names_keep(f, &names);
		if (names.full)
			return fit_refuse(f, 0, "the inputs have too many names");
		if (names.count) {
			infer_release(in);
			infer_run(in, f->sides[i].m,
				  (struct infer_options){.bindings = names.at,
							 .binding_count = names.count});
		}
		folder_init(&f->sides[i].folder, in);
		if (i)
			pairing_init(&f->sides[i].pairing, &f->sides[0].in, in,
				     (struct compare_options){0});
	}
	for (size_t i = 0; i < names.count; i++) {
		struct fit_symbol *s = &f->symbols[f->symbol_count++];

		s->name = names.at[i].name;
		for (uint32_t k = 0; k < f->count; k++)
			s->sizes.at[k] = names.at[i].size;
	}
	return true;
}
