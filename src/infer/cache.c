#include "infer/cache.h"

#include <string.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/vec.h"
#include "ops/info.h"
#include "sym/sym.h"

static uint64_t cache_hash_of(uint32_t function, const struct info *in, uint32_t count)
{
	uint64_t h = function;

	for (uint32_t i = 0; i < count; i++) {
		h = hash_u64(h ^ (uint64_t)in[i].elem << 32 ^ in[i].rank, i);
		for (uint32_t k = 0; in[i].ranked && k < in[i].rank; k++)
			h = hash_u64(h ^ in[i].dims[k].w, k);
	}
	return h;
}

static bool same_syms(const struct sym *a, const struct sym *b, uint32_t count)
{
	return a == b || count == 0 || memcmp(a, b, count * sizeof(*a)) == 0;
}

bool info_same_shape(const struct info *a, const struct info *b)
{
	if (a->kind != b->kind || a->elem != b->elem || a->ranked != b->ranked ||
	    a->rank != b->rank || !a->inner != !b->inner)
		return false;
	if (a->ranked && !same_syms(a->dims, b->dims, a->rank))
		return false;
	return !a->inner || info_same_shape(a->inner, b->inner);
}

static bool same_info(const struct info *a, const struct info *b)
{
	if (a->kind != b->kind || a->elem != b->elem || a->ranked != b->ranked ||
	    a->rank != b->rank || a->tensor != b->tensor || !sym_same(a->length, b->length) ||
	    a->items != b->items || !a->contents.at != !b->contents.at ||
	    a->contents.count != b->contents.count || a->contents.rank != b->contents.rank ||
	    a->contents.rows != b->contents.rows || a->contents.min != b->contents.min ||
	    a->contents.max != b->contents.max)
		return false;
	if (a->ranked && !same_syms(a->dims, b->dims, a->rank))
		return false;
	if (a->contents.at && !same_syms(a->contents.at, b->contents.at, a->contents.count))
		return false;
	return a->inner == b->inner || (a->inner && b->inner && same_info(a->inner, b->inner));
}

static bool same_call(const struct cached_call *c, uint32_t function, const struct info *in,
		      uint32_t in_count, uint32_t out_count)
{
	if (c->function != function || c->in_count != in_count || c->out_count != out_count)
		return false;
	for (uint32_t i = 0; i < in_count; i++) {
		if (!same_info(&c->in[i], &in[i]))
			return false;
	}
	return true;
}

const struct cached_call *cache_find(const struct call_cache *c, uint32_t function,
				     const struct info *in, uint32_t in_count, uint32_t out_count)
{
	const uint32_t *place = map_find(&c->by_hash, cache_hash_of(function, in, in_count));

	for (uint32_t at = place ? *place : 0; at; at = c->calls.at[at - 1].next) {
		if (same_call(&c->calls.at[at - 1], function, in, in_count, out_count))
			return &c->calls.at[at - 1];
	}
	return NULL;
}

static const struct info *copy_infos(struct arena *arena, const struct info *infos, uint32_t count)
{
	struct info *copy = arena_array(arena, count, struct info);

	if (count)
		memcpy(copy, infos, count * sizeof(*infos));
	return copy;
}

void cache_keep(struct call_cache *c, struct arena *arena, uint32_t function, const struct info *in,
		uint32_t in_count, const struct info *out, uint32_t out_count)
{
	uint32_t *place = map_at(&c->by_hash, cache_hash_of(function, in, in_count));
	struct cached_call call = {
		.function = function,
		.in_count = in_count,
		.out_count = out_count,
		.next = *place,
		.in = copy_infos(arena, in, in_count),
		.out = copy_infos(arena, out, out_count),
	};

	vec_push(&c->calls, call);
	*place = (uint32_t)c->calls.len;
}

void cache_release(struct call_cache *c)
{
	map_release(&c->by_hash);
	vec_release(&c->calls);
}
