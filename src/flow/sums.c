#include "flow/sums.h"

#include <inttypes.h>

#include "base/vec.h"
#include "flow/axis.h"
#include "flow/cause.h"
#include "flow/visit.h"
#include "sym/eval.h"
#include "sym/sym.h"

/* ---- names ---- */

static struct sym self_of(const struct pass *p, uint32_t bit)
{
	return p->in->pool.symbols.at[p->factory.symbols[bit]].self;
}

static bool is_plain_name(const struct pass *p, uint32_t bit)
{
	return !(p->carried >> bit & 1) && p->multiple[bit] == 1 && sym_is_unknown(p->sums[bit]) &&
	       p->old[bit] > 1;
}

static bool is_bit(uint64_t symbols)
{
	return !(symbols & (symbols - 1));
}

/* May the name stand for this size?  Two names that are equal should be one. */
static bool may_be(const struct pass *p, uint32_t bit, struct sym size)
{
	uint64_t symbols = flow_symbols(&p->factory, size);
	uint32_t ignored;

	if (!symbols || symbols >> bit & 1 || sym_symbol_id(&p->in->pool, size, &ignored) ||
	    sym_kind(&p->in->pool, size) != SYM_KIND_SUM || sym_range(&p->in->pool, size).lo < 1)
		return false;
	for (uint32_t i = 0; i < p->factory.symbol_count; i++) {
		if (symbols >> i & 1 && (p->multiple[i] != 1 || !sym_is_unknown(p->sums[i])))
			return false;
	}
	return true;
}

/* One side is the name alone. */
static bool learn_side(struct pass *p, struct sym name, struct sym size)
{
	for (uint32_t i = 0; i < p->factory.symbol_count; i++) {
		if (!sym_same(name, self_of(p, i)) || !is_plain_name(p, i) || !may_be(p, i, size))
			continue;
		p->sums[i] = size;
		return true;
	}
	return false;
}

/* The only two names that are joined, and whose old sizes add up to the old size of the name. */
static bool learn_pair(struct pass *p, uint32_t bit)
{
	struct sym found = SYM_UNKNOWN;

	for (size_t i = 0; i < p->totals.len; i++) {
		struct sym join = p->totals.at[i];
		int64_t old = 0;

		for (uint32_t k = 0; k < p->factory.symbol_count; k++) {
			if (flow_symbols(&p->factory, join) >> k & 1)
				old += p->old[k];
		}
		if (sym_part_count(&p->in->pool, join) != 2 || old != p->old[bit] ||
		    !may_be(p, bit, join))
			continue;
		if (!sym_is_unknown(found))
			return false;
		found = join;
	}
	p->sums[bit] = found;
	return !sym_is_unknown(found);
}

/* Two sizes of the name and a part of it differ: the other part is the only one that fits. */
static bool learn_other(struct pass *p, uint32_t bit, uint64_t symbols)
{
	struct sym found = SYM_UNKNOWN;

	for (uint32_t i = 0; i < p->factory.symbol_count; i++) {
		for (uint32_t k = 0; symbols >> i & 1 && k < p->factory.symbol_count; k++) {
			struct sym sum = sym_add(&p->in->pool, self_of(p, i), self_of(p, k));

			if (i == k || p->old[i] + p->old[k] != p->old[bit] ||
			    !is_plain_name(p, i) || !is_plain_name(p, k) || !may_be(p, bit, sum) ||
			    sym_same(found, sum))
				continue;
			if (!sym_is_unknown(found))
				return false;
			found = sum;
		}
	}
	p->sums[bit] = found;
	return !sym_is_unknown(found);
}

static bool learn_unequal(struct pass *p)
{
	const struct refusal *r = &p->refusal;
	uint64_t left = flow_symbols(&p->factory, r->a), right = flow_symbols(&p->factory, r->b);

	if (learn_side(p, r->a, r->b) || learn_side(p, r->b, r->a))
		return true;
	for (uint32_t i = 0; i < p->factory.symbol_count; i++) {
		if ((left ^ right) >> i & 1 && is_plain_name(p, i) &&
		    learn_other(p, i, left | right))
			return true;
	}
	return false;
}

bool sum_learn(struct pass *p)
{
	if (p->refusal.kind == REFUSAL_UNEQUAL && learn_unequal(p))
		return true;
	for (uint32_t i = 0; i < p->factory.symbol_count; i++) {
		if (is_plain_name(p, i) && learn_pair(p, i))
			return true;
	}
	return false;
}

struct sym sum_size(struct pass *p, uint32_t bit)
{
	struct sym_pool *pool = &p->in->pool;
	struct sym_subst subst = {0};
	struct sym size = p->sums[bit];

	if (sym_is_unknown(size))
		return sym_mul_int(pool, self_of(p, bit), p->multiple[bit]);
	for (uint32_t i = 0; i < p->factory.symbol_count; i++) {
		if (p->multiple[i] > 1)
			sym_replace(&subst, p->factory.symbols[i],
				    sym_mul_int(pool, self_of(p, i), p->multiple[i]));
	}
	size = sym_substitute(pool, &subst, size);
	sym_subst_release(&subst);
	return size;
}

/* ---- joins ---- */

static bool is_join(struct pass *p, struct sym join, struct sym size, uint32_t *out_bit)
{
	struct sym before = sym_sub(&p->in->pool, join, size);

	for (uint32_t i = 0; i < p->factory.symbol_count; i++) {
		if (sym_is_unknown(p->sums[i]) && sym_same(before, sum_size(p, i))) {
			*out_bit = i;
			return true;
		}
	}
	return false;
}

bool sum_joins(struct pass *p, struct sym sum, struct sym size)
{
	uint32_t ignored;

	return is_join(p, sum, size, &ignored);
}

bool sum_before(struct pass *p, struct sym size, uint32_t *out_bit)
{
	p->asked_totals = true;
	for (size_t i = 0; i < p->known.len; i++) {
		if (is_join(p, p->known.at[i].size, size, out_bit))
			return true;
	}
	for (size_t i = 0; i < p->totals.len; i++) {
		if (is_join(p, p->totals.at[i], size, out_bit))
			return true;
	}
	return false;
}

bool sum_check_table(struct visit *v, uint32_t port, struct sym size)
{
	struct pass *p = v->pass;
	uint32_t bit;

	return !sum_before(p, size, &bit) ||
	       flow_refuse(v, CAUSE_POSITIONS,
			   "it takes a row of input %" PRIu32
			   " for each of %s, which comes after %s: they may be the rows from "
			   "position %s on",
			   port, flow_text(p, size), flow_text(p, sum_size(p, bit)),
			   flow_text(p, sum_size(p, bit)));
}

static bool is_kept(const struct pass *p, struct sym size)
{
	for (size_t i = 0; i < p->totals.len; i++) {
		if (sym_same(p->totals.at[i], size))
			return true;
	}
	return false;
}

bool sum_keep(struct pass *p)
{
	bool any = false;

	for (size_t i = 0; i < p->known.len; i++) {
		const struct factor *f = &p->known.at[i];

		if (is_bit(f->symbols) || sym_kind(&p->in->pool, f->size) != SYM_KIND_SUM ||
		    is_kept(p, f->size))
			continue;
		vec_push(&p->totals, f->size);
		any = true;
	}
	return any && p->asked_totals;
}
