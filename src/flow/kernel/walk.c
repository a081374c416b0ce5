#include <string.h>

#include "flow/array.h"
#include "flow/kernel/kernel.h"

void walk_init(struct walk *w, const int64_t *dims, uint32_t rank, uint64_t count)
{
	memset(w, 0, sizeof(*w));
	w->rank = rank;
	w->left = count;
	for (uint32_t i = 0; i < rank; i++)
		w->dims[i] = dims[i];
}

void walk_operand(struct walk *w, uint32_t operand, const struct array *a)
{
	int64_t strides[ARRAY_MAX_RANK];
	uint32_t missing = w->rank - a->rank;

	array_strides(a->dims, a->rank, strides);
	for (uint32_t i = 0; i < w->rank; i++)
		w->strides[operand][i] = i < missing || a->dims[i - missing] == 1
						 ? 0
						 : strides[i - missing];
}

void walk_next(struct walk *w)
{
	w->left--;
	for (uint32_t i = w->rank; i-- > 0;) {
		w->at[0] += w->strides[0][i];
		w->at[1] += w->strides[1][i];
		w->at[2] += w->strides[2][i];
		if (++w->index[i] < w->dims[i])
			return;
		w->at[0] -= w->strides[0][i] * w->dims[i];
		w->at[1] -= w->strides[1][i] * w->dims[i];
		w->at[2] -= w->strides[2][i] * w->dims[i];
		w->index[i] = 0;
	}
}

bool walk_broadcast(const struct array *const *arrays, uint32_t count, int64_t *dims,
		    uint32_t *rank)
{
	*rank = 0;
	for (uint32_t i = 0; i < count; i++)
		*rank = MAX(*rank, arrays[i]->rank);
	for (uint32_t axis = 0; axis < *rank; axis++) {
		dims[axis] = 1;
		for (uint32_t i = 0; i < count; i++) {
			const struct array *a = arrays[i];
			int64_t size = axis + a->rank < *rank ? 1 : a->dims[axis + a->rank - *rank];

			if (size != 1 && dims[axis] != 1 && size != dims[axis])
				return false;
			if (size != 1)
				dims[axis] = size;
		}
	}
	return true;
}

void walk_copy(struct walk *w, const struct array *from, unsigned char *to)
{
	size_t width = array_width(from->elem);

	for (; w->left; walk_next(w), to += width)
		memcpy(to, from->bytes + (size_t)w->at[0] * width, width);
}
