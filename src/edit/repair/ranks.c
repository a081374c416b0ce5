/*
 * Axes that were free before, but not with the same rank of every result: a Squeeze without axes
 * removes them where they are 1.
 */
#include "edit/repair/internal.h"
#include "flow/cause.h"
#include "infer/infer.h"
#include "ir/graph.h"
#include "ops/info.h"
#include "ops/property.h"
#include "sym/eval.h"
#include "sym/sym.h"

static bool may_remove(const struct infer *in, const struct node *n, uint32_t symbol)
{
	const struct info *info = n->input_count ? &in->infos[n->inputs[0]] : NULL;

	if (op_flow(in->model, n) != OP_FLOW_SQUEEZE || !info->ranked ||
	    (n->input_count > 1 && n->inputs[1]) || node_attr(in->model, n, "axes"))
		return false;
	for (uint32_t k = 0; k < info->rank; k++) {
		if (sym_mentions(&in->pool, info->dims[k], symbol) &&
		    sym_range(&in->pool, info->dims[k]).lo <= 1)
			return true;
	}
	return false;
}

bool ranks_stay(struct repairing *r)
{
	const struct infer *in = &r->document->infer;
	bool all = true;

	for (size_t i = 0; i < r->report->len; i++) {
		struct repair_goal *g = &r->report->at[i];
		uint32_t symbol = goal_symbol(r, g);

		for (uint32_t id = 1; id < in->model->nodes.len && !g->reason.len; id++) {
			const struct node *n = &in->model->nodes.at[id];

			if (symbol == UINT32_MAX || n->dead || !may_remove(in, n, symbol))
				continue;
			tell_squeezed(r, id, symbol, &g->reason);
			g->cause = CAUSE_SQUEEZE;
			all = false;
		}
	}
	return all;
}
