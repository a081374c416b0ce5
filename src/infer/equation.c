#include "base/err.h"
#include "infer/internal.h"
#include "ops/need.h"
#include "sym/eval.h"
#include "sym/sym.h"
#include "sym/text.h"

/*
 * A need that inference could not prove is either a real restriction of the inputs, such as
 * batch*seq == 15, or an identity that is beyond the prover.  Ordinary sizes decide: if both
 * sides have a value and differ, it is a restriction.
 */

enum {
	TRIES = 8,
	ORDINARY = 997, /* above every window and kernel; odd, so halves are not whole */
	STEP_SYMBOL = 38,
	STEP_TRY = 101
};

struct sizes {
	struct sym_env env;
	const struct infer *in; /* borrowed */
	int64_t next;
	bool ok; /* only declared symbols, each bound */
	bool any;
};

static void equation_set_size(void *context, uint32_t symbol)
{
	struct sizes *s = context;
	struct err ignored;

	/* A symbol with a definition takes its value from that. */
	if (s->in->pool.symbols.at[symbol].source != SYM_DECLARED)
		s->ok = false;
	s->ok = s->ok && sym_bind(&s->env, &s->in->pool, symbol, s->next, &ignored);
	s->next += STEP_SYMBOL;
	s->any = true;
}

static bool equation_fails(struct infer *in, struct sym difference, int64_t size)
{
	struct sizes s = {.in = in, .next = size, .ok = true};
	int64_t value = 0;

	sym_each_symbol(&in->pool, difference, equation_set_size, &s);
	s.ok = s.ok && s.any && sym_eval(&in->pool, &s.env, difference, &value) == SYM_OK;
	sym_env_release(&s.env);
	return s.ok && value != 0;
}

static bool equation_fails_somewhere(struct infer *in, struct sym difference)
{
	bool found = false;

	for (int64_t i = 0; i < TRIES && !found; i++)
		found = equation_fails(in, difference, ORDINARY + i * STEP_TRY);
	return found;
}

bool equation_restricts(struct infer *in, const struct fact *f)
{
	return f->kind == FACT_EQUAL &&
	       equation_fails_somewhere(in, sym_sub(&in->pool, f->a, f->b));
}

struct sides {
	const struct infer *in; /* borrowed */
	struct sym other;
	bool more; /* something that the other side lacks */
};

static void equation_look(void *context, uint32_t symbol)
{
	struct sides *s = context;

	s->more |= !sym_mentions(&s->in->pool, s->other, symbol);
}

bool equation_differs(struct infer *in, struct sym a, struct sym b)
{
	struct sides s = {.in = in, .other = b};

	sym_each_symbol(&in->pool, a, equation_look, &s);
	return !s.more && equation_fails_somewhere(in, sym_sub(&in->pool, a, b));
}

void equation_print(const struct infer *in, const struct fact *f, struct str *out)
{
	sym_print(&in->pool, f->a, out);
	str_text(out, " = ");
	sym_print(&in->pool, f->b, out);
}
