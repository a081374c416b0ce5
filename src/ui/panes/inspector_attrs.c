/*
 * The attributes of a node, with their values.
 */
#include <inttypes.h>

#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "ir/graph.h"
#include "ir/tensor.h"
#include "ir/type.h"
#include "report/record.h"
#include "ui/canvas.h"
#include "ui/panes/inspector.h"
#include "ui/panes/weight.h"
#include "ui/rows.h"
#include "ui/screen.h"

enum {
	MAX_ELEMENTS = 64,
	MAX_LINES = 8, /* per attribute */
	MAX_ATTRS = 200,
	LONGEST_TEXT = 2000
};

static void attrs_add_tensor(struct str *out, const struct model *m, uint32_t tensor)
{
	const struct tensor *t = &m->tensors.at[tensor];

	str_format(out, "%s [", elem_short(t->elem));
	for (uint32_t i = 0; i < MIN(t->rank, 16); i++)
		str_format(out, "%s%" PRId64, i ? ", " : "", t->dims[i]);
	str_text(out, "] ");
	tensor_text(out, m, t, 8);
}

static void add_sparse(struct str *out, const struct model *m, const struct sparse *s)
{
	str_text(out, "sparse [");
	for (uint32_t i = 0; i < MIN(s->rank, 16); i++)
		str_format(out, "%s%" PRId64, i ? ", " : "", s->dims[i]);
	str_text(out, "] ");
	tensor_text(out, m, &m->tensors.at[s->values], 8);
}

static void attrs_add_text(struct str *out, const struct attr *a)
{
	str_char(out, '"');
	str_add(out, (struct sv){a->text.at, MIN(a->text.len, LONGEST_TEXT)});
	str_char(out, '"');
	if (a->text_len > a->text.len) {
		str_text(out, " \u2026 (");
		str_count(out, a->text_len);
		str_text(out, " bytes)");
	}
}

/* One element of a list of tensors, sparse tensors or types. */
static void add_one(struct str *out, const struct model *m, const struct attr *a, uint32_t i)
{
	str_text(out, i ? "; " : "");
	if (a->kind == ATTR_TENSORS)
		attrs_add_tensor(out, m, a->tensors[i]);
	else if (a->kind == ATTR_SPARSE || a->kind == ATTR_SPARSES)
		add_sparse(out, m, &a->sparses[i]);
	else
		type_print(out, &a->types[i], &m->names);
}

static void attrs_add_list(struct str *out, const struct model *m, const struct attr *a,
			   uint32_t count)
{
	for (uint32_t i = 0; i < MIN(count, 4); i++)
		add_one(out, m, a, i);
	if (count > 4)
		str_format(out, "; \u2026 (%" PRIu32 ")", count);
}

/* Attributes that contain an element type. */
static bool is_type(struct sv name)
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

static void add_value(struct str *out, const struct model *m, const struct attr *a)
{
	switch (a->kind) {
	case ATTR_FLOAT:
		str_format(out, "%.9g", (double)a->f);
		break;
	case ATTR_INT:
		str_format(out, "%" PRId64, a->i);
		if (is_type(model_name(m, a->name)) && a->i > 0 && a->i < ELEM_COUNT)
			str_format(out, " (%s)", elem_info((int32_t)a->i)->name);
		break;
	case ATTR_STRING:
		attrs_add_text(out, a);
		break;
	case ATTR_TENSOR:
		attrs_add_tensor(out, m, a->tensor);
		break;
	case ATTR_FLOATS:
	case ATTR_INTS:
	case ATTR_STRINGS:
		str_char(out, '[');
		list_text(out, m, a, MAX_ELEMENTS);
		str_char(out, ']');
		break;
	case ATTR_SPARSE:
	case ATTR_TYPE:
		attrs_add_list(out, m, a, 1);
		break;
	case ATTR_TENSORS:
	case ATTR_SPARSES:
	case ATTR_TYPES:
		attrs_add_list(out, m, a, a->count);
		break;
	case ATTR_UNDEFINED:
	case ATTR_GRAPH:
	case ATTR_GRAPHS:
	case ATTR_KIND_COUNT:
		str_text(out, "(unknown kind)");
		break;
	}
}

static void tell_graph(struct screen *s, struct rows *r, uint32_t name, uint32_t graph)
{
	const struct model *m = s->subject.model;
	size_t count = m->graphs.at[graph].nodes.len;

	(void)rows_link(r, LINK_GRAPH, graph);
	rows_put(r, STYLE_DIM, SV("  "));
	rows_put(r, STYLE_TEXT, model_name(m, name));
	rows_format(r, STYLE_SCOPE, " %s %zu node%s", s->canvas.ascii ? ">" : "\u25b8", count,
		    count == 1 ? "" : "s");
}

/* Short ones share a row: `kernel_shape = [3, 3]  group = 1`. */
static void put_attr(struct rows *r, struct sv name, struct sv value, bool share)
{
	int width = (int)utf8_width((struct sv){name.at, MIN(name.len, 500)}) + 5 +
		    (int)utf8_width((struct sv){value.at, MIN(value.len, 500)});

	if (!share || rows_used(r) + width > r->width)
		(void)rows_add(r);
	rows_put(r, STYLE_DIM, SV("  "));
	rows_put(r, STYLE_TEXT, name);
	rows_put(r, STYLE_DIM, SV(" = "));
	rows_wrap(r, STYLE_NUMBER, value, MAX_LINES);
}

static void attrs_tell_attr(struct screen *s, struct rows *r, const struct attr *a, bool share)
{
	const struct model *m = s->subject.model;
	struct str value = {0};

	if (a->ref) {
		str_text(&value, "the caller's ");
		str_add(&value, model_name(m, a->ref));
	} else {
		add_value(&value, m, a);
	}
	if (a->kind == ATTR_TENSOR && !a->ref) {
		(void)rows_link(r, LINK_TENSOR, a->tensor);
		share = true; /* with the row just added */
	}
	put_attr(r, model_name(m, a->name), str_sv(&value), share);
	str_release(&value);
}

/* False when it contains no graphs. */
static bool tell_graphs(struct screen *s, struct rows *r, const struct attr *a)
{
	if (a->ref || (a->kind != ATTR_GRAPH && a->kind != ATTR_GRAPHS))
		return false;
	if (a->kind == ATTR_GRAPH)
		tell_graph(s, r, a->name, a->graph);
	for (uint32_t i = 0; a->kind == ATTR_GRAPHS && i < MIN(a->count, 50); i++)
		tell_graph(s, r, a->name, a->graphs[i]);
	return true;
}

void tell_attrs(struct screen *s, struct rows *r, const struct node *n)
{
	bool share = false;

	if (n->attr_count == 0)
		return;
	rows_gap(r);
	(void)rows_add(r);
	rows_put(r, STYLE_TITLE, SV("attributes"));
	for (uint32_t i = 0; i < MIN(n->attr_count, (uint32_t)MAX_ATTRS); i++) {
		const struct attr *a = &n->attrs[i];
		bool own = a->kind == ATTR_TENSOR || tell_graphs(s, r, a);

		if (!own || a->kind == ATTR_TENSOR)
			attrs_tell_attr(s, r, a, share && !own);
		share = !own;
	}
}
