#include "report/declared.h"

#include <inttypes.h>

#include "base/intern.h"
#include "base/str.h"
#include "base/sv.h"
#include "ir/graph.h"
#include "ir/tensor.h"
#include "ir/type.h"
#include "report/record.h"

/* ---- pieces ---- */

void record_op(struct record *r, const struct model *m, uint32_t domain, const char *key,
	       uint32_t op)
{
	bool standard = domain_is_standard(model_name(m, domain));

	record_tone(r, TONE_FAINT);
	if (standard)
		record_hide(r);
	record_text(r, "domain", model_name(m, domain));
	record_say(r, ".");
	record_show(r);
	record_tone(r, TONE_STRONG);
	record_text(r, key, model_name(m, op));
	record_tone(r, TONE_FAINT);
}

void record_opsets(struct record *r, const struct model *m, const struct opset *opsets,
		   uint32_t count)
{
	record_list(r, "opsets");
	for (uint32_t i = 0; i < count; i++) {
		struct sv domain = model_name(m, opsets[i].domain);

		record_say(r, i ? ", " : "opset ");
		record_group(r, "");
		record_text(r, "domain", domain);
		record_say(r, domain.len ? " " : "");
		record_tone(r, TONE_NUMBER);
		record_number(r, "version", opsets[i].version);
		record_tone(r, TONE_PLAIN);
		record_end(r);
	}
	record_end(r);
}

static void declared_path(struct record *r, const struct model *m, uint32_t graph)
{
	struct str path = {0};

	graph_path(&path, m, graph);
	record_text(r, "graph", str_sv(&path));
	str_release(&path);
}

/* ---- inputs and outputs ---- */

struct declared_pen {
	struct record *record;      /* borrowed */
	const struct intern *names; /* borrowed */
	const char *key;            /* of a dim */
};

/* The text before a dim is a cell, and so is the dim. */
static void declared_dim(void *context, struct str *before, const struct dim *d)
{
	const struct declared_pen *pen = context;

	record_text(pen->record, NULL, str_sv(before));
	str_clear(before);
	record_declared(pen->record, pen->key, d, pen->names);
}

static void declared_shape(struct record *r, const struct type *t, const struct intern *names)
{
	struct declared_pen pen = {r, names, t->has_shape ? "" : NULL};
	struct str text = {0};

	if (t->has_shape)
		record_list(r, "shape");
	else
		record_null(r, "shape");
	type_print_dims(&text, t, names, declared_dim, &pen);
	record_text(r, NULL, str_sv(&text));
	if (t->has_shape)
		record_end(r);
	str_release(&text);
}

void claim_record(struct record *r, const struct model *m, uint32_t id)
{
	const struct claim *c = &m->claims.at[id];
	const struct value *v = &m->values.at[c->value];
	bool has_default = v->tensor || v->sparse;

	record_clear(r, NULL);
	record_name(r, "name", LINK_VALUE, c->value, model_name(m, v->name));
	record_column(r);
	record_type(r, "type", &c->type, &m->names);
	declared_shape(r, &c->type, &m->names);
	record_column(r);
	if (c->kind != CLAIM_INPUT)
		return;
	record_hide(r);
	record_truth(r, "default", has_default);
	record_show(r);
	record_say(r, has_default ? "(has a default value)" : "");
}

/* ---- graphs and functions ---- */

void graph_record(struct record *r, const struct model *m, uint32_t graph)
{
	static const char *const kinds[GRAPH_KIND_COUNT] = {
		[GRAPH_MAIN] = "main",
		[GRAPH_BODY] = "subgraph",
		[GRAPH_FUNCTION] = "function",
		[GRAPH_TRAINING] = "training",
	};

	record_clear(r, NULL);
	record_hide(r);
	declared_path(r, m, graph);
	record_text(r, "kind", sv_of(kinds[m->graphs.at[graph].kind]));
	record_text(r, "name", model_name(m, m->graphs.at[graph].name));
}

void function_record(struct record *r, const struct model *m, const struct function *f)
{
	record_clear(r, NULL);
	record_op(r, m, f->domain, "name", f->name);
	record_say(r, f->overload ? ":" : "");
	record_name(r, "overload", LINK_GRAPH, f->graph, model_name(m, f->overload));
	record_hide(r);
	declared_path(r, m, f->graph);
	record_opsets(r, m, f->opsets, f->opset_count);
	record_column(r);
	record_tone(r, TONE_FAINT);
	record_things(r, NULL, m->graphs.at[f->graph].nodes.len, "node");
}

/* ---- the rest ---- */

void record_value(struct record *r, const char *key, struct sv value, uint64_t value_len,
		  size_t longest)
{
	struct sv shown = {value.at, MIN(value.len, longest)};

	record_hide(r);
	if (value.len == value_len)
		record_text(r, key, value);
	else
		record_null(r, key);
	record_show(r);
	record_text(r, NULL, shown);
	if (shown.len < value_len)
		record_format(r, "… (%" PRIu64 " bytes)", value_len);
}

void pair_record(struct record *r, const struct model *m, const struct pair *pair, size_t longest)
{
	record_clear(r, NULL);
	record_tone(r, TONE_FAINT);
	record_text(r, "key", model_name(m, pair->key));
	record_say(r, ": ");
	record_tone(r, TONE_PLAIN);
	record_value(r, "value", pair->value, pair->value_len, longest);
	record_hide(r);
	record_count(r, "bytes", pair->value_len);
}

void flaw_record(struct record *r, const struct model *m, const struct flaw *f)
{
	static const char *const kinds[FLAW_KIND_COUNT] = {
		[FLAW_CYCLE] = "cycle",
		[FLAW_DUPLICATE] = "duplicate",
		[FLAW_MISSING] = "missing",
	};
	struct str text = {0};

	record_clear(r, NULL);
	flaw_print(&text, m, f);
	record_hide(r);
	record_text(r, "kind", sv_of(kinds[f->kind]));
	declared_path(r, m, f->graph);
	record_text(r, "node", model_name(m, m->nodes.at[f->node].name));
	record_text(r, "tensor", model_name(m, m->values.at[f->value].name));
	record_show(r);
	record_text(r, "message", str_sv(&text));
	str_release(&text);
}
