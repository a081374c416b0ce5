#include "edit/repair/obstacle.h"

#include <stdio.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/vec.h"
#include "edit/document.h"
#include "edit/repair/old_sizes.h"
#include "edit/repair/reshape.h"
#include "edit/repair/site.h"
#include "infer/finding.h"
#include "infer/infer.h"
#include "infer/verdict.h"
#include "infer/why.h"
#include "ir/graph.h"
#include "ops/info.h"
#include "ops/need.h"
#include "ops/property.h"
#include "sym/eval.h"
#include "sym/sym.h"

/* ---- needs of nodes ---- */

static struct sym with_goal(struct document *d, uint32_t symbol, int64_t size, struct sym s)
{
	struct sym_subst subst = {0};
	struct sym out;

	sym_replace(&subst, symbol, sym_int(&d->infer.pool, size));
	out = sym_substitute(&d->infer.pool, &subst, s);
	sym_subst_release(&subst);
	return out;
}

/*
 * Does the difference vanish for another size too?  Tries the old size minus one: a
 * need that holds there is a bound (the size of a table), not a pin.  For 1 and 2,
 * tries the old size plus two, since 1 is special in broadcasting.
 */
static bool holds_beside(struct document *d, const struct old_sizes *old, struct sym difference)
{
	for (uint32_t i = 0; i < old->count; i++) {
		int64_t size = old->sizes[i] > 2 ? old->sizes[i] - 1 : old->sizes[i] + 2;

		if (sym_mentions(&d->infer.pool, difference, old->symbols[i]) &&
		    !sym_is(with_goal(d, old->symbols[i], size, difference), 0))
			return false;
	}
	return true;
}

/* A copy: the text's inference is released before the report. */
static void set_why(struct obstacle *o, const char *why)
{
	snprintf(o->why, sizeof(o->why), "%s", why);
}

/* Parts that divide the old size but not others. */
static bool from_parts(struct document *d, const struct old_sizes *old, const struct fact *f,
		       struct obstacle *out)
{
	const struct model *m = &d->wire.model;
	struct sym rest = sym_mod(&d->infer.pool, f->a, f->b);

	if (op_sizes(m, &m->nodes.at[f->node]) != OP_SIZES_RESHAPE ||
	    !mentions_goal(d, old, f->a) || !sym_is(at_old(d, old, rest), 0) ||
	    holds_beside(d, old, rest))
		return false;
	*out = (struct obstacle){.node = f->node, .free = f->a, .fixed = f->b, .whole = true};
	set_why(out, f->why);
	return true;
}

static bool from_fact(struct document *d, const struct old_sizes *old, const struct fact *f,
		      struct obstacle *out)
{
	struct sym difference = sym_sub(&d->infer.pool, f->a, f->b);
	bool a_free = mentions_goal(d, old, f->a);

	if (f->kind == FACT_DIVISIBLE)
		return from_parts(d, old, f, out);
	if ((f->kind != FACT_EQUAL && f->kind != FACT_SOFT) || sym_is_unknown(difference) ||
	    (!a_free && !mentions_goal(d, old, f->b)) || !sym_is(at_old(d, old, difference), 0) ||
	    holds_beside(d, old, difference))
		return false;
	*out = (struct obstacle){
		.node = f->node,
		.free = a_free ? f->a : f->b,
		.fixed = a_free ? f->b : f->a,
		.weight = fact_is_weight(&d->infer, f),
	};
	set_why(out, f->why);
	return true;
}

/* ---- declared outputs ---- */

static bool from_loss(struct document *d, const struct old_sizes *old, const struct finding *f,
		      struct obstacle *out)
{
	const struct model *m = &d->wire.model;
	const struct claim *c = &m->claims.at[m->values.at[f->value].first_claim];
	struct sym name;

	if (f->level != LEVEL_LOSS || f->axis < 0 || (uint32_t)f->axis >= c->type.rank)
		return false;
	name = sym_find(&d->infer.pool, model_name(m, c->type.dims[f->axis].param));
	if (sym_is_unknown(name) || !mentions_goal(d, old, name) ||
	    !sym_same(at_old(d, old, name), d->infer.infos[f->value].dims[f->axis]))
		return false;
	*out = (struct obstacle){
		.value = f->value,
		.axis = (uint32_t)f->axis,
		.free = name,
		.fixed = d->infer.infos[f->value].dims[f->axis],
		.why = "the output is declared dynamic but is constant",
	};
	return true;
}

/* ---- nodes that swallow the size silently ---- */

/* A Slice up to the old size, a Resize to the old size: the free axis does not come out. */
static bool from_node(struct document *d, const struct old_sizes *old, uint32_t node,
		      struct obstacle *out)
{
	const struct model *m = &d->wire.model;
	const struct node *n = &m->nodes.at[node];
	enum op_sizes sizes = op_sizes(m, n);
	bool slice = sizes == OP_SIZES_SLICE;
	const struct info *in, *result;

	if (n->dead || (!slice && sizes != OP_SIZES_RESIZE) || !n->input_count || !n->output_count)
		return false;
	in = &d->infer.infos[n->inputs[0]];
	result = &d->infer.infos[n->outputs[0]];
	for (uint32_t i = 0; in->ranked && result->ranked && i < MIN(in->rank, result->rank); i++) {
		struct sym now = result->dims[i], was = at_old(d, old, in->dims[i]);
		bool swallowed = slice ? sym_kind(&d->infer.pool, now) == SYM_KIND_MIN &&
						 sym_same(at_old(d, old, now), was)
				       : !mentions_goal(d, old, now);

		if (!mentions_goal(d, old, in->dims[i]) || sym_is_unknown(now) || !swallowed ||
		    sym_same(now, in->dims[i]))
			continue;
		*out = (struct obstacle){.node = node,
					 .free = slice ? in->dims[i] : SYM_UNKNOWN,
					 .fixed = slice ? was : now,
					 .why = "the old size is baked in",
					 .whole = true,
					 .whole_axis = i};
		return true;
	}
	return false;
}

static bool any_mentions_goal(const struct document *d, const struct old_sizes *old,
			      const struct info *info)
{
	for (uint32_t i = 0; info->ranked && i < info->rank; i++) {
		if (mentions_goal(d, old, info->dims[i]))
			return true;
	}
	return false;
}

/* A data-dependent target shape: the data decides, so nothing can be proved. */
static bool rests_on_data(const struct document *d, const struct node *n)
{
	const struct info *shape = &d->infer.infos[n->input_count > 1 ? n->inputs[1] : 0];

	if (n->input_count < 2 || value_constant(&d->wire.model, n->inputs[1]))
		return false;
	for (uint32_t i = 0; i < shape->contents.count; i++) {
		if (sym_is_unknown(shape->contents.at[i]))
			return true;
	}
	return d->infer.infos[n->inputs[0]].ranked && !shape->contents.at;
}

static bool from_reshape(struct document *d, const struct old_sizes *old, uint32_t node,
			 struct obstacle *out)
{
	const struct model *m = &d->wire.model;
	const struct node *n = &m->nodes.at[node];
	const struct info *in;

	if (n->dead || op_sizes(m, n) != OP_SIZES_RESHAPE || !n->input_count || !n->output_count)
		return false;
	in = &d->infer.infos[n->inputs[0]];
	if (any_mentions_goal(d, old, in) && rests_on_data(d, n)) {
		*out = (struct obstacle){.node = node,
					 .free = sym_product(&d->infer.pool, in->dims, in->rank),
					 .why = "its shape depends on data",
					 .unknown = true};
		return true;
	}
	if (!reshape_misplaces(d, old, node))
		return false;
	*out = (struct obstacle){.node = node,
				 .free = sym_product(&d->infer.pool, in->dims, in->rank),
				 .fixed = sym_int(&d->infer.pool, -1),
				 .why = "-1 takes the size baked into another entry",
				 .whole = true};
	return true;
}

/*
 * Constant positions that reach the end of the old size were made for it.  A few fixed
 * positions (the first token) work with any size.
 */
static bool from_gather(struct document *d, const struct old_sizes *old, uint32_t node,
			struct obstacle *out)
{
	const struct model *m = &d->wire.model;
	const struct node *n = &m->nodes.at[node];
	const struct attr *axis = node_attr(m, n, "axis");
	const struct info *data;
	struct sym dim;
	int64_t i = axis ? axis->i : 0, size;

	if (n->dead || !op_picks(m, n) || n->input_count < 2)
		return false;
	data = &d->infer.infos[n->inputs[0]];
	i = i < 0 ? i + data->rank : i;
	if (!data->ranked || i < 0 || i >= (int64_t)data->rank)
		return false;
	dim = data->dims[i];
	if (!mentions_goal(d, old, dim) || !sym_value(&d->infer.pool, at_old(d, old, dim), &size) ||
	    !positions_reach(d, n->inputs[1], size))
		return false;
	*out = (struct obstacle){.node = node,
				 .free = dim,
				 .fixed = sym_int(&d->infer.pool, size),
				 .why = "its constant positions were made for the old size",
				 .unknown = true};
	return true;
}

static bool from_unsupported(struct document *d, const struct old_sizes *old,
			     const struct finding *f, struct obstacle *out)
{
	const struct node *n = &d->wire.model.nodes.at[f->node];

	for (uint32_t j = 0; f->level == LEVEL_UNSUPPORTED && j < n->input_count; j++) {
		const struct info *info = &d->infer.infos[n->inputs[j]];

		for (uint32_t k = 0; info->ranked && k < info->rank; k++) {
			if (!mentions_goal(d, old, info->dims[k]))
				continue;
			*out = (struct obstacle){.node = f->node,
						 .free = info->dims[k],
						 .why = "the operator is not supported",
						 .unknown = true};
			return true;
		}
	}
	return false;
}

/* ---- all of them ---- */

typedef bool visit_obstacle(void *context, const struct obstacle *o);

/*
 * Stops when the visitor returns true.  With `about`, visits only obstacles of its node
 * or output.
 */
static bool each_obstacle(struct document *d, const struct old_sizes *old,
			  const struct obstacle *about, visit_obstacle *visit, void *context)
{
	const struct infer *in = &d->infer;
	uint32_t first = about ? about->node : 1;
	size_t end = about ? (size_t)about->node + 1 : d->wire.model.nodes.len;
	struct obstacle o;

	for (uint32_t i = MAX(first, 1); i < end; i++) {
		if ((from_reshape(d, old, i, &o) || from_gather(d, old, i, &o)) &&
		    visit(context, &o))
			return true;
	}
	for (size_t i = 0; i < in->facts.len; i++) {
		if ((!about || in->facts.at[i].node == about->node) &&
		    from_fact(d, old, &in->facts.at[i], &o) && visit(context, &o))
			return true;
	}
	for (size_t i = 0; i < in->findings.len; i++) {
		if (from_loss(d, old, &in->findings.at[i], &o) && visit(context, &o))
			return true;
	}
	for (uint32_t i = MAX(first, 1); i < end; i++) {
		if (from_node(d, old, i, &o) && visit(context, &o))
			return true;
	}
	for (size_t i = 0; i < in->findings.len; i++) {
		if ((!about || in->findings.at[i].node == about->node) &&
		    from_unsupported(d, old, &in->findings.at[i], &o) && visit(context, &o))
			return true;
	}
	return false;
}

static bool take_first(void *context, const struct obstacle *o)
{
	struct obstacle *out = context;

	*out = *o;
	return true;
}

bool obstacle_find(struct document *d, const struct old_sizes *old, struct obstacle *out)
{
	return each_obstacle(d, old, NULL, take_first, out);
}

struct counting {
	const struct obstacle *like; /* borrowed */
	size_t count;
};

static bool count_like(void *context, const struct obstacle *o)
{
	struct counting *c = context;

	c->count += o->node == c->like->node && o->value == c->like->value &&
		    o->axis == c->like->axis && o->whole_axis == c->like->whole_axis &&
		    sym_same(o->free, c->like->free) && sym_same(o->fixed, c->like->fixed);
	return false;
}

size_t obstacle_count(struct document *d, const struct old_sizes *old, const struct obstacle *o)
{
	struct counting c = {.like = o};

	(void)each_obstacle(d, old, o, count_like, &c);
	return c.count;
}

uint64_t obstacle_goals(const struct document *d, const struct old_sizes *old,
			const struct obstacle *o)
{
	uint64_t bits = 0;
	struct sym about = o->free;

	if (sym_is_unknown(about)) {
		const struct node *n = &d->wire.model.nodes.at[o->node];
		const struct info *info = &d->infer.infos[n->inputs[0]];

		about = info->dims[o->whole_axis];
	}
	for (uint32_t i = 0; i < old->count; i++) {
		if (sym_mentions(&d->infer.pool, about, old->symbols[i]))
			bits |= UINT64_C(1) << i;
	}
	return bits;
}

/* ---- sites ---- */

enum {
	MAX_STEPS = 400,
	MAX_REASONS = 16
};

struct step {
	struct why what;
	uint32_t reader; /* the node that reads the value on the way to the obstacle */
	uint32_t port;
	uint32_t shown_axis; /* of the obstacle's node */
};

struct tracing {
	struct document *document;   /* borrowed */
	const struct old_sizes *old; /* borrowed */
	const struct obstacle *from; /* borrowed */
	struct site *out;            /* borrowed */
	size_t count;
	struct map seen;
	VEC(struct step) steps;
};

static void add_site(struct tracing *t, struct site site)
{
	if (t->count < OBSTACLE_MAX_SITES)
		t->out[t->count++] = site;
}

static void add_step(struct tracing *t, struct step s)
{
	uint32_t *place = map_at(&t->seen,
				 hash_u64(s.what.value, s.what.index * 2 + s.what.element));

	if ((*place)++ == 0 && t->steps.len < MAX_STEPS)
		vec_push(&t->steps, s);
}

static int64_t baked_size(const struct tracing *t, struct sym s)
{
	int64_t size = -1;

	return sym_value(&t->document->infer.pool, s, &size) ? size : -1;
}

static uint32_t port_of(const struct model *m, uint32_t node, uint32_t value)
{
	const struct node *n = &m->nodes.at[node];
	uint32_t port = 0;

	while (port < n->input_count && n->inputs[port] != value)
		port++;
	return port;
}

/*
 * Rows of a table may be cut off where they are positions along an axis; the first axis
 * is the batch, and rows of a state belong to the batch too.
 */
static bool may_cut(const struct tracing *t, const struct step *s)
{
	const struct model *m = &t->document->wire.model;

	return s->shown_axis > 0 && !op_recurs(m, &m->nodes.at[t->from->node]);
}

static void obstacle_visit(struct tracing *t, const struct step *s)
{
	struct infer *in = &t->document->infer;
	const struct model *m = in->model;
	uint32_t producer = m->values.at[s->what.value].producer;
	struct site site = {
		.wanted = t->from->free,
		.baked = baked_size(t, why_expression(in, s->what)),
		.axis = s->what.index,
		.may_cut = may_cut(t, s),
	};
	struct why reasons[MAX_REASONS];
	size_t count;

	if (value_is_constant(m, s->what.value)) {
		site.weight = true;
		site.node = s->reader;
		site.port = s->port;
		/* A constant output has no reader to insert nodes before. */
		if (!s->what.element && s->reader)
			add_site(t, site);
		return;
	}
	if (!producer)
		return;
	if (!s->what.element && site_is_known(m, producer)) {
		site.node = producer;
		add_site(t, site);
	}
	count = why_find(in, s->what, reasons, MAX_REASONS);
	for (size_t i = 0; i < count; i++) {
		if (!mentions_goal(t->document, t->old, why_expression(in, reasons[i])))
			add_step(t, (struct step){reasons[i], producer,
						  port_of(m, producer, reasons[i].value),
						  s->shown_axis});
	}
}

/* Starts at every input dim of the node that is the fixed size. */
static void start_at_node(struct tracing *t)
{
	const struct model *m = &t->document->wire.model;
	const struct node *n = &m->nodes.at[t->from->node];
	/* A site's other inputs are lists of sizes: their length is no size. */
	uint32_t count = site_is_known(m, t->from->node) ? MIN(n->input_count, 1) : n->input_count;
	uint32_t rank = 0;

	for (uint32_t p = 0; p < count; p++)
		rank = MAX(rank, t->document->infer.infos[n->inputs[p]].rank);
	for (uint32_t p = 0; p < count; p++) {
		const struct info *info = &t->document->infer.infos[n->inputs[p]];

		for (uint32_t i = 0; info->ranked && i < info->rank; i++) {
			if (sym_same(info->dims[i], t->from->fixed))
				add_step(t, (struct step){{.value = n->inputs[p], .index = i},
							  t->from->node,
							  p,
							  i + rank - info->rank});
		}
	}
}

size_t obstacle_sites(struct document *d, const struct old_sizes *old, const struct obstacle *o,
		      struct site *out)
{
	struct tracing t = {.document = d, .old = old, .from = o, .out = out};

	if (o->node && site_is_known(&d->wire.model, o->node))
		add_site(&t, (struct site){.node = o->node,
					   .axis = o->whole ? o->whole_axis : 0,
					   .wanted = o->free,
					   .baked = baked_size(&t, o->fixed)});
	if (o->node && !o->whole)
		start_at_node(&t);
	else if (!o->node)
		add_step(&t, (struct step){{.value = o->value, .index = o->axis}, 0, 0, o->axis});
	for (size_t i = 0; i < t.steps.len; i++) {
		struct step s = t.steps.at[i];

		obstacle_visit(&t, &s);
	}
	map_release(&t.seen);
	vec_release(&t.steps);
	return t.count;
}
