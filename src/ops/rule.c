#include "ops/rule.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/num.h"
#include "ir/type.h"

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

bool rule_is_bindable(const struct rule *r, struct sym s)
{
	return !sym_is_unknown(s) && !sym_has_generated(r->pool, s);
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
		in->tensor = in->contents.at ? 0 : in->tensor;
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

/* ---- outputs ---- */

bool rule_wants(const struct rule *r, uint32_t output)
{
	return output < r->out_count && r->node->outputs[output];
}

/* A tensor with more elements than 63 bits count cannot exist. */
static void rule_check_elements(struct rule *r, uint32_t rank, const struct sym *dims)
{
	int64_t count = 1, size;
	bool fits = true;

	for (uint32_t i = 0; i < rank; i++) {
		if (!sym_value(r->pool, dims[i], &size) || size <= 0)
			return;
		fits = fits && num_imul(count, size, &count);
	}
	if (!fits)
		rule_error(r, "the number of elements overflows 64 bits");
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
	rule_check_elements(r, rank, dims);
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
	if (r->out[output].kind == TYPE_TENSOR)
		r->out[output].items = NULL;
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

void rule_out_bounds(struct rule *r, uint32_t output, struct sym min, struct sym max)
{
	if (output < r->out_count)
		contents_set_bounds(&r->out[output].contents, min, max);
}

void rule_out_same_bounds(struct rule *r, uint32_t output, uint32_t input)
{
	struct contents c;

	if (output >= r->out_count || r->out[output].contents.at)
		return;
	c = r->in[input].elem == ELEM_INT64 ? rule_contents(r, input) : r->in[input].contents;
	if (!c.at || r->in[input].elem == ELEM_INT64)
		rule_out_bounds(r, output, contents_least(r->pool, &c),
				contents_largest(r->pool, &c));
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
	out.claimed = a->claimed || b->claimed;
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
