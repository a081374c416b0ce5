#include <math.h>

#include "flow/array.h"
#include "flow/kernel/kernel.h"
#include "flow/number.h"
#include "ir/type.h"

/*
 * False when a float is not in the range of the integer type: machines differ there.  Only what
 * is below a signed type, as the logarithm of 0, becomes its least number on all of them.
 */
static bool cast_to_integer(double x, const struct elem_info *to, union number *out)
{
	bool has_sign = to->class == ELEM_CLASS_SIGNED;
	double high = ldexp(1, (int)to->bits - has_sign);

	x = trunc(x);
	if (has_sign && x < -high)
		x = -high;
	if (!(x >= (has_sign ? -high : 0) && x < high))
		return false;
	if (has_sign)
		out->i = (int64_t)x;
	else
		out->u = (uint64_t)x;
	return true;
}

/* Through float, as ONNX Runtime does, except to double. */
static double cast_to_float(union number n, enum elem_class from, int32_t to)
{
	if (from == ELEM_CLASS_SIGNED)
		return to == ELEM_FLOAT64 ? (double)n.i : (double)(float)n.i;
	return to == ELEM_FLOAT64 ? (double)n.u : (double)(float)n.u;
}

static bool cast_number(union number n, enum elem_class from, int32_t to, union number *out)
{
	const struct elem_info *info = elem_info(to);
	bool is_float = from == ELEM_CLASS_FLOAT;

	*out = n;
	if (info->class == ELEM_CLASS_BOOL)
		out->u = is_float ? n.f != 0 : n.u != 0;
	else if (info->class == ELEM_CLASS_FLOAT && !is_float)
		out->f = cast_to_float(n, from, to);
	else if (info->class != ELEM_CLASS_FLOAT && is_float)
		return cast_to_integer(n.f, info, out);
	return true;
}

static bool cast_array(struct kernel_call *k, int32_t to)
{
	const struct array *a = k->in[0];
	enum elem_class from = elem_info(a->elem)->class;
	unsigned char *bytes;

	if (a->elem == to)
		return kernel_share(k, a, a->dims, a->rank);
	if (!number_storable(to))
		return false;
	bytes = kernel_out(k, 0, to, a->dims, a->rank);
	for (uint64_t i = 0; bytes && i < a->count; i++) {
		union number n;

		if (!cast_number(number_load(a->elem, a->bytes, i), from, to, &n))
			return false;
		number_store(to, bytes, i, n);
	}
	return bytes;
}

bool kernel_cast(struct kernel_call *k)
{
	int64_t to = kernel_int(k, "to", 0);

	return to > 0 && to < ELEM_COUNT && cast_array(k, (int32_t)to);
}

bool kernel_cast_like(struct kernel_call *k)
{
	return cast_array(k, k->in[1]->elem);
}
