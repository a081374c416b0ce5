#include "ir/text.h"

#include <inttypes.h>

#include "base/err.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "ir/element.h"
#include "ir/type.h"

enum {
	MAX_DIMS = 64,
	MAX_ITEMS = 4 /* tensors, graphs, types of one attribute */
};

/* ---- elements ---- */

/* `len` is the true length; the text may be cut already. */
static void text_string(struct str *s, struct sv text, uint64_t len, bool quotes,
			const struct text_limits *l)
{
	size_t fits = MIN(text.len, (size_t)l->bytes);

	/* Not in the middle of a character. */
	for (int i = 0; i < 3 && fits && fits < text.len; i++)
		fits -= ((unsigned char)text.at[fits] & 0xc0) == 0x80;
	str_text(s, quotes ? "\"" : "");
	str_add_shown(s, (struct sv){text.at, fits});
	str_text(s, quotes ? "\"" : "");
	if (fits == len)
		return;
	str_text(s, " \u2026 (");
	str_count(s, len);
	str_text(s, " bytes)");
}

/* "To the end" is written as the largest value of int32 or int64. */
static const char *name_of_end(int64_t i)
{
	if (i == INT64_MAX || i == INT32_MAX)
		return "max";
	return i <= INT64_MIN + 1 || i == INT32_MIN ? "min" : NULL;
}

static void text_scalar(struct str *s, const struct scalar *value, const struct text_limits *l)
{
	bool named = l->brief && value->class == ELEM_CLASS_SIGNED && name_of_end(value->i);

	if (named)
		str_text(s, name_of_end(value->i));
	else if (value->class == ELEM_CLASS_STRING)
		text_string(s, value->text, value->text.len, true, l);
	else
		scalar_print(s, value, l->digits);
}

/* A count of 0 is unknown. */
static bool text_elements(struct str *s, struct tensor_reader *r, uint64_t count,
			  const struct text_limits *l)
{
	size_t start = s->len, got;
	struct scalar one;
	struct err err;

	for (uint32_t i = 0;; i++) {
		bool ok = tensor_reader_next(r, &one, 1, &got, &err);

		if (ok && !got)
			return true;
		str_text(s, i ? ", " : "");
		if (!ok) {
			str_format(s, "(%s)", err.text);
			return false;
		}
		if (i == l->elements || s->len - start > l->bytes)
			break;
		text_scalar(s, &one, l);
	}
	str_text(s, count ? "\u2026 (" : "\u2026");
	if (count)
		str_count(s, count);
	str_text(s, count ? ")" : "");
	return true;
}

bool tensor_print_elements(struct str *s, const struct model *m, const struct tensor *t,
			   const struct text_limits *l)
{
	struct tensor_reader r;
	uint64_t count = 0;
	struct err err;
	bool ok;

	if (l->local && t->external) {
		str_text(s, "(external data)");
		return false;
	}
	if (!tensor_reader_init(&r, &m->bytes, t, &err)) {
		str_format(s, "(%s)", err.text);
		return false;
	}
	ok = tensor_elements(t, &count) && text_elements(s, &r, count, l);
	tensor_reader_release(&r);
	return ok;
}

static void text_list(struct str *s, const struct model *m, const struct attr *a,
		      const struct text_limits *l)
{
	struct tensor_reader r;

	if (l->brief && !data_in_memory(&a->list)) {
		str_text(s, "\u2026");
		return;
	}
	tensor_reader_list(&r, &m->bytes, &a->list, attr_list_elem(a));
	str_char(s, '[');
	(void)text_elements(s, &r, a->count, l);
	str_char(s, ']');
	tensor_reader_release(&r);
}

/* ---- tensors ---- */

static void text_dims(struct str *s, const int64_t *dims, uint32_t rank)
{
	str_char(s, '[');
	for (uint32_t i = 0; i < MIN(rank, (uint32_t)MAX_DIMS); i++)
		str_format(s, i ? ", %" PRId64 : "%" PRId64, dims[i]);
	str_text(s, rank > MAX_DIMS ? ", \u2026]" : "]");
}

void tensor_print_type(struct str *s, const struct tensor *t, bool short_names)
{
	if (short_names)
		str_text(s, elem_short(t->elem));
	else
		elem_print(s, t->elem);
	if (t->rank_lost)
		return;
	str_char(s, ' ');
	text_dims(s, t->dims, t->rank);
}

static void text_tensor(struct str *s, const struct model *m, const struct tensor *t,
			const struct text_limits *l)
{
	tensor_print_type(s, t, l->short_names);
	if (l->brief && !data_in_memory(&t->data))
		return;
	str_char(s, ' ');
	(void)tensor_print_elements(s, m, t, l);
}

static void text_sparse(struct str *s, const struct model *m, const struct sparse *sparse,
			const struct text_limits *l)
{
	str_text(s, "sparse ");
	text_dims(s, sparse->dims, sparse->rank);
	if (l->brief && !data_in_memory(&m->tensors.at[sparse->values].data))
		return;
	str_char(s, ' ');
	(void)tensor_print_elements(s, m, &m->tensors.at[sparse->values], l);
}

/* ---- attributes ---- */

/* The attributes that contain an element type. */
static bool names_type(struct sv name)
{
	static const char *const names[] = {"to",           "dtype",
					    "output_dtype", "output_datatype",
					    "stash_type",   "softmax_precision"};

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		if (sv_is(name, names[i]))
			return true;
	}
	return false;
}

static void text_graph(struct str *s, const struct model *m, uint32_t graph)
{
	size_t count = m->graphs.at[graph].nodes.len;

	if (graph)
		str_format(s, "{%zu node%s}", count, count == 1 ? "" : "s");
	else
		str_char(s, '?');
}

static void text_item(struct str *s, const struct model *m, const struct attr *a, uint32_t i,
		      const struct text_limits *l)
{
	if (a->kind == ATTR_TENSORS)
		text_tensor(s, m, &m->tensors.at[a->tensors[i]], l);
	else if (a->kind == ATTR_GRAPHS)
		text_graph(s, m, a->graphs[i]);
	else if (a->kind == ATTR_SPARSE || a->kind == ATTR_SPARSES)
		text_sparse(s, m, &a->sparses[i], l);
	else
		type_print(s, &a->types[i], &m->names);
}

static void text_items(struct str *s, const struct model *m, const struct attr *a,
		       const struct text_limits *l)
{
	for (uint32_t i = 0; i < MIN(a->count, (uint32_t)MAX_ITEMS); i++) {
		str_text(s, i ? "; " : "");
		text_item(s, m, a, i, l);
	}
	if (a->count == 0)
		str_char(s, '?');
	if (a->count > MAX_ITEMS)
		str_format(s, "; \u2026 (%" PRIu32 ")", a->count);
}

static void text_value(struct str *s, const struct model *m, const struct attr *a,
		       const struct text_limits *l)
{
	switch (a->kind) {
	case ATTR_FLOAT:
		scalar_print(s, &(struct scalar){ELEM_CLASS_FLOAT, {.f = (double)a->f}}, l->digits);
		break;
	case ATTR_INT:
		str_format(s, "%" PRId64, a->i);
		if (names_type(model_name(m, a->name)) && a->i > 0 && a->i < ELEM_COUNT)
			str_format(s, " (%s)", elem_info((int32_t)a->i)->name);
		break;
	case ATTR_STRING:
		text_string(s, a->text, a->text_len, l->quotes, l);
		break;
	case ATTR_TENSOR:
		text_tensor(s, m, &m->tensors.at[a->tensor], l);
		break;
	case ATTR_GRAPH:
		text_graph(s, m, a->graph);
		break;
	case ATTR_FLOATS:
	case ATTR_INTS:
	case ATTR_STRINGS:
		text_list(s, m, a, l);
		break;
	case ATTR_TENSORS:
	case ATTR_GRAPHS:
	case ATTR_SPARSE:
	case ATTR_SPARSES:
	case ATTR_TYPE:
	case ATTR_TYPES:
		text_items(s, m, a, l);
		break;
	case ATTR_UNDEFINED:
	case ATTR_KIND_COUNT:
		str_char(s, '?');
		break;
	}
}

void attr_print(struct str *s, const struct model *m, const struct attr *a,
		const struct text_limits *l)
{
	if (a->ref) {
		str_text(s, l->brief ? "@" : "caller's ");
		str_add_shown(s, model_cut_name(m, a->ref));
	} else {
		text_value(s, m, a, l);
	}
}
