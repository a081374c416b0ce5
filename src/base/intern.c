#include "base/intern.h"

#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/hash.h"

/* The slot of the text, or the free slot for it.  32 bits of hash are enough. */
static size_t intern_slot_of(const struct intern *in, struct sv text, uint32_t hash)
{
	size_t i = hash & (in->cap - 1);

	for (; in->slots[i]; i = (i + 1) & (in->cap - 1)) {
		if (in->hashes.at[in->slots[i]] == hash && sv_eq(in->names.at[in->slots[i]], text))
			break;
	}
	return i;
}

static uint32_t intern_hash_of(const struct intern *in, struct sv text)
{
	return (uint32_t)(hash_bytes(text, in->seed) >> 32);
}

static void intern_add_name(struct intern *in, struct sv text, uint32_t hash)
{
	vec_push(&in->names, text);
	vec_push(&in->hashes, hash);
}

static void intern_grow(struct intern *in)
{
	if (in->cap == 0) {
		in->seed = hash_seed();
		intern_add_name(in, (struct sv){"", 0}, 0);
	}
	in->cap = in->cap ? in->cap * 2 : 64;
	free(in->slots);
	in->slots = must_alloc(in->cap * sizeof(*in->slots));
	memset(in->slots, 0, in->cap * sizeof(*in->slots));
	for (size_t name = 1; name < in->names.len; name++) {
		size_t i = in->hashes.at[name] & (in->cap - 1);

		while (in->slots[i])
			i = (i + 1) & (in->cap - 1);
		in->slots[i] = (uint32_t)name;
	}
}

uint32_t intern_add(struct intern *in, struct sv text)
{
	uint32_t hash;
	size_t i;

	if (text.len == 0)
		return 0;
	if (in->names.len * 2 >= in->cap)
		intern_grow(in);
	hash = intern_hash_of(in, text);
	i = intern_slot_of(in, text, hash);
	if (in->slots[i] == 0) {
		BUG_ON(in->names.len >= UINT32_MAX);
		in->slots[i] = (uint32_t)in->names.len;
		intern_add_name(in, arena_copy(&in->text, text), hash);
	}
	return in->slots[i];
}

uint32_t intern_find(const struct intern *in, struct sv text)
{
	if (text.len == 0 || in->cap == 0)
		return 0;
	return in->slots[intern_slot_of(in, text, intern_hash_of(in, text))];
}

struct sv intern_text(const struct intern *in, uint32_t name)
{
	return name < in->names.len ? in->names.at[name] : (struct sv){"", 0};
}

uint32_t intern_count(const struct intern *in)
{
	return in->names.len ? (uint32_t)in->names.len : 1;
}

void intern_release(struct intern *in)
{
	arena_release(&in->text);
	vec_release(&in->names);
	free(in->slots);
	vec_release(&in->hashes);
	*in = (struct intern){0};
}
