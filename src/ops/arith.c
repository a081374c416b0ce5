#include "ops/arith.h"

#include "ir/type.h"
#include "ops/indices.h"
#include "ops/info.h"
#include "sym/float.h"
#include "sym/sym.h"

enum {
	MAX_OPERANDS = 8, /* of variadic operators; more are not tracked */
	MIN_ASSUMED = 32  /* bits: it is not safe to assume that a size fits a smaller type */
};

bool arith_is_whole(int32_t elem)
{
	enum elem_class class = elem_info(elem)->class;

	return class == ELEM_CLASS_BOOL || class == ELEM_CLASS_SIGNED ||
	       class == ELEM_CLASS_UNSIGNED;
}

static bool is_chain(int32_t elem)
{
	return elem == ELEM_FLOAT16 || elem == ELEM_BFLOAT16 || elem == ELEM_FLOAT32 ||
	       elem == ELEM_FLOAT64;
}

static struct sym_range elem_range(int32_t elem)
{
	const struct elem_info *e = elem_info(elem);

	if (e->class == ELEM_CLASS_BOOL)
		return (struct sym_range){0, 1};
	if (e->class == ELEM_CLASS_SIGNED && e->bits < 64)
		return (struct sym_range){-((int64_t)1 << (e->bits - 1)),
					  ((int64_t)1 << (e->bits - 1)) - 1};
	if (e->class == ELEM_CLASS_SIGNED)
		return SYM_RANGE_ANY;
	/* sym cannot represent the upper half of uint64; tracked values are below it. */
	return (struct sym_range){0, e->bits < 63 ? ((int64_t)1 << e->bits) - 1 : INT64_MAX};
}

struct sym arith_fit(struct rule *r, int32_t elem, struct sym s)
{
	struct sym_range room = elem_range(elem), has;
	int64_t number;

	if (sym_is_unknown(s))
		return s;
	has = sym_range(r->pool, s);
	if (has.lo >= room.lo && has.hi <= room.hi)
		return s;
	if (sym_value(r->pool, s, &number) || elem_info(elem)->bits < MIN_ASSUMED ||
	    has.lo > room.hi || has.hi < room.lo)
		return SYM_UNKNOWN;
	if (has.lo < room.lo)
		rule_assume(r, sym_test_le(r->pool, rule_int(r, room.lo), s));
	if (has.hi > room.hi)
		rule_assume(r, sym_test_le(r->pool, s, rule_int(r, room.hi)));
	return s;
}

/* ---- walking ---- */

bool arith_room(struct rule *r, struct contents *out_place, struct sym **out_values)
{
	struct contents c = {0};
	int64_t size[2] = {1, 1};

	if (r->out_count == 0 || !r->out[0].ranked || r->out[0].rank > 2)
		return false;
	c.rank = r->out[0].rank;
	for (uint32_t i = 0; i < c.rank; i++) {
		int64_t *at = &size[2 - c.rank + i];

		if (!sym_value(r->pool, r->out[0].dims[i], at) || *at < 0 || *at > RULE_MAX_VALUES)
			return false;
	}
	if (size[0] * size[1] > RULE_MAX_VALUES)
		return false;
	c.count = (uint32_t)(size[0] * size[1]);
	c.rows = c.rank == 2 ? (uint32_t)size[0] : 0;
	*out_values = rule_values(r, c.count);
	c.at = *out_values;
	*out_place = c;
	return true;
}

/* An operand broadcast to the result: a step of 0 repeats a row, a column, an element. */
struct operand {
	const struct sym *at; /* NULL: all unknown */
	uint32_t down, right;
};

static uint32_t arith_columns_of(const struct contents *c)
{
	if (c->rank < 2)
		return c->count;
	return c->rows ? c->count / c->rows : 0;
}

static bool arith_lay(const struct contents *c, const struct contents *out, struct operand *o)
{
	uint32_t rows = c->rank == 2 ? c->rows : 1, columns = arith_columns_of(c);
	uint32_t out_rows = out->rank == 2 ? out->rows : 1;

	*o = (struct operand){c->at, rows == 1 ? 0 : columns, columns == 1 ? 0 : 1};
	return c->rank <= out->rank && rows * columns == c->count &&
	       (rows == 1 || rows == out_rows) &&
	       (columns == 1 || columns == arith_columns_of(out));
}

/* Checked first, so that no constant is read in vain. */
static bool all_known(const struct rule *r)
{
	for (uint32_t i = 0; i < r->in_count; i++) {
		if (r->given[i] && !r->in[i].contents.at && !r->in[i].tensor)
			return false;
	}
	return true;
}

static bool lay_all(struct rule *r, const struct contents *out, struct operand *operands)
{
	for (uint32_t i = 0; i < r->in_count; i++) {
		struct contents c = rule_contents(r, i);

		operands[i] = (struct operand){0};
		if (c.at && !arith_lay(&c, out, &operands[i]))
			return false;
	}
	return true;
}

/* Constants that overflow would otherwise become a symbol. */
static struct sym arith_compute(const struct arith *a, const struct sym *args)
{
	bool all_integers = true;
	struct sym s = arith_element(a, args);
	int64_t number;
	double real;

	for (uint32_t i = 0; i < a->count; i++) {
		if (!sym_is_unknown(args[i]) && !sym_value(a->p, args[i], &number) &&
		    !sym_float_value(a->p, args[i], &real))
			all_integers = false;
	}
	if (all_integers && !sym_value(a->p, s, &number) && !sym_float_value(a->p, s, &real))
		return SYM_UNKNOWN;
	return s;
}

/* Returns whether any element is known. */
static bool arith_walk(const struct arith *a, const struct contents *out,
		       const struct operand *operands, struct sym *values)
{
	uint32_t columns = arith_columns_of(out);
	struct sym args[MAX_OPERANDS] = {0}; /* a malformed node may lack some */
	bool any = out->count == 0;

	for (uint32_t i = 0; i < out->count; i++) {
		for (uint32_t k = 0; k < a->count; k++) {
			const struct operand *o = &operands[k];

			args[k] = o->at ? o->at[i / columns * o->down + i % columns * o->right]
					: SYM_UNKNOWN;
		}
		values[i] = arith_compute(a, args);
		any |= !sym_is_unknown(values[i]);
	}
	return any;
}

void arith_values_partly(struct rule *r, int32_t elem, enum arith_op op)
{
	struct operand operands[MAX_OPERANDS];
	struct arith a = {.r = r, .p = r->pool, .elem = elem, .count = r->in_count, .op = op};
	struct contents out;
	struct sym *values;

	a.whole = arith_is_whole(elem);
	if (r->in_count > MAX_OPERANDS || (!a.whole && !is_chain(elem)) ||
	    !arith_room(r, &out, &values) || !lay_all(r, &out, operands))
		return;
	a.out_elem = r->out[0].elem;
	if (arith_walk(&a, &out, operands, values))
		rule_out_contents(r, 0, out);
}

/* Does each element of one input meet each of the other? */
static bool meet_all(const struct rule *r)
{
	const struct info *a = &r->in[0], *b = &r->in[1];
	uint32_t common = MIN(a->rank, b->rank);

	for (uint32_t i = 1; i <= common; i++) {
		if (!sym_is(a->dims[a->rank - i], 1) && !sym_is(b->dims[b->rank - i], 1))
			return false;
	}
	return a->ranked && b->ranked;
}

static bool is_single(const struct rule *r, uint32_t input)
{
	for (uint32_t i = 0; i < r->in[input].rank; i++) {
		if (!sym_is(r->in[input].dims[i], 1))
			return false;
	}
	return r->in[input].ranked;
}

static bool may_have_bounds(const struct info *info)
{
	return info->contents.at || info->contents.min || info->contents.max || info->tensor;
}

/* By a factor that is never negative, the order stays; by one that never is positive, it turns. */
static void product_bounds(struct rule *r, const struct contents *c, struct sym factor)
{
	struct sym_range range = sym_range(r->pool, factor);
	struct sym min = sym_mul(r->pool, contents_min(c), factor);
	struct sym max = sym_mul(r->pool, contents_max(c), factor);

	if (sym_is_unknown(factor))
		return;
	if (range.lo >= 0)
		rule_out_bounds(r, 0, min, max);
	else if (range.hi <= 0)
		rule_out_bounds(r, 0, max, min);
}

void arith_bounds(struct rule *r, enum arith_op op)
{
	uint32_t single = is_single(r, 0) ? 0 : 1;
	struct contents a = {0}, b = {0};

	if ((op != ARITH_ADD && op != ARITH_SUB && op != ARITH_MUL) || r->out_count == 0 ||
	    r->out[0].contents.at || !may_have_bounds(&r->in[0]) || !may_have_bounds(&r->in[1]) ||
	    !meet_all(r))
		return;
	indices_bounds(r, op == ARITH_MUL ? !single : 0, &a);
	indices_bounds(r, op == ARITH_MUL ? single : 1, &b);
	if (op == ARITH_ADD)
		rule_out_bounds(r, 0, sym_add(r->pool, contents_min(&a), contents_min(&b)),
				sym_add(r->pool, contents_max(&a), contents_max(&b)));
	else if (op == ARITH_SUB)
		rule_out_bounds(r, 0, sym_sub(r->pool, contents_min(&a), contents_max(&b)),
				sym_sub(r->pool, contents_max(&a), contents_min(&b)));
	else if (is_single(r, single))
		product_bounds(r, &a, contents_max(&b));
}

void arith_values(struct rule *r, int32_t elem, enum arith_op op)
{
	if (op != ARITH_NONE && all_known(r))
		arith_values_partly(r, elem, op);
}
