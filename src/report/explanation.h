/*
 * The steps of an explanation.
 *
 *   output[0] = batch_size  by Reshape /Reshape
 *     input[0] = batch_size  an input
 *
 * x[0] is a dim of x, x{0} an element.  The printer indents by depth.
 */
#ifndef REPORT_EXPLANATION_H
#define REPORT_EXPLANATION_H

#include "base/str.h"
#include "infer/explain.h"
#include "infer/infer.h"
#include "report/paint.h"
#include "report/record.h"

/* Keys: tensor, axis or element, dim, node, op, from, passed, depth. */
void step_record(struct record *r, const struct infer *in, const struct step *step);
/* The same as a line of text, indented by its depth; escaped for display. */
void step_print(struct str *out, const struct infer *in, const struct step *step);
/* The same, in colour. */
void step_paint(struct painted *out, struct paints *p, const struct infer *in,
		const struct step *step);
/* Why a tensor has no axes: ": unknown shape"; "" when it has some. */
const char *explanation_no_axes(const struct infer *in, uint32_t value);
/* The same when there are no elements to explain, either. */
const char *explanation_remark(const struct infer *in, uint32_t value);

#endif
