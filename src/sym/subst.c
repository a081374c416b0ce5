/* Substitution, and the symbols of an expression. */
#include <string.h>

#include "base/map.h"
#include "base/vec.h"
#include "sym/eval.h"
#include "sym/float.h"
#include "sym/node.h"
#include "sym/sym.h"

enum {
	LEVEL_MAX = 16 /* definitions inside definitions */
};

void sym_replace(struct sym_subst *subst, uint32_t id, struct sym to)
{
	if (id < SYM_NEAR) {
		while (subst->near.len <= id)
			(void)vec_add(&subst->near);
		subst->near.at[id] = (struct sym_replacement){true, to};
	} else {
		uint32_t *place = map_at(&subst->places, id);

		if (!*place) {
			(void)vec_add(&subst->far);
			*place = (uint32_t)subst->far.len;
		}
		subst->far.at[*place - 1] = (struct sym_replacement){true, to};
	}
	map_release(&subst->seen);
	vec_clear(&subst->done);
}

/* NULL when it stays. */
static const struct sym_replacement *subst_find(const struct sym_subst *subst, uint32_t id)
{
	const uint32_t *place;

	if (id < SYM_NEAR)
		return id < subst->near.len && subst->near.at[id].set ? &subst->near.at[id] : NULL;
	place = map_find(&subst->places, id);
	return place ? &subst->far.at[*place - 1] : NULL;
}

void sym_subst_release(struct sym_subst *subst)
{
	vec_release(&subst->near);
	vec_release(&subst->far);
	map_release(&subst->places);
	vec_release(&subst->done);
	map_release(&subst->seen);
	*subst = (struct sym_subst){0};
}

static struct sym subst_rebuild(struct sym_pool *p, struct sym_subst *subst, struct sym s);

static struct sym new_sum(struct sym_pool *p, struct sym_subst *subst, struct sym s)
{
	const struct sym_term *t = sym_terms(sym_node(p, s));
	size_t n = sym_node(p, s)->count;
	struct sym sum = sym_int(p, 0);
	bool changed = false;

	for (size_t i = 0; i < n; i++) {
		struct sym m = sym_int(p, 1);

		if (t[i].m) {
			m = sym_substitute(p, subst, sym_at(t[i].m));
			changed |= !sym_same(m, sym_at(t[i].m));
		}
		sum = sym_add(p, sum, sym_mul_int(p, m, t[i].c));
	}
	return changed ? sum : s;
}

static struct sym new_product(struct sym_pool *p, struct sym_subst *subst, struct sym s)
{
	const struct sym_factor *f = sym_factors(sym_node(p, s));
	size_t n = sym_node(p, s)->count;
	struct sym product = sym_int(p, 1);
	bool changed = false;

	for (size_t i = 0; i < n; i++) {
		struct sym atom = sym_substitute(p, subst, sym_at(f[i].atom));

		changed |= !sym_same(atom, sym_at(f[i].atom));
		product = sym_mul(p, product, sym_pow(p, atom, f[i].power));
	}
	return changed ? product : s;
}

static struct sym subst_apply(struct sym_pool *p, enum sym_op op, const struct sym args[3])
{
	switch (op) {
	case SYM_OP_ADD:
		return sym_add(p, args[0], args[1]);
	case SYM_OP_SUB:
		return sym_sub(p, args[0], args[1]);
	case SYM_OP_MUL:
		return sym_mul(p, args[0], args[1]);
	case SYM_OP_FLOOR:
		return sym_floor_div(p, args[0], args[1]);
	case SYM_OP_TRUNC:
		return sym_trunc_div(p, args[0], args[1]);
	case SYM_OP_MAX:
		return sym_max(p, args[0], args[1]);
	case SYM_OP_MIN:
		return sym_min(p, args[0], args[1]);
	case SYM_OP_BROADCAST:
		return sym_broadcast(p, args[0], args[1]);
	case SYM_OP_EQ:
		return sym_test_eq(p, args[0], args[1]);
	case SYM_OP_LE:
		return sym_test_le(p, args[0], args[1]);
	case SYM_OP_SELECT:
		return sym_select(p, args[0], args[1], args[2]);
	case SYM_OP_CUT:
		return sym_cut(p, args[0]);
	case SYM_OP_NONE:
	case SYM_OP_COUNT:
		break;
	}
	return SYM_UNKNOWN;
}

static struct sym new_symbol(struct sym_pool *p, struct sym_subst *subst, struct sym s)
{
	uint32_t id = sym_node(p, s)->symbol - 1;
	struct sym_symbol symbol = p->symbols.at[id];
	const struct sym_replacement *replacement = subst_find(subst, id);
	struct sym args[3], out = s;
	bool changed = false;

	if (replacement)
		return replacement->to;
	if (symbol.source != SYM_COMPLEX && sym_is_unknown(symbol.origin.definition))
		return s;
	if (subst->level >= LEVEL_MAX)
		return SYM_UNKNOWN;
	subst->level++;
	if (symbol.source == SYM_COMPLEX) {
		for (int i = 0; i < 3; i++) {
			args[i] = sym_substitute(p, subst, symbol.args[i]);
			changed |= !sym_same(args[i], symbol.args[i]);
		}
		if (changed)
			out = subst_apply(p, symbol.op, args);
	} else {
		out = sym_substitute(p, subst, symbol.origin.definition);
		if (sym_same(out, symbol.origin.definition))
			out = s;
	}
	subst->level--;
	return out;
}

static struct sym new_float(struct sym_pool *p, struct sym s, const struct sym *args)
{
	const struct sym_node *n = sym_node(p, s);
	enum sym_float type = (enum sym_float)(n->aux & 3);

	if (n->kind == SYM_KIND_FCAST)
		return sym_to_float(p, type, args[0]);
	return sym_float_op(p, (enum sym_fop)(n->aux >> 2), args[0],
			    n->count == 2 ? args[1] : SYM_UNKNOWN);
}

static struct sym new_atom(struct sym_pool *p, enum sym_kind kind, const struct sym *args, size_t n)
{
	static const enum sym_op op_of[SYM_KIND_COUNT] = {
		[SYM_KIND_FLOOR] = SYM_OP_FLOOR,
		[SYM_KIND_TRUNC] = SYM_OP_TRUNC,
		[SYM_KIND_MAX] = SYM_OP_MAX,
		[SYM_KIND_MIN] = SYM_OP_MIN,
		[SYM_KIND_BROADCAST] = SYM_OP_BROADCAST,
		[SYM_KIND_SELECT] = SYM_OP_SELECT,
		[SYM_KIND_CUT] = SYM_OP_CUT,
		/* the rest is no operator, or is made by others */
	};
	struct sym out = args[0];

	if (kind == SYM_KIND_ZERO)
		return sym_test_eq(p, args[0], sym_int(p, 0));
	if (kind == SYM_KIND_NATURAL)
		return sym_test_le(p, sym_int(p, 0), args[0]);
	if (kind == SYM_KIND_SELECT || kind == SYM_KIND_CUT)
		return subst_apply(p, op_of[kind], args);
	for (size_t i = 1; i < n; i++)
		out = subst_apply(p, op_of[kind], (struct sym[3]){out, args[i]});
	return out;
}

static struct sym subst_rebuild(struct sym_pool *p, struct sym_subst *subst, struct sym s)
{
	const struct sym_node *n = sym_node(p, s);
	enum sym_kind kind = (enum sym_kind)n->kind;
	const struct sym *old = sym_args(n);
	struct sym args[SYM_TERMS_MAX];
	size_t count = n->count;
	bool changed = false;

	if (kind == SYM_KIND_INT || kind == SYM_KIND_FCONST)
		return s;
	if (kind == SYM_KIND_SYMBOL)
		return new_symbol(p, subst, s);
	if (kind == SYM_KIND_SUM)
		return new_sum(p, subst, s);
	if (kind == SYM_KIND_PRODUCT)
		return new_product(p, subst, s);
	for (size_t i = 0; i < count; i++) {
		args[i] = sym_substitute(p, subst, old[i]);
		changed |= !sym_same(args[i], old[i]);
	}
	if (!changed)
		return s;
	return sym_is_float_kind(kind) ? new_float(p, s, args) : new_atom(p, kind, args, count);
}

struct sym sym_substitute(struct sym_pool *p, struct sym_subst *subst, struct sym s)
{
	const uint32_t *place;
	struct sym out;

	if (sym_is_small(s) || sym_is_unknown(s))
		return s;
	place = map_find(&subst->seen, s.w);
	if (place && *place)
		return subst->done.at[*place - 1];
	out = subst_rebuild(p, subst, s);
	vec_push(&subst->done, out);
	*map_at(&subst->seen, s.w) = (uint32_t)subst->done.len;
	return out;
}

/* ---- symbols mentioned ---- */

struct walk {
	const struct sym_pool *p;
	VEC(struct sym) open;
	VEC(uint32_t) symbols; /* met so far: who visits them may walk, too */
	uint32_t number;
};

static uint32_t walk_number(const struct sym_pool *p)
{
	if (++p->walked[0] == 0) {
		memset(p->walked, 0, p->node_count * sizeof(*p->walked));
		p->walked[0] = 1;
	}
	return p->walked[0];
}

static void walk_add(struct walk *w, struct sym s)
{
	if (sym_is_small(s) || sym_is_unknown(s) || w->p->walked[sym_index(s)] == w->number)
		return;
	w->p->walked[sym_index(s)] = w->number;
	vec_push(&w->open, s);
}

static void walk_symbol(struct walk *w, const struct sym_symbol *symbol)
{
	walk_add(w, symbol->origin.definition);
	for (size_t i = 0; i < ARRAY_LEN(symbol->args); i++)
		walk_add(w, symbol->args[i]);
}

static void walk_children(struct walk *w, const struct sym_node *n)
{
	if (n->kind == SYM_KIND_SYMBOL) {
		walk_symbol(w, &w->p->symbols.at[n->symbol - 1]);
		return;
	}
	if (n->kind == SYM_KIND_INT || n->kind == SYM_KIND_FCONST)
		return;
	for (size_t i = 0; i < n->count; i++) {
		if (n->kind == SYM_KIND_SUM)
			walk_add(w, sym_at(sym_terms(n)[i].m));
		else if (n->kind == SYM_KIND_PRODUCT)
			walk_add(w, sym_at(sym_factors(n)[i].atom));
		else
			walk_add(w, sym_args(n)[i]);
	}
}

void sym_each_symbol(const struct sym_pool *p, struct sym s, sym_visit *visit, void *context)
{
	struct walk w = {.p = p};
	uint32_t id;

	if (sym_is_small(s) || sym_is_unknown(s))
		return;
	w.number = walk_number(p);
	walk_add(&w, s);
	while (w.open.len) {
		s = *vec_last(&w.open);
		vec_pop(&w.open);
		if (sym_symbol_id(p, s, &id))
			vec_push(&w.symbols, id);
		walk_children(&w, sym_node(p, s));
	}
	for (size_t i = 0; i < w.symbols.len; i++)
		visit(context, w.symbols.at[i]);
	vec_release(&w.open);
	vec_release(&w.symbols);
}

struct search {
	uint32_t id;
	bool found;
};

static void search_visit(void *context, uint32_t id)
{
	struct search *search = context;

	search->found |= id == search->id;
}

bool sym_mentions(const struct sym_pool *p, struct sym s, uint32_t id)
{
	struct search search = {.id = id};

	if (!sym_is_small(s))
		sym_each_symbol(p, s, search_visit, &search);
	return search.found;
}
