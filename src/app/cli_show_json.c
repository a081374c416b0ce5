#include "app/cli_show_json.h"

#include "base/intern.h"
#include "base/str.h"
#include "export/json/model.h"
#include "ir/dims.h"
#include "ir/graph.h"
#include "report/json.h"

static void put_symbols(struct json *j, const struct model *m, const struct symbol_counts *symbols)
{
	json_array(j);
	for (size_t i = 0; i < symbols->len; i++) {
		json_object(j);
		model_json_name(j, "name", m, symbols->at[i].name);
		json_key(j, "uses");
		json_count(j, symbols->at[i].count);
		json_end_object(j);
	}
	json_end_array(j);
}

static void put_ops(struct json *j, const struct model *m, const struct op_counts *ops)
{
	json_array(j);
	for (size_t i = 0; i < ops->len; i++) {
		json_object(j);
		model_json_name(j, "domain", m, ops->at[i].domain);
		model_json_name(j, "op", m, ops->at[i].op);
		json_key(j, "count");
		json_count(j, ops->at[i].count);
		json_end_object(j);
	}
	json_end_array(j);
}

static void put_weights(struct json *j, const struct weight_counts *w)
{
	json_object(j);
	json_key(j, "inline");
	json_count(j, w->inline_count);
	json_key(j, "inline_bytes");
	json_count(j, w->inline_bytes);
	json_key(j, "external");
	json_count(j, w->external_count);
	json_key(j, "external_bytes");
	json_count(j, w->external_bytes);
	json_key(j, "files");
	json_array(j);
	for (uint32_t i = 1; i < intern_count(&w->files); i++)
		json_text(j, intern_text(&w->files, i));
	json_end_array(j);
	json_end_object(j);
}

static void show_json_put_graphs(struct json *j, const struct model *m)
{
	enum {
		MAX_GRAPHS = 10000 /* a hostile file can have very many, with very long paths */
	};

	json_array(j);
	for (uint32_t i = m->has_graph ? 0 : 1; i < MIN(m->graphs.len, MAX_GRAPHS); i++) {
		const struct graph *g = &m->graphs.at[i];

		json_object(j);
		model_json_graph(j, m, i);
		json_key(j, "nodes");
		json_count(j, g->nodes.len);
		json_key(j, "inputs");
		json_count(j, g->inputs.len);
		json_key(j, "outputs");
		json_count(j, g->outputs.len);
		json_key(j, "initializers");
		json_count(j, g->initializers.len);
		json_key(j, "sparse_initializers");
		json_count(j, g->sparses.len);
		json_end_object(j);
	}
	json_end_array(j);
}

void show_json(FILE *out, const struct wire *w, const struct summary *summary)
{
	const struct model *m = &w->model;
	struct json json;
	struct json *j = &json;

	json_init(j, out);
	json_object(j);
	json_key(j, "model");
	json_text(j, str_sv(&w->path));
	json_key(j, "bytes");
	json_count(j, w->file.size);
	model_json_origin(j, m);
	json_key(j, "nodes");
	json_count(j, summary->nodes);
	json_key(j, "inputs");
	model_json_claims(j, m, CLAIM_INPUT);
	json_key(j, "outputs");
	model_json_claims(j, m, CLAIM_OUTPUT);
	json_key(j, "symbols");
	put_symbols(j, m, &summary->symbols);
	json_key(j, "operators");
	put_ops(j, m, &summary->ops);
	json_key(j, "initializers");
	put_weights(j, &summary->weights);
	json_key(j, "graph_count");
	json_count(j, m->graphs.len - !m->has_graph);
	json_key(j, "graphs");
	show_json_put_graphs(j, m);
	json_key(j, "functions");
	json_count(j, m->functions.len);
	model_json_metadata(j, m);
	model_json_flaws(j, m);
	json_end_object(j);
	json_line(j);
}
