#include "export/json/graph.h"

#include "base/str.h"
#include "base/sv.h"
#include "export/json/attr.h"
#include "infer/finding.h"
#include "ir/graph.h"
#include "ir/tensor.h"
#include "layout/scope/scope.h"
#include "report/declared.h"
#include "report/findings.h"
#include "report/json.h"
#include "report/node.h"
#include "report/record.h"
#include "report/shapes.h"
#include "report/summary.h"
#include "report/symbols.h"

/* ---- nodes ---- */

static void put_names(struct json *j, const char *key, const struct model *m,
		      const uint32_t *values, size_t count)
{
	json_key(j, key);
	json_array(j);
	for (size_t i = 0; i < count; i++)
		json_text(j, model_name(m, m->values.at[values[i]].name));
	json_end_array(j);
}

static void graph_json_put_node(struct json *j, struct record *r, const struct scopes *s,
				uint32_t node, struct sv path)
{
	const struct model *m = s->model;
	const struct node *n = &m->nodes.at[node];
	struct str scope = {0};

	scope_path(&scope, s, s->of_node[n->index]);
	node_record(r, m, node, str_sv(&scope), path);
	json_object(j);
	record_json_keys(j, r);
	put_names(j, "inputs", m, n->inputs, n->input_count);
	put_names(j, "outputs", m, n->outputs, n->output_count);
	json_key(j, "attributes");
	json_array(j);
	for (uint32_t i = 0; i < n->attr_count; i++)
		attr_json(j, m, &n->attrs[i]);
	json_end_array(j);
	json_end_object(j);
	str_release(&scope);
}

static void put_graph_nodes(struct json *j, const struct graph_json *g, uint32_t graph)
{
	const struct model *m = g->in->model;
	const struct graph *from = &m->graphs.at[graph];
	struct str path = {0};
	struct record record = {.face = FACE_DATA};
	struct scopes scopes;

	scopes_find(&scopes, m, graph);
	graph_path(&path, m, graph);
	for (size_t i = 0; i < from->nodes.len; i++) {
		if (part_has_node(&g->part, from->nodes.at[i]))
			graph_json_put_node(j, &record, &scopes, from->nodes.at[i], str_sv(&path));
	}
	record_release(&record);
	str_release(&path);
	scopes_release(&scopes);
}

static void put_nodes(struct json *j, const struct graph_json *g)
{
	json_key(j, "nodes");
	json_array(j);
	for (uint32_t i = 0; i < g->in->model->graphs.len; i++) {
		if (part_has_graph(&g->part, i))
			put_graph_nodes(j, g, i);
	}
	json_end_array(j);
}

/* ---- tensors ---- */

static void graph_json_put_values(struct json *j, const struct graph_json *g)
{
	const struct model *m = g->in->model;
	struct record r = {0};
	uint32_t graph = UINT32_MAX;
	struct str path = {0};

	json_key(j, "tensors");
	json_array(j);
	for (uint32_t v = 1; v < m->values.len; v++) {
		if (!part_has_value(&g->part, v))
			continue;
		if (m->values.at[v].graph != graph) {
			graph = m->values.at[v].graph;
			str_clear(&path);
			graph_path(&path, m, graph);
		}
		shape_record(&r, g->in, v, str_sv(&path));
		record_json(j, &r);
	}
	json_end_array(j);
	record_release(&r);
	str_release(&path);
}

static void put_constant(struct json *j, const struct model *m, uint32_t tensor, struct sv path,
			 const struct sparse *sparse)
{
	const struct tensor *t = &m->tensors.at[tensor];

	json_object(j);
	json_key(j, "name");
	json_text(j, model_name(m, t->name));
	json_key(j, "graph");
	json_text(j, path);
	json_key(j, "sparse");
	if (sparse) {
		json_array(j);
		for (uint32_t i = 0; i < sparse->rank; i++)
			json_int(j, sparse->dims[i]);
		json_end_array(j);
	} else {
		json_null(j);
	}
	tensor_json(j, m, t);
	json_end_object(j);
}

/* A duplicate initializer is written too, as in the file. */
static bool is_wanted_constant(const struct graph_json *g, uint32_t graph, uint32_t tensor)
{
	const struct model *m = g->in->model;
	uint32_t value = model_find(m, graph, model_name(m, m->tensors.at[tensor].name));

	return !value || part_has_value(&g->part, value);
}

static void put_graph_constants(struct json *j, const struct graph_json *g, uint32_t graph)
{
	const struct model *m = g->in->model;
	const struct graph *from = &m->graphs.at[graph];
	struct str path = {0};

	graph_path(&path, m, graph);
	for (size_t i = 0; i < from->initializers.len; i++) {
		if (is_wanted_constant(g, graph, from->initializers.at[i]))
			put_constant(j, m, from->initializers.at[i], str_sv(&path), NULL);
	}
	for (size_t i = 0; i < from->sparses.len; i++) {
		if (is_wanted_constant(g, graph, from->sparses.at[i].values))
			put_constant(j, m, from->sparses.at[i].values, str_sv(&path),
				     &from->sparses.at[i]);
	}
	str_release(&path);
}

static void put_constants(struct json *j, const struct graph_json *g)
{
	json_key(j, "constants");
	json_array(j);
	for (uint32_t i = 0; i < g->in->model->graphs.len; i++) {
		if (part_has_graph(&g->part, i))
			put_graph_constants(j, g, i);
	}
	json_end_array(j);
}

/* ---- graphs and functions ---- */

static void graph_json_put_graphs(struct json *j, const struct graph_json *g)
{
	const struct model *m = g->in->model;
	struct record r = {.face = FACE_DATA};

	json_key(j, "graphs");
	json_array(j);
	for (uint32_t i = m->has_graph ? 0 : 1; i < m->graphs.len; i++) {
		const struct graph *graph = &m->graphs.at[i];

		if (!part_has_graph(&g->part, i))
			continue;
		json_object(j);
		graph_record(&r, m, i);
		record_json_keys(j, &r);
		put_names(j, "inputs", m, graph->inputs.at, graph->inputs.len);
		put_names(j, "outputs", m, graph->outputs.at, graph->outputs.len);
		json_end_object(j);
	}
	json_end_array(j);
	record_release(&r);
}

static void put_function(struct json *j, const struct model *m, const struct function *f)
{
	struct record r = {.face = FACE_DATA};

	function_record(&r, m, f);
	json_object(j);
	record_json_keys(j, &r);
	json_key(j, "attributes");
	json_array(j);
	for (uint32_t i = 0; i < f->attribute_count; i++)
		json_text(j, model_name(m, f->attributes[i]));
	json_end_array(j);
	json_key(j, "defaults");
	json_array(j);
	for (uint32_t i = 0; i < f->default_count; i++)
		attr_json(j, m, &f->defaults[i]);
	json_end_array(j);
	json_end_object(j);
	record_release(&r);
}

static void put_functions(struct json *j, const struct graph_json *g)
{
	const struct model *m = g->in->model;

	json_key(j, "functions");
	json_array(j);
	for (size_t i = 0; i < m->functions.len; i++) {
		if (part_has_graph(&g->part, m->functions.at[i].graph))
			put_function(j, m, &m->functions.at[i]);
	}
	json_end_array(j);
}

/* ---- the whole ---- */

static bool is_wanted_finding(void *context, const struct finding *f)
{
	const struct graph_json *g = context;

	return f->node ? part_has_node(&g->part, f->node) : part_has_value(&g->part, f->value);
}

static void put_bindings(struct json *j, const struct infer_options *o)
{
	json_key(j, "bindings");
	json_array(j);
	for (size_t i = 0; i < o->binding_count; i++) {
		json_object(j);
		json_key(j, "name");
		json_text(j, o->bindings[i].name);
		json_key(j, "size");
		json_int(j, o->bindings[i].size);
		json_end_object(j);
	}
	json_end_array(j);
}

static void put_head(struct json *j, const struct graph_json *g, const struct summary *summary)
{
	static const enum summary_section head[] = {
		SUMMARY_FILE,   SUMMARY_FORMAT,  SUMMARY_PRODUCER,
		SUMMARY_DOMAIN, SUMMARY_VERSION, SUMMARY_METADATA,
	};

	json_key(j, "format");
	json_text(j, SV("axed"));
	json_key(j, "version");
	json_int(j, JSON_VERSION);
	for (size_t i = 0; i < ARRAY_LEN(head); i++)
		summary_json(j, summary, head[i]);
	put_bindings(j, &g->in->options);
	json_key(j, "part");
	json_bool(j, g->part.nodes != NULL);
	summary_json(j, summary, SUMMARY_INPUTS);
	summary_json(j, summary, SUMMARY_OUTPUTS);
	json_key(j, "symbols");
	symbols_json(j, g->in);
}

void graph_json_write(FILE *out, const struct graph_json *g)
{
	struct summary summary = {.model = g->in->model, .path = g->path, .bytes = g->bytes};
	struct graph_json copy = *g;
	struct json j;

	summary_init(&summary);
	json_init(&j, out);
	json_object(&j);
	put_head(&j, g, &summary);
	put_nodes(&j, g);
	graph_json_put_values(&j, g);
	put_constants(&j, g);
	graph_json_put_graphs(&j, g);
	put_functions(&j, g);
	summary_json(&j, &summary, SUMMARY_FLAWS);
	findings_json(&j, g->in,
		      &(struct findings_shown){.repairs = g->repairs,
					       .repair_count = g->repair_count,
					       .count_key = "finding_count",
					       .is_wanted = is_wanted_finding,
					       .context = &copy});
	json_end_object(&j);
	json_line(&j);
	summary_release(&summary);
}
