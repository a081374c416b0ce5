/*
 * Explains a finding: the steps that lead to its sizes, one line each, from the node back
 * to inputs and constants.
 *
 *   /Reshape: output[0] = 3 from {0} of /Constant_output_0
 *
 * x[0] is a dim of x, x{0} an element.  Nodes that only pass a size on share one line.
 */
#ifndef INFER_REASON_H
#define INFER_REASON_H

#include "base/str.h"
#include "infer/finding.h"
#include "infer/infer.h"

enum {
	REASON_MAX_LINES = 12,
	REASON_WORK = 1 << 18 /* enough for all findings of a real model */
};

struct reason {
	struct str lines[REASON_MAX_LINES]; /* owned; escaped for display */
	size_t count;
};

/* *work is the budget left for all findings together: a hostile file has many. */
void reason_find(struct infer *in, const struct finding *f, size_t *work, struct reason *out);
void reason_release(struct reason *r);

#endif
