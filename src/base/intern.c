#include "base/intern.h"

#include <string.h>

#include "base/bug.h"
#include "base/hash.h"

static size_t slot_of(const struct intern *in, struct sv text, uint64_t hash)
{
	size_t i = hash & (in->cap - 1);

	for (; in->slots[i]; i = (i + 1) & (in->cap - 1)) {
		if (in->hashes[i] == hash >> 32 && sv_eq(in->names.at[in->slots[i]], text))
			break;
	}
	return i;
}

static void grow(struct intern *in)
{
	if (in->cap == 0) {
		in->seed = hash_seed();
		vec_push(&in->names, ((struct sv){"", 0}));
	}
	in->cap = in->cap ? in->cap * 2 : 64;
	free(in->slots);
	free(in->hashes);
	in->slots = must_alloc(in->cap * sizeof(*in->slots));
	in->hashes = must_alloc(in->cap * sizeof(*in->hashes));
	memset(in->slots, 0, in->cap * sizeof(*in->slots));
	for (size_t name = 1; name < in->names.len; name++) {
		uint64_t hash = hash_bytes(in->names.at[name], in->seed);
		size_t i = slot_of(in, in->names.at[name], hash);

		in->slots[i] = (uint32_t)name;
		in->hashes[i] = (uint32_t)(hash >> 32);
	}
}

uint32_t intern_add(struct intern *in, struct sv text)
{
	uint64_t hash;
	size_t i;

	if (text.len == 0)
		return 0;
	if (in->names.len * 2 >= in->cap)
		grow(in);
	hash = hash_bytes(text, in->seed);
	i = slot_of(in, text, hash);
	if (in->slots[i] == 0) {
		BUG_ON(in->names.len >= UINT32_MAX);
		in->slots[i] = (uint32_t)in->names.len;
		in->hashes[i] = (uint32_t)(hash >> 32);
		vec_push(&in->names, arena_copy(&in->text, text));
	}
	return in->slots[i];
}

uint32_t intern_find(const struct intern *in, struct sv text)
{
	if (text.len == 0 || in->cap == 0)
		return 0;
	return in->slots[slot_of(in, text, hash_bytes(text, in->seed))];
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
	free(in->hashes);
	*in = (struct intern){0};
}
