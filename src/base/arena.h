/*
 * Memory that is freed all at once.  All-zero is an empty arena.
 *
 * Blocks double up to 1 MiB; a larger allocation gets a separate block.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include "base/base.h"
#include "base/sv.h"

struct arena_block;

struct arena {
	struct arena_block *blocks; /* owned, newest first */
	char *next;                 /* borrowed: free space in the newest block */
	size_t left;
	size_t block_size;
	size_t total; /* bytes of all blocks */
};

/* Aligned for any type, not initialised. */
void *arena_alloc(struct arena *a, size_t size) MUST_USE;
/* All-zero; count times size is checked for overflow. */
void *arena_zero(struct arena *a, size_t count, size_t size) MUST_USE;
struct sv arena_copy(struct arena *a, struct sv text);
/* Frees everything but the newest block, which is reused. */
void arena_rewind(struct arena *a);
void arena_release(struct arena *a);

#define arena_new(a, type)          ((type *)arena_zero((a), 1, sizeof(type)))
#define arena_array(a, count, type) ((type *)arena_zero((a), (count), sizeof(type)))

#endif
