#include "export/dot/dot.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/bug.h"
#include "base/err.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "export/dot/internal.h"
#include "export/paper/ink.h"
#include "layout/view/view.h"
#include "ops/property.h"

enum {
	MANY_ITEMS =
		5000 /* above this, corners are not rounded: rounding takes a quarter of the time */
};

static const struct {
	const char *shape, *style;
} dot_looks[VIEW_KIND_COUNT] = {
	[VIEW_INPUT] = {"rect", "filled,diagonals"},  [VIEW_OUTER] = {"note", "filled"},
	[VIEW_NODE] = {"box", "filled,rounded"},      [VIEW_SCOPE] = {"folder", "filled"},
	[VIEW_OUTPUT] = {"rect", "filled,diagonals"},
};

/* ---- texts ---- */

char *dot_mutable(const char *text)
{
	return (char *)(uintptr_t)text;
}

void dot_set(struct dot *d, void *object, enum dot_attr attr, const char *value)
{
	(void)agxset(object, d->attrs[attr], dot_mutable(value));
}

/*
 * Graphviz 2.43 unescapes tooltips twice: a \\N in a name still becomes the item's id.
 * '<' is escaped so that no text equals an HTML label: cgraph would treat it as one.
 */
void dot_add_escaped(struct str *out, struct sv text)
{
	static const char *const quotes[128] = {['&'] = "&amp;", ['<'] = "&lt;", ['\\'] = "\\\\"};

	ink_quoted(out, text, quotes);
}

/* For HTML labels.  A ']' after a tag would be lost: expat waits for "]]>". */
static void add_markup(struct str *out, struct sv text)
{
	static const char *const quotes[128] = {
		['&'] = "&amp;",  ['<'] = "&lt;",   ['>'] = "&gt;",
		['"'] = "&quot;", [' '] = "&#160;", [']'] = "&#93;"};

	ink_quoted(out, text, quotes);
}

static void dot_add_run(struct str *out, struct sv text, uint32_t colour)
{
	if (!text.len)
		return;
	if (colour) {
		str_text(out, "<FONT COLOR=\"");
		str_text(out, ink_symbol(colour));
		str_text(out, "\">");
	}
	add_markup(out, text);
	str_text(out, colour ? "</FONT>" : "");
}

/* ---- nodes ---- */

/* The title, beside it the constant inputs in small type, below it the shape. */
static void set_label(struct dot *d, Agnode_t *node, uint32_t item)
{
	struct label shape = {0};
	struct str text = {0};
	size_t from = 0;
	enum op_kind kind = sheet_kind(d->sheet, item);

	sheet_title(d->sheet, item, &text);
	str_clear(&d->text);
	/* An empty HTML label is an error: use a space. */
	str_text(&d->text, "<B>");
	if (kind != OP_KIND_NONE) {
		str_text(&d->text, "<FONT COLOR=\"");
		str_text(&d->text, ink_kind(kind));
		str_text(&d->text, "\">");
	}
	add_markup(&d->text, text.len ? str_sv(&text) : SV(" "));
	str_text(&d->text, kind != OP_KIND_NONE ? "</FONT></B>" : "</B>");
	str_clear(&text);
	sheet_constants(d->sheet, item, &text);
	if (text.len) {
		str_text(&d->text, "<FONT POINT-SIZE=\"10\" COLOR=\"" INK_BOX "\">&#160;");
		add_markup(&d->text, str_sv(&text));
		str_text(&d->text, "</FONT>");
	}
	str_text(&d->text, "<BR/>");
	sheet_shape(d->sheet, item, &shape);
	for (size_t i = 0; i < shape.runs.len; i++) {
		dot_add_run(&d->text,
			    (struct sv){shape.text.at + from, shape.runs.at[i].end - from},
			    shape.runs.at[i].colour);
		from = shape.runs.at[i].end;
	}
	dot_set(d, node, DOT_NODE_LABEL, agstrdup_html(d->graph, dot_mutable(str_c(&d->text))));
	label_release(&shape);
	str_release(&text);
}

/* Inches with four decimals, independent of the locale. */
static void set_inches(struct dot *d, void *object, enum dot_attr attr, int32_t points)
{
	int64_t small = (int64_t)points * 10000 / 72;
	char digits[4];

	for (int i = 3, rest = (int)(small % 10000); i >= 0; i--, rest /= 10)
		digits[i] = (char)('0' + rest % 10);
	str_clear(&d->text);
	str_number(&d->text, small / 10000);
	str_char(&d->text, '.');
	str_add(&d->text, (struct sv){digits, sizeof(digits)});
	dot_set(d, object, attr, str_c(&d->text));
}

static void dot_add_node(struct dot *d, uint32_t item)
{
	enum view_kind kind = d->sheet->view.items.at[item].kind;
	struct bounds b = paper_item(d->paper, item);
	struct str name = {0};
	Agnode_t *node;
	char id[24];

	(void)snprintf(id, sizeof(id), "item%" PRIu32, d->sheet->first_item + item);
	node = *dot_node(d, item) = agnode(d->graph, id, 1);
	set_label(d, node, item);
	sheet_name(d->sheet, item, &name);
	str_clear(&d->text);
	dot_add_escaped(&d->text, str_sv(&name));
	dot_set(d, node, DOT_NODE_TOOLTIP, str_c(&d->text));
	dot_set(d, node, DOT_NODE_SHAPE, dot_looks[kind].shape);
	dot_set(d, node, DOT_NODE_STYLE, d->plain ? "filled" : dot_looks[kind].style);
	dot_set(d, node, DOT_NODE_FILL, ink_fill(kind, sheet_kind(d->sheet, item)));
	set_inches(d, node, DOT_NODE_WIDTH, b.right - b.left);
	set_inches(d, node, DOT_NODE_HEIGHT, b.top - b.bottom);
	str_clear(&d->text);
	ink_point(&d->text, (b.left + b.right) / 2, (b.bottom + b.top) / 2);
	if (d->placed)
		dot_set(d, node, DOT_NODE_POS, str_c(&d->text));
	str_release(&name);
}

/* ---- the whole ---- */

struct default_attr {
	int kind;
	const char *name, *value;
};

static Agsym_t *set_default(struct dot *d, const struct default_attr *a)
{
	return agattr(d->graph, a->kind, dot_mutable(a->name), dot_mutable(a->value));
}

static void set_defaults(struct dot *d)
{
	static const struct default_attr defaults[DOT_ATTR_COUNT] = {
		[DOT_NODE_LABEL] = {AGNODE, "label", "\\N"},
		[DOT_NODE_TOOLTIP] = {AGNODE, "tooltip", ""},
		[DOT_NODE_SHAPE] = {AGNODE, "shape", "box"},
		[DOT_NODE_STYLE] = {AGNODE, "style", "filled,rounded"},
		[DOT_NODE_FILL] = {AGNODE, "fillcolor", "#ffffff"},
		[DOT_NODE_WIDTH] = {AGNODE, "width", ""},
		[DOT_NODE_HEIGHT] = {AGNODE, "height", "0.5000"},
		[DOT_NODE_POS] = {AGNODE, "pos", ""},
		[DOT_EDGE_TOOLTIP] = {AGEDGE, "tooltip", ""},
		[DOT_EDGE_POS] = {AGEDGE, "pos", ""},
		[DOT_EDGE_HEAD] = {AGEDGE, "headlabel", ""},
		[DOT_EDGE_HEAD_POS] = {AGEDGE, "head_lp", ""},
		[DOT_EDGE_TAIL] = {AGEDGE, "taillabel", ""},
		[DOT_EDGE_TAIL_POS] = {AGEDGE, "tail_lp", ""},
		[DOT_GRAPH_BB] = {AGRAPH, "bb", ""},
		[DOT_GRAPH_LABEL] = {AGRAPH, "label", ""},
		[DOT_GRAPH_LABEL_POS] = {AGRAPH, "lp", ""},
	};
	/* The same everywhere. */
	static const struct default_attr fixed[] = {
		{AGRAPH, "charset", "UTF-8"},    {AGRAPH, "fontname", "Courier"},
		{AGRAPH, "fontsize", "10"},      {AGRAPH, "color", INK_FRAME},
		{AGRAPH, "fontcolor", INK_NAME}, {AGRAPH, "labeljust", "l"},
		{AGNODE, "fontname", "Courier"}, {AGNODE, "fontsize", "12"},
		{AGNODE, "fixedsize", "shape"},  {AGNODE, "margin", "0"},
		{AGNODE, "color", INK_BOX},      {AGEDGE, "color", INK_LINE},
		{AGEDGE, "arrowsize", "0.7"},    {AGEDGE, "labelfontname", "Courier"},
		{AGEDGE, "labelfontsize", "10"}, {AGEDGE, "labelfontcolor", INK_NAME},
	};

	for (size_t i = 0; i < DOT_ATTR_COUNT; i++)
		d->attrs[i] = set_default(d, &defaults[i]);
	for (size_t i = 0; i < ARRAY_LEN(fixed); i++)
		(void)set_default(d, &fixed[i]);
}

/* ---- ids ---- */

/*
 * cgraph writes subgraphs in the order of their ids, and its own are the addresses of names:
 * the order would be the heap's.  Ours count, so that it is the order in which they were made.
 * Nodes and edges have an order of their own, and cgraph's ids.
 */
struct dot_ids {
	Agraph_t *graph;   /* borrowed */
	void *rest;        /* borrowed: what cgraph keeps for its own ids */
	VEC(char *) names; /* in the graph's table of strings; that of id 2 * n at place n - 1 */
};

static void *ids_open(Agraph_t *g, Agdisc_t *disc)
{
	struct dot_ids *ids = must_alloc(sizeof(*ids));

	*ids = (struct dot_ids){.graph = g, .rest = AgIdDisc.open(g, disc)};
	return ids;
}

/* A name is given once, so there is none to be found.  Without a name an id is odd. */
static long ids_map(void *state, int type, char *name, IDTYPE *id, int create)
{
	struct dot_ids *ids = state;

	if (type != AGRAPH || !name)
		return AgIdDisc.map(ids->rest, type, name, id, create);
	if (!create)
		return 0;
	vec_push(&ids->names, agstrdup(ids->graph, name));
	*id = (IDTYPE)2 * ids->names.len;
	return 1;
}

static void ids_free(void *state, int type, IDTYPE id)
{
	const struct dot_ids *ids = state;

	if (type != AGRAPH)
		AgIdDisc.free(ids->rest, type, id);
}

static char *ids_print(void *state, int type, IDTYPE id)
{
	const struct dot_ids *ids = state;

	if (type != AGRAPH)
		return AgIdDisc.print(ids->rest, type, id);
	return id % 2 == 0 ? ids->names.at[id / 2 - 1] : NULL;
}

static void ids_close(void *state)
{
	struct dot_ids *ids = state;

	AgIdDisc.close(ids->rest);
	vec_release(&ids->names);
	free(ids);
}

static void ids_register(void *state, int type, void *object)
{
	const struct dot_ids *ids = state;

	AgIdDisc.idregister(ids->rest, type, object);
}

/* Short names, as the label of the whole. */
static void dot_legend(struct dot *d)
{
	struct label meaning = {0};

	if (!d->sheet->legend.len)
		return;
	str_clear(&d->text);
	for (uint32_t i = 0; i < d->sheet->legend.len; i++) {
		size_t from = 0;

		label_clear(&meaning);
		sheet_meaning(d->sheet, i, &meaning);
		for (size_t k = 0; k < meaning.runs.len; k++) {
			dot_add_run(
				&d->text,
				(struct sv){meaning.text.at + from, meaning.runs.at[k].end - from},
				meaning.runs.at[k].colour);
			from = meaning.runs.at[k].end;
		}
		str_text(&d->text, "<BR ALIGN=\"LEFT\"/>");
	}
	label_release(&meaning);
	dot_set(d, d->graph, DOT_GRAPH_LABEL,
		agstrdup_html(d->graph, dot_mutable(str_c(&d->text))));
}

Agnode_t **dot_node(const struct dot *d, uint32_t item)
{
	return &d->nodes[d->sheet->first_item + item];
}

/* Each step for all sheets, before the next.  A few levels deep: see sheet/bodies.c. */
static void dot_each(struct dot *d, struct paper *p, void (*step)(struct dot *d))
{
	d->sheet = p->sheet;
	d->paper = p;
	step(d);
	for (size_t i = 0; i < p->sheet->bodies.len; i++)
		dot_each(d, &p->bodies[i], step);
}

static void dot_add_nodes(struct dot *d)
{
	for (uint32_t i = 0; i < d->sheet->view.items.len; i++)
		dot_add_node(d, i);
}

static struct Agraph_s *make_graph(struct sheet *s, bool placed)
{
	/* Without alloc, which newer versions lack: it is for ids that the caller chooses. */
	static Agiddisc_t ids = {.open = ids_open,
				 .map = ids_map,
				 .free = ids_free,
				 .print = ids_print,
				 .close = ids_close,
				 .idregister = ids_register};
	Agdisc_t disc = {.id = &ids};
	struct paper papers;
	struct dot d = {.whole = s,
			.papers = &papers,
			.placed = placed,
			.plain = sheet_boxes(s) >= MANY_ITEMS};

	d.graph = agopen(dot_mutable("axed"), Agdirected, &disc);
	BUG_ON(!d.graph);
	paper_make(&papers, s, placed ? s->strips : 1);
	d.nodes = must_alloc((sheet_boxes(s) + 1) * sizeof(*d.nodes));
	set_defaults(&d);
	dot_each(&d, &papers, dot_add_nodes);
	dot_clusters(&d);
	dot_each(&d, &papers, dot_edges);
	d.sheet = s;
	dot_legend(&d);
	paper_release(&papers);
	free(d.nodes);
	str_release(&d.text);
	return d.graph;
}

struct Agraph_s *dot_graph(struct sheet *s)
{
	return make_graph(s, true);
}

struct Agraph_s *dot_graph_unplaced(struct sheet *s)
{
	return make_graph(s, false);
}

bool dot_text(struct sheet *s, struct str *out, struct err *err)
{
	struct Agraph_s *g;
	char *text = NULL;
	size_t len = 0;
	FILE *file = open_memstream(&text, &len);
	bool ok;

	if (!file)
		return err_system(err, "cannot write the drawing");
	g = dot_graph(s);
	ok = agwrite(g, file) == 0;
	ok = fclose(file) == 0 && ok;
	(void)agclose(g);
	if (ok)
		str_add(out, (struct sv){text, len});
	free(text);
	return ok || err_set(err, ERR_SYSTEM, "cannot write the drawing as DOT");
}
