#include "edit/repair/old_sizes.h"

#include "sym/eval.h"
#include "sym/sym.h"

bool mentions_goal(const struct document *d, const struct old_sizes *old, struct sym s)
{
	for (uint32_t i = 0; i < old->count; i++) {
		if (sym_mentions(&d->infer.pool, s, old->symbols[i]))
			return true;
	}
	return false;
}

struct sym at_old(struct document *d, const struct old_sizes *old, struct sym s)
{
	struct sym_subst subst = {0};
	struct sym out;

	if (!mentions_goal(d, old, s))
		return s;
	for (uint32_t i = 0; i < old->count; i++)
		sym_replace(&subst, old->symbols[i], sym_int(&d->infer.pool, old->sizes[i]));
	out = sym_substitute(&d->infer.pool, &subst, s);
	sym_subst_release(&subst);
	return out;
}
