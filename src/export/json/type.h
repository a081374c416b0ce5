/*
 * Types as the JSON contract has them: a kind, and an element that is a name or another
 * type.  Declared types and inferred ones differ in what is inside; their outside is here.
 */
#ifndef EXPORT_JSON_TYPE_H
#define EXPORT_JSON_TYPE_H

#include "export/json/json.h"
#include "ir/type.h"

/* Its name; null when it is unknown. */
void put_elem(struct json *j, int32_t elem);
/* Opens the object of a type that is there; else writes null and gives false. */
bool put_type_start(struct json *j, enum type_kind kind, int32_t elem);
/* The element; true when it is a type, which the caller has to write now. */
bool put_type_elem(struct json *j, enum type_kind kind, int32_t elem, bool has_inner);

#endif
