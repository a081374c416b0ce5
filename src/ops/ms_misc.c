/* Operators of ONNX Runtime that are like no standard one: pictures, texts, windows, inverses. */
#include "ir/type.h"
#include "ops/info.h"
#include "ops/ms_sizes.h"
#include "ops/rule.h"
#include "ops/rules.h"
#include "sym/sym.h"

void rule_ms_inverse(struct rule *r)
{
	struct ms_sizes s = {0};

	rule_out_shape_of(r, 0, 0, rule_elem(r, 0));
	ms_match(r, &s, 0, "*XX");
}

void rule_ms_murmur(struct rule *r)
{
	rule_out_shape_of(r, 0, 0, rule_attr_int(r, "positive", 1) ? ELEM_UINT32 : ELEM_INT32);
}

/* Both lengths depend on data. */
void rule_ms_unique(struct rule *r)
{
	struct sym length = rule_dim(r, 0, 0), unique;

	rule_check_rank(r, 0, 1, 1);
	unique = rule_fresh(r, 0, 0, length);
	RULE_OUT(r, 0, rule_elem(r, 0), unique);
	RULE_OUT(r, 1, ELEM_INT64, length);
	RULE_OUT(r, 2, ELEM_INT64, unique);
}

/* A new axis of size 1 before this one; -1 appends it. */
void rule_ms_expand_dims(struct rule *r)
{
	struct contents c = rule_contents(r, 1);
	int64_t axis;
	uint32_t at, rank = r->in[0].rank;
	struct sym *dims;

	rule_out_unranked(r, 0, rule_elem(r, 0));
	if (rule_ranked(r, 1))
		ms_scalar(r, 1);
	if (!rule_ranked(r, 0) || rank >= RULE_MAX_RANK)
		return;
	rule_out_rank(r, 0, rule_elem(r, 0), rank + 1);
	if (!c.at || !rule_int_at(r, &c, 0, &axis) || !rule_axis(r, axis, rank + 1, &at))
		return;
	dims = rule_dims(r, rank + 1);
	for (uint32_t i = 0; i <= rank; i++)
		dims[i] = i == at ? rule_int(r, 1) : r->in[0].dims[i > at ? i - 1 : i];
	rule_out(r, 0, rule_elem(r, 0), rank + 1, dims);
}

/* Windows along one axis become a last axis. */
void rule_ms_unfold(struct rule *r)
{
	int64_t size = rule_attr_int(r, "size", 0), step = rule_attr_int(r, "step", 1);
	uint32_t axis, rank = r->in[0].rank;
	struct sym *dims, rest;

	rule_out_unranked(r, 0, rule_elem(r, 0));
	if (size < 1 || step < 1) {
		rule_error(r, "size and step must be positive");
		return;
	}
	if (!rule_ranked(r, 0) || !rule_axis(r, rule_attr_int(r, "dim", -1), rank, &axis) ||
	    rank >= RULE_MAX_RANK)
		return;
	ms_at_most(r, rule_int(r, size), r->in[0].dims[axis], "window size and axis");
	dims = rule_copy_dims(r, 0, 1);
	rest = sym_add_int(r->pool, dims[axis], -size);
	dims[axis] = sym_add_int(r->pool, sym_floor_div(r->pool, rest, rule_int(r, step)), 1);
	dims[rank] = rule_int(r, size);
	rule_out(r, 0, rule_elem(r, 0), rank + 1, dims);
}

void rule_ms_crop_resize(struct rule *r)
{
	struct contents c = rule_contents(r, 3);
	struct ms_sizes s = {0};
	bool known = c.at && c.count == 2;

	ms_match(r, &s, 0, "BC..");
	ms_match(r, &s, 1, "N4");
	ms_match(r, &s, 2, "N");
	ms_match(r, &s, 3, "2");
	RULE_OUT(r, 0, rule_elem(r, 0), ms_size(&s, 'N'), ms_size(&s, 'C'),
		 known ? ms_given(r, c.at[0]) : SYM_UNKNOWN,
		 known ? ms_given(r, c.at[1]) : SYM_UNKNOWN);
}

/* [2, x]: a path through the costs. */
void rule_ms_time_warping(struct rule *r)
{
	uint32_t rank = r->in[0].rank;

	rule_out_rank(r, 0, ELEM_INT32, 2);
	if (!rule_check_rank(r, 0, 2, 3))
		return;
	if (rule_ranked(r, 0) && rank == 3)
		rule_equal(r, rule_int(r, 1), r->in[0].dims[0], "first axis of the costs");
	RULE_OUT(r, 0, ELEM_INT32, rule_int(r, 2), rule_fresh(r, 0, 1, SYM_UNKNOWN));
}

/* Tokens of each text, padded to the longest; without texts there is no axis of tokens. */
void rule_ms_tokenizer(struct rule *r)
{
	struct sym *dims;

	rule_out_unranked(r, 0, rule_elem(r, 0));
	if (!rule_ranked(r, 0) || !rule_check_rank(r, 0, 1, 2))
		return;
	for (uint32_t i = 0; i < r->in[0].rank; i++) {
		struct sym dim = r->in[0].dims[i];

		if (sym_is(dim, 0) || sym_is_unknown(dim))
			return;
		rule_assume(r, sym_test_le(r->pool, rule_int(r, 1), dim));
	}
	dims = rule_copy_dims(r, 0, 1);
	dims[r->in[0].rank] = rule_fresh(r, 0, r->in[0].rank, SYM_UNKNOWN);
	rule_out(r, 0, rule_elem(r, 0), r->in[0].rank + 1, dims);
}

/* Words [S, W] of characters; filters [F, 1, window, size]; the characters' vectors [., size]. */
void rule_ms_word_conv(struct rule *r)
{
	static const char *const names[] = {"embedding_size", "conv_window_size",
					    "char_embedding_size"};
	static const char letters[] = "FKD";
	struct ms_sizes s = {0};

	for (uint32_t i = 0; i < ARRAY_LEN(names); i++) {
		int64_t size = rule_attr_int(r, names[i], -1);

		if (size > 0)
			ms_size_set(&s, letters[i], rule_int(r, size));
	}
	rule_out_unranked(r, 0, rule_elem(r, 1));
	if (!rule_check_rank(r, 0, 2, RULE_MAX_RANK) || !rule_check_rank(r, 3, 2, RULE_MAX_RANK) ||
	    !rule_ranked(r, 0))
		return;
	ms_match(r, &s, 2, "F");
	rule_equal(r, ms_size(&s, 'D'), rule_dim(r, 3, 1), "sizes of a character");
	/* Further axes are ignored. */
	if (!rule_check_rank(r, 1, 4, RULE_MAX_RANK))
		return;
	ms_size_set(&s, 'F', rule_equal(r, ms_size(&s, 'F'), rule_dim(r, 1, 0), "filters"));
	ms_size_set(&s, 'K', rule_equal(r, ms_size(&s, 'K'), rule_dim(r, 1, 2), "window sizes"));
	rule_equal(r, ms_size(&s, 'D'), rule_dim(r, 1, 3), "sizes of a character");
	if (r->in[0].rank != 2)
		return;
	ms_match(r, &s, 0, "SW");
	ms_at_most(r, ms_size(&s, 'K'), ms_size(&s, 'W'), "window size and word length");
	ms_out(r, &s, 0, rule_elem(r, 1), "SF");
}

void rule_ms_torch_embedding(struct rule *r)
{
	struct sym *dims;
	uint32_t rank = r->in[1].rank;

	rule_out_unranked(r, 0, rule_elem(r, 0));
	if (!rule_check_rank(r, 0, 2, 2) || !rule_ranked(r, 1) || rank >= RULE_MAX_RANK)
		return;
	dims = rule_copy_dims(r, 1, 1);
	dims[rank] = rule_dim(r, 0, 1);
	rule_out(r, 0, rule_elem(r, 0), rank + 1, dims);
}

/* The table of biases [., N] becomes [1, N, query length, key length]. */
void rule_ms_relative_bias(struct rule *r)
{
	struct ms_sizes s = {0};

	ms_match(r, &s, 0, ".N");
	RULE_OUT(r, 0, rule_elem(r, 0), rule_int(r, 1), ms_size(&s, 'N'),
		 ms_given(r, rule_single(r, 1)), ms_given(r, rule_single(r, 2)));
}

void rule_ms_remove_padding(struct rule *r)
{
	struct ms_sizes s = {0};

	ms_match(r, &s, 0, "BSH");
	ms_match(r, &s, 1, "B");
	ms_size_set(&s, 'T',
		    rule_fresh(r, 0, 0, sym_mul(r->pool, ms_size(&s, 'B'), ms_size(&s, 'S'))));
	ms_out(r, &s, 0, rule_elem(r, 0), "TH");
	ms_out(r, &s, 1, ELEM_INT32, "BS");
	RULE_OUT(r, 2, ELEM_INT32, sym_add_int(r->pool, ms_size(&s, 'B'), 1));
	RULE_OUT(r, 3, ELEM_INT32, rule_int(r, 1));
}

/* Texts of tokens: source, current, and one more predicted than the source has. */
void rule_ms_bifurcation(struct rule *r)
{
	for (uint32_t i = 0; i < 4; i++) {
		if (i != 2)
			rule_check_rank(r, i, 1, 1);
	}
	if (rule_ranked(r, 2))
		ms_scalar(r, 2);
	if (rule_has(r, 3))
		rule_equal(r, sym_add_int(r->pool, rule_dim(r, 0, 0), 1), rule_dim(r, 3, 0),
			   "tokens predicted, and tokens of the source");
	RULE_OUT(r, 0, rule_elem(r, 0), rule_fresh(r, 0, 0, SYM_UNKNOWN));
	rule_out_shape_of(r, 1, 2, rule_elem(r, 0));
}

/* ---- hashes of n-grams ---- */

/* The hashes of one token; false (and an error) unless the attributes are given. */
static bool ngram_counts(struct rule *r, struct ms_sizes *s)
{
	int64_t size = rule_attr_int(r, "max_ngram_size", 0);
	int64_t heads = rule_attr_int(r, "n_head_per_ngram", 0);

	if (size < 2 || heads < 1 || size > INT32_MAX || heads > INT32_MAX) {
		rule_error(r, "max_ngram_size must be 2 or more, n_head_per_ngram positive");
		return false;
	}
	ms_size_set(s, 'X', rule_int(r, size - 1));
	ms_size_set(s, 'Y', rule_int(r, (size - 1) * heads));
	rule_check_rank(r, 1, 1, 1);
	ms_at_most(r, rule_int(r, size), rule_dim(r, 1, 0), "n-gram size and multipliers");
	return true;
}

void rule_ms_ngram_hash(struct rule *r)
{
	struct ms_sizes s = {0};

	if (!ngram_counts(r, &s))
		return;
	ms_match(r, &s, 0, "BS");
	ms_match(r, &s, 2, "Y");
	ms_match(r, &s, 3, "BX");
	ms_match(r, &s, 4, "Y");
	ms_match(r, &s, 5, "-");
	ms_match(r, &s, 6, "BS");
	ms_out(r, &s, 0, rule_elem(r, 0), "BSY");
	ms_out(r, &s, 1, rule_elem(r, 0), "BX");
}

void rule_ms_varlen_hash(struct rule *r)
{
	int64_t capacity = rule_attr_int(r, "state_update_capacity", 0);
	struct ms_sizes s = {0};

	if (!ngram_counts(r, &s))
		return;
	rule_check_rank(r, 3, 1, 1);
	if (rule_ranked(r, 3))
		ms_size_set(&s, 'B', sym_add_int(r->pool, rule_dim(r, 3, 0), -1));
	ms_match(r, &s, 0, "T");
	ms_match(r, &s, 2, "Y");
	ms_match(r, &s, 4, "BX");
	ms_match(r, &s, 5, "Y");
	ms_match(r, &s, 6, "-");
	ms_at_most(r, ms_size(&s, 'B'), ms_size(&s, 'T'), "sequences and tokens");
	ms_match(r, &s, 7, "T");
	ms_match(r, &s, 8, "BX");
	ms_match(r, &s, 9, "B");
	ms_out(r, &s, 0, rule_elem(r, 0), "TY");
	ms_out(r, &s, 1, rule_elem(r, 0), "BX");
	ms_out(r, &s, 2, ELEM_INT32, "BX");
	ms_size_set(&s, 'Z', ms_given(r, rule_int(r, capacity)));
	ms_out(r, &s, 3, rule_elem(r, 0), "BZX");
}
