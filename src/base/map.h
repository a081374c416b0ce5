/*
 * A map from 64-bit keys to 32-bit values.  All-zero is an empty map.
 * Open addressing; nothing is ever removed except by release.
 */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include "base/base.h"

struct map_slot {
	uint64_t key;
	uint32_t value;
	bool used;
};

struct map {
	struct map_slot *slots; /* owned */
	size_t count;
	size_t cap; /* a power of two, or 0 */
	uint64_t seed;
};

/* The value's place, or NULL. */
uint32_t *map_find(const struct map *m, uint64_t key);
/* The value's place, made with the value 0 when it was not there. */
uint32_t *map_at(struct map *m, uint64_t key);
void map_release(struct map *m);

#endif
