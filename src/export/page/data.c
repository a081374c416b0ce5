#include "export/page/data.h"

#include <stdlib.h>

#include "base/bug.h"
#include "base/map.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "infer/explain.h"
#include "infer/finding.h"
#include "infer/infer.h"
#include "ir/graph.h"
#include "layout/sketch.h"
#include "layout/view/view.h"
#include "report/explanation.h"
#include "report/findings.h"
#include "report/json.h"
#include "report/node.h"
#include "report/record.h"
#include "report/tensor.h"

enum {
	MAX_FINDINGS = 20, /* per item */
	MAX_ATTRS = 200
};

struct chained {
	uint32_t thing;
	uint32_t next; /* index plus 1; 0 at the end */
};

/* One linked list of ids per item, all in one array. */
struct lists {
	uint32_t *first; /* owned; by item: index in links, plus 1 */
	uint32_t *last;  /* owned */
	VEC(struct chained) links;
};

struct page_writing {
	const struct sheet *sheet; /* borrowed; being written: the whole, or a body in it */
	const struct sheet *whole; /* borrowed */
	struct lists nodes;        /* inside folded scopes */
	struct lists ends;         /* values of inputs and outputs */
	struct lists findings;     /* of nodes */
	struct lists by_graph;     /* all findings that have a node */
	struct map givers;         /* graph input -> item + 1 */
	struct record record;      /* scratch */
	size_t work;               /* left for explanations */
	struct str text;           /* scratch */
};

/* ---- lists ---- */

static void lists_init(struct lists *l, size_t items)
{
	*l = (struct lists){must_alloc((items + 1) * sizeof(uint32_t)),
			    must_alloc((items + 1) * sizeof(uint32_t)),
			    {0}};
	for (size_t i = 0; i <= items; i++)
		l->first[i] = l->last[i] = 0;
}

static void lists_add(struct lists *l, uint32_t item, uint32_t thing)
{
	uint32_t at = (uint32_t)l->links.len + 1;

	*vec_add(&l->links) = (struct chained){thing, 0};
	if (l->last[item])
		l->links.at[l->last[item] - 1].next = at;
	else
		l->first[item] = at;
	l->last[item] = at;
}

/* Start with *at = first[item]; false at the end. */
static bool lists_next(const struct lists *l, uint32_t *at, uint32_t *out)
{
	if (!*at)
		return false;
	*out = l->links.at[*at - 1].thing;
	*at = l->links.at[*at - 1].next;
	return true;
}

static void lists_release(struct lists *l)
{
	free(l->first);
	free(l->last);
	vec_release(&l->links);
}

/* The drawn graph may be a body or a function; the view's arrays follow its inputs and outputs. */
static const struct graph *drawn_graph(const struct sheet *s)
{
	return &s->in->model->graphs.at[s->scopes.graph];
}

static void sort_nodes(struct page_writing *w)
{
	const struct view *v = &w->sheet->view;
	const struct graph *g = drawn_graph(w->sheet);

	for (size_t i = 0; i < g->nodes.len; i++) {
		uint32_t item = view_find(v, g->nodes.at[i]);

		if (item != SKETCH_NONE && v->items.at[item].kind == VIEW_SCOPE)
			lists_add(&w->nodes, item, g->nodes.at[i]);
	}
}

static void sort_ends(struct page_writing *w)
{
	const struct view *v = &w->sheet->view;
	const struct graph *g = drawn_graph(w->sheet);

	for (size_t i = 0; i < v->ends.len; i++) {
		if (v->ends.at[i].item == SKETCH_NONE)
			continue;
		lists_add(&w->ends, v->ends.at[i].item, v->ends.at[i].value);
		*map_at(&w->givers, v->ends.at[i].value) = v->ends.at[i].item + 1;
	}
	for (size_t i = 0; i < g->outputs.len; i++) {
		if (v->of_output[i] != SKETCH_NONE)
			lists_add(&w->ends, v->of_output[i], g->outputs.at[i]);
	}
}

/* Findings of this sheet's graph. */
static void sort_findings(struct page_writing *w)
{
	const struct infer *in = w->sheet->in;
	uint32_t at = w->by_graph.first[w->sheet->scopes.graph], i;

	while (lists_next(&w->by_graph, &at, &i)) {
		uint32_t item = view_find(&w->sheet->view, in->findings.at[i].node);

		if (item != SKETCH_NONE)
			lists_add(&w->findings, item, i);
	}
}

/* Once for all sheets: there may be many of both. */
static void sort_findings_by_graph(struct page_writing *w)
{
	const struct infer *in = w->sheet->in;

	lists_init(&w->by_graph, in->model->graphs.len);
	for (uint32_t i = 0; i < in->findings.len; i++) {
		uint32_t node = in->findings.at[i].node;

		if (node)
			lists_add(&w->by_graph, in->model->nodes.at[node].graph, i);
	}
}

/* ---- writing ---- */

static void put_shown(struct json *j, struct page_writing *w, struct sv text)
{
	str_clear(&w->text);
	str_add_shown(&w->text, text);
	json_text(j, str_sv(&w->text));
}

static void put_column(struct json *j, struct page_writing *w, uint32_t column)
{
	str_clear(&w->text);
	record_print_column(&w->record, column, &w->text);
	json_text(j, str_sv(&w->text));
}

/* The type, and small contents. */
static void page_data_put_type(struct json *j, struct page_writing *w)
{
	str_clear(&w->text);
	record_print_column(&w->record, PORT_SHAPE, &w->text);
	if (record_has(&w->record, PORT_CONTENTS)) {
		str_text(&w->text, " = ");
		record_print_column(&w->record, PORT_CONTENTS, &w->text);
	}
	json_text(j, str_sv(&w->text));
}

static int64_t giver_of(const struct page_writing *w, uint32_t value)
{
	const struct model *m = w->sheet->in->model;
	const uint32_t *end = map_find(&w->givers, value);
	uint32_t item = SKETCH_NONE;

	if (end)
		item = *end - 1;
	else if (m->values.at[value].producer)
		item = view_find(&w->sheet->view, m->values.at[value].producer);
	return item == SKETCH_NONE ? -1 : (int64_t)w->sheet->first_item + item;
}

static void page_data_put_value(struct json *j, struct page_writing *w, uint32_t value)
{
	const struct model *m = w->sheet->in->model;

	if (!value)
		return;
	port_record(&w->record, w->sheet->in, value, 0, REPORT_LOCAL);
	json_array(j);
	put_shown(j, w, model_cut_name(m, m->values.at[value].name));
	page_data_put_type(j, w);
	json_int(j, giver_of(w, value));
	json_end_array(j);
}

static void put_nets(struct json *j, struct page_writing *w, const uint32_t *nets, uint32_t first,
		     uint32_t end)
{
	const struct view *v = &w->sheet->view;

	for (uint32_t i = first; i < end; i++) {
		const struct view_net *n = &v->nets.at[nets[i]];

		for (uint32_t k = 0; k < n->count; k++)
			page_data_put_value(j, w, v->values.at[n->first + k]);
	}
}

static void put_ends(struct json *j, struct page_writing *w, uint32_t item)
{
	uint32_t at = w->ends.first[item], value;

	while (lists_next(&w->ends, &at, &value))
		page_data_put_value(j, w, value);
}

/* The inputs or the outputs. */
static void page_data_put_values(struct json *j, struct page_writing *w, uint32_t item, bool in)
{
	const struct view_item *at = &w->sheet->view.items.at[item];
	const struct sketch *k = &w->sheet->view.sketch;
	const struct node *n = &w->sheet->in->model->nodes.at[at->kind == VIEW_NODE ? at->id : 0];
	uint32_t count = in ? n->input_count : n->output_count;
	const uint32_t *values = in ? n->inputs : n->outputs;

	json_key(j, in ? "in" : "out");
	json_array(j);
	for (uint32_t i = 0; at->kind == VIEW_NODE && i < count; i++)
		page_data_put_value(j, w, values[i]);
	if (at->kind == VIEW_SCOPE && in)
		put_nets(j, w, k->in, k->in_at[item], k->in_at[item + 1]);
	else if (at->kind == VIEW_SCOPE)
		put_nets(j, w, k->out, k->out_at[item], k->out_at[item + 1]);
	else if (at->kind != VIEW_NODE && in == (at->kind == VIEW_OUTPUT))
		put_ends(j, w, item);
	json_end_array(j);
}

static void put_inside(struct json *j, struct page_writing *w, uint32_t item)
{
	const struct model *m = w->sheet->in->model;
	uint32_t at = w->nodes.first[item], node;

	json_key(j, "inside");
	json_array(j);
	while (lists_next(&w->nodes, &at, &node)) {
		const struct node *n = &m->nodes.at[node];

		json_array(j);
		put_shown(j, w, model_cut_name(m, n->op));
		put_shown(j, w, model_cut_name(m, n->name));
		port_record(&w->record, w->sheet->in, n->output_count ? n->outputs[0] : 0, 0,
			    REPORT_LOCAL);
		page_data_put_type(j, w);
		json_end_array(j);
	}
	json_end_array(j);
}

static void page_data_put_node(struct json *j, struct page_writing *w, const struct node *n)
{
	const struct model *m = w->sheet->in->model;

	if (!domain_is_standard(model_name(m, n->domain))) {
		json_key(j, "domain");
		put_shown(j, w, model_cut_name(m, n->domain));
	}
	json_key(j, "attributes");
	json_array(j);
	for (uint32_t i = 0; i < MIN(n->attr_count, (uint32_t)MAX_ATTRS); i++) {
		for (uint32_t k = 0; k < attr_records(&n->attrs[i]); k++) {
			attr_record(&w->record, m, &n->attrs[i], k, REPORT_LOCAL);
			json_array(j);
			put_column(j, w, ATTR_NAME);
			put_column(j, w, ATTR_VALUE);
			json_end_array(j);
		}
	}
	json_end_array(j);
}

/* Its causes, in the lines of `explain`. */
static void put_steps(struct json *j, struct page_writing *w, uint32_t finding)
{
	struct explanation e = {.max = FINDING_MAX_STEPS, .work = w->work};
	/* A copy: explaining may add findings. */
	struct finding f = w->sheet->in->findings.at[finding];

	explain_finding(w->sheet->in, &f, &e);
	json_array(j);
	for (size_t i = 0; i < e.steps.len; i++) {
		str_clear(&w->text);
		step_print(&w->text, w->sheet->in, &e.steps.at[i]);
		json_text(j, str_sv(&w->text));
	}
	json_end_array(j);
	w->work = e.work;
	explanation_release(&e);
}

static void put_findings(struct json *j, struct page_writing *w, uint32_t item)
{
	uint32_t at = w->findings.first[item], id;

	if (!at)
		return;
	json_key(j, "findings");
	json_array(j);
	for (int i = 0; i < MAX_FINDINGS && lists_next(&w->findings, &at, &id); i++) {
		finding_record(&w->record, w->sheet->in, &w->sheet->in->findings.at[id]);
		json_array(j);
		put_column(j, w, FINDING_COLUMN_LEVEL);
		put_column(j, w, FINDING_COLUMN_SENTENCE);
		put_steps(j, w, id);
		json_end_array(j);
	}
	json_end_array(j);
}

static void put_item(struct json *j, struct page_writing *w, uint32_t item)
{
	static const char *const kinds[VIEW_KIND_COUNT] = {
		[VIEW_INPUT] = "input", [VIEW_OUTER] = "outer",   [VIEW_NODE] = "node",
		[VIEW_SCOPE] = "scope", [VIEW_OUTPUT] = "output",
	};
	const struct view_item *at = &w->sheet->view.items.at[item];
	struct str path = {0};

	json_object(j);
	json_key(j, "kind");
	json_text(j, sv_of(kinds[at->kind]));
	if (w->sheet != w->whole) {
		graph_path(&path, w->sheet->in->model, w->sheet->scopes.graph);
		json_key(j, "graph");
		put_shown(j, w, str_sv(&path));
		str_release(&path);
	}
	json_key(j, "title");
	str_clear(&w->text);
	sheet_title(w->sheet, item, &w->text);
	json_text(j, str_sv(&w->text));
	json_key(j, "name");
	str_clear(&w->text);
	sheet_name(w->sheet, item, &w->text);
	json_text(j, str_sv(&w->text));
	page_data_put_values(j, w, item, true);
	page_data_put_values(j, w, item, false);
	if (at->kind == VIEW_NODE)
		page_data_put_node(j, w, &w->sheet->in->model->nodes.at[at->id]);
	if (at->kind == VIEW_SCOPE)
		put_inside(j, w, item);
	put_findings(j, w, item);
	json_end_object(j);
}

/* A few levels deep: a sheet bounds how far its bodies go. */
static void put_sheet(struct json *j, struct page_writing *w, const struct sheet *s)
{
	w->sheet = s;
	lists_init(&w->nodes, s->view.items.len);
	lists_init(&w->ends, s->view.items.len);
	lists_init(&w->findings, s->view.items.len);
	sort_nodes(w);
	sort_ends(w);
	sort_findings(w);
	for (uint32_t i = 0; i < s->view.items.len; i++)
		put_item(j, w, i);
	lists_release(&w->nodes);
	lists_release(&w->ends);
	lists_release(&w->findings);
	map_release(&w->givers);
	for (size_t i = 0; i < s->bodies.len; i++)
		put_sheet(j, w, s->bodies.at[i].sheet);
}

void page_data(FILE *out, const struct sheet *s)
{
	struct page_writing w = {
		.sheet = s, .whole = s, .record = {.face = FACE_SHOWN}, .work = EXPLAIN_WORK};
	struct json j;

	sort_findings_by_graph(&w);
	json_init(&j, out);
	json_object(&j);
	json_key(&j, "nodes");
	json_count(&j, drawn_graph(s)->nodes.len);
	json_key(&j, "items");
	json_array(&j);
	put_sheet(&j, &w, s);
	json_end_array(&j);
	json_end_object(&j);
	lists_release(&w.by_graph);
	record_release(&w.record);
	str_release(&w.text);
}
