#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/sv.h"
#include "base/vec.h"
#include "infer/condition.h"
#include "infer/finding.h"
#include "infer/identity.h"
#include "infer/internal.h"
#include "infer/join.h"
#include "infer/limits.h"
#include "infer/sizes.h"
#include "infer/verdict.h"
#include "ops/need.h"
#include "sym/function.h"
#include "sym/sym.h"

const char *source_name(enum source source)
{
	static const char *const names[SOURCE_COUNT] = {
		[SOURCE_NONE] = "inferred",
		[SOURCE_INPUT] = "input",
		[SOURCE_INITIALIZER] = "initializer",
		[SOURCE_INFERRED] = "inferred",
		[SOURCE_CLAIM] = "claim",
	};

	return names[source];
}

/* Bodies may run several times, so each finding is reported only once. */
static bool told_before(struct infer *in, const struct finding *f)
{
	uint64_t key = hash_bytes(sv_of(f->text), f->level * 31 + f->node);

	key = hash_u64(hash_u64(key, f->kind), f->a.w);
	key = hash_u64(hash_u64(key, f->b.w), (uint64_t)f->n);
	key = hash_u64(hash_u64(key, (uint64_t)f->m), f->symbol);
	return (*map_at(&in->told, hash_u64(key, f->value) + (uint64_t)f->axis))++ != 0;
}

void infer_find(struct infer *in, struct finding f)
{
	if (told_before(in, &f))
		return;
	f.root = in->root;
	vec_push(&in->findings, f);
}

/* ---- facts ---- */

static struct finding facts_about(const struct infer *in, const struct fact *f, enum level level,
				  enum finding_kind kind)
{
	return (struct finding){.level = level,
				.kind = kind,
				.graph = f->graph,
				.node = f->node,
				.branch = f->branch,
				.axis = -1,
				.a = f->a,
				.b = f->b,
				.text = f->why,
				.fact = (uint32_t)(f - in->facts.at) + 1};
}

static void facts_tell(struct infer *in, const struct fact *f, enum level level,
		       enum finding_kind kind)
{
	infer_find(in, facts_about(in, f, level, kind));
}

bool infer_is_of_data(const struct infer *in, struct sym s)
{
	return !sym_is_unknown(s) && sym_has_generated(&in->pool, s);
}

/* ---- what a need says ---- */

/* The sizes that it leaves, from n to m; an error if an earlier pin leaves others. */
static void tell_pin(struct infer *in, const struct limits *l, const struct fact *f,
		     const struct condition *c)
{
	const struct limit *limit = limit_of(l, c->symbol);
	bool never = limit && limit->pin &&
		     (c->sizes.lo > limit->pin_hi || c->sizes.hi < limit->pin_lo);
	struct finding finding = facts_about(in, f, never ? LEVEL_ERROR : LEVEL_PIN,
					     FINDING_PINNED);

	finding.symbol = c->symbol;
	finding.n = c->sizes.lo;
	finding.m = c->sizes.hi;
	if (limits_allow_zero(l, in, c->factor))
		finding.unless = c->factor;
	infer_find(in, finding);
}

/* Once per condition: true the first time. */
static bool tell_condition_once(struct infer *in, const struct fact *f, struct sym key,
				enum level level, enum finding_kind kind)
{
	if (sym_is_unknown(key) || (*map_at(&in->bounds, key.w))++)
		return false;
	facts_tell(in, f, level, kind);
	return true;
}

static void tell_bound(struct infer *in, const struct fact *f)
{
	struct finding finding = facts_about(in, f, LEVEL_BOUND, FINDING_LIMIT);

	finding.a = sym_test_le(&in->pool, f->a, f->b);
	if (bound_tells(in, f) && !(*map_at(&in->bounds, finding.a.w))++)
		infer_find(in, finding);
}

static bool is_symbol(const struct infer *in, struct sym s)
{
	uint32_t ignored;

	return sym_symbol_id(&in->pool, s, &ignored);
}

/*
 * Several sizes that must together equal a number of the file are pinned, and so is one in a
 * form that has no set.  A weight leaves several sizes a choice.  Anything else says which
 * inputs fit.
 */
static void tell_equation(struct infer *in, const struct fact *f, const struct condition *c)
{
	struct finding finding = facts_about(in, f, LEVEL_MERGE, FINDING_EQUAL);
	int64_t ignored;
	uint32_t one;

	if (!(is_symbol(in, c->a) && is_symbol(in, c->b)) && !equation_restricts(in, f))
		return;
	finding.a = c->a;
	finding.b = c->b;
	if (sym_value(&in->pool, c->a, &ignored) || sym_value(&in->pool, c->b, &ignored))
		finding.level = fact_is_weight(in, f) && !sym_one_symbol(&in->pool, c->rest, &one)
					? LEVEL_BOUND
					: LEVEL_PIN;
	else
		identity_note(in, f, c);
	infer_find(in, finding);
}

static void tell_multiple(struct infer *in, const struct fact *f, const struct condition *c)
{
	struct finding finding = facts_about(in, f, LEVEL_DIVISIBLE, FINDING_MULTIPLE);

	finding.a = c->a;
	finding.b = c->b;
	infer_find(in, finding);
}

static void tell_several(struct infer *in, const struct limits *l, const struct fact *f,
			 const struct condition *c)
{
	switch (f->kind) {
	case FACT_EQUAL:
		tell_equation(in, f, c);
		break;
	case FACT_SOFT:
		if (limits_allow_one(l, in, c, f->a))
			facts_tell(in, f, LEVEL_SOFT, FINDING_ONE_OR);
		else
			facts_tell(in, f, fact_is_weight(in, f) ? LEVEL_BOUND : LEVEL_PIN,
				   FINDING_EQUAL);
		break;
	case FACT_PAIR:
		if (tell_condition_once(in, f, sym_apply(&in->pool, SYM_OP_BROADCAST, f->a, f->b),
					LEVEL_SOFT, FINDING_BROADCAST))
			identity_note_broadcast(in, f);
		break;
	case FACT_DIVISIBLE:
		tell_multiple(in, f, c);
		break;
	case FACT_BOUND:
		tell_bound(in, f);
		break;
	case FACT_NEVER: /* reported where it was found */
	case FACT_KIND_COUNT:
		break;
	}
}

static const struct size_set *keep_sizes(struct infer *in, const struct size_set *s)
{
	struct size_set *kept = arena_new(&in->arena, struct size_set);

	*kept = *s;
	return kept;
}

static void facts_add_sizes(struct infer *in, struct finding *f, uint32_t symbol,
			    const struct size_set *sizes)
{
	uint32_t *symbols = arena_array(&in->arena, 1, uint32_t);

	symbols[0] = symbol;
	f->symbol = symbol;
	f->symbols = symbols;
	f->symbol_count = 1;
	f->sizes = keep_sizes(in, sizes);
	f->a = in->pool.symbols.at[symbol].self;
}

/* A need of one branch is worth knowing, and no more: the other one may run. */
static void tell_of_branch(struct infer *in, const struct fact *f, const struct condition *c)
{
	struct finding finding = facts_about(in, f, LEVEL_BOUND, FINDING_OF_BRANCH);

	if (f->kind == FACT_EQUAL && c->kind == CONDITION_SEVERAL && !equation_restricts(in, f))
		return;
	if (c->kind == CONDITION_SIZES && !condition_pins(c, f->kind))
		return; /* one of the limits of the branch */
	if (c->kind == CONDITION_SIZES && f->kind == FACT_EQUAL && !sizes_are_none(&c->sizes)) {
		finding.kind = FINDING_BRANCH_SIZES;
		facts_add_sizes(in, &finding, c->symbol, &c->sizes);
		infer_find(in, finding);
		return;
	}
	finding.n = f->kind;
	finding.a = c->a;
	finding.b = c->b;
	infer_find(in, finding);
}

static void judge_fact(struct infer *in, const struct limits *l, const struct fact *f)
{
	/* A copy: condition_of may move it. */
	struct condition c = *condition_of(in, f);

	if (c.kind == CONDITION_NONE || c.of_data || f->kind == FACT_NEVER)
		return;
	if (f->branch) {
		tell_of_branch(in, f, &c);
		return;
	}
	if (c.kind == CONDITION_SEVERAL) {
		if (!limits_imply(l, in, f->kind, c.a, c.b))
			tell_several(in, l, f, &c);
		return;
	}
	if (!condition_pins(&c, f->kind))
		return; /* one of the limits */
	if (sizes_are_none(&c.sizes))
		facts_tell(in, f, LEVEL_ERROR, FINDING_DIFFERENCE);
	else if (f->kind != FACT_EQUAL && limits_allow_one(l, in, &c, f->a))
		facts_tell(in, f, LEVEL_SOFT,
			   f->kind == FACT_SOFT ? FINDING_ONE_OR : FINDING_BROADCAST);
	else
		tell_pin(in, l, f, &c);
}

/* ---- what all needs of a symbol say ---- */

/* A limit that no ordinary size reaches is not worth a line. */
static bool limit_is_ordinary(const struct size_set *s)
{
	return !sizes_have_least(s) && s->hi >= SIZES_ORDINARY;
}

/* Symbols that have the same limits share a finding, told of the first. */
struct shared_limit {
	uint32_t symbols[32];
	uint32_t count;
	bool told; /* of an earlier symbol */
};

static void share_limit(const struct limits *l, size_t first, bool multiple,
			struct shared_limit *out)
{
	enum {
		MAX_COMPARED = 256 /* with more symbols than that, each has its own */
	};
	const struct limit *limit = &l->all.at[first];
	size_t from = l->all.len <= MAX_COMPARED ? 0 : first;
	size_t to = l->all.len <= MAX_COMPARED ? l->all.len : first + 1;

	*out = (struct shared_limit){0};
	for (size_t i = from; i < to && out->count < ARRAY_LEN(out->symbols); i++) {
		const struct limit *other = &l->all.at[i];

		if (!sizes_equal(&other->sizes, &limit->sizes) ||
		    !(multiple ? other->multiple : other->bound))
			continue;
		out->told |= i < first;
		out->symbols[out->count++] = other->symbol;
	}
}

static void tell_limit(struct infer *in, const struct limits *l, size_t first, bool multiple)
{
	const struct limit *limit = &l->all.at[first];
	uint32_t fact = multiple ? limit->multiple : limit->bound;
	struct shared_limit shared;
	struct finding f;
	uint32_t *symbols;

	share_limit(l, first, multiple, &shared);
	if (shared.told)
		return;
	symbols = arena_array(&in->arena, shared.count, uint32_t);
	memcpy(symbols, shared.symbols, shared.count * sizeof(*symbols));
	f = facts_about(in, &in->facts.at[fact - 1], multiple ? LEVEL_DIVISIBLE : LEVEL_BOUND,
			multiple ? FINDING_MULTIPLES : FINDING_SIZES);
	f.symbol = limit->symbol;
	f.symbols = symbols;
	f.symbol_count = shared.count;
	f.sizes = keep_sizes(in, &limit->sizes);
	f.a = in->pool.symbols.at[limit->symbol].self;
	infer_find(in, f);
}

/* A pin that leaves only sizes within the limits says it already. */
static bool limit_of_pin(const struct limit *l)
{
	return l->pin && l->pin_lo >= l->sizes.lo && l->pin_hi <= l->sizes.hi;
}

/* What the needs of a branch say together. */
static void tell_branch_limit(struct infer *in, const struct limit *limit, bool multiple)
{
	uint32_t fact = multiple ? limit->multiple : limit->bound;
	struct finding f = facts_about(in, &in->facts.at[fact - 1],
				       multiple ? LEVEL_DIVISIBLE : LEVEL_BOUND,
				       multiple ? FINDING_BRANCH_MULTIPLES : FINDING_BRANCH_SIZES);

	facts_add_sizes(in, &f, limit->symbol, &limit->sizes);
	infer_find(in, f);
}

static void tell_branch_limits(struct infer *in, const struct limits *l)
{
	for (size_t i = 0; i < l->of_branches.len; i++) {
		const struct limit *limit = &l->of_branches.at[i];

		if (limit->multiple && limit->sizes.mod > 1)
			tell_branch_limit(in, limit, true);
		if (limit->bound && !limit_is_ordinary(&limit->sizes))
			tell_branch_limit(in, limit, false);
	}
}

static void tell_limits(struct infer *in, const struct limits *l)
{
	for (size_t i = 0; i < l->all.len; i++) {
		const struct limit *limit = &l->all.at[i];

		if (limit->multiple && limit->sizes.mod > 1)
			tell_limit(in, l, i, true);
		if (limit->bound && !limit_is_ordinary(&limit->sizes) && !limit_of_pin(limit))
			tell_limit(in, l, i, false);
	}
}

static void tell_complex(struct infer *in)
{
	for (uint32_t i = 0; i < in->pool.symbols.len; i++) {
		const struct sym_symbol *s = &in->pool.symbols.at[i];

		if (s->source == SYM_COMPLEX)
			infer_find(in, (struct finding){.level = LEVEL_COMPLEX,
							.kind = FINDING_TOO_LARGE,
							.axis = -1,
							.a = s->self});
	}
}

/* ---- claims, given the limits ---- */

/* A claim that holds at the sizes that needs leave is no news. */
static bool is_implied(struct infer *in, const struct limits *l, const struct finding *f)
{
	int64_t ignored;

	if (f->kind != FINDING_CLAIM || f->level == LEVEL_ERROR)
		return false;
	if (f->level == LEVEL_STALE && !sym_value(&in->pool, f->b, &ignored) &&
	    sym_eq(&in->pool, f->a, f->b) == SYM_MAYBE && !limits_tell_apart(l, in, f->a, f->b))
		return true;
	return limits_imply(l, in, FACT_EQUAL, f->a, f->b);
}

/* Findings keep their order; the numbers in them follow. */
static void drop_implied(struct infer *in, const struct limits *l)
{
	uint32_t *places = must_alloc((in->findings.len + 1) * sizeof(*places));
	size_t kept = 0;

	places[0] = 0;
	for (size_t i = 0; i < in->findings.len; i++) {
		bool drop = l->all.len && is_implied(in, l, &in->findings.at[i]);

		places[i + 1] = drop ? 0 : (uint32_t)kept + 1;
		if (!drop)
			in->findings.at[kept++] = in->findings.at[i];
	}
	in->findings.len = kept;
	for (size_t i = 0; i < kept; i++)
		in->findings.at[i].root = places[in->findings.at[i].root];
	free(places);
}

void infer_judge_facts(struct infer *in)
{
	struct limits limits;

	in->root = 0;
	branches_join(in);
	limits_find(&limits, in, false);
	for (size_t i = 0; i < in->facts.len; i++) {
		const struct fact *f = &in->facts.at[i];

		if (!work_take(in, work_of_need(in, f))) {
			work_drop_needs(in, f, in->facts.len - i);
			break;
		}
		judge_fact(in, &limits, f);
	}
	tell_limits(in, &limits);
	tell_branch_limits(in, &limits);
	joins_tell(in);
	drop_implied(in, &limits);
	limits_release(&limits);
	tell_complex(in);
}
