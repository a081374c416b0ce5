/*
 * Lists of numbers, between the model and the file.
 *
 * A word is one number as the wire format has it: a varint's value (signed ones extended
 * to 64 bits) or the bits of a fixed one.  A word that the file has already keeps its
 * bytes, however it was written; only what differs is replaced.
 */
#ifndef WIRE_NUMBERS_H
#define WIRE_NUMBERS_H

#include "ir/tensor.h"
#include "wire/fields.h"

struct numbers {
	uint64_t *at; /* owned */
	size_t len;
	size_t cap;
};

/* TensorProto's fields for elements that are not in raw_data. */
const struct field_form *elem_form(enum elem_field field);
/* Bytes of one word in raw_data.  A complex element is two words; small ones share a word. */
unsigned elem_raw_width(int32_t elem);

/* Refuses data that is not in memory, or neither words nor raw. */
bool numbers_of_data(struct numbers *out, const struct data *data, int32_t elem,
		     struct err *err) MUST_USE;
/* As numbers_of_data; refuses also what does not fill the tensor's shape. */
bool numbers_of_tensor(struct numbers *out, const struct tensor *t, struct err *err) MUST_USE;

/* One number without its tag. */
void str_word(struct str *s, enum wire_type type, uint64_t word);
/* As str_word, in the manner of an old one: a padded varint stays padded. */
void str_word_like(struct str *s, enum wire_type type, uint64_t word, uint64_t old, size_t old_len);
/* Little-endian, as in raw_data. */
void str_raw(struct str *s, const struct numbers *words, unsigned width);
/* Fields; nothing for no words. */
void str_numbers(struct str *s, const struct field_form *form, const uint64_t *words, size_t count);

/*
 * A repeated number becomes these.  Each field of the list keeps as many elements as it
 * has, packed or not; more go to the last one (none there: they come first in the
 * message), and fields that are left without any go.
 */
bool patch_numbers(struct patch *p, const struct wire *w, uint32_t origin,
		   const struct field_form *form, const uint64_t *words, size_t count,
		   struct err *err) MUST_USE;

#endif
