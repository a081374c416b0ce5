#include "ir/hash.h"

#include <string.h>

#include "base/hash.h"
#include "base/sv.h"

uint64_t ids_hash(const uint32_t *ids, size_t count, uint64_t seed)
{
	return hash_bytes((struct sv){(const char *)ids, count * sizeof(*ids)}, seed);
}

static uint64_t chunk_hash(const struct chunk *c, uint64_t hash)
{
	const struct sv *texts = c->memory;

	if (c->coding != CODING_VIEWS)
		return hash_bytes((struct sv){c->memory, c->len}, hash);
	for (uint64_t i = 0; i < c->len / sizeof(*texts); i++)
		hash = hash_bytes(texts[i], hash);
	return hash;
}

static uint64_t data_hash(const struct data *d, uint64_t hash)
{
	for (uint32_t i = 0; i < d->count; i++) {
		const struct chunk *c = &d->chunks[i];

		hash = hash_u64(c->len, hash);
		if (c->place == CHUNK_MEMORY)
			hash = chunk_hash(c, hash);
	}
	return hash;
}

uint64_t tensor_type_hash(const struct tensor *t, uint64_t seed)
{
	uint64_t hash = hash_u64((uint64_t)t->elem, seed);

	for (uint32_t i = 0; i < t->rank && !t->rank_lost; i++)
		hash = hash_u64((uint64_t)t->dims[i], hash);
	return hash;
}

uint64_t tensor_hash(const struct tensor *t, uint64_t seed)
{
	return data_hash(&t->data, tensor_type_hash(t, seed));
}

uint64_t attr_hash(const struct model *m, const struct attr *a, bool elements, uint64_t seed)
{
	uint64_t hash = hash_u64((uint64_t)a->kind << 32 | a->count, seed);
	uint32_t bits;

	switch (a->kind) {
	case ATTR_INT:
		return hash_u64((uint64_t)a->i, hash);
	case ATTR_FLOAT:
		memcpy(&bits, &a->f, sizeof(bits));
		return hash_u64(bits, hash);
	case ATTR_STRING:
		return hash_bytes(a->text, hash);
	case ATTR_FLOATS:
	case ATTR_INTS:
	case ATTR_STRINGS:
		return data_hash(&a->list, hash);
	case ATTR_TENSOR:
		return elements ? tensor_hash(&m->tensors.at[a->tensor], hash)
				: tensor_type_hash(&m->tensors.at[a->tensor], hash);
	case ATTR_UNDEFINED:
	case ATTR_GRAPH:
	case ATTR_TENSORS:
	case ATTR_GRAPHS:
	case ATTR_SPARSE:
	case ATTR_SPARSES:
	case ATTR_TYPE:
	case ATTR_TYPES:
	case ATTR_KIND_COUNT:
		break;
	}
	return hash;
}
