#include <string.h>

#include "base/num.h"
#include "flow/array.h"
#include "flow/kernel/kernel.h"
#include "ir/type.h"

/* Kernels that keep the elements and their order. */

bool kernel_identity(struct kernel_call *k)
{
	return kernel_share(k, k->in[0], k->in[0]->dims, k->in[0]->rank);
}

/* In inference it copies, and its mask is all true. */
bool kernel_dropout(struct kernel_call *k)
{
	const struct array *a = k->in[0], *training = kernel_in(k, 2);
	unsigned char *mask;

	if (training && (training->count != 1 || training->bytes[0] != 0))
		return false;
	if (k->version < 7 && kernel_int(k, "is_test", 0) == 0)
		return false;
	if (k->out_count > 1 && k->node->outputs[1] && k->version >= 10) {
		mask = kernel_out(k, 1, ELEM_BOOL, a->dims, a->rank);
		if (!mask)
			return false;
		memset(mask, 1, a->count);
	}
	return kernel_identity(k);
}

/* The size for the entry -1: what the others leave over. */
static bool reshape_rest(const struct array *a, struct ints *target, uint32_t at)
{
	uint64_t known = 1;

	for (uint32_t i = 0; i < target->count; i++) {
		if (i != at && !num_mul(known, (uint64_t)target->at[i], &known))
			return false;
	}
	if (known == 0 || a->count % known)
		return false;
	target->at[at] = (int64_t)(a->count / known);
	return true;
}

bool kernel_reshape(struct kernel_call *k)
{
	const struct array *a = k->in[0];
	bool zero = kernel_int(k, "allowzero", 0);
	struct ints target;
	uint32_t rest = UINT32_MAX;

	if (!kernel_either_ints(k, "shape", 1, &target) || !target.given)
		return false;
	for (uint32_t i = 0; i < target.count; i++) {
		if (target.at[i] == 0 && !zero) {
			if (i >= a->rank)
				return false;
			target.at[i] = a->dims[i];
		} else if (target.at[i] == -1) {
			if (rest != UINT32_MAX)
				return false;
			rest = i;
		} else if (target.at[i] < 0) {
			return false;
		}
	}
	if (rest != UINT32_MAX && !reshape_rest(a, &target, rest))
		return false;
	return kernel_share(k, a, target.at, target.count);
}

bool kernel_flatten(struct kernel_call *k)
{
	const struct array *a = k->in[0];
	int64_t axis = kernel_int(k, "axis", 1);
	int64_t dims[2] = {1, 1};

	if (axis < -(int64_t)a->rank || axis > (int64_t)a->rank)
		return false;
	if (axis < 0)
		axis += (int64_t)a->rank;
	for (uint32_t i = 0; i < a->rank; i++) {
		int64_t *part = &dims[i >= axis];

		if (!num_imul(*part, a->dims[i], part))
			return false;
	}
	return kernel_share(k, a, dims, 2);
}

bool kernel_squeeze(struct kernel_call *k)
{
	const struct array *a = k->in[0];
	int64_t dims[ARRAY_MAX_RANK];
	bool gone[ARRAY_MAX_RANK];
	struct ints axes;
	uint32_t rank = 0;

	if (!kernel_either_ints(k, "axes", 1, &axes) || !kernel_axes(&axes, a->rank, gone))
		return false;
	for (uint32_t i = 0; i < a->rank; i++) {
		if (!axes.given)
			gone[i] = a->dims[i] == 1;
		if (gone[i] && a->dims[i] != 1)
			return false;
		if (!gone[i])
			dims[rank++] = a->dims[i];
	}
	return kernel_share(k, a, dims, rank);
}

bool kernel_unsqueeze(struct kernel_call *k)
{
	const struct array *a = k->in[0];
	int64_t dims[ARRAY_MAX_RANK];
	bool added[ARRAY_MAX_RANK];
	struct ints axes;
	uint32_t from = 0;

	if (!kernel_either_ints(k, "axes", 1, &axes) || a->rank + axes.count > ARRAY_MAX_RANK ||
	    !kernel_axes(&axes, a->rank + axes.count, added))
		return false;
	for (uint32_t i = 0; i < a->rank + axes.count; i++)
		dims[i] = added[i] ? 1 : a->dims[from++];
	return kernel_share(k, a, dims, a->rank + axes.count);
}
