/*
 * What rules ask and say about the node that they are called for.
 */
#include "flow/visit.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "flow/array.h"
#include "flow/axis.h"
#include "flow/fold.h"
#include "flow/plan.h"
#include "infer/apply.h"
#include "ir/graph.h"
#include "ir/tensor.h"
#include "ir/type.h"
#include "ops/info.h"
#include "ops/ops.h"
#include "sym/eval.h"
#include "sym/sym.h"

enum {
	MAX_FACTORS = 64 /* of an axis: no real model has ten */
};

/* ---- marks ---- */

struct pass_mark pass_mark(const struct pass *p)
{
	return (struct pass_mark){
		.nodes = p->plan.nodes.len,
		.inputs = p->plan.inputs.len,
		.removals = p->plan.removals.len,
		.lists = p->plan.lists.len,
		.notes = p->plan.notes.len,
		.choices = p->choices.len,
		.bounds = p->bounds.len,
		.assumptions = p->assumptions.len,
	};
}

void pass_return(struct pass *p, const struct pass_mark *m)
{
	p->plan.nodes.len = m->nodes;
	p->plan.inputs.len = m->inputs;
	p->plan.removals.len = m->removals;
	p->plan.lists.len = m->lists;
	p->plan.notes.len = m->notes;
	while (p->choices.len > m->choices) {
		p->turns[vec_last(&p->choices)->taken.node]--;
		vec_pop(&p->choices);
	}
	p->bounds.len = m->bounds;
	p->assumptions.len = m->assumptions;
	plan_forget(&p->plan);
}

/* ---- refusing ---- */

LIKE_PRINTF(4, 0)
static void set_refusal(struct visit *v, bool impossible, enum flow_cause cause, const char *format,
			va_list args)
{
	struct refusal *r = &v->pass->refusal;

	*r = (struct refusal){.cause = cause, .node = v->id, .impossible = impossible};
	text_print(r->why, sizeof(r->why), format, args);
}

bool flow_refuse(struct visit *v, enum flow_cause cause, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	set_refusal(v, false, cause, format, args);
	va_end(args);
	return false;
}

bool flow_impossible(struct visit *v, enum flow_cause cause, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	set_refusal(v, true, cause, format, args);
	va_end(args);
	return false;
}

bool flow_refuse_weight(struct visit *v, struct flow_axis a)
{
	return flow_impossible(v, CAUSE_WEIGHT, "a weight is made for %s = %" PRId64,
			       flow_text(v->pass, axis_size(&v->pass->factory, a)), axis_old(a));
}

bool flow_demand(struct visit *v, uint32_t port, uint32_t axis, struct flow_axis factors)
{
	struct pass *p = v->pass;

	if (p->watch)
		return true;
	(void)flow_refuse(v, CAUSE_FIXED,
			  "%s meets axis %" PRIu32 " of input %" PRIu32
			  ", which is fixed to %" PRId64,
			  flow_text(p, axis_size(&p->factory, factors)), axis, port,
			  axis_old(v->in[port].axes[axis]));
	p->refusal.impossible = true;
	p->refusal.kind = REFUSAL_DEMAND;
	p->refusal.value = v->node->inputs[port];
	p->refusal.axis = axis;
	p->refusal.factors = factors;
	return false;
}

bool flow_unequal(struct visit *v, struct sym a, struct sym b, const char *what)
{
	struct pass *p = v->pass;

	(void)flow_refuse(v, CAUSE_UNEQUAL, "%s: %s and %s must be equal", what, flow_text(p, a),
			  flow_text(p, b));
	p->refusal.impossible = true;
	p->refusal.kind = REFUSAL_UNEQUAL;
	p->refusal.a = a;
	p->refusal.b = b;
	return false;
}

/* ---- what is known about the result ---- */

bool flow_pins(const struct visit *v, struct flow_axis a)
{
	return axis_symbols(a) && !v->pass->watch;
}

void flow_mix(struct visit *v, uint64_t symbols, const char *why)
{
	for (uint32_t i = 0; i < v->pass->factory.symbol_count; i++) {
		struct mixing *m = &v->pass->mixed[i];

		if (symbols >> i & 1 && !m->is_mixed)
			*m = (struct mixing){.is_mixed = true, .node = v->id, .why = why};
	}
}

void flow_note(struct visit *v, const char *what, uint64_t symbols)
{
	if (symbols)
		plan_note(&v->pass->plan, v->id, "%s %s", what, flow_names(v->pass, symbols));
}

void flow_assume(struct visit *v, const char *format, ...)
{
	char text[SENTENCE_BYTES];
	va_list args;
	struct sv kept;

	va_start(args, format);
	text_print(text, sizeof(text), format, args);
	va_end(args);
	kept = arena_copy(&v->pass->arena, (struct sv){text, strlen(text) + 1});
	vec_push(&v->pass->assumptions, ((struct plan_note){v->id, kept.at}));
}

/* An expression at the old sizes; -1 when it has no value there. */
int64_t pass_old_size(const struct pass *p, struct sym s)
{
	struct sym_env env = {0};
	struct err ignored;
	int64_t value;
	bool ok = true;

	for (uint32_t i = 0; ok && i < p->factory.symbol_count; i++)
		ok = sym_bind(&env, &p->in->pool, p->factory.symbols[i], p->old[i] / p->multiple[i],
			      &ignored);
	for (size_t i = 0; ok && i < p->unknowns.len; i++)
		ok = sym_bind(&env, &p->in->pool, p->unknowns.at[i].symbol, p->unknowns.at[i].old,
			      &ignored);
	ok = ok && sym_eval(&p->in->pool, &env, s, &value) == SYM_OK;
	sym_env_release(&env);
	return ok ? value : -1;
}

void flow_limit(struct visit *v, struct sym size, int64_t limit, bool least)
{
	struct pass *p = v->pass;
	size_t count = p->bounds.len;
	uint32_t *from;

	if (least && sym_range(&p->in->pool, size).lo >= limit)
		return;
	from = map_find(&p->bounds_from, v->id);
	/* Bounds are taken back too: a new one may be before where the first one was. */
	*map_at(&p->bounds_from, v->id) = (uint32_t)(from ? MIN(*from, count) : count);
	vec_push(&p->bounds,
		 ((struct flow_bound){size, limit, pass_old_size(p, size), least, v->id}));
}

const struct force *flow_force(const struct pass *p, uint32_t node, uint32_t port, uint32_t axis)
{
	for (size_t i = 0; i < p->forces.list.len; i++) {
		const struct force *f = &p->forces.list.at[i];

		if (f->node == node && f->port == port && f->axis == axis)
			return f;
	}
	return NULL;
}

/* ---- what a node reads ---- */

uint32_t visit_rank(const struct visit *v, uint32_t output)
{
	return v->pass->in->infos[v->node->outputs[output]].rank;
}

int64_t visit_old(const struct visit *v, uint32_t output, uint32_t axis)
{
	const struct info *info = &v->pass->in->infos[v->node->outputs[output]];
	int64_t size;

	return info->ranked && axis < info->rank &&
			       sym_value(&v->pass->in->pool, info->dims[axis], &size)
		       ? size
		       : -1;
}

bool visit_has(const struct visit *v, uint32_t port)
{
	return port < v->node->input_count && v->node->inputs[port];
}

bool visit_is_complete(const struct visit *v)
{
	const struct infer *in = v->pass->in;
	const struct op *op = op_find(&in->ops, in->model, v->node, visit_version(v));

	if (!op || v->node->output_count == 0 || v->node->input_count > op->max_inputs)
		return false;
	for (uint32_t i = 0; i < op->min_inputs; i++) {
		if (!visit_has(v, i))
			return false;
	}
	return true;
}

const struct array *visit_array(const struct visit *v, uint32_t port)
{
	return visit_has(v, port) ? fold_value(v->pass->folder, v->node->inputs[port]) : NULL;
}

static bool list_of_array(struct visit *v, uint32_t port, const struct sym **out, uint32_t *count)
{
	const struct array *a = visit_array(v, port);
	struct sym *list;

	if (!a || a->rank > 1 || a->count > RULE_MAX_CONSTANTS)
		return false;
	list = arena_array(&v->pass->arena, a->count, struct sym);
	for (uint64_t i = 0; i < a->count; i++) {
		int64_t number;

		if (!array_int(a, i, &number))
			return false;
		list[i] = sym_int(&v->pass->in->pool, number);
	}
	*out = list;
	*count = (uint32_t)a->count;
	return true;
}

bool visit_list(struct visit *v, uint32_t port, const struct sym **out, uint32_t *out_count)
{
	if (!visit_has(v, port))
		return false;
	if (v->in[port].contents.at) {
		*out = v->in[port].contents.at;
		*out_count = v->in[port].contents.count;
		return true;
	}
	return v->in[port].constant && list_of_array(v, port, out, out_count);
}

bool visit_numbers(struct visit *v, uint32_t port, const int64_t **out, uint32_t *out_count)
{
	const struct sym *list;
	int64_t *numbers;

	if (!visit_list(v, port, &list, out_count))
		return false;
	numbers = arena_array(&v->pass->arena, *out_count, int64_t);
	for (uint32_t i = 0; i < *out_count; i++) {
		if (!sym_value(&v->pass->in->pool, list[i], &numbers[i]))
			return false;
	}
	*out = numbers;
	return true;
}

int64_t visit_attr(const struct visit *v, const char *name, int64_t otherwise)
{
	const struct attr *a = node_attr(v->pass->in->model, v->node, name);

	return a && a->kind == ATTR_INT && !a->ref ? a->i : otherwise;
}

bool visit_attr_ints(const struct visit *v, const char *name, const int64_t **out,
		     uint32_t *out_count)
{
	const struct attr *a = node_attr(v->pass->in->model, v->node, name);

	if (!a || a->kind != ATTR_INTS || a->ref || !data_in_memory(&a->list) || a->list.count != 1)
		return false;
	*out = a->list.chunks[0].memory;
	*out_count = a->count;
	return true;
}

struct sv visit_attr_text(const struct visit *v, const char *name)
{
	const struct attr *a = node_attr(v->pass->in->model, v->node, name);

	if (!a || a->kind != ATTR_STRING || a->ref || a->text.len != a->text_len)
		return (struct sv){0};
	return a->text;
}

int64_t visit_version(const struct visit *v)
{
	const struct model *m = v->pass->in->model;

	return model_opset(m, v->node->graph, model_name(m, v->node->domain));
}

/* ---- what becomes of it ---- */

void visit_replace(struct visit *v, uint32_t port, plan_ref ref, const struct sym *dims,
		   uint32_t rank, struct contents contents)
{
	struct info *info = &v->infos[port];

	info->ranked = true;
	info->rank = rank;
	info->dims = dims;
	info->contents = contents;
	info->items = NULL;
	info->tensor = 0;
	if (!v->pass->watch)
		plan_replace(&v->pass->plan, v->id, port, ref);
}

bool visit_replace_sizes(struct visit *v, uint32_t port, const struct sym *sizes, uint32_t count)
{
	struct pass *p = v->pass;
	plan_ref ref = p->watch ? PLAN_MADE : plan_sizes(&p->plan, sizes, count);
	struct sym *dims = arena_array(&p->arena, 1, struct sym);
	struct sym *kept = arena_array(&p->arena, count, struct sym);

	if (!ref)
		return flow_refuse(v, CAUSE_OPERATOR, "a size cannot be computed at run time");
	dims[0] = sym_int(&p->in->pool, count);
	for (uint32_t i = 0; i < count; i++)
		kept[i] = sizes[i];
	visit_replace(v, port, ref, dims, 1,
		      (struct contents){.at = kept, .count = count, .rank = 1});
	return true;
}

struct flow_axis *visit_axes(struct visit *v, uint32_t rank)
{
	return arena_array(&v->pass->arena, rank, struct flow_axis);
}

static bool visit_apply(struct visit *v)
{
	if (!v->applied && !infer_apply(v->pass->in, v->id, &v->pass->arena, v->infos, v->out))
		return flow_refuse(v, CAUSE_OPERATOR, "no shape is known for this operator");
	v->applied = true;
	return true;
}

/* Elements that do not depend on freed sizes are what they were: a constant. */
static void put_contents(struct visit *v, uint32_t output, struct track *t)
{
	struct pass *p = v->pass;
	const struct contents *c = &v->out[output].contents;
	uint64_t symbols = 0;

	for (uint32_t i = 0; c->at && i < c->count; i++) {
		if (sym_is_unknown(c->at[i]))
			return;
		symbols |= flow_symbols(&p->factory, c->at[i]);
	}
	if (symbols)
		t->contents = *c;
	else if (c->at)
		t->constant = true;
}

/* Positions stay positions in integer arithmetic; a shape, or what is computed from one, has none.
 */
static void put_numbered(struct visit *v, struct track *t)
{
	if (t->contents.at || t->constant)
		return;
	if (v->out[0].elem != ELEM_INT64 && v->out[0].elem != ELEM_INT32)
		return;
	for (uint32_t i = 0; i < v->node->input_count; i++)
		t->numbered |= v->in[i].numbered & ~v->pass->carried;
}

bool visit_counted(const struct visit *v)
{
	for (uint32_t i = 0; i < v->node->input_count; i++) {
		if (v->in[i].counted)
			return true;
	}
	return false;
}

/* Not known, where sizes are read, or positions. */
static void put_sized(struct visit *v, struct track *t)
{
	if (t->contents.at || t->constant)
		return;
	for (uint32_t i = 0; i < v->node->input_count; i++)
		t->sized |= v->in[i].sized || v->in[i].numbered || v->in[i].contents.at;
}

static void note_size(struct pass *p, struct flow_axis a)
{
	struct factor f = {axis_size(&p->factory, a), axis_old(a), axis_symbols(a), 0};

	if (!flow_meant(p, a) || p->watch)
		return;
	for (size_t i = 0; i < p->known.len; i++) {
		if (sym_same(p->known.at[i].size, f.size))
			return;
	}
	vec_push(&p->known, f);
}

/* The least value of a symbol that the bounds of this node ask for. */
static int64_t least_of(const struct visit *v, uint32_t symbol)
{
	const uint32_t *from = map_find(&v->pass->bounds_from, v->id);
	int64_t least = 1;

	for (size_t i = from ? *from : v->pass->bounds.len; i < v->pass->bounds.len; i++) {
		const struct flow_bound *b = &v->pass->bounds.at[i];
		int64_t a, rest;
		uint32_t own;

		if (b->node == v->id && b->least && b->limit > 0 &&
		    sym_is_linear(&v->pass->in->pool, b->size, &own, &a, &rest) && own == symbol &&
		    a > 0 && b->limit > rest)
			least = MAX(least, (b->limit - rest - 1) / a + 1);
	}
	return least;
}

/* Are the two equal for all sizes that the bounds of this node leave? */
static bool put_bounded(struct visit *v, struct sym size, struct sym said)
{
	const struct factory *f = &v->pass->factory;
	struct sym_pool *pool = &v->pass->in->pool;
	struct sym_subst subst = {0};
	bool equal;

	/* At least n: n - 1 and something that is at least 1. */
	for (uint32_t i = 0; i < f->symbol_count; i++)
		sym_replace(&subst, f->symbols[i],
			    sym_add_int(pool, pool->symbols.at[f->symbols[i]].self,
					least_of(v, f->symbols[i]) - 1));
	equal = sym_eq(pool, sym_substitute(pool, &subst, size),
		       sym_substitute(pool, &subst, said)) == SYM_YES;
	sym_subst_release(&subst);
	return equal;
}

/* The shape rule says 0 where a size would be negative: it must not be. */
static bool put_clamped(struct visit *v, struct sym size, struct sym said)
{
	struct sym_pool *pool = &v->pass->in->pool;
	int64_t number = 0, ignored;

	if (!put_bounded(v, sym_max(pool, size, sym_int(pool, 0)), said))
		return false;
	if (sym_is_linear(pool, size, NULL, &ignored, &number))
		size = sym_add_int(pool, size, -number);
	flow_limit(v, size, 1 - number, true);
	return true;
}

/*
 * What only watches follows sizes that the model has as numbers, which weights and literals
 * contradict: there the sizes have to be equal in the model only.
 */
static bool is_watched_size(const struct visit *v, struct flow_axis a, struct sym size)
{
	const struct pass *p = v->pass;
	uint64_t symbols = axis_symbols(a) | flow_symbols(&p->factory, size);
	int64_t number;

	if (!p->watch)
		return false;
	if (sym_value(&p->in->pool, size, &number))
		return number == axis_old(a);
	return (p->alone || symbols & (p->numbers | FLOW_UNKNOWN)) &&
	       pass_old_size(p, size) == axis_old(a);
}

bool visit_put(struct visit *v, uint32_t output, const struct flow_axis *axes, uint32_t rank)
{
	struct pass *p = v->pass;
	struct track *t = &p->tracks[v->node->outputs[output]];

	if (!v->node->outputs[output])
		return true;
	if (!visit_apply(v))
		return false;
	if (!v->out[output].ranked || v->out[output].rank != rank || visit_rank(v, output) != rank)
		return flow_refuse(v, CAUSE_OPERATOR, "its shape is not known");
	for (uint32_t i = 0; i < rank; i++) {
		struct sym size;

		if (visit_old(v, output, i) < 0)
			return flow_refuse(
				v, CAUSE_DATA,
				"the size of axis %" PRIu32 " of its result depends on data", i);
		if (axes[i].count > MAX_FACTORS)
			return flow_refuse(v, CAUSE_LIMIT,
					   "axis %" PRIu32 " is made of too many sizes", i);
		size = axis_size(&p->factory, axes[i]);
		if (axis_old(axes[i]) != visit_old(v, output, i))
			return flow_refuse(v, CAUSE_BROKEN,
					   "axis %" PRIu32 " would be %" PRId64
					   " at the old size, and is %" PRId64,
					   i, axis_old(axes[i]), visit_old(v, output, i));
		if (sym_eq(&p->in->pool, size, v->out[output].dims[i]) != SYM_YES &&
		    !put_bounded(v, size, v->out[output].dims[i]) &&
		    !put_clamped(v, size, v->out[output].dims[i]) &&
		    !is_watched_size(v, axes[i], v->out[output].dims[i]))
			return flow_unequal(v, size, v->out[output].dims[i],
					    "an axis of its result would have two sizes");
		note_size(p, axes[i]);
	}
	*t = (struct track){.known = true, .rank = rank, .axes = axes};
	put_contents(v, output, t);
	put_numbered(v, t);
	put_sized(v, t);
	t->counted = visit_counted(v);
	return true;
}

/* An axis whose size the shape rule computes from the same axis of the first input. */
static struct flow_axis computed_axis(struct visit *v, struct sym size, int64_t old, uint32_t axis)
{
	struct flow_axis out = axis_of(&v->pass->factory, size, old);
	uint64_t from = axis_symbols(v->in[0].axes[axis]);

	if (!v->pass->watch || !from || old == 1)
		return out;
	return axis_some(&v->pass->factory, size, old, from | axis_symbols(out));
}

bool visit_put_sizes(struct visit *v, uint32_t output, const struct flow_axis *const *keep)
{
	struct pass *p = v->pass;
	struct flow_axis *axes;
	uint32_t rank;

	if (!v->node->outputs[output])
		return true;
	if (!visit_apply(v))
		return false;
	if (!v->out[output].ranked)
		return flow_refuse(v, CAUSE_OPERATOR, "its shape is not known");
	rank = v->out[output].rank;
	axes = visit_axes(v, rank);
	for (uint32_t i = 0; i < rank; i++) {
		if (sym_is_unknown(v->out[output].dims[i]))
			return flow_refuse(v, CAUSE_DATA,
					   "the size of axis %" PRIu32 " depends on data", i);
		if (keep && keep[i])
			axes[i] = *keep[i];
		else if (keep && v->in[0].rank == rank)
			axes[i] = computed_axis(v, v->out[output].dims[i], visit_old(v, output, i),
						i);
		else
			axes[i] = axis_of(&p->factory, v->out[output].dims[i],
					  visit_old(v, output, i));
	}
	return visit_put(v, output, axes, rank);
}
