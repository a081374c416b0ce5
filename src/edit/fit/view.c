/*
 * The elements of a table, and tensors made of them.
 */
#include <string.h>

#include "base/arena.h"
#include "edit/fit/internal.h"
#include "edit/fit/table.h"
#include "flow/array.h"
#include "flow/plan.h"
#include "ir/type.h"

int64_t seen_dim(const struct fit_table *t, uint32_t side, uint32_t axis)
{
	return t->uniform[axis] ? 1 : t->dims[side][axis];
}

bool table_next(const struct fit_table *t, uint32_t side, int64_t *index)
{
	for (uint32_t k = t->rank; k-- > 0;) {
		if (++index[k] < seen_dim(t, side, k))
			return true;
		index[k] = 0;
	}
	return false;
}

uint64_t table_at(const struct fit_table *t, uint32_t side, const int64_t *index)
{
	int64_t at = 0;

	for (uint32_t k = 0; k < t->rank; k++)
		at += index[k] * t->strides[side][k];
	return (uint64_t)at;
}

bool same_element(const struct array *a, uint64_t i, const struct array *b, uint64_t k)
{
	size_t width = array_width(a->elem);

	return memcmp(a->bytes + i * width, b->bytes + k * width, width) == 0;
}

uint32_t axes_left(const struct fit_table *t, uint32_t *out)
{
	uint32_t count = 0;

	for (uint32_t k = 0; k < t->rank; k++) {
		if (t->varies[k] && !t->uniform[k])
			out[count++] = k;
	}
	return count;
}

/* ---- making tensors ---- */

struct array table_cut(const struct fit_table *t, uint32_t side, const bool *first)
{
	struct arena *arena = &t->f->arena;
	const struct array *a = t->arrays[side];
	size_t width = array_width(a->elem);
	int64_t *dims = arena_array(arena, t->rank + 1, int64_t), index[FIT_MAX_RANK] = {0};
	uint64_t count = 1, done = 0;
	unsigned char *bytes;

	for (uint32_t k = 0; k < t->rank; k++) {
		dims[k] = first && first[k] ? 1 : seen_dim(t, side, k);
		count *= (uint64_t)dims[k];
	}
	bytes = arena_alloc(arena, count * width + 1);
	do {
		bool in = true;

		for (uint32_t k = 0; first && k < t->rank; k++)
			in = in && (!first[k] || index[k] == 0);
		if (in)
			memcpy(bytes + done++ * width, a->bytes + table_at(t, side, index) * width,
			       width);
	} while (table_next(t, side, index));
	return (struct array){
		.elem = a->elem, .rank = t->rank, .dims = dims, .count = count, .bytes = bytes};
}

plan_ref table_cast(const struct fit_table *t, plan_ref ref)
{
	int32_t elem = t->arrays[0]->elem;

	if (!ref || elem == ELEM_INT64)
		return ref;
	return plan_op_attr(&t->f->plan, "Cast", &ref, 1, (struct plan_attr){"to", elem});
}

plan_ref table_expand(const struct fit_table *t, plan_ref ref)
{
	plan_ref sizes = ref ? plan_sizes(&t->f->plan, t->sizes, t->rank) : 0;

	return sizes ? PLAN_OP(&t->f->plan, "Expand", ref, sizes) : 0;
}

plan_ref plan_along(const struct fit_table *t, uint32_t axis)
{
	int64_t shape[FIT_MAX_RANK];
	plan_ref ref = plan_range(&t->f->plan, t->sizes[axis]);

	for (uint32_t k = 0; k < t->rank; k++)
		shape[k] = k == axis ? -1 : 1;
	return ref ? PLAN_OP(&t->f->plan, "Reshape", ref, plan_ints(&t->f->plan, shape, t->rank))
		   : 0;
}
