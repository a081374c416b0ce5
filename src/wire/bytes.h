/*
 * Reading the wire format from a file, block by block.
 *
 * Every read is checked against an end, and every error names the byte.  After a jump
 * (usually over weights) blocks are small, then they grow.
 */
#ifndef WIRE_BYTES_H
#define WIRE_BYTES_H

#include "base/err.h"
#include "base/file.h"
#include "base/str.h"
#include "base/sv.h"

enum wire_type {
	WIRE_VARINT = 0,
	WIRE_FIXED64 = 1,
	WIRE_BYTES = 2,
	WIRE_GROUP = 3,
	WIRE_GROUP_END = 4,
	WIRE_FIXED32 = 5
};

struct bytes {
	const struct file *file; /* borrowed */
	unsigned char *block;    /* owned */
	uint64_t block_at;       /* of block[0] in the file */
	size_t filled;
	size_t want; /* bytes to read next */
};

/* One field in the file. */
struct field {
	uint64_t tag_at;
	uint64_t at;  /* of the contents */
	uint64_t len; /* of the contents */
	uint32_t number;
	enum wire_type type;
	uint8_t tag_len;
	uint8_t prefix_len; /* of the length, for WIRE_BYTES; else 0 */
};

void bytes_init(struct bytes *b, const struct file *file);
void bytes_release(struct bytes *b);

/* At most ten bytes, none of them past `end`. */
bool bytes_varint(struct bytes *b, uint64_t at, uint64_t end, uint64_t *out, uint8_t *out_len,
		  struct err *err) MUST_USE;
/* The field at `at`.  A group is one field, including its end. */
bool bytes_field(struct bytes *b, uint64_t at, uint64_t end, struct field *out,
		 struct err *err) MUST_USE;
bool bytes_copy(struct bytes *b, uint64_t at, uint64_t len, void *out, struct err *err) MUST_USE;

/* Where the next field begins. */
static inline uint64_t field_end(const struct field *f)
{
	return f->at + f->len;
}

void str_varint(struct str *s, uint64_t value);
/* As str_varint, padded to `width` bytes (continuation bits without a value). */
void str_varint_padded(struct str *s, uint64_t value, unsigned width);
unsigned varint_len(uint64_t value);
/* In the style of an old one: the shortest form stays shortest, padding stays. */
void str_varint_like(struct str *s, uint64_t value, uint64_t old_value, unsigned old_width);
void str_tag(struct str *s, uint32_t number, enum wire_type type);
/* A whole field: tag, length, contents. */
void str_field(struct str *s, uint32_t number, struct sv contents);

#endif
