/*
 * Message bodies of new objects, encoded from the model.
 *
 * Fields come in the order of their numbers, as other writers do it.  What is copied must
 * be completely in memory: truncated strings and elements left in the file are refused,
 * never lost.  Bodies (ATTR_GRAPH), sparse tensors and shardings are not supported in new
 * objects and are refused too.
 */
#ifndef WIRE_ENCODE_H
#define WIRE_ENCODE_H

#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "ir/graph.h"
#include "ir/tensor.h"
#include "ir/type.h"
#include "wire/fields.h"
#include "wire/numbers.h"

/* NodeProto, after model_connect: inputs and outputs are values; 0 is the empty name. */
bool encode_node(struct str *out, const struct model *m, const struct node *n,
		 struct err *err) MUST_USE;
/* AttributeProto, with its type. */
bool encode_attr(struct str *out, const struct model *m, const struct attr *a,
		 struct err *err) MUST_USE;
/* Only the value fields of an AttributeProto. */
bool encode_attr_value(struct str *out, const struct model *m, const struct attr *a,
		       struct err *err) MUST_USE;
/* TensorProto; numbers are written as raw_data. */
bool encode_tensor(struct str *out, const struct model *m, const struct tensor *t,
		   struct err *err) MUST_USE;
/* Only the elements of a TensorProto: raw_data or string_data. */
bool encode_elements(struct str *out, const struct tensor *t, struct err *err) MUST_USE;
/* ValueInfoProto. */
bool encode_claim(struct str *out, const struct model *m, const struct claim *c,
		  struct err *err) MUST_USE;
/* TypeProto. */
void encode_type(struct str *out, const struct model *m, const struct type *t);
/* The contents of a Dimension: a number, a name (`param`), or nothing. */
void encode_dim(struct str *out, const struct dim *d, struct sv param);

/* The field of AttributeProto that holds values of this kind. */
const struct field_form *attr_form(enum attr_kind kind);
/* The strings of a list; refuses one that is not in memory. */
bool texts_of_data(const struct data *data, const struct sv **out, size_t *out_count,
		   struct err *err) MUST_USE;
/* The numbers of a numeric attribute. */
bool numbers_of_attr(struct numbers *out, const struct attr *a, struct err *err) MUST_USE;

extern const struct field_form dims_form, raw_form;

#endif
