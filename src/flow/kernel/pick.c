#include <string.h>

#include "base/sv.h"
#include "flow/array.h"
#include "flow/kernel/kernel.h"
#include "flow/number.h"
#include "ir/type.h"

bool kernel_position(const struct array *indices, uint64_t i, int64_t size, int64_t *out)
{
	int64_t at;

	if (!array_int(indices, i, &at) || at < -size || at >= size)
		return false;
	*out = at < 0 ? at + size : at;
	return true;
}

/* The product of dims; they are those of an array, so it fits. */
static uint64_t pick_product(const int64_t *dims, uint32_t count)
{
	uint64_t product = 1;

	for (uint32_t i = 0; i < count; i++)
		product *= (uint64_t)dims[i];
	return product;
}

/* Appends dims; false when there are too many. */
static bool pick_dims(struct ints *out, const int64_t *dims, uint32_t count)
{
	if (count > ARRAY_MAX_RANK || out->count + count > ARRAY_MAX_RANK)
		return false;
	for (uint32_t i = 0; i < count; i++)
		out->at[out->count++] = dims[i];
	return true;
}

bool kernel_gather(struct kernel_call *k)
{
	const struct array *a = k->in[0], *indices = k->in[1];
	struct ints dims = {.count = 0};
	uint64_t before, block;
	unsigned char *bytes;
	uint32_t axis;
	int64_t at;

	if (!kernel_axis_attr(k, 0, a->rank, &axis) || !pick_dims(&dims, a->dims, axis) ||
	    !pick_dims(&dims, indices->dims, indices->rank) ||
	    !pick_dims(&dims, a->dims + axis + 1, a->rank - axis - 1))
		return false;
	bytes = kernel_out(k, 0, a->elem, dims.at, dims.count);
	if (!bytes || k->out[0].count == 0)
		return bytes;
	before = pick_product(a->dims, axis);
	block = pick_product(a->dims + axis + 1, a->rank - axis - 1) * array_width(a->elem);
	for (uint64_t b = 0; b < before; b++) {
		for (uint64_t i = 0; i < indices->count; i++, bytes += block) {
			if (!kernel_position(indices, i, a->dims[axis], &at))
				return false;
			memcpy(bytes,
			       a->bytes + (b * (uint64_t)a->dims[axis] + (uint64_t)at) * block,
			       block);
		}
	}
	return true;
}

bool kernel_along(struct walk *w, const struct array *a, const struct array *indices, uint32_t axis)
{
	if (a->rank != indices->rank)
		return false;
	walk_init(w, indices->dims, indices->rank, indices->count);
	array_strides(a->dims, a->rank, w->strides[0]);
	w->strides[0][axis] = 0;
	for (uint32_t i = 0; i < a->rank; i++) {
		if (i != axis && indices->dims[i] > a->dims[i])
			return false;
	}
	return true;
}

bool kernel_gather_elements(struct kernel_call *k)
{
	const struct array *a = k->in[0], *indices = k->in[1];
	size_t width = array_width(a->elem);
	int64_t strides[ARRAY_MAX_RANK], at;
	unsigned char *bytes;
	uint32_t axis;
	struct walk w;

	if (!kernel_axis_attr(k, 0, a->rank, &axis) || !kernel_along(&w, a, indices, axis))
		return false;
	array_strides(a->dims, a->rank, strides);
	bytes = kernel_out(k, 0, a->elem, indices->dims, indices->rank);
	for (uint64_t i = 0; bytes && w.left; walk_next(&w), i++) {
		if (!kernel_position(indices, i, a->dims[axis], &at))
			return false;
		memcpy(bytes + i * width, a->bytes + (size_t)(w.at[0] + at * strides[axis]) * width,
		       width);
	}
	return bytes;
}

bool kernel_tuple(const struct array *indices, uint64_t tuple, uint32_t len, const int64_t *dims,
		  uint64_t *out)
{
	int64_t at;

	*out = 0;
	for (uint32_t i = 0; i < len; i++) {
		if (!kernel_position(indices, tuple * len + i, dims[i], &at))
			return false;
		*out = *out * (uint64_t)dims[i] + (uint64_t)at;
	}
	return true;
}

bool kernel_gather_nd(struct kernel_call *k)
{
	const struct array *a = k->in[0], *indices = k->in[1];
	int64_t batch = kernel_int(k, "batch_dims", 0);
	uint64_t batches, tuples, block, part, at;
	struct ints dims = {.count = 0};
	unsigned char *bytes;
	uint32_t b, len;

	if (indices->rank == 0 || batch < 0 || batch >= indices->rank || batch >= a->rank)
		return false;
	b = (uint32_t)batch;
	if (indices->dims[indices->rank - 1] < 1 || indices->dims[indices->rank - 1] > a->rank - b)
		return false;
	len = (uint32_t)indices->dims[indices->rank - 1];
	for (uint32_t i = 0; i < b; i++) {
		if (a->dims[i] != indices->dims[i])
			return false;
	}
	if (!pick_dims(&dims, indices->dims, indices->rank - 1) ||
	    !pick_dims(&dims, a->dims + b + len, a->rank - b - len))
		return false;
	bytes = kernel_out(k, 0, a->elem, dims.at, dims.count);
	if (!bytes || k->out[0].count == 0)
		return bytes;
	batches = pick_product(a->dims, b);
	tuples = indices->count / len / batches;
	block = pick_product(a->dims + b + len, a->rank - b - len) * array_width(a->elem);
	part = pick_product(a->dims + b, len) * block;
	for (uint64_t i = 0; i < batches * tuples; i++) {
		if (!kernel_tuple(indices, i, len, a->dims + b, &at))
			return false;
		memcpy(bytes + i * block, a->bytes + i / tuples * part + at * block, block);
	}
	return true;
}

/* ---- scatters ---- */

enum scatter_reduction {
	SCATTER_NONE,
	SCATTER_ADD,
	SCATTER_MUL,
	SCATTER_MIN,
	SCATTER_MAX,
	SCATTER_REDUCTION_COUNT
};

static const struct {
	const char *name;
	point_function *apply;
} scatter_reductions[SCATTER_REDUCTION_COUNT] = {
	[SCATTER_NONE] = {"none", NULL},    [SCATTER_ADD] = {"add", point_add},
	[SCATTER_MUL] = {"mul", point_mul}, [SCATTER_MIN] = {"min", point_min},
	[SCATTER_MAX] = {"max", point_max},
};

struct scatter {
	struct point point;
	point_function *apply; /* NULL: the last one stays */
	unsigned char *bytes;
	size_t width;
};

/* Begins with a copy of the data. */
static bool scatter_init(struct kernel_call *k, struct scatter *s)
{
	const struct array *a = k->in[0];
	struct sv name = kernel_text(k, "reduction");
	uint32_t i = 0;

	*s = (struct scatter){
		.point = {.elem = a->elem, .class = elem_info(a->elem)->class},
		.width = array_width(a->elem),
	};
	while (name.len && i < SCATTER_REDUCTION_COUNT && !sv_is(name, scatter_reductions[i].name))
		i++;
	if (i == SCATTER_REDUCTION_COUNT || k->in[2]->elem != a->elem)
		return false;
	s->apply = scatter_reductions[i].apply;
	if (s->apply && !point_allows(POINT_NUMBERS, a->elem))
		return false;
	s->bytes = kernel_out(k, 0, a->elem, a->dims, a->rank);
	if (s->bytes)
		memcpy(s->bytes, a->bytes, a->count * s->width);
	return s->bytes;
}

static void scatter_put(struct scatter *s, uint64_t at, const struct array *updates, uint64_t i)
{
	union number both[2];

	if (!s->apply) {
		memcpy(s->bytes + at * s->width, updates->bytes + i * s->width, s->width);
		return;
	}
	both[0] = number_load(s->point.elem, s->bytes, at);
	both[1] = number_load(s->point.elem, updates->bytes, i);
	if (s->apply(&s->point, both, &both[0]))
		number_store(s->point.elem, s->bytes, at, both[0]);
}

bool kernel_scatter_elements(struct kernel_call *k)
{
	const struct array *a = k->in[0], *indices = k->in[1], *updates = k->in[2];
	int64_t strides[ARRAY_MAX_RANK], at;
	struct scatter s;
	struct walk w;
	uint32_t axis;

	if (!kernel_axis_attr(k, 0, a->rank, &axis) || !kernel_along(&w, a, indices, axis) ||
	    updates->rank != indices->rank || !kernel_work(k, indices->count) ||
	    !scatter_init(k, &s))
		return false;
	for (uint32_t i = 0; i < indices->rank; i++) {
		if (updates->dims[i] != indices->dims[i])
			return false;
	}
	array_strides(a->dims, a->rank, strides);
	for (uint64_t i = 0; w.left; walk_next(&w), i++) {
		if (!kernel_position(indices, i, a->dims[axis], &at))
			return false;
		scatter_put(&s, (uint64_t)(w.at[0] + at * strides[axis]), updates, i);
	}
	return true;
}

/* Are the updates as many and as large as the indices say? */
static bool scatter_fits(const struct array *a, const struct array *indices,
			 const struct array *updates, uint32_t len)
{
	struct ints dims = {.count = 0};

	if (!pick_dims(&dims, indices->dims, indices->rank - 1) ||
	    !pick_dims(&dims, a->dims + len, a->rank - len) || updates->rank != dims.count)
		return false;
	for (uint32_t i = 0; i < dims.count; i++) {
		if (updates->dims[i] != dims.at[i])
			return false;
	}
	return true;
}

bool kernel_scatter_nd(struct kernel_call *k)
{
	const struct array *a = k->in[0], *indices = k->in[1], *updates = k->in[2];
	uint64_t block, at;
	struct scatter s;
	uint32_t len;

	if (indices->rank == 0 || indices->dims[indices->rank - 1] < 1 ||
	    indices->dims[indices->rank - 1] > a->rank)
		return false;
	len = (uint32_t)indices->dims[indices->rank - 1];
	if (!scatter_fits(a, indices, updates, len) || !kernel_work(k, updates->count) ||
	    !scatter_init(k, &s))
		return false;
	block = pick_product(a->dims + len, a->rank - len);
	for (uint64_t i = 0; i < indices->count / len; i++) {
		if (!kernel_tuple(indices, i, len, a->dims, &at))
			return false;
		for (uint64_t j = 0; j < block; j++)
			scatter_put(&s, at * block + j, updates, i * block + j);
	}
	return true;
}
