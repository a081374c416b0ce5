/*
 * What a repair must leave alone: shapes at every size of an axis that was free before.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/bug.h"
#include "base/vec.h"
#include "edit/repair/internal.h"
#include "infer/infer.h"
#include "ir/graph.h"
#include "ops/info.h"
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

static bool same_dims(struct infer *in, const struct info *was, const struct info *now)
{
	if (!was->ranked)
		return true;
	if (!now->ranked || was->rank != now->rank)
		return false;
	for (uint32_t k = 0; k < was->rank; k++) {
		if (!sym_is_unknown(was->dims[k]) &&
		    (sym_is_unknown(now->dims[k]) ||
		     sym_eq(&in->pool, was->dims[k], now->dims[k]) != SYM_YES))
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
		       same_dims(&s->infer, &s->infos[v], &s->infer.infos[v]);
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
