/*
 * The inspector's rows about a node.
 */
#include <inttypes.h>

#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "infer/infer.h"
#include "infer/why.h"
#include "ir/graph.h"
#include "ops/info.h"
#include "report/cost.h"
#include "report/node.h"
#include "report/record.h"
#include "report/tensor.h"
#include "ui/canvas.h"
#include "ui/panes/inspector.h"
#include "ui/panes/outline.h"
#include "ui/rows.h"
#include "ui/screen.h"

enum {
	MAX_PORTS = 100,
	MAX_ATTRS = 200,
	MAX_LINES = 8,      /* per attribute */
	MAX_WHY = 32,       /* rows in total */
	WHY_WORK = 1 << 13, /* larger ones are left to the why overlay */
	MAX_NUMBERS = 8,    /* of a tensor, at most */
	MAX_METADATA = 12
};

/* ---- the head ---- */

static void node_rows_tell_head(struct screen *s, struct rows *r, uint32_t node)
{
	const struct model *m = s->subject.model;
	struct str scope = {0}, graph = {0};
	struct record head = {0}, call = {0};

	outline_scope(s, node, &scope);
	graph_path(&graph, m, m->nodes.at[node].graph);
	node_record(&head, m, node, str_sv(&scope), str_sv(&graph));
	(void)rows_add(r);
	str_clear(&scope);
	record_print_column(&head, NODE_OPERATOR, &scope);
	rows_put(r, node_style(s, node), str_sv(&scope));
	str_clear(&scope);
	record_print_column(&head, NODE_DOMAIN, &scope);
	rows_right(r, STYLE_DIM, str_sv(&scope));
	if (call_record(&call, m, node))
		tell_line(r, "calls", &call, 0, ROWS_NAMES);
	tell_line(r, "name", &head, NODE_NAME, 4);
	tell_line(r, "scope", &head, NODE_SCOPE, 2);
	tell_line(r, "graph", &head, NODE_GRAPH, 2);
	tell_line(r, "doc", &head, NODE_DOC, 4);
	record_release(&head);
	record_release(&call);
	str_release(&scope);
	str_release(&graph);
}

/* ---- ports ---- */

/* Below them are small contents. */
void tell_port(struct screen *s, struct rows *r, const char *label, uint32_t value, uint32_t node)
{
	struct record t = {0};
	struct str elem = {0};
	const struct cell *name, *shape;
	bool weight, two;
	int width;

	port_record(&t, s->subject.infer, value, node, REPORT_SHORT);
	record_print_column(&t, PORT_ELEM, &elem);
	name = record_find(&t, "name");
	shape = record_find(&t, "shape");
	weight = record_has(&t, PORT_MARK);
	rows_lead(r, &t, PORT_NAME)->value = value;
	rows_label(r, label);
	if (value_changed(s, value))
		rows_put(r, STYLE_CHANGED, SV("~ "));
	width = rows_used(r) + (int)elem.len + (weight ? 9 : 2) +
		(int)utf8_width((struct sv){cell_text(&t, name).at, MIN(name->len, 1000)}) +
		(int)utf8_width(cell_text(&t, shape));
	two = width > r->width;
	rows_name(r, weight ? STYLE_DIM : STYLE_TEXT, cell_text(&t, name),
		  r->width - rows_used(r) - (int)elem.len - 1);
	if (two) {
		rows_right(r, STYLE_DIM, SV(" "));
		rows_right(r, STYLE_DIM, str_sv(&elem));
		rows_lead(r, &t, PORT_NAME)->value = value;
		rows_label(r, "");
	} else {
		rows_put(r, STYLE_TEXT, SV(" "));
	}
	rows_record(r, &t, PORT_SHAPE, ROWS_NAMES);
	if (weight)
		rows_right(r, STYLE_DIM, two ? SV(" weight") : SV(" weight "));
	if (!two)
		rows_right(r, STYLE_DIM, str_sv(&elem));
	if (record_has(&t, PORT_CONTENTS)) {
		(void)rows_lead(r, &t, PORT_NAME);
		rows_label(r, "");
		rows_put(r, STYLE_DIM, SV("= "));
		rows_record(r, &t, PORT_CONTENTS, 3);
	}
	str_release(&elem);
	record_release(&t);
}

static void tell_ports(struct screen *s, struct rows *r, const struct node *n, bool out)
{
	const uint32_t *values = out ? n->outputs : n->inputs;
	uint32_t count = out ? n->output_count : n->input_count;

	for (uint32_t i = 0; i < MIN(count, (uint32_t)MAX_PORTS); i++) {
		struct str label = {0};

		str_format(&label, count > 1 ? "%s %" PRIu32 : "%s", out ? "out" : "in", i);
		if (values[i]) {
			tell_port(s, r, str_c(&label), values[i], s->node);
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

/* ---- attributes ---- */

static int cell_width(const struct record *r, const struct cell *c)
{
	return (int)utf8_width((struct sv){cell_text(r, c).at, MIN(c->len, 500)});
}

/* Short ones share a row: `kernel_shape = [3, 3]  group = 1`; links have their own. */
static void tell_attr(struct screen *s, struct rows *r, const struct record *attr, bool share)
{
	const struct cell *name = record_find(attr, "name"), *value = record_find(attr, "value");
	const char *sign = value->link != LINK_GRAPH ? " = " : s->canvas.ascii ? " > " : " \u25b8 ";

	if (value->link || !share ||
	    rows_used(r) + cell_width(attr, name) + 5 + cell_width(attr, value) > r->width)
		(void)rows_lead(r, attr, ATTR_VALUE);
	rows_put(r, STYLE_DIM, SV("  "));
	rows_record(r, attr, ATTR_NAME, ROWS_NAMES);
	rows_put(r, value->link == LINK_GRAPH ? STYLE_SCOPE : STYLE_DIM, sv_of(sign));
	rows_record(r, attr, ATTR_VALUE, MAX_LINES);
}

static void tell_attrs(struct screen *s, struct rows *r, const struct node *n)
{
	struct record attr = {0};
	bool share = false;

	if (n->attr_count)
		tell_title(r, "attributes", "");
	for (uint32_t i = 0; i < MIN(n->attr_count, (uint32_t)MAX_ATTRS); i++) {
		for (uint32_t k = 0; k < attr_records(&n->attrs[i]); k++) {
			attr_record(&attr, s->subject.model, &n->attrs[i], k, REPORT_SHORT);
			tell_attr(s, r, &attr, share);
			share = record_find(&attr, "value")->link == LINK_NONE;
		}
	}
	record_release(&attr);
}

/* ---- why ---- */

static void tell_reasons(struct screen *s, struct rows *r, uint32_t node)
{
	struct infer *in = s->subject.infer;
	const struct node *n = &s->subject.model->nodes.at[node];
	struct record reason = {0};
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
				tell_title(r, "why", "[axis] {element}");
			reason_record(&reason, in, node, what);
			tell_below(r, 2, &reason, 0, ROWS_SIZES);
		}
	}
	record_release(&reason);
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
	rows_gap(r);
	tell_amount(s, r, "cost", cost_operations(s->subject.infer, node), COST_FLOP);
	tell_amount(s, r, "memory", cost_outputs(s->subject.infer, node), COST_BYTES);
	rows_gap(r);
	for (uint32_t i = 0; i < MIN(n->output_count, (uint32_t)MAX_PORTS); i++) {
		if (n->outputs[i])
			tell_readers(s, r, n->outputs[i]);
	}
	tell_metadata(s, r, n);
	rows_trim(r);
}
