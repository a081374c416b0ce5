/*
 * Results of function calls: the same function with the same inputs gives the same.
 *
 * Kept only when the call told nothing and made no symbols of its own, so that using a
 * result again loses nothing.
 */
#ifndef INFER_CACHE_H
#define INFER_CACHE_H

#include "ops/rule.h"

/* The same kind, element type and dims, whatever is known of the contents. */
bool info_same_shape(const struct info *a, const struct info *b);

struct cached_call {
	uint32_t function;
	uint32_t in_count;
	uint32_t out_count;
	uint32_t next;          /* another with the same hash; place plus 1 */
	const struct info *in;  /* in the arena */
	const struct info *out; /* in the arena */
};

struct call_cache {
	struct map by_hash; /* -> place in calls, plus 1 */
	VEC(struct cached_call)
	calls;
};

/* NULL when it was not kept. */
const struct cached_call *cache_find(const struct call_cache *c, uint32_t function,
				     const struct info *in, uint32_t in_count, uint32_t out_count);
void cache_keep(struct call_cache *c, struct arena *arena, uint32_t function, const struct info *in,
		uint32_t in_count, const struct info *out, uint32_t out_count);
void cache_release(struct call_cache *c);

#endif
