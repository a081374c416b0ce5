#include "wire/decode_data.h"

#include <string.h>

#include "base/arena.h"
#include "base/sv.h"
#include "ir/build.h"
#include "ir/graph.h"
#include "ir/tensor.h"
#include "ir/type.h"

/* Field numbers of TensorProto, by the kind of elements they hold. */
static const uint32_t tensor_fields[ELEM_FIELD_COUNT] = {
	[ELEM_FIELD_NONE] = 0,    [ELEM_FIELD_FLOAT] = 4, [ELEM_FIELD_INT32] = 5,
	[ELEM_FIELD_STRING] = 6,  [ELEM_FIELD_INT64] = 7, [ELEM_FIELD_DOUBLE] = 10,
	[ELEM_FIELD_UINT64] = 11,
};

enum {
	FIELD_TENSOR_DIMS = 1,
	FIELD_TENSOR_RAW = 9,
	FIELD_TENSOR_DOC = 12,
	FIELD_PAIR_VALUE = 2
};

static const Onnx__AxedPayload *next_payload(struct payloads p, uint32_t field, size_t *from)
{
	for (; *from < p.count; (*from)++) {
		if (p.at[*from]->field == field)
			return p.at[(*from)++];
	}
	return NULL;
}

/* The last one wins: a singular field is overwritten by later occurrences. */
static const Onnx__AxedPayload *find_payload(struct payloads p, uint32_t field)
{
	size_t from = 0;

	return next_payload(p, field, &from);
}

struct sv decode_text(struct model *m, ProtobufCBinaryData text, struct payloads payloads,
		      uint32_t field, uint64_t *out_len)
{
	const Onnx__AxedPayload *left_out = find_payload(payloads, field);

	*out_len = left_out ? left_out->length : text.len;
	return arena_copy(&m->arena, left_out ? (struct sv){"", 0} : bytes_sv(text));
}

struct sv decode_doc(struct model *m, ProtobufCBinaryData text, struct payloads payloads,
		     uint32_t field)
{
	uint64_t true_len;

	return text.len ? decode_text(m, text, payloads, field, &true_len) : (struct sv){"", 0};
}

struct pair *decode_pairs(struct model *m, size_t count, Onnx__StringStringEntryProto **pairs)
{
	struct pair *out = count ? arena_array(&m->arena, count, struct pair) : NULL;

	for (size_t i = 0; i < count; i++) {
		out[i].key = model_intern(m, bytes_sv(pairs[i]->key));
		out[i].value = decode_text(m, pairs[i]->value, PAYLOADS(pairs[i]), FIELD_PAIR_VALUE,
					   &out[i].value_len);
	}
	return out;
}

struct opset *decode_opsets(struct model *m, size_t count, Onnx__OperatorSetIdProto **sets)
{
	struct opset *out = count ? arena_array(&m->arena, count, struct opset) : NULL;

	for (size_t i = 0; i < count; i++) {
		out[i].domain = model_intern(m, bytes_sv(sets[i]->domain));
		out[i].version = sets[i]->version;
	}
	return out;
}

/* ---- types ---- */

void decode_dim(struct model *m, const Onnx__TensorShapeProto__Dimension *from, struct dim *out)
{
	switch (from->value_case) {
	case ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_VALUE:
		out->kind = DIM_VALUE;
		out->value = from->dim_value;
		break;
	case ONNX__TENSOR_SHAPE_PROTO__DIMENSION__VALUE_DIM_PARAM:
		out->kind = DIM_PARAM;
		out->param = model_intern(m, bytes_sv(from->dim_param));
		break;
	default:
		out->kind = DIM_ABSENT;
	}
	out->denotation = model_intern(m, bytes_sv(from->denotation));
	out->origin = from->axed_piece;
}

static void decode_shape(struct model *m, const Onnx__TensorShapeProto *from, struct type *out)
{
	if (!from)
		return;
	out->has_shape = true;
	out->shape_origin = from->axed_piece;
	out->rank = (uint32_t)from->n_dim;
	out->dims = arena_array(&m->arena, from->n_dim, struct dim);
	for (size_t i = 0; i < from->n_dim; i++)
		decode_dim(m, from->dim[i], &out->dims[i]);
}

static struct type *decode_inner(struct model *m, const Onnx__TypeProto *from)
{
	struct type *inner;

	if (!from)
		return NULL;
	inner = arena_new(&m->arena, struct type);
	decode_type(m, from, inner); /* no deeper than the scanner allows messages to nest */
	return inner;
}

void decode_type(struct model *m, const Onnx__TypeProto *from, struct type *out)
{
	*out = (struct type){0};
	if (!from)
		return;
	out->origin = from->axed_piece;
	out->denotation = model_intern(m, bytes_sv(from->denotation));
	switch (from->value_case) {
	case ONNX__TYPE_PROTO__VALUE_TENSOR_TYPE:
		out->kind = TYPE_TENSOR;
		out->elem = from->tensor_type->elem_type;
		decode_shape(m, from->tensor_type->shape, out);
		break;
	case ONNX__TYPE_PROTO__VALUE_SPARSE_TENSOR_TYPE:
		out->kind = TYPE_SPARSE;
		out->elem = from->sparse_tensor_type->elem_type;
		decode_shape(m, from->sparse_tensor_type->shape, out);
		break;
	case ONNX__TYPE_PROTO__VALUE_SEQUENCE_TYPE:
		out->kind = TYPE_SEQUENCE;
		out->inner = decode_inner(m, from->sequence_type->elem_type);
		break;
	case ONNX__TYPE_PROTO__VALUE_MAP_TYPE:
		out->kind = TYPE_MAP;
		out->elem = from->map_type->key_type;
		out->inner = decode_inner(m, from->map_type->value_type);
		break;
	case ONNX__TYPE_PROTO__VALUE_OPTIONAL_TYPE:
		out->kind = TYPE_OPTIONAL;
		out->inner = decode_inner(m, from->optional_type->elem_type);
		break;
	case ONNX__TYPE_PROTO__VALUE_OPAQUE_TYPE:
		out->kind = TYPE_OPAQUE;
		out->domain = model_intern(m, bytes_sv(from->opaque_type->domain));
		out->name = model_intern(m, bytes_sv(from->opaque_type->name));
		break;
	default:
		break;
	}
}

/* ---- elements ---- */

/* The chunks of one field that stayed in the file; false if there are none. */
static bool file_chunks(struct model *m, enum elem_field field, struct payloads payloads,
			uint32_t number, struct data *out)
{
	const Onnx__AxedPayload *p;
	size_t from = 0;

	out->field = field;
	out->count = 0;
	while (next_payload(payloads, number, &from))
		out->count++;
	if (out->count == 0)
		return false;
	out->chunks = arena_array(&m->arena, out->count, struct chunk);
	from = 0;
	for (uint32_t i = 0; (p = next_payload(payloads, number, &from)); i++) {
		bool fixed = field == ELEM_FIELD_FLOAT || field == ELEM_FIELD_DOUBLE ||
			     field == ELEM_FIELD_NONE;

		out->chunks[i] = (struct chunk){
			.place = CHUNK_FILE,
			.coding = p->has_count ? CODING_TAGGED
				  : fixed      ? CODING_RAW
					       : CODING_VARINTS,
			.at = p->offset,
			.len = p->length,
		};
	}
	return true;
}

static void memory_chunk(struct model *m, enum chunk_coding coding, const void *bytes, size_t len,
			 struct data *out)
{
	if (len == 0)
		return;
	out->count = 1;
	out->chunks = arena_new(&m->arena, struct chunk);
	*out->chunks = (struct chunk){
		.place = CHUNK_MEMORY,
		.coding = coding,
		.memory = arena_copy(&m->arena, (struct sv){bytes, len}).at,
		.len = len,
	};
}

struct data decode_list(struct model *m, enum elem_field field, const void *words, size_t count,
			size_t size, struct payloads payloads, uint32_t number)
{
	struct data out = {0};

	if (!file_chunks(m, field, payloads, number, &out))
		memory_chunk(m, CODING_WORDS, words, count * size, &out);
	return out;
}

struct data decode_texts(struct model *m, size_t count, const ProtobufCBinaryData *texts,
			 struct payloads payloads, uint32_t number)
{
	struct data out = {0};
	struct sv *views;

	if (file_chunks(m, ELEM_FIELD_STRING, payloads, number, &out) || count == 0)
		return out;
	views = arena_array(&m->arena, count, struct sv);
	for (size_t i = 0; i < count; i++)
		views[i] = arena_copy(&m->arena, bytes_sv(texts[i]));
	memory_chunk(m, CODING_VIEWS, views, count * sizeof(*views), &out);
	return out;
}

static struct data decode_raw(struct model *m, const Onnx__TensorProto *from)
{
	struct data out = {0};

	if (!file_chunks(m, ELEM_FIELD_NONE, PAYLOADS(from), FIELD_TENSOR_RAW, &out))
		memory_chunk(m, CODING_RAW, from->raw_data.data, from->raw_data.len, &out);
	return out;
}

static struct data decode_typed(struct model *m, const Onnx__TensorProto *from)
{
	enum elem_field field = elem_info(from->data_type)->field;
	struct payloads payloads = PAYLOADS(from);
	uint32_t number = tensor_fields[field];

	switch (field) {
	case ELEM_FIELD_FLOAT:
		return decode_list(m, field, from->float_data, from->n_float_data, sizeof(float),
				   payloads, number);
	case ELEM_FIELD_INT32:
		return decode_list(m, field, from->int32_data, from->n_int32_data, sizeof(int32_t),
				   payloads, number);
	case ELEM_FIELD_INT64:
		return decode_list(m, field, from->int64_data, from->n_int64_data, sizeof(int64_t),
				   payloads, number);
	case ELEM_FIELD_DOUBLE:
		return decode_list(m, field, from->double_data, from->n_double_data, sizeof(double),
				   payloads, number);
	case ELEM_FIELD_UINT64:
		return decode_list(m, field, from->uint64_data, from->n_uint64_data,
				   sizeof(uint64_t), payloads, number);
	case ELEM_FIELD_STRING:
		return decode_texts(m, from->n_string_data, from->string_data, payloads, number);
	case ELEM_FIELD_NONE:
	case ELEM_FIELD_COUNT:
		break;
	}
	return (struct data){0};
}

/* ---- tensors ---- */

static bool decode_data_natural(struct sv text, uint64_t *out)
{
	int64_t n;

	if (!sv_int(text, &n) || n < 0)
		return false;
	*out = (uint64_t)n;
	return true;
}

static struct external *decode_external(struct model *m, const Onnx__TensorProto *from)
{
	struct external *out = arena_new(&m->arena, struct external);

	out->location = SV("");
	for (size_t i = 0; i < from->n_external_data; i++) {
		struct sv key = bytes_sv(from->external_data[i]->key);
		struct sv value = bytes_sv(from->external_data[i]->value);

		if (sv_is(key, "location")) {
			out->location = arena_copy(&m->arena, value);
		} else if (sv_is(key, "offset")) {
			out->bad_numbers |= !decode_data_natural(value, &out->offset);
		} else if (sv_is(key, "length")) {
			out->has_length = decode_data_natural(value, &out->length);
			out->bad_numbers |= !out->has_length;
		}
	}
	return out;
}

static struct data external_data(struct model *m, const struct external *e)
{
	struct data out = {.count = 1, .chunks = arena_new(&m->arena, struct chunk)};

	*out.chunks = (struct chunk){
		.place = CHUNK_EXTERNAL,
		.coding = CODING_RAW,
		.at = e->offset,
		.len = e->has_length ? e->length : UINT64_MAX,
	};
	return out;
}

static int64_t *decode_dims(struct model *m, size_t count, const int64_t *dims)
{
	return count ? memcpy(arena_alloc(&m->arena, count * sizeof(*dims)), dims,
			      count * sizeof(*dims))
		     : NULL;
}

uint32_t decode_tensor(struct model *m, const Onnx__TensorProto *from)
{
	uint32_t id = tensor_new(m);
	struct tensor t = {0};

	if (!from)
		return id;
	t.name = model_intern(m, bytes_sv(from->name));
	t.elem = from->data_type;
	t.rank = (uint32_t)from->n_dims;
	t.rank_lost = find_payload(PAYLOADS(from), FIELD_TENSOR_DIMS);
	t.dims = decode_dims(m, from->n_dims, from->dims);
	t.doc = decode_doc(m, from->doc_string, PAYLOADS(from), FIELD_TENSOR_DOC);
	t.metadata = decode_pairs(m, from->n_metadata_props, from->metadata_props);
	t.metadata_count = (uint32_t)from->n_metadata_props;
	t.origin = from->axed_piece;
	if (from->data_location == ONNX__TENSOR_PROTO__DATA_LOCATION__EXTERNAL) {
		t.external = decode_external(m, from);
		t.data = external_data(m, t.external);
	} else if (from->has_raw_data || find_payload(PAYLOADS(from), FIELD_TENSOR_RAW)) {
		t.data = decode_raw(m, from);
	} else {
		t.data = decode_typed(m, from);
	}
	m->tensors.at[id] = t;
	return id;
}

struct sparse decode_sparse(struct model *m, const Onnx__SparseTensorProto *from)
{
	return (struct sparse){
		.values = decode_tensor(m, from->values),
		.indices = decode_tensor(m, from->indices),
		.rank = (uint32_t)from->n_dims,
		.dims = decode_dims(m, from->n_dims, from->dims),
		.origin = from->axed_piece,
	};
}
