#include "wire/bytes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/err.h"
#include "base/sv.h"

enum {
	SMALL_BLOCK = 4 << 10,
	LARGE_BLOCK = 128 << 10,
	LONGEST_VARINT = 10,
	DEEPEST_GROUP = 100
};

void bytes_init(struct bytes *b, const struct file *file)
{
	*b = (struct bytes){.file = file, .block = must_alloc(LARGE_BLOCK), .want = SMALL_BLOCK};
}

void bytes_release(struct bytes *b)
{
	free(b->block);
	*b = (struct bytes){0};
}

static bool bytes_fill(struct bytes *b, uint64_t at, size_t len, struct err *err)
{
	uint64_t left = b->file->size > at ? b->file->size - at : 0;

	/* (Nearly) sequential reads double the block, a jump makes it small again. */
	b->want = at >= b->block_at && at - b->block_at <= b->filled + SMALL_BLOCK
			  ? MIN(b->want * 2, LARGE_BLOCK)
			  : SMALL_BLOCK;
	b->block_at = at;
	b->filled = 0;
	if (len > left)
		return err_set(err, ERR_FORMAT, "unexpected end of file at byte %" PRIu64,
			       b->file->size);
	if (!file_read(b->file, at, b->block, (size_t)MIN(b->want, left), err))
		return false;
	b->filled = (size_t)MIN(b->want, left);
	return true;
}

/* Up to a block of bytes, without copying. */
static inline const unsigned char *bytes_look(struct bytes *b, uint64_t at, size_t len,
					      struct err *err)
{
	if (at < b->block_at || at - b->block_at + len > b->filled) {
		if (!bytes_fill(b, at, len, err))
			return NULL;
	}
	return b->block + (at - b->block_at);
}

static bool no_varint(uint64_t at, size_t room, struct err *err)
{
	return err_set(err, ERR_FORMAT,
		       room < LONGEST_VARINT ? "truncated number at byte %" PRIu64
					     : "unterminated number at byte %" PRIu64,
		       at);
}

bool bytes_varint(struct bytes *b, uint64_t at, uint64_t end, uint64_t *out, uint8_t *out_len,
		  struct err *err)
{
	size_t room = (size_t)MIN(end - at, (uint64_t)LONGEST_VARINT);
	const unsigned char *bytes;
	uint64_t value = 0;

	if (room == 0)
		return no_varint(at, room, err);
	bytes = bytes_look(b, at, room, err);
	if (!bytes)
		return false;
	for (size_t i = 0; i < room; i++) {
		value |= (uint64_t)(bytes[i] & 0x7f) << (7 * i);
		if (bytes[i] < 0x80) {
			*out = value;
			*out_len = (uint8_t)(i + 1);
			return true;
		}
	}
	return no_varint(at, room, err);
}

bool bytes_copy(struct bytes *b, uint64_t at, uint64_t len, void *out, struct err *err)
{
	const unsigned char *bytes;

	if (len > SMALL_BLOCK)
		return file_read(b->file, at, out, (size_t)len, err);
	if (len == 0)
		return true;
	bytes = bytes_look(b, at, (size_t)len, err);
	if (!bytes)
		return false;
	memcpy(out, bytes, (size_t)len);
	return true;
}

static bool read_tag(struct bytes *b, uint64_t at, uint64_t end, struct field *f, struct err *err)
{
	uint64_t tag = 0;

	f->tag_len = 0;
	if (!bytes_varint(b, at, end, &tag, &f->tag_len, err))
		return false;
	f->tag_at = at;
	f->at = at + f->tag_len;
	f->prefix_len = 0;
	f->number = (uint32_t)(tag >> 3);
	f->type = (enum wire_type)(tag & 7);
	if (tag >> 3 == 0 || tag >> 32 || f->type > WIRE_FIXED32)
		return err_set(err, ERR_FORMAT, "invalid field at byte %" PRIu64, at);
	return true;
}

static bool read_length(struct bytes *b, uint64_t end, struct field *f, struct err *err)
{
	uint64_t value;

	f->len = 0;
	switch (f->type) {
	case WIRE_VARINT: {
		uint8_t len = 0;

		if (!bytes_varint(b, f->at, end, &value, &len, err))
			return false;
		f->len = len;
		return true;
	}
	case WIRE_FIXED64:
		f->len = 8;
		break;
	case WIRE_FIXED32:
		f->len = 4;
		break;
	case WIRE_BYTES:
		if (!bytes_varint(b, f->at, end, &f->len, &f->prefix_len, err))
			return false;
		f->at += f->prefix_len;
		break;
	case WIRE_GROUP:
	case WIRE_GROUP_END:
		return true;
	}
	if (f->len > end - f->at)
		return err_set(err, ERR_FORMAT,
			       "the field at byte %" PRIu64 " has %" PRIu64
			       " bytes, but only %" PRIu64 " are left",
			       f->tag_at, f->len, end - f->at);
	return true;
}

/* ONNX does not use groups, but they are legal: skip to the matching end. */
static bool skip_group(struct bytes *b, uint64_t end, struct field *group, struct err *err)
{
	uint32_t open[DEEPEST_GROUP];
	size_t depth = 0;
	uint64_t at = group->at;

	open[depth++] = group->number;
	while (depth) {
		struct field f;

		if (at >= end)
			return err_set(err, ERR_FORMAT, "unterminated group at byte %" PRIu64,
				       group->tag_at);
		if (!read_tag(b, at, end, &f, err) || !read_length(b, end, &f, err))
			return false;
		if (f.type == WIRE_GROUP_END && open[--depth] != f.number)
			return err_set(err, ERR_FORMAT, "mismatched end of group at byte %" PRIu64,
				       at);
		if (f.type == WIRE_GROUP) {
			if (depth == DEEPEST_GROUP)
				return err_set(err, ERR_LIMIT,
					       "groups nest deeper than %d at byte %" PRIu64,
					       DEEPEST_GROUP, at);
			open[depth++] = f.number;
		}
		at = field_end(&f);
	}
	group->len = at - group->at;
	return true;
}

bool bytes_field(struct bytes *b, uint64_t at, uint64_t end, struct field *out, struct err *err)
{
	if (!read_tag(b, at, end, out, err))
		return false;
	if (out->type == WIRE_GROUP_END)
		return err_set(err, ERR_FORMAT, "unexpected end of group at byte %" PRIu64, at);
	if (!read_length(b, end, out, err))
		return false;
	return out->type != WIRE_GROUP || skip_group(b, end, out, err);
}

unsigned varint_len(uint64_t value)
{
	unsigned len = 1;

	for (; value >= 0x80; value >>= 7)
		len++;
	return len;
}

void str_varint_padded(struct str *s, uint64_t value, unsigned width)
{
	char bytes[LONGEST_VARINT];
	unsigned len = 0;

	BUG_ON(width > LONGEST_VARINT || width < varint_len(value));
	for (; len + 1 < width; value >>= 7)
		bytes[len++] = (char)(value | 0x80);
	bytes[len++] = (char)(value & 0x7f);
	str_add(s, (struct sv){bytes, len});
}

void str_varint(struct str *s, uint64_t value)
{
	if (value < 0x80)
		str_char(s, (char)value);
	else
		str_varint_padded(s, value, varint_len(value));
}

/*
 * The width of a new length.  Readers accept lengths of up to five bytes.  Writers that
 * reserve room for a length use all five, and so do we; narrower padding keeps its excess
 * while five bytes suffice.  No rule can undo every growth: there are fewer widths for a
 * long length than for a short one.
 */
static unsigned prefix_width(uint64_t old_value, unsigned old_width, uint64_t new_value)
{
	enum {
		WIDEST = 5
	};
	unsigned needed = varint_len(new_value);
	unsigned excess = old_width - varint_len(old_value);

	if (excess == 0)
		return needed;
	return MAX(needed, old_width >= WIDEST ? old_width : MIN(needed + excess, WIDEST));
}

void str_varint_like(struct str *s, uint64_t value, uint64_t old_value, unsigned old_width)
{
	str_varint_padded(s, value, prefix_width(old_value, old_width, value));
}

void str_tag(struct str *s, uint32_t number, enum wire_type type)
{
	str_varint(s, (uint64_t)number << 3 | type);
}

void str_field(struct str *s, uint32_t number, struct sv contents)
{
	str_tag(s, number, WIRE_BYTES);
	str_varint(s, contents.len);
	str_add(s, contents);
}
