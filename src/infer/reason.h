/*
 * Why a finding is so, for people: the steps behind the sizes that it is about, one line
 * each, from the node back to inputs and constants.
 *
 *   /Reshape: output[0] = 3 from {0} of /Constant_output_0
 *
 * x[0] is a dim of x, x{0} a number inside.  Nodes that only hand a size on are one line.
 */
#ifndef INFER_REASON_H
#define INFER_REASON_H

#include "base/str.h"
#include "infer/infer.h"

enum {
	REASON_MAX_LINES = 12,
	REASON_WORK = 1 << 18 /* enough for all findings of an honest file */
};

struct reason {
	struct str lines[REASON_MAX_LINES]; /* owned; fit to be seen */
	size_t count;
};

/* *work is what may still be spent, for all findings together: a hostile file has many. */
void reason_find(struct infer *in, const struct finding *f, size_t *work, struct reason *out);
void reason_release(struct reason *r);

#endif
