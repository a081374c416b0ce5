#include "ir/tensor.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/num.h"
#include "base/sv.h"
#include "ir/element.h"

enum {
	BUFFER_SIZE = 64 << 10,
	LONGEST_VARINT = 10,
	LONGEST_TEXT = 1 << 20
};

static const size_t field_word[ELEM_FIELD_COUNT] = {
	[ELEM_FIELD_FLOAT] = 4,  [ELEM_FIELD_INT32] = 4,  [ELEM_FIELD_INT64] = 8,
	[ELEM_FIELD_DOUBLE] = 8, [ELEM_FIELD_UINT64] = 8,
	/* the rest is not made of words */
};

bool tensor_elements(const struct tensor *t, uint64_t *out)
{
	uint64_t n = 1;

	if (t->rank_lost)
		return false;
	for (uint32_t i = 0; i < t->rank; i++) {
		if (t->dims[i] < 0 || !num_mul(n, (uint64_t)t->dims[i], &n))
			return false;
	}
	*out = n;
	return true;
}

static uint64_t views_bytes(const struct chunk *c)
{
	const struct sv *views = c->memory;
	uint64_t total = 0;

	for (uint64_t i = 0; i < c->len / sizeof(*views); i++)
		total += views[i].len;
	return total;
}

/* The length of external data that declares none: what the shape needs. */
static uint64_t expected_bytes(const struct tensor *t)
{
	uint64_t n, bits;

	if (!tensor_elements(t, &n) || !num_mul(n, elem_info(t->elem)->bits, &bits))
		return 0;
	return bits / 8 + (bits % 8 != 0);
}

bool data_in_memory(const struct data *d)
{
	for (uint32_t i = 0; i < d->count; i++) {
		if (d->chunks[i].place != CHUNK_MEMORY)
			return false;
	}
	return true;
}

uint64_t tensor_stored_bytes(const struct tensor *t)
{
	uint64_t total = 0;

	if (t->external)
		return t->external->has_length ? t->external->length : expected_bytes(t);
	for (uint32_t i = 0; i < t->data.count; i++) {
		const struct chunk *c = &t->data.chunks[i];

		total += c->coding == CODING_VIEWS ? views_bytes(c) : c->len;
	}
	return total;
}

/* ---- bytes of the chunks, buffered ---- */

static const struct chunk *tensor_current(const struct tensor_reader *r)
{
	return r->chunk < r->data->count ? &r->data->chunks[r->chunk] : NULL;
}

static uint64_t tensor_unread(const struct tensor_reader *r)
{
	const struct chunk *c = tensor_current(r);

	if (!c)
		return 0;
	return (c->place == CHUNK_EXTERNAL ? r->available : c->len) - r->done;
}

static bool tensor_fetch(struct tensor_reader *r, uint64_t from, void *out, size_t len,
			 struct err *err)
{
	const struct chunk *c = tensor_current(r);

	if (c->place == CHUNK_MEMORY) {
		memcpy(out, (const char *)c->memory + from, len);
		return true;
	}
	return r->source.read(r->source.context, c->place == CHUNK_EXTERNAL ? r->external : NULL,
			      c->at + from, out, len, err);
}

/* Buffers at least `len` bytes at r->buffer + r->pos; they must be in this chunk. */
static bool tensor_need(struct tensor_reader *r, size_t len, struct err *err)
{
	size_t have = r->filled - r->pos;
	size_t whole;

	if (have >= len)
		return true;
	if (len > tensor_unread(r))
		return err_set(err, ERR_FORMAT, "the data ends in the middle of an element");
	if (have)
		memmove(r->buffer, r->buffer + r->pos, have);
	r->pos = 0;
	r->filled = have;
	/* Most tensors that are read are a few numbers. */
	whole = (size_t)MIN((uint64_t)BUFFER_SIZE, tensor_unread(r));
	if (whole > r->room) {
		r->buffer = must_realloc(r->buffer, whole);
		r->room = whole;
	}
	if (!tensor_fetch(r, r->done + have, r->buffer + have, whole - have, err))
		return false;
	r->filled = whole;
	return true;
}

static const unsigned char *tensor_take(struct tensor_reader *r, size_t len)
{
	const unsigned char *at = (const unsigned char *)r->buffer + r->pos;

	r->pos += len;
	r->done += len;
	return at;
}

static void next_chunk(struct tensor_reader *r)
{
	r->chunk++;
	r->done = 0;
	r->pos = r->filled = 0;
}

/* ---- units: the numbers as stored ---- */

static bool read_fixed(struct tensor_reader *r, size_t size, uint64_t *out, struct err *err)
{
	const unsigned char *bytes;
	uint64_t bits = 0;

	if (!tensor_need(r, size, err))
		return false;
	bytes = tensor_take(r, size);
	for (size_t i = size; i-- > 0;)
		bits = bits << 8 | bytes[i];
	*out = bits;
	return true;
}

static bool tensor_read_word(struct tensor_reader *r, size_t size, uint64_t *out, struct err *err)
{
	uint32_t half;

	if (!tensor_need(r, size, err))
		return false;
	if (size == sizeof(half)) {
		memcpy(&half, tensor_take(r, size), sizeof(half));
		*out = half;
	} else {
		memcpy(out, tensor_take(r, size), sizeof(*out));
	}
	return true;
}

static bool tensor_read_varint(struct tensor_reader *r, uint64_t *out, struct err *err)
{
	uint64_t bits = 0;

	for (unsigned i = 0; i < LONGEST_VARINT; i++) {
		unsigned char byte;

		if (!tensor_need(r, 1, err))
			return false;
		byte = *tensor_take(r, 1);
		bits |= (uint64_t)(byte & 0x7f) << (7 * i);
		if (byte < 0x80) {
			*out = bits;
			return true;
		}
	}
	return err_set(err, ERR_FORMAT, "a number in the data is longer than 10 bytes");
}

static bool read_tagged(struct tensor_reader *r, uint64_t *out, struct err *err)
{
	size_t word = field_word[r->data->field];
	uint64_t tag;

	if (!tensor_read_varint(r, &tag, err))
		return false;
	if (r->data->field == ELEM_FIELD_FLOAT || r->data->field == ELEM_FIELD_DOUBLE)
		return read_fixed(r, word, out, err);
	return tensor_read_varint(r, out, err);
}

static size_t raw_unit(int32_t elem)
{
	const struct elem_info *info = elem_info(elem);
	unsigned bits = info->class == ELEM_CLASS_COMPLEX ? info->bits / 2 : info->bits;

	return MAX(bits / 8, 1);
}

static bool read_unit(struct tensor_reader *r, uint64_t *out, struct err *err)
{
	while (tensor_current(r) && tensor_unread(r) == 0)
		next_chunk(r);
	if (!tensor_current(r))
		return err_set(err, ERR_FORMAT, "the data is shorter than the shape needs");
	switch (tensor_current(r)->coding) {
	case CODING_RAW:
		return read_fixed(r, raw_unit(r->elem), out, err);
	case CODING_WORDS:
		return tensor_read_word(r, field_word[r->data->field], out, err);
	case CODING_VARINTS:
		return tensor_read_varint(r, out, err);
	case CODING_TAGGED:
		return read_tagged(r, out, err);
	case CODING_VIEWS:
	case CODING_COUNT:
		break;
	}
	return err_set(err, ERR_FORMAT, "the data does not match the element type");
}

/* ---- elements ---- */

static bool read_complex(struct tensor_reader *r, struct scalar *out, struct err *err)
{
	int32_t half = r->elem == ELEM_COMPLEX64 ? ELEM_FLOAT32 : ELEM_FLOAT64;
	uint64_t bits = 0;

	out->class = ELEM_CLASS_COMPLEX;
	for (size_t i = 0; i < 2; i++) {
		if (!read_unit(r, &bits, err))
			return false;
		out->complex_parts[i] = element_from_bits(half, bits).f;
	}
	return true;
}

/* Elements of 4 and 2 bits: the first one is in the lowest bits of a byte. */
static bool read_shared(struct tensor_reader *r, unsigned bits, struct scalar *out, struct err *err)
{
	uint64_t unit = 0;

	if (r->sub == 0) {
		if (!read_unit(r, &unit, err))
			return false;
		r->shared = (uint8_t)unit;
	}
	*out = element_from_bits(r->elem, (uint64_t)r->shared >> (r->sub * bits));
	r->sub = (r->sub + 1) % (8 / bits);
	return true;
}

static bool read_long_text(struct tensor_reader *r, uint64_t len, struct err *err)
{
	if (len > tensor_unread(r))
		return err_set(err, ERR_FORMAT, "a string extends past the end of the data");
	if (len > LONGEST_TEXT)
		return err_set(err, ERR_LIMIT, "a string of %" PRIu64 " bytes is too long", len);
	r->text = must_realloc(r->text, (size_t)len);
	for (size_t have = 0; have < len;) {
		size_t part = MIN((size_t)len - have, (size_t)BUFFER_SIZE);

		if (!tensor_need(r, part, err))
			return false;
		memcpy(r->text + have, tensor_take(r, part), part);
		have += part;
	}
	return true;
}

static bool read_text(struct tensor_reader *r, struct scalar *out, struct err *err)
{
	uint64_t tag = 0, len = 0;

	while (tensor_current(r) && tensor_unread(r) == 0)
		next_chunk(r);
	if (!tensor_current(r))
		return err_set(err, ERR_FORMAT, "the data is shorter than the shape needs");
	out->class = ELEM_CLASS_STRING;
	if (tensor_current(r)->coding == CODING_VIEWS) {
		const struct sv *views = tensor_current(r)->memory;

		out->text = views[r->done / sizeof(*views)];
		r->done += sizeof(*views);
		return true;
	}
	if (!tensor_read_varint(r, &tag, err) || !tensor_read_varint(r, &len, err) ||
	    !read_long_text(r, len, err))
		return false;
	out->text = (struct sv){r->text, (size_t)len};
	return true;
}

static bool read_element(struct tensor_reader *r, struct scalar *out, struct err *err)
{
	const struct elem_info *info = elem_info(r->elem);
	uint64_t bits = 0;

	if (info->class == ELEM_CLASS_STRING)
		return read_text(r, out, err);
	if (info->class == ELEM_CLASS_COMPLEX)
		return read_complex(r, out, err);
	if (info->bits < 8)
		return read_shared(r, info->bits, out, err);
	if (!read_unit(r, &bits, err))
		return false;
	*out = element_from_bits(r->elem, bits);
	return true;
}

/* ---- the reader ---- */

/* Raw data must have the length that the shape needs; other codings are checked while reading. */
static bool check_length(const struct tensor *t, uint64_t elements, uint64_t available,
			 struct err *err)
{
	uint64_t bits, bytes;

	if (!num_mul(elements, elem_info(t->elem)->bits, &bits))
		return err_set(err, ERR_FORMAT, "the shape is too large");
	bytes = bits / 8 + (bits % 8 != 0);
	if (available < bytes || (!t->external && available > bytes))
		return err_set(err, ERR_FORMAT,
			       "%" PRIu64 " %s of data, but the shape needs %" PRIu64, available,
			       PLURAL(available, "byte", "bytes"), bytes);
	return true;
}

static bool available_bytes(const struct bytes_source *source, const struct tensor *t,
			    uint64_t *out, struct err *err)
{
	uint64_t size, end;

	if (!t->external || t->data.chunks[0].place == CHUNK_MEMORY) {
		*out = 0;
		for (uint32_t i = 0; i < t->data.count; i++)
			*out += t->data.chunks[i].len;
		return true;
	}
	if (t->external->bad_numbers)
		return err_set(err, ERR_FORMAT,
			       "the offset or length of the external data is not a number");
	if (!source->size(source->context, t->external, &size, err))
		return false;
	if (t->external->offset > size)
		return err_set(err, ERR_FORMAT, "external data starts past the end of the file");
	*out = size - t->external->offset;
	if (!t->external->has_length)
		return true;
	if (!num_add(t->external->offset, t->external->length, &end) || end > size)
		return err_set(err, ERR_FORMAT, "external data ends past the end of the file");
	*out = t->external->length;
	return true;
}

bool tensor_reader_init(struct tensor_reader *r, const struct bytes_source *source,
			const struct tensor *t, struct err *err)
{
	uint64_t elements = 0, available = 0;

	if (elem_info(t->elem)->class == ELEM_CLASS_NONE)
		return err_set(err, ERR_FORMAT, "unknown element type");
	if (t->data.field == ELEM_FIELD_NONE && t->data.count &&
	    elem_info(t->elem)->class == ELEM_CLASS_STRING)
		return err_set(err, ERR_FORMAT, "raw data cannot hold strings");
	if (!tensor_elements(t, &elements))
		return err_set(err, ERR_FORMAT, "the shape has a negative or too large dimension");
	if (t->data.field == ELEM_FIELD_NONE && elem_info(t->elem)->class != ELEM_CLASS_STRING &&
	    (!available_bytes(source, t, &available, err) ||
	     !check_length(t, elements, available, err)))
		return false;
	*r = (struct tensor_reader){.source = *source,
				    .data = &t->data,
				    .external = t->external,
				    .elem = t->elem,
				    .available = available,
				    .left = elements};
	return true;
}

void tensor_reader_list(struct tensor_reader *r, const struct bytes_source *source,
			const struct data *data, int32_t elem)
{
	*r = (struct tensor_reader){
		.source = *source, .data = data, .elem = elem, .left = UINT64_MAX};
}

/* A list has no count: it ends with its last chunk. */
static bool at_end(struct tensor_reader *r)
{
	while (tensor_current(r) && tensor_unread(r) == 0)
		next_chunk(r);
	return r->left == 0 || (r->left == UINT64_MAX && !tensor_current(r));
}

bool tensor_reader_next(struct tensor_reader *r, struct scalar *out, size_t count, size_t *got,
			struct err *err)
{
	bool text = elem_info(r->elem)->class == ELEM_CLASS_STRING;
	size_t n = 0;

	/* A string is valid only until the next is read, so they are returned one by one. */
	for (; n < (text ? MIN(count, 1) : count) && (r->sub || !at_end(r)) && r->left; n++) {
		if (!read_element(r, &out[n], err))
			return false;
		r->left -= r->left != UINT64_MAX;
	}
	*got = n;
	return true;
}

/* Skips elements of whole bytes without reading them. */
static void skip_raw(struct tensor_reader *r, uint64_t *count)
{
	const struct chunk *c = tensor_current(r);
	unsigned bits = elem_info(r->elem)->bits;
	uint64_t elements, bytes;

	if (!c || c->coding != CODING_RAW || bits < 8)
		return;
	elements = MIN(MIN(*count, r->left), tensor_unread(r) / (bits / 8));
	bytes = elements * (bits / 8);
	if (bytes <= r->filled - r->pos)
		r->pos += (size_t)bytes;
	else
		r->pos = r->filled = 0;
	r->done += bytes;
	r->left -= elements;
	*count -= elements;
}

bool tensor_reader_skip(struct tensor_reader *r, uint64_t count, struct err *err)
{
	struct scalar unwanted;
	size_t got;

	if (r->left != UINT64_MAX)
		skip_raw(r, &count);
	for (; count; count--) {
		if (!tensor_reader_next(r, &unwanted, 1, &got, err))
			return false;
		if (got == 0)
			break;
	}
	return true;
}

void tensor_reader_release(struct tensor_reader *r)
{
	free(r->buffer);
	free(r->text);
	*r = (struct tensor_reader){0};
}
