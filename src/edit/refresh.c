#include "edit/refresh.h"

#include "base/arena.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "edit/change.h"
#include "infer/infer.h"
#include "ir/build.h"
#include "ir/graph.h"
#include "ir/type.h"
#include "ops/info.h"
#include "sym/eval.h"
#include "sym/sym.h"
#include "sym/text.h"
#include "wire/scan.h"

/* ---- claims ---- */

static bool refresh_is_fact(const struct model *m, const struct claim *c)
{
	return c->kind == CLAIM_INPUT &&
	       m->graphs.at[m->values.at[c->value].graph].kind == GRAPH_MAIN;
}

/* Each claimed dim with the inferred one, also inside sequences and optionals. */
typedef void visit_claimed(void *context, struct dim *dim, struct sym inferred);

static void each_claimed(const struct type *t, const struct info *info, visit_claimed *visit,
			 void *context)
{
	for (; t && info; t = t->inner, info = info->inner) {
		bool same = info->kind == t->kind && info->ranked && info->rank == t->rank;

		for (uint32_t i = 0; i < t->rank; i++)
			visit(context, &t->dims[i], same ? info->dims[i] : SYM_UNKNOWN);
	}
}

/* ---- before ---- */

static void remember_dim(void *context, struct dim *dim, struct sym inferred)
{
	struct remembered *r = context;

	(void)dim;
	vec_push(&r->dims, inferred);
}

/* Has the graph a shape for this claim, of another rank? */
static bool has_other_rank(const struct type *t, const struct info *info)
{
	return t->has_shape && info->ranked && info->kind == t->kind && t->rank != info->rank;
}

static void remember_rank(struct remembered *r, uint32_t claim, const struct type *t,
			  const struct info *info)
{
	if (!has_other_rank(t, info))
		return;
	*map_at(&r->ranks, claim) = (uint32_t)r->inferred.len + 1;
	for (uint32_t k = 0; k < info->rank; k++)
		vec_push(&r->inferred, info->dims[k]);
}

void refresh_remember(struct remembered *r, const struct document *d)
{
	const struct model *m = &d->wire.model;

	for (uint32_t id = 1; id < m->claims.len; id++) {
		const struct claim *c = &m->claims.at[id];

		if (c->value == 0 || refresh_is_fact(m, c))
			continue;
		remember_rank(r, id, &c->type, &d->infer.infos[c->value]);
		*map_at(&r->at, id) = (uint32_t)r->dims.len + 1;
		each_claimed(&c->type, &d->infer.infos[c->value], remember_dim, r);
	}
}

void remembered_release(struct remembered *r)
{
	vec_release(&r->dims);
	map_release(&r->at);
	vec_release(&r->inferred);
	map_release(&r->ranks);
}

/* ---- after ---- */

struct sayable {
	const struct infer *in; /* borrowed */
	bool yes;
};

static void refresh_check_symbol(void *context, uint32_t id)
{
	struct sayable *s = context;
	uint32_t name = intern_find(&s->in->model->names, sym_name(&s->in->pool, id));

	if (s->in->pool.symbols.at[id].source != SYM_DECLARED || name == 0 ||
	    !map_find(&s->in->declared, name))
		s->yes = false;
}

bool refresh_dim(struct document *d, struct sym s, struct dim *out)
{
	struct sayable sayable = {&d->infer, !sym_is_unknown(s)};
	struct str text = {0};
	uint32_t symbol;

	*out = (struct dim){.kind = DIM_VALUE};
	if (sym_value(&d->infer.pool, s, &out->value))
		return out->value >= 0;
	if (sayable.yes)
		sym_each_symbol(&d->infer.pool, s, refresh_check_symbol, &sayable);
	if (!sayable.yes)
		return false;
	if (sym_symbol_id(&d->infer.pool, s, &symbol))
		str_add(&text, sym_name(&d->infer.pool, symbol));
	else
		sym_print(&d->infer.pool, s, &text);
	sayable.yes = text.len <= SCAN_LONGEST_NAME;
	if (sayable.yes)
		*out = (struct dim){.kind = DIM_PARAM,
				    .param = model_intern(&d->wire.model, str_sv(&text))};
	str_release(&text);
	return sayable.yes;
}

struct refreshing {
	struct document *document;    /* borrowed */
	struct change_log *log;       /* borrowed */
	const struct map *exempt;     /* borrowed */
	const struct remembered *was; /* borrowed; NULL to write whatever is known */
	size_t next;
};

static void refresh_one(void *context, struct dim *dim, struct sym inferred)
{
	struct refreshing *r = context;
	struct sym was = r->was ? r->was->dims.at[r->next++] : SYM_UNKNOWN;
	struct dim to;

	if (sym_same(was, inferred) || map_find(r->exempt, (uintptr_t)dim))
		return;
	if (refresh_dim(r->document, inferred, &to))
		change_dim(r->log, dim, to);
}

static struct type type_of(struct document *d, const struct info *info)
{
	struct model *m = &d->wire.model;
	struct type t = {.kind = info->kind, .elem = info->elem};

	if (info->ranked) {
		t.has_shape = true;
		t.rank = info->rank;
		t.dims = arena_array(&m->arena, info->rank, struct dim);
		for (uint32_t i = 0; i < info->rank; i++) {
			if (!refresh_dim(d, info->dims[i], &t.dims[i]))
				t.dims[i] = (struct dim){0};
		}
	}
	if (info->inner) {
		t.inner = arena_new(&m->arena, struct type);
		*t.inner = type_of(d, info->inner);
	}
	return t;
}

static bool any_exempt(const struct map *exempt, const struct type *t)
{
	for (uint32_t k = 0; k < t->rank; k++) {
		if (map_find(exempt, (uintptr_t)&t->dims[k]))
			return true;
	}
	return false;
}

/* A claim that had another rank before, and says as little of the graph as it did then? */
static bool is_untouched(const struct remembered *was, uint32_t claim, const struct info *info)
{
	const uint32_t *first = map_find(&was->ranks, claim);

	for (uint32_t k = 0; first && k < info->rank; k++) {
		if (*first - 1 + k >= was->inferred.len ||
		    !sym_same(was->inferred.at[*first - 1 + k], info->dims[k]))
			return false;
	}
	return first;
}

static void refresh_ranks(struct document *d, const struct remembered *was,
			  const struct map *exempt, struct change_log *log)
{
	struct model *m = &d->wire.model;
	size_t claims = m->claims.len;

	for (uint32_t id = 1; id < claims; id++) {
		const struct claim *c = &m->claims.at[id];
		const struct info *info = &d->infer.infos[c->value];
		struct type to;

		if (!map_find(&was->at, id) || !has_other_rank(&c->type, info) ||
		    d->infer.sources[c->value] == SOURCE_CLAIM || any_exempt(exempt, &c->type) ||
		    is_untouched(was, id, info))
			continue;
		to = type_of(d, info);
		to.origin = c->type.origin;
		to.denotation = c->type.denotation;
		change_claim_type(log, m, id, to);
	}
}

void refresh_claims(struct document *d, const struct remembered *was, const struct map *exempt,
		    struct change_log *log)
{
	const struct model *m = &d->wire.model;
	struct refreshing r = {.document = d, .log = log, .exempt = exempt, .was = was};

	for (uint32_t id = 1; id < m->claims.len; id++) {
		const struct claim *c = &m->claims.at[id];
		const uint32_t *place = map_find(&was->at, id);

		if (!place)
			continue;
		r.next = *place - 1;
		each_claimed(&c->type, &d->infer.infos[c->value], refresh_one, &r);
	}
	refresh_ranks(d, was, exempt, log);
}

/* ---- all of them, or none ---- */

/* Is enough known to be of use to a reader of the file? */
static bool is_worth_claiming(const struct info *info)
{
	if (info->kind == TYPE_SEQUENCE || info->kind == TYPE_OPTIONAL)
		return info->inner && is_worth_claiming(info->inner);
	return (info->kind == TYPE_TENSOR || info->kind == TYPE_SPARSE) && info->elem &&
	       info->ranked;
}

/* A duplicate name gets no value_info: it would describe the first definition. */
static bool is_shown(const struct model *m, uint32_t value)
{
	const struct value *v = &m->values.at[value];
	uint32_t graph = v->graph;

	while (m->graphs.at[graph].kind == GRAPH_BODY)
		graph = m->graphs.at[graph].parent;
	return m->graphs.at[graph].kind == GRAPH_MAIN && v->producer &&
	       !(v->flags & (VALUE_DEAD | VALUE_DUPLICATE));
}

/* Adds a missing shape to a claim; an existing one was refreshed. */
static void complete_claim(struct document *d, uint32_t claim, struct change_log *log)
{
	struct model *m = &d->wire.model;
	const struct claim *c = &m->claims.at[claim];
	const struct info *info = &d->infer.infos[c->value];
	struct type to;

	if (c->type.has_shape || c->type.inner || refresh_is_fact(m, c) ||
	    !is_worth_claiming(info) || (c->type.kind != TYPE_NONE && c->type.kind != info->kind))
		return;
	to = type_of(d, info);
	to.origin = c->type.origin;
	to.denotation = c->type.denotation;
	change_claim_type(log, m, claim, to);
}

void refresh_write_all(struct document *d, const struct map *exempt, struct change_log *log)
{
	struct model *m = &d->wire.model;
	struct refreshing r = {.document = d, .log = log, .exempt = exempt};
	size_t claims = m->claims.len;

	for (uint32_t id = 1; id < claims; id++) {
		const struct claim *c = &m->claims.at[id];

		if (c->value == 0 || refresh_is_fact(m, c))
			continue;
		each_claimed(&c->type, &d->infer.infos[c->value], refresh_one, &r);
		complete_claim(d, id, log);
	}
	for (uint32_t v = 1; v < m->values.len; v++) {
		const struct info *info = &d->infer.infos[v];

		if (m->values.at[v].first_claim || !is_shown(m, v) || !is_worth_claiming(info))
			continue;
		change_claim_type(log, m, claim_about(m, CLAIM_VALUE_INFO, v), type_of(d, info));
	}
}

void refresh_strip(struct document *d, struct change_log *log)
{
	struct model *m = &d->wire.model;

	for (uint32_t id = 1; id < m->claims.len; id++) {
		const struct claim *c = &m->claims.at[id];

		if (c->kind == CLAIM_VALUE_INFO && c->type.kind != TYPE_NONE)
			change_claim_type(log, m, id, (struct type){0});
	}
}
