/*
 * Constants and attributes as JSON: small ones with values, large ones with location and size
 * only.  Nothing here reads an external file.
 */
#ifndef EXPORT_JSON_ATTR_H
#define EXPORT_JSON_ATTR_H

#include "ir/graph.h"
#include "ir/tensor.h"
#include "report/json.h"

enum {
	JSON_MAX_ELEMENTS = 64,  /* a longer constant has no values, a longer list is cut */
	JSON_LONGEST_TEXT = 4096 /* bytes of a string */
};

/* Keys: elem, dims, bytes, stored, location (external data), values (null if not read). */
void tensor_json(struct json *j, const struct model *m, const struct tensor *t);
/* An object: name, type, value; ref inside functions; count or bytes when the value is cut. */
void attr_json(struct json *j, const struct model *m, const struct attr *a);

#endif
