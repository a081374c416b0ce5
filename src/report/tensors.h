/*
 * A tensor's inferred type and shape, and where they come from.
 *
 *   12.body/y  float32 [batch, 3]  inferred
 */
#ifndef REPORT_TENSORS_H
#define REPORT_TENSORS_H

#include "base/sv.h"
#include "infer/infer.h"
#include "report/record.h"
#include "sym/eval.h"

enum tensor_column {
	TENSOR_NAME,
	TENSOR_TYPE,
	TENSOR_SOURCE,
	TENSOR_COLUMN_COUNT
};

struct tensors_shown {
	const struct infer *in; /* borrowed */
	struct sym_env *env;    /* borrowed: sizes to evaluate dims with; NULL for none */
};

/* Keys: name, graph, type, shape, from; `path` is the graph's. */
void tensor_record(struct record *r, const struct tensors_shown *s, uint32_t value, struct sv path);

#endif
