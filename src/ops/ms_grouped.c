/*
 * ONNX Runtime's attention operators with fewer heads for key and value than for the query, and
 * those that keep a state in place of keys.
 */
#include "base/sv.h"
#include "ir/type.h"
#include "ops/ms_attention.h"
#include "ops/ms_sizes.h"
#include "ops/rule.h"
#include "ops/rules.h"
#include "sym/sym.h"

/* The head size, and the result's width, of a query alone or one that holds key and value too. */
static struct sym grouped_head(struct rule *r, struct sym width, struct sym *out_width)
{
	struct sym mine = ms_attention_heads(r, "num_heads"),
		   theirs = ms_attention_heads(r, "kv_num_heads"), head;

	*out_width = width;
	if (rule_has(r, 1))
		return ms_attention_share(r, width, mine);
	head = ms_attention_share(r, width,
				  sym_add(r->pool, mine, sym_mul_int(r->pool, theirs, 2)));
	*out_width = sym_mul(r->pool, head, mine);
	return head;
}

/* The sizes of query, key, value and past, which is where `past` is.  M: heads of key and value. */
static bool grouped_match(struct rule *r, struct ms_sizes *s, uint32_t past)
{
	struct sym head, width;

	if (!ms_match(r, s, 0, "BS."))
		return false;
	head = grouped_head(r, rule_dim(r, 0, 2), &width);
	ms_size_set(s, 'N', ms_attention_heads(r, "num_heads"));
	ms_size_set(s, 'M', ms_attention_heads(r, "kv_num_heads"));
	rule_divisible(r, ms_size(s, 'N'), ms_size(s, 'M'), "num_heads and kv_num_heads");
	ms_size_set(s, 'G', head);
	ms_size_set(s, 'H', width);
	ms_size_set(s, 'W', sym_mul(r->pool, head, ms_size(s, 'M')));
	if (!ms_match(r, s, 1, "BSW") || !ms_match(r, s, 2, "BSW"))
		return false;
	/* Quantized caches pack several elements: only the past has the width. */
	if (rule_attr(r, "kv_cache_bit_width"))
		ms_size_set(s, 'G', SYM_UNKNOWN);
	return ms_match(r, s, past, "BMPG") && ms_match(r, s, past + 1, "BMPG");
}

/* The cache's length after the step: the total length, or unchanged. */
static struct sym cache_length(struct rule *r, const struct ms_sizes *s)
{
	struct sym total = rule_single(r, 6);
	struct sym before = rule_has(r, 3) ? ms_size(s, 'P') : rule_int(r, 0);

	if (rule_attr_int(r, "sliding_window_cache", 0))
		return rule_has(r, 3) ? before : SYM_UNKNOWN;
	if (!sym_is_unknown(total) && !sym_is_unknown(before))
		return sym_max(r->pool, before, total);
	return rule_fresh(r, 1, 2, SYM_UNKNOWN); /* of both caches */
}

void rule_ms_group_query_attention(struct rule *r)
{
	int32_t elem = rule_elem(r, 0);
	struct ms_sizes s = {0};

	for (uint32_t i = 0; i < 4; i++)
		rule_out_unranked(r, i, i == 0 || i == 3 ? elem : ELEM_UNDEFINED);
	if (!grouped_match(r, &s, 3))
		return;
	ms_match(r, &s, 5, "~B");
	ms_scalar(r, 6);
	ms_attention_tables(r, 7, rule_single(r, 6));
	if (ms_match(r, &s, 9, "B.") && rule_ranked(r, 9))
		ms_at_most(r, ms_size(&s, 'S'), rule_dim(r, 9, 1), "sequence and positions");
	ms_size_set(&s, 'T', rule_single(r, 6));
	ms_attention_bias(r, &s, 10);
	ms_match(r, &s, 11, "N");
	ms_match(r, &s, 14, "G");
	ms_match(r, &s, 15, "G");
	ms_out(r, &s, 0, elem, "BSH");
	ms_size_set(&s, 'X', cache_length(r, &s));
	for (uint32_t i = 0; i < 2; i++)
		ms_out(r, &s, 1 + i, rule_has(r, 3 + i) ? rule_elem(r, 3 + i) : elem, "BMXG");
}

void rule_ms_sparse_attention(struct rule *r)
{
	struct ms_sizes s = {0};
	struct sym blocks;

	rule_out_shape_of(r, 1, 3, rule_elem(r, 3));
	rule_out_shape_of(r, 2, 4, rule_elem(r, 4));
	rule_out_unranked(r, 0, rule_elem(r, 0));
	if (!grouped_match(r, &s, 3))
		return;
	ms_match(r, &s, 5, "XY");
	ms_match(r, &s, 6, "XZ");
	ms_at_most(r, rule_int(r, 2), ms_size(&s, 'Y'), "rows of blocks");
	blocks = sym_add_int(r->pool, ms_size(&s, 'Y'), -1);
	ms_at_most(r, ms_size(&s, 'Z'), sym_mul(r->pool, blocks, blocks), "columns of blocks");
	rule_divisible(r, ms_size(&s, 'N'), ms_size(&s, 'X'), "heads and layouts");
	ms_scalar(r, 7);
	ms_match(r, &s, 8, "B");
	ms_attention_tables(r, 9, rule_single(r, 7));
	ms_out(r, &s, 0, rule_elem(r, 0), "BSH");
}

void rule_ms_paged_attention(struct rule *r)
{
	struct sv layout = rule_attr_text(r, "kv_cache_layout");
	struct sym width = SYM_UNKNOWN;
	struct ms_sizes s = {0};

	rule_out_shape_of(r, 1, 3, rule_elem(r, 3));
	if (rule_has(r, 4))
		rule_out_shape_of(r, 2, 4, rule_elem(r, 4));
	rule_out_unranked(r, 0, rule_elem(r, 0));
	if (!ms_match(r, &s, 0, "T.") || !ms_match(r, &s, 1, "T.") || !ms_match(r, &s, 2, "T."))
		return;
	/* Caches are [blocks, block size, heads, head size]. */
	ms_match(r, &s, 3, "XYM.");
	ms_match(r, &s, 4, "XYM.");
	ms_match(r, &s, 6, "B");
	ms_match(r, &s, 7, "B.");
	if (layout.len == 0 || sv_is(layout, "SEPARATE"))
		(void)grouped_head(r, rule_dim(r, 0, 1), &width);
	RULE_OUT(r, 0, rule_elem(r, 0), rule_dim(r, 0, 0), width);
}

/* The decay is of each head or of each of its keys, the rate of each head or of all. */
static void linear_gates(struct rule *r, struct ms_sizes *s)
{
	struct sym heads = ms_size(s, 'M'), wide = sym_mul(r->pool, heads, ms_size(s, 'K'));

	if (rule_ranked(r, 4) && ms_match(r, s, 4, "BT.") &&
	    sym_eq(r->pool, rule_dim(r, 4, 2), wide) != SYM_YES)
		rule_equal(r, heads, rule_dim(r, 4, 2), "numbers of heads");
	if (rule_ranked(r, 5) && ms_match(r, s, 5, "BT."))
		ms_one_or(r, rule_dim(r, 5, 2), heads, "numbers of heads");
}

/*
 * Query [B, T, N*K], key [B, T, M*K], value [B, T, M*V]; the state [B, M, K, V], several with a
 * window.
 */
void rule_ms_linear_attention(struct rule *r)
{
	struct sym mine = ms_attention_heads(r, "q_num_heads"),
		   theirs = ms_attention_heads(r, "kv_num_heads");
	bool windowed = rule_attr_int(r, "state_window", 0) != 0;
	struct ms_sizes s = {0};

	rule_out_unranked(r, 0, rule_elem(r, 0));
	rule_out_unranked(r, 1, rule_elem(r, 3));
	if (!ms_match(r, &s, 0, "BT.") || !ms_match(r, &s, 1, "BT.") || !ms_match(r, &s, 2, "BT."))
		return;
	ms_size_set(&s, 'M', theirs);
	ms_size_set(&s, 'K', ms_attention_share(r, rule_dim(r, 0, 2), mine));
	ms_size_set(&s, 'V', ms_attention_share(r, rule_dim(r, 2, 2), theirs));
	rule_divisible(r, theirs, ms_attention_share(r, rule_dim(r, 1, 2), ms_size(&s, 'K')),
		       "heads of value and key");
	ms_match(r, &s, 3, windowed ? ".BMKV" : "BMKV");
	linear_gates(r, &s);
	RULE_OUT(r, 0, rule_elem(r, 0), ms_size(&s, 'B'), ms_size(&s, 'T'),
		 sym_mul(r->pool, sym_max(r->pool, mine, theirs), ms_size(&s, 'V')));
	if (rule_ranked(r, 3))
		rule_out_shape_of(r, 1, 3, rule_elem(r, 3));
	else if (!windowed)
		ms_out(r, &s, 1, rule_elem(r, 3), "BMKV");
}
