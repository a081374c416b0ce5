#include "flow/sizing.h"

#include "base/base.h"
#include "base/err.h"
#include "base/map.h"
#include "flow/axis.h"
#include "flow/old_size.h"
#include "infer/infer.h"
#include "ir/graph.h"
#include "ops/info.h"
#include "ops/need.h"
#include "sym/eval.h"
#include "sym/sym.h"

/* The names that axes of inputs have, and sizes for them. */
struct names {
	uint32_t symbols[FLOW_MAX_SYMBOLS];
	int64_t sizes[FLOW_MAX_SYMBOLS];
	struct infer_binding bindings[FLOW_MAX_SYMBOLS];
	bool tied[FLOW_MAX_SYMBOLS];
	uint32_t count;
};

/* Errors, and sizes that are 0: no elements can be followed there. */
static size_t fault_count(const struct infer *in)
{
	size_t count = 0;

	for (size_t i = 0; i < in->findings.len; i++)
		count += in->findings.at[i].level == LEVEL_ERROR;
	for (size_t i = 1; i < in->value_count; i++) {
		for (uint32_t k = 0; in->infos[i].ranked && k < in->infos[i].rank; k++)
			count += sym_is(in->infos[i].dims[k], 0);
	}
	return count;
}

/* How sizes are chosen: as in the export where something tells it, and how large. */
struct sizing {
	bool old;
	int64_t scale;
};

static void add_name(struct names *n, struct infer *in, uint32_t symbol,
		     const struct sizing *sizing)
{
	static const int64_t primes[] = {11, 13, 17, 19, 23, 29, 31, 37, 41,
					 43, 47, 53, 59, 61, 67, 71, 73, 79};
	int64_t size;

	for (uint32_t i = 0; i < n->count; i++) {
		if (n->symbols[i] == symbol)
			return;
	}
	if (n->count == FLOW_MAX_SYMBOLS)
		return;
	if (!sizing->old || !flow_old_size(in, symbol, &size))
		size = primes[n->count % ARRAY_LEN(primes)] * sizing->scale;
	n->symbols[n->count] = symbol;
	n->sizes[n->count] = size;
	n->bindings[n->count++] = (struct infer_binding){sym_name(&in->pool, symbol), size};
}

static void note_name(void *context, uint32_t symbol)
{
	struct map *seen = context;

	*map_at(seen, symbol) = 1;
}

/* A size that must be equal to others gets it: total is past + seq. */
static void tie_name(struct names *n, const struct infer *in, struct sym name, struct sym to)
{
	struct sym_env env = {0};
	struct err ignored;
	uint32_t symbol, i = 0;
	int64_t size;
	bool ok = sym_symbol_id(&in->pool, name, &symbol);

	while (ok && i < n->count && n->symbols[i] != symbol)
		i++;
	for (uint32_t k = 0; ok && k < n->count; k++)
		ok = sym_bind(&env, &in->pool, n->symbols[k], n->sizes[k], &ignored);
	if (ok && i < n->count && !n->tied[i] && sym_eval(&in->pool, &env, to, &size) == SYM_OK &&
	    size > 0) {
		n->tied[i] = true;
		n->sizes[i] = n->bindings[i].size = size;
	}
	sym_env_release(&env);
}

static void tie_names(struct names *n, const struct infer *in)
{
	for (size_t i = 0; i < in->facts.len; i++) {
		const struct fact *f = &in->facts.at[i];
		uint32_t symbol;

		if ((f->kind != FACT_EQUAL && f->kind != FACT_PAIR) || f->branch ||
		    sym_is_small(f->a) || sym_is_small(f->b))
			continue;
		if (sym_symbol_id(&in->pool, f->b, &symbol))
			tie_name(n, in, f->b, f->a);
		else
			tie_name(n, in, f->a, f->b);
	}
}

/* Names inside expressions have a size, too. */
static void find_names(struct names *n, struct infer *in, const struct sizing *sizing)
{
	const struct graph *g = &in->model->graphs.at[0];
	struct map seen = {0};

	*n = (struct names){0};
	for (size_t i = 0; i < g->inputs.len; i++) {
		const struct info *info = &in->infos[g->inputs.at[i]];

		for (uint32_t k = 0; info->ranked && k < info->rank; k++)
			sym_each_symbol(&in->pool, info->dims[k], note_name, &seen);
	}
	for (uint32_t id = 0; id < in->pool.symbols.len; id++) {
		if (map_find(&seen, id))
			add_name(n, in, id, sizing);
	}
	map_release(&seen);
	tie_names(n, in);
}

void flow_bind(struct infer *in, struct infer *out)
{
	static const struct sizing attempts[] = {
		{false, 1},
		{true, 1},
		{true, 32},
		{true, 32 * 3 * 5 * 7},
	};
	struct names n;

	for (size_t i = 0;; i++) {
		find_names(&n, in, &attempts[i]);
		infer_run(out, in->model,
			  (struct infer_options){.bindings = n.bindings, .binding_count = n.count});
		if (i + 1 == ARRAY_LEN(attempts) || fault_count(out) <= fault_count(in))
			break;
		infer_release(out);
	}
	out->options = (struct infer_options){0}; /* they were borrowed from here */
}
