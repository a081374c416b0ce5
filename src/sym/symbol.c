/* The symbol table, and the symbols for results that did not fit. */
#include "base/bug.h"
#include "base/err.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/sv.h"
#include "base/vec.h"
#include "sym/node.h"
#include "sym/pool.h"
#include "sym/range.h"
#include "sym/sym.h"

static struct sym symbol_add(struct sym_pool *p, const struct sym_key *key,
			     const struct sym_symbol *symbol)
{
	uint32_t index = sym_intern(p, SYM_KIND_SYMBOL, 0, key, 1);
	struct sym_node *n;

	if (index == 0)
		return SYM_UNKNOWN;
	n = &p->nodes[index];
	if (n->symbol)
		return sym_at(index);
	vec_push(&p->symbols, *symbol);
	vec_last(&p->symbols)->self = sym_at(index);
	n->symbol = (uint32_t)p->symbols.len;
	n->range = symbol->origin.range;
	if (symbol->source != SYM_COMPLEX && sym_is_unknown(symbol->origin.definition))
		n->only = n->symbol;
	return sym_at(index);
}

struct sym sym_declare_range(struct sym_pool *p, struct sv name, struct sym_range range)
{
	struct sym_key key = {.serial = p->symbols.len + 1, .lo = range.lo, .hi = range.hi};
	struct sym_symbol symbol = {.source = SYM_DECLARED, .origin = {.range = range}};
	struct sym old = sym_find(p, name);

	BUG_ON(name.len == 0 || range.lo > range.hi);
	if (!sym_is_unknown(old))
		return old;
	symbol.name = intern_add(&p->names, name);
	old = symbol_add(p, &key, &symbol);
	if (!sym_is_unknown(old))
		*map_at(&p->by_name, symbol.name) = (uint32_t)p->symbols.len;
	return old;
}

struct sym sym_declare(struct sym_pool *p, struct sv name)
{
	return sym_declare_range(p, name, SYM_RANGE_DECLARED);
}

struct sym sym_find(const struct sym_pool *p, struct sv name)
{
	uint32_t number = intern_find(&p->names, name);
	const uint32_t *id = number ? map_find(&p->by_name, number) : NULL;

	return id && *id ? p->symbols.at[*id - 1].self : SYM_UNKNOWN;
}

struct sym sym_generate(struct sym_pool *p, const struct sym_origin *origin)
{
	struct sym_key key = {
		.node = origin->node,
		.output = origin->output,
		.axis = origin->axis,
		.source = SYM_GENERATED,
		.lo = origin->range.lo,
		.hi = origin->range.hi,
		.definition = origin->definition,
	};
	struct sym_symbol symbol = {.source = SYM_GENERATED, .origin = *origin};

	BUG_ON(origin->range.lo > origin->range.hi);
	return symbol_add(p, &key, &symbol);
}

struct sym sym_complex(struct sym_pool *p, enum sym_op op, const struct sym args[3])
{
	struct sym_key key = {.op = op, .source = SYM_COMPLEX};
	struct sym_symbol symbol = {.source = SYM_COMPLEX, .op = op};
	struct sym_range ranges[3];
	int64_t value;

	for (int i = 0; i < 3; i++) {
		key.args[i] = symbol.args[i] = args[i];
		ranges[i] = sym_range(p, args[i]);
	}
	symbol.origin.range = sym_range_op(op, ranges);
	if (sym_range_is_one(symbol.origin.range, &value))
		return sym_int(p, value);
	return symbol_add(p, &key, &symbol);
}

bool sym_symbol_id(const struct sym_pool *p, struct sym s, uint32_t *out)
{
	if (sym_kind(p, s) != SYM_KIND_SYMBOL)
		return false;
	*out = sym_node(p, s)->symbol - 1;
	return true;
}

struct sv sym_name(const struct sym_pool *p, uint32_t id)
{
	BUG_ON(id >= p->symbols.len);
	return p->symbols.at[id].name ? intern_text(&p->names, p->symbols.at[id].name) : SV("");
}

bool sym_rename(struct sym_pool *p, uint32_t id, struct sv name, struct err *err)
{
	struct sym_symbol *symbol;
	struct sym other = sym_find(p, name);

	BUG_ON(id >= p->symbols.len);
	symbol = &p->symbols.at[id];
	if (name.len == 0)
		return err_set(err, ERR_USAGE, "a name must not be empty");
	if (sym_same(other, symbol->self))
		return true;
	if (!sym_is_unknown(other))
		return err_set(err, ERR_USAGE, "%.*s is the name of another symbol",
			       (int)MIN(name.len, 200), name.at);
	if (symbol->name)
		*map_at(&p->by_name, symbol->name) = 0;
	symbol->name = intern_add(&p->names, name);
	*map_at(&p->by_name, symbol->name) = id + 1;
	return true;
}

void sym_unname(struct sym_pool *p, uint32_t id)
{
	struct sym_symbol *s = &p->symbols.at[id];

	if (s->name)
		*map_at(&p->by_name, s->name) = 0;
	s->name = 0;
}

void sym_forget_names(struct sym_pool *p)
{
	for (uint32_t i = 0; i < p->symbols.len; i++) {
		if (p->symbols.at[i].source == SYM_GENERATED)
			sym_unname(p, i);
	}
}
