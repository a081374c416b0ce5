#include "infer/join.h"

#include "base/map.h"
#include "infer/finding.h"
#include "infer/infer.h"
#include "infer/internal.h"
#include "ir/graph.h"
#include "ops/info.h"
#include "ops/property.h"
#include "sym/eval.h"
#include "sym/sym.h"

/* The first axis that differs, if it is a symbol before the Reshape and a number behind it. */
static bool join_find_place(const struct infer *in, const struct info *from, const struct info *to,
			    uint32_t *out_place, struct join *out)
{
	uint32_t place = 0;

	while (place < MIN(from->rank, to->rank) && sym_same(from->dims[place], to->dims[place]))
		place++;
	*out_place = place;
	return place < MIN(from->rank, to->rank) &&
	       sym_symbol_id(&in->pool, from->dims[place], &out->symbol) &&
	       sym_value(&in->pool, to->dims[place], &out->number);
}

static bool join_of_node(const struct infer *in, uint32_t id, struct join *out)
{
	const struct node *n = &in->model->nodes.at[id];
	const struct info *from, *to;
	const struct contents *target;
	uint32_t place;
	int64_t entry;

	if (op_sizes(in->model, n) != OP_SIZES_RESHAPE || n->graph || n->input_count < 2 ||
	    !n->output_count)
		return false;
	from = &in->infos[n->inputs[0]];
	to = &in->infos[n->outputs[0]];
	target = &in->infos[n->inputs[1]].contents;
	if (!from->ranked || !to->ranked || !target->at || target->count != to->rank ||
	    !join_find_place(in, from, to, &place, out) ||
	    !sym_same(target->at[place], to->dims[place]))
		return false;
	for (uint32_t i = place + 1; i < to->rank; i++) {
		if (!sym_value(&in->pool, target->at[i], &entry) || entry != -1 ||
		    !sym_mentions(&in->pool, to->dims[i], out->symbol))
			continue;
		out->node = id;
		out->axis = i;
		out->into = to->dims[i];
		out->target = n->inputs[1];
		return true;
	}
	return false;
}

bool join_of_symbol(const struct infer *in, uint32_t symbol, int64_t number, struct join *out)
{
	for (uint32_t id = 1; id < in->model->nodes.len; id++) {
		if (join_of_node(in, id, out) && out->symbol == symbol && out->number == number)
			return true;
	}
	return false;
}

static void join_note_symbol(void *context, uint32_t symbol)
{
	*map_at(context, symbol) = 1;
}

/* Symbols that an output is declared with, and lost: that is a finding of its own. */
static void join_note_lost(const struct infer *in, struct map *out)
{
	for (size_t i = 0; i < in->findings.len; i++) {
		if (in->findings.at[i].level == LEVEL_LOSS)
			sym_each_symbol(&in->pool, in->findings.at[i].b, join_note_symbol, out);
	}
}

void joins_tell(struct infer *in)
{
	struct map told = {0};
	struct join join;

	join_note_lost(in, &told);
	for (uint32_t id = 1; id < in->model->nodes.len; id++) {
		if (!join_of_node(in, id, &join) || join.number != 1 ||
		    !infer_is_chosen(in, join.symbol) || (*map_at(&told, join.symbol))++)
			continue;
		infer_find(in, (struct finding){.level = LEVEL_JOINED,
						.kind = FINDING_JOINED,
						.graph = in->model->nodes.at[id].graph,
						.node = id,
						.axis = (int32_t)join.axis,
						.symbol = join.symbol,
						.a = join.into,
						.n = join.number});
	}
	map_release(&told);
}
