#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/err.h"
#include "flow/array.h"
#include "flow/budget.h"
#include "flow/kernel/kernel.h"
#include "flow/number.h"
#include "ir/element.h"
#include "ir/graph.h"
#include "ir/tensor.h"
#include "ir/type.h"

/* Kernels that make elements from attributes and sizes. */

static bool constant_tensor(struct kernel_call *k, uint32_t tensor, struct array *out)
{
	const struct tensor *t = &k->model->tensors.at[tensor];
	uint64_t count;

	return !t->rank_lost && array_count(t->dims, t->rank, &count) &&
	       budget_elements(k->budget, count) && array_read(k->model, tensor, k->arena, out);
}

static bool constant_one(struct kernel_call *k, int32_t elem, union number n)
{
	unsigned char *bytes = kernel_out(k, 0, elem, NULL, 0);

	if (bytes)
		number_store(elem, bytes, 0, n);
	return bytes;
}

static bool constant_list(struct kernel_call *k, const struct attr *a)
{
	enum {
		LONGEST = 1 << 16
	};
	int32_t elem = attr_list_elem(a);
	struct tensor_reader r;
	struct scalar *some = must_alloc(LONGEST * sizeof(*some));
	unsigned char *bytes = NULL;
	struct err err;
	size_t got = 0;
	int64_t dim;

	tensor_reader_list(&r, &k->model->bytes, &a->list, elem);
	if (tensor_reader_next(&r, some, LONGEST, &got, &err) && got < LONGEST) {
		dim = (int64_t)got;
		bytes = kernel_out(k, 0, elem, &dim, 1);
	}
	tensor_reader_release(&r);
	for (size_t i = 0; bytes && i < got; i++)
		number_store(elem, bytes, i,
			     elem == ELEM_INT64 ? (union number){.i = some[i].i}
						: (union number){.f = some[i].f});
	free(some);
	return bytes;
}

bool kernel_constant(struct kernel_call *k)
{
	const struct attr *a = k->node->attr_count == 1 ? &k->node->attrs[0] : NULL;

	if (!a)
		return false;
	switch (a->kind) {
	case ATTR_TENSOR:
		return constant_tensor(k, a->tensor, &k->out[0]);
	case ATTR_INT:
		return constant_one(k, ELEM_INT64, (union number){.i = a->i});
	case ATTR_FLOAT:
		return constant_one(k, ELEM_FLOAT32, (union number){.f = (double)a->f});
	case ATTR_INTS:
	case ATTR_FLOATS:
		return constant_list(k, a);
	default:
		return false;
	}
}

/* Repeats the element that `bytes` begins with. */
static void make_fill(unsigned char *bytes, size_t width, uint64_t count)
{
	for (uint64_t i = 1; i < count; i++)
		memcpy(bytes + i * width, bytes, width);
}

bool kernel_constant_of_shape(struct kernel_call *k)
{
	const struct attr *value = node_attr(k->model, k->node, "value");
	struct array one = {.elem = ELEM_FLOAT32};
	unsigned char *bytes;
	struct ints shape;

	if (!kernel_input_ints(k, 0, &shape))
		return false;
	if (value && (value->kind != ATTR_TENSOR || !constant_tensor(k, value->tensor, &one) ||
		      one.count != 1))
		return false;
	bytes = kernel_out(k, 0, one.elem, shape.at, shape.count);
	if (bytes && value && k->out[0].count) {
		memcpy(bytes, one.bytes, array_width(one.elem));
		make_fill(bytes, array_width(one.elem), k->out[0].count);
	}
	return bytes;
}

/* ---- Range ---- */

static bool range_count(int32_t elem, const union number *in, int64_t *out)
{
	double steps;

	if (elem_info(elem)->class == ELEM_CLASS_FLOAT) {
		steps = ceil((in[1].f - in[0].f) / in[2].f);
		if (!(steps < ARRAY_MAX_COUNT))
			return false;
		*out = steps > 0 ? (int64_t)steps : 0;
		return in[2].f != 0;
	}
	if (in[2].i == 0)
		return false;
	*out = 0;
	if (in[2].i > 0 && in[1].i > in[0].i)
		*out = (int64_t)MIN(((uint64_t)in[1].i - (uint64_t)in[0].i - 1) / in[2].u,
				    INT64_MAX - 1) +
		       1;
	else if (in[2].i < 0 && in[1].i < in[0].i)
		*out = (int64_t)MIN(((uint64_t)in[0].i - (uint64_t)in[1].i - 1) / (0 - in[2].u),
				    INT64_MAX - 1) +
		       1;
	return true;
}

bool kernel_range(struct kernel_call *k)
{
	int32_t elem = k->in[0]->elem;
	bool is_float = elem_info(elem)->class == ELEM_CLASS_FLOAT;
	union number in[3], n;
	unsigned char *bytes;
	int64_t count;

	for (uint32_t i = 0; i < 3; i++) {
		if (k->in[i]->count != 1 || k->in[i]->elem != elem)
			return false;
		in[i] = number_load(elem, k->in[i]->bytes, 0);
	}
	if ((!is_float && elem_info(elem)->class != ELEM_CLASS_SIGNED) || !number_storable(elem) ||
	    !range_count(elem, in, &count))
		return false;
	bytes = kernel_out(k, 0, elem, &count, 1);
	n = in[0];
	for (int64_t i = 0; bytes && i < count; i++) {
		if (is_float)
			n.f = in[0].f + (double)i * in[2].f;
		else
			n.u = in[0].u + (uint64_t)i * in[2].u;
		number_store(elem, bytes, (uint64_t)i, n);
	}
	return bytes;
}

/* ---- matrices ---- */

bool kernel_eye_like(struct kernel_call *k)
{
	const struct array *a = k->in[0];
	int64_t to = kernel_int(k, "dtype", a->elem), shift = kernel_int(k, "k", 0);
	int32_t elem = to > 0 && to < ELEM_COUNT ? (int32_t)to : 0;
	union number one = {.u = 1};
	unsigned char *bytes;

	if (a->rank != 2 || !number_storable(elem))
		return false;
	if (elem_info(elem)->class == ELEM_CLASS_FLOAT)
		one.f = 1;
	bytes = kernel_out(k, 0, elem, a->dims, 2);
	for (int64_t i = 0; bytes && i < a->dims[0]; i++) {
		int64_t column;

		if (!__builtin_add_overflow(i, shift, &column) && column >= 0 &&
		    column < a->dims[1])
			number_store(elem, bytes, (uint64_t)(i * a->dims[1] + column), one);
	}
	return bytes;
}

bool kernel_trilu(struct kernel_call *k)
{
	const struct array *a = k->in[0], *by = kernel_in(k, 1);
	bool upper = kernel_int(k, "upper", 1);
	size_t width = array_width(a->elem);
	unsigned char *bytes;
	int64_t shift = 0, rows, columns;

	if (a->rank < 2 || (by && (by->count != 1 || !array_int(by, 0, &shift))))
		return false;
	rows = a->dims[a->rank - 2];
	columns = a->dims[a->rank - 1];
	shift = MIN(MAX(shift, -rows - 1), columns + 1);
	bytes = kernel_out(k, 0, a->elem, a->dims, a->rank);
	for (uint64_t i = 0; bytes && i < a->count; i++) {
		int64_t row = (int64_t)(i / (uint64_t)columns) % rows;
		int64_t column = (int64_t)(i % (uint64_t)columns);

		if (upper ? column >= row + shift : column <= row + shift)
			memcpy(bytes + i * width, a->bytes + i * width, width);
	}
	return bytes;
}
