#include <string.h>

#include "base/num.h"
#include "base/sv.h"
#include "flow/array.h"
#include "flow/kernel/kernel.h"
#include "flow/number.h"

enum pad_mode {
	PAD_CONSTANT,
	PAD_EDGE,
	PAD_REFLECT,
	PAD_WRAP,
	PAD_MODE_COUNT
};

static const char *const pad_names[PAD_MODE_COUNT] = {
	[PAD_CONSTANT] = "constant",
	[PAD_EDGE] = "edge",
	[PAD_REFLECT] = "reflect",
	[PAD_WRAP] = "wrap",
};

struct pad {
	enum pad_mode mode;
	unsigned char fill[8];
	int64_t before[ARRAY_MAX_RANK];
	int64_t dims[ARRAY_MAX_RANK];
};

/* The number in the padding: an input, or an attribute of old versions. */
static bool pad_fill(const struct kernel_call *k, struct pad *p)
{
	const struct array *a = k->in[0], *value = kernel_in(k, 2);
	union number n = {.f = kernel_float(k, "value", 0)};

	if (value) {
		if (value->count != 1 || value->elem != a->elem)
			return false;
		memcpy(p->fill, value->bytes, array_width(a->elem));
	} else if (kernel_has(k, "value")) {
		if (!point_allows(POINT_FLOATS, a->elem))
			return false;
		number_store(a->elem, p->fill, 0, n);
	}
	return true;
}

/* Can the padding of an axis be taken from the axis? */
static bool pad_allowed(enum pad_mode mode, int64_t size, int64_t before, int64_t after)
{
	switch (mode) {
	case PAD_CONSTANT:
		return true;
	case PAD_EDGE:
	case PAD_WRAP:
		return before >= 0 && after >= 0 && (size > 0 || (before == 0 && after == 0));
	case PAD_REFLECT:
		return before >= 0 && after >= 0 && before < MAX(size, 1) && after < MAX(size, 1);
	case PAD_MODE_COUNT:
		break;
	}
	return false;
}

static bool pad_sizes(const struct kernel_call *k, struct pad *p)
{
	const struct array *a = k->in[0];
	struct ints pads, axes;
	bool seen[ARRAY_MAX_RANK];

	if (!kernel_either_ints(k, k->version < 2 ? "paddings" : "pads", 1, &pads) ||
	    !kernel_input_ints(k, 3, &axes) || !kernel_axes(&axes, a->rank, seen))
		return false;
	if (pads.count != 2 * (axes.given ? axes.count : a->rank))
		return false;
	memcpy(p->dims, a->dims, a->rank * sizeof(*p->dims));
	for (uint32_t i = 0; i < pads.count / 2; i++) {
		int64_t after = pads.at[i + pads.count / 2];
		uint32_t axis = i;

		if ((axes.given && !kernel_axis(axes.at[i], a->rank, &axis)) ||
		    pads.at[i] < -ARRAY_MAX_COUNT || pads.at[i] > ARRAY_MAX_COUNT ||
		    !pad_allowed(p->mode, a->dims[axis], pads.at[i], after) ||
		    !num_iadd(p->dims[axis], pads.at[i], &p->dims[axis]) ||
		    !num_iadd(p->dims[axis], after, &p->dims[axis]))
			return false;
		p->before[axis] = pads.at[i];
	}
	return true;
}

/* Where an element along an axis comes from; -1: from nowhere. */
static int64_t pad_source(enum pad_mode mode, int64_t at, int64_t size)
{
	if (at >= 0 && at < size)
		return at;
	switch (mode) {
	case PAD_EDGE:
		return at < 0 ? 0 : size - 1;
	case PAD_REFLECT:
		return at < 0 ? -at : 2 * (size - 1) - at;
	case PAD_WRAP:
		return (at % size + size) % size;
	case PAD_CONSTANT:
	case PAD_MODE_COUNT:
		break;
	}
	return -1;
}

static void pad_copy(const struct pad *p, const struct array *a, unsigned char *bytes,
		     uint64_t count)
{
	size_t width = array_width(a->elem);
	struct walk w;

	walk_init(&w, p->dims, a->rank, count);
	for (; w.left; walk_next(&w), bytes += width) {
		const unsigned char *from = p->fill;
		uint64_t at = 0;
		uint32_t i = 0;

		for (; i < a->rank; i++) {
			int64_t source = pad_source(p->mode, w.index[i] - p->before[i], a->dims[i]);

			if (source < 0)
				break;
			at = at * (uint64_t)a->dims[i] + (uint64_t)source;
		}
		if (i == a->rank)
			from = a->bytes + at * width;
		memcpy(bytes, from, width);
	}
}

bool kernel_pad(struct kernel_call *k)
{
	const struct array *a = k->in[0];
	struct sv name = kernel_text(k, "mode");
	struct pad p = {.mode = PAD_CONSTANT};
	unsigned char *bytes;

	while (name.len && p.mode < PAD_MODE_COUNT && !sv_is(name, pad_names[p.mode]))
		p.mode++;
	if (p.mode == PAD_MODE_COUNT || !pad_fill(k, &p) || !pad_sizes(k, &p))
		return false;
	bytes = kernel_out(k, 0, a->elem, p.dims, a->rank);
	if (bytes)
		pad_copy(&p, a, bytes, k->out[0].count);
	return bytes;
}
