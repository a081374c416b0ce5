/*
 * ONNX Runtime's own attention operators with as many heads for key and value as for the query.
 *
 * A cache shared between past and present has its maximum length from the start, so it does not
 * grow.
 */
#include "ops/ms_attention.h"

#include <inttypes.h>

#include "ir/type.h"
#include "ops/ms_sizes.h"
#include "ops/rule.h"
#include "ops/rules.h"
#include "sym/sym.h"

struct sym ms_attention_heads(struct rule *r, const char *name)
{
	int64_t count = rule_attr_int(r, name, 0);

	if (count > 0)
		return rule_int(r, count);
	rule_error(r, "%s must be given and positive", name);
	return SYM_UNKNOWN;
}

struct sym ms_attention_share(struct rule *r, struct sym whole, struct sym parts)
{
	int64_t a, b;

	if (sym_is_unknown(whole) || sym_is_unknown(parts))
		return SYM_UNKNOWN;
	rule_divisible(r, whole, parts, "width and equal parts");
	if (sym_value(r->pool, whole, &a) && sym_value(r->pool, parts, &b) && b > 0 && a % b != 0)
		return SYM_UNKNOWN;
	return sym_floor_div(r->pool, whole, parts);
}

void ms_attention_bias(struct rule *r, struct ms_sizes *s, uint32_t input)
{
	if (!rule_ranked(r, input) || !ms_match(r, s, input, "..ST"))
		return;
	ms_one_or(r, rule_dim(r, input, 0), ms_size(s, 'B'), "batch sizes");
	ms_one_or(r, rule_dim(r, input, 1), ms_size(s, 'N'), "numbers of heads");
}

void ms_attention_tables(struct rule *r, uint32_t cosines, struct sym rows)
{
	struct ms_sizes s = {0};

	if (!ms_match(r, &s, cosines, "XY") || !ms_match(r, &s, cosines + 1, "XY"))
		return;
	ms_at_most(r, rows, ms_size(&s, 'X'), "sequence length and table of rotations");
}

/* It must equal the first, or one of the others. */
static void attention_any_of(struct rule *r, struct sym dim, struct sym first,
			     const struct sym *others, uint32_t count)
{
	struct sym which = first;

	for (uint32_t i = 0; i < count; i++) {
		struct sym test = sym_test_eq(r->pool, dim, others[i]);

		which = sym_select(r->pool, test, others[i], which);
	}
	rule_equal(r, dim, which, "batch sizes");
}

/*
 * A vector of lengths [B], of ends and starts [2B], or [3B + 2]; or which of the keys count: for
 * each item [B, T], for each of its queries [B, S, T].
 */
static void attention_mask(struct rule *r, struct ms_sizes *s, uint32_t input, uint32_t max)
{
	struct sym dim = rule_dim(r, input, 0), batch = ms_size(s, 'B');
	struct sym others[] = {sym_mul_int(r->pool, batch, 2),
			       sym_add_int(r->pool, sym_mul_int(r->pool, batch, 3), 2)};

	if (!rule_ranked(r, input) || !rule_check_rank(r, input, 1, max))
		return;
	if (r->in[input].rank == 1) {
		/* Multi-head attention, whose masks have three axes at most, has no starts. */
		bool starts = max > 3;

		attention_any_of(r, dim, batch, others + (starts ? 0 : 1), starts ? 2 : 1);
	} else if (r->in[input].rank == 4) {
		ms_match(r, s, input, "B1XX");
		ms_at_most(r, ms_size(s, 'T'), ms_size(s, 'X'), "total length and mask");
	} else if (r->in[input].rank == 3) {
		ms_match(r, s, input, "BST");
	} else if (max == 3) {
		ms_match(r, s, input, "BT");
	} else {
		/* [B, 1] and [1, 1] stand for no mask. */
		if (sym_is(rule_dim(r, input, 1), 1))
			ms_one_or(r, dim, batch, "batch sizes");
		else
			ms_match(r, s, input, "B.");
		ms_one_or(r, rule_dim(r, input, 1), ms_size(s, 'T'), "total lengths");
	}
}

/* ---- one weight for query, key and value ---- */

/* The width of the value's part of the merged weight; *out_even: all three have this width. */
static struct sym value_width(struct rule *r, bool *out_even)
{
	const int64_t *sizes;
	uint32_t count;

	*out_even = false;
	if (!rule_attr_ints(r, "qkv_hidden_sizes", &sizes, &count))
		return SYM_UNKNOWN;
	if (count == 0) {
		*out_even = true;
		return ms_attention_share(r, rule_dim(r, 1, 1), rule_int(r, 3));
	}
	if (count != 3 || sizes[0] < 1 || sizes[1] < 1 || sizes[2] < 1 || sizes[0] > INT32_MAX ||
	    sizes[1] > INT32_MAX || sizes[2] > INT32_MAX) {
		rule_error(r, "qkv_hidden_sizes must be three positive numbers");
		return SYM_UNKNOWN;
	}
	rule_equal(r, rule_dim(r, 1, 1), rule_int(r, sizes[0] + sizes[1] + sizes[2]),
		   "qkv_hidden_sizes and weight");
	*out_even = sizes[0] == sizes[1] && sizes[1] == sizes[2];
	return rule_int(r, sizes[2]);
}

/* [2, B, N, past + S, G] */
static void merged_past(struct rule *r, struct ms_sizes *s, uint32_t past, struct sym width)
{
	bool shared = rule_attr_int(r, "past_present_share_buffer", 0) != 0;
	struct sym length = ms_size(s, 'S');

	ms_size_set(s, 'N', ms_attention_heads(r, "num_heads"));
	ms_size_set(s, 'G', ms_attention_share(r, width, ms_size(s, 'N')));
	ms_match(r, s, past, "2BNPG");
	if (shared && rule_has(r, past))
		length = SYM_UNKNOWN; /* the past's own is an input's contents */
	else if (rule_has(r, past))
		length = sym_add(r->pool, length, ms_size(s, 'P'));
	ms_size_set(s, 'T', length);
}

void rule_ms_attention(struct rule *r)
{
	bool quantized = r->argument == MS_ATTENTION_QUANTIZED;
	int32_t elem = rule_elem(r, quantized ? 2 : 0);
	uint32_t past = quantized ? 8 : 4;
	struct ms_sizes s = {0};
	struct sym width;
	bool even;

	rule_out_unranked(r, 0, elem);
	rule_out_unranked(r, 1, elem);
	if (!ms_match(r, &s, 0, "BSD") || !ms_match(r, &s, 1, "DW") || !ms_match(r, &s, 2, "W"))
		return;
	width = value_width(r, &even);
	RULE_OUT(r, 0, elem, ms_size(&s, 'B'), ms_size(&s, 'S'), width);
	merged_past(r, &s, past, width);
	attention_mask(r, &s, quantized ? 5 : 3, 4);
	if (rule_attr_int(r, "past_present_share_buffer", 0) && rule_has(r, past))
		rule_out_shape_of(r, 1, past, elem);
	else if (r->out_count > 1 && even)
		ms_out(r, &s, 1, elem, "2BNTG");
	else if (r->out_count > 1)
		ms_out(r, &s, 1, elem, "2BNT.");
	if (!quantized) {
		ms_attention_bias(r, &s, 5);
		return;
	}
	ms_scalar(r, 3);
	ms_scalar(r, 6);
	ms_per_column(r, 4, ms_size(&s, 'W'));
	ms_per_column(r, 7, ms_size(&s, 'W'));
}

void rule_ms_packed_attention(struct rule *r)
{
	struct ms_sizes s = {0};
	bool even;

	rule_out_unranked(r, 0, rule_elem(r, 0));
	if (ms_match(r, &s, 0, "TD") && ms_match(r, &s, 1, "DW") && ms_match(r, &s, 2, "W"))
		RULE_OUT(r, 0, rule_elem(r, 0), ms_size(&s, 'T'), value_width(r, &even));
}

/* ---- separate query, key and value ---- */

/* Query [B, S, H] or, with key and value inside, [B, S, N, 3, G]. */
static bool read_query(struct rule *r, struct ms_sizes *s)
{
	ms_size_set(s, 'N', ms_attention_heads(r, "num_heads"));
	if (!rule_ranked(r, 0))
		return true;
	if (r->in[0].rank == 5) {
		ms_match(r, s, 0, "BSN3G");
		ms_size_set(s, 'L', ms_size(s, 'S'));
		ms_size_set(s, 'Q', ms_size(s, 'G'));
		return true;
	}
	if (r->in[0].rank != 3) {
		rule_error(r, "the query has rank %" PRIu32 ", but 3 or 5 is needed",
			   r->in[0].rank);
		return false;
	}
	ms_match(r, s, 0, rule_has(r, 1) ? "BSH" : "BS.");
	if (rule_has(r, 1))
		ms_size_set(s, 'G', ms_attention_share(r, ms_size(s, 'H'), ms_size(s, 'N')));
	return true;
}

/*
 * Key [B, L, H], with the value inside [B, L, N, 2, G], or from a cache [B, N, L, G].  The value's
 * heads have the size Q.
 */
static bool read_key(struct rule *r, struct ms_sizes *s)
{
	if (!rule_ranked(r, 1))
		return true;
	if (!rule_check_rank(r, 1, 3, 5))
		return false;
	if (r->in[1].rank == 5) {
		ms_match(r, s, 1, "BLN2G");
		ms_size_set(s, 'Q', ms_size(s, 'G'));
	} else {
		ms_match(r, s, 1, r->in[1].rank == 3 ? "BLH" : "BNLG");
	}
	if (!rule_ranked(r, 2))
		return true;
	if (!rule_check_rank(r, 2, r->in[1].rank, r->in[1].rank))
		return false;
	if (r->in[1].rank == 3)
		return ms_match(r, s, 2, "BLV");
	ms_size_set(s, 'Q', ms_size(s, 'G'));
	return ms_match(r, s, 2, "BNLG");
}

/* The width of the value and of its heads, from whichever is known. */
static void read_value(struct rule *r, struct ms_sizes *s)
{
	if (rule_ranked(r, 2) && r->in[2].rank == 3)
		ms_size_set(s, 'Q', ms_attention_share(r, rule_dim(r, 2, 2), ms_size(s, 'N')));
	else
		ms_size_set(s, 'V', sym_mul(r->pool, ms_size(s, 'N'), ms_size(s, 'Q')));
}

/* The bias of query, key and value; only for a key that is not from a cache. */
static void multi_bias(struct rule *r, struct ms_sizes *s, uint32_t input)
{
	struct sym width = sym_mul_int(r->pool, ms_size(s, 'H'), 2);

	ms_size_set(s, 'W', sym_add(r->pool, width, ms_size(s, 'V')));
	ms_match(r, s, input, "W");
}

static bool read_multi(struct rule *r, struct ms_sizes *s)
{
	if (!read_query(r, s) || !read_key(r, s))
		return false;
	read_value(r, s);
	return true;
}

void rule_ms_multi_head_attention(struct rule *r)
{
	int32_t elem = rule_elem(r, 0);
	bool shared = rule_has(r, 8);
	bool cached = rule_ranked(r, 1) && r->in[1].rank == 4;
	struct ms_sizes s = {0};
	struct sym total;

	for (uint32_t i = 0; i < 3; i++)
		rule_out_unranked(r, i, elem);
	rule_out_unranked(r, 3, ELEM_UNDEFINED);
	if (!read_multi(r, &s))
		return;
	ms_out(r, &s, 0, elem, "BSV");
	multi_bias(r, &s, 3);
	if (rule_has(r, 7))
		ms_size_set(&s, 'Q',
			    rule_equal(r, ms_size(&s, 'Q'), ms_size(&s, 'G'),
				       "head sizes of key and value with a past"));
	if (!ms_match(r, &s, 6, "BNPG") || !ms_match(r, &s, 7, "BNPG"))
		return;
	total = ms_size(&s, 'L');
	if (rule_has(r, 6))
		total = shared ? SYM_UNKNOWN : sym_add(r->pool, ms_size(&s, 'P'), total);
	ms_size_set(&s, 'T', total);
	attention_mask(r, &s, 4, 3);
	ms_attention_bias(r, &s, 5);
	if (cached)
		return;
	ms_size_set(&s, 'X', shared && rule_has(r, 6) ? ms_size(&s, 'P') : total);
	ms_out(r, &s, 1, elem, "BNXG");
	ms_out(r, &s, 2, elem, "BNXQ");
	if (!shared)
		ms_out(r, &s, 3, ELEM_UNDEFINED, "BNST");
}

void rule_ms_decoder_attention(struct rule *r)
{
	int32_t elem = rule_elem(r, 0);
	bool shared = rule_attr_int(r, "past_present_share_buffer", 0) != 0;
	struct ms_sizes s = {0};

	for (uint32_t i = 0; i < 3; i++)
		rule_out_unranked(r, i, elem);
	if (!rule_check_rank(r, 0, 3, 3) || !read_multi(r, &s))
		return;
	rule_equal(r, rule_int(r, 1), ms_size(&s, 'S'), "sequence length of a decoder");
	ms_scalar(r, 7);
	ms_out(r, &s, 0, elem, "BSV");
	multi_bias(r, &s, 10);
	if (!ms_match(r, &s, 5, "BNPG") || !ms_match(r, &s, 6, "BNPQ"))
		return;
	if (rule_has(r, 5))
		ms_size_set(&s, 'T',
			    sym_add(r->pool, shared ? rule_single(r, 7) : ms_size(&s, 'P'),
				    ms_size(&s, 'S')));
	else
		ms_size_set(&s, 'T', ms_size(&s, 'L'));
	ms_match(r, &s, 3, "BT");
	ms_attention_bias(r, &s, 4);
	if (!rule_has(r, 5))
		return;
	ms_size_set(&s, 'X', shared ? ms_size(&s, 'P') : ms_size(&s, 'T'));
	ms_out(r, &s, 1, elem, "BNXG");
	ms_out(r, &s, 2, elem, "BNXQ");
}
