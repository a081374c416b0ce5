#include "base/err.h"
#include "infer/internal.h"
#include "ops/need.h"
#include "sym/eval.h"
#include "sym/sym.h"

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

struct trial {
	struct sym_env env;
	const struct infer *in; /* borrowed */
	int64_t next, step;
	uint32_t other; /* a symbol with another size: `moved` */
	int64_t moved;
	bool ok; /* only declared symbols, each bound */
	bool any;
};

static void equation_set_size(void *context, uint32_t symbol)
{
	struct trial *s = context;
	struct err ignored;

	/* A symbol with a definition takes its value from that. */
	if (s->in->pool.symbols.at[symbol].source == SYM_COMPLEX)
		return;
	if (s->in->pool.symbols.at[symbol].source != SYM_DECLARED)
		s->ok = false;
	s->ok = s->ok && sym_bind(&s->env, &s->in->pool, symbol,
				  s->moved && symbol == s->other ? s->moved : s->next, &ignored);
	s->next += s->step;
	s->any = true;
}

static enum sym_status equation_try(struct infer *in, struct sym difference, struct trial s,
				    int64_t *out)
{
	enum sym_status status = SYM_UNBOUND;

	s.in = in;
	s.ok = true;
	sym_each_symbol(&in->pool, difference, equation_set_size, &s);
	if (s.ok && s.any)
		status = sym_eval(&in->pool, &s.env, difference, out);
	sym_env_release(&s.env);
	return status;
}

static bool equation_fails(struct infer *in, struct sym difference, int64_t size)
{
	struct trial s = {.next = size, .step = STEP_SYMBOL};
	int64_t value = 0;

	return equation_try(in, difference, s, &value) == SYM_OK && value != 0;
}

/* Where all sizes are the same, they can be broadcast; where one is not, perhaps no more. */
bool equation_depends(struct infer *in, struct sym difference, uint32_t symbol)
{
	for (int64_t i = 0; i < TRIES; i++) {
		struct trial s = {.next = ORDINARY + i * STEP_TRY,
				  .step = i % 2 ? STEP_SYMBOL : 0,
				  .other = symbol};
		int64_t before, after;

		if (equation_try(in, difference, s, &before) != SYM_OK)
			continue;
		s.moved = ORDINARY + (TRIES + i) * STEP_TRY;
		switch (equation_try(in, difference, s, &after)) {
		case SYM_OK:
			if (before != after)
				return true;
			break;
		case SYM_UNDEFINED:
			return true;
		case SYM_UNBOUND:
		case SYM_OVERFLOW:
		case SYM_STATUS_COUNT:
			break;
		}
	}
	return false;
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
