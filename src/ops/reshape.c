#include <inttypes.h>

#include "base/num.h"
#include "ops/grid.h"
#include "ops/info.h"
#include "ops/rule.h"
#include "ops/rules.h"
#include "sym/sym.h"

/*
 * The target shape of a Reshape, entry by entry.  `open` is the one entry that follows from the
 * number of elements: -1, or an unknown one.
 */
struct target {
	const struct sym *at;
	uint32_t count;
	bool literal;     /* 0 means 0, not "as in the input" */
	struct sym *dims; /* from the entries; unknown at `open` */
	uint64_t copied;  /* axes copied from the same axis of the input */
	uint32_t open;
	uint32_t open_count;
	uint32_t inferred; /* number of entries that are -1 */
	bool zero;         /* some entry is 0, literally */
};

static void leave_open(struct target *t, uint32_t i)
{
	t->open = i;
	t->open_count++;
}

static bool read_zero(struct rule *r, struct target *t, uint32_t i)
{
	if (t->literal) {
		t->dims[i] = rule_int(r, 0);
		t->zero = true;
		return true;
	}
	if (!rule_ranked(r, 0)) {
		leave_open(t, i); /* an input dim of unknown size */
		return true;
	}
	if (i >= r->in[0].rank) {
		rule_error(r,
			   "entry %" PRIu32 " of the shape is 0, but the input has rank %" PRIu32,
			   i, r->in[0].rank);
		return false;
	}
	t->dims[i] = r->in[0].dims[i];
	t->copied |= UINT64_C(1) << i;
	return true;
}

/* A size of the input is not negative, whatever its expression says. */
static bool is_input_size(const struct rule *r, struct sym entry)
{
	for (uint32_t i = 0; rule_ranked(r, 0) && i < r->in[0].rank; i++) {
		if (sym_same(r->in[0].dims[i], entry))
			return true;
	}
	return false;
}

/*
 * An expression that may be negative for small sizes, such as the length of a convolution's result:
 * assumed to be a size, unless it selects among values, of which -1 may be one.
 */
static bool reshape_is_size(struct rule *r, struct sym entry)
{
	if (is_input_size(r, entry))
		return true;
	if (sym_kind(r->pool, entry) == SYM_KIND_SELECT || sym_range(r->pool, entry).hi < 1 ||
	    !rule_is_bindable(r, entry))
		return false;
	rule_assume(r, sym_test_le(r->pool, rule_int(r, 1), entry));
	return true;
}

/* An entry that is an expression could be 0 or -1 at run time. */
static void reshape_read_expression(struct rule *r, struct target *t, uint32_t i)
{
	struct sym entry = t->at[i];
	int64_t min = sym_is_unknown(entry) ? INT64_MIN : sym_range(r->pool, entry).lo;

	if (min < 0 && (sym_is_unknown(entry) || !reshape_is_size(r, entry))) {
		leave_open(t, i);
		return;
	}
	t->dims[i] = entry;
	if (min > 0 || t->literal || (rule_ranked(r, 0) && i >= r->in[0].rank))
		return;
	if (sym_eq(r->pool, entry, rule_dim(r, 0, i)) == SYM_YES)
		t->copied |= UINT64_C(1) << i;
	else if (rule_is_bindable(r, entry))
		rule_assume(r, sym_not(r->pool, sym_test_eq(r->pool, entry, rule_int(r, 0))));
	else
		t->dims[i] = sym_select(r->pool, entry, entry, rule_dim(r, 0, i));
}

static bool read_entry(struct rule *r, struct target *t, uint32_t i)
{
	int64_t value;

	if (!sym_value(r->pool, t->at[i], &value)) {
		reshape_read_expression(r, t, i);
		return true;
	}
	if (value == 0)
		return read_zero(r, t, i);
	if (value == -1) {
		leave_open(t, i);
		if (t->inferred++ == 0)
			return true;
		rule_error(r, "the shape has more than one -1");
		return false;
	}
	t->dims[i] = t->at[i];
	return check_size(r, t->at[i], "an entry of the shape");
}

static bool reshape_read_target(struct rule *r, struct target *t)
{
	t->dims = rule_dims(r, t->count);
	for (uint32_t i = 0; i < t->count; i++) {
		if (!read_entry(r, t, i))
			return false;
	}
	if (!t->zero || t->inferred == 0)
		return true;
	rule_error(r, "the shape has both 0 and -1, but allowzero is set");
	return false;
}

/* The sizes on both sides, without copied axes. */
struct sides {
	struct sym *in;
	struct sym *out;
	uint32_t in_count;
	uint32_t out_count;
};

/* False when a size is unknown. */
static bool make_sides(struct rule *r, const struct target *t, struct sides *s)
{
	const struct info *in = &r->in[0];

	*s = (struct sides){.in = rule_dims(r, in->rank), .out = rule_dims(r, t->count)};
	for (uint32_t i = 0; i < in->rank; i++) {
		if (i < t->count && axis_in(t->copied, i))
			continue;
		if (sym_is_unknown(in->dims[i]))
			return false;
		s->in[s->in_count++] = in->dims[i];
	}
	for (uint32_t i = 0; i < t->count; i++) {
		if (axis_in(t->copied, i) || (t->open_count && i == t->open))
			continue;
		if (sym_is_unknown(t->dims[i]))
			return false;
		s->out[s->out_count++] = t->dims[i];
	}
	return true;
}

static bool has_zero(const struct sym *dims, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		if (sym_is(dims[i], 0))
			return true;
	}
	return false;
}

/* The open entry: the number of elements over the product of the others. */
static struct sym open_size(struct rule *r, const struct target *t)
{
	struct sides s;
	struct sym size, rest;
	bool exact;

	if (has_zero(t->dims, t->count)) {
		if (t->inferred)
			rule_error(r, "-1 cannot be inferred: another size is 0");
		return SYM_UNKNOWN;
	}
	if (!make_sides(r, t, &s))
		return SYM_UNKNOWN;
	for (uint32_t i = 0; t->inferred && i < t->count; i++) {
		if (i != t->open)
			rule_some(r, t->dims[i], "-1 cannot be inferred when another size is 0");
	}
	size = sym_quotient(r->pool, s.in, s.in_count, s.out, s.out_count, &exact);
	rest = size_product(r, s.out, s.out_count);
	/* Without elements the open size may be anything; only -1 is an error. */
	if (!t->inferred) {
		struct sym others = size_product(r, t->dims, t->open);

		others = size_mul(r, others,
				  size_product(r, t->dims + t->open + 1, t->count - t->open - 1));
		if (sym_is_unknown(others))
			return SYM_UNKNOWN;
		size = rule_given(r, sym_not(r->pool, sym_test_eq(r->pool, others, rule_int(r, 0))),
				  size);
	}
	if (!exact)
		rule_divisible(r, size_product(r, s.in, s.in_count), rest,
			       "elements and the other sizes");
	return size;
}

/* Cancels equal sizes on both sides. */
static void reshape_cancel(struct sides *s)
{
	for (uint32_t i = 0; i < s->in_count; i++) {
		for (uint32_t k = 0; k < s->out_count; k++) {
			if (!sym_same(s->in[i], s->out[k]))
				continue;
			s->in[i--] = s->in[--s->in_count];
			s->out[k] = s->out[--s->out_count];
			break;
		}
	}
}

/* Multiplies the integers of a side into its first entry; false on overflow. */
static bool gather_integers(struct rule *r, struct sym *dims, uint32_t *count, int64_t *product)
{
	uint32_t kept = 0;

	*product = 1;
	for (uint32_t i = 0; i < *count; i++) {
		int64_t size;

		if (!sym_value(r->pool, dims[i], &size))
			dims[kept++] = dims[i];
		else if (!num_imul(*product, size, product))
			return false;
	}
	*count = kept;
	return true;
}

/*
 * The number of elements, to be shown.  Unknown if some size is, and if the product of two
 * expressions would be long.
 */
static struct sym reshape_count(struct rule *r, const struct sym *dims, uint32_t count)
{
	struct sym product = rule_int(r, 1);
	uint32_t expressions = 0;

	for (uint32_t i = 0; i < count; i++) {
		int64_t size;
		uint32_t symbol;

		if (sym_is_unknown(dims[i]))
			return SYM_UNKNOWN;
		if (!sym_value(r->pool, dims[i], &size) &&
		    !sym_symbol_id(r->pool, dims[i], &symbol) && expressions++ > 0)
			return SYM_UNKNOWN;
		product = sym_mul(r->pool, product, dims[i]);
	}
	return product;
}

/* Both sides must have the same number of elements. */
static void check_elements(struct rule *r, const struct target *t)
{
	struct sides s;
	struct sym left, right;
	int64_t in, out, factor;
	enum sym_answer answer;

	if (!make_sides(r, t, &s) || (has_zero(s.in, s.in_count) && has_zero(s.out, s.out_count)))
		return;
	if (has_zero(t->dims, t->count) && has_zero(r->in[0].dims, r->in[0].rank))
		return;
	reshape_cancel(&s);
	if (!gather_integers(r, s.in, &s.in_count, &in) ||
	    !gather_integers(r, s.out, &s.out_count, &out) || in < 0 || out < 0)
		return;
	factor = num_igcd(in, out);
	if (factor == 0)
		return;
	left = sym_mul(r->pool, rule_int(r, in / factor), sym_product(r->pool, s.in, s.in_count));
	right = sym_mul(r->pool, rule_int(r, out / factor),
			sym_product(r->pool, s.out, s.out_count));
	/* A cancelled size may be 0; then both sides have no elements. */
	answer = sym_eq(r->pool, left, right);
	if (answer == SYM_YES)
		return;
	if (answer == SYM_NO) {
		left = sym_product(r->pool, r->in[0].dims, r->in[0].rank);
		right = sym_product(r->pool, t->dims, t->count);
	}
	rule_equal_elements(r, left, right, reshape_count(r, r->in[0].dims, r->in[0].rank),
			    reshape_count(r, t->dims, t->count));
}

void rule_reshape(struct rule *r)
{
	struct list list = list_get(r, "shape", 1, 5);
	struct target t = {.at = list.at, .count = list.count};

	rule_out_unranked(r, 0, rule_elem(r, 0));
	if (r->version >= 5)
		check_int64(r, 1);
	if (!list.given)
		rule_error(r, "the shape is missing");
	if (!list.counted)
		return;
	rule_out_rank(r, 0, rule_elem(r, 0), list.count);
	t.literal = r->version >= 14 && rule_attr_int(r, "allowzero", 0) != 0;
	if (!t.at || t.count > RULE_MAX_RANK || !reshape_read_target(r, &t))
		return;
	if (rank_usable(r, 0) && t.open_count == 0)
		check_elements(r, &t);
	else if (rank_usable(r, 0) && t.open_count == 1)
		t.dims[t.open] = open_size(r, &t);
	rule_out(r, 0, rule_elem(r, 0), t.count, t.dims);
	grid_pass(r, 0, 0);
}
