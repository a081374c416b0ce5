#include "ops/rule.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/sv.h"
#include "ir/tensor.h"
#include "ir/type.h"
#include "sym/eval.h"

void rule_error(struct rule *r, const char *format, ...)
{
	char message[400];
	va_list args;

	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	r->host->error(r->host->context, message);
}

void rule_assume(struct rule *r, struct sym condition)
{
	if (!sym_is(condition, 1))
		r->host->assume(r->host->context, condition);
}

struct generated {
	const struct sym_pool *pool; /* borrowed */
	bool found;
};

static void note_generated(void *context, uint32_t id)
{
	struct generated *g = context;

	g->found |= g->pool->symbols.at[id].source == SYM_GENERATED;
}

bool rule_is_bindable(const struct rule *r, struct sym s)
{
	struct generated g = {.pool = r->pool};

	if (sym_is_unknown(s))
		return false;
	sym_each_symbol(r->pool, s, note_generated, &g);
	return !g.found;
}

struct sym rule_given(struct rule *r, struct sym condition, struct sym result)
{
	if (sym_is(condition, 1))
		return result;
	if (sym_is(condition, 0) || !rule_is_bindable(r, condition))
		return SYM_UNKNOWN;
	rule_assume(r, condition);
	return result;
}

/* ---- inputs ---- */

bool rule_has(const struct rule *r, uint32_t input)
{
	return input < r->in_count && r->given[input];
}

int32_t rule_elem(const struct rule *r, uint32_t input)
{
	return rule_has(r, input) ? r->in[input].elem : ELEM_UNDEFINED;
}

int32_t rule_elem_argument(const struct rule *r)
{
	return r->argument < 0 ? rule_elem(r, (uint32_t)(-1 - r->argument)) : r->argument;
}

bool rule_ranked(const struct rule *r, uint32_t input)
{
	return rule_has(r, input) && r->in[input].ranked;
}

struct sym rule_dim(const struct rule *r, uint32_t input, uint32_t axis)
{
	return rule_ranked(r, input) && axis < r->in[input].rank ? r->in[input].dims[axis]
								 : SYM_UNKNOWN;
}

bool rule_check_rank(struct rule *r, uint32_t input, uint32_t min, uint32_t max)
{
	uint32_t rank;

	if (!rule_ranked(r, input))
		return true;
	rank = r->in[input].rank;
	if (rank >= min && rank <= max)
		return true;
	if (min == max)
		rule_error(r,
			   "input %" PRIu32 " has rank %" PRIu32 ", but rank %" PRIu32 " is needed",
			   input, rank, min);
	else
		rule_error(r,
			   "input %" PRIu32 " has rank %" PRIu32 ", but a rank from %" PRIu32
			   " to %" PRIu32 " is needed",
			   input, rank, min, max);
	return false;
}

bool rule_check_ranks(struct rule *r, const uint32_t *ranks, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		if (!rule_check_rank(r, i, ranks[i], ranks[i]))
			return false;
	}
	return true;
}

struct contents rule_contents(struct rule *r, uint32_t input)
{
	struct info *in;

	if (!rule_has(r, input))
		return (struct contents){0};
	in = &r->in[input];
	if (!in->contents.at && in->tensor) {
		in->contents = r->host->constant(r->host->context, in->tensor);
		in->tensor = 0;
	}
	return in->contents;
}

struct sym rule_single(struct rule *r, uint32_t input)
{
	struct contents c = rule_contents(r, input);

	return c.at && c.count == 1 ? c.at[0] : SYM_UNKNOWN;
}

bool rule_int_at(struct rule *r, const struct contents *c, uint32_t i, int64_t *out)
{
	return c->at && i < c->count && sym_value(r->pool, c->at[i], out);
}

bool rule_ints(struct rule *r, uint32_t input, const int64_t **out, uint32_t *out_count)
{
	struct contents c = rule_contents(r, input);
	int64_t *ints;

	if (!c.at || c.rank > 1)
		return false;
	ints = arena_array(r->arena, c.count, int64_t);
	for (uint32_t i = 0; i < c.count; i++) {
		if (!sym_value(r->pool, c.at[i], &ints[i]))
			return false;
	}
	*out = ints;
	*out_count = c.count;
	return true;
}

/* ---- attributes ---- */

const struct attr *rule_attr(const struct rule *r, const char *name)
{
	const struct attr *a = node_attr(r->model, r->node, name);

	return a && a->ref ? r->host->attr(r->host->context, a->ref) : a;
}

int64_t rule_attr_int(const struct rule *r, const char *name, int64_t otherwise)
{
	const struct attr *a = rule_attr(r, name);

	return a && a->kind == ATTR_INT ? a->i : otherwise;
}

bool rule_attr_positive(struct rule *r, const char *name, int64_t otherwise, int64_t *out)
{
	*out = rule_attr_int(r, name, otherwise);
	if (*out < 1)
		rule_error(r, "%s is %" PRId64 ", but must be positive", name, *out);
	return *out > 0;
}

double rule_attr_float(const struct rule *r, const char *name, double otherwise)
{
	const struct attr *a = rule_attr(r, name);

	return a && a->kind == ATTR_FLOAT ? (double)a->f : otherwise;
}

/* A list in memory, in one chunk. */
static bool plain_list(const struct rule *r, const char *name, enum attr_kind kind,
		       const void **out, uint32_t *out_count)
{
	const struct attr *a = rule_attr(r, name);

	*out = NULL;
	*out_count = 0;
	if (!a || (a->kind == kind && a->list.count == 0 && a->count == 0))
		return true;
	if (a->kind != kind || a->list.count != 1 || a->list.chunks[0].place != CHUNK_MEMORY ||
	    a->list.chunks[0].coding != CODING_WORDS)
		return false;
	*out = a->list.chunks[0].memory;
	*out_count = a->count;
	return true;
}

bool rule_attr_ints(const struct rule *r, const char *name, const int64_t **out,
		    uint32_t *out_count)
{
	const void *list;
	bool ok = plain_list(r, name, ATTR_INTS, &list, out_count);

	*out = list;
	return ok;
}

bool rule_attr_floats(const struct rule *r, const char *name, const float **out,
		      uint32_t *out_count)
{
	const void *list;
	bool ok = plain_list(r, name, ATTR_FLOATS, &list, out_count);

	*out = list;
	return ok;
}

struct sv rule_attr_text(const struct rule *r, const char *name)
{
	const struct attr *a = rule_attr(r, name);

	return a && a->kind == ATTR_STRING ? a->text : (struct sv){"", 0};
}

bool rule_attr_choice(struct rule *r, const char *name, uint32_t *out, const char *const *names,
		      uint32_t count)
{
	struct sv text = rule_attr_text(r, name);
	struct str all = {0};

	for (uint32_t i = 0; i < count; i++) {
		if (sv_is(text, names[i])) {
			*out = i;
			return true;
		}
	}
	if (!text.len)
		return true;
	for (uint32_t i = 0; i < count; i++)
		str_format(&all, "%s%s", i == 0 ? "" : i + 1 < count ? ", " : " or ", names[i]);
	rule_error(r, "%s must be %s", name, str_c(&all));
	str_release(&all);
	return false;
}

uint32_t rule_attr_count(const struct rule *r, const char *name)
{
	const struct attr *a = rule_attr(r, name);

	return a ? a->count : 0;
}

/* ---- dims ---- */

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

static void tell_need(struct rule *r, enum fact_kind kind, struct sym a, struct sym b,
		      const char *why)
{
	r->host->need(
		r->host->context,
		&(struct need){.kind = kind, .a = a, .b = b, .why = why, .of_state = r->of_state});
}

void rule_bound(struct rule *r, struct sym low, struct sym high, const char *why)
{
	if (sym_is_unknown(low) || sym_is_unknown(high))
		return;
	if (sym_le(r->pool, low, high) == SYM_MAYBE)
		tell_need(r, FACT_BOUND, low, high, why);
	rule_assume(r, sym_test_le(r->pool, low, high));
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

struct sym rule_equal(struct rule *r, struct sym a, struct sym b, const char *why)
{
	int64_t ignored;

	if (sym_same(a, b) || sym_is_unknown(b))
		return a;
	if (sym_is_unknown(a))
		return b;
	switch (sym_eq(r->pool, a, b)) {
	case SYM_NO:
		tell_need(r, FACT_NEVER, a, b, why);
		break;
	case SYM_MAYBE:
		if (equal_as_bound(r, a, b, why))
			return a;
		if (equal_as_bound(r, b, a, why))
			return b;
		tell_need(r, FACT_EQUAL, a, b, why);
		break;
	case SYM_YES:
	case SYM_ANSWER_COUNT:
		break;
	}
	return sym_value(r->pool, b, &ignored) ? b : a;
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

/* ---- outputs ---- */

bool rule_wants(const struct rule *r, uint32_t output)
{
	return output < r->out_count && r->node->outputs[output];
}

void rule_out(struct rule *r, uint32_t output, int32_t elem, uint32_t rank, const struct sym *dims)
{
	if (output >= r->out_count)
		return;
	if (rank > RULE_MAX_RANK) {
		rule_error(r, "rank %" PRIu32 " exceeds the maximum of %d", rank, RULE_MAX_RANK);
		rule_out_unranked(r, output, elem);
		return;
	}
	r->out[output] = (struct info){
		.kind = TYPE_TENSOR, .elem = elem, .ranked = true, .rank = rank, .dims = dims};
}

void rule_out_dims(struct rule *r, uint32_t output, int32_t elem, uint32_t rank,
		   const struct sym *dims)
{
	struct sym *copy = rule_dims(r, rank);

	memcpy(copy, dims, rank * sizeof(*dims));
	rule_out(r, output, elem, rank, copy);
}

void rule_out_resized(struct rule *r, uint32_t output, uint32_t input, uint32_t axis,
		      struct sym size)
{
	struct sym *dims = rule_copy_dims(r, input, 0);

	dims[axis] = size;
	rule_out(r, output, r->in[input].elem, r->in[input].rank, dims);
}

void rule_out_unranked(struct rule *r, uint32_t output, int32_t elem)
{
	if (output < r->out_count)
		r->out[output] = (struct info){.kind = TYPE_TENSOR, .elem = elem};
}

void rule_out_rank(struct rule *r, uint32_t output, int32_t elem, uint32_t rank)
{
	rule_out(r, output, elem, rank,
		 rule_dims(r, MIN(rank, (uint32_t)RULE_MAX_RANK))); /* all-zero is unknown */
}

void rule_out_shape_of(struct rule *r, uint32_t output, uint32_t input, int32_t elem)
{
	if (rule_ranked(r, input))
		rule_out(r, output, elem, r->in[input].rank, r->in[input].dims);
	else
		rule_out_unranked(r, output, elem);
}

void rule_out_like(struct rule *r, uint32_t output, uint32_t input)
{
	if (output >= r->out_count || !rule_has(r, input))
		return;
	r->out[output] = r->in[input];
	r->out[output].contents = (struct contents){0};
	r->out[output].tensor = 0;
}

void rule_out_scalar(struct rule *r, uint32_t output, int32_t elem)
{
	rule_out(r, output, elem, 0, NULL);
}

void rule_out_number(struct rule *r, uint32_t output, int32_t elem, struct sym value)
{
	struct sym *at = rule_values(r, 1);

	rule_out_scalar(r, output, elem);
	*at = value;
	if (!sym_is_unknown(value))
		rule_out_contents(r, output, (struct contents){.at = at, .count = 1});
}

void rule_out_contents(struct rule *r, uint32_t output, struct contents c)
{
	if (output < r->out_count && c.at && c.count <= RULE_MAX_CONSTANTS)
		r->out[output].contents = c;
}

void rule_out_max(struct rule *r, uint32_t output, struct sym max)
{
	if (output < r->out_count)
		contents_set_max(&r->out[output].contents, max);
}

void rule_out_same_max(struct rule *r, uint32_t output, uint32_t input)
{
	if (output < r->out_count)
		r->out[output].contents.max = r->in[input].contents.max;
}

const struct info *rule_keep(struct rule *r, const struct info *info)
{
	struct info *copy = arena_new(r->arena, struct info);

	*copy = *info;
	return copy;
}

/* ---- joining ---- */

static const struct sym *rule_join_dims(struct rule *r, const struct info *a, const struct info *b)
{
	struct sym *dims;

	if (a->dims == b->dims)
		return a->dims;
	dims = rule_dims(r, a->rank);
	for (uint32_t i = 0; i < a->rank; i++)
		dims[i] = sym_eq(r->pool, a->dims[i], b->dims[i]) == SYM_YES ? a->dims[i]
									     : SYM_UNKNOWN;
	return dims;
}

struct info rule_join(struct rule *r, const struct info *a, const struct info *b)
{
	struct info out = {0};

	if (a->kind != b->kind)
		return out;
	out.kind = a->kind;
	out.elem = a->elem == b->elem ? a->elem : ELEM_UNDEFINED;
	out.ranked = a->ranked && b->ranked && a->rank == b->rank;
	if (out.ranked) {
		out.rank = a->rank;
		out.dims = rule_join_dims(r, a, b);
	}
	if (a->inner && b->inner) {
		struct info inner = rule_join(r, a->inner, b->inner);

		out.inner = rule_keep(r, &inner);
	}
	out.length = sym_eq(r->pool, a->length, b->length) == SYM_YES ? a->length : SYM_UNKNOWN;
	return out;
}
