/*
 * Fans: very many nodes side by side that do the same, as where 199 nodes read one tensor, or heads
 * and experts are unrolled without names.  Nodes are of one class when they are in one scope, have
 * the same operator, and read the same tensors or tensors of one class; constants may differ.  So
 * all of a class are equally far from the inputs, and folding it never makes a cycle.
 */
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/vec.h"
#include "ir/graph.h"
#include "layout/scope/internal.h"

enum {
	FEWEST_BESIDE = 8, /* nodes of a fan, as of parallel blocks */
	MOST_READERS = 2   /* classes that read it: what is read all over the graph is no fan */
};

struct fan_class {
	uint32_t first; /* node */
	uint32_t count;
	uint32_t readers[MOST_READERS + 1]; /* classes, or FAN_OUTSIDE */
	uint32_t reader_count;
	uint32_t scope; /* that was made of it; 0 for none */
	bool alone;
};

#define FAN_OUTSIDE UINT32_MAX /* an output of the graph, or a body */

struct fanning {
	struct folding *f;     /* borrowed */
	const struct model *m; /* borrowed */
	VEC(struct fan_class) classes;
	struct map by_key;
	uint32_t *class_of; /* owned; by node index: its class, plus 1 */
};

enum fan_source {
	FAN_ABSENT,
	FAN_CONSTANT,
	FAN_CLASS,
	FAN_VALUE
};

static uint64_t fan_source_of(const struct fanning *w, uint32_t value, bool *any)
{
	const struct value *v = &w->m->values.at[value];
	const struct node *n = &w->m->nodes.at[v->producer];

	if (!value)
		return FAN_ABSENT;
	if (v->tensor || v->sparse || (v->producer && scope_is_constant(w->m, n)))
		return FAN_CONSTANT;
	*any = true;
	if (v->producer && n->graph == w->f->s->graph && w->class_of[n->index])
		return (uint64_t)w->class_of[n->index] << 2 | FAN_CLASS;
	return (uint64_t)value << 2 | FAN_VALUE;
}

static bool has_body(const struct node *n)
{
	for (uint32_t i = 0; i < n->attr_count; i++) {
		if (n->attrs[i].kind == ATTR_GRAPH || n->attrs[i].kind == ATTR_GRAPHS)
			return true;
	}
	return false;
}

/* Equal for all of a class; 0 for a node that is none's. */
static uint64_t fan_key(const struct fanning *w, const struct node *n)
{
	uint32_t scope = w->f->s->of_node[n->index];
	uint64_t key = hash_u64((uint64_t)n->op << 32 | n->domain, scope);
	bool any = false;

	if (w->f->scopes.at[scope].kind == SCOPE_SHAPES ||
	    w->f->scopes.at[scope].kind == SCOPE_FAN || has_body(n) || scope_is_constant(w->m, n))
		return 0;
	key = hash_u64((uint64_t)n->overload << 32 | n->output_count, key);
	for (uint32_t i = 0; i < n->input_count; i++)
		key = hash_u64(fan_source_of(w, n->inputs[i], &any), key);
	return any ? key | 1 : 0;
}

static void find_classes(struct fanning *w)
{
	const struct graph *g = w->f->graph;

	for (size_t i = 0; i < g->order.len; i++) {
		const struct node *n = &w->m->nodes.at[g->order.at[i]];
		uint64_t key = fan_key(w, n);
		uint32_t *place = key ? map_at(&w->by_key, key) : NULL;

		if (!place || !*place)
			vec_push(&w->classes,
				 ((struct fan_class){.first = g->order.at[i], .alone = !key}));
		w->class_of[n->index] = place && *place ? *place : (uint32_t)w->classes.len;
		if (place)
			*place = w->class_of[n->index];
		w->classes.at[w->class_of[n->index] - 1].count++;
	}
}

static void fan_add_reader(struct fan_class *c, uint32_t reader)
{
	for (uint32_t i = 0; i < c->reader_count; i++) {
		if (c->readers[i] == reader)
			return;
	}
	if (c->reader_count <= MOST_READERS)
		c->readers[c->reader_count++] = reader;
}

static void find_readers(struct fanning *w)
{
	for (uint32_t i = 0; i < w->f->graph->nodes.len; i++) {
		const struct node *n = &w->m->nodes.at[w->f->graph->nodes.at[i]];
		struct fan_class *c = w->class_of[i] ? &w->classes.at[w->class_of[i] - 1] : NULL;

		if (!c || c->count < FEWEST_BESIDE)
			continue;
		for (uint32_t k = 0; k < n->output_count && c->reader_count <= MOST_READERS; k++) {
			uint32_t count;
			const struct reader *r = model_readers(w->m, n->outputs[k], &count);

			for (uint32_t j = 0; j < count && c->reader_count <= MOST_READERS; j++) {
				const struct node *reader = &w->m->nodes.at[r[j].node];
				bool here = r[j].node && reader->graph == w->f->s->graph;

				fan_add_reader(c, here ? w->class_of[reader->index] : FAN_OUTSIDE);
			}
		}
	}
}

static void fans_make_scopes(struct fanning *w)
{
	struct folding *f = w->f;

	for (uint32_t i = 0; i < f->graph->nodes.len; i++) {
		struct fan_class *c = w->class_of[i] ? &w->classes.at[w->class_of[i] - 1] : NULL;

		if (!c || c->alone || c->count < FEWEST_BESIDE || c->reader_count > MOST_READERS)
			continue;
		if (!c->scope) {
			c->scope = (uint32_t)f->scopes.len;
			vec_push(&f->scopes, ((struct scope){.kind = SCOPE_FAN,
							     .parent = f->s->of_node[i],
							     .node = c->first}));
		}
		f->s->of_node[i] = c->scope;
	}
}

void folding_fans(struct folding *f)
{
	struct fanning w = {.f = f, .m = f->s->model};
	size_t size = (f->graph->nodes.len + 1) * sizeof(*w.class_of);

	w.class_of = must_alloc(size);
	memset(w.class_of, 0, size);
	find_classes(&w);
	find_readers(&w);
	fans_make_scopes(&w);
	free(w.class_of);
	map_release(&w.by_key);
	vec_release(&w.classes);
}
