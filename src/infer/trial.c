#include "infer/trial.h"

#include "base/err.h"
#include "infer/internal.h"
#include "sym/eval.h"
#include "sym/sym.h"

enum {
	ORDINARY = 997, /* odd, so halves are not whole */
	STEP_SYMBOL = 38,
	STEP_TRIAL = 101
};

struct trial trial_ordinary(unsigned number)
{
	return (struct trial){.first = ORDINARY + (int64_t)number * STEP_TRIAL,
			      .step = STEP_SYMBOL};
}

struct trial_state {
	const struct infer *in; /* borrowed */
	const struct trial *t;  /* borrowed */
	struct sym_env env;
	int64_t next;
	bool ok;
};

static void trial_bind(void *context, uint32_t symbol)
{
	struct trial_state *s = context;
	const struct trial *t = s->t;
	int64_t size = t->moved && symbol == t->other ? t->moved : s->next;
	struct err ignored;

	/* A symbol with a definition takes its value from that. */
	if (!t->any_symbol && s->in->pool.symbols.at[symbol].source == SYM_COMPLEX)
		return;
	if (t->choose)
		size = t->choose(t->context, symbol, size);
	s->ok = s->ok && (t->any_symbol || infer_is_chosen(s->in, symbol)) &&
		sym_bind(&s->env, &s->in->pool, symbol, size, &ignored);
	s->next += t->step;
}

enum sym_status trial_run(const struct infer *in, const struct trial *t, struct sym s, int64_t *out)
{
	struct trial_state state = {.in = in, .t = t, .next = t->first, .ok = true};
	enum sym_status status = SYM_UNBOUND;

	sym_each_symbol(&in->pool, s, trial_bind, &state);
	if (state.ok)
		status = sym_eval(&in->pool, &state.env, s, out);
	sym_env_release(&state.env);
	return status;
}
