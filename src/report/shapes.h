/*
 * A tensor's inferred type and shape, and where they come from.
 *
 *   12.body/y  float32 [batch, 3]  inferred
 */
#ifndef REPORT_SHAPES_H
#define REPORT_SHAPES_H

#include "base/sv.h"
#include "infer/infer.h"
#include "report/record.h"

enum shape_column {
	SHAPE_NAME,
	SHAPE_TYPE,
	SHAPE_SOURCE,
	SHAPE_COLUMN_COUNT
};

/* Keys: name, graph, type, shape, from; `path` is the graph's. */
void shape_record(struct record *r, const struct infer *in, uint32_t value, struct sv path);

#endif
