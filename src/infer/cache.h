/*
 * Results of function calls, by function and inputs.
 *
 * A result is kept only when the call reported nothing and made no symbols, so reusing
 * it loses nothing.
 */
#ifndef INFER_CACHE_H
#define INFER_CACHE_H

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "ops/info.h"

/* Equal in kind, element type and dims; contents are ignored. */
bool info_same_shape(const struct info *a, const struct info *b);

struct cached_call {
	uint32_t function;
	uint32_t in_count;
	uint32_t out_count;
	uint32_t next;          /* another with the same hash; index plus 1 */
	const struct info *in;  /* in the arena */
	const struct info *out; /* in the arena */
};

struct call_cache {
	struct map by_hash; /* -> index in calls, plus 1 */
	VEC(struct cached_call) calls;
};

/* NULL when not cached. */
const struct cached_call *cache_find(const struct call_cache *c, uint32_t function,
				     const struct info *in, uint32_t in_count, uint32_t out_count);
void cache_keep(struct call_cache *c, struct arena *arena, uint32_t function, const struct info *in,
		uint32_t in_count, const struct info *out, uint32_t out_count);
void cache_release(struct call_cache *c);

#endif
