#include "ui/search/hits.h"

#include <stdlib.h>

#include "base/bug.h"
#include "base/str.h"
#include "ir/graph.h"
#include "layout/scope/scope.h"
#include "ui/graph/graph.h"
#include "ui/screen.h"
#include "ui/search/reading.h"

static const struct hit_row hits_rows[HIT_KIND_COUNT] = {
#define HIT(id, ...) [HIT_##id] = {__VA_ARGS__},
#include "ui/search/hits.def"
#undef HIT
};

const struct hit_row *hit_row(enum hit_kind kind)
{
	return &hits_rows[kind];
}

/* The graph that is searched. */
struct hits_work {
	struct hits *hits;
	const struct query *query;
	const struct model *model;
	struct reading reading;
	struct scopes scopes;
	uint8_t *fits;     /* owned; by scope: its path has all words */
	uint64_t *at;      /* owned; by scope */
	uint8_t *in_scope; /* owned; by node: its scope fits */
};

static void hits_add(struct hits_work *w, struct hit hit)
{
	w->hits->counts[hit.kind]++;
	vec_push(&w->hits->list, hit);
}

static bool hits_wants(const struct hits_work *w, enum hit_kind kind)
{
	return w->query->only == HIT_KIND_COUNT || w->query->only == kind;
}

/* ---- blocks ---- */

/* The scope around it that has a name; 0 for the root. */
static uint32_t hits_around(const struct hits_work *w, uint32_t scope)
{
	do {
		scope = w->scopes.at[scope].parent;
	} while (scope && w->scopes.at[scope].kind != SCOPE_NAME);
	return scope;
}

static void hits_fit_scopes(struct hits_work *w)
{
	struct str path = {0};

	for (uint32_t i = 1; i < w->scopes.count; i++) {
		str_clear(&path);
		scope_path(&path, &w->scopes, i);
		w->fits[i] = path.len && query_fits_text(w->query, str_sv(&path));
		/* `attn/` is how the names of what is in it go on. */
		str_char(&path, '/');
		w->fits[i] |= path.len > 1 && query_fits_text(w->query, str_sv(&path));
	}
	str_release(&path);
}

/* One inside another of the same name is a hit if its own name says it again. */
static void hits_blocks(struct hits_work *w)
{
	const struct graph *g = &w->model->graphs.at[w->scopes.graph];

	for (uint32_t i = 1; i < w->scopes.count; i++) {
		const struct scope *scope = &w->scopes.at[i];

		if (scope->kind == SCOPE_NAME && w->fits[i] && w->at[i] &&
		    (!w->fits[hits_around(w, i)] || query_fits_end(w->query, scope->name)))
			hits_add(w, (struct hit){.kind = HIT_BLOCK,
						 .node = g->nodes.at[scope->first_index],
						 .scope = i,
						 .at = w->at[i]});
	}
}

/* ---- nodes ---- */

static bool hits_fit_node(const struct hits_work *w, uint32_t node)
{
	const struct node *n = &w->model->nodes.at[node];

	if (w->query->filters || w->query->only == HIT_NODE)
		return query_fits(w->query, node);
	if (scope_is_constant(w->model, n) || !query_fits_called(w->query, node))
		return false;
	return !w->in_scope[node] ||
	       query_fits_end(w->query, model_name(w->model, node_called(w->model, n))) ||
	       query_fits_end(w->query, model_name(w->model, n->op));
}

static void hits_in_graph(struct hits_work *w, uint32_t graph)
{
	const struct graph *g = &w->model->graphs.at[graph];

	scopes_find(&w->scopes, w->model, graph);
	w->fits = calloc(w->scopes.count + 1, sizeof(*w->fits));
	w->at = calloc(w->scopes.count + 1, sizeof(*w->at));
	BUG_ON(!w->fits || !w->at);
	reading_scopes(&w->reading, &w->scopes, w->at);
	if (!w->query->filters)
		hits_fit_scopes(w);
	if (hits_wants(w, HIT_BLOCK))
		hits_blocks(w);
	for (size_t i = 0; i < g->nodes.len; i++) {
		uint32_t node = g->nodes.at[i];

		w->in_scope[node] = w->fits[w->scopes.of_node[i]];
		if (hits_wants(w, HIT_NODE) && hits_fit_node(w, node))
			hits_add(w, (struct hit){.kind = HIT_NODE,
						 .node = node,
						 .at = w->reading.of_node.at[node]});
	}
	free(w->fits);
	free(w->at);
	scopes_release(&w->scopes);
}

/* ---- tensors ---- */

static enum hit_kind hits_kind_of(const struct model *m, const struct value *v)
{
	if (v->tensor || v->sparse)
		return HIT_WEIGHT;
	if (v->flags & VALUE_OUTPUT)
		return HIT_OUTPUT;
	if (v->flags & VALUE_INPUT || !v->producer)
		return HIT_INPUT;
	return scope_is_constant(m, &m->nodes.at[v->producer]) ? HIT_CONSTANT : HIT_TENSOR;
}

/* Not for its path alone, if that is its block's too. */
static bool hits_fit_end(const struct hits_work *w, uint32_t node, uint32_t value)
{
	return !node || !w->in_scope[node] ||
	       query_fits_end(w->query, model_name(w->model, w->model->values.at[value].name));
}

/* A tensor is called as its node is, but for a suffix; the node of a constant is not shown. */
static bool hits_fit_value(const struct hits_work *w, struct hit hit)
{
	const struct value *v = &w->model->values.at[hit.value];
	bool called = hit.kind != HIT_WEIGHT && v->producer &&
		      query_fits_called(w->query, v->producer);

	if (w->query->filters && !(hit.node && query_fits(w->query, hit.node)))
		return false;
	if (!query_fits_value(w->query, hit.value) && !(called && hit.kind == HIT_CONSTANT))
		return false;
	if (w->query->only == hit.kind)
		return true;
	return !(called && hit.kind == HIT_TENSOR) && hits_fit_end(w, hit.node, hit.value);
}

static void hits_value(struct hits_work *w, uint32_t value)
{
	const struct model *m = w->model;
	const struct value *v = &m->values.at[value];
	enum hit_kind kind = hits_kind_of(m, v);
	struct hit hit = {.kind = kind, .value = value};

	if (v->flags & (VALUE_DEAD | VALUE_CLAIMED) || !v->name || !hits_wants(w, kind))
		return;
	if (kind == HIT_WEIGHT || kind == HIT_CONSTANT)
		hit.node = scope_reader(m, value);
	else if (kind == HIT_TENSOR)
		hit.node = v->producer;
	hit.at = hit.node ? w->reading.of_node.at[hit.node] : w->reading.of_value.at[value];
	/* What nothing shows cannot be gone to. */
	if (hit.at && hits_fit_value(w, hit))
		hits_add(w, hit);
}

/* ---- all ---- */

static int hits_compare(const void *a, const void *b)
{
	const struct hit *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return x->value < y->value ? -1 : x->value > y->value;
}

static void hits_keep_first_rank(struct hits *h)
{
	size_t kept = 0;
	enum hit_rank rank = HIT_RANK_COUNT;

	for (int i = HIT_KIND_COUNT - 1; i >= 0; i--)
		rank = h->counts[i] ? hits_rows[i].rank : rank;
	for (size_t i = 0; i < h->list.len; i++) {
		if (hits_rows[h->list.at[i].kind].rank == rank)
			h->list.at[kept++] = h->list.at[i];
	}
	h->list.len = kept;
}

void hits_find(struct hits *h, const struct query *q)
{
	const struct model *m = q->in.screen->subject.model;
	struct hits_work w = {.hits = h, .query = q, .model = m};

	w.in_scope = calloc(m->nodes.len + 1, 1);
	BUG_ON(!w.in_scope);
	reading_init(&w.reading, m);
	for (size_t i = 0; i < w.reading.graphs.len; i++)
		hits_in_graph(&w, w.reading.graphs.at[i]);
	/* Filters are about nodes, unless another kind is asked for. */
	for (uint32_t i = 1; (!q->filters || q->only != HIT_KIND_COUNT) && i < m->values.len; i++)
		hits_value(&w, i);
	hits_keep_first_rank(h);
	if (h->list.len)
		qsort(h->list.at, h->list.len, sizeof(*h->list.at), hits_compare);
	reading_release(&w.reading);
	free(w.in_scope);
}

uint64_t hits_here(const struct screen *s)
{
	const struct scopes *scopes = s->scope ? graph_scopes(s) : NULL;
	struct reading r;
	uint64_t here = 0;

	reading_init(&r, s->subject.model);
	if (s->node)
		here = r.of_node.at[s->node];
	else if (s->value)
		here = r.of_value.at[s->value];
	if (scopes) {
		uint64_t *at = calloc(scopes->count + 1, sizeof(*at));

		BUG_ON(!at);
		reading_scopes(&r, scopes, at);
		here = at[s->scope];
		free(at);
	}
	reading_release(&r);
	return here;
}
