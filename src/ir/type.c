#include "ir/type.h"

#include <inttypes.h>

#include "base/utf8.h"

static const struct elem_info type_infos[ELEM_COUNT] = {
	[ELEM_UNDEFINED] = {"undefined", "undefined", ELEM_CLASS_NONE, 0, ELEM_FIELD_NONE},
	[ELEM_FLOAT32] = {"float32", "f32", ELEM_CLASS_FLOAT, 32, ELEM_FIELD_FLOAT},
	[ELEM_UINT8] = {"uint8", "u8", ELEM_CLASS_UNSIGNED, 8, ELEM_FIELD_INT32},
	[ELEM_INT8] = {"int8", "i8", ELEM_CLASS_SIGNED, 8, ELEM_FIELD_INT32},
	[ELEM_UINT16] = {"uint16", "u16", ELEM_CLASS_UNSIGNED, 16, ELEM_FIELD_INT32},
	[ELEM_INT16] = {"int16", "i16", ELEM_CLASS_SIGNED, 16, ELEM_FIELD_INT32},
	[ELEM_INT32] = {"int32", "i32", ELEM_CLASS_SIGNED, 32, ELEM_FIELD_INT32},
	[ELEM_INT64] = {"int64", "i64", ELEM_CLASS_SIGNED, 64, ELEM_FIELD_INT64},
	[ELEM_STRING] = {"string", "str", ELEM_CLASS_STRING, 0, ELEM_FIELD_STRING},
	[ELEM_BOOL] = {"bool", "bool", ELEM_CLASS_BOOL, 8, ELEM_FIELD_INT32},
	[ELEM_FLOAT16] = {"float16", "f16", ELEM_CLASS_FLOAT, 16, ELEM_FIELD_INT32},
	[ELEM_FLOAT64] = {"float64", "f64", ELEM_CLASS_FLOAT, 64, ELEM_FIELD_DOUBLE},
	[ELEM_UINT32] = {"uint32", "u32", ELEM_CLASS_UNSIGNED, 32, ELEM_FIELD_UINT64},
	[ELEM_UINT64] = {"uint64", "u64", ELEM_CLASS_UNSIGNED, 64, ELEM_FIELD_UINT64},
	[ELEM_COMPLEX64] = {"complex64", "c64", ELEM_CLASS_COMPLEX, 64, ELEM_FIELD_FLOAT},
	[ELEM_COMPLEX128] = {"complex128", "c128", ELEM_CLASS_COMPLEX, 128, ELEM_FIELD_DOUBLE},
	[ELEM_BFLOAT16] = {"bfloat16", "bf16", ELEM_CLASS_FLOAT, 16, ELEM_FIELD_INT32},
	[ELEM_FLOAT8E4M3FN] = {"float8e4m3fn", "float8e4m3fn", ELEM_CLASS_FLOAT, 8,
			       ELEM_FIELD_INT32},
	[ELEM_FLOAT8E4M3FNUZ] = {"float8e4m3fnuz", "float8e4m3fnuz", ELEM_CLASS_FLOAT, 8,
				 ELEM_FIELD_INT32},
	[ELEM_FLOAT8E5M2] = {"float8e5m2", "float8e5m2", ELEM_CLASS_FLOAT, 8, ELEM_FIELD_INT32},
	[ELEM_FLOAT8E5M2FNUZ] = {"float8e5m2fnuz", "float8e5m2fnuz", ELEM_CLASS_FLOAT, 8,
				 ELEM_FIELD_INT32},
	[ELEM_UINT4] = {"uint4", "u4", ELEM_CLASS_UNSIGNED, 4, ELEM_FIELD_INT32},
	[ELEM_INT4] = {"int4", "i4", ELEM_CLASS_SIGNED, 4, ELEM_FIELD_INT32},
	[ELEM_FLOAT4E2M1] = {"float4e2m1", "float4e2m1", ELEM_CLASS_FLOAT, 4, ELEM_FIELD_INT32},
	[ELEM_FLOAT8E8M0] = {"float8e8m0", "float8e8m0", ELEM_CLASS_FLOAT, 8, ELEM_FIELD_INT32},
	[ELEM_UINT2] = {"uint2", "u2", ELEM_CLASS_UNSIGNED, 2, ELEM_FIELD_INT32},
	[ELEM_INT2] = {"int2", "i2", ELEM_CLASS_SIGNED, 2, ELEM_FIELD_INT32},
};

const struct elem_info *elem_info(int32_t elem)
{
	return &type_infos[elem > 0 && elem < ELEM_COUNT ? elem : ELEM_UNDEFINED];
}

void elem_print(struct str *s, int32_t elem)
{
	if (elem >= 0 && elem < ELEM_COUNT)
		str_text(s, type_infos[elem].name);
	else
		str_format(s, "type#%" PRId32, elem);
}

const char *elem_short(int32_t elem)
{
	return elem > 0 ? elem_info(elem)->short_name : "";
}

const char *type_kind_name(enum type_kind kind)
{
	static const char *const names[TYPE_KIND_COUNT] = {
		[TYPE_NONE] = "unknown",
		[TYPE_TENSOR] = "tensor",
		[TYPE_SPARSE] = "sparse_tensor",
		[TYPE_SEQUENCE] = "sequence",
		[TYPE_MAP] = "map",
		[TYPE_OPTIONAL] = "optional",
		[TYPE_OPAQUE] = "opaque",
	};

	return names[kind];
}

void dim_print(struct str *s, const struct dim *d, const struct intern *names)
{
	switch (d->kind) {
	case DIM_VALUE:
		str_format(s, "%" PRId64, d->value);
		return;
	case DIM_PARAM:
		if (d->param) {
			str_add_shown(s, intern_text(names, d->param));
			return;
		}
		break;
	case DIM_ABSENT:
	case DIM_KIND_COUNT:
		break;
	}
	str_char(s, '?');
}

static void shape_print(struct str *s, const struct type *t, const struct intern *names,
			type_dim *dim, void *context)
{
	if (!t->has_shape)
		return;
	str_text(s, " [");
	for (uint32_t i = 0; i < t->rank; i++) {
		str_text(s, i ? ", " : "");
		if (dim)
			dim(context, s, &t->dims[i]);
		else
			dim_print(s, &t->dims[i], names);
	}
	str_char(s, ']');
}

/* An absent element type is printed as "?". */
static void elem_or_mark(struct str *s, int32_t elem, bool short_names)
{
	if (elem == ELEM_UNDEFINED)
		str_char(s, '?');
	else if (short_names)
		str_text(s, elem_short(elem));
	else
		elem_print(s, elem);
}

void type_print_head(struct str *s, enum type_kind kind, int32_t elem, bool inner, bool short_names)
{
	switch (kind) {
	case TYPE_NONE:
	case TYPE_KIND_COUNT:
		str_char(s, '?');
		break;
	case TYPE_SPARSE:
		str_text(s, "sparse ");
		elem_or_mark(s, elem, short_names);
		break;
	case TYPE_TENSOR:
		elem_or_mark(s, elem, short_names);
		break;
	case TYPE_SEQUENCE:
		str_text(s, inner ? "sequence of " : "sequence");
		break;
	case TYPE_OPTIONAL:
		str_text(s, inner ? "optional " : "optional");
		break;
	case TYPE_MAP:
		str_text(s, "map of ");
		elem_or_mark(s, elem, short_names);
		str_text(s, inner ? " to " : "");
		break;
	case TYPE_OPAQUE:
		str_text(s, "opaque");
		break;
	}
}

void type_print_dims(struct str *s, const struct type *t, const struct intern *names, type_dim *dim,
		     void *context)
{
	/* The scanner limits the nesting, so this loop ends. */
	for (; t; t = t->inner) {
		type_print_head(s, t->kind, t->elem, t->inner != NULL, false);
		if (t->kind == TYPE_TENSOR || t->kind == TYPE_SPARSE)
			shape_print(s, t, names, dim, context);
		if (t->kind != TYPE_OPAQUE)
			continue;
		str_char(s, ' ');
		if (t->domain) {
			str_add_shown(s, intern_text(names, t->domain));
			str_char(s, '.');
		}
		str_add_shown(s, intern_text(names, t->name));
	}
}

void type_print(struct str *s, const struct type *t, const struct intern *names)
{
	type_print_dims(s, t, names, NULL, NULL);
}
