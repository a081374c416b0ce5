#include "flow/query.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/base.h"
#include "base/bug.h"
#include "base/num.h"
#include "base/str.h"
#include "base/vec.h"
#include "flow/axis.h"
#include "flow/fold.h"
#include "flow/pass.h"
#include "flow/plan.h"
#include "flow/sizing.h"
#include "flow/visit.h"
#include "flow/watch.h"
#include "infer/infer.h"
#include "ir/graph.h"
#include "ops/info.h"
#include "ops/property.h"
#include "sym/sym.h"

/* ---- seeds ---- */

/* The size of an axis as a symbol of its own, or as the one of its name. */
static uint32_t seed_symbol(struct flow_query *q, const struct infer *in, struct sym dim,
			    const struct flow_source *s)
{
	struct sym_pool *pool = &q->bound.pool;
	struct str name = {0};
	uint32_t symbol = 0;

	if (s->named && sym_symbol_id(&in->pool, dim, &symbol)) {
		str_add(&name, sym_name(&in->pool, symbol));
	} else {
		str_add(&name, model_cut_name(in->model, in->model->values.at[s->input].name));
		str_format(&name, ":%" PRIu32, s->axis);
		while (!sym_is_unknown(sym_find(pool, str_sv(&name))))
			str_char(&name, '\'');
	}
	(void)sym_symbol_id(pool, sym_declare(pool, str_sv(&name)), &symbol);
	str_release(&name);
	return symbol;
}

/* False when there is no bit left. */
static bool add_source(struct flow_query *q, uint32_t symbol, struct flow_source s, int64_t old)
{
	struct factory *f = &q->pass.factory;

	while (s.bit < f->symbol_count && f->symbols[s.bit] != symbol)
		s.bit++;
	if (s.bit == FLOW_MAX_SYMBOLS - 1)
		return false;
	if (s.bit == f->symbol_count)
		f->symbols[f->symbol_count++] = symbol;
	q->pass.old[s.bit] = old;
	q->pass.multiple[s.bit] = 1;
	if (!s.named)
		q->pass.numbers |= UINT64_C(1) << s.bit;
	vec_push(&q->sources, s);
	return true;
}

/* Axes that have a name first, then numbers, then those of size 1. */
static void add_sources(struct flow_query *q, struct infer *in)
{
	const struct graph *g = &in->model->graphs.at[0];

	for (unsigned turn = 0; turn < 3; turn++) {
		for (size_t i = 0; i < g->inputs.len; i++) {
			uint32_t value = g->inputs.at[i], symbol;
			const struct info *was = &in->infos[value], *is = &q->bound.infos[value];

			for (uint32_t k = 0; was->ranked && is->ranked && was->rank == is->rank &&
					     !value_is_constant(in->model, value) && k < is->rank;
			     k++) {
				bool named = sym_symbol_id(&in->pool, was->dims[k], &symbol);
				struct flow_source s = {value, k, 0, named};
				int64_t old;

				if (!sym_value(&q->bound.pool, is->dims[k], &old) || old < 1 ||
				    turn != (named     ? 0u
					     : old > 1 ? 1u
						       : 2u))
					continue;
				if (!add_source(q, seed_symbol(q, in, was->dims[k], &s), s, old))
					return;
			}
		}
	}
}

static void set_seeds_of(struct flow_query *q)
{
	q->seeds = must_alloc((q->sources.len + 1) * sizeof(*q->seeds));
	for (size_t i = 0; i < q->sources.len; i++)
		q->seeds[i] = (struct seed){q->sources.at[i].input, q->sources.at[i].axis,
					    q->sources.at[i].bit};
	q->pass.seeds = q->seeds;
	q->pass.seed_count = q->sources.len;
}

/* ---- the pass ---- */

/* Axes of inputs that are not followed are not known. */
static void forget_inputs(struct flow_query *q)
{
	struct pass *p = &q->pass;
	const struct graph *g = &p->in->model->graphs.at[0];

	for (size_t i = 0; i < g->inputs.len; i++) {
		struct track *t = &p->tracks[g->inputs.at[i]];
		struct flow_axis *axes = arena_array(&p->arena, t->rank, struct flow_axis);

		t->lost = !t->known;
		for (uint32_t k = 0; !t->constant && k < t->rank; k++)
			axes[k] = axis_symbols(t->axes[k]) ? t->axes[k]
							   : watch_unknown(p, axis_old(t->axes[k]));
		if (!t->constant)
			t->axes = axes;
	}
}

void flow_query_init(struct flow_query *q, struct infer *in)
{
	const struct graph *g = &in->model->graphs.at[0];

	*q = (struct flow_query){0};
	flow_bind(in, &q->bound);
	folder_init_at_sizes(&q->folder, &q->bound);
	q->pass.in = &q->bound;
	q->pass.folder = &q->folder;
	q->pass.watch = watch_node;
	q->pass.factory.pool = &q->bound.pool;
	add_sources(q, in);
	set_seeds_of(q);
	q->pass.factory.first_unknown = (uint32_t)q->bound.pool.symbols.len;
	pass_start(&q->pass);
	forget_inputs(q);
	for (size_t i = 0; i < g->order.len; i++)
		(void)pass_node(&q->pass, g->order.at[i]);
}

void flow_query_release(struct flow_query *q)
{
	pass_release(&q->pass);
	folder_release(&q->folder);
	infer_release(&q->bound);
	free(q->seeds);
	vec_release(&q->sources);
}

/* ---- answers ---- */

static enum flow_how factor_how(const struct flow_query *q, const struct factor *f)
{
	uint32_t symbol, bit = 0;

	if (!f->symbols)
		return FLOW_NUMBER;
	if (f->symbols & FLOW_UNKNOWN)
		return FLOW_LOST;
	if (f->step == FACTOR_SOME || f->symbols & (f->symbols - 1))
		return FLOW_COMPUTED;
	if (f->step)
		return FLOW_PART;
	while (!(f->symbols >> bit & 1))
		bit++;
	return sym_symbol_id(&q->bound.pool, f->size, &symbol) &&
			       symbol == q->pass.factory.symbols[bit]
		       ? FLOW_WHOLE
		       : FLOW_COMPUTED;
}

/* Is the size a number in the model itself? */
static bool has_number(const struct flow_query *q, const struct factor *f)
{
	int64_t number;

	return sym_value(&q->bound.pool, f->size, &number) ||
	       !(flow_symbols(&q->pass.factory, f->size) & ~q->pass.numbers);
}

/* Two digits of one size, side by side, are one again. */
static bool join_digits(struct factor *a, const struct factor *b, int64_t whole, struct sym self)
{
	int64_t step;

	if (a->step < 1 || b->step < 1 || a->symbols != b->symbols || a->symbols & FLOW_UNKNOWN ||
	    !num_imul(b->step, b->old, &step) || step != a->step ||
	    !num_imul(a->old, b->old, &a->old))
		return false;
	a->step = b->step;
	if (a->old == whole) {
		a->step = 0;
		a->size = self;
	}
	return true;
}

static uint32_t join_all(struct flow_query *q, struct flow_axis a, struct factor *out)
{
	struct factory *f = &q->pass.factory;
	uint32_t count = 0;

	for (uint32_t i = 0; i < a.count && count < FLOW_MAX_DIGITS; i++) {
		struct factor *last = count ? &out[count - 1] : NULL;
		uint32_t bit = 0;

		while (bit + 1 < f->symbol_count && !(a.at[i].symbols >> bit & 1))
			bit++;
		if (last && join_digits(last, &a.at[i], q->pass.old[bit],
					f->pool->symbols.at[f->symbols[bit]].self)) {
			if (last->step)
				last->size = sym_mul(f->pool, last->size, a.at[i].size);
		} else if (last && !last->symbols && !a.at[i].symbols &&
			   num_imul(last->old, a.at[i].old, &last->old)) {
			last->size = sym_int(f->pool, last->old);
		} else {
			out[count++] = a.at[i];
		}
	}
	return count;
}

/* Values of functions are those of the last call: not one answer. */
static bool is_in_function(const struct model *m, uint32_t value)
{
	uint32_t graph = m->values.at[value].graph;

	while (graph && m->graphs.at[graph].owner)
		graph = m->nodes.at[m->graphs.at[graph].owner].graph;
	return graph;
}

bool flow_query_axis(struct flow_query *q, uint32_t value, uint32_t axis, struct flow_digit *out,
		     uint32_t *out_count)
{
	const struct track *t = &q->pass.tracks[value];
	struct factor factors[FLOW_MAX_DIGITS];
	uint32_t count;

	if (!t->known || axis >= t->rank || is_in_function(q->bound.model, value))
		return false;
	count = join_all(q, t->axes[axis], factors);
	for (uint32_t i = 0; i < count; i++) {
		const struct factor *f = &factors[i];

		out[i] = (struct flow_digit){
			.how = factor_how(q, f),
			.number = has_number(q, f) ? f->old : 0,
			.size = f->size,
			.from = f->symbols & ~FLOW_UNKNOWN,
		};
	}
	*out_count = count;
	return true;
}

/* Does an axis of the value have one of the sizes? */
static bool find_axis(const struct flow_query *q, uint32_t value, uint64_t from, uint32_t *out)
{
	const struct track *t = &q->pass.tracks[value];

	for (uint32_t k = 0; t->known && k < t->rank; k++) {
		if (axis_symbols(t->axes[k]) & from) {
			*out = k;
			return true;
		}
	}
	return false;
}

uint32_t flow_query_back(struct flow_query *q, uint64_t from, uint32_t *value, uint32_t *axis)
{
	const struct model *m = q->bound.model;
	uint32_t node = m->values.at[*value].producer;
	const struct node *n = &m->nodes.at[node];

	*value = 0;
	for (uint32_t i = 0; node && i < n->input_count; i++) {
		if (n->inputs[i] && find_axis(q, n->inputs[i], from, axis)) {
			*value = n->inputs[i];
			break;
		}
	}
	return node;
}

const char *flow_query_why(struct flow_query *q, uint32_t value, uint32_t *out_node)
{
	const struct plan *p = &q->pass.plan;
	uint32_t axis;

	for (size_t steps = 0; value && steps < q->bound.model->nodes.len; steps++) {
		uint32_t node = flow_query_back(q, FLOW_UNKNOWN, &value, &axis);

		for (size_t i = 0; node && i < p->notes.len; i++) {
			if (p->notes.at[i].node == node) {
				*out_node = node;
				return p->notes.at[i].text;
			}
		}
	}
	return NULL;
}
