/*
 * Symbols and inferred shapes of two models.
 *
 * Expressions live in two pools, so they are compared by a structural hash.  A symbol's
 * hash is that of its name; a renamed one has its old name's, and a generated one that of
 * its node's pair.
 */

#include "base/hash.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "edit/diff/internal.h"
#include "infer/text.h"
#include "ir/dims.h"
#include "ir/graph.h"
#include "ops/info.h"
#include "sym/sym.h"
#include "sym/text.h"

/* ---- expressions ---- */

static uint64_t expression_hash(struct comparison *c, struct side *s, struct sym e);

static uint64_t text_hash(const struct comparison *c, const struct side *s, struct sym e)
{
	struct str text = {0};
	uint64_t h;

	sym_print(&s->in->pool, e, &text);
	h = hash_bytes(str_sv(&text), c->seed);
	str_release(&text);
	return h;
}

static uint64_t parts_hash(struct comparison *c, struct side *s, struct sym e, bool ordered)
{
	const struct sym_pool *p = &s->in->pool;
	uint64_t h = c->seed + (uint64_t)sym_kind(p, e), sum = 0;

	for (size_t i = 0; i < sym_part_count(p, e); i++) {
		struct sym_part part = sym_part(p, e, i);
		uint64_t one = hash_u64((uint64_t)part.number, h + expression_hash(c, s, part.s));

		sum = ordered ? hash_u64(one, sum + h) : sum + one;
	}
	return hash_u64(sum, h);
}

static uint64_t expression_new(struct comparison *c, struct side *s, struct sym e)
{
	const struct sym_pool *p = &s->in->pool;
	int64_t value = 0;
	uint32_t id = 0;

	switch (sym_kind(p, e)) {
	case SYM_KIND_UNKNOWN:
		return 0;
	case SYM_KIND_INT:
		(void)sym_value(p, e, &value);
		return hash_u64((uint64_t)value, c->seed + 1);
	case SYM_KIND_SYMBOL:
		(void)sym_symbol_id(p, e, &id);
		return s->symbols[id];
	case SYM_KIND_SUM:
	case SYM_KIND_PRODUCT:
	case SYM_KIND_MAX:
	case SYM_KIND_MIN:
	case SYM_KIND_BROADCAST:
		return parts_hash(c, s, e, false); /* their order depends on the pool */
	case SYM_KIND_FLOOR:
	case SYM_KIND_TRUNC:
	case SYM_KIND_ZERO:
	case SYM_KIND_NATURAL:
	case SYM_KIND_SELECT:
	case SYM_KIND_CUT:
		return parts_hash(c, s, e, true);
	case SYM_KIND_FCONST:
	case SYM_KIND_FCAST:
	case SYM_KIND_FOP:
	case SYM_KIND_COUNT:
		break;
	}
	return text_hash(c, s, e);
}

/* The pool limits nesting, and each expression is hashed once. */
static uint64_t expression_hash(struct comparison *c, struct side *s, struct sym e)
{
	uint32_t *place = map_find(&s->expressions, e.w);
	uint64_t h;

	if (place)
		return s->hashes.at[*place - 1];
	h = expression_new(c, s, e);
	*vec_add(&s->hashes) = h;
	*map_at(&s->expressions, e.w) = (uint32_t)s->hashes.len;
	return h;
}

/* ---- symbols ---- */

static uint64_t origin_hash(const struct comparison *c, const struct side *s,
			    const struct sym_origin *o)
{
	bool known = o->node < s->m->nodes.len;
	uint64_t node = o->node;

	if (known && s == &c->b && s->nodes[node])
		node = s->nodes[node];
	else if (known && !s->nodes[node])
		node = hash_u64(node, c->seed + (s == &c->a)); /* unique */
	return hash_u64((uint64_t)o->output << 32 | o->axis, hash_u64(node, c->seed));
}

/* Earlier symbols have their hashes already. */
static uint64_t symbol_hash(struct comparison *c, struct side *s, uint32_t id)
{
	const struct sym_symbol *symbol = &s->in->pool.symbols.at[id];
	uint64_t h;

	if (s->symbols[id])
		return s->symbols[id];
	if (symbol->name)
		return hash_bytes(sym_name(&s->in->pool, id), c->seed);
	if (symbol->source != SYM_COMPLEX)
		return origin_hash(c, s, &symbol->origin);
	h = c->seed + (uint64_t)symbol->op;
	for (size_t i = 0; i < ARRAY_LEN(symbol->args); i++)
		h = hash_u64(expression_hash(c, s, symbol->args[i]), h);
	return h;
}

static bool has_symbol(const struct side *s, struct sv name)
{
	return !sym_is_unknown(sym_find(&s->in->pool, name));
}

/* One axis of a pair of inputs, with names unique to their models: a renaming. */
static void find_renaming(struct comparison *c, struct sym a, struct sym b)
{
	struct sv before, after;
	uint32_t x, y;

	if (!sym_symbol_id(&c->a.in->pool, a, &x) || !sym_symbol_id(&c->b.in->pool, b, &y))
		return;
	before = sym_name(&c->a.in->pool, x);
	after = sym_name(&c->b.in->pool, y);
	if (!before.len || !after.len || c->a.symbols[x] || c->b.symbols[y] ||
	    has_symbol(&c->b, before) || has_symbol(&c->a, after))
		return;
	c->a.symbols[x] = c->b.symbols[y] = hash_bytes(before, c->seed);
	/* An unnamed dim is called after its input. */
	if (intern_find(&c->a.m->names, before) && intern_find(&c->b.m->names, after))
		compare_texts(c, DIFFERENCE_SYMBOL, before, "name", before, after);
}

static void find_renamings(struct comparison *c)
{
	const struct graph *g = &c->a.m->graphs.at[0];

	for (size_t i = 0; i < g->inputs.len; i++) {
		const struct info *a = &c->a.in->infos[g->inputs.at[i]];
		const struct info *b = &c->b.in->infos[c->a.values[g->inputs.at[i]]];

		for (uint32_t j = 0; a->ranked && b->ranked && j < MIN(a->rank, b->rank); j++)
			find_renaming(c, a->dims[j], b->dims[j]);
	}
}

/* Declared names that the other side lacks and that were not renamed. */
static void shapes_diff_tell_symbols(struct comparison *c, const struct side *s,
				     const struct symbol_counts *counts, const struct map *other)
{
	for (size_t i = 0; i < counts->len; i++) {
		struct sv name = model_name(s->m, counts->at[i].name);
		struct sym symbol = sym_find(&s->in->pool, name);
		struct str text = {0};
		uint32_t id;

		if (map_find(other, s->name_tokens[counts->at[i].name]) ||
		    (sym_symbol_id(&s->in->pool, symbol, &id) && s->symbols[id]))
			continue;
		str_things(&text, counts->at[i].count, "dim");
		compare_tell(c, (struct telling){DIFFERENCE_SYMBOL, name, "",
						 s == &c->a ? &text : NULL,
						 s == &c->a ? NULL : &text});
		str_release(&text);
	}
}

static void tell_all_symbols(struct comparison *c)
{
	struct symbol_counts a = {0}, b = {0};
	struct map in_a = {0}, in_b = {0};

	model_symbols(c->a.m, &a);
	model_symbols(c->b.m, &b);
	for (size_t i = 0; i < a.len; i++)
		*map_at(&in_a, c->a.name_tokens[a.at[i].name]) = 1;
	for (size_t i = 0; i < b.len; i++)
		*map_at(&in_b, c->b.name_tokens[b.at[i].name]) = 1;
	shapes_diff_tell_symbols(c, &c->a, &a, &in_b);
	shapes_diff_tell_symbols(c, &c->b, &b, &in_a);
	map_release(&in_a);
	map_release(&in_b);
	vec_release(&a);
	vec_release(&b);
}

void compare_symbols(struct comparison *c)
{
	find_renamings(c);
	tell_all_symbols(c);
	for (uint32_t i = 0; i < c->a.in->pool.symbols.len; i++)
		c->a.symbols[i] = symbol_hash(c, &c->a, i);
	for (uint32_t i = 0; i < c->b.in->pool.symbols.len; i++)
		c->b.symbols[i] = symbol_hash(c, &c->b, i);
}

/* ---- shapes ---- */

static bool dims_equal(struct comparison *c, const struct info *a, const struct info *b)
{
	if (a->ranked != b->ranked || a->rank != b->rank)
		return false;
	for (uint32_t i = 0; i < a->rank; i++) {
		struct sym x = a->dims[i], y = b->dims[i];
		bool quick = sym_is_small(x) || sym_is_small(y);

		if (quick ? !sym_same(x, y)
			  : expression_hash(c, &c->a, x) != expression_hash(c, &c->b, y))
			return false;
	}
	return true;
}

static bool infos_equal(struct comparison *c, const struct info *a, const struct info *b)
{
	for (; a && b; a = a->inner, b = b->inner) {
		if (a->kind != b->kind || a->elem != b->elem || !dims_equal(c, a, b))
			return false;
	}
	return !a && !b;
}

static bool shapes_diff_is_fact(const struct side *s, uint32_t value)
{
	const struct value *v = &s->m->values.at[value];

	return constant_of(s, value) || v->sparse || (v->graph == 0 && v->flags & VALUE_INPUT);
}

static void compare_shape(struct comparison *c, uint32_t a, uint32_t b)
{
	const struct info *x = &c->a.in->infos[a], *y = &c->b.in->infos[b];
	struct str before = {0}, after = {0};

	/* Inputs and constants are reported elsewhere. */
	if ((shapes_diff_is_fact(&c->a, a) && shapes_diff_is_fact(&c->b, b)) ||
	    infos_equal(c, x, y))
		return;
	if (c->out->counts[DIFFERENCE_SHAPE] < COMPARE_MAX) {
		info_print(&before, &c->a.in->pool, x, INFO_TYPE);
		info_print(&after, &c->b.in->pool, y, INFO_TYPE);
	}
	compare_tell(c, (struct telling){DIFFERENCE_SHAPE,
					 model_name(c->a.m, c->a.m->values.at[a].name), "", &before,
					 &after});
	str_release(&before);
	str_release(&after);
}

void compare_shapes(struct comparison *c)
{
	for (uint32_t v = 1; v < c->a.m->values.len; v++) {
		if (!c->a.values[v])
			continue;
		c->graph = c->a.m->values.at[v].graph;
		compare_shape(c, v, c->a.values[v]);
	}
}
