/*
 * The type of a value as declared in the file: element type, shape, nesting.
 *
 * Absent and empty are distinct everywhere: no type / a type without a shape /
 * rank 0; and for a dimension absent / a number (0 and negative ones too) / a name
 * (the empty one too).  Names are indices into the model's name table.
 */
#ifndef IR_TYPE_H
#define IR_TYPE_H

#include "base/intern.h"
#include "base/str.h"

/* Element types have the standard's numbers; larger numbers are kept as they are. */
enum elem {
	ELEM_UNDEFINED,
	ELEM_FLOAT32,
	ELEM_UINT8,
	ELEM_INT8,
	ELEM_UINT16,
	ELEM_INT16,
	ELEM_INT32,
	ELEM_INT64,
	ELEM_STRING,
	ELEM_BOOL,
	ELEM_FLOAT16,
	ELEM_FLOAT64,
	ELEM_UINT32,
	ELEM_UINT64,
	ELEM_COMPLEX64,
	ELEM_COMPLEX128,
	ELEM_BFLOAT16,
	ELEM_FLOAT8E4M3FN,
	ELEM_FLOAT8E4M3FNUZ,
	ELEM_FLOAT8E5M2,
	ELEM_FLOAT8E5M2FNUZ,
	ELEM_UINT4,
	ELEM_INT4,
	ELEM_FLOAT4E2M1,
	ELEM_FLOAT8E8M0,
	ELEM_UINT2,
	ELEM_INT2,
	ELEM_COUNT
};

enum elem_class {
	ELEM_CLASS_NONE,
	ELEM_CLASS_BOOL,
	ELEM_CLASS_SIGNED,
	ELEM_CLASS_UNSIGNED,
	ELEM_CLASS_FLOAT,
	ELEM_CLASS_COMPLEX,
	ELEM_CLASS_STRING,
	ELEM_CLASS_COUNT
};

/* The TensorProto field of elements that are not in raw_data. */
enum elem_field {
	ELEM_FIELD_NONE,
	ELEM_FIELD_FLOAT,
	ELEM_FIELD_INT32,
	ELEM_FIELD_STRING,
	ELEM_FIELD_INT64,
	ELEM_FIELD_DOUBLE,
	ELEM_FIELD_UINT64,
	ELEM_FIELD_COUNT
};

struct elem_info {
	const char *name;
	const char *short_name; /* f32, i64: where columns are few */
	enum elem_class class;
	unsigned bits; /* of one element; 0 for strings */
	enum elem_field field;
};

/* Never NULL: an unknown type has class NONE and the name "undefined". */
const struct elem_info *elem_info(int32_t elem);
/* "float32", "int4", or "type#99". */
void elem_print(struct str *s, int32_t elem);
/* "f32", "i4"; "" when there is none. */
const char *elem_short(int32_t elem);

enum dim_kind {
	DIM_ABSENT,
	DIM_VALUE,
	DIM_PARAM, /* the name may be empty: legacy for unknown */
	DIM_KIND_COUNT
};

struct dim {
	enum dim_kind kind;
	uint32_t param;
	int64_t value;
	uint32_t denotation;
	uint32_t origin; /* its position in the file; 0 when it is not from a file */
};

enum type_kind {
	TYPE_NONE, /* absent, or an unknown kind */
	TYPE_TENSOR,
	TYPE_SPARSE,
	TYPE_SEQUENCE,
	TYPE_MAP,
	TYPE_OPTIONAL,
	TYPE_OPAQUE,
	TYPE_KIND_COUNT
};

struct type {
	enum type_kind kind;
	int32_t elem; /* tensor, sparse: of an element; map: of a key; 0 when absent */
	bool has_shape;
	uint32_t rank;
	struct dim *dims;   /* in the model's arena */
	struct type *inner; /* in the model's arena; sequence, optional: element; map: value */
	uint32_t domain;    /* opaque */
	uint32_t name;      /* opaque */
	uint32_t denotation;
	uint32_t origin;       /* of the TypeProto */
	uint32_t shape_origin; /* of its TensorShapeProto */
};

const char *type_kind_name(enum type_kind kind);
/* `float32 [batch, 3, ?]`, `sequence of float32 [?]`, `map of int64 to float32`; names as shown. */
void type_print(struct str *s, const struct type *t, const struct intern *names);
/* The same with dims printed by the caller, in colour for example. */
typedef void type_dim(void *context, struct str *s, const struct dim *d);
void type_print_dims(struct str *s, const struct type *t, const struct intern *names, type_dim *dim,
		     void *context);
/* What comes before a shape or an inner type: `float32`, `sequence of `, `map of int64 to `. */
void type_print_head(struct str *s, enum type_kind kind, int32_t elem, bool inner,
		     bool short_names);
void dim_print(struct str *s, const struct dim *d, const struct intern *names);

#endif
