#include <math.h>
#include <stdlib.h>

#include "base/bug.h"
#include "flow/array.h"
#include "flow/kernel/kernel.h"
#include "flow/number.h"
#include "ir/type.h"

struct reduce_row {
	unsigned classes;
	bool of_none; /* has a result when nothing is reduced */
	bool plain;   /* of one element it is that element */
};

static const struct reduce_row reduce_rows[REDUCE_COUNT] = {
	[REDUCE_SUM] = {POINT_NUMBERS, true, true},
	[REDUCE_MEAN] = {POINT_NUMBERS, false, true},
	[REDUCE_PROD] = {POINT_NUMBERS, true, true},
	[REDUCE_MAX] = {POINT_ANY, false, true},
	[REDUCE_MIN] = {POINT_ANY, false, true},
	[REDUCE_L1] = {POINT_NUMBERS, true, false},
	[REDUCE_L2] = {POINT_FLOATS, true, false},
	[REDUCE_SUM_SQUARE] = {POINT_NUMBERS, true, false},
	[REDUCE_LOG_SUM] = {POINT_FLOATS, false, false},
	[REDUCE_LOG_SUM_EXP] = {POINT_FLOATS, false, false},
};

/* Adds an element to what it is reduced to; `first` for the first one. */
static union number reduce_step(const struct point *p, enum reduce_id id, union number so_far,
				union number n, bool first)
{
	union number both[2] = {so_far, n};

	switch (id) {
	case REDUCE_L1:
		point_abs(p, &both[1], &both[1]);
		break;
	case REDUCE_L2:
	case REDUCE_SUM_SQUARE:
		point_mul(p, (union number[]){n, n}, &both[1]);
		break;
	case REDUCE_PROD:
		if (!first)
			point_mul(p, both, &both[1]);
		return both[1];
	case REDUCE_MAX:
	case REDUCE_LOG_SUM_EXP: /* the largest goes first, see reduce_exp */
		if (!first)
			point_max(p, both, &both[1]);
		return both[1];
	case REDUCE_MIN:
		if (!first)
			point_min(p, both, &both[1]);
		return both[1];
	case REDUCE_SUM:
	case REDUCE_MEAN:
	case REDUCE_LOG_SUM:
	case REDUCE_COUNT:
		break;
	}
	if (!first)
		point_add(p, both, &both[1]);
	return both[1];
}

/* From the sum to the result; `count` elements were reduced. */
static union number reduce_finish(const struct point *p, enum reduce_id id, union number n,
				  uint64_t count)
{
	if (id == REDUCE_MEAN && p->class == ELEM_CLASS_FLOAT)
		n.f /= (double)count;
	else if (id == REDUCE_MEAN && p->class == ELEM_CLASS_SIGNED)
		n.i /= (int64_t)count;
	else if (id == REDUCE_MEAN)
		n.u /= count;
	else if (id == REDUCE_L2)
		n.f = sqrt(n.f);
	else if (id == REDUCE_LOG_SUM)
		n.f = log(n.f);
	return n;
}

/* The largest elements are there; adds the exponentials of the differences. */
static void reduce_exp(const struct array *a, struct walk w, const union number *largest,
		       union number *sums)
{
	for (uint64_t i = 0; w.left; walk_next(&w), i++) {
		double top = largest[w.at[0]].f;
		double x = number_load(a->elem, a->bytes, i).f;

		sums[w.at[0]].f += isinf(top) ? 0 : exp(x - top);
	}
}

/* `w` walks over the elements, and its operand over the results. */
static void reduce_all(struct kernel_call *k, const struct point *p, struct walk w,
		       unsigned char *bytes, uint64_t count)
{
	enum reduce_id id = (enum reduce_id)k->argument;
	const struct array *a = k->in[0];
	union number *sums = calloc((size_t)count, 2 * sizeof(*sums));
	bool *begun = calloc((size_t)count, sizeof(*begun));
	struct walk again = w;

	BUG_ON(!sums || !begun);
	for (uint64_t i = 0; w.left; walk_next(&w), i++) {
		union number *sum = &sums[w.at[0]];

		*sum = reduce_step(p, id, *sum, number_load(a->elem, a->bytes, i), !begun[w.at[0]]);
		begun[w.at[0]] = true;
	}
	if (id == REDUCE_LOG_SUM_EXP)
		reduce_exp(a, again, sums, sums + count);
	for (uint64_t i = 0; i < count; i++) {
		union number n = sums[i];

		if (id == REDUCE_PROD && a->count == 0)
			n = p->class == ELEM_CLASS_FLOAT ? (union number){.f = 1}
							 : (union number){.u = 1};
		if (id == REDUCE_LOG_SUM_EXP && !isinf(n.f))
			n.f += log(sums[count + i].f);
		number_store(a->elem, bytes, i, reduce_finish(p, id, n, a->count / count));
	}
	free(sums);
	free(begun);
}

/* Which axes are reduced; *out_none when none is, by noop_with_empty_axes. */
static bool reduce_axes(const struct kernel_call *k, bool *marks, bool *out_none)
{
	const struct array *a = k->in[0];
	struct ints axes;

	if (!kernel_either_ints(k, "axes", 1, &axes) || !kernel_axes(&axes, a->rank, marks))
		return false;
	*out_none = axes.count == 0 && kernel_int(k, "noop_with_empty_axes", 0) != 0;
	for (uint32_t i = 0; axes.count == 0 && i < a->rank; i++)
		marks[i] = true;
	return true;
}

bool kernel_reduce(struct kernel_call *k)
{
	const struct reduce_row *row = &reduce_rows[k->argument];
	const struct array *a = k->in[0];
	const struct elem_info *info = elem_info(a->elem);
	struct point p = {.elem = a->elem, .class = info->class, .bits = info->bits};
	int64_t kept[ARRAY_MAX_RANK], dims[ARRAY_MAX_RANK];
	bool marks[ARRAY_MAX_RANK], none, keep = kernel_int(k, "keepdims", 1);
	struct array full = {.rank = a->rank, .dims = kept};
	unsigned char *bytes;
	uint32_t rank = 0;
	struct walk w;

	if (!point_allows(row->classes, a->elem) || !reduce_axes(k, marks, &none))
		return false;
	if (none)
		return row->plain && kernel_share(k, a, a->dims, a->rank);
	for (uint32_t i = 0; i < a->rank; i++) {
		kept[i] = marks[i] ? 1 : a->dims[i];
		if (keep || !marks[i])
			dims[rank++] = kept[i];
	}
	bytes = kernel_out(k, 0, a->elem, dims, rank);
	if (!bytes || k->out[0].count == 0)
		return bytes;
	if ((a->count == 0 && !row->of_none) || !kernel_work(k, a->count))
		return false;
	walk_init(&w, a->dims, a->rank, a->count);
	walk_operand(&w, 0, &full);
	reduce_all(k, &p, w, bytes, k->out[0].count);
	return true;
}
