/*
 * Optionals, and concatenating a sequence into one tensor.
 *
 * The `length` of an optional is 1 when it has an element, 0 when it is empty.
 */
#include <inttypes.h>

#include "ir/graph.h"
#include "ir/type.h"
#include "ops/info.h"
#include "ops/rule.h"
#include "ops/rules.h"
#include "sym/sym.h"

enum {
	DEEPEST = 8 /* nesting limit of types */
};

/* A type given by an attribute; its symbols mean nothing here. */
static struct info from_type(struct rule *r, const struct type *t, unsigned depth)
{
	struct info out = {.kind = t->kind, .elem = t->elem};

	if (t->has_shape && t->rank <= RULE_MAX_RANK) {
		struct sym *dims = rule_dims(r, t->rank);

		for (uint32_t i = 0; i < t->rank; i++) {
			if (t->dims[i].kind == DIM_VALUE && t->dims[i].value >= 0)
				dims[i] = rule_int(r, t->dims[i].value);
		}
		out.ranked = true;
		out.rank = t->rank;
		out.dims = dims;
	}
	if (t->inner && depth < DEEPEST) {
		struct info inner = from_type(r, t->inner, depth + 1);

		out.inner = rule_keep(r, &inner);
	}
	return out;
}

void rule_optional(struct rule *r)
{
	const struct attr *a = rule_attr(r, "type");
	struct info inner;

	if (r->out_count == 0)
		return;
	if (rule_has(r, 0)) {
		inner = r->in[0];
	} else if (a && a->kind == ATTR_TYPE && a->types) {
		inner = from_type(r, a->types, 0);
	} else {
		rule_error(r, "neither an input nor attribute type is given");
		return;
	}
	r->out[0] = (struct info){.kind = TYPE_OPTIONAL, .length = rule_int(r, rule_has(r, 0))};
	r->out[0].inner = rule_keep(r, &inner);
}

/* Reports an error when it is known to be something else. */
static bool is_optional(struct rule *r)
{
	enum type_kind kind = rule_has(r, 0) ? r->in[0].kind : TYPE_NONE;

	if (kind != TYPE_OPTIONAL && kind != TYPE_NONE && r->argument == OPTIONAL_ONLY)
		rule_error(r, "the input is not an optional");
	return kind == TYPE_OPTIONAL;
}

void rule_optional_get(struct rule *r)
{
	bool optional = is_optional(r);

	if (r->out_count && optional && r->in[0].inner)
		r->out[0] = *r->in[0].inner;
	else if (r->out_count && !optional && r->argument == OPTIONAL_OR_VALUE && rule_has(r, 0))
		r->out[0] = r->in[0];
}

void rule_optional_has(struct rule *r)
{
	struct sym has = SYM_UNKNOWN;

	if (is_optional(r))
		has = r->in[0].length;
	else if (r->argument == OPTIONAL_OR_VALUE && !rule_has(r, 0))
		has = rule_int(r, 0);
	else if (r->argument == OPTIONAL_OR_VALUE &&
		 (r->in[0].kind == TYPE_TENSOR || r->in[0].kind == TYPE_SEQUENCE))
		has = rule_int(r, 1);
	rule_out_number(r, 0, ELEM_BOOL, has);
}

/* ---- ConcatFromSequence ---- */

struct joining {
	struct rule *r;
	const struct info *sequence;
	uint32_t rank; /* of the result */
	uint32_t axis;
	bool stack; /* along a new axis */
};

/* The result's contents, when it is a vector and all its parts are tracked. */
static void optional_join_contents(struct joining *j)
{
	const struct info *s = j->sequence;
	struct sym *at = rule_values(j->r, RULE_MAX_VALUES);
	uint32_t count = 0;

	if (j->rank != 1)
		return;
	for (uint32_t i = 0; i < s->item_count; i++) {
		struct contents c = s->items[i].contents;

		if (!c.at && s->items[i].tensor)
			c = j->r->host->constant(j->r->host->context, s->items[i].tensor);
		if (!c.at || c.count > RULE_MAX_VALUES - count)
			return;
		for (uint32_t k = 0; k < c.count; k++)
			at[count++] = c.at[k];
	}
	rule_out_contents(j->r, 0, (struct contents){.at = at, .count = count, .rank = 1});
}

/*
 * The common size of all items.  A difference is no error here: the specification leaves it to the
 * runtime, and the reference accepts such models.
 */
static struct sym optional_common(struct rule *r, uint32_t item, struct sym a, struct sym b)
{
	if (item == 0)
		return b;
	if (sym_is_unknown(a) || sym_is_unknown(b) || sym_eq(r->pool, a, b) == SYM_NO)
		return SYM_UNKNOWN;
	return rule_equal(r, a, b, "sizes of the joined tensors");
}

/* Item by item: the other axes must agree, the sizes along this one add up. */
static void join_items(struct joining *j)
{
	struct rule *r = j->r;
	const struct info *s = j->sequence;
	struct sym *dims = rule_dims(r, j->rank);
	struct sym sum = rule_int(r, j->stack ? s->item_count : 0);

	for (uint32_t i = 0; i < s->item_count; i++) {
		const struct info *item = &s->items[i];

		if (item->rank + j->stack != j->rank) {
			rule_out_unranked(r, 0, s->inner ? s->inner->elem : ELEM_UNDEFINED);
			return;
		}
		for (uint32_t k = 0, to = 0; k < item->rank; k++, to++) {
			to += j->stack && to == j->axis;
			if (to != j->axis)
				dims[to] = optional_common(r, i, dims[to], item->dims[k]);
			else
				sum = sym_add(r->pool, sum, item->dims[k]);
		}
	}
	dims[j->axis] = sum;
	rule_out(r, 0, s->inner ? s->inner->elem : ELEM_UNDEFINED, j->rank, dims);
	optional_join_contents(j);
}

/* From what holds for every element.  The other axes of all elements are equal. */
static void join_any(struct joining *j)
{
	struct rule *r = j->r;
	const struct info *s = j->sequence;
	struct sym *dims = rule_dims(r, j->rank);

	for (uint32_t k = 0, to = 0; k < s->inner->rank; k++, to++) {
		to += j->stack && to == j->axis;
		dims[to] = s->inner->dims[k];
	}
	dims[j->axis] = j->stack ? s->length : sym_mul(r->pool, dims[j->axis], s->length);
	if (sym_is_unknown(dims[j->axis]))
		dims[j->axis] = rule_fresh(r, 0, j->axis, SYM_UNKNOWN);
	rule_out(r, 0, s->inner->elem, j->rank, dims);
}

static bool optional_all_ranked(const struct info *s)
{
	for (uint32_t i = 0; i < s->item_count; i++) {
		if (!s->items[i].ranked)
			return false;
	}
	return s->items != NULL && s->item_count > 0;
}

void rule_concat_from_sequence(struct rule *r)
{
	struct joining j = {.r = r, .sequence = &r->in[0]};
	int64_t stack = rule_attr_int(r, "new_axis", 0);
	const struct attr *axis = rule_attr(r, "axis");
	bool items = optional_all_ranked(j.sequence);

	if (stack != 0 && stack != 1)
		rule_error(r, "new_axis is %" PRId64 ", but must be 0 or 1", stack);
	if (!axis || axis->kind != ATTR_INT)
		rule_error(r, "attribute axis is missing");
	if (j.sequence->kind != TYPE_SEQUENCE && j.sequence->kind != TYPE_NONE)
		rule_error(r, "the input is not a sequence");
	if (j.sequence->kind != TYPE_SEQUENCE)
		return;
	rule_out_unranked(r, 0, j.sequence->inner ? j.sequence->inner->elem : ELEM_UNDEFINED);
	if (!axis || axis->kind != ATTR_INT || (stack != 0 && stack != 1) ||
	    (!items && !(j.sequence->inner && j.sequence->inner->ranked)))
		return;
	j.stack = stack == 1;
	j.rank = (items ? j.sequence->items[0].rank : j.sequence->inner->rank) + j.stack;
	if (!rule_axis(r, axis->i, j.rank, &j.axis))
		return;
	if (items)
		join_items(&j);
	else if (!sym_is(j.sequence->length, 0))
		join_any(&j);
}
