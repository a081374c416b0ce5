/* Maximum, minimum and broadcast: sorted lists of distinct members. */
#include "base/str.h"
#include "base/sv.h"
#include "sym/eval.h"
#include "sym/node.h"
#include "sym/pool.h"
#include "sym/sym.h"
#include "sym/terms.h"
#include "sym/text.h"

struct members {
	struct sym at[2 * SYM_TERMS_MAX];
	size_t n;
};

static void members_add(struct members *m, struct sym s)
{
	size_t i = m->n;

	while (i && m->at[i - 1].w > s.w)
		i--;
	if (i && m->at[i - 1].w == s.w)
		return;
	for (size_t k = m->n++; k > i; k--)
		m->at[k] = m->at[k - 1];
	m->at[i] = s;
}

/* Flattens members of the same kind, which have at most 32 members each. */
static void members_of(const struct sym_pool *p, struct members *m, enum sym_kind kind,
		       struct sym s)
{
	const struct sym_node *n;

	if (sym_kind(p, s) != kind) {
		members_add(m, s);
		return;
	}
	n = sym_node(p, s);
	for (size_t i = 0; i < n->count; i++)
		members_add(m, sym_args(n)[i]);
}

static bool members_make(struct sym_pool *p, const struct members *m, enum sym_kind kind,
			 struct sym *out)
{
	*out = m->n == 1 ? m->at[0] : SYM_UNKNOWN;
	if (m->n > 1 && m->n <= SYM_TERMS_MAX)
		*out = sym_atom(p, kind, 0, m->at, m->n);
	return !sym_is_unknown(*out);
}

/* Drops members that another one dominates. */
static void drop_dominated(struct sym_pool *p, struct members *m, bool largest)
{
	for (size_t i = 0; i < m->n;) {
		bool drop = false;

		for (size_t k = 0; k < m->n && !drop; k++) {
			struct sym a = largest ? m->at[i] : m->at[k];
			struct sym b = largest ? m->at[k] : m->at[i];

			drop = i != k && sym_le(p, a, b) == SYM_YES;
		}
		if (!drop) {
			i++;
			continue;
		}
		m->n--;
		for (size_t k = i; k < m->n; k++)
			m->at[k] = m->at[k + 1];
	}
}

static bool minmax_extreme(struct sym_pool *p, enum sym_kind kind, struct sym a, struct sym b,
			   struct sym *out)
{
	struct members m = {.n = 0};

	members_of(p, &m, kind, a);
	members_of(p, &m, kind, b);
	drop_dominated(p, &m, kind == SYM_KIND_MAX);
	return members_make(p, &m, kind, out);
}

bool sym_build_max(struct sym_pool *p, struct sym a, struct sym b, struct sym *out)
{
	return minmax_extreme(p, SYM_KIND_MAX, a, b, out);
}

bool sym_build_min(struct sym_pool *p, struct sym a, struct sym b, struct sym *out)
{
	return minmax_extreme(p, SYM_KIND_MIN, a, b, out);
}

bool sym_build_broadcast(struct sym_pool *p, struct sym a, struct sym b, struct sym *out)
{
	struct members m = {.n = 0};

	members_of(p, &m, SYM_KIND_BROADCAST, a);
	members_of(p, &m, SYM_KIND_BROADCAST, b);
	return members_make(p, &m, SYM_KIND_BROADCAST, out);
}

struct sym sym_max(struct sym_pool *p, struct sym a, struct sym b)
{
	if (sym_is_small(a) && sym_is_small(b))
		return sym_small(a) > sym_small(b) ? a : b;
	return sym_apply(p, SYM_OP_MAX, a, b);
}

struct sym sym_min(struct sym_pool *p, struct sym a, struct sym b)
{
	if (sym_is_small(a) && sym_is_small(b))
		return sym_small(a) < sym_small(b) ? a : b;
	return sym_apply(p, SYM_OP_MIN, a, b);
}

/*
 * min(b, k) with b, where k is 1 or more: up to k both are b; above, they differ and only
 * k = 1 broadcasts, to b.
 */
static bool is_capped(const struct sym_pool *p, struct sym capped, struct sym b)
{
	bool found = false;

	if (sym_kind(p, capped) != SYM_KIND_MIN)
		return false;
	for (size_t i = 0; i < sym_part_count(p, capped); i++) {
		struct sym member = sym_part(p, capped, i).s;

		if (sym_same(member, b))
			found = true;
		else if (sym_range(p, member).lo < 1)
			return false;
	}
	return found;
}

/*
 * max(b, k) with b, where k is 1 or less: from k on both are b; below, b is not 1, and k is at
 * most 1: they differ unless k = 1, which broadcasts to b.
 */
static bool is_raised(const struct sym_pool *p, struct sym raised, struct sym b)
{
	bool found = false;

	if (sym_kind(p, raised) != SYM_KIND_MAX)
		return false;
	for (size_t i = 0; i < sym_part_count(p, raised); i++) {
		struct sym member = sym_part(p, raised, i).s;

		if (sym_same(member, b))
			found = true;
		else if (sym_range(p, member).hi > 1)
			return false;
	}
	return found;
}

/* x for max(0, x). */
static struct sym minmax_inside(const struct sym_pool *p, struct sym s)
{
	const struct sym_node *n;

	if (sym_kind(p, s) != SYM_KIND_MAX || sym_node(p, s)->count != 2)
		return s;
	n = sym_node(p, s);
	if (sym_is(sym_args(n)[0], 0))
		return sym_args(n)[1];
	return sym_is(sym_args(n)[1], 0) ? sym_args(n)[0] : s;
}

/* s = trunc(x/m) + k with a k of 1 or less: *out is floor(x/m) + k. */
static bool minmax_floored(struct sym_pool *p, struct sym s, struct sym *out)
{
	struct sym_view v;
	struct sym trunc = SYM_UNKNOWN, rest;
	int64_t m;

	sym_view(p, s, &v);
	for (size_t i = 0; i < v.n; i++) {
		if (v.t[i].c == 1 && v.t[i].m && p->nodes[v.t[i].m].kind == SYM_KIND_TRUNC)
			trunc = sym_at(v.t[i].m);
	}
	if (sym_is_unknown(trunc))
		return false;
	rest = sym_sub(p, s, trunc);
	if (!sym_value(p, sym_args(sym_node(p, trunc))[1], &m) || m <= 0 ||
	    sym_range(p, rest).hi > 1)
		return false;
	*out = sym_add(p, sym_floor_div(p, sym_args(sym_node(p, trunc))[0], sym_int(p, m)), rest);
	return true;
}

/*
 * trunc(x/m) + k with b = floor(x/m) + k, for k of 1 or less; each may be max(0, itself).  They
 * are equal unless x is negative.  Then b is at most 0, and the other, at most 1, is equal to b
 * or one more: they differ, or it is 1.
 */
static bool is_truncated(struct sym_pool *p, struct sym truncated, struct sym b)
{
	struct sym floored;

	return minmax_floored(p, minmax_inside(p, truncated), &floored) &&
	       sym_same(floored, minmax_inside(p, b));
}

/* Is a, where it broadcasts with b, equal to b or 1? */
static bool is_bent(struct sym_pool *p, struct sym a, struct sym b)
{
	if (sym_is_unknown(a) || sym_is_unknown(b) || sym_is_float_kind(sym_kind(p, a)))
		return false;
	return is_capped(p, a, b) || is_raised(p, a, b) || is_truncated(p, a, b);
}

/* A generated symbol is kept: who marks operands with some wants to find them all. */
static bool is_generated(const struct sym_pool *p, struct sym s)
{
	uint32_t id;

	return sym_symbol_id(p, s, &id) && p->symbols.at[id].source == SYM_GENERATED;
}

static bool is_never_1(const struct sym_pool *p, struct sym s)
{
	struct sym_range r = sym_range(p, s);
	struct sym_modulus m = sym_modulus(p, s);

	return r.lo > 1 || r.hi < 1 || (m.mod > 1 && m.rem != 1);
}

/* By their names, or by where they come from; numbers in the pool depend on history. */
static int symbol_order(const struct sym_pool *p, uint32_t left, uint32_t right)
{
	const struct sym_origin *a = &p->symbols.at[left].origin, *b = &p->symbols.at[right].origin;
	int order = sv_compare(sym_name(p, left), sym_name(p, right));

	if (order)
		return order;
	if (a->node != b->node)
		return a->node < b->node ? -1 : 1;
	if (a->output != b->output)
		return a->output < b->output ? -1 : 1;
	return (a->axis > b->axis) - (a->axis < b->axis);
}

struct first_symbol {
	const struct sym_pool *p; /* borrowed */
	uint32_t id;
	bool any;
};

static void first_symbol_visit(void *context, uint32_t id)
{
	struct first_symbol *first = context;

	if (!first->any || symbol_order(first->p, id, first->id) < 0)
		first->id = id;
	first->any = true;
}

static int text_order(const struct sym_pool *p, struct sym a, struct sym b)
{
	struct str left = {0}, right = {0};
	int order;

	sym_print(p, a, &left);
	sym_print(p, b, &right);
	order = sv_compare(str_sv(&left), str_sv(&right));
	str_release(&left);
	str_release(&right);
	return order;
}

/* Which of two equals stands for both must not depend on what the pool was used for before. */
static bool is_simpler(const struct sym_pool *p, struct sym a, struct sym b)
{
	uint32_t weight = sym_node(p, a)->weight, other = sym_node(p, b)->weight;
	struct first_symbol first = {.p = p}, second = {.p = p};
	int order;

	if (weight != other)
		return weight < other;
	sym_each_symbol(p, a, first_symbol_visit, &first);
	sym_each_symbol(p, b, first_symbol_visit, &second);
	if (!first.any || !second.any)
		return second.any;
	order = symbol_order(p, first.id, second.id);
	return (order ? order : text_order(p, a, b)) < 0;
}

struct sym sym_broadcast(struct sym_pool *p, struct sym a, struct sym b)
{
	bool int_a = sym_kind(p, a) == SYM_KIND_INT, int_b = sym_kind(p, b) == SYM_KIND_INT;

	if (sym_is(a, 1) || sym_same(a, b))
		return b;
	if (sym_is(b, 1))
		return a;
	if (int_a && int_b)
		return SYM_UNKNOWN;
	/* An integer wins, even over unknown: the other must be 1 or equal to it. */
	if (int_a || int_b)
		return int_a ? a : b;
	if (is_bent(p, a, b))
		return b;
	if (is_bent(p, b, a))
		return a;
	if (sym_is_unknown(a) || sym_is_unknown(b))
		return SYM_UNKNOWN;
	if (is_generated(p, a) || is_generated(p, b))
		return sym_apply(p, SYM_OP_BROADCAST, a, b);
	/* One that is never 1 wins: where the two broadcast, the other is 1 or equal to it. */
	if (is_never_1(p, a))
		return is_never_1(p, b) && is_simpler(p, b, a) ? b : a;
	if (is_never_1(p, b))
		return b;
	return sym_apply(p, SYM_OP_BROADCAST, a, b);
}
