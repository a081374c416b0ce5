#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/num.h"

enum {
	FIRST_BLOCK = 4 << 10,
	LARGEST_BLOCK = 1 << 20,
	ALIGNMENT = _Alignof(max_align_t)
};

struct arena_block {
	struct arena_block *next; /* owned */
	max_align_t data[];
};

static struct arena_block *add_block(struct arena *a, size_t size)
{
	struct arena_block *block = must_alloc(sizeof(*block) + size);

	block->next = a->blocks;
	a->blocks = block;
	a->total += sizeof(*block) + size;
	return block;
}

static void *alloc_alone(struct arena *a, size_t size)
{
	struct arena_block *newest = a->blocks;
	struct arena_block *block = add_block(a, size);

	/* Keep the block that still has space in front. */
	if (newest) {
		block->next = newest->next;
		newest->next = block;
		a->blocks = newest;
	}
	return block->data;
}

void *arena_alloc(struct arena *a, size_t size)
{
	void *memory;

	BUG_ON(size > SIZE_MAX / 2);
	size = (MAX(size, 1) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	if (size > a->left) {
		if (size > LARGEST_BLOCK / 4)
			return alloc_alone(a, size);
		a->block_size = a->block_size ? MIN(a->block_size * 2, LARGEST_BLOCK) : FIRST_BLOCK;
		while (a->block_size < size)
			a->block_size *= 2;
		a->next = (char *)add_block(a, a->block_size)->data;
		a->left = a->block_size;
	}
	memory = a->next;
	a->next += size;
	a->left -= size;
	return memory;
}

void *arena_zero(struct arena *a, size_t count, size_t size)
{
	uint64_t bytes;

	BUG_ON(!num_mul(count, size, &bytes));
	return memset(arena_alloc(a, bytes), 0, bytes);
}

struct sv arena_copy(struct arena *a, struct sv text)
{
	char *copy;

	if (text.len == 0)
		return (struct sv){"", 0};
	copy = arena_alloc(a, text.len);
	memcpy(copy, text.at, text.len);
	return (struct sv){copy, text.len};
}

static void free_blocks(struct arena_block *block)
{
	while (block) {
		struct arena_block *next = block->next;

		free(block);
		block = next;
	}
}

void arena_rewind(struct arena *a)
{
	struct arena_block *newest = a->blocks;

	if (!a->next)
		return;
	/* Separate blocks come after the one with space. */
	a->blocks = newest->next;
	newest->next = NULL;
	free_blocks(a->blocks);
	a->blocks = newest;
	a->next = (char *)newest->data;
	a->left = a->block_size;
	a->total = sizeof(*newest) + a->block_size;
}

void arena_release(struct arena *a)
{
	free_blocks(a->blocks);
	*a = (struct arena){0};
}
