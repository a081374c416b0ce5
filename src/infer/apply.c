#include "infer/apply.h"

#include <stdlib.h>

#include "base/arena.h"
#include "infer/rerun.h"
#include "ir/graph.h"
#include "ops/info.h"
#include "ops/need.h"

static void ignore_need(void *context, const struct need *need)
{
	(void)context;
	(void)need;
}

bool infer_apply(struct infer *in, uint32_t node, struct arena *arena, const struct info *inputs,
		 struct info *outputs)
{
	const struct node *n = &in->model->nodes.at[node];
	struct rerun run;

	if (!rerun_begin(in, node, ignore_need, &run))
		return false;
	run.rule.arena = arena;
	for (uint32_t i = 0; i < n->input_count; i++)
		run.rule.in[i] = inputs[i];
	rerun_end(&run);
	for (uint32_t i = 0; i < n->output_count; i++)
		outputs[i] = run.rule.out[i];
	free(run.ports.many);
	return true;
}
