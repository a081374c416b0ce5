/*
 * Sequences, tracked element by element while they are short.
 *
 * A sequence's `inner` is what holds for all its elements; `items` has what is known about each.  A
 * sequence of length 0 has no items, and any statement about its elements holds.
 */
#include <inttypes.h>

#include "base/arena.h"
#include "base/num.h"
#include "ir/type.h"
#include "ops/info.h"
#include "ops/rule.h"
#include "ops/rules.h"
#include "sym/sym.h"

enum {
	MAX_ITEMS = 256 /* each of a chain of insertions copies them */
};

static bool is_sequence(struct rule *r, uint32_t input)
{
	if (!rule_has(r, input) || r->in[input].kind == TYPE_NONE)
		return false;
	if (r->in[input].kind == TYPE_SEQUENCE)
		return true;
	rule_error(r, "input %" PRIu32 " is not a sequence", input);
	return false;
}

static struct info without_contents(const struct info *info)
{
	struct info out = *info;

	out.contents = (struct contents){0};
	out.tensor = 0;
	if (out.kind == TYPE_TENSOR)
		out.items = NULL;
	return out;
}

/* Writes a sequence of these items; the items are kept. */
static void give_items(struct rule *r, const struct info *items, uint32_t count)
{
	struct info inner = without_contents(&items[0]);

	for (uint32_t i = 1; i < count; i++)
		inner = rule_join(r, &inner, &items[i]);
	r->out[0] = (struct info){.kind = TYPE_SEQUENCE, .length = rule_int(r, count)};
	r->out[0].inner = rule_keep(r, &inner);
	if (count <= MAX_ITEMS) {
		r->out[0].items = items;
		r->out[0].item_count = count;
	}
}

static void give_sequence(struct rule *r, const struct info *inner, struct sym length)
{
	if (r->out_count)
		r->out[0] = (struct info){
			.kind = TYPE_SEQUENCE, .length = length, .inner = rule_keep(r, inner)};
}

void rule_sequence_empty(struct rule *r)
{
	struct info inner = {.kind = TYPE_TENSOR,
			     .elem = (int32_t)rule_attr_int(r, "dtype", ELEM_FLOAT32)};

	give_sequence(r, &inner, rule_int(r, 0));
}

static void check_elem(struct rule *r, int32_t have, int32_t given)
{
	if (have && given && have != given)
		rule_error(r, "the tensors of a sequence have different element types");
}

void rule_sequence_construct(struct rule *r)
{
	struct info *items = arena_array(r->arena, r->in_count, struct info);

	if (r->in_count == 0 || r->out_count == 0)
		return;
	for (uint32_t i = 0; i < r->in_count; i++) {
		items[i] = r->in[i];
		check_elem(r, rule_elem(r, 0), rule_elem(r, i));
	}
	give_items(r, items, r->in_count);
}

/*
 * The position that an input names, counted from the start; `beyond` is 1 when the position after
 * the last is allowed.  False when the position or the length is not a known integer.
 */
static bool sequence_position(struct rule *r, uint32_t input, struct sym length, int64_t beyond,
			      int64_t *out)
{
	struct contents c = rule_contents(r, input);
	int64_t at, count;

	if (rule_elem(r, input) && rule_elem(r, input) != ELEM_INT32 &&
	    rule_elem(r, input) != ELEM_INT64)
		rule_error(r, "the position is neither int32 nor int64");
	if (!c.at || c.count != 1 || !rule_int_at(r, &c, 0, &at))
		return false;
	if (!sym_value(r->pool, length, &count)) {
		if (at > INT64_MIN && at < INT64_MAX)
			rule_bound(r, rule_int(r, at < 0 ? -at : at + 1 - beyond), length,
				   "the position must be in the sequence");
		return false;
	}
	if (at < -count || at - beyond >= count) {
		rule_error(r, "position %" PRId64 " is out of range for length %" PRId64, at,
			   count);
		return false;
	}
	*out = at < 0 ? at + count : at;
	return true;
}

/* Is each element known? */
static bool has_items(const struct info *s)
{
	return s->items || sym_is(s->length, 0);
}

void rule_sequence_insert(struct rule *r)
{
	const struct info *s = &r->in[0];
	struct sym more = sym_add_int(r->pool, s->length, 1);
	int64_t at = s->item_count;
	struct info inner, *items;

	if (!is_sequence(r, 0) || r->out_count == 0)
		return;
	if (s->inner && s->inner->kind == TYPE_TENSOR)
		check_elem(r, s->inner->elem, rule_elem(r, 1));
	if ((rule_has(r, 2) && !sequence_position(r, 2, s->length, 1, &at)) || !has_items(s) ||
	    s->item_count >= MAX_ITEMS || at > s->item_count) {
		inner = without_contents(&r->in[1]);
		if (s->inner && !sym_is(s->length, 0))
			inner = rule_join(r, s->inner, &inner);
		give_sequence(r, s->inner ? &inner : &(struct info){0}, more);
		return;
	}
	items = arena_array(r->arena, (size_t)s->item_count + 1, struct info);
	for (uint32_t i = 0, from = 0; i <= s->item_count; i++)
		items[i] = i == at ? r->in[1] : s->items[from++];
	give_items(r, items, s->item_count + 1);
}

void rule_sequence_erase(struct rule *r)
{
	const struct info *s = &r->in[0];
	int64_t at = (int64_t)s->item_count - 1;
	struct info *items;

	if (!is_sequence(r, 0) || r->out_count == 0)
		return;
	if (sym_is(s->length, 0)) {
		rule_error(r, "cannot erase from an empty sequence");
		return;
	}
	r->out[0] = *s;
	r->out[0].items = NULL;
	r->out[0].item_count = 0;
	r->out[0].length = sym_add_int(r->pool, s->length, -1);
	if ((rule_has(r, 1) && !sequence_position(r, 1, s->length, 0, &at)) || !s->items ||
	    s->item_count < 2 || at >= s->item_count)
		return;
	items = arena_array(r->arena, s->item_count, struct info);
	for (uint32_t i = 0, to = 0; i < s->item_count; i++) {
		if (i != at)
			items[to++] = s->items[i];
	}
	give_items(r, items, s->item_count - 1);
}

void rule_sequence_at(struct rule *r)
{
	const struct info *s = &r->in[0];
	int64_t at;

	if (!is_sequence(r, 0) || r->out_count == 0)
		return;
	if (sequence_position(r, 1, s->length, 0, &at) && s->items && at < s->item_count)
		r->out[0] = s->items[at];
	else if (s->inner)
		r->out[0] = *s->inner;
}

void rule_sequence_length(struct rule *r)
{
	rule_out_number(r, 0, ELEM_INT64, is_sequence(r, 0) ? r->in[0].length : SYM_UNKNOWN);
}

/* ---- SplitToSequence ---- */

struct split {
	struct rule *r;
	const struct info *in;
	uint32_t axis;
	bool squeeze; /* the axis is removed */
};

/* A piece of that size. */
static struct info sequence_piece(struct split *s, struct sym size)
{
	struct info out = {.kind = TYPE_TENSOR, .elem = s->in->elem, .ranked = true};
	struct sym *dims = rule_dims(s->r, s->in->rank);

	for (uint32_t i = 0; i < s->in->rank; i++) {
		if (i != s->axis)
			dims[out.rank++] = s->in->dims[i];
		else if (!s->squeeze)
			dims[out.rank++] = size;
	}
	out.dims = dims;
	return out;
}

/* The contents of a piece of a vector. */
static void cut_contents(struct split *s, struct info *item, int64_t from, int64_t size)
{
	struct contents c = rule_contents(s->r, 0);
	int64_t end;

	if (!c.at || c.rank != 1 || from < 0 || size < 0 || !num_iadd(from, size, &end) ||
	    end > c.count)
		return;
	item->contents = (struct contents){
		.at = c.at + from, .count = (uint32_t)size, .rank = s->squeeze ? 0 : 1};
}

static void give_pieces(struct split *s, const struct sym *sizes, uint32_t count)
{
	struct info *items = arena_array(s->r->arena, count, struct info);
	int64_t from = 0, size;
	bool known = true;

	for (uint32_t i = 0; i < count; i++) {
		items[i] = sequence_piece(s, sizes[i]);
		known = known && sym_value(s->r->pool, sizes[i], &size);
		if (!known)
			continue;
		cut_contents(s, &items[i], from, size);
		known = num_iadd(from, size, &from);
	}
	give_items(s->r, items, count);
}

/* Pieces of one size; the last may be smaller. */
static void split_evenly(struct split *s, struct sym size)
{
	struct rule *r = s->r;
	struct sym whole = s->in->dims[s->axis];
	struct sym count = sym_ceil_div(r->pool, whole, size);
	struct info inner;
	struct sym *sizes;
	int64_t n, total, each;

	if (sym_le(r->pool, size, rule_int(r, 0)) == SYM_YES) {
		rule_error(r, "split must be positive");
		return;
	}
	if (sym_value(r->pool, count, &n) && n > 0 && n <= MAX_ITEMS &&
	    sym_value(r->pool, whole, &total) && sym_value(r->pool, size, &each)) {
		sizes = rule_dims(r, (uint32_t)n);
		for (int64_t i = 0; i < n; i++)
			sizes[i] = rule_int(r, MIN(each, total - i * each));
		give_pieces(s, sizes, (uint32_t)n);
		return;
	}
	if (!sym_is(sym_mod(r->pool, whole, size), 0) || sym_is_unknown(whole))
		inner = sequence_piece(s, sym_is(size, 1) ? size : SYM_UNKNOWN);
	else
		inner = sequence_piece(s, size);
	give_sequence(r, &inner, count);
}

/* Pieces of given sizes. */
static void split_sizes(struct split *s)
{
	struct rule *r = s->r;
	struct contents c = rule_contents(r, 1);
	struct info inner = sequence_piece(s, SYM_UNKNOWN);
	struct sym sum = rule_int(r, 0);

	for (uint32_t i = 0; c.at && i < c.count; i++) {
		if (sym_lt(r->pool, c.at[i], rule_int(r, 0)) == SYM_YES) {
			rule_error(r, "split has a negative size");
			return;
		}
		sum = sym_add(r->pool, sum, c.at[i]);
	}
	if (c.at)
		rule_equal(r, sum, s->in->dims[s->axis], "sum of the sizes and axis");
	if (c.at && c.count > 0 && c.count <= MAX_ITEMS)
		give_pieces(s, c.at, c.count);
	else
		give_sequence(r, &inner, rule_dim(r, 1, 0));
}

void rule_split_to_sequence(struct rule *r)
{
	struct split s = {.r = r, .in = &r->in[0]};
	struct info inner = {.kind = TYPE_TENSOR, .elem = rule_elem(r, 0)};
	int64_t keep = rule_attr_int(r, "keepdims", 1);

	if (keep != 0 && keep != 1)
		rule_error(r, "keepdims is %" PRId64 ", but must be 0 or 1", keep);
	if (r->out_count == 0 || !rule_check_rank(r, 1, 0, 1))
		return;
	give_sequence(r, &inner, SYM_UNKNOWN);
	if (rule_ranked(r, 1) && r->in[1].rank == 1)
		r->out[0].length = r->in[1].dims[0];
	if (!rule_ranked(r, 0) || !rule_axis(r, rule_attr_int(r, "axis", 0), s.in->rank, &s.axis))
		return;
	s.squeeze = !rule_has(r, 1) && keep == 0;
	if (!rule_has(r, 1)) {
		split_evenly(&s, rule_int(r, 1));
	} else if (!rule_ranked(r, 1)) {
		inner = sequence_piece(&s, SYM_UNKNOWN);
		give_sequence(r, &inner, SYM_UNKNOWN);
	} else if (r->in[1].rank == 0) {
		split_evenly(&s, rule_single(r, 1));
	} else {
		split_sizes(&s);
	}
}
