#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/sv.h"
#include "flow/array.h"
#include "flow/budget.h"
#include "flow/kernel/kernel.h"
#include "ir/element.h"
#include "ir/graph.h"
#include "ir/tensor.h"
#include "ir/type.h"

static const struct kernel kernel_table[] = {
#define KERNEL(name, min, max, function, ...) {#name, min, max, function, __VA_ARGS__},
#define VARIES(name)                          {#name, 0, 0, NULL, 0},
#include "flow/kernel/kernels.def"
};

const struct kernel *kernel_row(uint32_t i)
{
	return i < ARRAY_LEN(kernel_table) ? &kernel_table[i] : NULL;
}

const struct array *kernel_in(const struct kernel_call *k, uint32_t input)
{
	return input < k->in_count ? k->in[input] : NULL;
}

bool kernel_has(const struct kernel_call *k, const char *name)
{
	return node_attr(k->model, k->node, name);
}

int64_t kernel_int(const struct kernel_call *k, const char *name, int64_t otherwise)
{
	const struct attr *a = node_attr(k->model, k->node, name);

	return a && a->kind == ATTR_INT ? a->i : otherwise;
}

double kernel_float(const struct kernel_call *k, const char *name, double otherwise)
{
	const struct attr *a = node_attr(k->model, k->node, name);

	return a && a->kind == ATTR_FLOAT ? (double)a->f : otherwise;
}

struct sv kernel_text(const struct kernel_call *k, const char *name)
{
	const struct attr *a = node_attr(k->model, k->node, name);

	return a && a->kind == ATTR_STRING ? a->text : SV("");
}

bool kernel_attr_ints(const struct kernel_call *k, const char *name, struct ints *out)
{
	const struct attr *a = node_attr(k->model, k->node, name);
	struct tensor_reader r;
	struct scalar some[ARRAY_LEN(out->at) + 1];
	struct err err;
	size_t got = 0;
	bool ok;

	*out = (struct ints){.given = a};
	if (!a)
		return true;
	if (a->kind != ATTR_INTS)
		return false;
	tensor_reader_list(&r, &k->model->bytes, &a->list, ELEM_INT64);
	ok = tensor_reader_next(&r, some, ARRAY_LEN(some), &got, &err);
	tensor_reader_release(&r);
	if (!ok || got > ARRAY_LEN(out->at))
		return false;
	out->count = (uint32_t)got;
	for (size_t i = 0; i < got; i++)
		out->at[i] = some[i].i;
	return true;
}

bool kernel_input_ints(const struct kernel_call *k, uint32_t input, struct ints *out)
{
	const struct array *a = kernel_in(k, input);

	*out = (struct ints){.given = a};
	if (!a)
		return true;
	if (a->rank > 1 || a->count > ARRAY_LEN(out->at))
		return false;
	out->count = (uint32_t)a->count;
	for (uint32_t i = 0; i < out->count; i++) {
		if (!array_int(a, i, &out->at[i]))
			return false;
	}
	return true;
}

bool kernel_either_ints(const struct kernel_call *k, const char *name, uint32_t input,
			struct ints *out)
{
	if (kernel_in(k, input))
		return kernel_input_ints(k, input, out);
	return kernel_attr_ints(k, name, out);
}

bool kernel_axis(int64_t axis, uint32_t rank, uint32_t *out)
{
	if (axis < -(int64_t)rank || axis >= (int64_t)rank)
		return false;
	*out = (uint32_t)(axis < 0 ? axis + (int64_t)rank : axis);
	return true;
}

bool kernel_axes(const struct ints *axes, uint32_t rank, bool *marks)
{
	memset(marks, 0, rank * sizeof(*marks));
	for (uint32_t i = 0; i < axes->count; i++) {
		uint32_t axis;

		if (!kernel_axis(axes->at[i], rank, &axis) || marks[axis])
			return false;
		marks[axis] = true;
	}
	return true;
}

bool kernel_axis_attr(const struct kernel_call *k, int64_t otherwise, uint32_t rank, uint32_t *out)
{
	return kernel_axis(kernel_int(k, "axis", otherwise), rank, out);
}

bool kernel_work(struct kernel_call *k, uint64_t steps)
{
	return budget_work(k->budget, steps);
}

unsigned char *kernel_array(struct kernel_call *k, struct array *out, int32_t elem,
			    const int64_t *dims, uint32_t rank)
{
	struct array a = {.elem = elem, .rank = rank};
	size_t width = array_width(elem);
	unsigned char *bytes;
	int64_t *copy;

	if (!width || !array_count(dims, rank, &a.count) || !budget_elements(k->budget, a.count) ||
	    !kernel_work(k, a.count))
		return NULL;
	copy = arena_array(k->arena, MAX(rank, 1), int64_t);
	for (uint32_t i = 0; i < rank; i++)
		copy[i] = dims[i];
	bytes = arena_zero(k->arena, MAX((size_t)a.count, 1), width);
	a.dims = copy;
	a.bytes = bytes;
	*out = a;
	return bytes;
}

unsigned char *kernel_out(struct kernel_call *k, uint32_t output, int32_t elem, const int64_t *dims,
			  uint32_t rank)
{
	return output < k->out_count ? kernel_array(k, &k->out[output], elem, dims, rank) : NULL;
}

bool kernel_share(struct kernel_call *k, const struct array *a, const int64_t *dims, uint32_t rank)
{
	uint64_t count;
	int64_t *copy;

	if (!array_count(dims, rank, &count) || count != a->count)
		return false;
	copy = arena_array(k->arena, MAX(rank, 1), int64_t);
	for (uint32_t i = 0; i < rank; i++)
		copy[i] = dims[i];
	k->out[0] = (struct array){
		.elem = a->elem, .rank = rank, .dims = copy, .count = count, .bytes = a->bytes};
	return true;
}
