/*
 * The standard's Attention and RotaryEmbedding; those of com.microsoft are other operators.
 *
 * Rank 4 is [batch, heads, length, head size]; rank 3 is [batch, length, heads*head size], with the
 * number of heads in attributes.
 */
#include <inttypes.h>

#include "ops/rule.h"
#include "ops/rules.h"
#include "sym/sym.h"

enum input {
	Q,
	K,
	V,
	MASK,
	PAST_KEY,
	PAST_VALUE,
	NONPAD
};

/* One of Q, K, V, split into heads. */
struct heads {
	struct sym batch, count, length, size;
};

struct attention {
	bool packed; /* rank 3 */
	struct heads q, k, v;
	struct sym batch, total;
};

/* hidden/heads; an integer that heads does not divide is an error. */
static struct sym head_size(struct rule *r, struct sym hidden, int64_t heads)
{
	int64_t value;

	if (sym_value(r->pool, hidden, &value) && value % heads != 0) {
		rule_error(r, "a hidden size of %" PRId64 " is not a multiple of %" PRId64 " heads",
			   value, heads);
		return SYM_UNKNOWN;
	}
	rule_divisible(r, hidden, rule_int(r, heads), "hidden size and heads");
	return sym_floor_div(r->pool, hidden, rule_int(r, heads));
}

static bool read_heads(struct rule *r, uint32_t input, const char *attribute, bool packed,
		       struct heads *out)
{
	int64_t heads = rule_attr_int(r, attribute, 0);

	*out = (struct heads){0};
	if (!packed) {
		*out = (struct heads){rule_dim(r, input, 0), rule_dim(r, input, 1),
				      rule_dim(r, input, 2), rule_dim(r, input, 3)};
		return true;
	}
	if (heads < 1) {
		rule_error(r, "inputs of rank 3 need a positive %s", attribute);
		return false;
	}
	*out = (struct heads){rule_dim(r, input, 0), rule_int(r, heads), rule_dim(r, input, 1),
			      head_size(r, rule_dim(r, input, 2), heads)};
	return true;
}

/* Q, K and V must all have rank 3 or all rank 4; false when they do not or it is unknown. */
static bool read_packed(struct rule *r, bool *out)
{
	bool known = false;

	for (uint32_t i = Q; i <= V; i++) {
		bool packed;

		if (!rule_check_rank(r, i, 3, 4))
			return false;
		if (!rule_ranked(r, i))
			continue;
		packed = r->in[i].rank == 3;
		if (known && packed != *out) {
			rule_error(r, "Q, K and V have different ranks");
			return false;
		}
		*out = packed;
		known = true;
	}
	return known;
}

static bool check_windows(struct rule *r)
{
	if (r->version < 25 || (rule_attr_int(r, "left_window_size", -1) >= -1 &&
				rule_attr_int(r, "right_window_size", -1) >= -1))
		return true;
	rule_error(r, "left_window_size and right_window_size must be -1 or more");
	return false;
}

/* Past keys need past values, present keys present values, and an external cache excludes both. */
static bool check_cache(struct rule *r)
{
	bool past = rule_has(r, PAST_KEY), present = rule_wants(r, 1);

	if (past != rule_has(r, PAST_VALUE)) {
		rule_error(r, "past_key and past_value must be given together");
		return false;
	}
	if (present != rule_wants(r, 2)) {
		rule_error(r, "present_key and present_value must be used together");
		return false;
	}
	if (r->version >= 24 && rule_has(r, NONPAD) && (past || present)) {
		rule_error(r, "nonpad_kv_seqlen cannot be used with past or present keys");
		return false;
	}
	return true;
}

static void match_heads(struct rule *r, struct attention *a)
{
	int64_t queries, keys;

	a->batch = rule_equal(r, a->q.batch, a->k.batch, "batches of Q and K");
	a->batch = rule_equal(r, a->batch, a->v.batch, "batches of Q and V");
	a->k.count = rule_equal(r, a->k.count, a->v.count, "heads of K and V");
	a->k.length = rule_equal(r, a->k.length, a->v.length, "lengths of K and V");
	a->k.size = rule_equal(r, a->k.size, a->q.size, "head sizes of Q and K");
	if (!sym_value(r->pool, a->q.count, &queries) || !sym_value(r->pool, a->k.count, &keys))
		rule_divisible(r, a->q.count, a->k.count, "heads of Q and K");
	else if (keys == 0 ? queries != 0 : queries % keys != 0)
		rule_error(r, "%" PRId64 " query %s not a multiple of %" PRId64 " key heads",
			   queries, PLURAL(queries, "head is", "heads are"), keys);
}

/* Past keys and values: [batch, heads, past, head size]. */
static bool match_past(struct rule *r, struct attention *a)
{
	struct sym past;

	a->total = a->k.length;
	if (!rule_has(r, PAST_KEY))
		return true;
	if (!rule_check_rank(r, PAST_KEY, 4, 4) || !rule_check_rank(r, PAST_VALUE, 4, 4))
		return false;
	for (uint32_t i = PAST_KEY; i <= PAST_VALUE; i++) {
		a->batch = rule_equal(r, a->batch, rule_dim(r, i, 0), "batch and past");
		a->k.count = rule_equal(r, a->k.count, rule_dim(r, i, 1), "heads and past");
	}
	a->k.size = rule_equal(r, a->k.size, rule_dim(r, PAST_KEY, 3),
			       "head sizes of K and past_key");
	a->v.size = rule_equal(r, a->v.size, rule_dim(r, PAST_VALUE, 3),
			       "head sizes of V and past_value");
	past = rule_equal(r, rule_dim(r, PAST_KEY, 2), rule_dim(r, PAST_VALUE, 2),
			  "lengths of past_key and past_value");
	a->total = sym_add(r->pool, past, a->k.length);
	return true;
}

/*
 * The mask is broadcast to [batch, query heads, query length, total length].  Since version 24 its
 * last axis may be shorter than the total length.
 */
static void match_mask(struct rule *r, struct attention *a)
{
	struct sym *const over[] = {&a->batch, &a->q.count, &a->q.length, &a->total};
	uint32_t rank = rule_ranked(r, MASK) ? r->in[MASK].rank : 0;

	for (uint32_t i = 0; i + (r->version >= 24) < rank && rank <= 4; i++) {
		struct sym *dim = over[4 - rank + i];

		*dim = rule_cover(r, r->in[MASK].dims[i], *dim, "mask and scores");
	}
}

static void out_4(struct rule *r, uint32_t output, int32_t elem, const struct heads *h)
{
	RULE_OUT(r, output, elem, h->batch, h->count, h->length, h->size);
}

static void attention_out(struct rule *r, const struct attention *a)
{
	struct heads key = {a->batch, a->k.count, a->total, a->k.size};
	struct heads value = {a->batch, a->k.count, a->total, a->v.size};
	struct heads scores = {a->batch, a->q.count, a->q.length, a->total};
	struct heads y = {a->batch, a->q.count, a->q.length, a->v.size};

	out_4(r, 1, rule_elem(r, K), &key);
	out_4(r, 2, rule_elem(r, V), &value);
	out_4(r, 3, rule_elem(r, Q), &scores);
	if (!a->packed)
		out_4(r, 0, rule_elem(r, Q), &y);
	else
		RULE_OUT(r, 0, rule_elem(r, Q), y.batch, y.length,
			 sym_mul(r->pool, y.count, y.size));
}

static void blank_out(struct rule *r)
{
	rule_out_unranked(r, 0, rule_elem(r, Q));
	rule_out_rank(r, 1, rule_elem(r, K), 4);
	rule_out_rank(r, 2, rule_elem(r, V), 4);
	rule_out_rank(r, 3, rule_elem(r, Q), 4);
}

void rule_attention(struct rule *r)
{
	struct attention a = {0};

	blank_out(r);
	if (!check_windows(r) || !check_cache(r) || !read_packed(r, &a.packed) ||
	    !rule_check_rank(r, MASK, 0, 4))
		return;
	if (!read_heads(r, Q, "q_num_heads", a.packed, &a.q) ||
	    !read_heads(r, K, "kv_num_heads", a.packed, &a.k) ||
	    !read_heads(r, V, "kv_num_heads", a.packed, &a.v))
		return;
	match_heads(r, &a);
	rule_some(r, a.q.length, "at least one query is needed");
	if (r->version >= 24 && rule_check_rank(r, NONPAD, 1, 1))
		a.batch = rule_equal(r, a.batch, rule_dim(r, NONPAD, 0),
				     "batch and nonpad_kv_seqlen");
	if (!match_past(r, &a))
		return;
	match_mask(r, &a);
	attention_out(r, &a);
}

/* ---- RotaryEmbedding ---- */

enum rotary_input {
	DATA,
	COSINES,
	SINES,
	POSITIONS
};

/* Half of the rotated size, or unknown. */
static struct sym rotated_half(struct rule *r)
{
	int64_t part = rule_attr_int(r, "rotary_embedding_dim", 0);
	int64_t heads = rule_attr_int(r, "num_heads", 0);
	struct sym size = rule_dim(r, DATA, 3);

	if (part > 0)
		return rule_int(r, part / 2);
	if (rule_ranked(r, DATA) && r->in[DATA].rank == 3)
		size = heads > 0 ? head_size(r, rule_dim(r, DATA, 2), heads) : SYM_UNKNOWN;
	return sym_floor_div(r->pool, size, rule_int(r, 2));
}

/* [batch, length, ...] of an input with one row per step. */
static void match_steps(struct rule *r, uint32_t input, bool has_steps)
{
	if (!has_steps || !rule_ranked(r, DATA))
		return;
	(void)rule_cover(r, rule_dim(r, input, 0), rule_dim(r, DATA, 0), "batch and positions");
	(void)rule_cover(r, rule_dim(r, input, 1), rule_dim(r, DATA, r->in[DATA].rank - 2),
			 "length and positions");
}

void rule_rotary_embedding(struct rule *r)
{
	uint32_t cache = rule_has(r, POSITIONS) ? 2 : 3;
	struct sym half;

	rule_out_shape_of(r, 0, DATA, rule_elem(r, DATA));
	if (!rule_check_rank(r, DATA, 3, 4) || !rule_check_rank(r, COSINES, cache, cache) ||
	    !rule_check_rank(r, SINES, cache, cache) || !rule_check_rank(r, POSITIONS, 2, 2))
		return;
	if (rule_ranked(r, DATA) && r->in[DATA].rank == 3 && rule_attr_int(r, "num_heads", 0) < 1) {
		rule_error(r, "an input of rank 3 needs a positive num_heads");
		return;
	}
	half = rotated_half(r);
	for (uint32_t i = COSINES; i <= SINES; i++) {
		rule_equal(r, half, rule_dim(r, i, cache - 1), "head size and cache");
		match_steps(r, i, cache == 3 && rule_ranked(r, i));
	}
	rule_equal(r, rule_dim(r, COSINES, 0), rule_dim(r, SINES, 0), "rows of the caches");
	match_steps(r, POSITIONS, rule_ranked(r, POSITIONS));
}
