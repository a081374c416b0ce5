#include "export/json/model.h"

#include "base/str.h"
#include "base/sv.h"
#include "ir/type.h"
#include "report/type.h"

/* A hostile file can have very many with very long paths; the counts are always complete. */
enum {
	MAX_FLAWS = 1000
};

void model_json_name(struct json *j, const char *key, const struct model *m, uint32_t name)
{
	json_key(j, key);
	json_text(j, model_name(m, name));
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

static void model_json_put_shape(struct json *j, const struct model *m, const struct type *t)
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

void model_json_claims(struct json *j, const struct model *m, enum claim_kind kind)
{
	const struct graph *g = &m->graphs.at[0];

	json_array(j);
	for (size_t i = 0; i < g->claims.len; i++) {
		const struct claim *c = &m->claims.at[g->claims.at[i]];
		const struct value *v = &m->values.at[c->value];

		if (c->kind != kind)
			continue;
		json_object(j);
		model_json_name(j, "name", m, v->name);
		json_key(j, "type");
		type_json(j, &c->type, &m->names);
		json_key(j, "shape");
		model_json_put_shape(j, m, &c->type);
		if (kind == CLAIM_INPUT) {
			json_key(j, "default");
			json_bool(j, v->tensor || v->sparse);
		}
		json_end_object(j);
	}
	json_end_array(j);
}

void model_json_opsets(struct json *j, const struct model *m, const struct opset *opsets,
		       uint32_t count)
{
	json_array(j);
	for (uint32_t i = 0; i < count; i++) {
		json_object(j);
		model_json_name(j, "domain", m, opsets[i].domain);
		json_key(j, "version");
		json_int(j, opsets[i].version);
		json_end_object(j);
	}
	json_end_array(j);
}

void model_json_origin(struct json *j, const struct model *m)
{
	json_key(j, "ir_version");
	if (m->has_ir_version)
		json_int(j, m->ir_version);
	else
		json_null(j);
	json_key(j, "opsets");
	model_json_opsets(j, m, m->opsets, m->opset_count);
	json_key(j, "producer");
	json_text(j, m->producer_name);
	json_key(j, "producer_version");
	json_text(j, m->producer_version);
	json_key(j, "domain");
	json_text(j, m->domain);
	json_key(j, "model_version");
	json_int(j, m->model_version);
}

void model_json_graph(struct json *j, const struct model *m, uint32_t graph)
{
	static const char *const kinds[GRAPH_KIND_COUNT] = {
		[GRAPH_MAIN] = "main",
		[GRAPH_BODY] = "subgraph",
		[GRAPH_FUNCTION] = "function",
		[GRAPH_TRAINING] = "training",
	};
	struct str path = {0};

	graph_path(&path, m, graph);
	json_key(j, "graph");
	json_text(j, str_sv(&path));
	json_key(j, "kind");
	json_text(j, sv_of(kinds[m->graphs.at[graph].kind]));
	model_json_name(j, "name", m, m->graphs.at[graph].name);
	str_release(&path);
}

void model_json_metadata(struct json *j, const struct model *m)
{
	json_key(j, "metadata");
	json_array(j);
	for (uint32_t i = 0; i < m->metadata_count; i++) {
		json_object(j);
		model_json_name(j, "key", m, m->metadata[i].key);
		json_key(j, "value");
		/* Values above 4 KiB are not loaded. */
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

void model_json_flaws(struct json *j, const struct model *m)
{
	static const char *const kinds[FLAW_KIND_COUNT] = {
		[FLAW_CYCLE] = "cycle",
		[FLAW_DUPLICATE] = "duplicate",
		[FLAW_MISSING] = "missing",
	};

	json_key(j, "flaw_count");
	json_count(j, m->flaws.len);
	json_key(j, "flaws");
	json_array(j);
	for (size_t i = 0; i < MIN(m->flaws.len, MAX_FLAWS); i++) {
		const struct flaw *f = &m->flaws.at[i];
		struct str text = {0};

		json_object(j);
		json_key(j, "kind");
		json_text(j, sv_of(kinds[f->kind]));
		json_key(j, "graph");
		graph_path(&text, m, f->graph);
		json_text(j, str_sv(&text));
		model_json_name(j, "node", m, m->nodes.at[f->node].name);
		model_json_name(j, "tensor", m, m->values.at[f->value].name);
		str_clear(&text);
		flaw_print(&text, m, f);
		json_key(j, "message");
		json_text(j, str_sv(&text));
		json_end_object(j);
		str_release(&text);
	}
	json_end_array(j);
}
