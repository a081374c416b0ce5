#include <string.h>

#include "base/sv.h"
#include "flow/array.h"
#include "flow/kernel/kernel.h"
#include "flow/number.h"
#include "ir/type.h"

static const struct point_row point_rows[POINT_COUNT] = {
#define POINT(id, function, ...) [POINT_##id] = {.apply = function, __VA_ARGS__},
#include "flow/kernel/points.def"
};

bool point_allows(unsigned classes, int32_t elem)
{
	if (!number_storable(elem))
		return false;
	switch (elem_info(elem)->class) {
	case ELEM_CLASS_FLOAT:
		return classes & POINT_FLOATS;
	case ELEM_CLASS_SIGNED:
	case ELEM_CLASS_UNSIGNED:
		return classes & POINT_INTS;
	case ELEM_CLASS_BOOL:
		return classes & POINT_BOOLS;
	case ELEM_CLASS_NONE:
	case ELEM_CLASS_COMPLEX:
	case ELEM_CLASS_STRING:
	case ELEM_CLASS_COUNT:
		break;
	}
	return false;
}

static double point_parameter(const struct kernel_call *k, const char *name, double otherwise)
{
	int64_t i = name ? kernel_int(k, name, -1) : -1;

	return i >= 0 ? (double)i : name ? kernel_float(k, name, otherwise) : otherwise;
}

static struct point point_of(const struct kernel_call *k, const struct point_row *row,
			     const struct array *a, const struct array *b)
{
	const struct elem_info *info = elem_info(a->elem);
	struct point p = {
		.elem = a->elem,
		.class = info->class,
		.bits = info->bits,
		.alpha = point_parameter(k, row->alpha, row->alpha_default),
		.beta = point_parameter(k, row->beta, row->beta_default),
	};

	if (b)
		p.other = elem_info(b->elem)->class;
	if (row->mode_text)
		p.mode = sv_is(kernel_text(k, row->mode), row->mode_text);
	else if (row->mode)
		p.mode = kernel_int(k, row->mode, 0);
	return p;
}

bool point_apply(struct kernel_call *k, enum point_id id, const struct array *a,
		 const struct array *b, struct array *out)
{
	const struct point_row *row = &point_rows[id];
	const struct array *const both[] = {a, b};
	struct point p = point_of(k, row, a, b);
	int32_t elem = row->is_test ? ELEM_BOOL : a->elem;
	int64_t dims[ARRAY_MAX_RANK];
	unsigned char *bytes;
	uint32_t rank;
	struct walk w;

	if (!point_allows(row->classes, a->elem) || !walk_broadcast(both, b ? 2 : 1, dims, &rank))
		return false;
	bytes = kernel_array(k, out, elem, dims, rank);
	if (!bytes)
		return false;
	walk_init(&w, dims, rank, out->count);
	walk_operand(&w, 0, a);
	if (b)
		walk_operand(&w, 1, b);
	for (uint64_t i = 0; w.left; walk_next(&w), i++) {
		union number in[2] = {number_load(a->elem, a->bytes, (uint64_t)w.at[0])};
		union number result;

		if (b)
			in[1] = number_load(b->elem, b->bytes, (uint64_t)w.at[1]);
		if (!row->apply(&p, in, &result))
			return false;
		number_store(elem, bytes, i, result);
	}
	return true;
}

static bool same_dims(const struct array *a, const struct array *b)
{
	if (a->rank != b->rank)
		return false;
	for (uint32_t i = 0; i < a->rank; i++) {
		if (a->dims[i] != b->dims[i])
			return false;
	}
	return true;
}

bool kernel_unary(struct kernel_call *k)
{
	return point_apply(k, (enum point_id)k->argument, k->in[0], NULL, &k->out[0]);
}

/* Before version 7 operands were broadcast by attributes. */
bool kernel_binary(struct kernel_call *k)
{
	enum {
		SINCE_BROADCAST = 7
	};
	const struct array *a = k->in[0], *b = k->in[1];

	if (a->elem != b->elem && k->argument != POINT_POW)
		return false;
	if (!point_allows(POINT_ANY, b->elem) || (k->version < SINCE_BROADCAST && !same_dims(a, b)))
		return false;
	return point_apply(k, (enum point_id)k->argument, a, b, &k->out[0]);
}

static bool mean_divide(struct kernel_call *k, struct array *sum)
{
	unsigned char *bytes;

	if (!point_allows(POINT_FLOATS, sum->elem))
		return false;
	bytes = kernel_out(k, 0, sum->elem, sum->dims, sum->rank);
	if (!bytes)
		return false;
	for (uint64_t i = 0; i < sum->count; i++) {
		union number n = number_load(sum->elem, sum->bytes, i);

		n.f /= k->in_count;
		number_store(sum->elem, bytes, i, n);
	}
	return true;
}

/* Sum, Min, Max and Mean of any number of operands; each step is rounded. */
static bool point_variadic(struct kernel_call *k, enum point_id id)
{
	struct array sum = *k->in[0];

	for (uint32_t i = 1; i < k->in_count; i++) {
		struct array next;

		if (!k->in[i] || k->in[i]->elem != sum.elem ||
		    !point_apply(k, id, &sum, k->in[i], &next))
			return false;
		sum = next;
	}
	k->out[0] = sum;
	return point_allows(POINT_NUMBERS, sum.elem);
}

bool kernel_variadic(struct kernel_call *k)
{
	return point_variadic(k, (enum point_id)k->argument);
}

bool kernel_mean(struct kernel_call *k)
{
	struct array sum;

	if (!point_variadic(k, POINT_ADD))
		return false;
	sum = k->out[0];
	return mean_divide(k, &sum);
}

bool kernel_where(struct kernel_call *k)
{
	const struct array *a = k->in[1], *b = k->in[2];
	size_t width = array_width(a->elem);
	int64_t dims[ARRAY_MAX_RANK];
	unsigned char *bytes;
	uint32_t rank;
	struct walk w;

	if (k->in[0]->elem != ELEM_BOOL || a->elem != b->elem ||
	    !walk_broadcast(k->in, 3, dims, &rank))
		return false;
	bytes = kernel_out(k, 0, a->elem, dims, rank);
	if (!bytes)
		return false;
	walk_init(&w, dims, rank, k->out[0].count);
	for (uint32_t i = 0; i < 3; i++)
		walk_operand(&w, i, k->in[i]);
	for (; w.left; walk_next(&w), bytes += width) {
		bool first = k->in[0]->bytes[w.at[0]];

		memcpy(bytes,
		       first ? a->bytes + (size_t)w.at[1] * width
			     : b->bytes + (size_t)w.at[2] * width,
		       width);
	}
	return true;
}

/* A limit of Clip: an input from version 11 on, before that an attribute. */
static bool clip_limit(const struct kernel_call *k, const char *name, uint32_t input,
		       union number *out, bool *given)
{
	const struct array *a = kernel_in(k, input);
	int32_t elem = k->in[0]->elem;

	*given = a || kernel_has(k, name);
	if (a) {
		if (a->elem != elem || a->count != 1)
			return false;
		*out = number_load(elem, a->bytes, 0);
	} else if (*given) {
		out->f = kernel_float(k, name, 0);
		return elem_info(elem)->class == ELEM_CLASS_FLOAT;
	}
	return true;
}

bool kernel_clip(struct kernel_call *k)
{
	const struct array *a = k->in[0];
	struct point p = {.elem = a->elem, .class = elem_info(a->elem)->class};
	union number low = {0}, high = {0};
	bool has_low, has_high;
	unsigned char *bytes;

	if (!point_allows(POINT_NUMBERS, a->elem) || !clip_limit(k, "min", 1, &low, &has_low) ||
	    !clip_limit(k, "max", 2, &high, &has_high))
		return false;
	bytes = kernel_out(k, 0, a->elem, a->dims, a->rank);
	for (uint64_t i = 0; bytes && i < a->count; i++) {
		union number n = number_load(a->elem, a->bytes, i);

		if (has_low)
			point_max(&p, (union number[]){n, low}, &n);
		if (has_high)
			point_min(&p, (union number[]){n, high}, &n);
		number_store(a->elem, bytes, i, n);
	}
	return bytes;
}
