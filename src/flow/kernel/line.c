#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "flow/array.h"
#include "flow/kernel/kernel.h"
#include "flow/number.h"
#include "ir/type.h"

/* Kernels that work along one axis: an array is lines of elements `step` apart. */
struct lines {
	uint64_t before;
	uint64_t size;
	uint64_t step;
};

static bool lines_init(struct lines *l, const struct array *a, uint32_t axis, uint32_t axes)
{
	*l = (struct lines){1, 1, 1};
	for (uint32_t i = 0; i < a->rank; i++) {
		uint64_t *part = i < axis ? &l->before : i < axis + axes ? &l->size : &l->step;

		*part *= (uint64_t)a->dims[i];
	}
	return a->count;
}

/* The number of lines, and the first element of one. */
static uint64_t lines_count(const struct lines *l)
{
	return l->before * l->step;
}

static uint64_t lines_first(const struct lines *l, uint64_t line)
{
	return line / l->step * l->size * l->step + line % l->step;
}

bool kernel_cumsum(struct kernel_call *k)
{
	const struct array *a = k->in[0];
	bool exclusive = kernel_int(k, "exclusive", 0), reverse = kernel_int(k, "reverse", 0);
	struct point p = {.elem = a->elem, .class = elem_info(a->elem)->class};
	unsigned char *bytes;
	struct lines l;
	int64_t number;
	uint32_t axis;

	if (k->in[1]->count != 1 || !array_int(k->in[1], 0, &number) ||
	    !kernel_axis(number, a->rank, &axis) || !point_allows(POINT_NUMBERS, a->elem))
		return false;
	bytes = kernel_out(k, 0, a->elem, a->dims, a->rank);
	if (!bytes || !lines_init(&l, a, axis, 1))
		return bytes;
	for (uint64_t line = 0; line < lines_count(&l); line++) {
		union number both[2] = {{0}};

		for (uint64_t i = 0; i < l.size; i++) {
			uint64_t at = lines_first(&l, line) +
				      (reverse ? l.size - 1 - i : i) * l.step;

			both[1] = number_load(a->elem, a->bytes, at);
			if (exclusive)
				number_store(a->elem, bytes, at, both[0]);
			point_add(&p, both, &both[0]);
			both[0] = number_round(a->elem, both[0]);
			if (!exclusive)
				number_store(a->elem, bytes, at, both[0]);
		}
	}
	return true;
}

/* ---- Softmax ---- */

static void softmax_line(const struct array *a, unsigned char *bytes, const struct lines *l,
			 uint64_t first, bool is_log)
{
	double top = -INFINITY, sum = 0;
	union number n;

	/* Ignores NaN, as fmax does, with which gcc 12 dies on aarch64. */
	for (uint64_t i = 0; i < l->size; i++) {
		double x = number_load(a->elem, a->bytes, first + i * l->step).f;

		top = x > top ? x : top;
	}
	for (uint64_t i = 0; i < l->size; i++)
		sum += exp(number_load(a->elem, a->bytes, first + i * l->step).f - top);
	for (uint64_t i = 0; i < l->size; i++) {
		double x = number_load(a->elem, a->bytes, first + i * l->step).f - top;

		n.f = is_log ? x - log(sum) : exp(x) / sum;
		number_store(a->elem, bytes, first + i * l->step, n);
	}
}

/* Before version 13 all axes from this one on are one. */
bool kernel_softmax(struct kernel_call *k)
{
	const struct array *a = k->in[0];
	bool one = k->version >= 13;
	unsigned char *bytes;
	struct lines l;
	uint32_t axis;

	if (!point_allows(POINT_FLOATS, a->elem) ||
	    !kernel_axis_attr(k, one ? -1 : 1, a->rank, &axis))
		return false;
	bytes = kernel_out(k, 0, a->elem, a->dims, a->rank);
	if (!bytes || !lines_init(&l, a, axis, one ? 1 : a->rank - axis))
		return bytes;
	for (uint64_t line = 0; line < lines_count(&l); line++)
		softmax_line(a, bytes, &l, lines_first(&l, line), k->argument);
	return true;
}

/* ---- largest and smallest ---- */

static bool line_before(const struct point *p, union number a, union number b, bool largest)
{
	union number both[2] = {a, b}, result;

	return (largest ? point_greater : point_less)(p, both, &result) && result.u;
}

/* Of the elements that are not taken; with `last`, the last of equal ones. */
static uint64_t line_best(const struct array *a, const struct lines *l, uint64_t first,
			  bool largest, bool last, const bool *taken)
{
	struct point p = {.elem = a->elem, .class = elem_info(a->elem)->class};
	uint64_t best = UINT64_MAX;
	union number so_far = {0};

	for (uint64_t i = 0; i < l->size; i++) {
		union number n;

		if (taken && taken[i])
			continue;
		n = number_load(a->elem, a->bytes, first + i * l->step);
		if (best == UINT64_MAX || line_before(&p, n, so_far, largest) ||
		    (last && !line_before(&p, so_far, n, largest))) {
			best = i;
			so_far = n;
		}
	}
	return best;
}

static bool line_has_nan(const struct array *a)
{
	if (elem_info(a->elem)->class != ELEM_CLASS_FLOAT)
		return false;
	for (uint64_t i = 0; i < a->count; i++) {
		if (isnan(number_load(a->elem, a->bytes, i).f))
			return true;
	}
	return false;
}

/* The argument of the row: the largest, not the smallest. */
bool kernel_arg_best(struct kernel_call *k)
{
	const struct array *a = k->in[0];
	bool keep = kernel_int(k, "keepdims", 1), last = kernel_int(k, "select_last_index", 0);
	int64_t dims[ARRAY_MAX_RANK];
	unsigned char *bytes;
	uint32_t axis, rank = 0;
	struct lines l;

	if (!kernel_axis_attr(k, 0, a->rank, &axis) || a->dims[axis] == 0 ||
	    !point_allows(POINT_NUMBERS, a->elem) || !kernel_work(k, a->count) || line_has_nan(a))
		return false;
	for (uint32_t i = 0; i < a->rank; i++) {
		if (keep || i != axis)
			dims[rank++] = i == axis ? 1 : a->dims[i];
	}
	bytes = kernel_out(k, 0, ELEM_INT64, dims, rank);
	if (!bytes || !lines_init(&l, a, axis, 1))
		return bytes;
	for (uint64_t line = 0; line < lines_count(&l); line++) {
		uint64_t best = line_best(a, &l, lines_first(&l, line), k->argument, last, NULL);

		number_store(ELEM_INT64, bytes, line, (union number){.u = best});
	}
	return true;
}

static bool topk_count(const struct kernel_call *k, int64_t size, int64_t *out)
{
	const struct array *count = kernel_in(k, 1);

	*out = kernel_int(k, "k", -1);
	if (count && (count->count != 1 || !array_int(count, 0, out)))
		return false;
	return *out >= 0 && *out <= size;
}

/* Among equal ones the first comes first.  Unsorted, the order is not defined. */
bool kernel_topk(struct kernel_call *k)
{
	const struct array *a = k->in[0];
	bool largest = kernel_int(k, "largest", 1);
	int64_t dims[ARRAY_MAX_RANK], count;
	unsigned char *values, *places;
	struct lines l, to;
	bool *taken;
	uint32_t axis;

	if (!kernel_axis_attr(k, -1, a->rank, &axis) || !kernel_int(k, "sorted", 1) ||
	    !topk_count(k, a->dims[axis], &count) || !point_allows(POINT_NUMBERS, a->elem) ||
	    !kernel_work(k, a->count * (uint64_t)(count + 1)) || line_has_nan(a))
		return false;
	memcpy(dims, a->dims, a->rank * sizeof(*dims));
	dims[axis] = count;
	values = kernel_out(k, 0, a->elem, dims, a->rank);
	places = kernel_out(k, 1, ELEM_INT64, dims, a->rank);
	if (!values || !places || !lines_init(&to, &k->out[0], axis, 1) ||
	    !lines_init(&l, a, axis, 1))
		return values && places;
	taken = must_alloc(l.size);
	for (uint64_t line = 0; line < lines_count(&l); line++) {
		memset(taken, 0, l.size);
		for (uint64_t i = 0; i < to.size; i++) {
			uint64_t first = lines_first(&l, line),
				 at = lines_first(&to, line) + i * to.step;
			uint64_t best = line_best(a, &l, first, largest, false, taken);

			taken[best] = true;
			number_store(a->elem, values, at,
				     number_load(a->elem, a->bytes, first + best * l.step));
			number_store(ELEM_INT64, places, at, (union number){.u = best});
		}
	}
	free(taken);
	return true;
}
