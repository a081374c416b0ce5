#include "export/json/attr.h"

#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "ir/element.h"
#include "ir/tensor.h"
#include "ir/type.h"
#include "report/type.h"

/* ---- elements ---- */

/* Cut: a string may be as long as the file. */
static void attr_json_put_text(struct json *j, struct sv text)
{
	json_text(j, (struct sv){text.at, MIN(text.len, JSON_LONGEST_TEXT)});
}

static void put_scalar(struct json *j, const struct scalar *s)
{
	switch (s->class) {
	case ELEM_CLASS_BOOL:
		json_bool(j, s->truth);
		break;
	case ELEM_CLASS_SIGNED:
		json_int(j, s->i);
		break;
	case ELEM_CLASS_UNSIGNED:
		json_count(j, s->u);
		break;
	case ELEM_CLASS_FLOAT:
		json_float(j, s->f);
		break;
	case ELEM_CLASS_COMPLEX:
		json_array(j);
		json_float(j, s->complex_parts[0]);
		json_float(j, s->complex_parts[1]);
		json_end_array(j);
		break;
	case ELEM_CLASS_STRING:
		attr_json_put_text(j, s->text);
		break;
	case ELEM_CLASS_NONE:
	case ELEM_CLASS_COUNT:
		json_null(j);
		break;
	}
}

/* Writes the first elements; false when there are more. */
static bool put_elements(struct json *j, struct tensor_reader *r)
{
	struct scalar value;
	struct err err;
	size_t got = 1;

	json_array(j);
	for (int i = 0; i < JSON_MAX_ELEMENTS && got; i++) {
		if (!tensor_reader_next(r, &value, 1, &got, &err))
			got = 0;
		if (got)
			put_scalar(j, &value);
	}
	json_end_array(j);
	return !got || !tensor_reader_next(r, &value, 1, &got, &err) || !got;
}

/* ---- tensors ---- */

static void attr_json_put_dims(struct json *j, const int64_t *dims, uint32_t rank)
{
	json_key(j, "dims");
	json_array(j);
	for (uint32_t i = 0; i < rank; i++)
		json_int(j, dims[i]);
	json_end_array(j);
}

static void attr_json_put_place(struct json *j, const struct tensor *t)
{
	json_key(j, "stored");
	json_text(j, t->external ? SV("external") : SV("model"));
	if (!t->external)
		return;
	json_key(j, "location");
	json_text(j, t->external->location);
	json_key(j, "offset");
	json_count(j, t->external->offset);
}

void tensor_json(struct json *j, const struct model *m, const struct tensor *t)
{
	struct tensor_reader r;
	uint64_t elements;
	struct err err;

	json_key(j, "elem");
	type_json_elem(j, t->elem);
	attr_json_put_dims(j, t->dims, t->rank);
	json_key(j, "bytes");
	json_count(j, tensor_stored_bytes(t));
	attr_json_put_place(j, t);
	json_key(j, "values");
	if (t->external || t->rank_lost || !tensor_elements(t, &elements) ||
	    elements > JSON_MAX_ELEMENTS || !tensor_reader_init(&r, &m->bytes, t, &err)) {
		json_null(j);
		return;
	}
	(void)put_elements(j, &r);
	tensor_reader_release(&r);
}

static void put_tensor(struct json *j, const struct model *m, uint32_t tensor)
{
	json_object(j);
	tensor_json(j, m, &m->tensors.at[tensor]);
	json_end_object(j);
}

static void put_sparse(struct json *j, const struct model *m, const struct sparse *s)
{
	if (!s) {
		json_null(j);
		return;
	}
	json_object(j);
	attr_json_put_dims(j, s->dims, s->rank);
	json_key(j, "nonzero");
	put_tensor(j, m, s->values);
	json_end_object(j);
}

/* ---- attributes ---- */

static const char *const kind_names[ATTR_KIND_COUNT] = {
	[ATTR_UNDEFINED] = "undefined",
	[ATTR_FLOAT] = "float",
	[ATTR_INT] = "int",
	[ATTR_STRING] = "string",
	[ATTR_TENSOR] = "tensor",
	[ATTR_GRAPH] = "graph",
	[ATTR_FLOATS] = "floats",
	[ATTR_INTS] = "ints",
	[ATTR_STRINGS] = "strings",
	[ATTR_TENSORS] = "tensors",
	[ATTR_GRAPHS] = "graphs",
	[ATTR_SPARSE] = "sparse_tensor",
	[ATTR_SPARSES] = "sparse_tensors",
	[ATTR_TYPE] = "type",
	[ATTR_TYPES] = "types",
};

static void put_list(struct json *j, const struct model *m, const struct attr *a)
{
	struct tensor_reader r;
	bool whole;

	tensor_reader_list(&r, &m->bytes, &a->list, attr_list_elem(a));
	whole = put_elements(j, &r);
	tensor_reader_release(&r);
	if (whole)
		return;
	json_key(j, "count");
	if (a->count)
		json_count(j, a->count);
	else
		json_null(j);
}

static void put_string(struct json *j, const struct attr *a)
{
	attr_json_put_text(j, a->text);
	if (a->text_len > MIN(a->text.len, JSON_LONGEST_TEXT)) {
		json_key(j, "bytes");
		json_count(j, a->text_len);
	}
}

/* Bodies have the same names as in `graphs`. */
static void put_graph(struct json *j, const struct model *m, uint32_t graph)
{
	struct str path = {0};

	graph_path(&path, m, graph);
	json_text(j, str_sv(&path));
	str_release(&path);
}

static void put_one(struct json *j, const struct model *m, const struct attr *a, uint32_t i)
{
	if (a->kind == ATTR_TENSORS)
		put_tensor(j, m, a->tensors[i]);
	else if (a->kind == ATTR_GRAPHS)
		put_graph(j, m, a->graphs[i]);
	else if (a->kind == ATTR_SPARSES)
		put_sparse(j, m, &a->sparses[i]);
	else
		type_json(j, &a->types[i], &m->names);
}

static void put_things(struct json *j, const struct model *m, const struct attr *a)
{
	json_array(j);
	for (uint32_t i = 0; i < a->count; i++)
		put_one(j, m, a, i);
	json_end_array(j);
}

static void attr_json_put_value(struct json *j, const struct model *m, const struct attr *a)
{
	switch (a->kind) {
	case ATTR_FLOAT:
		json_float(j, (double)a->f);
		break;
	case ATTR_INT:
		json_int(j, a->i);
		break;
	case ATTR_STRING:
		put_string(j, a);
		break;
	case ATTR_FLOATS:
	case ATTR_INTS:
	case ATTR_STRINGS:
		put_list(j, m, a);
		break;
	case ATTR_TENSOR:
		put_tensor(j, m, a->tensor);
		break;
	case ATTR_GRAPH:
		put_graph(j, m, a->graph);
		break;
	case ATTR_SPARSE:
		put_sparse(j, m, a->sparses);
		break;
	case ATTR_TYPE:
		type_json(j, a->types ? a->types : &(struct type){0}, &m->names);
		break;
	case ATTR_TENSORS:
	case ATTR_GRAPHS:
	case ATTR_SPARSES:
	case ATTR_TYPES:
		put_things(j, m, a);
		break;
	case ATTR_UNDEFINED:
	case ATTR_KIND_COUNT:
		json_null(j);
		break;
	}
}

void attr_json(struct json *j, const struct model *m, const struct attr *a)
{
	json_object(j);
	json_key(j, "name");
	json_text(j, model_name(m, a->name));
	json_key(j, "type");
	json_text(j, sv_of(kind_names[a->kind]));
	if (a->ref) {
		json_key(j, "ref");
		json_text(j, model_name(m, a->ref));
	}
	json_key(j, "value");
	if (a->ref) /* set by the caller */
		json_null(j);
	else
		attr_json_put_value(j, m, a);
	json_end_object(j);
}
