/*
 * The fields of one message of the file, over all its pieces, and changing them in place.
 *
 * A field keeps its tag, and its length keeps its manner, so that a change and its
 * reverse give the first bytes again.  Every change of contents is one splice over the
 * length as well: it is never empty, so it cannot be taken for an insertion.
 */
#ifndef WIRE_FIELDS_H
#define WIRE_FIELDS_H

#include "wire/patch.h"

/* A field of the format.  In the file, one of another wire type is none of ours. */
struct field_form {
	uint32_t number;
	enum wire_type type; /* of one element */
	uint8_t width;       /* of a number: bytes that count */
	bool list;           /* of numbers: its elements may come packed */
	bool packed;         /* a new list is written so */
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

/* The fields of any of these forms, in the order in which they count. */
bool fields_find(const struct wire *w, uint32_t origin, const struct field_form *forms,
		 size_t count, struct found_fields *out, struct err *err) MUST_USE;

/* Other contents. */
void patch_field_set(struct patch *p, const struct found *f, struct sv contents);
/* These bytes instead of the whole field; none to remove it. */
void patch_field(struct patch *p, const struct found *f, struct sv bytes);
/* New fields: behind one, before all others of a message, behind all. */
void patch_after(struct patch *p, const struct found *f, struct sv fields);
void patch_prepend(struct patch *p, const struct wire *w, uint32_t origin, struct sv fields);
void patch_append(struct patch *p, const struct wire *w, uint32_t origin, struct sv fields);

/*
 * A repeated text becomes these: each stands where the old one of its number stood, more
 * follow the last (none there: they come first in the message), trailing ones go.
 */
bool patch_texts(struct patch *p, const struct wire *w, uint32_t origin, uint32_t number,
		 const struct sv *texts, size_t count, struct err *err) MUST_USE;

#endif
