/* Ranges of expressions of sizes that are not huge. */
#include "sym/node.h"
#include "sym/range.h"
#include "sym/sym.h"

static struct sym_range limit_meet(struct sym_range a, struct sym_range b)
{
	struct sym_range r = {MAX(a.lo, b.lo), MIN(a.hi, b.hi)};

	return r.lo <= r.hi ? r : a;
}

static struct sym_range limit_product(const struct sym_pool *p, const struct sym_node *n,
				      int64_t most)
{
	struct sym_range r = {1, 1};

	for (size_t i = 0; i < n->count; i++) {
		const struct sym_factor *f = &sym_factors(n)[i];

		for (uint32_t k = 0; k < f->power; k++)
			r = sym_range_mul(r, sym_range_limited(p, sym_at(f->atom), most));
	}
	return r;
}

static struct sym_range limit_sum(const struct sym_pool *p, const struct sym_node *n, int64_t most)
{
	struct sym_range r = {0, 0};

	for (size_t i = 0; i < n->count; i++) {
		const struct sym_term *t = &sym_terms(n)[i];
		struct sym_range c = {t->c, t->c};

		r = sym_range_add(
			r, t->m ? sym_range_mul(c, sym_range_limited(p, sym_at(t->m), most)) : c);
	}
	return r;
}

static struct sym_range limit_members(const struct sym_pool *p, const struct sym_node *n,
				      enum sym_op op, int64_t most)
{
	struct sym_range r[3] = {sym_range_limited(p, sym_args(n)[0], most), SYM_RANGE_ANY,
				 SYM_RANGE_ANY};

	for (size_t i = 1; i < n->count; i++) {
		r[1] = sym_range_limited(p, sym_args(n)[i], most);
		r[0] = sym_range_op(op, r);
	}
	return r[0];
}

struct sym_range sym_range_limited(const struct sym_pool *p, struct sym s, int64_t most)
{
	struct sym_range r = sym_range(p, s);
	const struct sym_node *n;

	if (sym_kind(p, s) == SYM_KIND_INT || (r.hi < INT64_MAX && r.lo > INT64_MIN))
		return r;
	n = sym_node(p, s);
	switch ((enum sym_kind)n->kind) {
	case SYM_KIND_SYMBOL:
		if (p->symbols.at[n->symbol - 1].source != SYM_COMPLEX && r.lo <= most)
			r.hi = MIN(r.hi, most);
		return r;
	case SYM_KIND_PRODUCT:
		return limit_meet(r, limit_product(p, n, most));
	case SYM_KIND_SUM:
		return limit_meet(r, limit_sum(p, n, most));
	case SYM_KIND_FLOOR:
		return limit_meet(r, limit_members(p, n, SYM_OP_FLOOR, most));
	case SYM_KIND_TRUNC:
		return limit_meet(r, limit_members(p, n, SYM_OP_TRUNC, most));
	case SYM_KIND_MAX:
		return limit_meet(r, limit_members(p, n, SYM_OP_MAX, most));
	case SYM_KIND_MIN:
		return limit_meet(r, limit_members(p, n, SYM_OP_MIN, most));
	case SYM_KIND_BROADCAST:
		return limit_meet(r, limit_members(p, n, SYM_OP_BROADCAST, most));
	case SYM_KIND_UNKNOWN:
	case SYM_KIND_INT:
	case SYM_KIND_ZERO:
	case SYM_KIND_NATURAL:
	case SYM_KIND_SELECT:
	case SYM_KIND_CUT:
	case SYM_KIND_FCONST:
	case SYM_KIND_FCAST:
	case SYM_KIND_FOP:
	case SYM_KIND_COUNT:
		break;
	}
	return r;
}
