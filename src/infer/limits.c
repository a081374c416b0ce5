#include "infer/limits.h"

#include "base/err.h"
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

static void limits_add(struct limits *l, struct infer *in, uint32_t symbol,
		       const struct size_set *sizes, uint32_t fact)
{
	struct limit *limit = limit_at(l, symbol);
	struct size_set before = limit->sizes;

	(void)sizes_meet(&in->arena, &before, sizes, &limit->sizes);
	if (!limit->multiple && sizes->mod > 1)
		limit->multiple = fact;
	if (!limit->bound && (sizes->hi < INT64_MAX || sizes_have_least(sizes)))
		limit->bound = fact;
}

/* Broadcasts come last: whether one may be 1 depends on the others. */
static void add_facts(struct limits *l, struct infer *in, bool broadcasts)
{
	for (size_t i = 0; i < in->facts.len; i++) {
		const struct fact *f = &in->facts.at[i];
		const struct condition *c;

		if (f->branch || (f->kind == FACT_SOFT || f->kind == FACT_PAIR) != broadcasts)
			continue;
		c = condition_of(in, f);
		if (c->kind == CONDITION_SIZES && !condition_pins(c, f->kind))
			limits_add(l, in, c->symbol, &c->sizes, (uint32_t)i + 1);
	}
}

static void add_assumptions(struct limits *l, struct infer *in)
{
	struct map seen = {0};

	for (size_t i = 0; i < in->assumptions.len; i++) {
		const struct assumption *a = &in->assumptions.at[i];
		struct size_set sizes;
		uint32_t symbol;

		if (a->branch || (*map_at(&seen, a->condition.w))++)
			continue;
		if (condition_sizes(in, a->condition, &symbol, &sizes) && !sizes_are_none(&sizes))
			limits_add(l, in, symbol, &sizes, 0);
	}
	map_release(&seen);
}

void limits_find(struct limits *out, struct infer *in, bool assumed)
{
	*out = (struct limits){0};
	add_facts(out, in, false);
	add_facts(out, in, true);
	if (assumed)
		add_assumptions(out, in);
}

void limits_release(struct limits *l)
{
	map_release(&l->places);
	vec_release(&l->all);
}

const struct limit *limit_of(const struct limits *l, uint32_t symbol)
{
	const uint32_t *place = map_find(&l->places, symbol);

	return place ? &l->all.at[*place - 1] : NULL;
}

/* The smallest sizes within the limits. */
struct smallest {
	const struct limits *limits; /* borrowed */
	const struct infer *in;      /* borrowed */
	struct sym_env env;
	bool ok;
};

static void bind_smallest(void *context, uint32_t symbol)
{
	struct smallest *s = context;
	const struct limit *limit = limit_of(s->limits, symbol);
	struct err ignored;

	if (s->in->pool.symbols.at[symbol].source == SYM_COMPLEX)
		return;
	s->ok = s->ok &&
		sym_bind(&s->env, &s->in->pool, symbol, limit ? limit->sizes.lo : 1, &ignored);
}

bool limits_allow_one(const struct limits *l, struct infer *in, const struct condition *c,
		      struct sym broadcast)
{
	struct smallest s = {.limits = l, .in = in, .ok = true};
	const struct limit *limit;
	int64_t value;

	if (c->kind == CONDITION_SIZES) {
		limit = limit_of(l, c->symbol);
		if (!c->sizes.or_one && !c->sizes.wide)
			return false;
		return !limit || sizes_have(&limit->sizes, 1);
	}
	if (!sizes_rises(&in->pool, broadcast))
		return true;
	sym_each_symbol(&in->pool, broadcast, bind_smallest, &s);
	s.ok = s.ok && sym_eval(&in->pool, &s.env, broadcast, &value) == SYM_OK;
	sym_env_release(&s.env);
	return !s.ok || value <= 1;
}
