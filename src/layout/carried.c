#include "layout/carried.h"

#include <inttypes.h>

#include "base/str.h"
#include "ir/graph.h"
#include "ops/property.h"

/* The position of a value in a list; its length if it is not there. */
static uint32_t position_of(const uint32_t *list, size_t count, uint32_t value)
{
	uint32_t at = 0;

	while (at < count && list[at] != value)
		at++;
	return at;
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

	if (g->kind != GRAPH_BODY)
		return;
	n = &m->nodes.at[g->owner];
	at = output ? position_of(g->outputs.at, g->outputs.len, value)
		    : position_of(g->inputs.at, g->inputs.len, value);
	if (at == (output ? g->outputs.len : g->inputs.len))
		return;
	if (op_flow(m, n) == OP_FLOW_LOOP)
		carried_in_loop(n, at, output, out);
	else if (op_flow(m, n) == OP_FLOW_SCAN)
		carried_in_scan(m, n, at, output, out);
}
