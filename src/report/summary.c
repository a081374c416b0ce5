#include "report/summary.h"

#include <assert.h>

#include "base/intern.h"
#include "base/vec.h"
#include "ir/dims.h"
#include "ir/graph.h"
#include "report/counts.h"
#include "report/declared.h"
#include "report/json.h"
#include "report/record.h"

enum {
	MAX_FILES = 3 /* shown */
};

void summary_init(struct summary *s)
{
	const struct model *m = s->model;
	const struct graph *g = &m->graphs.at[0];

	for (size_t i = 0; i < m->graphs.len; i++)
		s->bodies += m->graphs.at[i].kind == GRAPH_BODY;
	for (size_t i = 0; i < g->claims.len; i++) {
		enum claim_kind kind = m->claims.at[g->claims.at[i]].kind;

		if (kind == CLAIM_INPUT)
			vec_push(&s->inputs, g->claims.at[i]);
		else if (kind == CLAIM_OUTPUT)
			vec_push(&s->outputs, g->claims.at[i]);
	}
	op_counts_make(&s->ops, m);
	for (size_t i = 0; i < s->ops.len; i++)
		s->nodes += s->ops.at[i].count;
	weight_counts_make(&s->weights, m);
	model_symbols(m, &s->symbols);
}

void summary_release(struct summary *s)
{
	vec_release(&s->ops);
	vec_release(&s->symbols);
	vec_release(&s->inputs);
	vec_release(&s->outputs);
	weight_counts_release(&s->weights);
}

/* ---- sections of one line ---- */

static void summary_file(struct record *r, const struct summary *s)
{
	record_text(r, "model", s->path);
	record_column(r);
	record_size(r, "bytes", s->bytes);
}

static void summary_format(struct record *r, const struct summary *s)
{
	const struct model *m = s->model;

	if (m->has_ir_version) {
		record_say(r, "IR ");
		record_tone(r, TONE_NUMBER);
		record_number(r, "ir_version", m->ir_version);
	} else {
		record_null(r, "ir_version");
		record_say(r, "no IR version");
	}
	record_column(r);
	record_opsets(r, m, m->opsets, m->opset_count);
}

static void summary_producer(struct record *r, const struct summary *s)
{
	const struct model *m = s->model;

	record_text(r, "producer", m->producer_name);
	record_say(r, m->producer_name.len && m->producer_version.len ? " " : "");
	record_text(r, "producer_version", m->producer_version);
}

static void summary_domain(struct record *r, const struct summary *s)
{
	record_text(r, "domain", s->model->domain);
}

static void summary_version(struct record *r, const struct summary *s)
{
	if (s->model->model_version == 0)
		record_hide(r);
	record_tone(r, TONE_NUMBER);
	record_number(r, "model_version", s->model->model_version);
}

static void summary_graph(struct record *r, const struct summary *s)
{
	const struct model *m = s->model;

	record_text(r, NULL, model_name(m, m->graphs.at[0].name));
	record_column(r);
	record_things(r, "nodes", s->nodes, "node");
	if (!s->bodies)
		record_hide(r);
	record_say(r, ", ");
	record_things(r, "subgraphs", s->bodies, "subgraph");
	record_show(r);
	if (m->functions.len) {
		record_say(r, ", ");
		record_things(r, NULL, m->functions.len, "function");
	}
	record_say(r, m->trainings.len ? ", training information" : "");
	record_column(r);
	record_say(r, m->has_graph ? "" : "(no main graph)");
}

static void summary_doc(struct record *r, const struct summary *s)
{
	struct sv doc = s->model->doc;

	record_value(r, "doc", doc, doc.len, s->longest);
}

static void summary_graph_doc(struct record *r, const struct summary *s)
{
	struct sv doc = s->model->graphs.at[0].doc;

	record_value(r, "graph_doc", doc, doc.len, s->longest);
}

static void summary_files(struct record *r, const struct intern *files)
{
	uint32_t count = intern_count(files) - 1;

	record_list(r, "files");
	for (uint32_t i = 0; i < count; i++) {
		if (i == MAX_FILES)
			record_hide(r);
		record_say(r, i ? ", " : "");
		record_text(r, "", intern_text(files, i + 1));
	}
	record_end(r);
	record_show(r);
	if (count > MAX_FILES) {
		record_say(r, " and ");
		record_things(r, NULL, count - MAX_FILES, "more file");
	}
}

static void summary_weights(struct record *r, const struct summary *s)
{
	const struct weight_counts *w = &s->weights;

	record_group(r, "initializers");
	if (!w->inline_count)
		record_hide(r);
	record_things(r, "inline", w->inline_count, "tensor");
	record_say(r, ", ");
	record_size(r, "inline_bytes", w->inline_bytes);
	record_say(r, w->external_count ? " inline; " : " inline");
	record_show(r);
	if (!w->external_count)
		record_hide(r);
	record_things(r, "external", w->external_count, "tensor");
	record_say(r, ", ");
	record_size(r, "external_bytes", w->external_bytes);
	record_say(r, " in ");
	record_show(r);
	summary_files(r, &w->files);
	record_end(r);
}

/* ---- sections of many ---- */

static void summary_input(struct record *r, const struct summary *s, size_t i)
{
	claim_record(r, s->model, s->inputs.at[i]);
}

static void summary_output(struct record *r, const struct summary *s, size_t i)
{
	claim_record(r, s->model, s->outputs.at[i]);
}

static void summary_symbol_at(struct record *r, const struct summary *s, size_t i)
{
	const struct symbol_count *symbol = &s->symbols.at[i];

	record_name(r, "name", LINK_SYMBOL, symbol->name, model_name(s->model, symbol->name));
	record_say(r, " ×");
	record_count(r, "uses", symbol->count);
}

static void summary_op_at(struct record *r, const struct summary *s, size_t i)
{
	record_op(r, s->model, s->ops.at[i].domain, "op", s->ops.at[i].op);
	record_say(r, " ");
	record_count(r, "count", s->ops.at[i].count);
}

static void summary_graph_at(struct record *r, const struct summary *s, size_t i)
{
	uint32_t id = (uint32_t)i + !s->model->has_graph;
	const struct graph *g = &s->model->graphs.at[id];

	graph_record(r, s->model, id);
	record_count(r, "nodes", g->nodes.len);
	record_count(r, "inputs", g->inputs.len);
	record_count(r, "outputs", g->outputs.len);
	record_count(r, "initializers", g->initializers.len);
	record_count(r, "sparse_initializers", g->sparses.len);
}

static void summary_function(struct record *r, const struct summary *s, size_t i)
{
	function_record(r, s->model, &s->model->functions.at[i]);
}

static void summary_metadata(struct record *r, const struct summary *s, size_t i)
{
	pair_record(r, s->model, &s->model->metadata[i], s->longest);
}

static void summary_graph_metadata(struct record *r, const struct summary *s, size_t i)
{
	pair_record(r, s->model, &s->model->graphs.at[0].metadata[i], s->longest);
}

static void summary_flaw(struct record *r, const struct summary *s, size_t i)
{
	flaw_record(r, s->model, &s->model->flaws.at[i]);
}

/* ---- all sections ---- */

static const struct section {
	const char *label;
	/* One of them: a section of one record, whose keys the model's object has; or of many. */
	void (*line)(struct record *r, const struct summary *s);
	void (*item)(struct record *r, const struct summary *s, size_t i);
	const char *list; /* the key of many; NULL when they are only counted */
	const char *count;
	size_t max; /* of the list; the count is always complete */
} summary_sections[] = {
	[SUMMARY_FILE] = {"file", .line = summary_file},
	[SUMMARY_FORMAT] = {"format", .line = summary_format},
	[SUMMARY_PRODUCER] = {"producer", .line = summary_producer},
	[SUMMARY_DOMAIN] = {"domain", .line = summary_domain},
	[SUMMARY_VERSION] = {"version", .line = summary_version},
	[SUMMARY_GRAPH] = {"graph", .line = summary_graph},
	[SUMMARY_DOC] = {"doc", .line = summary_doc},
	[SUMMARY_GRAPH_DOC] = {"graph doc", .line = summary_graph_doc},
	[SUMMARY_INPUTS] = {"inputs", .item = summary_input, .list = "inputs"},
	[SUMMARY_OUTPUTS] = {"outputs", .item = summary_output, .list = "outputs"},
	[SUMMARY_SYMBOLS] = {"symbols", .item = summary_symbol_at, .list = "symbols"},
	[SUMMARY_OPERATORS] = {"operators", .item = summary_op_at, .list = "operators"},
	[SUMMARY_WEIGHTS] = {"weights", .line = summary_weights},
	/* A hostile file can have very many graphs and flaws, with very long paths. */
	[SUMMARY_GRAPHS] = {"graphs", .item = summary_graph_at, .list = "graphs",
			    .count = "graph_count", .max = 10000},
	[SUMMARY_FUNCTIONS] = {"functions", .item = summary_function, .count = "functions"},
	[SUMMARY_METADATA] = {"metadata", .item = summary_metadata, .list = "metadata"},
	[SUMMARY_GRAPH_METADATA] = {"graph metadata", .item = summary_graph_metadata,
				    .list = "graph_metadata"},
	[SUMMARY_FLAWS] = {"flaws", .item = summary_flaw, .list = "flaws", .count = "flaw_count",
			   .max = 1000},
};
static_assert(ARRAY_LEN(summary_sections) == SUMMARY_SECTION_COUNT, "a row per section");

const char *summary_label(enum summary_section section)
{
	return summary_sections[section].label;
}

size_t summary_count(const struct summary *s, enum summary_section section)
{
	const struct model *m = s->model;
	const size_t counts[SUMMARY_SECTION_COUNT] = {
		[SUMMARY_INPUTS] = s->inputs.len,
		[SUMMARY_OUTPUTS] = s->outputs.len,
		[SUMMARY_SYMBOLS] = s->symbols.len,
		[SUMMARY_OPERATORS] = s->ops.len,
		[SUMMARY_GRAPHS] = m->graphs.len - !m->has_graph,
		[SUMMARY_FUNCTIONS] = m->functions.len,
		[SUMMARY_METADATA] = m->metadata_count,
		[SUMMARY_GRAPH_METADATA] = m->graphs.at[0].metadata_count,
		[SUMMARY_FLAWS] = m->flaws.len,
		/* the rest are lines */
	};

	return summary_sections[section].line ? 1 : counts[section];
}

void summary_record(struct record *r, const struct summary *s, enum summary_section section,
		    size_t i)
{
	record_clear(r, NULL);
	if (summary_sections[section].line)
		summary_sections[section].line(r, s);
	else
		summary_sections[section].item(r, s, i);
}

static void summary_json_list(struct json *j, const struct summary *s, enum summary_section section)
{
	const struct section *it = &summary_sections[section];
	size_t count = summary_count(s, section);
	struct record r = {.face = FACE_DATA};

	json_key(j, it->list);
	json_array(j);
	for (size_t i = 0; i < count && (i < it->max || !it->max); i++) {
		summary_record(&r, s, section, i);
		record_json(j, &r);
	}
	json_end_array(j);
	record_release(&r);
}

void summary_json(struct json *j, const struct summary *s, enum summary_section section)
{
	const struct section *it = &summary_sections[section];

	if (it->line) {
		struct record r = {.face = FACE_DATA};

		summary_record(&r, s, section, 0);
		record_json_keys(j, &r);
		record_release(&r);
	}
	if (it->count) {
		json_key(j, it->count);
		json_count(j, summary_count(s, section));
	}
	if (it->list)
		summary_json_list(j, s, section);
}
