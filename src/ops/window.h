/*
 * A window that slides over the spatial axes of [N, C, D1 … Dn]: the attributes that convolutions
 * and pools share (kernel_shape, strides, dilations, pads, auto_pad).
 *
 * After window_read, strides, dilations and integer kernels are positive, pads are not negative,
 * and dilated kernels and sums of pads do not overflow.
 */
#ifndef OPS_WINDOW_H
#define OPS_WINDOW_H

#include "ops/rule.h"
#include "sym/sym.h"

enum window_padding {
	WINDOW_EXPLICIT,
	WINDOW_SAME, /* upper or lower: both give the same size */
	WINDOW_VALID,
	WINDOW_PADDING_COUNT
};

/* Arrays have `rank` elements; pads are all begins, then all ends. */
struct window {
	uint32_t rank; /* spatial axes */
	const int64_t *strides;
	const int64_t *dilations;
	const int64_t *pads;
	const struct sym *kernel; /* may be unknown */
	enum window_padding padding;
};

enum window_flag {
	WINDOW_DILATIONS = 1 << 0,     /* this version has the attribute */
	WINDOW_KERNEL_NEEDED = 1 << 1, /* kernel_shape must be given */
	WINDOW_NO_AUTO_PAD = 1 << 2    /* this operator has no auto_pad */
};

#define WINDOW_NO_WEIGHT UINT32_MAX

/*
 * The number of spatial axes: from the data, else from the weight, else from the length of
 * kernel_shape.  False when it is unknown or, with an error, contradictory.
 */
bool window_rank(struct rule *r, uint32_t data, uint32_t weight, uint32_t *out) MUST_USE;
/*
 * False when an attribute is invalid (an error) or not in memory.  The kernel is kernel_shape, else
 * the weight's dims from the third on (WINDOW_NO_WEIGHT: there is none).
 */
bool window_read(struct rule *r, uint32_t rank, uint32_t weight, unsigned flags,
		 struct window *out) MUST_USE;
/* dilation*(kernel - 1) + 1; unknown when the kernel is. */
struct sym window_extent(struct rule *r, const struct window *w, uint32_t axis);
/* in + pads - extent: how far the window can move. */
struct sym window_room(struct rule *r, const struct window *w, uint32_t axis, struct sym in);
/* How often the window fits into `in`, rounded down: at least `min` times. */
struct sym window_fit(struct rule *r, const struct window *w, uint32_t axis, struct sym in,
		      int64_t min);
/* A list attribute of `count` integers, each at least `min`; `otherwise` when absent. */
bool window_list(struct rule *r, const char *name, uint32_t count, int64_t min, int64_t otherwise,
		 const int64_t **out) MUST_USE;
/* A dim that must be at least `min`; a smaller integer is an error, a negative one unknown. */
struct sym window_size(struct rule *r, struct sym size, int64_t min);

#endif
