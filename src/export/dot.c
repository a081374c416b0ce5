#include "export/dot.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/bug.h"
#include "base/utf8.h"
#include "export/doting.h"

static const char *const symbol_colours[SHEET_COLOURS] = {
	"#af5f00", "#005f00", "#8700af", "#005f87", "#d70087",
	"#875f00", "#005f5f", "#5f00af", "#005fd7", "#af0000",
};

static const struct {
	const char *shape, *style, *fill;
} looks[VIEW_KIND_COUNT] = {
	[VIEW_INPUT] = {"octagon", "filled", "#e4f0e4"},
	[VIEW_OUTER] = {"note", "filled", "#f4f0e0"},
	[VIEW_NODE] = {"box", "filled,rounded", "#ffffff"},
	[VIEW_SCOPE] = {"folder", "filled", "#e8ecf8"},
	[VIEW_OUTPUT] = {"octagon", "filled", "#f4e4e4"},
};

/* ---- texts ---- */

char *dot_mutable(const char *text)
{
	return (char *)(uintptr_t)text;
}

void dot_set(void *object, const char *name, const char *value)
{
	agsafeset(object, dot_mutable(name), dot_mutable(value), dot_mutable(""));
}

/* The two characters that are text but may be in no markup, SVG included, are numbers. */
static void add_quoted(struct str *out, struct sv text, const char *const *quotes)
{
	while (text.len) {
		struct utf8_char c = utf8_next(text);

		if (c.code >= 0 && c.code < 128 && quotes[c.code])
			str_text(out, quotes[c.code]);
		else if (c.code == 0xfffe || c.code == 0xffff)
			str_format(out, "U+%04X", (unsigned)c.code);
		else
			str_add(out, (struct sv){text.at, c.len});
		text = sv_skip(text, c.len);
	}
}

/* Graphviz 2.43 reads tooltips twice: a name with \\N in it still has its item's id there. */
void dot_add_escaped(struct str *out, struct sv text)
{
	static const char *const quotes[128] = {['&'] = "&amp;", ['\\'] = "\\\\"};

	add_quoted(out, text, quotes);
}

/* For labels in markup.  A bracket behind a tag would be lost: expat waits for "]]>". */
static void add_markup(struct str *out, struct sv text)
{
	static const char *const quotes[128] = {
		['&'] = "&amp;",  ['<'] = "&lt;",   ['>'] = "&gt;",
		['"'] = "&quot;", [' '] = "&#160;", [']'] = "&#93;"};

	add_quoted(out, text, quotes);
}

static void add_run(struct str *out, struct sv text, uint32_t colour)
{
	if (!text.len)
		return;
	if (colour)
		str_format(out, "<FONT COLOR=\"%s\">", symbol_colours[colour - 1]);
	add_markup(out, text);
	str_text(out, colour ? "</FONT>" : "");
}

/* ---- nodes ---- */

struct bounds dot_rect(const struct dot *d, uint32_t item)
{
	struct rect r = picture_rect(&d->sheet->picture, item);
	int32_t top = (d->sheet->picture.height - r.y) * CELL_HEIGHT;

	return (struct bounds){r.x * CELL_WIDTH, top - r.height * CELL_HEIGHT + INSET,
			       (r.x + r.width) * CELL_WIDTH, top - INSET};
}

static void set_label(struct dot *d, Agnode_t *node, uint32_t item)
{
	struct label shape = {0};
	struct str title = {0};
	size_t from = 0;

	sheet_title(d->sheet, item, &title);
	sheet_shape(d->sheet, item, &shape);
	str_clear(&d->text);
	/* Markup without any text is an error: a blank stands for it. */
	str_text(&d->text, "<B>");
	add_markup(&d->text, title.len ? str_sv(&title) : SV(" "));
	str_text(&d->text, "</B><BR/>");
	for (size_t i = 0; i < shape.runs.len; i++) {
		add_run(&d->text, (struct sv){shape.text.at + from, shape.runs.at[i].end - from},
			shape.runs.at[i].colour);
		from = shape.runs.at[i].end;
	}
	dot_set(node, "label", agstrdup_html(d->graph, dot_mutable(str_c(&d->text))));
	label_release(&shape);
	str_release(&title);
}

/* Inches with four digits, whatever the locale says about points and commas. */
static void set_inches(struct dot *d, void *object, const char *name, int32_t points)
{
	int64_t small = (int64_t)points * 10000 / 72;

	str_clear(&d->text);
	str_format(&d->text, "%" PRId64 ".%04" PRId64, small / 10000, small % 10000);
	dot_set(object, name, str_c(&d->text));
}

static void add_node(struct dot *d, uint32_t item)
{
	enum view_kind kind = d->sheet->view.items.at[item].kind;
	struct bounds b = dot_rect(d, item);
	struct str name = {0};
	char id[24];

	(void)snprintf(id, sizeof(id), "item%" PRIu32, item);
	d->nodes[item] = agnode(d->graph, id, 1);
	set_label(d, d->nodes[item], item);
	sheet_name(d->sheet, item, &name);
	str_clear(&d->text);
	dot_add_escaped(&d->text, str_sv(&name));
	dot_set(d->nodes[item], "tooltip", str_c(&d->text));
	dot_set(d->nodes[item], "shape", looks[kind].shape);
	dot_set(d->nodes[item], "style", looks[kind].style);
	dot_set(d->nodes[item], "fillcolor", looks[kind].fill);
	set_inches(d, d->nodes[item], "width", b.right - b.left);
	set_inches(d, d->nodes[item], "height", b.top - b.bottom);
	str_clear(&d->text);
	str_format(&d->text, "%" PRId32 ",%" PRId32, (b.left + b.right) / 2,
		   (b.bottom + b.top) / 2);
	dot_set(d->nodes[item], "pos", str_c(&d->text));
	str_release(&name);
}

/* ---- the whole ---- */

static void set_defaults(Agraph_t *g)
{
	static const struct {
		int kind;
		const char *name, *value;
	} defaults[] = {
		{AGRAPH, "charset", "UTF-8"},
		{AGRAPH, "bb", ""},
		{AGRAPH, "fontname", "Courier"},
		{AGRAPH, "fontsize", "11"},
		{AGRAPH, "color", "#a0a0b0"},
		{AGRAPH, "fontcolor", "#606070"},
		{AGRAPH, "label", ""},
		{AGRAPH, "lp", ""},
		{AGNODE, "fontname", "Courier"},
		{AGNODE, "fontsize", "12"},
		{AGNODE, "fixedsize", "shape"},
		{AGNODE, "margin", "0"},
		{AGNODE, "color", "#606060"},
		{AGEDGE, "color", "#808080"},
		{AGEDGE, "arrowsize", "0.7"},
		{AGEDGE, "tooltip", ""},
		{AGEDGE, "pos", ""},
		{AGEDGE, "style", ""},
	};

	for (size_t i = 0; i < ARRAY_LEN(defaults); i++)
		(void)agattr(g, defaults[i].kind, dot_mutable(defaults[i].name),
			     dot_mutable(defaults[i].value));
}

struct Agraph_s *dot_graph(struct sheet *s)
{
	size_t items = s->view.items.len + 1, scopes = (size_t)s->scopes.count + 1;
	struct dot d = {.sheet = s};

	d.graph = agopen(dot_mutable("axed"), Agdirected, NULL);
	BUG_ON(!d.graph);
	d.nodes = must_alloc(items * sizeof(*d.nodes));
	d.clusters = must_alloc(scopes * sizeof(Agraph_t *));
	d.boxes = must_alloc(scopes * sizeof(*d.boxes));
	for (size_t i = 0; i < scopes; i++)
		d.clusters[i] = NULL;
	set_defaults(d.graph);
	for (uint32_t i = 0; i < s->view.items.len; i++)
		add_node(&d, i);
	dot_clusters(&d);
	dot_edges(&d);
	free(d.nodes);
	free(d.clusters);
	free(d.boxes);
	str_release(&d.text);
	return d.graph;
}

bool dot_text(struct sheet *s, struct str *out, struct err *err)
{
	struct Agraph_s *g;
	char *text = NULL;
	size_t len = 0;
	FILE *file = open_memstream(&text, &len);
	bool ok;

	if (!file)
		return err_system(err, "no memory for the drawing");
	g = dot_graph(s);
	ok = agwrite(g, file) == 0;
	ok = fclose(file) == 0 && ok;
	(void)agclose(g);
	if (ok)
		str_add(out, (struct sv){text, len});
	free(text);
	return ok || err_set(err, ERR_SYSTEM, "the drawing could not be written as text");
}
