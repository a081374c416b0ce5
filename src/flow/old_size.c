#include "flow/old_size.h"

#include "base/base.h"
#include "base/sv.h"
#include "infer/finding.h"
#include "infer/infer.h"
#include "ir/graph.h"
#include "ir/type.h"
#include "ops/info.h"
#include "ops/need.h"
#include "ops/property.h"
#include "sym/eval.h"
#include "sym/sym.h"

/* Does it say which size, not only how large or of what it is a multiple? */
static bool tells_one_size(const struct fact *f)
{
	return f->kind == FACT_EQUAL || f->kind == FACT_SOFT || f->kind == FACT_PAIR;
}

/* The old size, from the first need that can be solved for the symbol. */
static bool size_from_facts(struct infer *in, uint32_t symbol, int64_t *out)
{
	for (size_t i = 0; i < in->facts.len; i++) {
		const struct fact *f = &in->facts.at[i];
		uint32_t which;
		int64_t a, b;
		struct sym difference = sym_sub(&in->pool, f->a, f->b);

		if (tells_one_size(f) && sym_is_linear(&in->pool, difference, &which, &a, &b) &&
		    which == symbol && b % a == 0 && -(b / a) > 0) {
			*out = -(b / a);
			return true;
		}
	}
	return false;
}

/* Or from a number that the file still claims for a dim of this symbol. */
static bool size_from_claims(struct infer *in, uint32_t symbol, int64_t *out)
{
	struct sym self = in->pool.symbols.at[symbol].self;

	for (uint32_t id = 1; id < in->model->claims.len; id++) {
		const struct claim *c = &in->model->claims.at[id];
		const struct info *info = &in->infos[c->value];

		for (uint32_t i = 0; info->ranked && info->rank == c->type.rank && i < info->rank;
		     i++) {
			if (sym_same(info->dims[i], self) && c->type.dims[i].kind == DIM_VALUE &&
			    c->type.dims[i].value > 0) {
				*out = c->type.dims[i].value;
				return true;
			}
		}
	}
	return false;
}

/* Or from an output declared as the symbol but inferred as a number. */
static bool size_from_losses(struct infer *in, uint32_t symbol, int64_t *out)
{
	for (size_t i = 0; i < in->findings.len; i++) {
		const struct finding *f = &in->findings.at[i];
		const struct claim *c =
			&in->model->claims.at[in->model->values.at[f->value].first_claim];

		if (f->level == LEVEL_LOSS && f->axis >= 0 && (uint32_t)f->axis < c->type.rank &&
		    sv_eq(model_name(in->model, c->type.dims[f->axis].param),
			  sym_name(&in->pool, symbol)) &&
		    sym_value(&in->pool, in->infos[f->value].dims[f->axis], out) && *out > 0)
			return true;
	}
	return false;
}

static bool mentions_symbol(const struct infer *in, const struct info *info, uint32_t symbol)
{
	for (uint32_t i = 0; i < info->rank; i++) {
		if (sym_mentions(&in->pool, info->dims[i], symbol))
			return true;
	}
	return false;
}

/* Or from a Reshape's entry at the index of the symbol's dim, if no other entry has it. */
static bool size_from_reshapes(struct infer *in, uint32_t symbol, int64_t *out)
{
	struct sym self = in->pool.symbols.at[symbol].self;

	for (uint32_t id = 1; id < in->model->nodes.len; id++) {
		const struct node *n = &in->model->nodes.at[id];
		const struct info *from, *to;

		if (op_sizes(in->model, n) == OP_SIZES_NONE || !n->input_count || !n->output_count)
			continue;
		from = &in->infos[n->inputs[0]];
		to = &in->infos[n->outputs[0]];
		if (!from->ranked || !to->ranked || mentions_symbol(in, to, symbol))
			continue;
		for (uint32_t i = 0; i < MIN(from->rank, to->rank); i++) {
			if (sym_same(from->dims[i], self) &&
			    sym_value(&in->pool, to->dims[i], out) && *out > 0)
				return true;
		}
	}
	return false;
}

static bool size_from_others(struct infer *in, uint32_t symbol, int64_t *out)
{
	return size_from_losses(in, symbol, out) || size_from_claims(in, symbol, out) ||
	       size_from_reshapes(in, symbol, out);
}

bool flow_old_size(struct infer *in, uint32_t symbol, int64_t *out)
{
	return size_from_facts(in, symbol, out) || size_from_others(in, symbol, out);
}
