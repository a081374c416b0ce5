/* LinearAttention (a state instead of keys), and the preview domain's FlexAttention. */
#include <inttypes.h>

#include "ir/graph.h"
#include "ir/type.h"
#include "ops/info.h"
#include "ops/rule.h"
#include "ops/rules.h"
#include "sym/sym.h"

enum input {
	QUERY,
	KEY,
	VALUE,
	PAST_STATE,
	DECAY,
	BETA
};

/* The head size; 0 heads, or an integer that heads does not divide, is an error. */
static struct sym linearattention_part(struct rule *r, uint32_t input, int64_t heads)
{
	struct sym all = rule_dim(r, input, 2);
	int64_t value;

	if (sym_value(r->pool, all, &value) && value % heads != 0) {
		rule_error(r,
			   "input %" PRIu32 ": %" PRId64 " is not a multiple of %" PRId64 " heads",
			   input, value, heads);
		return SYM_UNKNOWN;
	}
	return sym_floor_div(r->pool, all, rule_int(r, heads));
}

static bool read_head_counts(struct rule *r, int64_t *queries, int64_t *keys)
{
	*queries = rule_attr_int(r, "q_num_heads", 0);
	*keys = rule_attr_int(r, "kv_num_heads", 0);
	if (*queries < 1 || *keys < 1) {
		rule_error(r, "q_num_heads and kv_num_heads must be given and positive");
		return false;
	}
	if (*queries % *keys != 0) {
		rule_error(r, "%" PRId64 " query %s not a multiple of %" PRId64 " key heads",
			   *queries, PLURAL(*queries, "head is", "heads are"), *keys);
		return false;
	}
	return true;
}

static void linearattention_input(struct rule *r, uint32_t input, bool needed, const char *update,
				  const char *name)
{
	if (rule_has(r, input) != needed)
		rule_error(r, "update_rule %s %s %s", update, needed ? "needs" : "takes no", name);
}

static void check_update(struct rule *r)
{
	enum {
		LINEAR,
		GATED,
		DELTA,
		GATED_DELTA
	};
	static const char *const names[] = {"linear", "gated", "delta", "gated_delta"};
	uint32_t update = GATED_DELTA;

	if (!rule_attr_choice(r, "update_rule", &update, names, ARRAY_LEN(names)))
		return;
	linearattention_input(r, DECAY, update == GATED || update == GATED_DELTA, names[update],
			      "decay");
	linearattention_input(r, BETA, update == DELTA || update == GATED_DELTA, names[update],
			      "beta");
}

/* The last axis of decay has an entry per head or per element of a key; that of beta 1 or one per
 * head. */
static void check_rates(struct rule *r, int64_t heads, struct sym key)
{
	struct sym decay = rule_dim(r, DECAY, 2), beta = rule_dim(r, BETA, 2);
	struct sym one = rule_int(r, 1), all = rule_int(r, heads);
	int64_t given;

	if (sym_value(r->pool, decay, &given) && given != heads &&
	    sym_eq(r->pool, decay, sym_mul(r->pool, all, key)) == SYM_NO)
		rule_error(r, "the last axis of decay has %" PRId64 " %s for %" PRId64 " %s", given,
			   PLURAL(given, "element", "elements"), heads,
			   PLURAL(heads, "head", "heads"));
	if (sym_eq(r->pool, beta, one) == SYM_NO && sym_eq(r->pool, beta, all) == SYM_NO)
		rule_error(r, "the last axis of beta must be 1 or the %" PRId64 " heads", heads);
}

/* All packed inputs have the same batch and length; the state has the same batch. */
static void read_steps(struct rule *r, struct sym *batch, struct sym *length)
{
	*batch = rule_equal(r, rule_dim(r, QUERY, 0), rule_dim(r, PAST_STATE, 0),
			    "batch and past_state");
	*length = rule_dim(r, QUERY, 1);
	for (uint32_t i = KEY; i <= BETA; i++) {
		if (i == PAST_STATE)
			continue;
		*batch = rule_equal(r, *batch, rule_dim(r, i, 0), "batches");
		*length = rule_equal(r, *length, rule_dim(r, i, 1), "lengths");
	}
}

static void linear_out(struct rule *r, int64_t queries, int64_t keys, int32_t state_elem)
{
	struct sym batch, length, heads, key, value;

	read_steps(r, &batch, &length);
	heads = rule_equal(r, rule_int(r, keys), rule_dim(r, PAST_STATE, 1),
			   "key heads and past_state");
	key = rule_equal(r, linearattention_part(r, QUERY, queries),
			 linearattention_part(r, KEY, keys), "head sizes of query and key");
	key = rule_equal(r, key, rule_dim(r, PAST_STATE, 2), "head size of key and past_state");
	value = rule_equal(r, linearattention_part(r, VALUE, keys), rule_dim(r, PAST_STATE, 3),
			   "head size of value and past_state");
	check_rates(r, keys, key);
	RULE_OUT(r, 0, rule_elem(r, QUERY), batch, length, sym_mul_int(r->pool, value, queries));
	RULE_OUT(r, 1, state_elem, batch, heads, key, value);
}

/* Without a past state, the new one has the query's type. */
void rule_linear_attention(struct rule *r)
{
	int32_t state = rule_elem(r, rule_has(r, PAST_STATE) ? PAST_STATE : QUERY);
	int64_t queries, keys;

	rule_out_rank(r, 0, rule_elem(r, QUERY), 3);
	rule_out_rank(r, 1, state, 4);
	check_update(r);
	if (RULE_CHECK_RANKS(r, 3, 3, 3, 4, 3, 3) && read_head_counts(r, &queries, &keys))
		linear_out(r, queries, keys, state);
}

/* ---- FlexAttention ---- */

static bool same_elems(struct rule *r)
{
	int32_t elem = ELEM_UNDEFINED;

	for (uint32_t i = QUERY; i <= VALUE; i++) {
		int32_t other = rule_elem(r, i);

		if (elem && other && elem != other) {
			rule_error(r, "Q, K and V have different element types");
			return false;
		}
		elem = elem ? elem : other;
	}
	return true;
}

/* A body maps the scores to scores of the same shape and type. */
static void run_body(struct rule *r, const char *name, const struct info *scores)
{
	const struct attr *a = rule_attr(r, name);
	struct info out = {0};

	if (!a || a->kind != ATTR_GRAPH ||
	    !r->host->body(r->host->context, a->graph, scores, 1, &out, 1))
		return;
	if (out.elem && scores->elem && out.elem != scores->elem)
		rule_error(r, "%s changes the element type", name);
	if (!out.ranked)
		return;
	if (out.rank != 4) {
		rule_error(r, "%s returns rank %" PRIu32 " instead of 4", name, out.rank);
		return;
	}
	for (uint32_t i = 0; i < 4; i++)
		rule_equal(r, scores->dims[i], out.dims[i],
			   "sizes of the scores before and after a body");
}

static void run_bodies(struct rule *r, struct sym batch)
{
	struct sym *dims = rule_dims(r, 4);
	int32_t elem = rule_elem(r, QUERY);
	struct info scores = {.kind = TYPE_TENSOR, .ranked = true, .rank = 4, .dims = dims};

	dims[0] = batch;
	dims[1] = rule_dim(r, QUERY, 1);
	dims[2] = rule_dim(r, QUERY, 2);
	dims[3] = rule_dim(r, KEY, 2);
	if (rule_attr(r, "softmax_precision"))
		scores.elem = (int32_t)rule_attr_int(r, "softmax_precision", ELEM_UNDEFINED);
	else if (elem)
		scores.elem = elem == ELEM_FLOAT64 ? ELEM_FLOAT64 : ELEM_FLOAT32;
	run_body(r, "score_mod", &scores);
	run_body(r, "prob_mod", &scores);
}

void rule_flex_attention(struct rule *r)
{
	struct sym *dims = rule_dims(r, 4);
	int64_t queries, keys;
	struct sym heads;

	rule_out_rank(r, 0, rule_elem(r, QUERY), 4);
	if (!same_elems(r) || !RULE_CHECK_RANKS(r, 4, 4, 4))
		return;
	dims[0] = rule_equal(r, rule_dim(r, QUERY, 0), rule_dim(r, KEY, 0), "batches");
	dims[0] = rule_equal(r, dims[0], rule_dim(r, VALUE, 0), "batches");
	heads = rule_equal(r, rule_dim(r, KEY, 1), rule_dim(r, VALUE, 1), "heads of K and V");
	rule_equal(r, rule_dim(r, KEY, 2), rule_dim(r, VALUE, 2), "lengths of K and V");
	rule_equal(r, rule_dim(r, QUERY, 3), rule_dim(r, KEY, 3), "head sizes of Q and K");
	dims[1] = rule_dim(r, QUERY, 1);
	dims[2] = rule_dim(r, QUERY, 2);
	dims[3] = rule_dim(r, VALUE, 3);
	if (sym_value(r->pool, dims[1], &queries) && sym_value(r->pool, heads, &keys) && keys > 0 &&
	    queries % keys != 0)
		rule_error(r, "%" PRId64 " query %s not a multiple of %" PRId64 " key heads",
			   queries, PLURAL(queries, "head is", "heads are"), keys);
	run_bodies(r, dims[0]);
	rule_out(r, 0, rule_elem(r, QUERY), 4, dims);
}
