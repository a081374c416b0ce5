/*
 * Like-named ends of a graph: past_key_values.0.key, past_key_values.0.value,
 * past_key_values.1.key.
 */
#include "base/hash.h"
#include "base/sv.h"
#include "ir/graph.h"
#include "ir/type.h"
#include "layout/view/internal.h"

static bool family_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool family_is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Where the last word begins, if it is not the only one; else the end. */
static size_t family_last_word(struct sv name, size_t *out_end)
{
	size_t at = name.len, words = 0;

	*out_end = name.len;
	for (size_t i = 0; i < name.len; i++) {
		if (!family_is_letter(name.at[i]))
			continue;
		at = i;
		while (i < name.len && family_is_letter(name.at[i]))
			i++;
		*out_end = i;
		words++;
	}
	return words > 1 ? at : *out_end;
}

static uint64_t family_type(const struct model *m, uint32_t value, uint64_t hash)
{
	const struct type *t = &m->claims.at[m->values.at[value].first_claim].type;

	if (!m->values.at[value].first_claim)
		return hash;
	hash = hash_u64((uint64_t)t->kind << 32 | (uint32_t)t->elem, hash);
	hash = hash_u64((uint64_t)t->rank << 1 | t->has_shape, hash);
	for (uint32_t i = 0; i < t->rank; i++)
		hash = hash_u64((uint64_t)t->dims[i].value,
				hash_u64((uint64_t)t->dims[i].kind << 32 | t->dims[i].param, hash));
	return hash;
}

uint64_t view_family(const struct model *m, uint32_t value)
{
	struct sv name = model_name(m, m->values.at[value].name);
	size_t end, word = family_last_word(name, &end);
	uint64_t hash = 1;
	bool number = false;

	for (size_t i = 0; i < name.len; i++) {
		bool digit = family_is_digit(name.at[i]);

		number |= digit;
		if (!digit && (i < word || i >= end))
			hash = hash_u64((unsigned char)name.at[i], hash);
	}
	return number ? family_type(m, value, hash) | 1 : 0;
}
