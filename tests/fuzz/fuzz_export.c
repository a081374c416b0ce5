/*
 * The input is a model, laid out and drawn: every graph in it, whole, folded and in part, in every
 * format that this process can write.  Every text is plain, no line of a drawing is wider than the
 * drawing, and Graphviz parses the DOT text as the same graph.
 */
#include <cgraph.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/utf8.h"
#include "export/dot/dot.h"
#include "export/json/graph.h"
#include "export/page/page.h"
#include "export/snippet/snippet.h"
#include "tests/fuzz/plain.h"
#include "tests/fuzz/target.h"
#include "wire/wire.h"

enum {
	MAX_GRAPHS = 6 /* of bodies and functions */
};

int LLVMFuzzerInitialize(int *count, char ***words)
{
	(void)count;
	(void)words;
	return 0;
}

static void check_drawing(struct sheet *s, bool ascii)
{
	struct str text = {0};
	struct sv rest, line;

	sheet_text(s, ascii, &text);
	BUG_ON(!text_is_plain(str_sv(&text)));
	rest = str_sv(&text);
	while (text_line(&rest, &line))
		BUG_ON(utf8_width(line) > (size_t)s->picture.width);
	str_release(&text);
}

/* An attribute that is set nowhere is not written. */
static const char *attribute(Agnode_t *node, const char *name)
{
	char copy[16];
	const char *value;

	(void)snprintf(copy, sizeof(copy), "%s", name);
	value = agget(node, copy);
	return value ? value : "";
}

static void check_dot(struct sheet *s)
{
	struct str text = {0};
	Agraph_t *meant = dot_graph(s), *read;
	struct err err;

	BUG_ON(!dot_text(s, &text, &err));
	read = agmemread(str_c(&text));
	/* Graphviz itself separates words by tabs. */
	for (size_t i = 0; i < text.len; i++)
		text.at[i] = text.at[i] == '\t' ? ' ' : text.at[i];
	BUG_ON(!text_is_plain(str_sv(&text)));
	BUG_ON(!read);
	BUG_ON(agnnodes(read) != agnnodes(meant) || agnedges(read) != agnedges(meant));
	BUG_ON(agnsubg(read) != agnsubg(meant));
	for (Agnode_t *a = agfstnode(meant); a; a = agnxtnode(meant, a)) {
		Agnode_t *b = agnode(read, agnameof(a), 0);

		BUG_ON(!b || strcmp(attribute(a, "label"), attribute(b, "label")) != 0);
		BUG_ON(strcmp(attribute(a, "tooltip"), attribute(b, "tooltip")) != 0);
	}
	(void)agclose(meant);
	(void)agclose(read);
	str_release(&text);
}

static size_t count(struct sv text, struct sv what)
{
	size_t found = 0;

	for (; text.len >= what.len; text = sv_skip(text, 1))
		found += sv_starts(text, what);
	return found;
}

/* No title or name opens an element of the page or ends its script. */
static void check_page(const struct sheet *s)
{
	struct sv own[] = {{(const char *)page_js, page_js_size},
			   {(const char *)page_css, page_css_size},
			   {(const char *)page_html, page_html_size}};
	struct str page = {0};
	struct err err;
	size_t angles = 0;

	BUG_ON(!page_make(&page, s, SV("</title><script>\x1b\xff"), SV("<svg/>"), &err));
	for (size_t i = 0; i < page.len; i++)
		page.at[i] = page.at[i] == '\t' ? ' ' : page.at[i];
	BUG_ON(!text_is_plain(str_sv(&page)));
	for (size_t i = 0; i < ARRAY_LEN(own); i++)
		angles += count(own[i], SV("<"));
	/* The frame: html, head, meta (4), title, style, body, main, script (2), the closing tags
	 * of eight of them, the doctype, and the drawing. */
	BUG_ON(count(str_sv(&page), SV("<")) != angles + 12 + 8 + 2);
	str_release(&page);
}

/* The document of a part; only the main graph has parts. */
static void check_json(struct infer *in, const struct sheet *s)
{
	struct graph_json g = {.in = in, .path = SV("m\n\x1b.onnx")};
	char *bytes = NULL;
	size_t len = 0;
	FILE *file = open_memstream(&bytes, &len);

	BUG_ON(!file);
	part_make(&g.part, in->model, &s->view);
	graph_json_write(file, &g);
	BUG_ON(fclose(file) != 0);
	BUG_ON(!text_is_plain((struct sv){bytes, len}));
	part_release(&g.part);
	free(bytes);
}

static void check_sheet(struct infer *in, const struct sheet_request *request)
{
	struct sheet sheet;
	struct err err = {0};

	if (!sheet_make(&sheet, in, request, &err)) {
		BUG_ON(err.text[0] == 0);
		return;
	}
	check_drawing(&sheet, false);
	check_drawing(&sheet, true);
	check_dot(&sheet);
	check_page(&sheet);
	if (!request->graph.len)
		check_json(in, &sheet);
	sheet_release(&sheet);
}

static void check_snippets(const struct infer *in)
{
	for (enum snippet_target target = 0; target < SNIPPET_TARGET_COUNT; target++) {
		struct snippet_request request = {.target = target, .file = SV("m\n\x1b.onnx")};
		struct str text = {0};
		struct err err;

		BUG_ON(!snippet_make(&text, in, &request, &err));
		BUG_ON(!text_is_plain(str_sv(&text)));
		str_release(&text);
	}
}

/* A graph, folded and whole, and parts of it: a focus, a path, a scope. */
static void check_graph(struct infer *in, uint32_t graph)
{
	const struct model *m = in->model;
	const struct graph *g = &m->graphs.at[graph];
	struct str path = {0};
	struct sheet_request r = {.hops = 2, .bodies = true};

	if (graph)
		graph_path(&path, m, graph);
	r.graph = str_sv(&path);
	check_sheet(in, &r);
	r.whole = true;
	check_sheet(in, &r);
	if (g->nodes.len) {
		const struct node *first = &m->nodes.at[g->nodes.at[0]];
		const struct node *last = &m->nodes.at[g->nodes.at[g->nodes.len - 1]];
		const struct node *middle = &m->nodes.at[g->nodes.at[g->nodes.len / 2]];
		struct scopes scopes;
		struct str scope = {0};

		r.whole = false;
		r.focus = model_name(m, middle->name);
		check_sheet(in, &r);
		r.focus = model_name(m, first->name);
		r.path = model_name(m, last->name);
		check_sheet(in, &r);
		scopes_find(&scopes, m, graph);
		scope_path(&scope, &scopes, scopes.of_node[middle->index]);
		r.focus = r.path = (struct sv){0};
		r.scope = str_sv(&scope);
		check_sheet(in, &r);
		str_release(&scope);
		scopes_release(&scopes);
	}
	str_release(&path);
}

/* Every format of every part; the input selects some of many graphs. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t step;
	struct infer in;
	struct wire w;
	struct err err;

	if (!wire_open_memory(&w, "input", data, size, &err))
		return 0;
	infer_run(&in, &w.model, (struct infer_options){0});
	step = w.model.graphs.len / MAX_GRAPHS + 1;
	if (w.model.graphs.len)
		check_graph(&in, 0);
	for (size_t i = 1 + size % step; i < w.model.graphs.len; i += step)
		check_graph(&in, (uint32_t)i);
	check_snippets(&in);
	infer_release(&in);
	wire_release(&w);
	return 0;
}
