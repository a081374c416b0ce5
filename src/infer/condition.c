#include "infer/condition.h"

#include <stdlib.h>

#include "base/bug.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/vec.h"
#include "infer/internal.h"
#include "ops/need.h"
#include "sym/eval.h"
#include "sym/function.h"
#include "sym/marks.h"
#include "sym/sym.h"
#include "sym/text.h"

/* Layers repeat the needs of the first one, so each is normalised once. */
struct condition_entry {
	struct fact fact; /* the first of this kind */
	struct condition condition;
};

struct condition_list {
	struct map places; /* hash -> index plus 1 */
	VEC(struct condition_entry) all;
	size_t work; /* left for finding sizes; then conditions stay expressions */
	struct sym_marks unchosen;
};

static struct condition_list *conditions_of(struct infer *in)
{
	enum {
		WORK = 1 << 24,
		WORK_PER_NODE = 1 << 10
	};

	if (!in->conditions) {
		in->conditions = must_alloc(sizeof(*in->conditions));
		*in->conditions = (struct condition_list){.work = WORK + in->model->nodes.len *
										 WORK_PER_NODE};
	}
	return in->conditions;
}

static bool find_by_trying(struct infer *in, struct sym condition, uint32_t symbol,
			   struct size_set *out)
{
	return sizes_find(&in->pool, &in->arena, condition, symbol, &conditions_of(in)->work, out);
}

void conditions_release(struct infer *in)
{
	if (!in->conditions)
		return;
	map_release(&in->conditions->places);
	vec_release(&in->conditions->all);
	sym_marks_release(&in->conditions->unchosen);
	free(in->conditions);
}

/* ---- one symbol ---- */

/* The expression without its constant, which is *out_constant. */
static struct sym without_constant(struct sym_pool *p, struct sym s, int64_t *out_constant)
{
	*out_constant = 0;
	if (sym_kind(p, s) != SYM_KIND_SUM)
		return s;
	for (size_t i = 0; i < sym_part_count(p, s); i++) {
		struct sym_part part = sym_part(p, s, i);

		if (sym_is(part.s, 1) && part.number != INT64_MIN) {
			*out_constant = part.number;
			return sym_add_int(p, s, -part.number);
		}
	}
	return s;
}

/* The sizes at which the expression is in [lo, hi], one of which is 0. */
static bool sizes_where(struct sym_pool *p, struct sym s, uint32_t symbol, bool equal,
			struct size_set *out)
{
	int64_t constant;
	struct sym moving = without_constant(p, s, &constant);

	if (sizes_rises(p, moving))
		return sizes_between(p, moving, symbol, -constant, equal ? -constant : INT64_MAX,
				     out);
	moving = sym_neg(p, moving);
	if (sym_is_unknown(moving) || !sizes_rises(p, moving))
		return false;
	return sizes_between(p, moving, symbol, equal ? constant : INT64_MIN, constant, out);
}

static bool equal_sizes(struct infer *in, struct sym rest, uint32_t symbol, struct size_set *out)
{
	return sizes_where(&in->pool, rest, symbol, true, out) ||
	       find_by_trying(in, sym_test_eq(&in->pool, rest, sym_int(&in->pool, 0)), symbol, out);
}

static bool bound_sizes(struct infer *in, struct sym a, struct sym b, uint32_t symbol,
			struct size_set *out)
{
	return sizes_where(&in->pool, sym_sub(&in->pool, b, a), symbol, false, out) ||
	       find_by_trying(in, sym_test_le(&in->pool, a, b), symbol, out);
}

static bool multiple_sizes(struct infer *in, struct sym a, struct sym b, uint32_t symbol,
			   struct size_set *out)
{
	struct sym test = sym_test_eq(&in->pool, sym_mod(&in->pool, a, b), sym_int(&in->pool, 0));

	return find_by_trying(in, test, symbol, out);
}

/*
 * Two sizes that are broadcast, one of them perhaps a number.  Where infinitely many sizes make
 * them equal, those at which one happens to be 1 are left out: nobody wants them.
 */
static bool broadcast_sizes(struct infer *in, struct sym a, struct sym b, uint32_t symbol,
			    struct size_set *out)
{
	struct sym_pool *p = &in->pool;
	struct sym one = sym_int(p, 1), test;
	bool found = equal_sizes(in, sym_sub(p, a, b), symbol, out);
	int64_t number;
	uint32_t id;

	if (found && out->hi == INT64_MAX && !sizes_are_none(out)) {
		out->leaves_out_small = !sizes_are_all(out);
		return true;
	}
	if (sym_symbol_id(p, a, &id) && sym_value(p, b, &number) && number > 1) {
		*out = (struct size_set){.lo = number, .hi = number, .mod = 1, .or_one = true};
		return true;
	}
	/* Where only few sizes will do, those at which it is 1 are said to exist. */
	if (found && sym_value(p, b, &number) && number > 1 && sizes_rises(p, a)) {
		out->leaves_out_small = true;
		return !sizes_are_none(out);
	}
	test = sym_or(p, sym_test_eq(p, a, b),
		      sym_or(p, sym_test_eq(p, a, one), sym_test_eq(p, b, one)));
	return find_by_trying(in, test, symbol, out);
}

static bool find_sizes(struct infer *in, const struct fact *f, const struct condition *c,
		       uint32_t symbol, struct size_set *out)
{
	switch (f->kind) {
	case FACT_EQUAL:
		return equal_sizes(in, c->rest, symbol, out);
	case FACT_SOFT:
	case FACT_PAIR:
		return broadcast_sizes(in, f->a, f->b, symbol, out);
	case FACT_DIVISIBLE:
		return multiple_sizes(in, c->a, c->b, symbol, out);
	case FACT_BOUND:
		return bound_sizes(in, f->a, f->b, symbol, out);
	case FACT_NEVER:
	case FACT_KIND_COUNT:
		break;
	}
	return false;
}

/* ---- normal form ---- */

/* a*b + c - 2*d: a*b + c on one side, 2*d on the other. */
static void split_sides(struct sym_pool *p, struct sym rest, struct sym *a, struct sym *b)
{
	*a = *b = sym_int(p, 0);
	if (sym_kind(p, rest) != SYM_KIND_SUM) {
		*a = rest;
		return;
	}
	for (size_t i = 0; i < sym_part_count(p, rest); i++) {
		struct sym_part part = sym_part(p, rest, i);
		struct sym term = sym_mul_int(p, part.s, part.number);

		if (part.number > 0)
			*a = sym_add(p, *a, term);
		else
			*b = sym_sub(p, *b, term);
	}
}

/*
 * What is multiplied by the same on both sides is equal without it: sizes are at least 1.  What
 * is left out though it may be 0, as floor(n/2), is *out_factor; unknown for nothing.
 */
static struct sym normal_rest(struct sym_pool *p, struct sym a, struct sym b,
			      struct sym *out_factor)
{
	struct sym rest = sym_sub(p, a, b), factor, smaller;

	if (sym_common_factor(p, rest, 1, &factor, &smaller))
		rest = smaller;
	*out_factor = SYM_UNKNOWN;
	if (!sym_common_factor(p, rest, 0, &factor, &smaller))
		return rest;
	*out_factor = factor;
	return smaller;
}

/* A multiple is one without the factors that both have. */
static void normal_multiple(struct sym_pool *p, struct sym *a, struct sym *b)
{
	struct sym factor, ignored, whole, part;

	if (sym_common_factor(p, sym_add(p, *a, *b), 0, &factor, &ignored) &&
	    sym_divide(p, *a, factor, &whole) && sym_divide(p, *b, factor, &part)) {
		*a = whole;
		*b = part;
	}
}

static bool condition_is_unchosen(const void *context, uint32_t symbol)
{
	const struct infer *in = context;

	/* Those in the definition of a complex one count. */
	return in->pool.symbols.at[symbol].source != SYM_COMPLEX && !infer_is_chosen(in, symbol);
}

/* Does it depend on data, or on a claim?  Then nobody can choose it. */
static bool condition_is_of_data(struct infer *in, struct sym s)
{
	struct sym_marks *unchosen = &conditions_of(in)->unchosen;

	unchosen->test = condition_is_unchosen;
	unchosen->context = in;
	return sym_marked(unchosen, &in->pool, s);
}

static bool is_one_symbol(const struct infer *in, const struct condition *c, uint32_t *out)
{
	uint32_t a = 0, b = 0;
	int64_t ignored;
	bool in_a, in_b;

	if (c->equal)
		return sym_one_symbol(&in->pool, c->rest, out);
	in_a = sym_one_symbol(&in->pool, c->a, &a);
	in_b = sym_one_symbol(&in->pool, c->b, &b);
	*out = in_a ? a : b;
	return (in_a && in_b && a == b) || (in_a && sym_value(&in->pool, c->b, &ignored)) ||
	       (in_b && sym_value(&in->pool, c->a, &ignored));
}

/* n = 9*n: only a size of 0 will do. */
static void condition_make_zero(struct infer *in, const struct fact *f, struct condition *c)
{
	struct sym difference = sym_sub(&in->pool, f->a, f->b);

	c->kind = CONDITION_NONE;
	if (sym_is(c->rest, 0) || !sym_one_symbol(&in->pool, difference, &c->symbol) ||
	    !infer_is_chosen(in, c->symbol))
		return;
	c->kind = CONDITION_SIZES;
	c->sizes = (struct size_set){.mod = 1};
}

static void condition_make(struct infer *in, const struct fact *f, struct condition *c)
{
	int64_t ignored;

	*c = (struct condition){
		.kind = CONDITION_SEVERAL, .equal = f->kind == FACT_EQUAL, .a = f->a, .b = f->b};
	if (c->equal) {
		c->rest = normal_rest(&in->pool, f->a, f->b, &c->factor);
		if (sym_is_unknown(c->rest) || sym_value(&in->pool, c->rest, &ignored)) {
			condition_make_zero(in, f, c);
			return;
		}
		split_sides(&in->pool, c->rest, &c->a, &c->b);
	}
	if (f->kind == FACT_DIVISIBLE)
		normal_multiple(&in->pool, &c->a, &c->b);
	c->of_data = c->equal ? condition_is_of_data(in, c->rest)
			      : condition_is_of_data(in, c->a) || condition_is_of_data(in, c->b);
	if (!c->of_data && is_one_symbol(in, c, &c->symbol) &&
	    find_sizes(in, f, c, c->symbol, &c->sizes))
		c->kind = sizes_are_all(&c->sizes) ? CONDITION_NONE : CONDITION_SIZES;
}

uint64_t fact_key(const struct fact *f)
{
	return hash_u64(hash_u64(f->kind, f->a.w), f->b.w);
}

bool fact_says_same(const struct fact *a, const struct fact *b)
{
	return a->kind == b->kind && sym_same(a->a, b->a) && sym_same(a->b, b->b);
}

const struct condition *condition_of(struct infer *in, const struct fact *f)
{
	struct condition_list *l = conditions_of(in);
	struct condition_entry made = {.fact = *f};
	uint32_t *place = map_at(&l->places, fact_key(f));
	bool found = *place != 0;

	if (found && fact_says_same(&l->all.at[*place - 1].fact, f))
		return &l->all.at[*place - 1].condition;
	condition_make(in, f, &made.condition);
	vec_push(&l->all, made);
	if (!found) /* else two have the same hash: the first keeps it */
		*place = (uint32_t)l->all.len;
	return &vec_last(&l->all)->condition;
}

bool condition_sizes(struct infer *in, struct sym test, uint32_t *out_symbol, struct size_set *out)
{
	bool ok = sym_one_symbol(&in->pool, test, out_symbol) && infer_is_chosen(in, *out_symbol);
	bool below = false;
	struct sym side = ok ? bounds_compared(in, test, &below) : SYM_UNKNOWN;

	if (!ok)
		return false;
	/* side >= 0, or side <= -1 */
	if (!sym_is_unknown(side) && below)
		side = sym_sub(&in->pool, sym_int(&in->pool, -1), side);
	return (!sym_is_unknown(side) && sizes_where(&in->pool, side, *out_symbol, false, out)) ||
	       find_by_trying(in, test, *out_symbol, out);
}

bool condition_equal_sizes(struct infer *in, struct sym a, struct sym b, uint32_t *out_symbol,
			   struct size_set *out)
{
	struct sym factor, rest = normal_rest(&in->pool, a, b, &factor);

	return sym_one_symbol(&in->pool, rest, out_symbol) &&
	       equal_sizes(in, rest, *out_symbol, out) && !out->has_gaps;
}

/* ---- several symbols ---- */

static bool has_negative(const struct sym_pool *p, struct sym s)
{
	for (size_t i = 0; sym_kind(p, s) == SYM_KIND_SUM && i < sym_part_count(p, s); i++) {
		if (sym_part(p, s, i).number < 0)
			return true;
	}
	return false;
}

/* The coefficient of the symbol when it occurs nowhere else; 0 otherwise. */
static int64_t lone_coefficient(const struct sym_pool *p, struct sym rest, struct sym self,
				uint32_t symbol)
{
	int64_t found = 0;

	if (sym_same(rest, self))
		return 1;
	for (size_t i = 0; sym_kind(p, rest) == SYM_KIND_SUM && i < sym_part_count(p, rest); i++) {
		struct sym_part part = sym_part(p, rest, i);

		if (sym_same(part.s, self))
			found = part.number;
		else if (sym_mentions(p, part.s, symbol))
			return 0;
	}
	return found;
}

bool condition_solve(struct infer *in, const struct condition *c, uint32_t symbol, struct sym *out)
{
	struct sym_pool *p = &in->pool;
	struct sym self = p->symbols.at[symbol].self;
	int64_t k = c->equal ? lone_coefficient(p, c->rest, self, symbol) : 0;

	*out = SYM_UNKNOWN;
	if (k == 1)
		*out = sym_sub(p, self, c->rest);
	else if (k == -1)
		*out = sym_add(p, self, c->rest);
	if (has_negative(p, *out))
		*out = SYM_UNKNOWN;
	return k != 0;
}

void need_print(const struct infer *in, enum fact_kind kind, struct sym a, struct sym b,
		struct str *out)
{
	static const char *const words[FACT_KIND_COUNT] = {
		[FACT_EQUAL] = " = ",  [FACT_SOFT] = " = 1 or ",
		[FACT_PAIR] = " = ",   [FACT_DIVISIBLE] = " a multiple of ",
		[FACT_BOUND] = " <= ", [FACT_NEVER] = " = ",
	};

	int64_t number;
	/* 65 <= n is better said the other way round. */
	bool turned = kind == FACT_BOUND && sym_value(&in->pool, a, &number);

	sym_say(&in->pool, turned ? b : a, out);
	str_text(out, turned ? " >= " : words[kind]);
	sym_say(&in->pool, turned ? a : b, out);
	str_text(out, kind == FACT_PAIR ? " or one is 1" : "");
}
