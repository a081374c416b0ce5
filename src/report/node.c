#include "report/node.h"

#include <inttypes.h>

#include "base/str.h"
#include "base/sv.h"
#include "infer/explain.h"
#include "infer/infer.h"
#include "infer/why.h"
#include "ir/graph.h"
#include "ir/text.h"
#include "report/record.h"
#include "report/tensor.h"

enum {
	MAX_LISTED = 64,
	MAX_ELEMENTS = 8, /* of a tensor: its own page has more */
	MAX_GRAPHS = 50,
	MAX_REASONS = 4 /* per dim */
};

/* ---- the head ---- */

static void node_operator(struct record *r, const struct model *m, const struct node *n)
{
	struct sv domain = model_name(m, n->domain);
	int64_t version = model_opset(m, n->graph, domain);

	record_tone(r, TONE_STRONG);
	record_text(r, "op", model_name(m, n->op));
	record_tone(r, TONE_FAINT);
	if (n->overload) {
		record_say(r, ":");
		record_text(r, "overload", model_name(m, n->overload));
	}
	record_hide(r);
	record_text(r, "domain", domain);
	record_column(r);
	record_tone(r, TONE_FAINT);
	record_text(r, NULL, domain.len ? domain : SV("ai.onnx"));
	if (version) {
		record_say(r, " v");
		record_number(r, "version", version);
	}
}

static void node_faint(struct record *r, const char *key, struct sv text)
{
	record_column(r);
	record_tone(r, TONE_FAINT);
	record_text(r, key, text);
}

void node_record(struct record *r, const struct model *m, uint32_t node, struct sv scope,
		 struct sv graph)
{
	const struct node *n = &m->nodes.at[node];
	struct sv name = model_name(m, n->name);

	record_clear(r, NULL);
	node_operator(r, m, n);
	record_column(r);
	record_text(r, "name", name);
	if (!n->name) {
		record_tone(r, TONE_FAINT);
		record_say(r, "(none)");
	}
	record_column(r);
	record_tone(r, TONE_FAINT);
	if (sv_starts(name, scope))
		record_hide(r);
	record_text(r, "scope", scope);
	node_faint(r, "graph", graph);
	node_faint(r, NULL, n->doc);
	record_hide(r);
	record_count(r, "index", n->index);
}

/* The value leads to a graph, and tells its size. */
static void node_graph(struct record *r, const struct model *m, uint32_t graph)
{
	size_t count = m->graphs.at[graph].nodes.len;

	if (!graph) {
		record_text(r, "value", SV("?"));
		return;
	}
	str_format(record_print(r, "value"), "%zu node%s", count, count == 1 ? "" : "s");
	record_printed(r, LINK_GRAPH, graph);
}

bool call_record(struct record *r, const struct model *m, uint32_t node)
{
	const struct node *n = &m->nodes.at[node];

	for (size_t i = 0; i < m->functions.len; i++) {
		const struct function *f = &m->functions.at[i];

		if (f->name != n->op || f->domain != n->domain || f->overload != n->overload)
			continue;
		record_clear(r, NULL);
		record_name(r, NULL, LINK_GRAPH, f->graph, SV("a function of "));
		node_graph(r, m, f->graph);
		return true;
	}
	return false;
}

/* ---- attributes ---- */

uint32_t attr_records(const struct attr *a)
{
	return a->kind == ATTR_GRAPHS && !a->ref ? MIN(a->count, (uint32_t)MAX_GRAPHS) : 1;
}

static void attr_value(struct record *r, const struct model *m, const struct attr *a,
		       unsigned flags)
{
	/* Full precision is for files, not for people. */
	struct text_limits limits = {
		.elements = attr_list_elem(a) ? MAX_LISTED : MAX_ELEMENTS,
		.bytes = 2000,
		.digits = 6,
		.short_names = flags & REPORT_SHORT,
		.quotes = true,
		.local = flags & REPORT_LOCAL,
	};

	bool leads = a->kind == ATTR_TENSOR && !a->ref;

	attr_print(record_print(r, "value"), m, a, &limits);
	record_printed(r, leads ? LINK_TENSOR : LINK_NONE, leads ? a->tensor : 0);
}

void attr_record(struct record *r, const struct model *m, const struct attr *a, uint32_t i,
		 unsigned flags)
{
	record_clear(r, NULL);
	record_text(r, "name", model_name(m, a->name));
	record_column(r);
	record_tone(r, TONE_NUMBER);
	if (!a->ref && a->kind == ATTR_GRAPH)
		node_graph(r, m, a->graph);
	else if (!a->ref && a->kind == ATTR_GRAPHS)
		node_graph(r, m, a->graphs[i]);
	else
		attr_value(r, m, a, flags);
}

/* ---- why ---- */

/* in0[2], or in[2] for a single input; an element is in0{2}. */
static void reason_place(struct record *r, const char *side, const uint32_t *values, uint32_t count,
			 struct why what)
{
	uint32_t port = 0;

	while (port < count && values[port] != what.value)
		port++;
	record_tone(r, TONE_PLAIN);
	record_say(r, side);
	if (count > 1)
		record_count(r, NULL, port);
	record_tone(r, TONE_FAINT);
	if (what.element && what.index == WHY_LARGEST)
		record_say(r, "{largest}");
	else
		record_format(r, what.element ? "{%" PRIu32 "}" : "[%" PRIu32 "]", what.index);
}

/* out[2] = in0[2] = seq, or for a computed dim out[2] = seq + 1 from in0[2], in1[2]. */
void reason_record(struct record *r, struct infer *in, uint32_t node, struct why what)
{
	const struct node *n = &in->model->nodes.at[node];
	struct why from[WHY_MAX];
	const struct why *same;
	size_t count = explain_sources(in, what, from, &same);

	record_clear(r, &in->pool);
	reason_place(r, "out", n->outputs, n->output_count, what);
	record_say(r, " = ");
	if (same) {
		reason_place(r, "in", n->inputs, n->input_count, *same);
		record_say(r, " = ");
	}
	record_dim(r, "dim", why_expression(in, what));
	for (size_t i = 0; !same && i < MIN(count, (size_t)MAX_REASONS); i++) {
		record_tone(r, TONE_FAINT);
		record_say(r, i ? ", " : " from ");
		reason_place(r, "in", n->inputs, n->input_count, from[i]);
	}
	if (!same && count > MAX_REASONS)
		record_say(r, ", \u2026");
}
