/* Losses: scores [N, C, d1 … dk], labels [N, d1 … dk], weights [C]. */
#include <inttypes.h>

#include "ops/info.h"
#include "ops/rule.h"
#include "ops/rules.h"
#include "sym/sym.h"

enum input {
	SCORES,
	LABELS,
	WEIGHTS
};

/* Labels have the axes of the scores except the classes. */
static void labels_out(struct rule *r)
{
	bool scored = rule_ranked(r, SCORES), labelled = rule_ranked(r, LABELS);
	uint32_t rank = scored ? r->in[SCORES].rank - 1 : 0;
	struct sym *dims;

	if (!scored && !labelled)
		return;
	if (scored && labelled && rank != r->in[LABELS].rank) {
		rule_error(r, "labels have rank %" PRIu32 ", but rank %" PRIu32 " is needed",
			   r->in[LABELS].rank, rank);
		return;
	}
	rank = scored ? rank : r->in[LABELS].rank;
	dims = rule_dims(r, rank);
	for (uint32_t i = 0; i < rank; i++)
		dims[i] = rule_equal(r, rule_dim(r, SCORES, i ? i + 1 : 0), rule_dim(r, LABELS, i),
				     "sizes of scores and labels");
	rule_out(r, 0, rule_elem(r, SCORES), rank, dims);
}

void rule_nll_loss(struct rule *r)
{
	enum {
		NONE,
		SUM,
		MEAN
	};
	uint32_t reduction = MEAN;

	rule_out_unranked(r, 0, rule_elem(r, SCORES));
	if (!RULE_CHOICE(r, "reduction", &reduction, "none", "sum", "mean"))
		return;
	if (rule_check_rank(r, SCORES, 2, RULE_MAX_RANK) &&
	    rule_check_rank(r, LABELS, 1, RULE_MAX_RANK)) {
		labels_out(r);
		if (rule_check_rank(r, WEIGHTS, 1, 1))
			rule_equal(r, rule_dim(r, SCORES, 1), rule_dim(r, WEIGHTS, 0),
				   "classes and weight");
	}
	if (reduction != NONE)
		rule_out_scalar(r, 0, rule_elem(r, SCORES));
}

/* The second output is the logarithm of the probabilities. */
void rule_softmax_cross_entropy(struct rule *r)
{
	rule_nll_loss(r);
	rule_out_shape_of(r, 1, SCORES, rule_elem(r, SCORES));
}
