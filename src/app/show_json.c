#include "app/show_json.h"

#include "app/type_json.h"

/* A hostile file can have very many with very long paths; the counts are always whole. */
enum {
	MOST_GRAPHS = 10000,
	MOST_FLAWS = 1000
};

static void put_name(struct json *j, const char *key, const struct model *m, uint32_t name)
{
	json_key(j, key);
	json_text(j, model_name(m, name));
}

static void put_type(struct json *j, const struct model *m, const struct type *t)
{
	if (!put_type_start(j, t->kind, t->elem))
		return;
	if (t->kind == TYPE_OPAQUE) {
		put_name(j, "domain", m, t->domain);
		put_name(j, "name", m, t->name);
	}
	if (put_type_elem(j, t->kind, t->elem, t->inner != NULL))
		put_type(j, m, t->inner);
	json_end_object(j);
}

static void put_dim(struct json *j, const struct model *m, const struct dim *d)
{
	if (d->kind == DIM_VALUE)
		json_int(j, d->value);
	else if (d->kind == DIM_PARAM && d->param)
		json_text(j, model_name(m, d->param));
	else
		json_null(j);
}

static void put_shape(struct json *j, const struct model *m, const struct type *t)
{
	if (!t->has_shape) {
		json_null(j);
		return;
	}
	json_array(j);
	for (uint32_t i = 0; i < t->rank; i++)
		put_dim(j, m, &t->dims[i]);
	json_end_array(j);
}

static void put_claims(struct json *j, const struct model *m, enum claim_kind kind)
{
	const struct graph *g = &m->graphs.at[0];

	json_array(j);
	for (size_t i = 0; i < g->claims.len; i++) {
		const struct claim *c = &m->claims.at[g->claims.at[i]];
		const struct value *v = &m->values.at[c->value];

		if (c->kind != kind)
			continue;
		json_object(j);
		put_name(j, "name", m, v->name);
		json_key(j, "type");
		put_type(j, m, &c->type);
		json_key(j, "shape");
		put_shape(j, m, &c->type);
		if (kind == CLAIM_INPUT) {
			json_key(j, "default");
			json_bool(j, v->tensor || v->sparse);
		}
		json_end_object(j);
	}
	json_end_array(j);
}

static void put_opsets(struct json *j, const struct model *m)
{
	json_array(j);
	for (uint32_t i = 0; i < m->opset_count; i++) {
		json_object(j);
		put_name(j, "domain", m, m->opsets[i].domain);
		json_key(j, "version");
		json_int(j, m->opsets[i].version);
		json_end_object(j);
	}
	json_end_array(j);
}

static void put_symbols(struct json *j, const struct model *m, const struct symbol_counts *symbols)
{
	json_array(j);
	for (size_t i = 0; i < symbols->len; i++) {
		json_object(j);
		put_name(j, "name", m, symbols->at[i].name);
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
		put_name(j, "domain", m, ops->at[i].domain);
		put_name(j, "op", m, ops->at[i].op);
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

static void put_graphs(struct json *j, const struct model *m)
{
	static const char *const kinds[GRAPH_KIND_COUNT] = {
		[GRAPH_MAIN] = "main",
		[GRAPH_BODY] = "subgraph",
		[GRAPH_FUNCTION] = "function",
		[GRAPH_TRAINING] = "training",
	};

	json_array(j);
	for (uint32_t i = m->has_graph ? 0 : 1; i < MIN(m->graphs.len, MOST_GRAPHS); i++) {
		const struct graph *g = &m->graphs.at[i];
		struct str path = {0};

		graph_path(&path, m, i);
		json_object(j);
		json_key(j, "graph");
		json_text(j, str_sv(&path));
		json_key(j, "kind");
		json_text(j, sv_of(kinds[g->kind]));
		put_name(j, "name", m, g->name);
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
		str_release(&path);
	}
	json_end_array(j);
}

static void put_metadata(struct json *j, const struct model *m)
{
	json_array(j);
	for (uint32_t i = 0; i < m->metadata_count; i++) {
		json_object(j);
		put_name(j, "key", m, m->metadata[i].key);
		json_key(j, "value");
		/* Above 4 KiB it stays in the file. */
		if (m->metadata[i].value.len == m->metadata[i].value_len)
			json_text(j, m->metadata[i].value);
		else
			json_null(j);
		json_key(j, "bytes");
		json_count(j, m->metadata[i].value_len);
		json_end_object(j);
	}
	json_end_array(j);
}

static void put_flaws(struct json *j, const struct model *m)
{
	static const char *const kinds[FLAW_KIND_COUNT] = {
		[FLAW_CYCLE] = "cycle",
		[FLAW_DUPLICATE] = "duplicate",
		[FLAW_MISSING] = "missing",
	};

	json_array(j);
	for (size_t i = 0; i < MIN(m->flaws.len, MOST_FLAWS); i++) {
		const struct flaw *f = &m->flaws.at[i];
		struct str text = {0};

		json_object(j);
		json_key(j, "kind");
		json_text(j, sv_of(kinds[f->kind]));
		json_key(j, "graph");
		graph_path(&text, m, f->graph);
		json_text(j, str_sv(&text));
		put_name(j, "node", m, m->nodes.at[f->node].name);
		put_name(j, "tensor", m, m->values.at[f->value].name);
		str_clear(&text);
		flaw_print(&text, m, f);
		json_key(j, "message");
		json_text(j, str_sv(&text));
		json_end_object(j);
		str_release(&text);
	}
	json_end_array(j);
}

static void put_origin(struct json *j, const struct model *m)
{
	json_key(j, "ir_version");
	if (m->has_ir_version)
		json_int(j, m->ir_version);
	else
		json_null(j);
	json_key(j, "opsets");
	put_opsets(j, m);
	json_key(j, "producer");
	json_text(j, m->producer_name);
	json_key(j, "producer_version");
	json_text(j, m->producer_version);
	json_key(j, "domain");
	json_text(j, m->domain);
	json_key(j, "model_version");
	json_int(j, m->model_version);
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
	put_origin(j, m);
	json_key(j, "nodes");
	json_count(j, summary->nodes);
	json_key(j, "inputs");
	put_claims(j, m, CLAIM_INPUT);
	json_key(j, "outputs");
	put_claims(j, m, CLAIM_OUTPUT);
	json_key(j, "symbols");
	put_symbols(j, m, &summary->symbols);
	json_key(j, "operators");
	put_ops(j, m, &summary->ops);
	json_key(j, "initializers");
	put_weights(j, &summary->weights);
	json_key(j, "graph_count");
	json_count(j, m->graphs.len - !m->has_graph);
	json_key(j, "graphs");
	put_graphs(j, m);
	json_key(j, "functions");
	json_count(j, m->functions.len);
	json_key(j, "metadata");
	put_metadata(j, m);
	json_key(j, "flaw_count");
	json_count(j, m->flaws.len);
	json_key(j, "flaws");
	put_flaws(j, m);
	json_end_object(j);
	json_line(j);
}
