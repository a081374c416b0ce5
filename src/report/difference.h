/*
 * A difference between two models.
 *
 *   ~  /Gemm  attribute alpha  1 -> 2
 *
 * - is removed, + added, ~ changed.
 */
#ifndef REPORT_DIFFERENCE_H
#define REPORT_DIFFERENCE_H

#include "edit/diff/compare.h"
#include "report/record.h"

enum difference_column {
	DIFFERENCE_MARK,
	DIFFERENCE_NAME,
	DIFFERENCE_WHAT,
	DIFFERENCE_SIDES,
	DIFFERENCE_COLUMN_COUNT
};

/* Keys: kind, graph, name, what, before, after. */
void difference_record(struct record *r, const struct difference *d);

#endif
