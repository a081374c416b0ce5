/*
 * How much work a model may be.  Steps are counted, never time, and the limits follow from the
 * model's size: results are the same everywhere, and no honest model comes near.
 */
#include <stddef.h>
#include <stdint.h>

#include "infer/finding.h"
#include "infer/infer.h"
#include "infer/internal.h"
#include "ir/graph.h"
#include "ops/info.h"
#include "sym/sym.h"

/* For small models, and for each node of the model. */
static const struct {
	uint64_t least, each;
} inner_nodes = {1 << 16, 16},            /* nodes inferred in bodies and functions */
	inner_bytes = {1 << 25, 1 << 12}, /* that they leave behind */
	expression_steps = {1 << 25, 1 << 9}, expression_bytes = {1 << 25, 1 << 11},
  judging_steps = {1 << 23, 1 << 9};

enum {
	MAX_INSTANCES = 1 << 20 /* calls of functions: see rule_fresh */
};

#define WORK_OF(in, what) ((what).least + (what).each * (in)->model->nodes.len)

void work_begin(struct infer *in)
{
	in->pool.steps = 0;
	in->pool.spent = false;
	in->pool.most_steps = WORK_OF(in, expression_steps);
	in->pool.most_bytes = sym_pool_bytes(&in->pool) + WORK_OF(in, expression_bytes);
	in->steps_left = WORK_OF(in, judging_steps);
}

/* About as many bytes as the graph takes in the file. */
static uint64_t work_graph_bytes(const struct model *m)
{
	enum {
		NODE = 32,
		VALUE = 16
	};
	uint64_t bytes = NODE * m->nodes.len + VALUE * m->values.len;

	for (size_t i = 1; i < m->nodes.len; i++)
		bytes += model_name(m, m->nodes.at[i].name).len;
	for (size_t i = 1; i < m->values.len; i++)
		bytes += model_name(m, m->values.at[i].name).len;
	return bytes;
}

/* A number in the file is tried in a pass of its own: large models have hundreds of layers. */
uint64_t work_of_axes(const struct model *m)
{
	enum {
		LEAST = 1 << 25,
		EACH = 1 << 5,
		SMALL = 1 << 20, /* bytes */
		EACH_MORE = 1 << 10
	};
	uint64_t bytes = work_graph_bytes(m), small = MIN(bytes, SMALL);

	return LEAST + EACH * small + EACH_MORE * (bytes - small);
}

uint64_t infer_work(const struct infer *in)
{
	enum {
		NODE = 64,
		VALUE = 32,
		EXPRESSION = 64,
		NEED = 256
	};
	const struct model *m = in->model;

	return NODE * (m->nodes.len + in->inner_nodes) + VALUE * (m->values.len + m->readers.len) +
	       EXPRESSION * in->pool.node_count + NEED * in->facts.len + in->pool.steps +
	       in->arena.total / 8;
}

static void work_refuse(struct infer *in, enum finding_kind kind)
{
	if (in->refused)
		return;
	infer_find(in, (struct finding){.level = LEVEL_COMPLEX,
					.kind = kind,
					.graph = in->graph,
					.node = in->node,
					.axis = -1});
	in->refused = in->node;
}

bool work_may_run(struct infer *in, uint32_t graph)
{
	in->inner_nodes += in->model->graphs.at[graph].order.len + 1;
	if (in->depth < MAX_NESTED && in->instances < MAX_INSTANCES &&
	    in->inner_nodes <= WORK_OF(in, inner_nodes) &&
	    in->arena.total <= WORK_OF(in, inner_bytes))
		return true;
	work_refuse(in, FINDING_TOO_NESTED);
	return false;
}

void work_note_node(struct infer *in)
{
	if (in->pool.spent)
		work_refuse(in, FINDING_TOO_MANY_SIZES);
}

bool work_take(struct infer *in, uint64_t steps)
{
	if (steps > in->steps_left)
		in->steps_left = 0;
	else
		in->steps_left -= steps;
	return in->steps_left != 0;
}

uint64_t work_of_need(const struct infer *in, const struct fact *f)
{
	enum {
		NEED = 64,
		LEAF = 16 /* it is looked through several times */
	};

	return NEED + LEAF * ((uint64_t)sym_reach(&in->pool, f->a) + sym_reach(&in->pool, f->b));
}

void work_drop_needs(struct infer *in, const struct fact *f, size_t count)
{
	if (in->dropped)
		return;
	infer_find(in, (struct finding){.level = LEVEL_COMPLEX,
					.kind = FINDING_TOO_MANY_NEEDS,
					.graph = f->graph,
					.node = f->node,
					.axis = -1,
					.n = (int64_t)count});
	in->dropped = true;
}

void work_forget_bodies(struct infer *in)
{
	const struct model *m = in->model;

	for (size_t v = 1; in->refused && v < m->values.len; v++) {
		if (m->values.at[v].graph == 0)
			continue;
		in->infos[v] = (struct info){0};
		in->sources[v] = SOURCE_NONE;
	}
}
