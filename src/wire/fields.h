/*
 * The fields of one message of the file, over all its pieces, and changing them in place.
 *
 * A field keeps its tag, and its length keeps its padding, so that a change and its
 * reverse restore the original bytes.  A splice of contents includes the length, so it is
 * never empty and cannot be taken for an insertion.
 */
#ifndef WIRE_FIELDS_H
#define WIRE_FIELDS_H

#include "base/err.h"
#include "base/sv.h"
#include "wire/bytes.h"
#include "wire/patch.h"
#include "wire/wire.h"

/* A field of the format.  Fields of another wire type in the file are ignored. */
struct field_form {
	uint32_t number;
	enum wire_type type; /* of one element */
	uint8_t width;       /* of a number: significant bytes */
	bool list;           /* of numbers: its elements may be packed */
	bool packed;         /* a new list is written packed */
};

struct found {
	struct field field;
	uint32_t piece;
	bool packed;
};

struct found_fields {
	struct found *at; /* owned */
	size_t len;
	size_t cap;
};

/* The fields of any of these forms, in the order in which they take effect. */
bool fields_find(const struct wire *w, uint32_t origin, const struct field_form *forms,
		 size_t count, struct found_fields *out, struct err *err) MUST_USE;

/* Replaces the contents. */
void patch_field_set(struct patch *p, const struct found *f, struct sv contents);
/* Replaces the whole field; no bytes remove it. */
void patch_field(struct patch *p, const struct found *f, struct sv bytes);
/* Adds fields: after one, before all others of a message, after all. */
void patch_after(struct patch *p, const struct found *f, struct sv fields);
void patch_prepend(struct patch *p, const struct wire *w, uint32_t origin, struct sv fields);
void patch_append(struct patch *p, const struct wire *w, uint32_t origin, struct sv fields);

/*
 * Replaces a repeated string, one by one in place.  Additional ones follow the last (or
 * come first in the message if there was none), trailing ones are removed.
 */
bool patch_texts(struct patch *p, const struct wire *w, uint32_t origin, uint32_t number,
		 const struct sv *texts, size_t count, struct err *err) MUST_USE;

#endif
