#include "layout/carried.h"

#include <inttypes.h>

#include "base/str.h"
#include "ir/graph.h"
#include "ops/property.h"

enum {
	MOST_ENDS = 1000 /* of a body; further ones are not looked for */
};

/* The position of a value among the ends of a body; false if it is none of the first. */
static bool position_of(const struct graph *g, uint32_t value, bool output, uint32_t *out)
{
	const uint32_t *list = output ? g->outputs.at : g->inputs.at;
	size_t count = MIN(output ? g->outputs.len : g->inputs.len, (size_t)MOST_ENDS);

	for (*out = 0; *out < count; ++*out) {
		if (list[*out] == value)
			return true;
	}
	return false;
}

static void add_state(uint32_t number, struct str *out)
{
	str_format(out, "state %" PRIu32 " \u21ba", number);
}

static void carried_in_loop(const struct node *n, uint32_t at, bool output, struct str *out)
{
	uint32_t before = output ? 1 : 2, states = n->input_count - MIN(n->input_count, 2);

	if (at >= before && at - before < states)
		add_state(at - before + 1, out);
	else if (output)
		str_text(out, at == 0 ? "go on?" : "collected");
	else
		str_text(out, at == 0 ? "turn" : at == 1 ? "go on?" : "");
}

static void carried_in_scan(const struct model *m, const struct node *n, uint32_t at, bool output,
			    struct str *out)
{
	const struct attr *a = node_attr(m, n, "num_scan_inputs");
	uint32_t states = 0;

	if (a && a->kind == ATTR_INT && a->i >= 0 && a->i <= n->input_count)
		states = n->input_count - (uint32_t)a->i;
	if (at < states)
		add_state(at + 1, out);
	else
		str_text(out, output ? "collected" : "slice");
}

void carried_text(const struct model *m, uint32_t graph, uint32_t value, bool output,
		  struct str *out)
{
	const struct graph *g = &m->graphs.at[graph];
	const struct node *n;
	uint32_t at;

	if (g->kind != GRAPH_BODY || !position_of(g, value, output, &at))
		return;
	n = &m->nodes.at[g->owner];
	if (op_flow(m, n) == OP_FLOW_LOOP)
		carried_in_loop(n, at, output, out);
	else if (op_flow(m, n) == OP_FLOW_SCAN)
		carried_in_scan(m, n, at, output, out);
}

/* In Loop the first input and output are the turn and whether to go on. */
static uint32_t partner_in(const struct node *n, enum op_flow flow, const struct graph *g,
			   uint32_t at)
{
	/* In opset 8, the lengths of sequences come before all that Scan's body reads. */
	if (flow == OP_FLOW_SCAN && n->input_count == g->inputs.len + 1)
		at++;
	if ((flow != OP_FLOW_LOOP && flow != OP_FLOW_SCAN) || (flow == OP_FLOW_LOOP && at == 0))
		return 0;
	return at < n->input_count ? n->inputs[at] : 0;
}

static uint32_t partner_out(const struct node *n, enum op_flow flow, uint32_t at)
{
	bool known = flow == OP_FLOW_IF || flow == OP_FLOW_LOOP || flow == OP_FLOW_SCAN;

	if (!known || (flow == OP_FLOW_LOOP && at == 0))
		return 0;
	at -= flow == OP_FLOW_LOOP;
	return at < n->output_count ? n->outputs[at] : 0;
}

uint32_t carried_partner(const struct model *m, uint32_t graph, uint32_t value, bool output)
{
	const struct graph *g = &m->graphs.at[graph];
	const struct node *n;
	enum op_flow flow;
	uint32_t at;

	if (g->kind != GRAPH_BODY || !position_of(g, value, output, &at))
		return 0;
	n = &m->nodes.at[g->owner];
	flow = op_flow(m, n);
	return output ? partner_out(n, flow, at) : partner_in(n, flow, g, at);
}
