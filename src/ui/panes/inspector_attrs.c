/*
 * The attributes of a node, with their values.
 */
#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "ir/graph.h"
#include "ir/text.h"
#include "report/record.h"
#include "ui/canvas.h"
#include "ui/panes/inspector.h"
#include "ui/rows.h"
#include "ui/screen.h"

enum {
	MAX_LISTED = 64,
	MAX_ELEMENTS = 8, /* of a tensor: its own page has more */
	MAX_LINES = 8,    /* per attribute */
	MAX_ATTRS = 200
};

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
	/* Full precision is for files, not for people. */
	struct text_limits limits = {
		.elements = attr_list_elem(a) ? MAX_LISTED : MAX_ELEMENTS,
		.bytes = 2000,
		.digits = 6,
		.short_names = true,
		.quotes = true,
	};
	const struct model *m = s->subject.model;
	struct str value = {0};

	attr_print(&value, m, a, &limits);
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
