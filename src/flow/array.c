#include "flow/array.h"

#include <string.h>

#include "base/err.h"
#include "flow/number.h"
#include "ir/tensor.h"
#include "ir/type.h"

size_t array_width(int32_t elem)
{
	return number_width(elem);
}

bool array_count(const int64_t *dims, uint32_t rank, uint64_t *out)
{
	uint64_t extent = 1; /* as if no dim were 0, so that strides fit */
	bool empty = false;

	if (rank > ARRAY_MAX_RANK)
		return false;
	for (uint32_t i = 0; i < rank; i++) {
		if (dims[i] < 0 || dims[i] > ARRAY_MAX_COUNT)
			return false;
		empty = empty || dims[i] == 0;
		extent *= (uint64_t)MAX(dims[i], 1);
		if (extent > ARRAY_MAX_COUNT)
			return false;
	}
	*out = empty ? 0 : extent;
	return true;
}

/* Bytes in the file's order are copied, so that every NaN stays what it is. */
static bool read_raw(const struct model *m, const struct tensor *t, unsigned char *out, size_t left)
{
	struct err err;

	for (uint32_t i = 0; i < t->data.count && left; i++) {
		const struct chunk *c = &t->data.chunks[i];
		size_t part = c->place == CHUNK_EXTERNAL ? left
							 : (size_t)MIN((uint64_t)left, c->len);

		if (c->place == CHUNK_MEMORY)
			memcpy(out, c->memory, part);
		else if (!m->bytes.read(m->bytes.context,
					c->place == CHUNK_EXTERNAL ? t->external : NULL, c->at, out,
					part, &err))
			return false;
		out += part;
		left -= part;
	}
	return left == 0;
}

static union number scalar_number(const struct scalar *s)
{
	switch (s->class) {
	case ELEM_CLASS_BOOL:
		return (union number){.u = s->truth};
	case ELEM_CLASS_SIGNED:
		return (union number){.i = s->i};
	case ELEM_CLASS_UNSIGNED:
		return (union number){.u = s->u};
	case ELEM_CLASS_FLOAT:
	case ELEM_CLASS_NONE:
	case ELEM_CLASS_COMPLEX:
	case ELEM_CLASS_STRING:
	case ELEM_CLASS_COUNT:
		break;
	}
	return (union number){.f = s->f};
}

static bool read_coded(struct tensor_reader *r, int32_t elem, unsigned char *out, uint64_t count)
{
	struct scalar some[64];
	uint64_t done = 0;
	struct err err;
	size_t got = 0;

	if (!number_storable(elem))
		return false;
	while (done < count) {
		if (!tensor_reader_next(r, some, (size_t)MIN(count - done, ARRAY_LEN(some)), &got,
					&err) ||
		    got == 0)
			return false;
		for (size_t i = 0; i < got; i++)
			number_store(elem, out, done + i, scalar_number(&some[i]));
		done += got;
	}
	return true;
}

static bool is_raw(const struct tensor *t)
{
	for (uint32_t i = 0; i < t->data.count; i++) {
		if (t->data.chunks[i].coding != CODING_RAW)
			return false;
	}
	return true;
}

bool array_read(const struct model *m, uint32_t tensor, struct arena *arena, struct array *out)
{
	const struct tensor *t = &m->tensors.at[tensor];
	struct array a = {.elem = t->elem, .rank = t->rank, .dims = t->dims};
	size_t width = array_width(t->elem);
	struct tensor_reader reader;
	unsigned char *bytes;
	struct err err;
	bool ok;

	if (t->rank_lost || !width || !array_count(t->dims, t->rank, &a.count) ||
	    !tensor_reader_init(&reader, &m->bytes, t, &err))
		return false;
	bytes = arena_alloc(arena, MAX((size_t)a.count * width, 1));
	ok = is_raw(t) ? read_raw(m, t, bytes, (size_t)a.count * width)
		       : read_coded(&reader, t->elem, bytes, a.count);
	tensor_reader_release(&reader);
	if (!ok)
		return false;
	if (t->elem == ELEM_BOOL) {
		for (uint64_t i = 0; i < a.count; i++)
			bytes[i] = bytes[i] != 0;
	}
	a.bytes = bytes;
	*out = a;
	return true;
}

struct scalar array_at(const struct array *a, uint64_t i)
{
	return element_from_bits(a->elem, number_bits(a->elem, a->bytes, i));
}

bool array_int(const struct array *a, uint64_t i, int64_t *out)
{
	union number n = number_load(a->elem, a->bytes, i);
	enum elem_class class = elem_info(a->elem)->class;

	if (class == ELEM_CLASS_FLOAT || (class == ELEM_CLASS_UNSIGNED && n.u > INT64_MAX))
		return false;
	*out = n.i;
	return true;
}

double array_real(const struct array *a, uint64_t i)
{
	union number n = number_load(a->elem, a->bytes, i);
	enum elem_class class = elem_info(a->elem)->class;

	if (class == ELEM_CLASS_FLOAT)
		return n.f;
	return class == ELEM_CLASS_SIGNED ? (double)n.i : (double)n.u;
}

bool array_same(const struct array *a, uint64_t i, uint64_t j)
{
	size_t width = array_width(a->elem);

	return memcmp(a->bytes + i * width, a->bytes + j * width, width) == 0;
}

int64_t array_dim(const struct array *a, uint32_t axis)
{
	return axis < a->rank ? a->dims[axis] : 1;
}

void array_strides(const int64_t *dims, uint32_t rank, int64_t *out)
{
	int64_t stride = 1;

	for (uint32_t i = rank; i-- > 0;) {
		out[i] = stride;
		stride *= MAX(dims[i], 1);
	}
}
