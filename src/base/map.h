/*
 * A map from 64-bit keys to 32-bit values.  All-zero is an empty map.  Open
 * addressing; entries are removed only by release.
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

/* A pointer to the value, or NULL. */
uint32_t *map_find(const struct map *m, uint64_t key);
/* A pointer to the value; a missing one is added with value 0. */
uint32_t *map_at(struct map *m, uint64_t key);
void map_release(struct map *m);

#endif
