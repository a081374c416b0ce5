/* Layers of transformers in ONNX Runtime's domain: branches, experts, and the search for texts. */
#include <inttypes.h>

#include "base/sv.h"
#include "ir/graph.h"
#include "ir/type.h"
#include "ops/ms_sizes.h"
#include "ops/rule.h"
#include "ops/rules.h"
#include "sym/sym.h"

void rule_ms_bias_split_gelu(struct rule *r)
{
	struct ms_sizes s = {0};

	ms_match(r, &s, 0, "BSH");
	ms_match(r, &s, 1, "H");
	RULE_OUT(r, 0, rule_elem(r, 0), ms_size(&s, 'B'), ms_size(&s, 'S'),
		 sym_floor_div(r->pool, ms_size(&s, 'H'), rule_int(r, 2)));
}

/* X is [..., N*C]; each C of its elements are normalized. */
void rule_ms_gated_norm(struct rule *r)
{
	struct ms_sizes s = {0};

	rule_out_shape_of(r, 0, 0, rule_elem(r, 0));
	ms_match(r, &s, 0, "*W");
	ms_match(r, &s, 2, "*W");
	if (ms_match(r, &s, 1, "~C") && rule_ranked(r, 0) && rule_ranked(r, 1))
		rule_divisible(r, ms_size(&s, 'W'), ms_size(&s, 'C'), "last axis and scale");
}

/* ---- branches: [..., N, H], or flat [..., N*H] with num_branches ---- */

static bool branches_read(struct rule *r, struct ms_sizes *s, bool *out_flat)
{
	int64_t count = rule_attr_int(r, "num_branches", 0);
	struct sym branches = rule_int(r, count), width;

	*out_flat = count > 0;
	if (!*out_flat)
		return ms_match(r, s, 0, "*NH");
	if (!rule_ranked(r, 0) || !ms_match(r, s, 0, "*W"))
		return false;
	width = ms_size(s, 'W');
	rule_divisible(r, width, branches, "last axis and num_branches");
	ms_size_set(s, 'N', branches);
	ms_size_set(s, 'H', sym_floor_div(r->pool, width, branches));
	return true;
}

void rule_ms_branch_norm(struct rule *r)
{
	struct ms_sizes s = {0};
	struct sym one;
	bool flat;

	rule_out_shape_of(r, 0, 0, rule_elem(r, 0));
	if (!branches_read(r, &s, &flat) || !rule_ranked(r, 1) || !rule_check_rank(r, 1, 1, 2))
		return;
	if (r->in[1].rank == 2) {
		ms_match(r, &s, 1, "NH");
		return;
	}
	/* One for all branches, or for each. */
	ms_size_set(&s, 'W', sym_mul(r->pool, ms_size(&s, 'N'), ms_size(&s, 'H')));
	one = rule_dim(r, 1, 0);
	if (sym_eq(r->pool, one, ms_size(&s, 'W')) == SYM_YES ||
	    (sym_eq(r->pool, one, ms_size(&s, 'H')) == SYM_NO &&
	     sym_eq(r->pool, one, ms_size(&s, 'W')) != SYM_NO))
		ms_match(r, &s, 1, "W");
	else
		ms_match(r, &s, 1, "H");
}

/* A gate of each branch, [..., N] or [..., N, 1], or of each feature too. */
static void match_gate(struct rule *r, struct ms_sizes *s, uint32_t input, bool flat)
{
	uint32_t rank = r->in[input].rank;
	struct sym last;

	if (!rule_ranked(r, input) || !s->led)
		return;
	if (rank == s->lead_rank + 1) {
		last = r->in[input].dims[rank - 1];
		if (flat && sym_eq(r->pool, last, ms_size(s, 'W')) == SYM_YES)
			ms_match(r, s, input, "*W");
		else
			ms_match(r, s, input, "*N");
	} else if (rank == s->lead_rank + 2) {
		last = r->in[input].dims[rank - 1];
		ms_match(r, s, input, "*N.");
		ms_one_or(r, last, ms_size(s, 'H'), "features of gate and streams");
	} else {
		rule_error(r, "the gate has rank %" PRIu32 ", which does not fit the streams",
			   rank);
	}
}

void rule_ms_mix(struct rule *r)
{
	bool after = r->argument == MS_MIX_AFTER, flat;
	struct ms_sizes s = {0};

	rule_out_unranked(r, 0, rule_elem(r, 0));
	if (!branches_read(r, &s, &flat))
		return;
	if (after)
		ms_match(r, &s, 1, "*H");
	match_gate(r, &s, after ? 2 : 1, flat);
	if (!after) {
		ms_out(r, &s, 0, rule_elem(r, 0), "*H");
		return;
	}
	ms_match(r, &s, 3, "*NN");
	rule_out_shape_of(r, 0, 0, rule_elem(r, 0));
}

/* ---- mixtures of experts ---- */

/* The tokens are all axes but the last. */
static bool read_tokens(struct rule *r, struct ms_sizes *s)
{
	struct sym tokens;

	if (!rule_ranked(r, 0) || !rule_check_rank(r, 0, 2, 3))
		return false;
	tokens = r->in[0].dims[0];
	if (r->in[0].rank == 3)
		tokens = sym_mul(r->pool, tokens, r->in[0].dims[1]);
	ms_size_set(s, 'T', tokens);
	ms_size_set(s, 'H', r->in[0].dims[r->in[0].rank - 1]);
	ms_match(r, s, 1, "TE");
	return true;
}

/* A gate and a value in one weight? */
static bool is_fused(struct rule *r)
{
	return sv_is(rule_attr_text(r, "activation_type"), "swiglu") &&
	       rule_attr_int(r, "swiglu_fusion", 0) != 0;
}

/* Early models have both weights transposed. */
void rule_ms_moe(struct rule *r)
{
	struct ms_sizes s = {0};
	bool turned;

	rule_out_shape_of(r, 0, 0, rule_elem(r, 0));
	if (!read_tokens(r, &s))
		return;
	turned = sym_eq(r->pool, rule_dim(r, 2, 1), ms_size(&s, 'H')) == SYM_YES &&
		 sym_eq(r->pool, rule_dim(r, 2, 2), ms_size(&s, 'H')) != SYM_YES;
	ms_match(r, &s, 4, turned ? "EIH" : "EHI");
	ms_size_set(&s, 'W', sym_mul_int(r->pool, ms_size(&s, 'I'), is_fused(r) ? 2 : 1));
	ms_match(r, &s, 2, turned ? "EHW" : "EWH");
	ms_match(r, &s, 3, "EW");
	ms_match(r, &s, 5, "EH");
	ms_match(r, &s, 6, "EIH");
	ms_match(r, &s, 7, "EI");
}

void rule_ms_qmoe(struct rule *r)
{
	int64_t bits = rule_attr_int(r, "expert_weight_bits", 4);
	struct ms_sizes s = {0};

	rule_out_shape_of(r, 0, 0, rule_elem(r, 0));
	if (!read_tokens(r, &s))
		return;
	if (rule_attr_text(r, "quant_type").len && !sv_is(rule_attr_text(r, "quant_type"), "int"))
		return;
	if (rule_attr_int(r, "block_size", 0) > 0 || rule_attr_int(r, "weights_prepacked", 0) > 0 ||
	    rule_attr(r, "fc1_expert_weight_bits") || rule_attr(r, "fc2_expert_weight_bits") ||
	    (bits != 2 && bits != 4 && bits != 8))
		return;
	ms_match(r, &s, 2, "EW.");
	ms_match(r, &s, 5, "EHY");
	ms_match(r, &s, 4, "EW");
	ms_match(r, &s, 7, "EH");
	if (rule_ranked(r, 3))
		ms_match(r, &s, 3, r->in[3].rank == 3 ? "EW1" : "EW");
	if (rule_ranked(r, 6))
		ms_match(r, &s, 6, r->in[6].rank == 3 ? "EH1" : "EH");
	rule_equal(r, sym_mul_int(r->pool, rule_dim(r, 2, 2), 8 / bits), ms_size(&s, 'H'),
		   "hidden sizes");
	rule_equal(r, sym_mul_int(r->pool, ms_size(&s, 'Y'), (is_fused(r) ? 2 : 1) * 8 / bits),
		   ms_size(&s, 'W'), "inner sizes of the experts");
}

/* ---- search for texts ---- */

/* The lengths and counts are one number each. */
static struct sym search_number(struct rule *r, uint32_t input)
{
	struct ms_sizes s = {0};

	ms_match(r, &s, input, "s");
	return ms_given(r, rule_single(r, input));
}

/* The last axis of the decoder's scores, as the decoder declares it; 0 if it does not. */
static int64_t declared_vocabulary(struct rule *r)
{
	const struct attr *a = rule_attr(r, "decoder");
	const struct model *m = r->model;
	const struct graph *g;

	if (!a || a->kind != ATTR_GRAPH || a->graph == 0 || a->graph >= m->graphs.len)
		return 0;
	g = &m->graphs.at[a->graph];
	for (size_t i = 0; g->outputs.len && i < g->claims.len; i++) {
		const struct claim *c = &m->claims.at[g->claims.at[i]];

		if (c->value == g->outputs.at[0] && c->type.kind == TYPE_TENSOR &&
		    c->type.rank == 3 && c->type.dims[2].kind == DIM_VALUE)
			return c->type.dims[2].value;
	}
	return 0;
}

static void search_masks(struct rule *r, struct ms_sizes *s, uint32_t first)
{
	int64_t count = rule_attr_int(r, "vocab_size", -1);

	if (count <= 0)
		count = declared_vocabulary(r);
	if (count > 0)
		ms_size_set(s, 'V', rule_int(r, count));
	/* There must be room for one more token. */
	ms_at_most(r, sym_add_int(r->pool, ms_size(s, 'S'), 1), ms_size(s, 'L'),
		   "tokens and max_length");
	ms_match(r, s, first, "V");
	ms_match(r, s, first + 1, "BV");
	ms_match(r, s, first + 2, "BS");
}

void rule_ms_greedy_search(struct rule *r)
{
	struct ms_sizes s = {0};

	ms_match(r, &s, 0, "BS");
	ms_size_set(&s, 'L', search_number(r, 1));
	(void)search_number(r, 2);
	search_masks(r, &s, 4);
	ms_match(r, &s, 7, "BV");
	(void)search_number(r, 8);
	ms_out(r, &s, 0, ELEM_INT32, "BL");
	ms_out(r, &s, 1, ELEM_FLOAT32, "BV");
}

void rule_ms_beam_search(struct rule *r)
{
	struct ms_sizes s = {0};

	/* Speech is [B, features, frames]. */
	if (rule_ranked(r, 0) && rule_check_rank(r, 0, 2, rule_elem(r, 0) == ELEM_INT32 ? 2 : 3))
		ms_match(r, &s, 0, r->in[0].rank == 2 ? "BS" : "B..");
	ms_size_set(&s, 'L', search_number(r, 1));
	(void)search_number(r, 2);
	(void)search_number(r, 3);
	(void)search_number(r, 5);
	ms_size_set(&s, 'R', search_number(r, 4));
	search_masks(r, &s, 7);
	ms_match(r, &s, 10, "B.");
	ms_out(r, &s, 0, ELEM_INT32, "BRL");
	ms_out(r, &s, 1, ELEM_FLOAT32, "BR");
	if (r->argument == MS_SEARCH_BEAMS) {
		ms_size_set(&s, 'X', rule_single(r, 3));
		ms_out(r, &s, 2, ELEM_FLOAT32, ".BXV");
	}
}
