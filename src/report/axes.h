/*
 * The verdict on an input axis.
 *
 *   input:0  batch_size  pinned to 3 by Reshape /Reshape with /Constant_output_0  1 axis  needs ...
 */
#ifndef REPORT_AXES_H
#define REPORT_AXES_H

#include "infer/verdict.h"
#include "ir/graph.h"
#include "report/record.h"

enum axis_column {
	AXIS_PLACE,
	AXIS_DIM,
	AXIS_VERDICT,
	AXIS_DEPENDENTS,
	AXIS_NEEDS,
	AXIS_COLUMN_COUNT
};

/*
 * Keys: input, axis, dim, verdict, value, by (op, node, constant), equal, dependents, bounds.  The
 * text has all bounds, or those that two lines have room for; the keys have all.
 */
void axis_record(struct record *r, const struct model *m, const struct axis *a, bool all);

#endif
