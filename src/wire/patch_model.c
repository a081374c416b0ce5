#include "wire/patch_model.h"

#include "base/bug.h"
#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "ir/tensor.h"
#include "wire/bytes.h"
#include "wire/encode.h"
#include "wire/fields.h"
#include "wire/numbers.h"
#include "wire/scan.h"
#include "wire/wire.h"

/* A failure leaves the patch unchanged. */
static bool keep_if(struct patch *p, size_t before, bool ok)
{
	if (!ok)
		p->splices.len = before;
	return ok;
}

static uint64_t piece_end(const struct piece *p)
{
	return piece_at(p) + p->len;
}

void patch_remove(struct patch *p, const struct wire *w, uint32_t origin)
{
	BUG_ON(origin == 0 || origin >= w->pieces.len);
	for (uint32_t id = origin; id; id = w->pieces.at[id].next) {
		const struct piece *piece = &w->pieces.at[id];

		patch_replace(p, piece->parent, piece->tag_at, piece_end(piece) - piece->tag_at,
			      SV(""));
	}
}

/* ---- one dimension ---- */

enum {
	FIELD_DIM_VALUE = 1,
	FIELD_DIM_PARAM = 2
};

/* The value of a dimension; both fields are in one oneof, so the last wins. */
static const struct field_form dim_forms[] = {
	{.number = FIELD_DIM_VALUE, .type = WIRE_VARINT},
	{.number = FIELD_DIM_PARAM, .type = WIRE_BYTES},
};

static void patch_dim_fields(struct patch *p, const struct wire *w, uint32_t origin,
			     const struct found_fields *old, const struct dim *to, struct sv param)
{
	const struct found *last = old->len ? &old->at[old->len - 1] : NULL;
	struct str bytes = {0};

	encode_dim(&bytes, to, param);
	if (!last)
		patch_append(p, w, origin, str_sv(&bytes));
	else if (to->kind == DIM_PARAM && last->field.number == FIELD_DIM_PARAM)
		patch_field_set(p, last, param); /* renaming a symbol changes only the name */
	else
		patch_field(p, last, str_sv(&bytes));
	/* Removing the value: no earlier occurrence may take effect. */
	for (size_t i = 0; to->kind == DIM_ABSENT && i + 1 < old->len; i++)
		patch_field(p, &old->at[i], SV(""));
	str_release(&bytes);
}

bool patch_dim(struct patch *p, const struct wire *w, uint32_t origin, const struct dim *to,
	       struct sv param, struct err *err)
{
	struct found_fields old = {0};
	bool ok;

	BUG_ON(origin == 0 || origin >= w->pieces.len);
	if (param.len > SCAN_LONGEST_NAME)
		return err_set(err, ERR_LIMIT, "a name of %zu bytes is too long; the maximum is %d",
			       param.len, SCAN_LONGEST_NAME);
	ok = fields_find(w, origin, dim_forms, ARRAY_LEN(dim_forms), &old, err);
	if (ok)
		patch_dim_fields(p, w, origin, &old, to, param);
	vec_release(&old);
	return ok;
}

/* ---- nodes ---- */

enum {
	FIELD_NODE_INPUT = 1,
	FIELD_NODE_OUTPUT = 2,
	FIELD_NODE_ATTRIBUTE = 5
};

static bool patch_names(struct patch *p, const struct wire *w, uint32_t node, uint32_t number,
			const struct sv *names, size_t count, struct err *err)
{
	size_t before = p->splices.len;

	for (size_t i = 0; i < count; i++) {
		if (names[i].len > SCAN_LONGEST_NAME)
			return err_set(err, ERR_LIMIT,
				       "a name of %zu bytes is too long; the maximum is %d",
				       names[i].len, SCAN_LONGEST_NAME);
	}
	return keep_if(p, before, patch_texts(p, w, node, number, names, count, err));
}

bool patch_node_inputs(struct patch *p, const struct wire *w, uint32_t node, const struct sv *names,
		       size_t count, struct err *err)
{
	return patch_names(p, w, node, FIELD_NODE_INPUT, names, count, err);
}

bool patch_node_outputs(struct patch *p, const struct wire *w, uint32_t node,
			const struct sv *names, size_t count, struct err *err)
{
	return patch_names(p, w, node, FIELD_NODE_OUTPUT, names, count, err);
}

/* ---- tensors ---- */

enum {
	FIELD_TENSOR_EXTERNAL = 13,
	FIELD_TENSOR_LOCATION = 14,
	LOCATION_EXTERNAL = 1
};

/* Everything that says what or where a tensor's elements are. */
static const struct field_form location_forms[] = {
	{.number = FIELD_TENSOR_EXTERNAL, .type = WIRE_BYTES},
	{.number = FIELD_TENSOR_LOCATION, .type = WIRE_VARINT},
};

static bool find_data(const struct wire *w, uint32_t tensor, struct found_fields *out,
		      struct err *err)
{
	struct field_form forms[ELEM_FIELD_COUNT + ARRAY_LEN(location_forms)] = {raw_form};
	size_t count = 1;

	for (enum elem_field i = ELEM_FIELD_NONE + 1; i < ELEM_FIELD_COUNT; i++)
		forms[count++] = *elem_form(i);
	for (size_t i = 0; i < ARRAY_LEN(location_forms); i++)
		forms[count++] = location_forms[i];
	return fields_find(w, tensor, forms, count, out, err);
}

static const struct found *last_of(const struct found_fields *fields, uint32_t number)
{
	const struct found *last = NULL;

	for (size_t i = 0; i < fields->len; i++) {
		if (fields->at[i].field.number == number)
			last = &fields->at[i];
	}
	return last;
}

static bool patch_model_read_varint(const struct wire *w, const struct found *f, uint64_t *out,
				    struct err *err)
{
	struct bytes b;
	uint8_t len;
	bool ok;

	bytes_init(&b, &w->file);
	ok = bytes_varint(&b, f->field.at, field_end(&f->field), out, &len, err);
	bytes_release(&b);
	return ok;
}

static bool is_external(const struct wire *w, const struct found_fields *data, bool *out,
			struct err *err)
{
	const struct found *location = last_of(data, FIELD_TENSOR_LOCATION);
	uint64_t where = 0;

	if (location && !patch_model_read_varint(w, location, &where, err))
		return false;
	*out = where == LOCATION_EXTERNAL;
	return true;
}

/* The bytes replace the first field; the others are removed. */
static void replace_all(struct patch *p, const struct found_fields *fields, struct sv bytes)
{
	for (size_t i = 0; i < fields->len; i++)
		patch_field(p, &fields->at[i], i ? SV("") : bytes);
}

/* Elements that were external or absent; no elements need no field. */
static bool move_in(struct patch *p, const struct wire *w, uint32_t tensor,
		    const struct found_fields *data, bool external, const struct tensor *to,
		    struct err *err)
{
	struct str elements = {0};
	uint64_t count = 0;
	bool ok = encode_elements(&elements, to, err);

	if (ok && external)
		replace_all(p, data, str_sv(&elements));
	else if (ok && tensor_elements(to, &count) && count)
		patch_append(p, w, tensor, str_sv(&elements));
	str_release(&elements);
	return ok;
}

static bool change_elements(struct patch *p, const struct wire *w, uint32_t tensor,
			    const struct found *raw, const struct tensor *to, struct err *err)
{
	const struct field_form *form = elem_form(elem_info(to->elem)->field);
	struct numbers words = {0};
	struct str bytes = {0};
	const struct sv *texts;
	size_t count;
	bool ok;

	if (elem_info(to->elem)->field == ELEM_FIELD_STRING)
		return texts_of_data(&to->data, &texts, &count, err) &&
		       patch_texts(p, w, tensor, form->number, texts, count, err);
	ok = numbers_of_tensor(&words, to, err);
	if (ok && raw) {
		str_raw(&bytes, &words, elem_raw_width(to->elem));
		patch_field_set(p, raw, str_sv(&bytes));
	} else if (ok) {
		ok = patch_numbers(p, w, tensor, form, words.at, words.len, err);
	}
	str_release(&bytes);
	vec_release(&words);
	return ok;
}

static bool patch_dims(struct patch *p, const struct wire *w, uint32_t tensor,
		       const struct tensor *to, struct err *err)
{
	struct numbers dims = {0};
	bool ok;

	for (uint32_t i = 0; i < to->rank; i++)
		vec_push(&dims, (uint64_t)to->dims[i]);
	ok = patch_numbers(p, w, tensor, &dims_form, dims.at, dims.len, err);
	vec_release(&dims);
	return ok;
}

bool patch_tensor(struct patch *p, const struct wire *w, uint32_t tensor, const struct tensor *to,
		  struct err *err)
{
	size_t before = p->splices.len;
	struct found_fields data = {0};
	const struct found *raw, *typed;
	bool external;
	bool ok = find_data(w, tensor, &data, err) && is_external(w, &data, &external, err);

	if (!ok)
		goto out;
	raw = last_of(&data, raw_form.number);
	typed = last_of(&data, elem_form(elem_info(to->elem)->field)->number);
	ok = patch_dims(p, w, tensor, to, err) &&
	     (external || (!raw && !typed) ? move_in(p, w, tensor, &data, external, to, err)
					   : change_elements(p, w, tensor, raw, to, err));
out:
	vec_release(&data);
	return keep_if(p, before, ok);
}

/* ---- attributes ---- */

enum {
	FIELD_ATTR_TYPE = 20,
	FIELD_ATTR_REF = 21
};

static const struct field_form type_form = {.number = FIELD_ATTR_TYPE, .type = WIRE_VARINT};

/* The values of all other kinds, and ref_attr_name. */
static bool find_others(const struct wire *w, uint32_t attr, enum attr_kind kind,
			struct found_fields *out, struct err *err)
{
	struct field_form forms[ATTR_KIND_COUNT] = {{.number = FIELD_ATTR_REF, .type = WIRE_BYTES}};
	size_t count = 1;

	for (enum attr_kind i = ATTR_UNDEFINED + 1; i < ATTR_KIND_COUNT; i++) {
		if (i != kind)
			forms[count++] = *attr_form(i);
	}
	return fields_find(w, attr, forms, count, out, err);
}

static bool change_number(struct patch *p, const struct wire *w, const struct found *old,
			  const struct attr *to, struct err *err)
{
	struct numbers words = {0};
	struct str bytes = {0};
	uint64_t word = 0;
	bool ok = numbers_of_attr(&words, to, err) &&
		  (old->field.type != WIRE_VARINT || patch_model_read_varint(w, old, &word, err));

	if (ok) {
		str_word_like(&bytes, old->field.type, words.at[0], word, old->field.len);
		patch_field_set(p, old, str_sv(&bytes));
	}
	str_release(&bytes);
	vec_release(&words);
	return ok;
}

static bool change_numbers(struct patch *p, const struct wire *w, uint32_t attr,
			   const struct attr *to, struct err *err)
{
	struct numbers words = {0};
	bool ok = numbers_of_attr(&words, to, err) &&
		  patch_numbers(p, w, attr, attr_form(to->kind), words.at, words.len, err);

	vec_release(&words);
	return ok;
}

static bool patch_model_change_texts(struct patch *p, const struct wire *w, uint32_t attr,
				     const struct attr *to, struct err *err)
{
	const struct sv *texts;
	size_t count;

	return texts_of_data(&to->list, &texts, &count, err) &&
	       patch_texts(p, w, attr, attr_form(to->kind)->number, texts, count, err);
}

/* Changes the value in place, if there is one of its kind. */
static bool change_value(struct patch *p, const struct wire *w, uint32_t attr,
			 const struct found *old, const struct attr *to, struct err *err)
{
	switch (to->kind) {
	case ATTR_INT:
	case ATTR_FLOAT:
		return change_number(p, w, old, to, err);
	case ATTR_INTS:
	case ATTR_FLOATS:
		return change_numbers(p, w, attr, to, err);
	case ATTR_STRINGS:
		return patch_model_change_texts(p, w, attr, to, err);
	case ATTR_STRING:
		if (to->text.len != to->text_len)
			return err_set(err, ERR_REFUSED, "the string is not in memory");
		patch_field_set(p, old, to->text);
		return true;
	default:
		return err_set(err, ERR_REFUSED, "only numbers and strings can be changed");
	}
}

/* IR version 1 has no type; add it only if no field tells the kind. */
static bool change_type(struct patch *p, const struct wire *w, uint32_t attr, enum attr_kind kind,
			bool has_value, struct err *err)
{
	struct found_fields types = {0};
	struct str bytes = {0};
	uint64_t old = kind;
	bool ok = fields_find(w, attr, &type_form, 1, &types, err) &&
		  (types.len == 0 || patch_model_read_varint(w, vec_last(&types), &old, err));

	if (ok && types.len == 0 && !has_value) {
		str_tag(&bytes, FIELD_ATTR_TYPE, WIRE_VARINT);
		str_varint(&bytes, kind);
		patch_append(p, w, attr, str_sv(&bytes));
	} else if (ok && old != kind) {
		str_varint_like(&bytes, kind, old, (unsigned)vec_last(&types)->field.len);
		patch_field_set(p, vec_last(&types), str_sv(&bytes));
	}
	str_release(&bytes);
	vec_release(&types);
	return ok;
}

/* Replaces the value; uses `bytes` if there is none of its kind yet. */
static bool place_value(struct patch *p, const struct wire *w, uint32_t attr, const struct attr *to,
			struct sv bytes, struct err *err)
{
	struct found_fields own = {0}, others = {0};
	bool ok = fields_find(w, attr, attr_form(to->kind), 1, &own, err) &&
		  find_others(w, attr, to->kind, &others, err);

	if (ok && own.len)
		ok = change_value(p, w, attr, vec_last(&own), to, err);
	else if (ok && others.len == 0)
		patch_append(p, w, attr, bytes);
	if (ok)
		replace_all(p, &others, own.len ? SV("") : bytes);
	vec_release(&own);
	vec_release(&others);
	return ok;
}

bool patch_attr(struct patch *p, const struct wire *w, uint32_t attr, const struct model *m,
		const struct attr *to, struct err *err)
{
	size_t before = p->splices.len;
	struct str bytes = {0};
	bool ok = encode_attr_value(&bytes, m, to, err) &&
		  place_value(p, w, attr, to, str_sv(&bytes), err) &&
		  change_type(p, w, attr, to->kind, bytes.len, err);

	str_release(&bytes);
	return keep_if(p, before, ok);
}

/* ---- insertions ---- */

bool patch_insert_attr(struct patch *p, const struct wire *w, uint32_t node, const struct model *m,
		       const struct attr *attr, struct err *err)
{
	struct str body = {0}, field = {0};
	bool ok = encode_attr(&body, m, attr, err);

	if (ok) {
		str_field(&field, FIELD_NODE_ATTRIBUTE, str_sv(&body));
		patch_append(p, w, node, str_sv(&field));
	}
	str_release(&body);
	str_release(&field);
	return ok;
}

/* Field numbers in GraphProto and FunctionProto; 0 if the latter has none. */
enum part {
	PART_INPUT = CLAIM_INPUT,
	PART_OUTPUT = CLAIM_OUTPUT,
	PART_VALUE_INFO = CLAIM_VALUE_INFO,
	PART_NODE,
	PART_INITIALIZER,
	PART_COUNT
};

static const uint32_t part_fields[2][PART_COUNT] = {
	{[PART_NODE] = 1,
	 [PART_INITIALIZER] = 5,
	 [PART_INPUT] = 11,
	 [PART_OUTPUT] = 12,
	 [PART_VALUE_INFO] = 13},
	{[PART_NODE] = 7, [PART_VALUE_INFO] = 12 /* the rest is not a message in functions */},
};

static struct str part_field(const struct graph *g, enum part part, const struct str *body)
{
	uint32_t number = part_fields[g->kind == GRAPH_FUNCTION][part];
	struct str out = {0};

	BUG_ON(number == 0);
	str_field(&out, number, str_sv(body));
	return out;
}

static void append_part(struct patch *p, const struct wire *w, const struct graph *g,
			enum part part, const struct str *body)
{
	struct str field = part_field(g, part, body);

	patch_append(p, w, g->origin, str_sv(&field));
	str_release(&field);
}

bool patch_insert_node(struct patch *p, const struct wire *w, const struct model *m, uint32_t graph,
		       uint32_t before, uint32_t after, const struct node *n, struct err *err)
{
	const struct graph *g = &m->graphs.at[graph];
	const struct piece *next = &w->pieces.at[before], *last = &w->pieces.at[after];
	struct str body = {0}, field = {0};
	bool ok = encode_node(&body, m, n, err);

	if (ok)
		field = part_field(g, PART_NODE, &body);
	if (ok && before)
		patch_replace(p, next->parent, next->tag_at, 0, str_sv(&field));
	else if (ok && after)
		patch_replace(p, last->parent, piece_end(last), 0, str_sv(&field));
	else if (ok)
		patch_append(p, w, g->origin, str_sv(&field));
	str_release(&body);
	str_release(&field);
	return ok;
}

bool patch_append_claim(struct patch *p, const struct wire *w, const struct model *m,
			uint32_t graph, const struct claim *c, struct err *err)
{
	struct str body = {0};
	bool ok = encode_claim(&body, m, c, err);

	if (ok)
		append_part(p, w, &m->graphs.at[graph], (enum part)c->kind, &body);
	str_release(&body);
	return ok;
}

bool patch_claim_type(struct patch *p, const struct wire *w, uint32_t claim, const struct model *m,
		      const struct type *to, struct err *err)
{
	static const struct field_form claimed = {.number = 2, .type = WIRE_BYTES};
	struct found_fields old = {0};
	struct str body = {0}, field = {0};
	bool ok = fields_find(w, claim, &claimed, 1, &old, err);

	encode_type(&body, m, to);
	if (ok && old.len == 0) {
		str_field(&field, claimed.number, str_sv(&body));
		patch_append(p, w, claim, str_sv(&field));
	}
	/* A type in several pieces becomes one, in place of the last. */
	for (size_t i = 0; ok && i < old.len; i++) {
		if (i + 1 < old.len)
			patch_field(p, &old.at[i], (struct sv){"", 0});
		else
			patch_field_set(p, &old.at[i], str_sv(&body));
	}
	vec_release(&old);
	str_release(&body);
	str_release(&field);
	return ok;
}

bool patch_append_tensor(struct patch *p, const struct wire *w, const struct model *m,
			 uint32_t graph, const struct tensor *t, struct err *err)
{
	struct str body = {0};
	bool ok = encode_tensor(&body, m, t, err);

	if (ok)
		append_part(p, w, &m->graphs.at[graph], PART_INITIALIZER, &body);
	str_release(&body);
	return ok;
}
