#include <math.h>
#include <string.h>

#include "flow/array.h"
#include "flow/kernel/kernel.h"
#include "flow/number.h"
#include "ir/type.h"

static bool is_nonzero(const struct array *a, uint64_t i)
{
	union number n = number_load(a->elem, a->bytes, i);

	return elem_info(a->elem)->class == ELEM_CLASS_FLOAT ? n.f != 0 : n.u != 0;
}

bool kernel_nonzero(struct kernel_call *k)
{
	const struct array *a = k->in[0];
	int64_t dims[2] = {a->rank, 0};
	unsigned char *bytes;
	uint64_t found = 0;
	struct walk w;

	if (a->rank == 0 || !kernel_work(k, a->count))
		return false;
	for (uint64_t i = 0; i < a->count; i++)
		dims[1] += is_nonzero(a, i);
	bytes = kernel_out(k, 0, ELEM_INT64, dims, 2);
	walk_init(&w, a->dims, a->rank, a->count);
	for (uint64_t i = 0; bytes && w.left; walk_next(&w), i++) {
		if (!is_nonzero(a, i))
			continue;
		for (uint32_t axis = 0; axis < a->rank; axis++)
			number_store(ELEM_INT64, bytes, axis * (uint64_t)dims[1] + found,
				     (union number){.i = w.index[axis]});
		found++;
	}
	return bytes;
}

/* An index or a depth: an integer, or a float that is cut to one. */
static bool one_hot_number(const struct array *a, uint64_t i, int64_t *out)
{
	double x;

	if (array_int(a, i, out))
		return true;
	x = trunc(array_real(a, i));
	if (!(fabs(x) < 0x1p62))
		return false;
	*out = (int64_t)x;
	return true;
}

bool kernel_one_hot(struct kernel_call *k)
{
	const struct array *a = k->in[0], *values = k->in[2];
	size_t width = array_width(values->elem);
	int64_t dims[ARRAY_MAX_RANK + 1], depth, at;
	unsigned char *bytes;
	uint64_t step = 1;
	uint32_t axis;

	if (k->in[1]->count != 1 || !one_hot_number(k->in[1], 0, &depth) || depth <= 0 ||
	    values->rank != 1 || values->count != 2 || !kernel_axis_attr(k, -1, a->rank + 1, &axis))
		return false;
	for (uint32_t i = 0; i <= a->rank; i++)
		dims[i] = i == axis ? depth : a->dims[i - (i > axis)];
	bytes = kernel_out(k, 0, values->elem, dims, a->rank + 1);
	if (!bytes)
		return false;
	for (uint64_t i = 0; i < k->out[0].count; i++)
		memcpy(bytes + i * width, values->bytes, width);
	for (uint32_t i = axis; i < a->rank; i++)
		step *= (uint64_t)a->dims[i];
	for (uint64_t i = 0; i < a->count; i++) {
		if (!one_hot_number(a, i, &at))
			return false;
		if (at < -depth || at >= depth)
			continue;
		at = at < 0 ? at + depth : at;
		memcpy(bytes + ((i / step * (uint64_t)depth + (uint64_t)at) * step + i % step) *
				       width,
		       values->bytes + width, width);
	}
	return true;
}
