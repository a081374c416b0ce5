#include "ops/body.h"

#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "base/intern.h"
#include "base/sv.h"
#include "ir/graph.h"
#include "ir/type.h"
#include "ops/info.h"
#include "sym/sym.h"

enum {
	DEEPEST = 16 /* nesting limit of expressions, types and graphs */
};

bool body_find(struct rule *r, const char *attribute, struct body *out)
{
	const struct attr *a = rule_attr(r, attribute);
	const struct graph *g;

	if (!a || a->kind != ATTR_GRAPH || a->graph == 0 || a->graph >= r->model->graphs.len) {
		rule_error(r, "attribute %s, a graph, is missing", attribute);
		return false;
	}
	g = &r->model->graphs.at[a->graph];
	*out = (struct body){.graph = a->graph,
			     .inputs = (uint32_t)g->inputs.len,
			     .outputs = (uint32_t)g->outputs.len};
	return true;
}

bool body_claimed_rank(const struct rule *r, const struct body *b, uint32_t input, uint32_t *out)
{
	const struct graph *g = &r->model->graphs.at[b->graph];
	const struct value *v = &r->model->values.at[g->inputs.at[input]];
	const struct type *t = &r->model->claims.at[v->first_claim].type;

	if (!v->first_claim || !t->has_shape)
		return false;
	*out = t->rank;
	return true;
}

bool body_check_counts(struct rule *r, const struct body *b, const char *attribute, uint32_t inputs,
		       uint32_t outputs)
{
	if (b->inputs != inputs)
		rule_error(r, "%s has %" PRIu32 " %s, but gets %" PRIu32, attribute, b->inputs,
			   PLURAL(b->inputs, "input", "inputs"), inputs);
	else if (b->outputs != outputs)
		rule_error(r, "%s has %" PRIu32 " %s, but %" PRIu32 " %s needed", attribute,
			   b->outputs, PLURAL(b->outputs, "output", "outputs"), outputs,
			   PLURAL(outputs, "is", "are"));
	return b->inputs == inputs && b->outputs == outputs;
}

struct info *body_run(struct rule *r, const struct body *b, const struct info *in)
{
	struct info *out = arena_array(r->arena, (size_t)b->outputs + 1, struct info);

	return r->host->body(r->host->context, b->graph, in, b->inputs, out, b->outputs) ? out
											 : NULL;
}

/* Is it another node in the graph of the rule's node, or a node in an enclosing graph? */
static bool is_outside(const struct rule *r, uint32_t node)
{
	const struct model *m = r->model;
	uint32_t graph = r->node->graph;

	if (node == r->node_id || node >= m->nodes.len)
		return false;
	for (uint32_t i = 0; i < m->graphs.len; i++) {
		const struct graph *g = &m->graphs.at[graph];

		if (m->nodes.at[node].graph == graph)
			return true;
		if (g->kind != GRAPH_BODY)
			return false;
		graph = g->parent;
	}
	return false;
}

/* Sets or clears the bits of all names in a text, which may be an expression. */
static void mark_names(const struct rule *r, uint64_t *bits, struct sv text, bool set)
{
	while (text.len) {
		size_t len = 0;
		uint32_t name;

		while (len < text.len && !strchr(" +-*/%(),", text.at[len]))
			len++;
		name = intern_find(&r->model->names, (struct sv){text.at, len});
		if (name && set)
			bits[name / 64] |= (uint64_t)1 << name % 64;
		else if (name)
			bits[name / 64] &= ~((uint64_t)1 << name % 64);
		text = sv_skip(text, len < text.len ? len + 1 : len);
	}
}

static void mark_type(struct rule *r, struct body *b, const struct type *t, bool set)
{
	for (unsigned depth = 0; t && depth < DEEPEST; t = t->inner, depth++) {
		for (uint32_t i = 0; t->has_shape && t->dims && i < t->rank; i++) {
			if (t->dims[i].kind != DIM_PARAM)
				continue;
			if (!b->own_names)
				b->own_names = arena_array(r->arena,
							   intern_count(&r->model->names) / 64 + 1,
							   uint64_t);
			mark_names(r, b->own_names, model_name(r->model, t->dims[i].param), set);
		}
	}
}

static bool is_inside(const struct model *m, uint32_t graph, uint32_t body)
{
	for (uint32_t i = 0; i < m->graphs.len && graph != body; i++) {
		if (m->graphs.at[graph].kind != GRAPH_BODY)
			return false;
		graph = m->graphs.at[graph].parent;
	}
	return graph == body;
}

void body_own_names(struct rule *r, struct body *b)
{
	const struct model *m = r->model;
	const struct graph *whole = &m->graphs.at[0];

	/* Bodies inside come directly after. */
	for (uint32_t i = b->graph; i < m->graphs.len && is_inside(m, i, b->graph); i++) {
		const struct graph *g = &m->graphs.at[i];

		for (size_t k = 0; k < g->claims.len; k++)
			mark_type(r, b, &m->claims.at[g->claims.at[k]].type, true);
	}
	for (size_t i = 0; b->own_names && i < whole->claims.len; i++) {
		const struct claim *c = &m->claims.at[whole->claims.at[i]];

		if (c->kind == CLAIM_INPUT)
			mark_type(r, b, &c->type, false);
	}
}

static bool is_own_name(const struct rule *r, const struct body *b, uint32_t symbol)
{
	uint32_t name = intern_find(&r->model->names, sym_name(r->pool, symbol));

	return b->own_names && (b->own_names[name / 64] >> name % 64 & 1);
}

static bool is_local(const struct rule *r, const struct body *b, struct sym s, unsigned depth)
{
	const struct sym_symbol *symbol;
	size_t parts = sym_part_count(r->pool, s);
	uint32_t id;

	if (depth > DEEPEST)
		return true;
	for (size_t i = 0; i < parts; i++) {
		if (is_local(r, b, sym_part(r->pool, s, i).s, depth + 1))
			return true;
	}
	if (!sym_symbol_id(r->pool, s, &id))
		return false;
	symbol = &r->pool->symbols.at[id];
	if (symbol->source == SYM_GENERATED)
		return !is_outside(r, symbol->origin.node);
	if (symbol->source == SYM_DECLARED)
		return is_own_name(r, b, id);
	for (size_t i = 0; i < ARRAY_LEN(symbol->args); i++) {
		if (is_local(r, b, symbol->args[i], depth + 1))
			return true;
	}
	return false;
}

bool body_is_local(const struct rule *r, const struct body *b, struct sym s)
{
	int64_t ignored;

	return !sym_is_unknown(s) && !sym_value(r->pool, s, &ignored) && is_local(r, b, s, 0);
}

static struct info body_scrub_info(struct rule *r, const struct body *b, const struct info *info,
				   unsigned depth)
{
	struct info out = {.kind = info->kind, .elem = info->elem, .claimed = info->claimed};

	if (info->ranked) {
		struct sym *dims = rule_dims(r, info->rank);

		for (uint32_t i = 0; i < info->rank; i++)
			dims[i] = body_is_local(r, b, info->dims[i]) ? SYM_UNKNOWN : info->dims[i];
		out.ranked = true;
		out.rank = info->rank;
		out.dims = dims;
	}
	if (!body_is_local(r, b, info->length))
		out.length = info->length;
	if (info->inner && depth < DEEPEST) {
		struct info inner = body_scrub_info(r, b, info->inner, depth + 1);

		out.inner = rule_keep(r, &inner);
	}
	return out;
}

struct info body_scrub(struct rule *r, const struct body *b, const struct info *info)
{
	return body_scrub_info(r, b, info, 0);
}

struct contents body_contents(struct rule *r, const struct info *info)
{
	if (!info->contents.at && info->tensor)
		return r->host->constant(r->host->context, info->tensor);
	return info->contents;
}

static bool body_same_contents(struct rule *r, const struct info *a, const struct info *b)
{
	struct contents x, y;

	if (a->contents.min != b->contents.min || a->contents.max != b->contents.max)
		return false;
	if (a->tensor == b->tensor && a->contents.at == b->contents.at)
		return true;
	x = body_contents(r, a);
	y = body_contents(r, b);
	if (!x.at || !y.at || x.count != y.count || x.rank != y.rank || x.rows != y.rows)
		return !x.at && !y.at;
	for (uint32_t i = 0; i < x.count; i++) {
		/* Two unknowns are the same knowledge, though not the same value. */
		if (!sym_same(x.at[i], y.at[i]))
			return false;
	}
	return true;
}

static bool same_shape(const struct info *a, const struct info *b)
{
	if (a->ranked != b->ranked || a->rank != b->rank)
		return false;
	for (uint32_t i = 0; a->ranked && i < a->rank; i++) {
		if (!sym_same(a->dims[i], b->dims[i]))
			return false;
	}
	return true;
}

static bool body_same_info(struct rule *r, const struct info *a, const struct info *b,
			   unsigned depth)
{
	if (a == b)
		return true;
	if (!a || !b || depth > DEEPEST)
		return false;
	if (a->kind != b->kind || a->elem != b->elem || !same_shape(a, b) ||
	    !sym_same(a->length, b->length) || !body_same_contents(r, a, b))
		return false;
	if (a->item_count != b->item_count || !a->items != !b->items ||
	    !body_same_info(r, a->inner, b->inner, depth + 1))
		return false;
	for (uint32_t i = 0; a->items && i < a->item_count; i++) {
		if (!body_same_info(r, &a->items[i], &b->items[i], depth + 1))
			return false;
	}
	return true;
}

bool body_same(struct rule *r, const struct info *a, const struct info *b)
{
	return body_same_info(r, a, b, 0);
}
