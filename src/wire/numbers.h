/*
 * Lists of numbers, between the model and the file.
 *
 * A word is one number as the wire format has it: a varint's value (signed ones extended
 * to 64 bits) or the bits of a fixed one.  A word that is already in the file keeps its
 * bytes, however it was written; only what differs is replaced.
 */
#ifndef WIRE_NUMBERS_H
#define WIRE_NUMBERS_H

#include "base/err.h"
#include "base/str.h"
#include "ir/tensor.h"
#include "ir/type.h"
#include "wire/bytes.h"
#include "wire/fields.h"
#include "wire/patch.h"
#include "wire/wire.h"

struct numbers {
	uint64_t *at; /* owned */
	size_t len;
	size_t cap;
};

/* TensorProto's fields for elements that are not in raw_data. */
const struct field_form *elem_form(enum elem_field field);
/* Bytes of one word in raw_data.  A complex element is two words; small ones share a word. */
unsigned elem_raw_width(int32_t elem);

/* Refuses data that is not in memory, or is neither words nor raw. */
bool numbers_of_data(struct numbers *out, const struct data *data, int32_t elem,
		     struct err *err) MUST_USE;
/* As numbers_of_data; also refuses data that does not fill the shape. */
bool numbers_of_tensor(struct numbers *out, const struct tensor *t, struct err *err) MUST_USE;

/* One number without its tag. */
void str_word(struct str *s, enum wire_type type, uint64_t word);
/* As str_word, in the style of an old one: a padded varint stays padded. */
void str_word_like(struct str *s, enum wire_type type, uint64_t word, uint64_t old, size_t old_len);
/* Little-endian, as in raw_data. */
void str_raw(struct str *s, const struct numbers *words, unsigned width);
/* Adds the fields; none if there are no words. */
void str_numbers(struct str *s, const struct field_form *form, const uint64_t *words, size_t count);

/*
 * Replaces a repeated number.  Each field of the list keeps its number of elements, packed
 * or not; additional ones go to the last field (or come first in the message if there was
 * none), and fields that become empty are removed.
 */
bool patch_numbers(struct patch *p, const struct wire *w, uint32_t origin,
		   const struct field_form *form, const uint64_t *words, size_t count,
		   struct err *err) MUST_USE;

#endif
