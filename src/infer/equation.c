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

/*
 * Where all sizes are the same, they can be broadcast; where one is not, perhaps no more.
 * *out_fails: it is not 0 at all of these sizes.
 */
static bool equation_moves_ordinary(struct infer *in, struct sym difference, struct trial t,
				    bool *out_fails)
{
	for (unsigned i = 0; i < TRIAL_COUNT; i++) {
		struct trial ordinary = trial_ordinary(i);
		int64_t before, after;

		t.first = ordinary.first;
		t.step = i % 2 ? ordinary.step : 0;
		t.moved = 0;
		if (trial_run(in, &t, difference, &before) != SYM_OK)
			continue;
		*out_fails |= before != 0;
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

/* n^999 is 1 at 1, and beyond 64 bits elsewhere: also no identity. */
static bool equation_moves_from(struct infer *in, struct sym difference, struct trial t)
{
	static const int64_t sizes[] = {1, 2, 4, 7, 12, 65, 1000, 1 << 20, (int64_t)1 << 40};
	int64_t before, after;
	bool beyond = false, seen = false;

	if (trial_run(in, &t, difference, &before) != SYM_OK)
		return false;
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		enum sym_status status;

		t.moved = sizes[i];
		status = trial_run(in, &t, difference, &after);
		if (status == SYM_OK && after != before)
			return true;
		beyond |= status == SYM_OVERFLOW;
		seen |= status == SYM_OK && t.moved != t.first;
	}
	return beyond && !seen && before != 0;
}

/* floor(100/(m*n)) is 0 at all ordinary sizes, and floor(n/10000) as well. */
static bool equation_moves_elsewhere(struct infer *in, struct sym difference, struct trial t)
{
	static const int64_t firsts[] = {1, 2, 3, 8, 33, 100};
	bool moves = false;

	t.moved = 0;
	for (size_t i = 0; i < 2 * ARRAY_LEN(firsts) && !moves; i++) {
		t.first = firsts[i / 2];
		t.step = (int64_t)i % 2;
		moves = equation_moves_from(in, difference, t);
	}
	return moves;
}

enum equation_effect equation_effect(struct infer *in, struct sym difference, uint32_t symbol,
				     const struct trial *within)
{
	struct trial t = *within;
	bool fails = false;

	t.other = symbol;
	if (equation_moves_ordinary(in, difference, t, &fails))
		return EQUATION_RESTRICTS;
	if (!equation_moves_elsewhere(in, difference, t))
		return EQUATION_HOLDS;
	return fails ? EQUATION_RESTRICTS : EQUATION_BOUNDS;
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

struct tries {
	struct infer *in; /* borrowed */
	struct sym difference;
	bool moves;
};

static void equation_try(void *context, uint32_t symbol)
{
	struct tries *s = context;
	struct trial anywhere = {0};

	s->moves = s->moves ||
		   equation_effect(s->in, s->difference, symbol, &anywhere) != EQUATION_HOLDS;
}

bool equation_holds(struct infer *in, struct sym a, struct sym b)
{
	enum {
		TRIES = 128 /* for each symbol, about */
	};
	struct tries s = {.in = in, .difference = sym_sub(&in->pool, a, b)};
	struct trial t = trial_ordinary(0);
	int64_t value;

	if (trial_run(in, &t, s.difference, &value) != SYM_OK || value != 0 ||
	    !work_take(in, TRIES * (uint64_t)sym_reach(&in->pool, s.difference)))
		return false;
	sym_each_symbol(&in->pool, s.difference, equation_try, &s);
	return !s.moves;
}
