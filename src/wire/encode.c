#include "wire/encode.h"

#include <string.h>

#include "base/bug.h"
#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "ir/tensor.h"
#include "ir/type.h"
#include "wire/bytes.h"
#include "wire/fields.h"

const struct field_form dims_form = {1, WIRE_VARINT, 8, true, false};
const struct field_form raw_form = {.number = 9, .type = WIRE_BYTES};

static void add_varint(struct str *out, uint32_t number, uint64_t value)
{
	str_tag(out, number, WIRE_VARINT);
	str_varint(out, value);
}

/* An absent string is empty. */
static void encode_add_text(struct str *out, uint32_t number, struct sv text)
{
	if (text.len)
		str_field(out, number, text);
}

/* Adds `body` as a field and empties it. */
static void add_message(struct str *out, uint32_t number, struct str *body)
{
	str_field(out, number, str_sv(body));
	str_release(body);
}

static bool add_pairs(struct str *out, const struct model *m, uint32_t number,
		      const struct pair *pairs, size_t count, struct err *err)
{
	for (size_t i = 0; i < count; i++) {
		struct str body = {0};

		if (pairs[i].value.len != pairs[i].value_len)
			return err_set(err, ERR_REFUSED, "the metadata is not in memory");
		str_field(&body, 1, model_name(m, pairs[i].key));
		str_field(&body, 2, pairs[i].value);
		add_message(out, number, &body);
	}
	return true;
}

/* ---- types ---- */

void encode_dim(struct str *out, const struct dim *d, struct sv param)
{
	switch (d->kind) {
	case DIM_VALUE:
		add_varint(out, 1, (uint64_t)d->value);
		break;
	case DIM_PARAM:
		str_field(out, 2, param);
		break;
	case DIM_ABSENT:
	case DIM_KIND_COUNT:
		break;
	}
}

static void encode_add_shape(struct str *out, const struct model *m, uint32_t number,
			     const struct type *t)
{
	struct str shape = {0};

	for (uint32_t i = 0; i < t->rank; i++) {
		struct str dim = {0};

		encode_dim(&dim, &t->dims[i], model_name(m, t->dims[i].param));
		encode_add_text(&dim, 3, model_name(m, t->dims[i].denotation));
		add_message(&shape, 1, &dim);
	}
	add_message(out, number, &shape);
}

static void add_inner(struct str *out, const struct model *m, uint32_t number, const struct type *t)
{
	struct str inner = {0};

	if (!t)
		return;
	encode_type(&inner, m, t);
	add_message(out, number, &inner);
}

/* The message in TypeProto's oneof. */
static void encode_kind(struct str *out, const struct model *m, const struct type *t)
{
	switch (t->kind) {
	case TYPE_TENSOR:
	case TYPE_SPARSE:
		if (t->elem)
			add_varint(out, 1, (uint64_t)(int64_t)t->elem);
		if (t->has_shape)
			encode_add_shape(out, m, 2, t);
		break;
	case TYPE_SEQUENCE:
	case TYPE_OPTIONAL:
		add_inner(out, m, 1, t->inner);
		break;
	case TYPE_MAP:
		if (t->elem)
			add_varint(out, 1, (uint64_t)(int64_t)t->elem);
		add_inner(out, m, 2, t->inner);
		break;
	case TYPE_OPAQUE:
		encode_add_text(out, 1, model_name(m, t->domain));
		encode_add_text(out, 2, model_name(m, t->name));
		break;
	case TYPE_NONE:
	case TYPE_KIND_COUNT:
		break;
	}
}

/* No deeper than the scanner allows messages to nest. */
void encode_type(struct str *out, const struct model *m, const struct type *t)
{
	static const uint32_t fields[TYPE_KIND_COUNT] = {
		[TYPE_NONE] = 0,   [TYPE_TENSOR] = 1, [TYPE_SEQUENCE] = 4, [TYPE_MAP] = 5,
		[TYPE_OPAQUE] = 7, [TYPE_SPARSE] = 8, [TYPE_OPTIONAL] = 9,
	};
	struct str body = {0};

	encode_kind(&body, m, t);
	if (t->kind != TYPE_NONE)
		add_message(out, fields[t->kind], &body);
	encode_add_text(out, 6, model_name(m, t->denotation));
}

bool encode_claim(struct str *out, const struct model *m, const struct claim *c, struct err *err)
{
	encode_add_text(out, 1, model_name(m, c->name));
	if (c->type.kind != TYPE_NONE || c->type.denotation)
		add_inner(out, m, 2, &c->type);
	encode_add_text(out, 3, c->doc);
	return add_pairs(out, m, 4, c->metadata, c->metadata_count, err);
}

/* ---- tensors ---- */

bool texts_of_data(const struct data *data, const struct sv **out, size_t *out_count,
		   struct err *err)
{
	const struct chunk *c = data->chunks;

	if (data->count > 1 ||
	    (data->count && (c->place != CHUNK_MEMORY || c->coding != CODING_VIEWS)))
		return err_set(err, ERR_REFUSED, "the strings are not in memory");
	*out = data->count ? c->memory : NULL;
	*out_count = data->count ? c->len / sizeof(**out) : 0;
	return true;
}

static bool add_texts(struct str *out, uint32_t number, const struct data *data, struct err *err)
{
	const struct sv *texts;
	size_t count;

	if (!texts_of_data(data, &texts, &count, err))
		return false;
	for (size_t i = 0; i < count; i++)
		str_field(out, number, texts[i]);
	return true;
}

bool encode_elements(struct str *out, const struct tensor *t, struct err *err)
{
	struct numbers words = {0};
	struct str raw = {0};
	bool ok;

	if (elem_info(t->elem)->field == ELEM_FIELD_STRING)
		return add_texts(out, elem_form(ELEM_FIELD_STRING)->number, &t->data, err);
	ok = numbers_of_tensor(&words, t, err);
	if (ok) {
		str_raw(&raw, &words, elem_raw_width(t->elem));
		add_message(out, raw_form.number, &raw);
	}
	vec_release(&words);
	return ok;
}

bool encode_tensor(struct str *out, const struct model *m, const struct tensor *t, struct err *err)
{
	struct str elements = {0};
	bool ok = encode_elements(&elements, t, err);
	bool texts = elem_info(t->elem)->field == ELEM_FIELD_STRING;

	for (uint32_t i = 0; i < t->rank; i++)
		add_varint(out, dims_form.number, (uint64_t)t->dims[i]);
	add_varint(out, 2, (uint64_t)(int64_t)t->elem);
	if (texts)
		str_add(out, str_sv(&elements));
	encode_add_text(out, 8, model_name(m, t->name));
	if (!texts)
		str_add(out, str_sv(&elements));
	encode_add_text(out, 12, t->doc);
	str_release(&elements);
	return ok && add_pairs(out, m, 16, t->metadata, t->metadata_count, err);
}

/* ---- attributes ---- */

const struct field_form *attr_form(enum attr_kind kind)
{
	static const struct field_form forms[ATTR_KIND_COUNT] = {
		[ATTR_UNDEFINED] = {0},
		[ATTR_FLOAT] = {2, WIRE_FIXED32, 4, false, false},
		[ATTR_INT] = {3, WIRE_VARINT, 8, false, false},
		[ATTR_STRING] = {4, WIRE_BYTES, 0, false, false},
		[ATTR_TENSOR] = {5, WIRE_BYTES, 0, false, false},
		[ATTR_GRAPH] = {6, WIRE_BYTES, 0, false, false},
		[ATTR_FLOATS] = {7, WIRE_FIXED32, 4, true, false},
		[ATTR_INTS] = {8, WIRE_VARINT, 8, true, false},
		[ATTR_STRINGS] = {9, WIRE_BYTES, 0, false, false},
		[ATTR_TENSORS] = {10, WIRE_BYTES, 0, false, false},
		[ATTR_GRAPHS] = {11, WIRE_BYTES, 0, false, false},
		[ATTR_SPARSE] = {22, WIRE_BYTES, 0, false, false},
		[ATTR_SPARSES] = {23, WIRE_BYTES, 0, false, false},
		[ATTR_TYPE] = {14, WIRE_BYTES, 0, false, false},
		[ATTR_TYPES] = {15, WIRE_BYTES, 0, false, false},
	};

	return &forms[kind];
}

bool numbers_of_attr(struct numbers *out, const struct attr *a, struct err *err)
{
	uint32_t bits;

	switch (a->kind) {
	case ATTR_FLOAT:
		memcpy(&bits, &a->f, sizeof(bits));
		vec_push(out, bits);
		return true;
	case ATTR_INT:
		vec_push(out, (uint64_t)a->i);
		return true;
	case ATTR_FLOATS:
		return numbers_of_data(out, &a->list, ELEM_FLOAT32, err);
	case ATTR_INTS:
		return numbers_of_data(out, &a->list, ELEM_INT64, err);
	default:
		BUG_ON(true);
	}
}

static bool add_numbers(struct str *out, const struct attr *a, struct err *err)
{
	struct numbers words = {0};
	bool ok = numbers_of_attr(&words, a, err);

	if (ok)
		str_numbers(out, attr_form(a->kind), words.at, words.len);
	vec_release(&words);
	return ok;
}

static bool encode_add_tensors(struct str *out, const struct model *m, uint32_t number,
			       const uint32_t *tensors, size_t count, struct err *err)
{
	bool ok = true;

	for (size_t i = 0; ok && i < count; i++) {
		struct str body = {0};

		ok = encode_tensor(&body, m, &m->tensors.at[tensors[i]], err);
		add_message(out, number, &body);
	}
	return ok;
}

bool encode_attr_value(struct str *out, const struct model *m, const struct attr *a,
		       struct err *err)
{
	uint32_t number = attr_form(a->kind)->number;

	switch (a->kind) {
	case ATTR_FLOAT:
	case ATTR_INT:
	case ATTR_FLOATS:
	case ATTR_INTS:
		return add_numbers(out, a, err);
	case ATTR_STRING:
		if (a->text.len != a->text_len)
			return err_set(err, ERR_REFUSED, "the string is not in memory");
		str_field(out, number, a->text);
		return true;
	case ATTR_STRINGS:
		return add_texts(out, number, &a->list, err);
	case ATTR_TENSOR:
		return encode_add_tensors(out, m, number, &a->tensor, 1, err);
	case ATTR_TENSORS:
		return encode_add_tensors(out, m, number, a->tensors, a->count, err);
	case ATTR_TYPE:
	case ATTR_TYPES:
		for (uint32_t i = 0; i < a->count; i++)
			add_inner(out, m, number, &a->types[i]);
		return true;
	case ATTR_GRAPH:
	case ATTR_GRAPHS:
	case ATTR_SPARSE:
	case ATTR_SPARSES:
	case ATTR_UNDEFINED:
	case ATTR_KIND_COUNT:
		break;
	}
	return err_set(err, ERR_REFUSED, "cannot write new graphs or sparse tensors");
}

bool encode_attr(struct str *out, const struct model *m, const struct attr *a, struct err *err)
{
	struct sv name = model_name(m, a->name);

	encode_add_text(out, 1, name);
	if (!a->ref && !encode_attr_value(out, m, a, err))
		return err_prefix(err, "attribute %.*s", (int)MIN(name.len, 99u), name.at);
	encode_add_text(out, 13, a->doc);
	add_varint(out, 20, a->kind);
	encode_add_text(out, 21, model_name(m, a->ref));
	return true;
}

/* ---- nodes ---- */

static void encode_add_values(struct str *out, const struct model *m, uint32_t number,
			      const uint32_t *values, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		str_field(out, number, model_name(m, m->values.at[values[i]].name));
}

bool encode_node(struct str *out, const struct model *m, const struct node *n, struct err *err)
{
	if (n->sharding_count)
		return err_set(err, ERR_REFUSED, "cannot write new shardings");
	encode_add_values(out, m, 1, n->inputs, n->input_count);
	encode_add_values(out, m, 2, n->outputs, n->output_count);
	encode_add_text(out, 3, model_name(m, n->name));
	str_field(out, 4, model_name(m, n->op));
	for (uint32_t i = 0; i < n->attr_count; i++) {
		struct str body = {0};
		bool ok = encode_attr(&body, m, &n->attrs[i], err);

		add_message(out, 5, &body);
		if (!ok)
			return false;
	}
	encode_add_text(out, 6, n->doc);
	encode_add_text(out, 7, model_name(m, n->domain));
	encode_add_text(out, 8, model_name(m, n->overload));
	return add_pairs(out, m, 9, n->metadata, n->metadata_count, err);
}
