/*
 * Mutations that keep the wire format valid.
 *
 * libFuzzer changes bytes; in a message full of lengths nearly all such changes only
 * truncate it.  This walks down to some field, changes, removes, doubles or moves it there,
 * and updates the lengths around it.  Every other time it changes bytes as libFuzzer does,
 * so that broken files are tried too.
 */
#include "tests/fuzz/target.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "base/vec.h"
#include "wire/bytes.h"

enum {
	MAX_FIELDS = 4096,  /* of one message; the rest stays as it is */
	HIGHEST_NUMBER = 26 /* of a field of ONNX */
};

/* libFuzzer's own names. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed);

struct part {
	struct sv whole;    /* tag, length and contents */
	struct sv contents; /* of a length-delimited field */
	uint64_t tag;
};

struct parts {
	struct part at[MAX_FIELDS];
	size_t len;
};

struct chance {
	uint64_t state;
};

static uint32_t roll(struct chance *c, size_t among)
{
	c->state = c->state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((c->state >> 33) % among);
}

/* ---- taking apart ---- */

static bool take_varint(struct sv *rest, uint64_t *out)
{
	*out = 0;
	for (unsigned shift = 0; rest->len && shift < 64; shift += 7) {
		unsigned char byte = (unsigned char)rest->at[0];

		*rest = sv_skip(*rest, 1);
		*out |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return true;
	}
	return false;
}

static bool take_part(struct sv *rest, struct part *out)
{
	struct sv start = *rest;
	uint64_t len = 0;

	*out = (struct part){.contents = {"", 0}};
	if (!take_varint(rest, &out->tag) || out->tag >> 3 == 0)
		return false;
	switch ((enum wire_type)(out->tag & 7)) {
	case WIRE_VARINT:
		if (!take_varint(rest, &len))
			return false;
		len = 0;
		break;
	case WIRE_FIXED64:
		len = 8;
		break;
	case WIRE_FIXED32:
		len = 4;
		break;
	case WIRE_BYTES:
		if (!take_varint(rest, &len))
			return false;
		break;
	case WIRE_GROUP:
	case WIRE_GROUP_END:
	default:
		return false;
	}
	if (len > rest->len)
		return false;
	out->contents = (struct sv){rest->at, (size_t)len};
	*rest = sv_skip(*rest, (size_t)len);
	out->whole = (struct sv){start.at, start.len - rest->len};
	return true;
}

static bool take_apart(struct sv message, struct parts *out)
{
	out->len = 0;
	while (message.len) {
		if (out->len == MAX_FIELDS || !take_part(&message, &out->at[out->len++]))
			return false;
	}
	return true;
}

/* ---- changing ---- */

static void put_bytes(struct str *s, uint64_t tag, struct sv bytes)
{
	str_varint(s, (tag & ~(uint64_t)7) | WIRE_BYTES);
	str_varint(s, bytes.len);
	str_add(s, bytes);
}

static void change_bytes(struct chance *c, struct sv old, struct str *out)
{
	size_t max = old.len + 1 + roll(c, 64);
	uint8_t *copy = malloc(max);
	size_t len;

	memcpy(copy, old.at, old.len);
	len = LLVMFuzzerMutate(copy, old.len, max);
	str_add(out, (struct sv){(char *)copy, len});
	free(copy);
}

static void change_number(struct chance *c, struct str *out, uint64_t tag)
{
	static const uint64_t numbers[] = {0,   1,   2,    7,          8,         127,
					   128, 255, 4096, UINT32_MAX, INT64_MAX, UINT64_MAX};

	str_varint(out, tag);
	str_varint(out, roll(c, 2) ? numbers[roll(c, ARRAY_LEN(numbers))] : roll(c, 30));
}

static void put_new(struct chance *c, struct str *out)
{
	uint64_t tag = (uint64_t)(1 + roll(c, HIGHEST_NUMBER)) << 3;

	if (roll(c, 3) == 0)
		change_number(c, out, tag | WIRE_VARINT);
	else
		put_bytes(out, tag, roll(c, 2) ? SV("") : SV("ab"));
}

static void mutate_message(struct chance *c, struct sv message, struct str *out);

static void mutate_part(struct chance *c, const struct part *p, const struct part *other,
			struct str *out)
{
	struct str inner = {0};
	bool bytes = (p->tag & 7) == WIRE_BYTES;

	switch (roll(c, bytes ? 14 : 8)) {
	case 0:
		break; /* removed */
	case 1:
		str_add(out, p->whole);
		str_add(out, p->whole);
		break;
	case 2: /* another field's contents under this number, or the other way round */
		put_bytes(out, p->tag, other->contents);
		break;
	case 3:
		str_add(out, p->whole);
		put_bytes(out, other->tag, p->contents);
		break;
	case 4: /* another field number */
		put_bytes(out, (uint64_t)(1 + roll(c, HIGHEST_NUMBER)) << 3, p->contents);
		break;
	case 5:
		put_new(c, out);
		str_add(out, p->whole);
		break;
	case 6:
		change_number(c, out, p->tag & ~(uint64_t)7);
		break;
	case 7:
		change_bytes(c, p->contents, &inner);
		if (bytes)
			put_bytes(out, p->tag, str_sv(&inner));
		else
			str_add(out, str_sv(&inner));
		break;
	default:
		mutate_message(c, p->contents, &inner);
		put_bytes(out, p->tag, str_sv(&inner));
	}
	str_release(&inner);
}

static void mutate_message(struct chance *c, struct sv message, struct str *out)
{
	struct parts *parts = malloc(sizeof(*parts));
	size_t which;

	if (!take_apart(message, parts)) {
		change_bytes(c, message, out);
	} else if (parts->len == 0) {
		put_new(c, out);
	} else {
		which = roll(c, parts->len);
		for (size_t i = 0; i < parts->len; i++) {
			if (i == which)
				mutate_part(c, &parts->at[i], &parts->at[roll(c, parts->len)], out);
			else
				str_add(out, parts->at[i].whole);
		}
	}
	free(parts);
}

/* Changes only what precedes the model, NUL excluded. */
static size_t mutate_lines(uint8_t *data, size_t size, size_t max, size_t start)
{
	struct str model = {0};
	size_t rest = size - start + 1, len;

	str_add(&model, (struct sv){(const char *)data + start - 1, rest});
	len = LLVMFuzzerMutate(data, start - 1, max - rest);
	memcpy(data + len, str_c(&model), rest);
	str_release(&model);
	return len + rest;
}

/* Length of what precedes the model: nothing, or lines and a NUL. */
static size_t model_start(const uint8_t *data, size_t size)
{
#ifdef LINES_FIRST
	const uint8_t *end = size ? memchr(data, 0, size) : NULL;

	return end ? (size_t)(end - data) + 1 : size;
#else
	(void)data;
	(void)size;
	return 0;
#endif
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed)
{
	struct chance c = {seed};
	struct str out = {0};
	size_t len, start = model_start(data, size);

	if (start && size < max && roll(&c, 2) == 0)
		return mutate_lines(data, size, max, start);
	if ((start && start == size) || roll(&c, 3) == 0)
		return LLVMFuzzerMutate(data, size, max);
	data += start;
	size -= start;
	max -= start;
	mutate_message(&c, (struct sv){(const char *)data, size}, &out);
	len = MIN(out.len, max);
	memcpy(data, str_c(&out), len);
	str_release(&out);
	return start + len;
}
