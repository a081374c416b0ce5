#include "infer/internal.h"
#include "infer/trial.h"
#include "ops/need.h"
#include "sym/eval.h"
#include "sym/sym.h"

/*
 * A need that inference could not prove is either a real restriction of the inputs, such as
 * batch*seq == 15, or an identity that is beyond the prover.  Ordinary sizes decide: if both
 * sides have a value and differ, it is a restriction.
 */

/* Where all sizes are the same, they can be broadcast; where one is not, perhaps no more. */
bool equation_depends(struct infer *in, struct sym difference, uint32_t symbol)
{
	for (unsigned i = 0; i < TRIAL_COUNT; i++) {
		struct trial t = trial_ordinary(i);
		int64_t before, after;

		t.step = i % 2 ? t.step : 0;
		if (trial_run(in, &t, difference, &before) != SYM_OK)
			continue;
		t.other = symbol;
		t.moved = trial_ordinary(TRIAL_COUNT + i).first;
		switch (trial_run(in, &t, difference, &after)) {
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
	int64_t value;

	if (sym_value(&in->pool, difference, &value))
		return false; /* nothing to choose */
	for (unsigned i = 0; i < TRIAL_COUNT && !found; i++) {
		struct trial t = trial_ordinary(i);

		found = trial_run(in, &t, difference, &value) == SYM_OK && value != 0;
	}
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
