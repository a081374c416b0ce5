#include "infer/identity.h"

#include "base/intern.h"
#include "base/vec.h"
#include "infer/condition.h"
#include "infer/infer.h"
#include "infer/internal.h"
#include "sym/eval.h"
#include "sym/sym.h"

enum {
	MOST_SYMBOLS = 8 /* of an equation that somebody would write */
};

struct identity_symbols {
	const struct infer *in; /* borrowed */
	uint32_t at[MOST_SYMBOLS];
	uint32_t count;
	bool others; /* too many, or one that no input declares */
};

static void identity_add(void *context, uint32_t symbol)
{
	struct identity_symbols *s = context;
	struct sv name = sym_name(&s->in->pool, symbol);
	uint32_t id = intern_find(&s->in->model->names, name);

	for (uint32_t i = 0; i < s->count; i++) {
		if (s->at[i] == symbol)
			return;
	}
	if (!id || !infer_is_declared(s->in, id) || s->count == MOST_SYMBOLS)
		s->others = true;
	else
		s->at[s->count++] = symbol;
}

static bool identity_counts(const struct infer *in, const struct fact *f)
{
	return !f->graph && !f->branch && !f->on_claim && !in->options.fresh;
}

void identity_note(struct infer *in, const struct fact *f, const struct condition *c)
{
	struct identity_symbols symbols = {.in = in};

	if (!identity_counts(in, f) || !c->equal)
		return;
	sym_each_symbol(&in->pool, c->a, identity_add, &symbols);
	sym_each_symbol(&in->pool, c->b, identity_add, &symbols);
	for (uint32_t i = 0; i < symbols.count && !symbols.others; i++) {
		struct sym equal;

		if (condition_solve(in, c, symbols.at[i], &equal) && !sym_is_unknown(equal))
			vec_push(&in->identities,
				 ((struct identity){symbols.at[i], (uint32_t)(f - in->facts.at) + 1,
						    equal, false}));
	}
}

void identity_note_broadcast(struct infer *in, const struct fact *f)
{
	struct identity_symbols symbols = {.in = in};
	uint32_t symbol, other;
	bool a = sym_symbol_id(&in->pool, f->a, &symbol);
	bool b = sym_symbol_id(&in->pool, f->b, &other);
	struct sym equal = a ? f->b : f->a;

	if (!identity_counts(in, f) || a == b)
		return;
	symbol = a ? symbol : other;
	sym_each_symbol(&in->pool, f->a, identity_add, &symbols);
	sym_each_symbol(&in->pool, f->b, identity_add, &symbols);
	if (symbols.count < 3 || symbols.others || sym_mentions(&in->pool, equal, symbol))
		return;
	vec_push(&in->identities,
		 ((struct identity){symbol, (uint32_t)(f - in->facts.at) + 1, equal, true}));
}
