/* Strings. */
#include <inttypes.h>

#include "base/sv.h"
#include "ir/graph.h"
#include "ir/type.h"
#include "ops/info.h"
#include "ops/rule.h"
#include "ops/rules.h"
#include "sym/sym.h"

static void need_strings(struct rule *r, uint32_t input)
{
	if (rule_elem(r, input) && rule_elem(r, input) != ELEM_STRING)
		rule_error(r, "input %" PRIu32 " is not a tensor of strings", input);
}

void rule_regex_full_match(struct rule *r)
{
	need_strings(r, 0);
	rule_out_shape_of(r, 0, 0, ELEM_BOOL);
}

void rule_string_concat(struct rule *r)
{
	const struct info *a = &r->in[0], *b = &r->in[1];

	need_strings(r, 0);
	need_strings(r, 1);
	rule_out_unranked(r, 0, ELEM_STRING);
	if (rule_ranked(r, 0) && rule_ranked(r, 1))
		rule_out(r, 0, ELEM_STRING, MAX(a->rank, b->rank),
			 rule_broadcast_dims(r, a->dims, a->rank, b->dims, b->rank, 0));
}

/* Stop words are removed; when nothing is left, the result is one empty string. */
void rule_string_normalizer(struct rule *r)
{
	struct sv action = rule_attr_text(r, "case_change_action");
	const struct attr *stop = rule_attr(r, "stopwords");
	struct sym *dims, words;
	uint32_t rank;

	need_strings(r, 0);
	rule_out_unranked(r, 0, ELEM_STRING);
	if (!rule_ranked(r, 0) || !rule_check_rank(r, 0, 1, 2))
		return;
	rank = r->in[0].rank;
	words = r->in[0].dims[rank - 1];
	dims = rule_dims(r, rank);
	if (rank == 2)
		dims[0] = rule_equal(r, r->in[0].dims[0], rule_int(r, 1),
				     "the first of two axes must have size 1");
	dims[rank - 1] = words;
	if ((stop && stop->kind == ATTR_STRINGS && stop->list.count) ||
	    (action.len && !sv_is(action, "NONE") && sym_range(r->pool, words).lo < 1))
		dims[rank - 1] = rule_fresh(r, 0, rank - 1,
					    sym_max(r->pool, words, rule_int(r, 1)));
	rule_out(r, 0, ELEM_STRING, rank, dims);
}

/* The number of columns for the n-grams; unknown when the list is not in memory. */
static struct sym strings_columns(struct rule *r)
{
	const int64_t *list;
	int64_t max = -1;
	uint32_t count;

	if (!rule_attr_ints(r, "ngram_indexes", &list, &count))
		return SYM_UNKNOWN;
	for (uint32_t i = 0; i < count; i++) {
		if (list[i] < 0 || list[i] == INT64_MAX) {
			rule_error(r, "ngram_indexes has the invalid value %" PRId64, list[i]);
			return SYM_UNKNOWN;
		}
		max = MAX(max, list[i]);
	}
	if (count == 0) {
		rule_error(r, "attribute ngram_indexes is missing");
		return SYM_UNKNOWN;
	}
	return rule_int(r, max + 1);
}

void rule_tfidf_vectorizer(struct rule *r)
{
	struct sym width = strings_columns(r);
	struct sym *dims;

	rule_out_unranked(r, 0, ELEM_FLOAT32);
	if (!rule_ranked(r, 0) || !rule_check_rank(r, 0, 1, 2))
		return;
	dims = rule_dims(r, 2);
	dims[0] = r->in[0].rank == 2 ? r->in[0].dims[0] : width;
	dims[1] = width;
	rule_out(r, 0, ELEM_FLOAT32, r->in[0].rank, dims);
}
