/*
 * The inspector's rows about a node.
 */
#include <inttypes.h>

#include "base/str.h"
#include "base/sv.h"
#include "infer/explain.h"
#include "infer/infer.h"
#include "infer/why.h"
#include "ir/graph.h"
#include "ops/info.h"
#include "report/cost.h"
#include "report/record.h"
#include "sym/sym.h"
#include "ui/canvas.h"
#include "ui/panes/inspector.h"
#include "ui/panes/outline.h"
#include "ui/rows.h"
#include "ui/screen.h"

enum {
	MAX_PORTS = 100,
	MAX_REASONS = 4,    /* per dim */
	MAX_WHY = 32,       /* rows in total */
	WHY_WORK = 1 << 13, /* larger ones are left to the why overlay */
	MAX_NUMBERS = 8,    /* of a tensor, at most */
	MAX_METADATA = 12
};

/* ---- the head ---- */

static void tell_text(struct rows *r, const char *label, struct sv text, enum style style, int max)
{
	if (text.len == 0)
		return;
	(void)rows_add(r);
	rows_label(r, label);
	rows_wrap(r, style, text, max);
}

static void tell_operator(struct screen *s, struct rows *r, const struct node *n)
{
	const struct model *m = s->subject.model;
	struct sv domain = model_name(m, n->domain);
	int64_t version = model_opset(m, n->graph, domain);
	struct str right = {0};

	(void)rows_add(r);
	rows_put(r, STYLE_BRIGHT, model_name(m, n->op));
	if (n->overload) {
		rows_put(r, STYLE_DIM, SV(":"));
		rows_put(r, STYLE_DIM, model_name(m, n->overload));
	}
	str_add(&right, domain.len ? domain : SV("ai.onnx"));
	if (version)
		str_format(&right, " v%" PRId64, version);
	rows_right(r, STYLE_DIM, str_sv(&right));
	str_release(&right);
}

/* The called function, if any. */
static void node_rows_tell_function(struct screen *s, struct rows *r, const struct node *n)
{
	const struct model *m = s->subject.model;

	for (size_t i = 0; i < m->functions.len; i++) {
		const struct function *f = &m->functions.at[i];

		if (f->name != n->op || f->domain != n->domain || f->overload != n->overload)
			continue;
		(void)rows_link(r, LINK_GRAPH, f->graph);
		rows_label(r, "calls");
		rows_format(r, STYLE_SCOPE, "a function of %zu node%s",
			    m->graphs.at[f->graph].nodes.len,
			    m->graphs.at[f->graph].nodes.len == 1 ? "" : "s");
		return;
	}
}

static void node_rows_tell_head(struct screen *s, struct rows *r, uint32_t node)
{
	const struct model *m = s->subject.model;
	const struct node *n = &m->nodes.at[node];
	struct str scope = {0}, graph = {0};

	tell_operator(s, r, n);
	node_rows_tell_function(s, r, n);
	tell_text(r, "name", n->name ? model_name(m, n->name) : SV("(none)"),
		  n->name ? STYLE_TEXT : STYLE_DIM, 4);
	outline_scope(s, node, &scope);
	if (!sv_starts(model_name(m, n->name), str_sv(&scope)))
		tell_text(r, "scope", str_sv(&scope), STYLE_DIM, 2);
	graph_path(&graph, m, n->graph);
	tell_text(r, "graph", str_sv(&graph), STYLE_DIM, 2);
	tell_text(r, "doc", n->doc, STYLE_DIM, 4);
	str_release(&scope);
	str_release(&graph);
}

/* ---- ports ---- */

static void tell_ports(struct screen *s, struct rows *r, const struct node *n, bool out)
{
	const uint32_t *values = out ? n->outputs : n->inputs;
	uint32_t count = out ? n->output_count : n->input_count;

	for (uint32_t i = 0; i < MIN(count, (uint32_t)MAX_PORTS); i++) {
		struct str label = {0};

		str_format(&label, count > 1 ? "%s %" PRIu32 : "%s", out ? "out" : "in", i);
		if (values[i]) {
			tell_tensor(s, r, str_c(&label), values[i]);
		} else {
			(void)rows_add(r);
			rows_label(r, str_c(&label));
			rows_put(r, STYLE_DIM, SV("(not given)"));
		}
		str_release(&label);
	}
	if (count > MAX_PORTS) {
		(void)rows_add(r);
		rows_format(r, STYLE_DIM, "\u2026 and %" PRIu32 " more", count - MAX_PORTS);
	}
}

/* ---- why ---- */

/* in0[2], or in[2] for a single input; an element is in0{2}. */
static void node_rows_put_place(struct rows *r, const char *side, const uint32_t *values,
				uint32_t count, struct why what)
{
	uint32_t port = 0;

	while (port < count && values[port] != what.value)
		port++;
	rows_put(r, STYLE_TEXT, sv_of(side));
	if (count > 1)
		rows_format(r, STYLE_TEXT, "%" PRIu32, port);
	if (what.element && what.index == WHY_LARGEST)
		rows_put(r, STYLE_DIM, SV("{largest}"));
	else
		rows_format(r, STYLE_DIM, what.element ? "{%" PRIu32 "}" : "[%" PRIu32 "]",
			    what.index);
}

/* out[2] = in0[2] = seq, or for a computed dim out[2] = seq + 1 from in0[2], in1[2]. */
static void tell_why(struct screen *s, struct rows *r, const struct node *n, struct why what)
{
	struct infer *in = s->subject.infer;
	struct why from[WHY_MAX];
	const struct why *same;
	size_t count = explain_sources(in, what, from, &same);
	struct sym is = why_expression(in, what);

	(void)rows_add(r);
	rows_put(r, STYLE_DIM, SV("  "));
	node_rows_put_place(r, "out", n->outputs, n->output_count, what);
	rows_put(r, STYLE_DIM, SV(" = "));
	if (same) {
		node_rows_put_place(r, "in", n->inputs, n->input_count, *same);
		rows_put(r, STYLE_DIM, SV(" = "));
	}
	rows_size(r, &in->pool, is, 0, 0);
	for (size_t i = 0; !same && i < MIN(count, (size_t)MAX_REASONS); i++) {
		rows_put(r, STYLE_DIM, i ? SV(", ") : SV(" from "));
		node_rows_put_place(r, "in", n->inputs, n->input_count, from[i]);
	}
	if (!same && count > MAX_REASONS)
		rows_put(r, STYLE_DIM, SV(", \u2026"));
}

static void tell_title(struct rows *r)
{
	rows_gap(r);
	(void)rows_add(r);
	rows_put(r, STYLE_TITLE, SV("why"));
	rows_right(r, STYLE_DIM, SV("[axis] {element}"));
}

static void tell_reasons(struct screen *s, struct rows *r, uint32_t node)
{
	const struct infer *in = s->subject.infer;
	const struct node *n = &s->subject.model->nodes.at[node];
	unsigned lines = 0;

	if (n->input_count == 0 || why_cost(in, node) > WHY_WORK)
		return;
	for (uint32_t o = 0; o < n->output_count && lines < MAX_WHY; o++) {
		const struct info *info = &in->infos[n->outputs[o]];

		uint32_t numbers = info->contents.at ? MIN(info->contents.count, MAX_NUMBERS) : 0;
		uint32_t dims = info->ranked ? info->rank : 0;

		for (uint32_t i = 0; n->outputs[o] && i < dims + numbers && lines < MAX_WHY; i++) {
			struct why what = {.value = n->outputs[o],
					   .element = i >= dims,
					   .index = i < dims ? i : i - dims};

			if (lines++ == 0)
				tell_title(r);
			tell_why(s, r, n, what);
		}
	}
}

/* ---- cost ---- */

static void tell_cost(struct screen *s, struct rows *r, uint32_t node)
{
	struct infer *in = s->subject.infer;
	const struct node *n = &s->subject.model->nodes.at[node];
	struct sym memory = sym_int(&in->pool, 0);

	rows_gap(r);
	tell_amount(s, r, "cost", cost_operations(in, node), "FLOP");
	for (uint32_t i = 0; i < MIN(n->output_count, (uint32_t)MAX_PORTS); i++) {
		struct sym bytes = cost_bytes(in, &in->infos[n->outputs[i]]);

		if (!n->outputs[i])
			continue;
		memory = sym_is_unknown(bytes) ? bytes : sym_add(&in->pool, memory, bytes);
		if (sym_is_unknown(memory))
			break;
	}
	tell_amount(s, r, "memory", memory, "B");
}

static void tell_metadata(struct screen *s, struct rows *r, const struct node *n)
{
	const struct model *m = s->subject.model;

	rows_gap(r);
	for (uint32_t i = 0; i < MIN(n->metadata_count, (uint32_t)MAX_METADATA); i++) {
		(void)rows_add(r);
		rows_put(r, STYLE_DIM, model_name(m, n->metadata[i].key));
		rows_put(r, STYLE_DIM, SV(" = "));
		rows_wrap(r, STYLE_DIM, n->metadata[i].value, 3);
	}
}

void tell_node(struct screen *s, struct rows *r, uint32_t node)
{
	const struct node *n = &s->subject.model->nodes.at[node];

	node_rows_tell_head(s, r, node);
	tell_findings(s, r, node, 0);
	rows_gap(r);
	tell_ports(s, r, n, false);
	tell_ports(s, r, n, true);
	tell_attrs(s, r, n);
	tell_reasons(s, r, node);
	tell_cost(s, r, node);
	rows_gap(r);
	for (uint32_t i = 0; i < MIN(n->output_count, (uint32_t)MAX_PORTS); i++) {
		if (n->outputs[i])
			tell_readers(s, r, n->outputs[i]);
	}
	tell_metadata(s, r, n);
	rows_trim(r);
}
