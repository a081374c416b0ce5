#include "base/map.h"

#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/hash.h"

static struct map_slot *map_slot_of(const struct map *m, uint64_t key)
{
	size_t i = hash_u64(key, m->seed) & (m->cap - 1);

	while (m->slots[i].used && m->slots[i].key != key)
		i = (i + 1) & (m->cap - 1);
	return &m->slots[i];
}

uint32_t *map_find(const struct map *m, uint64_t key)
{
	struct map_slot *slot;

	if (m->count == 0)
		return NULL;
	slot = map_slot_of(m, key);
	return slot->used ? &slot->value : NULL;
}

static void map_grow(struct map *m)
{
	struct map old = *m;

	m->cap = old.cap ? old.cap * 2 : 16;
	m->seed = old.cap ? old.seed : hash_seed();
	m->slots = must_alloc(m->cap * sizeof(*m->slots));
	memset(m->slots, 0, m->cap * sizeof(*m->slots));
	for (size_t i = 0; i < old.cap; i++) {
		if (old.slots[i].used)
			*map_slot_of(m, old.slots[i].key) = old.slots[i];
	}
	free(old.slots);
}

uint32_t *map_at(struct map *m, uint64_t key)
{
	struct map_slot *slot;

	if (m->count * 3 >= m->cap * 2)
		map_grow(m);
	slot = map_slot_of(m, key);
	if (!slot->used) {
		*slot = (struct map_slot){.key = key, .used = true};
		m->count++;
	}
	return &slot->value;
}

void map_release(struct map *m)
{
	free(m->slots);
	*m = (struct map){0};
}
