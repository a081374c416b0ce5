/*
 * What a repair must leave alone: shapes at every size of an axis that was free before.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/base.h"
#include "base/bug.h"
#include "base/err.h"
#include "base/vec.h"
#include "edit/repair/internal.h"
#include "infer/infer.h"
#include "ir/graph.h"
#include "ops/info.h"
#include "sym/eval.h"
#include "sym/sym.h"

void steady_begin(struct steady *s, const struct repairing *r)
{
	const struct infer *in = &s->infer;
	size_t count = 0;

	if (!r->stand_ins)
		return;
	for (uint32_t i = 0; i < r->old.count; i++) {
		if (!(r->stand_ins >> i & 1))
			s->binding[count++] = r->binding[i];
	}
	infer_run(&s->infer, &r->document->wire.model,
		  (struct infer_options){.bindings = s->binding, .binding_count = count});
	s->value_count = in->value_count;
	s->infos = must_alloc(s->value_count * sizeof(*s->infos));
	for (uint32_t v = 0; v < s->value_count; v++) {
		const struct info *info = &in->infos[v];
		struct sym *dims = arena_array(&s->arena, info->rank, struct sym);

		s->infos[v] = (struct info){.rank = info->rank, .dims = dims};
		s->infos[v].ranked = info->ranked && in->sources[v] != SOURCE_CLAIM;
		if (info->rank)
			memcpy(dims, info->dims, info->rank * sizeof(*dims));
	}
}

/*
 * Both at open sizes that no attempt has.  They are multiples of 32, as most conditions want: an
 * axis that is cut into windows has one length in the file and another by the number of elements,
 * which are equal only where the windows fit.
 */
static bool same_at_others(const struct steady *s, const struct repairing *r, struct sym was,
			   struct sym now)
{
	static const int64_t scales[] = {4 * 32, 9 * 32, 125 * 32};
	const struct sym_pool *pool = &s->infer.pool;

	for (size_t k = 0; k < ARRAY_LEN(scales); k++) {
		struct sym_env env = {0};
		struct err ignored;
		int64_t a = 0, b = 0;
		bool ok = true;

		for (uint32_t i = 0; i < r->old.count; i++) {
			uint32_t id;
			struct sym self = sym_find(pool, r->binding[i].name);

			if (r->stand_ins >> i & 1 && sym_symbol_id(pool, self, &id))
				ok = ok &&
				     sym_bind(&env, pool, id, scales[k] * (2 * i + 61), &ignored);
		}
		ok = ok && sym_eval(pool, &env, was, &a) == SYM_OK &&
		     sym_eval(pool, &env, now, &b) == SYM_OK && a == b;
		sym_env_release(&env);
		if (!ok)
			return false;
	}
	return true;
}

static bool same_dims(struct steady *s, const struct repairing *r, const struct info *was,
		      const struct info *now)
{
	if (!was->ranked)
		return true;
	if (!now->ranked || was->rank != now->rank)
		return false;
	for (uint32_t k = 0; k < was->rank; k++) {
		struct sym a = was->dims[k], b = now->dims[k];

		if (!sym_is_unknown(a) &&
		    (sym_is_unknown(b) ||
		     (sym_eq(&s->infer.pool, a, b) != SYM_YES && !same_at_others(s, r, a, b))))
			return false;
	}
	return true;
}

bool steady_holds(struct steady *s, const struct repairing *r)
{
	const struct model *m = &r->document->wire.model;
	struct changed_values changed = {0};
	bool same = true;

	if (!r->stand_ins)
		return true;
	infer_update(&s->infer, &changed);
	for (size_t i = 0; same && i < changed.len; i++) {
		uint32_t v = changed.at[i];

		same = v >= s->value_count || m->values.at[v].flags & VALUE_DEAD ||
		       same_dims(s, r, &s->infos[v], &s->infer.infos[v]);
	}
	vec_release(&changed);
	return same;
}

void steady_release(struct steady *s)
{
	infer_release(&s->infer);
	arena_release(&s->arena);
	free(s->infos);
}
