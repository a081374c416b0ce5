#include "infer/limits.h"

#include "base/hash.h"
#include "base/map.h"
#include "base/vec.h"
#include "infer/internal.h"
#include "infer/trial.h"
#include "ops/need.h"
#include "sym/eval.h"
#include "sym/sym.h"

bool condition_pins(const struct condition *c, enum fact_kind kind)
{
	return c->kind == CONDITION_SIZES && c->sizes.hi < INT64_MAX &&
	       (kind == FACT_EQUAL || kind == FACT_SOFT || kind == FACT_PAIR);
}

static struct limit *limit_at(struct limits *l, uint32_t symbol)
{
	uint32_t *place = map_at(&l->places, symbol);

	if (!*place) {
		*vec_add(&l->all) = (struct limit){.symbol = symbol, .sizes = sizes_all()};
		*place = (uint32_t)l->all.len;
	}
	return &l->all.at[*place - 1];
}

static struct limit *limit_of_branch(struct limits *l, uint32_t branch, uint32_t symbol)
{
	uint32_t *place = map_at(&l->branch_places, (uint64_t)branch << 32 | symbol);

	if (!*place) {
		*vec_add(&l->of_branches) = (struct limit){
			.symbol = symbol, .branch = branch, .sizes = sizes_all()};
		*place = (uint32_t)l->of_branches.len;
	}
	return &l->of_branches.at[*place - 1];
}

/* The node that is named is the first that needs it, in a branch the one that needs the most. */
static void limits_add(struct infer *in, struct limit *limit, const struct size_set *sizes,
		       uint32_t fact)
{
	struct size_set before = limit->sizes;

	(void)sizes_meet(&in->arena, &before, sizes, &limit->sizes);
	if (!limit->multiple && sizes->mod > 1)
		limit->multiple = fact;
	if (limit->branch && (limit->sizes.lo > before.lo || limit->sizes.hi < before.hi))
		limit->bound = 0;
	if (!limit->bound && (sizes->hi < INT64_MAX || sizes_have_least(sizes)))
		limit->bound = fact;
}

/* Layers repeat the needs of the first one. */
static void limits_note_facts(struct limits *l, struct infer *in)
{
	struct map seen = {0}; /* hash -> index plus 1 */

	for (uint32_t i = 0; i < in->facts.len; i++) {
		const struct fact *f = &in->facts.at[i];
		uint32_t *place = map_at(&seen, hash_u64(fact_key(f), f->branch));
		const struct fact *first = *place ? &in->facts.at[*place - 1] : NULL;

		if (first && fact_says_same(first, f) && first->branch == f->branch)
			continue;
		if (!first)
			*place = i + 1;
		if (!work_take(in, work_of_need(in, f))) {
			work_drop_needs(in, f, in->facts.len - i);
			break;
		}
		vec_push(&l->facts, i);
	}
	map_release(&seen);
}

/* Broadcasts come last: whether one may be 1 depends on the others. */
static void add_facts(struct limits *l, struct infer *in, bool broadcasts)
{
	for (size_t i = 0; i < l->facts.len; i++) {
		const struct fact *f = &in->facts.at[l->facts.at[i]];
		const struct condition *c;

		if ((f->kind == FACT_SOFT || f->kind == FACT_PAIR) != broadcasts)
			continue;
		c = condition_of(in, f);
		if (c->kind == CONDITION_SIZES && !condition_pins(c, f->kind))
			limits_add(in,
				   f->branch ? limit_of_branch(l, f->branch, c->symbol)
					     : limit_at(l, c->symbol),
				   &c->sizes, l->facts.at[i] + 1);
	}
}

static void limits_add_assumptions(struct limits *l, struct infer *in)
{
	struct map seen = {0};

	for (size_t i = 0; i < in->assumptions.len; i++) {
		const struct assumption *a = &in->assumptions.at[i];
		struct size_set sizes;
		uint32_t symbol;

		if (a->branch || (*map_at(&seen, a->condition.w))++)
			continue;
		if (condition_sizes(in, a->condition, &symbol, &sizes) && !sizes_are_none(&sizes))
			limits_add(in, limit_at(l, symbol), &sizes, 0);
	}
	map_release(&seen);
}

static void add_pins(struct limits *l, struct infer *in)
{
	for (size_t i = 0; i < l->facts.len; i++) {
		const struct fact *f = &in->facts.at[l->facts.at[i]];
		struct condition c = *condition_of(in, f);
		struct limit *limit;

		if (f->branch || !condition_pins(&c, f->kind) || sizes_are_none(&c.sizes) ||
		    limits_allow_zero(l, in, c.factor) ||
		    (f->kind != FACT_EQUAL && limits_allow_one(l, in, &c, f->a)))
			continue;
		limit = limit_at(l, c.symbol);
		if (!limit->pin) {
			limit->pin = l->facts.at[i] + 1;
			limit->pin_lo = c.sizes.lo;
			limit->pin_hi = c.sizes.hi;
		} else if (limit->pin_lo <= c.sizes.hi && c.sizes.lo <= limit->pin_hi) {
			limit->pin_lo = MAX(limit->pin_lo, c.sizes.lo);
			limit->pin_hi = MIN(limit->pin_hi, c.sizes.hi);
		}
	}
}

void limits_find(struct limits *out, struct infer *in, bool assumed)
{
	*out = (struct limits){0};
	limits_note_facts(out, in);
	add_facts(out, in, false);
	add_facts(out, in, true);
	if (assumed)
		limits_add_assumptions(out, in);
	add_pins(out, in);
}

void limits_add_multiple(struct limits *l, struct infer *in, uint32_t symbol, int64_t multiple)
{
	struct size_set sizes = sizes_all();
	uint64_t *rem;

	if (multiple <= 1 || multiple > SIZES_MAX_MOD)
		return;
	rem = sizes_remainders(&in->arena, (uint32_t)multiple);
	rem[0] = 1;
	sizes.mod = (uint32_t)multiple;
	sizes.rem = rem;
	sizes_reduce(&sizes);
	limits_add(in, limit_at(l, symbol), &sizes, 0);
}

void limits_release(struct limits *l)
{
	map_release(&l->places);
	map_release(&l->branch_places);
	vec_release(&l->of_branches);
	vec_release(&l->all);
	vec_release(&l->facts);
}

const struct limit *limit_of(const struct limits *l, uint32_t symbol)
{
	const uint32_t *place = map_find(&l->places, symbol);

	return place ? &l->all.at[*place - 1] : NULL;
}

/* The first size from `least` on, if there is one; else the last. */
static int64_t size_within(const void *limits, uint32_t symbol, int64_t least)
{
	const struct limit *limit = limit_of(limits, symbol);
	int64_t size = limit ? MAX(limit->sizes.lo, least) : least;

	if (limit && limit->pin) /* one of its sizes; the least for small ones */
		return least <= limit->pin_lo
			       ? limit->pin_lo
			       : limit->pin_lo + least % (limit->pin_hi - limit->pin_lo + 1);
	if (limit && size > limit->sizes.hi)
		return limit->sizes.hi;
	for (uint32_t i = 0; limit && i < limit->sizes.mod && !sizes_have(&limit->sizes, size); i++)
		size++;
	return size;
}

struct trial limits_trial(const struct limits *l)
{
	return (struct trial){.choose = size_within, .context = l};
}

bool limits_allow_one(const struct limits *l, struct infer *in, const struct condition *c,
		      struct sym broadcast)
{
	struct trial least = limits_trial(l);
	int64_t value = 0;

	if (c->kind == CONDITION_SIZES && !c->sizes.or_one && !c->sizes.has_gaps &&
	    !c->sizes.leaves_out_small)
		return false;
	if (!sizes_rises(&in->pool, broadcast))
		return true;
	least.first = 1;
	return trial_run(in, &least, broadcast, &value) != SYM_OK || value <= 1;
}

bool limits_allow_zero(const struct limits *l, struct infer *in, struct sym factor)
{
	struct trial least = limits_trial(l);
	int64_t value = 0;

	if (sym_is_unknown(factor))
		return false;
	least.first = 1;
	return !sizes_rises(&in->pool, factor) || trial_run(in, &least, factor, &value) != SYM_OK ||
	       value <= 0;
}

bool limits_tell_apart(const struct limits *l, struct infer *in, struct sym a, struct sym b)
{
	struct sym difference = sym_sub(&in->pool, a, b);
	bool apart = false;

	for (unsigned i = 0; i < TRIAL_COUNT && !apart; i++) {
		struct trial t = trial_ordinary(i), within = limits_trial(l);
		int64_t value = 0;

		within.first = t.first;
		within.step = t.step;
		apart = trial_run(in, &within, difference, &value) == SYM_OK && value != 0;
	}
	return apart;
}

/* ---- what limits imply ---- */

enum {
	MAX_PINNED = 64 /* sizes of an interval that are tried */
};

/* Symbols replaced by what is known of them. */
struct knowing {
	const struct limits *limits; /* borrowed */
	struct infer *in;            /* borrowed */
	struct sym_subst subst;
	uint32_t interval; /* a symbol that is pinned to an interval, plus 1 */
	bool any;
};

/* A multiple of 8 is 8 times another size. */
static struct sym as_multiple(struct infer *in, const struct limit *limit)
{
	const struct size_set *s = &limit->sizes;
	int64_t rem = s->lo % s->mod;
	struct sym_origin origin = {.node = SYM_NODE_LIMIT,
				    .output = limit->symbol,
				    .axis = s->mod,
				    .range = {s->lo / s->mod, INT64_MAX}};

	return sym_add_int(&in->pool,
			   sym_mul_int(&in->pool, sym_generate(&in->pool, &origin), s->mod), rem);
}

/* By words, not bits: a modulus may be in the thousands, and every condition asks. */
static bool has_one_remainder(const struct size_set *s)
{
	bool found = false;

	if (!s->rem)
		return false;
	for (uint32_t from = 0; from < s->mod; from += 64) {
		uint64_t bits = s->rem[from / 64];

		if (s->mod - from < 64)
			bits &= (UINT64_C(1) << (s->mod - from)) - 1;
		if (bits && (found || (bits & (bits - 1))))
			return false;
		found = found || bits;
	}
	return found;
}

static void know_symbol(void *context, uint32_t symbol)
{
	struct knowing *k = context;
	const struct limit *limit = limit_of(k->limits, symbol);

	if (!limit)
		return;
	if (limit->pin && limit->pin_lo == limit->pin_hi) {
		sym_replace(&k->subst, symbol, sym_int(&k->in->pool, limit->pin_lo));
		k->any = true;
	} else if (limit->pin) {
		k->interval = symbol + 1;
	} else if (has_one_remainder(&limit->sizes)) {
		sym_replace(&k->subst, symbol, as_multiple(k->in, limit));
		k->any = true;
	}
}

static bool always_holds(struct sym_pool *p, enum fact_kind kind, struct sym a, struct sym b)
{
	struct sym ignored;

	switch (kind) {
	case FACT_EQUAL:
	case FACT_SOFT:
	case FACT_PAIR:
		return sym_eq(p, a, b) == SYM_YES;
	case FACT_DIVISIBLE:
		return sym_divide(p, a, b, &ignored) || sym_is(sym_mod(p, a, b), 0);
	case FACT_BOUND:
		return sym_le(p, a, b) == SYM_YES;
	case FACT_NEVER:
	case FACT_KIND_COUNT:
		break;
	}
	return false;
}

static bool knowing_proves(struct knowing *k, enum fact_kind kind, struct sym a, struct sym b)
{
	struct sym_pool *p = &k->in->pool;

	return always_holds(p, kind, sym_substitute(p, &k->subst, a),
			    sym_substitute(p, &k->subst, b));
}

/* At each size of an interval in turn. */
static bool interval_proves(const struct knowing *k, enum fact_kind kind, struct sym a,
			    struct sym b)
{
	const struct limit *limit = limit_of(k->limits, k->interval - 1);
	bool holds = limit->pin_hi - limit->pin_lo < MAX_PINNED;

	for (int64_t size = limit->pin_lo; holds && size <= limit->pin_hi; size++) {
		struct knowing at = {.in = k->in, .limits = k->limits};

		sym_each_symbol(&k->in->pool, a, know_symbol, &at);
		sym_each_symbol(&k->in->pool, b, know_symbol, &at);
		sym_replace(&at.subst, k->interval - 1, sym_int(&k->in->pool, size));
		holds = knowing_proves(&at, kind, a, b);
		sym_subst_release(&at.subst);
	}
	return holds;
}

/* Is every size within the limits one at which the two are equal? */
static bool sets_prove(const struct limits *l, struct infer *in, struct sym a, struct sym b)
{
	struct size_set equal, both;
	const struct limit *limit;
	uint32_t symbol;

	if (!condition_equal_sizes(in, a, b, &symbol, &equal))
		return false;
	limit = limit_of(l, symbol);
	return limit && sizes_meet(&in->arena, &limit->sizes, &equal, &both) &&
	       sizes_equal(&limit->sizes, &both);
}

bool limits_imply(const struct limits *l, struct infer *in, enum fact_kind kind, struct sym a,
		  struct sym b)
{
	struct knowing k = {.in = in, .limits = l};
	bool holds;

	if (l->all.len == 0)
		return false;
	sym_each_symbol(&in->pool, a, know_symbol, &k);
	sym_each_symbol(&in->pool, b, know_symbol, &k);
	holds = k.interval ? interval_proves(&k, kind, a, b)
			   : k.any && knowing_proves(&k, kind, a, b);
	sym_subst_release(&k.subst);
	return holds || (kind == FACT_EQUAL && sets_prove(l, in, a, b));
}
