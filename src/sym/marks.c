#include "sym/marks.h"

#include "base/vec.h"
#include "sym/node.h"
#include "sym/sym.h"

static bool marks_have(const struct sym_marks *m, struct sym s)
{
	return !sym_is_small(s) && m->at.at[sym_index(s)];
}

static bool marks_symbol(const struct sym_marks *m, const struct sym_symbol *symbol, uint32_t id)
{
	bool marked = m->test(m->context, id) || marks_have(m, symbol->origin.definition);

	for (size_t i = 0; !marked && i < ARRAY_LEN(symbol->args); i++)
		marked = marks_have(m, symbol->args[i]);
	return marked;
}

/* Children have smaller numbers: their marks are set. */
static bool marks_node(const struct sym_marks *m, const struct sym_pool *p,
		       const struct sym_node *n)
{
	bool marked = false;

	if (n->kind == SYM_KIND_SYMBOL)
		return n->symbol && marks_symbol(m, &p->symbols.at[n->symbol - 1], n->symbol - 1);
	if (n->kind == SYM_KIND_INT || n->kind == SYM_KIND_FCONST)
		return false;
	for (size_t i = 0; !marked && i < n->count; i++) {
		if (n->kind == SYM_KIND_SUM)
			marked = marks_have(m, sym_at(sym_terms(n)[i].m));
		else if (n->kind == SYM_KIND_PRODUCT)
			marked = marks_have(m, sym_at(sym_factors(n)[i].atom));
		else
			marked = marks_have(m, sym_args(n)[i]);
	}
	return marked;
}

bool sym_marked(struct sym_marks *m, const struct sym_pool *p, struct sym s)
{
	if (sym_is_small(s) || sym_is_unknown(s))
		return false;
	if (m->at.len == 0)
		vec_push(&m->at, false); /* unknown */
	while (m->at.len <= sym_index(s)) {
		bool marked = marks_node(m, p, &p->nodes[m->at.len]);

		vec_push(&m->at, marked);
	}
	return m->at.at[sym_index(s)];
}

void sym_marks_clear(struct sym_marks *m)
{
	vec_clear(&m->at);
}

void sym_marks_release(struct sym_marks *m)
{
	vec_release(&m->at);
}
