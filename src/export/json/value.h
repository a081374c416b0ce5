/*
 * The inferred type and shape of a value as JSON.
 */
#ifndef EXPORT_JSON_VALUE_H
#define EXPORT_JSON_VALUE_H

#include "base/sv.h"
#include "infer/infer.h"
#include "report/json.h"
#include "sym/eval.h"
#include "sym/sym.h"

struct values_shown {
	const struct infer *in; /* borrowed */
	struct sym_env *env;    /* borrowed: sizes to evaluate dims with; NULL for none */
};

/* A number, an expression as a string, or null. */
void value_json_dim(struct json *j, const struct values_shown *s, struct sym dim);
/* name, graph, type, shape, from; `path` is the graph's. */
void value_json(struct json *j, const struct values_shown *s, uint32_t value, struct sv path);

#endif
