/* The parts of an expression, for other rooms. */
#include "base/bug.h"
#include "sym/node.h"
#include "sym/sym.h"
#include "sym/terms.h"

size_t sym_part_count(const struct sym_pool *p, struct sym s)
{
	enum sym_kind kind = sym_kind(p, s);

	if (kind <= SYM_KIND_SYMBOL || kind == SYM_KIND_FCONST)
		return 0;
	return sym_node(p, s)->count;
}

struct sym_part sym_part(const struct sym_pool *p, struct sym s, size_t i)
{
	const struct sym_node *n;

	BUG_ON(i >= sym_part_count(p, s));
	n = sym_node(p, s);
	if (n->kind == SYM_KIND_SUM) {
		struct sym_term t = sym_terms(n)[i];
		struct sym one = {1 << 1 | 1};

		return (struct sym_part){t.c, t.m ? sym_at(t.m) : one};
	}
	if (n->kind == SYM_KIND_PRODUCT)
		return (struct sym_part){sym_factors(n)[i].power, sym_at(sym_factors(n)[i].atom)};
	return (struct sym_part){0, sym_args(n)[i]};
}

bool sym_is_linear(const struct sym_pool *p, struct sym s, uint32_t *out_symbol, int64_t *out_a,
		   int64_t *out_b)
{
	struct sym_view v;
	size_t first;
	uint32_t id;

	if (sym_is_unknown(s) || sym_is_float_kind(sym_kind(p, s)))
		return false;
	sym_view(p, s, &v);
	first = v.n && v.t[0].m == 0;
	if (v.n != first + 1 || !sym_symbol_id(p, sym_at(v.t[first].m), &id))
		return false;
	if (out_symbol)
		*out_symbol = id;
	if (out_a)
		*out_a = v.t[first].c;
	if (out_b)
		*out_b = first ? v.t[0].c : 0;
	return true;
}
