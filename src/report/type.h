/*
 * Declared types as JSON: a kind, and an element that is a name or another type.
 */
#ifndef REPORT_TYPE_H
#define REPORT_TYPE_H

#include "base/intern.h"
#include "ir/type.h"
#include "report/json.h"

/* `names` has those of an opaque type. */
void type_json(struct json *j, const struct type *t, const struct intern *names);
/* The name of an element type, or null when unknown. */
void type_json_elem(struct json *j, int32_t elem);

#endif
