#include <string.h>

#include "app/verify/internal.h"
#include "base/err.h"
#include "base/map.h"
#include "base/num.h"
#include "base/sv.h"
#include "base/vec.h"
#include "infer/condition.h"
#include "infer/infer.h"
#include "ops/need.h"
#include "sym/eval.h"
#include "sym/sym.h"

enum {
	MAX_ZEROES = 1000,
	MAX_SEARCH = 1 << 14, /* sizes to look at for one that is allowed */
	FIRST_MULTIPLE = 6,   /* see other_size */
	MULTIPLES = 5,        /* 4 to 64 */
	LAST_TRY = FIRST_MULTIPLE + 2 * MULTIPLES
};

/* ---- axes of both models ---- */

static const struct side_input *input_named(const struct side *s, struct sv name)
{
	for (size_t i = 0; i < s->inputs.len; i++) {
		if (sv_eq(s->inputs.at[i].name, name))
			return &s->inputs.at[i];
	}
	return NULL;
}

static bool axis_differs(const struct side_input *b, uint32_t axis, int64_t before, int64_t now,
			 struct err *err)
{
	return err_set(
		err, ERR_REFUSED, "axis %.*s:%u is %lld in the first model and %lld in the second",
		(int)MIN(b->name.len, 80), b->name.at, axis, (long long)before, (long long)now);
}

/* A name that the graph of the original pins is a number all the same. */
static void link_symbols(struct chooser *c, size_t mine, size_t its)
{
	const struct limit *l = limit_of(&c->original->limits, c->original->symbols.at[its]);

	c->linked.at[mine] = (uint32_t)its + 1;
	if (l && l->pin && l->pin_lo == l->pin_hi && !c->before.at[mine])
		c->before.at[mine] = l->pin_lo;
}

/* What the original says about an axis of an input. */
static bool pair_axis(struct chooser *c, const struct side_input *a, const struct side_input *b,
		      uint32_t axis, struct sym *first_of, struct err *err)
{
	struct sym_pool *pool = &c->model->plain.pool;
	int64_t before, now;
	size_t mine, its;

	if (sym_value(&c->original->plain.pool, a->dims[axis], &before)) {
		if (sym_value(pool, b->dims[axis], &now))
			return before == now || axis_differs(b, axis, before, now, err);
		if (side_symbol(c->model, b->dims[axis], &mine) && !c->before.at[mine])
			c->before.at[mine] = before;
		return true;
	}
	if (!side_symbol(c->original, a->dims[axis], &its))
		return true;
	if (side_symbol(c->model, b->dims[axis], &mine))
		link_symbols(c, mine, its);
	/* One symbol of the original: its axes have the same size. */
	if (!sym_is_unknown(first_of[its]))
		*vec_add(&c->zeroes) = (struct zero){ZERO_SHARED, false,
						     sym_sub(pool, first_of[its], b->dims[axis])};
	else
		first_of[its] = b->dims[axis];
	return true;
}

static bool pair_inputs(struct chooser *c, struct err *err)
{
	VEC(struct sym) first_of = {0};
	bool ok = true;

	memset(vec_extend(&first_of, c->original->symbols.len + 1), 0,
	       (c->original->symbols.len + 1) * sizeof(struct sym));
	for (size_t i = 0; ok && i < c->model->inputs.len; i++) {
		const struct side_input *b = &c->model->inputs.at[i];
		const struct side_input *a = input_named(c->original, b->name);

		if (!a)
			ok = err_set(err, ERR_REFUSED, "only the second model has an input %.*s",
				     (int)MIN(b->name.len, 80), b->name.at);
		else if (a->rank != b->rank || a->elem != b->elem)
			ok = err_set(err, ERR_REFUSED, "the models declare input %.*s differently",
				     (int)MIN(b->name.len, 80), b->name.at);
		for (uint32_t k = 0; ok && k < b->rank; k++)
			ok = pair_axis(c, a, b, k, first_of.at, err);
	}
	for (size_t i = 0; ok && i < c->original->inputs.len; i++) {
		struct sv name = c->original->inputs.at[i].name;

		if (!input_named(c->model, name))
			ok = err_set(err, ERR_REFUSED, "only the first model has an input %.*s",
				     (int)MIN(name.len, 80), name.at);
	}
	vec_release(&first_of);
	return ok;
}

/* ---- sizes that will do ---- */

static bool chooser_allows(const struct chooser *c, size_t symbol, int64_t size)
{
	return size >= 1 && side_allows(c->model, symbol, size) &&
	       (!c->both || !c->linked.at[symbol] ||
		side_allows(c->original, c->linked.at[symbol] - 1, size));
}

/* The next one from `from` on, else the last one before it; 0 for none. */
static int64_t next_size(const struct chooser *c, size_t symbol, int64_t from)
{
	for (int64_t n = from; n < from + MAX_SEARCH; n++) {
		if (chooser_allows(c, symbol, n))
			return n;
	}
	for (int64_t n = from - 1; n > 0 && n > from - MAX_SEARCH; n--) {
		if (chooser_allows(c, symbol, n))
			return n;
	}
	return 0;
}

/*
 * Below the old size, where it does not divide it: what is baked in might still fit.  About half
 * of it, or the least that is allowed: next to the old size a limit that nobody found holds too.
 */
static int64_t size_below(const struct chooser *c, size_t symbol, int64_t old)
{
	int64_t half = MAX(old / 2, 2);

	for (int64_t n = half; n < old && n < half + MAX_SEARCH; n++) {
		if (old % n && chooser_allows(c, symbol, n))
			return n;
	}
	for (int64_t n = half - 1; n > 1 && n > half - MAX_SEARCH; n--) {
		if (old % n && chooser_allows(c, symbol, n))
			return n;
	}
	return 0;
}

static void default_sizes(struct chooser *c, size_t symbol)
{
	int64_t old = c->before.at[symbol], wanted = old ? old + 1 : 2 + (int64_t)(symbol % 3);
	int64_t first = next_size(c, symbol, wanted);
	int64_t second = old ? size_below(c, symbol, old) : 0;

	/* Where it is the least that is allowed, a runtime may fail; one far away says more. */
	if (!second)
		second = next_size(c, symbol, first > wanted ? 2 * first : first + 2);
	c->first.at[symbol] = first ? first : MAX(old, 1);
	c->second.at[symbol] = second ? second : c->first.at[symbol];
}

/* ---- conditions ---- */

static void find_zeroes(struct chooser *c, struct side *side, enum zero_of of)
{
	struct infer *in = &side->plain;
	struct map seen = {0};

	for (size_t i = 0; i < in->facts.len && c->zeroes.len < MAX_ZEROES; i++) {
		const struct fact *f = &in->facts.at[i];
		const struct condition *found;
		bool at_most = f->kind == FACT_BOUND;
		struct sym zero;

		if (f->branch || (f->kind != FACT_EQUAL && f->kind != FACT_SOFT &&
				  f->kind != FACT_PAIR && !at_most))
			continue;
		found = condition_of(in, f);
		if (found->kind != CONDITION_SEVERAL || found->of_data)
			continue;
		zero = sym_sub(&in->pool, found->a, found->b);
		if (!sym_is_unknown(zero) && !(*map_at(&seen, zero.w))++)
			*vec_add(&c->zeroes) = (struct zero){of, at_most, zero};
	}
	map_release(&seen);
}

void chooser_suit(struct chooser *c, bool both)
{
	c->both = both;
	for (size_t i = 0; i < c->model->symbols.len; i++)
		default_sizes(c, i);
}

bool chooser_open(struct chooser *c, struct side *model, struct side *original, struct err *err)
{
	size_t count = model->symbols.len;

	*c = (struct chooser){.model = model, .original = original};
	for (size_t i = 0; i < count; i++) {
		vec_push(&c->linked, 0);
		vec_push(&c->before, 0);
		vec_push(&c->first, 0);
		vec_push(&c->second, 0);
	}
	if (original && !pair_inputs(c, err))
		return false;
	find_zeroes(c, model, ZERO_OF_MODEL);
	if (original)
		find_zeroes(c, original, ZERO_OF_ORIGINAL);
	chooser_suit(c, false);
	return true;
}

void chooser_release(struct chooser *c)
{
	vec_release(&c->zeroes);
	vec_release(&c->linked);
	vec_release(&c->before);
	vec_release(&c->first);
	vec_release(&c->second);
}

/* ---- completing ---- */

void sizes_reset(struct sizes *s, size_t count)
{
	vec_clear(&s->at);
	vec_clear(&s->level);
	for (size_t i = 0; i < count; i++) {
		vec_push(&s->at, 0);
		vec_push(&s->level, SIZE_FREE);
	}
}

void sizes_release(struct sizes *s)
{
	vec_release(&s->at);
	vec_release(&s->level);
}

static bool zero_eval(const struct side *side, const int64_t *sizes, struct sym zero, int64_t *out)
{
	struct sym_env env = {0};
	bool ok = true;
	struct err ignored;

	for (size_t i = 0; ok && i < side->symbols.len; i++)
		ok = sym_bind(&env, &side->plain.pool, side->symbols.at[i], sizes[i], &ignored);
	ok = ok && sym_eval(&side->plain.pool, &env, zero, out) == SYM_OK;
	sym_env_release(&env);
	return ok;
}

/* The value of a condition that must be 0, at these sizes; false when it has none. */
static bool zero_value(const struct chooser *c, const struct sizes *s, const struct zero *zero,
		       int64_t *out)
{
	VEC(int64_t) its = {0};
	bool ok;

	if (zero->of != ZERO_OF_MODEL && !c->both)
		return false;
	if (zero->of != ZERO_OF_ORIGINAL)
		return zero_eval(c->model, s->at.at, zero->s, out);
	(void)vec_extend(&its, c->original->symbols.len + 1);
	ok = chooser_translate(c, s->at.at, 0, 0, its.at) &&
	     zero_eval(c->original, its.at, zero->s, out);
	vec_release(&its);
	return ok;
}

/* Does the condition depend on the symbol? */
static bool zero_mentions(const struct chooser *c, const struct zero *zero, size_t symbol)
{
	uint32_t its = c->linked.at[symbol];

	if (zero->of != ZERO_OF_ORIGINAL)
		return sym_mentions(&c->model->plain.pool, zero->s, c->model->symbols.at[symbol]);
	return its &&
	       sym_mentions(&c->original->plain.pool, zero->s, c->original->symbols.at[its - 1]);
}

/* Where the condition is linear in the symbol, the size at which it is 0. */
static bool solve_for(const struct chooser *c, struct sizes *s, const struct zero *zero,
		      size_t symbol)
{
	int64_t kept = s->at.at[symbol], at_one, at_two, slope, size = 0;
	bool ok;

	s->at.at[symbol] = 1;
	ok = zero_value(c, s, zero, &at_one);
	s->at.at[symbol] = 2;
	ok = ok && zero_value(c, s, zero, &at_two) && num_isub(at_two, at_one, &slope) && slope &&
	     at_one > INT64_MIN && at_one % slope == 0 && num_isub(1, at_one / slope, &size) &&
	     chooser_allows(c, symbol, size);
	s->at.at[symbol] = size;
	ok = ok && zero_value(c, s, zero, &at_one) && at_one == 0;
	if (!ok)
		s->at.at[symbol] = kept;
	return ok;
}

/* Changes a symbol that is least wanted as it is. */
static bool sizes_solve(const struct chooser *c, struct sizes *s, const struct zero *zero)
{
	for (enum size_level level = SIZE_FREE; level < SIZE_GIVEN; level++) {
		for (size_t i = c->model->symbols.len; i-- > 0;) {
			if (s->level.at[i] == level && zero_mentions(c, zero, i) &&
			    solve_for(c, s, zero, i))
				return true;
		}
	}
	return false;
}

static void meet_conditions(const struct chooser *c, struct sizes *s)
{
	bool changed = true;

	for (size_t round = 0; changed && round < c->model->symbols.len + 2; round++) {
		changed = false;
		for (size_t i = 0; i < c->zeroes.len; i++) {
			const struct zero *zero = &c->zeroes.at[i];
			int64_t value;

			if (zero_value(c, s, zero, &value) &&
			    (zero->at_most ? value > 0 : value != 0))
				changed |= sizes_solve(c, s, zero);
		}
	}
}

/* Do the graphs accept them? */
static bool sizes_fit(const struct chooser *c, const struct sizes *s)
{
	VEC(int64_t) its = {0};
	struct infer in;
	bool ok = side_infer(c->model, s->at.at, &in);

	infer_release(&in);
	if (!ok || !c->both)
		return ok;
	(void)vec_extend(&its, c->original->symbols.len + 1);
	ok = chooser_translate(c, s->at.at, 0, 0, its.at);
	if (ok) {
		ok = side_infer(c->original, its.at, &in);
		infer_release(&in);
	}
	vec_release(&its);
	return ok;
}

/* Each try is another: one symbol at 1, larger sizes, and then multiples of 4, 8, 16 ... */
static int64_t other_size(const struct chooser *c, size_t symbol, int64_t size, int64_t try)
{
	int64_t multiple = (int64_t)4 << MAX(try - FIRST_MULTIPLE, 0) % MULTIPLES;

	if (try >= FIRST_MULTIPLE)
		return next_size(c, symbol, (size + multiple - 1) / multiple * multiple);
	if (try % 2 == 0)
		return next_size(c, symbol, size + try * try / 2);
	if (c->without_ones || (size_t)try / 2 % c->model->symbols.len != symbol)
		return size;
	return 1;
}

static void fill_free(const struct chooser *c, struct sizes *s, int64_t try)
{
	/* What is wanted changes last. */
	enum size_level kept = try < 2                            ? SIZE_PREFERRED
			       : try < FIRST_MULTIPLE + MULTIPLES ? SIZE_WANTED
								  : SIZE_GIVEN;

	for (size_t i = 0; i < s->at.len; i++) {
		int64_t size = s->at.at[i];

		if (s->level.at[i] == SIZE_FREE)
			size = c->before.at[i] ? c->before.at[i] : c->first.at[i];
		else if (s->level.at[i] >= kept)
			continue;
		s->at.at[i] = MAX(try ? other_size(c, i, size, try) : size, 1);
	}
}

bool chooser_complete(struct chooser *c, struct sizes *s)
{
	struct sizes try = {0};
	bool ok = false;

	for (int64_t i = 0; !ok && i < LAST_TRY; i++) {
		vec_clear(&try.at);
		vec_clear(&try.level);
		for (size_t k = 0; k < s->at.len; k++) {
			vec_push(&try.at, s->at.at[k]);
			vec_push(&try.level, s->level.at[k]);
		}
		fill_free(c, &try, i);
		meet_conditions(c, &try);
		ok = sizes_fit(c, &try);
		for (size_t k = 0; (ok || i == 0) && k < s->at.len; k++)
			s->at.at[k] = try.at.at[k];
	}
	sizes_release(&try);
	return ok;
}

bool chooser_translate(const struct chooser *c, const int64_t *sizes, size_t items, int64_t group,
		       int64_t *out)
{
	const struct side *a = c->original, *b = c->model;
	size_t its, mine;

	for (size_t i = 0; i < a->symbols.len; i++)
		out[i] = -1;
	for (int pass = 0; pass < 2; pass++) { /* symbols first, then what they must give */
		for (size_t i = 0; i < b->inputs.len; i++) {
			const struct side_input *in = &b->inputs.at[i];
			const struct side_input *same = input_named(a, in->name);

			for (uint32_t k = 0; k < in->rank; k++) {
				bool of_items = items && side_symbol(b, in->dims[k], &mine) &&
						mine + 1 == items;
				int64_t now = of_items ? group : side_dim(b, sizes, in->dims[k]);

				if (pass == 0 && side_symbol(a, same->dims[k], &its) &&
				    out[its] < 0)
					out[its] = now;
				if (pass == 1 && side_dim(a, out, same->dims[k]) != now)
					return false;
			}
		}
	}
	for (size_t i = 0; i < a->symbols.len; i++) {
		if (out[i] < 0)
			return false;
	}
	return true;
}
