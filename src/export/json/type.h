/*
 * Types as JSON: a kind, and an element that is a name or another type.  Declared and inferred
 * types differ in the inner type only; this writes the rest.
 */
#ifndef EXPORT_JSON_TYPE_H
#define EXPORT_JSON_TYPE_H

#include "ir/type.h"
#include "report/json.h"

/* Its name, or null when unknown. */
void put_elem(struct json *j, int32_t elem);
/* Opens the object of a known type; else writes null and returns false. */
bool put_type_start(struct json *j, enum type_kind kind, int32_t elem);
/* The element; true when it is a type, which the caller must write next. */
bool put_type_elem(struct json *j, enum type_kind kind, int32_t elem, bool has_inner);

#endif
