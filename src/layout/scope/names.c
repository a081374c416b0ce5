#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/sv.h"
#include "base/vec.h"
#include "ir/graph.h"
#include "ir/tensor.h"
#include "layout/scope/internal.h"

enum {
	TELLING = 8, /* nodes of a scope, among names that tell nothing else */
	FEW = 8      /* one node of so many may be in a scope with another */
};

uint32_t folding_child(struct folding *f, uint32_t parent, struct sv name)
{
	uint32_t number = intern_add(&f->names, name);
	uint32_t *at = map_at(&f->children, (uint64_t)parent << 32 | number);
	uint32_t depth = f->scopes.at[parent].depth + 1;

	if (!*at) {
		*at = (uint32_t)f->scopes.len;
		vec_push(&f->scopes, ((struct scope){.parent = parent,
						     .depth = depth,
						     .name = intern_text(&f->names, number)}));
	}
	return *at;
}

/* Long paths with nothing in common could make many more scopes than nodes. */
static bool is_full(const struct folding *f)
{
	return f->scopes.len > 2 * f->graph->nodes.len + 64;
}

/* What torch writes where it knows no module. */
static bool is_no_module(struct sv part)
{
	return sv_is(part, "_empty_nn_module_stack_from_metadata_hook");
}

static uint32_t go_down(struct folding *f, uint32_t scope, struct sv part)
{
	if (!part.len || is_no_module(part) || f->scopes.at[scope].depth >= SCOPE_DEEPEST ||
	    is_full(f))
		return scope;
	return folding_child(f, scope, part);
}

/* /encoder/layer.0/Add: all but the last part. */
static uint32_t by_node_name(struct folding *f, struct sv name)
{
	uint32_t scope = 0;
	struct sv part;

	while (sv_split(name, '/', &part, &name))
		scope = go_down(f, scope, part);
	return scope;
}

/* "encoder.layer.0" below "encoder" is "layer.0". */
static struct sv scope_names_below(struct sv path, struct sv parent)
{
	if (parent.len && path.len > parent.len && sv_starts(path, parent) &&
	    path.at[parent.len] == '.')
		return sv_skip(path, parent.len + 1);
	return path;
}

/* ['', 'encoder', 'encoder.layer.0', 'add_3']: the last one is the node itself. */
static uint32_t by_list(struct folding *f, struct sv text)
{
	uint32_t scope = 0, before = 0;
	struct sv part, parent = {0};

	while (sv_split(text, '\'', &part, &text) && sv_split(text, '\'', &part, &text)) {
		before = scope;
		scope = go_down(f, scope, scope_names_below(part, parent));
		parent = part;
	}
	return before;
}

/* : Model/encoder: Encoder/encoder.layer.0: Layer/add_3: aten.add */
static uint32_t by_namespace(struct folding *f, struct sv text)
{
	uint32_t scope = 0;
	struct sv part, path, parent = {0};

	while (sv_split(text, '/', &part, &text)) {
		if (!sv_split(part, ':', &path, &part))
			path = part;
		scope = go_down(f, scope, scope_names_below(path, parent));
		parent = path;
	}
	return scope;
}

static const struct {
	const char *key;
	uint32_t (*find)(struct folding *f, struct sv text);
} scope_names_beside[] = {
	{"pkg.torch.onnx.name_scopes", by_list},
	{"namespace", by_namespace},
};

static uint32_t scope_of(struct folding *f, const struct node *n)
{
	const struct model *m = f->s->model;

	for (size_t way = 0; way < ARRAY_LEN(scope_names_beside); way++) {
		for (uint32_t i = 0; i < n->metadata_count; i++) {
			const struct pair *p = &n->metadata[i];

			/* A truncated value lacks its last part. */
			if (sv_is(model_name(m, p->key), scope_names_beside[way].key) &&
			    p->value.len == p->value_len)
				return scope_names_beside[way].find(f, p->value);
		}
	}
	return by_node_name(f, model_name(m, n->name));
}

/*
 * Do scopes tell nothing?  Those of tf2onnx are names of nodes with a slash: of a node each, but
 * for a few.
 */
static bool scope_names_are_idle(const struct folding *f)
{
	const struct model *m = f->s->model;
	uint32_t *nodes = must_alloc(f->scopes.len * sizeof(*nodes)), all = 0, grouped = 0;
	bool idle = true;

	memset(nodes, 0, f->scopes.len * sizeof(*nodes));
	for (uint32_t i = 0; i < f->graph->nodes.len && idle; i++) {
		if (scope_is_constant(m, &m->nodes.at[f->graph->nodes.at[i]]))
			continue;
		all++;
		for (uint32_t at = f->s->of_node[i]; at; at = f->scopes.at[at].parent)
			idle &= ++nodes[at] < TELLING;
	}
	for (uint32_t i = 0; i < f->graph->nodes.len && idle; i++) {
		uint32_t at = f->s->of_node[i];

		while (at && nodes[at] < 2)
			at = f->scopes.at[at].parent;
		grouped += at != 0;
	}
	free(nodes);
	return idle && all >= FOLDING_MANY && grouped <= all / FEW;
}

static uint32_t scope_names_depth(const struct folding *f, uint32_t scope)
{
	uint32_t depth = 0;

	for (; scope; scope = f->scopes.at[scope].parent)
		depth++;
	return depth;
}

static uint32_t scope_names_common(const struct folding *f, uint32_t a, uint32_t b)
{
	uint32_t depth_a = scope_names_depth(f, a), depth_b = scope_names_depth(f, b);

	while (a != b) {
		bool up = depth_a >= depth_b;

		if (up)
			a = f->scopes.at[a].parent;
		else
			b = f->scopes.at[b].parent;
		depth_a -= up;
		depth_b -= !up;
	}
	return a;
}

/* A name that all nodes have says nothing: /model/Conv_0, /model/Relu_1 … */
static uint32_t scope_names_base(const struct folding *f)
{
	const struct model *m = f->s->model;
	uint32_t base = UINT32_MAX;

	for (uint32_t i = 0; i < f->graph->nodes.len && base; i++) {
		uint32_t own = f->s->of_node[i];

		if (!scope_is_constant(m, &m->nodes.at[f->graph->nodes.at[i]]))
			base = base == UINT32_MAX ? own : scope_names_common(f, base, own);
	}
	return base == UINT32_MAX ? 0 : base;
}

void folding_by_name(struct folding *f)
{
	const struct graph *g = f->graph;

	vec_push(&f->scopes, ((struct scope){0}));
	for (size_t i = 0; i < g->nodes.len; i++)
		f->s->of_node[i] = scope_of(f, &f->s->model->nodes.at[g->nodes.at[i]]);
	if (f->scopes.len > 1 && scope_names_are_idle(f)) {
		f->scopes.len = 1;
		memset(f->s->of_node, 0, g->nodes.len * sizeof(*f->s->of_node));
	}
	f->base = scope_names_base(f);
}

/* ---- lists ---- */

static uint32_t *scope_names_numbers(uint32_t *old, size_t count)
{
	uint32_t *at = must_realloc(old, (count + 1) * sizeof(*at));

	memset(at, 0, (count + 1) * sizeof(*at));
	return at;
}

/* Children come after their parents in the array, except those moved under a REPEAT. */
static void count_nodes(struct folding *f)
{
	const struct model *m = f->s->model;
	const struct graph *g = f->graph;

	for (uint32_t i = 0; i < f->scopes.len; i++) {
		struct scope *scope = &f->scopes.at[i];

		scope->own_count = scope->node_count = scope->child_count = 0;
		scope->first_child = scope->next = 0;
		scope->first_index = UINT32_MAX;
	}
	for (uint32_t i = 0; i < g->nodes.len; i++) {
		uint32_t scope = f->s->of_node[i];
		bool constant = scope_is_constant(m, &m->nodes.at[g->nodes.at[i]]);

		f->scopes.at[scope].own_count += !constant;
		for (;; scope = f->scopes.at[scope].parent) {
			struct scope *at = &f->scopes.at[scope];

			at->node_count++;
			at->first_index = MIN(at->first_index, i);
			if (!scope)
				break;
		}
	}
}

/* Scopes are visited in the order of their first nodes; each is added to its parent once. */
static void link_children(struct folding *f)
{
	uint32_t *last = scope_names_numbers(NULL, f->scopes.len);
	bool *linked = must_alloc(f->scopes.len);

	memset(linked, 0, f->scopes.len);
	for (uint32_t i = 0; i < f->graph->nodes.len; i++) {
		for (uint32_t at = f->s->of_node[i]; at && !linked[at];
		     at = f->scopes.at[at].parent) {
			struct scope *parent = &f->scopes.at[f->scopes.at[at].parent];
			uint32_t *before = &last[f->scopes.at[at].parent];

			linked[at] = true;
			if (*before)
				f->scopes.at[*before].next = at;
			else
				parent->first_child = at;
			*before = at;
			parent->child_count++;
		}
	}
	free(linked);
	free(last);
}

/* Pre-order, so that the nodes in a scope, at any depth, are contiguous in the list. */
static void scope_names_list_nodes(struct folding *f)
{
	uint32_t count = (uint32_t)f->graph->nodes.len, at = 0, scope = 0;
	uint32_t *own = scope_names_numbers(NULL, f->scopes.len);

	for (uint32_t i = 0; i < count; i++)
		own[f->s->of_node[i]]++;
	for (bool down = true;;) {
		const struct scope *here = &f->scopes.at[scope];

		if (down) {
			f->begin[scope] = at;
			at += own[scope];
			own[scope] = f->begin[scope];
		}
		if (down && here->first_child) {
			scope = here->first_child;
			f->scopes.at[scope].depth = here->depth + 1;
			continue;
		}
		f->end[scope] = at;
		down = scope && here->next;
		if (!scope)
			break;
		scope = here->next ? here->next : here->parent;
		if (down)
			f->scopes.at[scope].depth = here->depth;
	}
	for (uint32_t i = 0; i < count; i++) {
		f->place[i] = own[f->s->of_node[i]]++;
		f->list[f->place[i]] = i;
	}
	free(own);
}

void folding_list(struct folding *f)
{
	size_t scopes = f->scopes.len, nodes = f->graph->nodes.len;

	f->begin = scope_names_numbers(f->begin, scopes);
	f->end = scope_names_numbers(f->end, scopes);
	f->list = scope_names_numbers(f->list, nodes);
	f->place = scope_names_numbers(f->place, nodes);
	count_nodes(f);
	link_children(f);
	scope_names_list_nodes(f);
}
