/*
 * ONNX Runtime's own attention operators.
 *
 * Sizes: batch B, sequence S, heads N, head size H.  A cache shared between past and present has
 * its maximum length from the start, so it does not grow.
 */
#include <inttypes.h>

#include "base/sv.h"
#include "ir/type.h"
#include "ops/info.h"
#include "ops/rule.h"
#include "ops/rules.h"
#include "sym/sym.h"

/* A number of heads; unknown (and an error) unless it is given and positive. */
static struct sym ms_attention_heads(struct rule *r, const char *name)
{
	int64_t count = rule_attr_int(r, name, 0);

	if (count > 0)
		return rule_int(r, count);
	rule_error(r, "%s must be given and positive", name);
	return SYM_UNKNOWN;
}

/* whole/parts, where parts must divide whole. */
static struct sym ms_attention_share(struct rule *r, struct sym whole, struct sym parts)
{
	int64_t a, b;

	if (sym_is_unknown(whole) || sym_is_unknown(parts))
		return SYM_UNKNOWN;
	if (sym_value(r->pool, whole, &a) && sym_value(r->pool, parts, &b) && b > 0 && a % b != 0) {
		rule_error(r, "%" PRId64 " cannot be divided into %" PRId64 " equal parts", a, b);
		return SYM_UNKNOWN;
	}
	return sym_floor_div(r->pool, whole, parts);
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
	if (count != 3 || sizes[0] < 1 || sizes[1] < 1 || sizes[2] < 1) {
		rule_error(r, "qkv_hidden_sizes must be three positive numbers");
		return SYM_UNKNOWN;
	}
	*out_even = sizes[0] == sizes[1] && sizes[1] == sizes[2];
	return rule_int(r, sizes[2]);
}

/* [2, B, N, past + S, H] */
static void merged_present(struct rule *r, uint32_t past, int32_t elem, struct sym width)
{
	struct sym count = ms_attention_heads(r, "num_heads"), length = rule_dim(r, 0, 1), head;

	if (rule_attr_int(r, "past_present_share_buffer", 0) && rule_has(r, past)) {
		rule_out_shape_of(r, 1, past, elem);
		return;
	}
	if (!rule_check_rank(r, past, 5, 5))
		return;
	if (rule_has(r, past))
		length = sym_add(r->pool, length, rule_dim(r, past, 3));
	head = rule_equal(r, rule_dim(r, past, 4), ms_attention_share(r, width, count),
			  "head sizes of past and present");
	RULE_OUT(r, 1, elem, rule_int(r, 2), rule_dim(r, 0, 0), count, length, head);
}

void rule_ms_attention(struct rule *r)
{
	bool quantized = r->argument == MS_ATTENTION_QUANTIZED;
	int32_t elem = rule_elem(r, quantized ? 2 : 0);
	bool even;
	struct sym width;

	rule_out_unranked(r, 0, elem);
	rule_out_unranked(r, 1, elem);
	if (!RULE_CHECK_RANKS(r, 3, 2))
		return;
	width = value_width(r, &even);
	rule_equal(r, rule_dim(r, 0, 2), rule_dim(r, 1, 0), "sizes of input and weight");
	RULE_OUT(r, 0, elem, rule_dim(r, 0, 0), rule_dim(r, 0, 1), width);
	if (r->out_count > 1)
		merged_present(r, quantized ? 8 : 4, elem, even ? width : SYM_UNKNOWN);
}

void rule_ms_packed_attention(struct rule *r)
{
	bool even;

	rule_out_unranked(r, 0, rule_elem(r, 0));
	if (RULE_CHECK_RANKS(r, 2, 2))
		RULE_OUT(r, 0, rule_elem(r, 0), rule_dim(r, 0, 0), value_width(r, &even));
}

/* ---- separate query, key and value ---- */

/* The sizes that the inputs of multi-head attention give. */
struct multi {
	struct sym batch, sequence;
	struct sym length; /* of the key */
	struct sym heads;
	struct sym head;       /* size, of the key */
	struct sym value_head; /* size, of the value */
	struct sym width;      /* of all heads of the value */
};

/* Query [B, S, N*H] or, with key and value inside, [B, S, N, 3, H]. */
static void read_query(struct rule *r, struct multi *m)
{
	m->batch = rule_dim(r, 0, 0);
	m->sequence = rule_dim(r, 0, 1);
	m->length = SYM_UNKNOWN;
	if (rule_ranked(r, 0) && r->in[0].rank == 5) {
		m->head = m->value_head = r->in[0].dims[4];
		m->length = m->sequence;
	} else if (rule_ranked(r, 0) && rule_has(r, 1)) {
		m->head = ms_attention_share(r, rule_dim(r, 0, 2), m->heads);
	}
}

/* Key [B, L, N*H], with the value inside [B, L, N, 2, H], or from a cache [B, N, L, H]. */
static void ms_attention_read_key(struct rule *r, struct multi *m)
{
	uint32_t rank;

	if (!rule_ranked(r, 1) || !rule_check_rank(r, 1, 3, 5))
		return;
	rank = r->in[1].rank;
	m->length = rule_dim(r, 1, rank == 4 ? 2 : 1);
	if (rank == 5)
		m->head = m->value_head = r->in[1].dims[4];
}

static void read_value(struct rule *r, struct multi *m)
{
	if (!rule_ranked(r, 2) || !rule_check_rank(r, 2, 3, 4))
		return;
	if (r->in[2].rank == 4) {
		m->value_head = r->in[2].dims[3];
		return;
	}
	m->width = r->in[2].dims[2];
	m->value_head = ms_attention_share(r, m->width, m->heads);
}

static bool read_multi(struct rule *r, struct multi *m)
{
	*m = (struct multi){.heads = ms_attention_heads(r, "num_heads")};
	if (rule_ranked(r, 0) && r->in[0].rank != 3 && r->in[0].rank != 5) {
		rule_error(r, "the query has rank %" PRIu32 ", but 3 or 5 is needed",
			   r->in[0].rank);
		return false;
	}
	read_query(r, m);
	ms_attention_read_key(r, m);
	read_value(r, m);
	if (sym_is_unknown(m->width))
		m->width = sym_mul(r->pool, m->heads, m->value_head);
	return true;
}

void rule_ms_multi_head_attention(struct rule *r)
{
	int32_t elem = rule_elem(r, 0);
	bool shared = rule_has(r, 8);
	bool cached = rule_ranked(r, 1) && r->in[1].rank == 4;
	struct multi m;
	struct sym total;

	for (uint32_t i = 0; i < 3; i++)
		rule_out_unranked(r, i, elem);
	rule_out_unranked(r, 3, ELEM_UNDEFINED);
	if (!read_multi(r, &m))
		return;
	RULE_OUT(r, 0, elem, m.batch, m.sequence, m.width);
	if (r->out_count < 2 || cached || !rule_check_rank(r, 6, 4, 4) ||
	    !rule_check_rank(r, 7, 4, 4))
		return;
	total = rule_has(r, 6) ? sym_add(r->pool, rule_dim(r, 6, 2), m.length) : m.length;
	if (shared && rule_has(r, 6))
		total = rule_dim(r, 6, 2);
	RULE_OUT(r, 1, elem, m.batch, m.heads, total, m.head);
	RULE_OUT(r, 2, elem, m.batch, m.heads, total, m.value_head);
	if (!shared)
		RULE_OUT(r, 3, ELEM_UNDEFINED, m.batch, m.heads, m.sequence, total);
}

void rule_ms_decoder_attention(struct rule *r)
{
	int32_t elem = rule_elem(r, 0);
	bool shared = rule_attr_int(r, "past_present_share_buffer", 0) != 0;
	struct multi m;

	for (uint32_t i = 0; i < 3; i++)
		rule_out_unranked(r, i, elem);
	if (!rule_check_rank(r, 0, 3, 3) || !read_multi(r, &m))
		return;
	RULE_OUT(r, 0, elem, m.batch, m.sequence, m.width);
	for (uint32_t i = 0; i < 2; i++) {
		uint32_t past = 5 + i;

		if (!rule_ranked(r, past) || !rule_check_rank(r, past, 4, 4))
			continue;
		if (shared)
			rule_out_shape_of(r, 1 + i, past, elem);
		else
			RULE_OUT(r, 1 + i, elem, rule_dim(r, past, 0), rule_dim(r, past, 1),
				 sym_add(r->pool, rule_dim(r, past, 2), m.sequence),
				 rule_dim(r, past, 3));
	}
}

/* ---- fewer heads for key and value ---- */

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

/* The cache's length after the step: the total length, or unchanged. */
static struct sym cache_length(struct rule *r, uint32_t past)
{
	struct contents c = rule_contents(r, 6);
	struct sym before = rule_has(r, past) ? rule_dim(r, past, 2) : rule_int(r, 0);

	if (rule_attr_int(r, "sliding_window_cache", 0))
		return rule_has(r, past) ? before : SYM_UNKNOWN;
	if (c.at && c.count == 1 && !sym_is_unknown(before))
		return sym_max(r->pool, before, c.at[0]);
	return rule_fresh(r, 1, 2, SYM_UNKNOWN); /* of both caches */
}

void rule_ms_group_query_attention(struct rule *r)
{
	struct sym head, width;

	for (uint32_t i = 0; i < 4; i++)
		rule_out_unranked(r, i, i == 0 || i == 3 ? rule_elem(r, 0) : ELEM_UNDEFINED);
	if (!rule_check_rank(r, 0, 3, 3))
		return;
	head = grouped_head(r, rule_dim(r, 0, 2), &width);
	RULE_OUT(r, 0, rule_elem(r, 0), rule_dim(r, 0, 0), rule_dim(r, 0, 1), width);
	for (uint32_t i = 0; i < 2; i++) {
		uint32_t past = 3 + i;
		int32_t elem = rule_has(r, past) ? rule_elem(r, past) : rule_elem(r, 0);
		struct sym theirs = rule_int(r, rule_attr_int(r, "kv_num_heads", 0));

		if (!rule_check_rank(r, past, 4, 4))
			continue;
		/* Quantized caches pack several elements: only the past has the width. */
		RULE_OUT(r, 1 + i, elem, rule_dim(r, 0, 0),
			 rule_has(r, past) ? rule_dim(r, past, 1) : theirs, cache_length(r, past),
			 rule_has(r, past)                    ? rule_dim(r, past, 3)
			 : rule_attr(r, "kv_cache_bit_width") ? SYM_UNKNOWN
							      : head);
	}
}

void rule_ms_sparse_attention(struct rule *r)
{
	struct sym width;

	rule_out_shape_of(r, 1, 3, rule_elem(r, 3));
	rule_out_shape_of(r, 2, 4, rule_elem(r, 4));
	rule_out_unranked(r, 0, rule_elem(r, 0));
	if (!rule_check_rank(r, 0, 3, 3))
		return;
	(void)grouped_head(r, rule_dim(r, 0, 2), &width);
	RULE_OUT(r, 0, rule_elem(r, 0), rule_dim(r, 0, 0), rule_dim(r, 0, 1), width);
}

void rule_ms_paged_attention(struct rule *r)
{
	struct sv layout = rule_attr_text(r, "kv_cache_layout");
	struct sym width = SYM_UNKNOWN;

	rule_out_shape_of(r, 1, 3, rule_elem(r, 3));
	if (rule_has(r, 4))
		rule_out_shape_of(r, 2, 4, rule_elem(r, 4));
	rule_out_unranked(r, 0, rule_elem(r, 0));
	if (!rule_check_rank(r, 0, 2, 2))
		return;
	if (layout.len == 0 || sv_is(layout, "SEPARATE"))
		(void)grouped_head(r, rule_dim(r, 0, 1), &width);
	RULE_OUT(r, 0, rule_elem(r, 0), rule_dim(r, 0, 0), width);
}

/* [B, T, max(Hq, Hkv)*dv], and the state [B, Hkv, dk, dv], several with a window. */
void rule_ms_linear_attention(struct rule *r)
{
	struct sym mine = ms_attention_heads(r, "q_num_heads"),
		   theirs = ms_attention_heads(r, "kv_num_heads");
	struct sym key, value;

	rule_out_unranked(r, 0, rule_elem(r, 0));
	rule_out_unranked(r, 1, rule_elem(r, 3));
	if (!rule_check_rank(r, 0, 3, 3) || !rule_check_rank(r, 2, 3, 3))
		return;
	key = ms_attention_share(r, rule_dim(r, 0, 2), mine);
	value = ms_attention_share(r, rule_dim(r, 2, 2), theirs);
	RULE_OUT(r, 0, rule_elem(r, 0), rule_dim(r, 0, 0), rule_dim(r, 0, 1),
		 sym_mul(r->pool, sym_max(r->pool, mine, theirs), value));
	if (rule_ranked(r, 3))
		rule_out_shape_of(r, 1, 3, rule_elem(r, 3));
	else if (rule_attr_int(r, "state_window", 0) == 0)
		RULE_OUT(r, 1, rule_elem(r, 3), rule_dim(r, 0, 0), theirs, key, value);
}
