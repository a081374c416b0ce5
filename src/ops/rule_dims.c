/* Dims of a rule: made, compared, and what their node requires of them. */
#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "ops/info.h"
#include "ops/need.h"
#include "ops/rule.h"
#include "sym/sym.h"
#include "sym/text.h"

struct sym *rule_dims(struct rule *r, uint32_t rank)
{
	return arena_array(r->arena, rank, struct sym);
}

struct sym *rule_copy_dims(struct rule *r, uint32_t input, uint32_t more)
{
	const struct info *in = &r->in[input];
	struct sym *dims = rule_dims(r, in->rank + more);

	if (in->rank)
		memcpy(dims, in->dims, in->rank * sizeof(*dims));
	return dims;
}

struct sym *rule_values(struct rule *r, uint32_t count)
{
	return arena_array(r->arena, count, struct sym);
}

struct sym rule_int(struct rule *r, int64_t value)
{
	return sym_int(r->pool, value);
}

struct sym rule_fresh(struct rule *r, uint32_t output, uint32_t axis, struct sym max)
{
	enum {
		INSTANCE_SHIFT = 12 /* no operator with fresh sizes has so many outputs */
	};
	struct sym_origin origin = {
		.node = r->node_id,
		/* Each call of a function has its own sizes. */
		.output = r->instance << INSTANCE_SHIFT | output,
		.axis = axis,
		.range = {0, sym_is_unknown(max) ? INT64_MAX : sym_range(r->pool, max).hi},
	};

	return sym_generate(r->pool, &origin);
}

static void tell_this(struct rule *r, struct need need)
{
	need.of_state = r->of_state;
	r->host->need(r->host->context, &need);
}

static void tell_need(struct rule *r, enum fact_kind kind, struct sym a, struct sym b,
		      const char *why)
{
	tell_this(r, (struct need){.kind = kind, .a = a, .b = b, .why = why});
}

static void tell_exceeded(struct rule *r, struct sym low, struct sym high, const char *why)
{
	struct str text = {0};

	sym_print(r->pool, low, &text);
	str_text(&text, " exceeds ");
	sym_print(r->pool, high, &text);
	rule_error(r, "%s: %s", why, str_c(&text));
	str_release(&text);
}

void rule_bound(struct rule *r, struct sym low, struct sym high, const char *why)
{
	if (sym_is_unknown(low) || sym_is_unknown(high))
		return;
	switch (sym_le(r->pool, low, high)) {
	case SYM_NO:
		tell_exceeded(r, low, high, why);
		break;
	case SYM_MAYBE:
		tell_need(r, FACT_BOUND, low, high, why);
		rule_assume(r, sym_test_le(r->pool, low, high));
		break;
	case SYM_YES:
	case SYM_ANSWER_COUNT:
		break;
	}
}

/* ceil(n/k) is 0 only where n is: that is said of n, once for all that are made of it. */
static struct sym without_ceil(const struct rule *r, struct sym size)
{
	while (sym_kind(r->pool, size) == SYM_KIND_FLOOR) {
		struct sym rest;
		int64_t by;

		if (!sym_value(r->pool, sym_part(r->pool, size, 1).s, &by) || by < 1)
			break;
		rest = sym_add_int(r->pool, sym_part(r->pool, size, 0).s, 1 - by);
		if (sym_kind(r->pool, rest) == SYM_KIND_SUM)
			break;
		size = rest;
	}
	return size;
}

void rule_some(struct rule *r, struct sym size, const char *why)
{
	size = without_ceil(r, size);
	if (!sym_is_unknown(size) && rule_is_bindable(r, size))
		rule_bound(r, rule_int(r, 1), size, why);
}

/* Is `list` a minimum or a maximum with s as a member? */
static bool has_member(const struct rule *r, enum sym_kind kind, struct sym list, struct sym s)
{
	if (sym_kind(r->pool, list) != kind)
		return false;
	for (size_t i = 0; i < sym_part_count(r->pool, list); i++) {
		if (sym_same(sym_part(r->pool, list, i).s, s))
			return true;
	}
	return false;
}

/* A minimum equals one of its members when the others are not below it. */
static void bound_by_others(struct rule *r, struct sym list, struct sym s, const char *why)
{
	bool min = sym_kind(r->pool, list) == SYM_KIND_MIN;

	for (size_t i = 0; i < sym_part_count(r->pool, list); i++) {
		struct sym other = sym_part(r->pool, list, i).s;

		if (!sym_same(other, s))
			rule_bound(r, min ? s : other, min ? other : s, why);
	}
}

static bool equal_as_bound(struct rule *r, struct sym s, struct sym list, const char *why)
{
	if (!has_member(r, SYM_KIND_MIN, list, s) && !has_member(r, SYM_KIND_MAX, list, s))
		return false;
	bound_by_others(r, list, s, why);
	return true;
}

static struct sym make_equal(struct rule *r, struct need need)
{
	struct sym a = need.a, b = need.b;
	int64_t ignored;

	if (sym_same(a, b) || sym_is_unknown(b))
		return a;
	if (sym_is_unknown(a))
		return b;
	switch (sym_eq(r->pool, a, b)) {
	case SYM_NO:
		need.kind = FACT_NEVER;
		tell_this(r, need);
		break;
	case SYM_MAYBE:
		if (equal_as_bound(r, a, b, need.why))
			return a;
		if (equal_as_bound(r, b, a, need.why))
			return b;
		need.kind = FACT_EQUAL;
		tell_this(r, need);
		break;
	case SYM_YES:
	case SYM_ANSWER_COUNT:
		break;
	}
	return sym_value(r->pool, b, &ignored) ? b : a;
}

struct sym rule_equal(struct rule *r, struct sym a, struct sym b, const char *why)
{
	return make_equal(r, (struct need){.a = a, .b = b, .why = why});
}

void rule_equal_elements(struct rule *r, struct sym a, struct sym b, struct sym in, struct sym out)
{
	(void)make_equal(r, (struct need){.a = a,
					  .b = b,
					  .why = "elements of input and output",
					  .in = in,
					  .out = out});
}

static struct sym rule_soft(struct rule *r, struct sym dim, struct sym size)
{
	if (!sym_is_unknown(dim))
		tell_need(r, FACT_SOFT, dim, size, "it is broadcast");
	return size;
}

/*
 * n with min(n, 512), a table cut to n rows: they broadcast only for n up to 512, and then both are
 * n.  (This needs a minimum that is 1 only where n is.)
 */
static bool broadcast_as_bound(struct rule *r, struct sym s, struct sym list)
{
	if (!has_member(r, SYM_KIND_MIN, list, s))
		return false;
	for (size_t i = 0; i < sym_part_count(r->pool, list); i++) {
		struct sym other = sym_part(r->pool, list, i).s;

		if (!sym_same(other, s) && sym_range(r->pool, other).lo < 2)
			return false;
	}
	bound_by_others(r, list, s, "broadcast sizes");
	return true;
}

/* A pair that always broadcasts requires nothing of the inputs. */
static void rule_tell_pair(struct rule *r, struct sym a, struct sym b)
{
	if (!sym_is_unknown(a) && !sym_is_unknown(b) && !sym_is(a, 1) && !sym_is(b, 1) &&
	    !sym_same(a, b))
		tell_need(r, FACT_PAIR, a, b, "they are broadcast");
}

struct sym rule_cover(struct rule *r, struct sym dim, struct sym over, const char *why)
{
	int64_t size;

	if (sym_value(r->pool, dim, &size) && size != 1)
		return rule_equal(r, over, dim, why);
	rule_tell_pair(r, dim, over);
	return over;
}

struct sym rule_broadcast_dim(struct rule *r, struct sym a, struct sym b)
{
	int64_t m, n;

	if (sym_is(a, 1))
		return b;
	if (sym_is(b, 1) || sym_same(a, b))
		return a;
	if (sym_value(r->pool, a, &m) && sym_value(r->pool, b, &n)) {
		tell_need(r, FACT_NEVER, a, b, "the sizes cannot be broadcast");
		return SYM_UNKNOWN;
	}
	/* A known size above 1 is the result: the other must be that size or 1. */
	if (sym_value(r->pool, a, &m) && m != 1)
		return rule_soft(r, b, a);
	if (sym_value(r->pool, b, &n) && n != 1)
		return rule_soft(r, a, b);
	if (sym_is_unknown(a) || sym_is_unknown(b))
		return SYM_UNKNOWN;
	if (broadcast_as_bound(r, a, b))
		return a;
	if (broadcast_as_bound(r, b, a))
		return b;
	rule_tell_pair(r, a, b);
	return sym_broadcast(r->pool, a, b);
}

struct sym *rule_broadcast_dims(struct rule *r, const struct sym *a, uint32_t a_rank,
				const struct sym *b, uint32_t b_rank, uint32_t more)
{
	uint32_t rank = MAX(a_rank, b_rank);
	struct sym *dims = rule_dims(r, rank + more), one = rule_int(r, 1);

	for (uint32_t i = 0; i < rank; i++)
		dims[i] = rule_broadcast_dim(r, i + a_rank < rank ? one : a[i + a_rank - rank],
					     i + b_rank < rank ? one : b[i + b_rank - rank]);
	return dims;
}

void rule_divisible(struct rule *r, struct sym whole, struct sym part, const char *why)
{
	struct sym rest;
	int64_t value;

	if (sym_is_unknown(whole) || sym_is_unknown(part) || sym_is(part, 0))
		return;
	rest = sym_mod(r->pool, whole, part);
	if (sym_is_unknown(rest) || sym_eq(r->pool, rest, rule_int(r, 0)) == SYM_YES)
		return;
	if (sym_value(r->pool, rest, &value) || sym_eq(r->pool, rest, rule_int(r, 0)) == SYM_NO)
		tell_need(r, FACT_NEVER, whole, part, why);
	else
		tell_need(r, FACT_DIVISIBLE, whole, part, why);
}

bool rule_axis(struct rule *r, int64_t axis, uint32_t rank, uint32_t *out)
{
	if (axis < -(int64_t)rank || axis >= (int64_t)rank) {
		rule_error(r, "axis %" PRId64 " is out of range for rank %" PRIu32, axis, rank);
		return false;
	}
	*out = (uint32_t)(axis < 0 ? axis + rank : axis);
	return true;
}
