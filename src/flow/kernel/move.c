#include <string.h>

#include "base/num.h"
#include "flow/array.h"
#include "flow/kernel/kernel.h"

/* Kernels whose result is a walk over the input. */

bool kernel_transpose(struct kernel_call *k)
{
	const struct array *a = k->in[0];
	int64_t strides[ARRAY_MAX_RANK], dims[ARRAY_MAX_RANK];
	bool seen[ARRAY_MAX_RANK];
	unsigned char *bytes;
	struct ints perm;
	struct walk w;

	if (!kernel_attr_ints(k, "perm", &perm))
		return false;
	for (uint32_t i = 0; !perm.given && i < a->rank; i++)
		perm.at[i] = a->rank - 1 - i;
	if (!perm.given)
		perm.count = a->rank;
	if (perm.count != a->rank || !kernel_axes(&perm, a->rank, seen))
		return false;
	array_strides(a->dims, a->rank, strides);
	walk_init(&w, a->dims, a->rank, a->count);
	for (uint32_t i = 0; i < a->rank; i++) {
		uint32_t from = (uint32_t)(perm.at[i] < 0 ? perm.at[i] + a->rank : perm.at[i]);

		dims[i] = w.dims[i] = a->dims[from];
		w.strides[0][i] = strides[from];
	}
	bytes = kernel_out(k, 0, a->elem, dims, a->rank);
	if (bytes)
		walk_copy(&w, a, bytes);
	return bytes;
}

bool kernel_expand(struct kernel_call *k)
{
	const struct array *a = k->in[0];
	struct array target = {.rank = 0};
	const struct array *const both[] = {a, &target};
	int64_t dims[ARRAY_MAX_RANK];
	unsigned char *bytes;
	struct ints shape;
	struct walk w;
	uint32_t rank;

	if (!kernel_input_ints(k, 1, &shape) || shape.count > ARRAY_MAX_RANK)
		return false;
	target.rank = shape.count;
	target.dims = shape.at;
	if (!walk_broadcast(both, 2, dims, &rank))
		return false;
	bytes = kernel_out(k, 0, a->elem, dims, rank);
	if (!bytes)
		return false;
	walk_init(&w, dims, rank, k->out[0].count);
	walk_operand(&w, 0, a);
	walk_copy(&w, a, bytes);
	return true;
}

/* Each axis is walked as two: the repeats, then the axis itself. */
bool kernel_tile(struct kernel_call *k)
{
	const struct array *a = k->in[0];
	int64_t strides[ARRAY_MAX_RANK], dims[ARRAY_MAX_RANK];
	unsigned char *bytes;
	struct ints repeats;
	struct walk w;

	if (!kernel_input_ints(k, 1, &repeats) || repeats.count != a->rank ||
	    2 * a->rank > ARRAY_MAX_RANK || k->in_count != 2)
		return false;
	for (uint32_t i = 0; i < a->rank; i++) {
		if (repeats.at[i] < 0 || !num_imul(a->dims[i], repeats.at[i], &dims[i]))
			return false;
	}
	bytes = kernel_out(k, 0, a->elem, dims, a->rank);
	if (!bytes)
		return false;
	array_strides(a->dims, a->rank, strides);
	walk_init(&w, dims, 0, k->out[0].count);
	w.rank = 2 * a->rank;
	for (uint32_t i = 0; i < a->rank; i++) {
		w.dims[2 * i] = repeats.at[i];
		w.dims[2 * i + 1] = a->dims[i];
		w.strides[0][2 * i + 1] = strides[i];
	}
	walk_copy(&w, a, bytes);
	return true;
}

/* ---- Slice ---- */

/*
 * The first element and the number of elements of a slice of an axis.  For ONNX Runtime a huge end
 * means the last element, even when the slice goes backwards.
 */
static bool slice_axis(int64_t size, int64_t start, int64_t end, int64_t step, int64_t *out_first,
		       int64_t *out_count)
{
	if (step == 0 || (step < 0 && end >= INT32_MAX))
		return false;
	if (start < 0)
		start = start < -size ? -1 : start + size;
	if (end < 0)
		end = end < -size ? -1 : end + size;
	if (step > 0) {
		start = MIN(MAX(start, 0), size);
		end = MIN(MAX(end, 0), size);
		*out_count = end > start ? (end - start - 1) / step + 1 : 0;
	} else {
		start = MIN(MAX(start, 0), size - 1);
		end = MIN(end, size - 1);
		*out_count =
			start > end
				? (int64_t)((uint64_t)(start - end - 1) / (0 - (uint64_t)step)) + 1
				: 0;
	}
	*out_first = start;
	return true;
}

struct slices {
	struct ints starts, ends, axes, steps;
};

static bool slice_lists(const struct kernel_call *k, struct slices *s)
{
	if (!kernel_either_ints(k, "starts", 1, &s->starts) ||
	    !kernel_either_ints(k, "ends", 2, &s->ends) ||
	    !kernel_either_ints(k, "axes", 3, &s->axes) || !kernel_input_ints(k, 4, &s->steps))
		return false;
	return s->starts.count == s->ends.count &&
	       (!s->axes.given || s->axes.count == s->starts.count) &&
	       (!s->steps.given || s->steps.count == s->starts.count);
}

bool kernel_slice(struct kernel_call *k)
{
	const struct array *a = k->in[0];
	int64_t strides[ARRAY_MAX_RANK], dims[ARRAY_MAX_RANK];
	bool seen[ARRAY_MAX_RANK];
	unsigned char *bytes;
	struct slices s;
	struct walk w;

	if (!slice_lists(k, &s) || s.starts.count > a->rank || !kernel_axes(&s.axes, a->rank, seen))
		return false;
	array_strides(a->dims, a->rank, strides);
	walk_init(&w, a->dims, a->rank, 0);
	for (uint32_t i = 0; i < a->rank; i++)
		w.strides[0][i] = strides[i];
	for (uint32_t i = 0; i < s.starts.count; i++) {
		int64_t step = s.steps.given ? s.steps.at[i] : 1, first;
		uint32_t axis = i;

		if (s.axes.given && !kernel_axis(s.axes.at[i], a->rank, &axis))
			return false;
		if (!slice_axis(a->dims[axis], s.starts.at[i], s.ends.at[i], step, &first,
				&w.dims[axis]))
			return false;
		/* A step beyond the axis is never taken. */
		step = w.dims[axis] > 1 ? step : 0;
		w.strides[0][axis] = strides[axis] * step;
		w.at[0] += w.dims[axis] ? first * strides[axis] : 0;
	}
	for (uint32_t i = 0; i < a->rank; i++)
		dims[i] = w.dims[i];
	bytes = kernel_out(k, 0, a->elem, dims, a->rank);
	if (!bytes)
		return false;
	w.left = k->out[0].count;
	walk_copy(&w, a, bytes);
	return true;
}

/* ---- Concat and Split ---- */

/* The products of the dims before an axis, and from it on. */
static void block_sizes(const struct array *a, uint32_t axis, uint64_t *out_before,
			uint64_t *out_from)
{
	*out_before = *out_from = 1;
	for (uint32_t i = 0; i < a->rank; i++)
		*(i < axis ? out_before : out_from) *= (uint64_t)a->dims[i];
}

/* Do all dims but one agree? */
static bool concat_fits(const struct array *a, const struct array *b, uint32_t axis)
{
	if (a->elem != b->elem || a->rank != b->rank)
		return false;
	for (uint32_t i = 0; i < a->rank; i++) {
		if (i != axis && a->dims[i] != b->dims[i])
			return false;
	}
	return true;
}

bool kernel_concat(struct kernel_call *k)
{
	const struct array *first = k->in[0];
	size_t width = array_width(first->elem), row = 0, done = 0;
	int64_t dims[ARRAY_MAX_RANK];
	uint64_t before, from;
	unsigned char *bytes;
	uint32_t axis;

	if (!kernel_axis_attr(k, k->version < 4 ? 1 : INT64_MAX, first->rank, &axis))
		return false;
	for (uint32_t i = 0; i < first->rank; i++)
		dims[i] = i == axis ? 0 : first->dims[i];
	for (uint32_t i = 0; i < k->in_count; i++) {
		if (!k->in[i] || !concat_fits(first, k->in[i], axis) ||
		    !num_iadd(dims[axis], k->in[i]->dims[axis], &dims[axis]))
			return false;
	}
	bytes = kernel_out(k, 0, first->elem, dims, first->rank);
	if (!bytes)
		return false;
	if (k->out[0].count == 0)
		return true;
	block_sizes(&k->out[0], axis, &before, &from);
	row = (size_t)from * width;
	for (uint32_t i = 0; i < k->in_count; i++) {
		block_sizes(k->in[i], axis, &before, &from);
		for (size_t b = 0; b < before; b++)
			memcpy(bytes + b * row + done, k->in[i]->bytes + b * (size_t)from * width,
			       (size_t)from * width);
		done += (size_t)from * width;
	}
	return true;
}

/* The sizes of the parts: given, or equal, with a shorter last one. */
static bool split_sizes(const struct kernel_call *k, int64_t size, struct ints *out)
{
	int64_t parts = k->out_count, part, sum = 0;

	if (!kernel_either_ints(k, "split", 1, out))
		return false;
	if (!out->given) {
		if (parts > (int64_t)ARRAY_LEN(out->at))
			return false;
		part = (size + parts - 1) / parts;
		if (size % parts && k->version < 18)
			return false;
		out->count = k->out_count;
		for (int64_t i = 0; i < parts; i++)
			out->at[i] = MAX(MIN(part, size - i * part), 0);
	}
	for (uint32_t i = 0; i < out->count; i++) {
		if (out->at[i] < 0 || !num_iadd(sum, out->at[i], &sum))
			return false;
	}
	return sum == size && out->count == k->out_count;
}

bool kernel_split(struct kernel_call *k)
{
	const struct array *a = k->in[0];
	size_t width = array_width(a->elem), done = 0;
	int64_t dims[ARRAY_MAX_RANK];
	uint64_t before, from, part;
	struct ints sizes;
	uint32_t axis;

	if (!kernel_axis_attr(k, 0, a->rank, &axis) || !split_sizes(k, a->dims[axis], &sizes))
		return false;
	for (uint32_t i = 0; i < a->rank; i++)
		dims[i] = a->dims[i];
	block_sizes(a, axis, &before, &from);
	for (uint32_t i = 0; i < sizes.count; i++) {
		unsigned char *bytes;

		dims[axis] = sizes.at[i];
		bytes = kernel_out(k, i, a->elem, dims, a->rank);
		if (!bytes)
			return false;
		if (k->out[i].count == 0)
			continue;
		block_sizes(&k->out[i], axis, &before, &part);
		for (size_t b = 0; b < before; b++)
			memcpy(bytes + b * (size_t)part * width,
			       a->bytes + b * (size_t)from * width + done, (size_t)part * width);
		done += (size_t)part * width;
	}
	return true;
}
