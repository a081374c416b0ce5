#include "layout/view/view.h"

#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/vec.h"
#include "ir/graph.h"
#include "layout/view/internal.h"

static uint32_t view_add_item(struct view *v, enum view_kind kind, uint32_t id)
{
	vec_push(&v->items, ((struct view_item){.kind = kind, .id = id, .count = 1, .last = id}));
	return sketch_item(&v->sketch, 0, 0);
}

/* An input with an initializer is a constant. */
static bool is_given(const struct model *m, uint32_t value)
{
	return !m->values.at[value].tensor && !m->values.at[value].sparse;
}

bool viewing_has(const struct viewing *w, uint32_t index)
{
	const struct scopes *s = w->v->scopes;

	return !w->inside || scope_has(s, w->inside, s->of_node[index]);
}

/* ---- the ends of the graph ---- */

/* Keeps captured values apart from the graph's own inputs. */
#define OUTER_KEY ((uint64_t)1 << 63)

/* Equal for all nodes of one item; never 0. */
static uint64_t view_key_of(const struct viewing *w, uint32_t index)
{
	uint32_t scope = scopes_shown(w->v->scopes, w->v->scopes->of_node[index]);

	return scope ? scope : (uint64_t)w->v->scopes->count + index;
}

/* The key of the only item that reads a value; 0 when there are others or an output. */
static uint64_t key_of_input(const struct viewing *w, uint32_t value)
{
	uint32_t count, index;
	const struct reader *r = model_readers(w->m, value, &count);
	uint64_t key = 0;

	for (uint32_t i = 0; i < count; i++) {
		bool reads = r[i].node && viewing_reader(w, &r[i], &index);

		if (w->inside && (!reads || !viewing_has(w, index)))
			continue;
		if (!reads || (key && key != view_key_of(w, index)))
			return 0;
		key = view_key_of(w, index);
	}
	return key << 1;
}

/* Does a node that is shown read it? */
static bool is_read(const struct viewing *w, uint32_t value)
{
	uint32_t count, index;
	const struct reader *r = model_readers(w->m, value, &count);

	for (uint32_t i = 0; i < count; i++) {
		if (r[i].node && viewing_reader(w, &r[i], &index) && viewing_has(w, index))
			return true;
	}
	return false;
}

static uint64_t key_of_output(const struct viewing *w, uint32_t value)
{
	uint32_t node = w->m->values.at[value].producer;

	if (!node || w->m->nodes.at[node].graph != w->v->scopes->graph)
		return 0;
	return view_key_of(w, w->m->nodes.at[node].index) << 1 | 1;
}

/* The family of an end at an item, or all at it that have none. */
static uint64_t key_of_family(const struct viewing *w, uint64_t key, uint32_t value)
{
	uint64_t family = view_family(w->m, value);

	return family ? hash_u64(family, key) | 1 : key;
}

static void count_end(struct viewing *w, uint64_t key, uint32_t value)
{
	if (key)
		++*map_at(&w->many, key_of_family(w, key, value));
}

/* A key with its lowest bit, which tells inputs from outputs. */
static bool is_fold(const struct viewing *w, uint64_t key)
{
	return (key & ~OUTER_KEY) >> 1 < w->v->scopes->count;
}

/* An item for an input or output, or the one that stands for many. */
static uint32_t add_end(struct viewing *w, enum view_kind kind, uint32_t value, uint64_t key)
{
	uint64_t family = key ? key_of_family(w, key, value) : 0;
	uint32_t most = family != key && is_fold(w, key) ? VIEW_ALIKE : VIEW_MANY;
	uint32_t *joint, item;

	if (!key || *map_at(&w->many, family) < most)
		return view_add_item(w->v, kind, value);
	joint = map_at(&w->joint, family);
	if (*joint) {
		w->v->items.at[*joint - 1].count++;
		w->v->items.at[*joint - 1].last = value;
		return *joint - 1;
	}
	item = view_add_item(w->v, kind, value);
	*joint = item + 1;
	return item;
}

static bool is_input_shown(const struct viewing *w, uint32_t value)
{
	return is_given(w->m, value) && (!w->inside || is_read(w, value));
}

static void add_inputs(struct viewing *w)
{
	const uint32_t *inputs = w->g->inputs.at;

	for (size_t i = 0; i < w->g->inputs.len; i++) {
		if (is_input_shown(w, inputs[i]))
			count_end(w, key_of_input(w, inputs[i]), inputs[i]);
	}
	for (size_t i = 0; i < w->g->inputs.len; i++) {
		uint32_t item;

		if (!is_input_shown(w, inputs[i]))
			continue;
		item = add_end(w, VIEW_INPUT, inputs[i], key_of_input(w, inputs[i]));
		vec_push(&w->v->ends, ((struct view_end){item, inputs[i]}));
	}
}

static bool is_output_shown(const struct viewing *w, uint32_t value)
{
	uint32_t node = w->m->values.at[value].producer;

	return !w->inside || (node && w->m->nodes.at[node].graph == w->v->scopes->graph &&
			      viewing_has(w, w->m->nodes.at[node].index));
}

static void add_outputs(struct viewing *w)
{
	const uint32_t *outputs = w->g->outputs.at;

	for (size_t i = 0; i < w->g->outputs.len; i++) {
		if (is_output_shown(w, outputs[i]))
			count_end(w, key_of_output(w, outputs[i]), outputs[i]);
	}
	for (size_t i = 0; i < w->g->outputs.len; i++) {
		w->v->of_output[i] = SKETCH_NONE;
		if (is_output_shown(w, outputs[i]))
			w->v->of_output[i] = add_end(w, VIEW_OUTPUT, outputs[i],
						     key_of_output(w, outputs[i]));
	}
}

/* Is it read outside the scope that is shown alone, and no output of the graph? */
static bool is_exit(const struct viewing *w, uint32_t value)
{
	uint32_t count, index;
	const struct reader *r = model_readers(w->m, value, &count);
	bool outside = false;

	for (uint32_t i = 0; i < count; i++) {
		if (!r[i].node && r[i].graph == w->v->scopes->graph)
			return false;
		outside |= r[i].node && viewing_reader(w, &r[i], &index) && !viewing_has(w, index);
	}
	return outside;
}

/* What leaves the scope that is shown alone. */
static void add_exits(struct viewing *w)
{
	for (uint32_t i = 0; w->inside && i < w->g->nodes.len; i++) {
		const struct node *n = &w->m->nodes.at[w->g->nodes.at[i]];

		if (!viewing_has(w, i) || scope_is_constant(w->m, n))
			continue;
		for (uint32_t k = 0; k < n->output_count; k++) {
			uint32_t item;

			if (!n->outputs[k] || !is_exit(w, n->outputs[k]))
				continue;
			item = view_add_item(w->v, VIEW_OUTPUT, n->outputs[k]);
			*map_at(&w->exits, n->outputs[k]) = item + 1;
			vec_push(&w->v->exits, ((struct view_end){item, n->outputs[k]}));
		}
	}
}

/* Does `graph` enclose this one?  Its own bodies do not, though nested bodies read their values. */
static bool is_around(const struct viewing *w, uint32_t graph)
{
	uint32_t at = w->v->scopes->graph;

	while (w->m->graphs.at[at].kind == GRAPH_BODY) {
		at = w->m->nodes.at[w->m->graphs.at[at].owner].graph;
		if (at == graph)
			return true;
	}
	return false;
}

/* Is it made in this graph, but outside the scope that is shown alone? */
static bool is_beside(const struct viewing *w, const struct value *v)
{
	return w->inside && v->producer && v->graph == w->v->scopes->graph &&
	       !viewing_has(w, w->m->nodes.at[v->producer].index);
}

/* Does a node in this graph, or in a body in it, read a value of an enclosing graph? */
static bool is_outer(const struct viewing *w, uint32_t value)
{
	const struct value *v = &w->m->values.at[value];
	uint32_t count, index;
	const struct reader *r;

	if ((!is_around(w, v->graph) && !is_beside(w, v)) || !is_given(w->m, value) ||
	    (v->producer && scope_is_constant(w->m, &w->m->nodes.at[v->producer])))
		return false;
	if (w->inside)
		return is_read(w, value);
	r = model_readers(w->m, value, &count);
	for (uint32_t i = 0; i < count; i++) {
		if (r[i].graph == w->v->scopes->graph || viewing_reader(w, &r[i], &index))
			return true;
	}
	return false;
}

/* As for an input, but nodes elsewhere may read it too. */
static uint64_t key_of_outer(const struct viewing *w, uint32_t value)
{
	uint32_t count, index;
	const struct reader *r = model_readers(w->m, value, &count);
	uint64_t key = 0;

	for (uint32_t i = 0; i < count; i++) {
		bool inside = r[i].node && viewing_reader(w, &r[i], &index);

		if (w->inside && (!inside || !viewing_has(w, index)))
			continue;
		if (!inside && (r[i].node || r[i].graph != w->v->scopes->graph))
			continue;
		if (!inside || (key && key != view_key_of(w, index)))
			return 0;
		key = view_key_of(w, index);
	}
	return key ? key << 1 | OUTER_KEY : 0;
}

/*
 * A body can capture values of enclosing graphs, and so can the bodies in it; a scope that is
 * shown alone reads values from beside it.
 */
static void add_around(struct viewing *w)
{
	struct view_values read = {0};
	size_t kept = 0;

	if (w->g->kind != GRAPH_BODY && !w->inside)
		return;
	view_reads(&read, w->m, w->v->scopes->graph);
	for (size_t i = 0; i < read.len; i++) {
		if (!is_outer(w, read.at[i]))
			continue;
		count_end(w, key_of_outer(w, read.at[i]), read.at[i]);
		read.at[kept++] = read.at[i];
	}
	for (size_t i = 0; i < kept; i++) {
		uint32_t v = read.at[i], item = add_end(w, VIEW_OUTER, v, key_of_outer(w, v));

		*map_at(&w->outer, v) = item + 1;
		vec_push(&w->v->ends, ((struct view_end){item, v}));
	}
	vec_release(&read);
}

/* ---- the view ---- */

/* A folded group is where its result is: its first node may be far above what it serves. */
static bool is_place_of(const struct viewing *w, uint32_t scope, uint32_t node)
{
	const struct scope *at = &w->v->scopes->at[scope];

	return w->of_scope[scope] == SKETCH_NONE && (at->kind != SCOPE_GROUP || at->node == node);
}

static void view_add_nodes(struct viewing *w)
{
	const struct scopes *s = w->v->scopes;

	for (uint32_t i = 0; i < w->g->nodes.len; i++) {
		uint32_t node = w->g->nodes.at[i], scope = scopes_shown(s, s->of_node[i]);

		w->v->of_node[i] = SKETCH_NONE;
		if (!viewing_has(w, i))
			continue;
		if (scope && is_place_of(w, scope, node)) {
			w->of_scope[scope] = view_add_item(w->v, VIEW_SCOPE, scope);
			vec_last(&w->v->sketch.items)->aside = s->at[scope].kind == SCOPE_SHAPES;
		} else if (!scope && !scope_is_constant(w->m, &w->m->nodes.at[node])) {
			w->v->of_node[i] = view_add_item(w->v, VIEW_NODE, node);
		}
	}
	for (uint32_t i = 0; i < w->g->nodes.len; i++) {
		uint32_t scope = scopes_shown(s, s->of_node[i]);

		if (scope && viewing_has(w, i))
			w->v->of_node[i] = w->of_scope[scope];
	}
}

void view_make(struct view *v, const struct scopes *s, struct view_focus focus)
{
	struct viewing w = {
		.v = v, .m = s->model, .g = &s->model->graphs.at[s->graph], .inside = focus.inside};

	view_release(v);
	v->scopes = s;
	v->of_node = must_alloc((w.g->nodes.len + 1) * sizeof(*v->of_node));
	v->of_output = must_alloc((w.g->outputs.len + 1) * sizeof(*v->of_output));
	w.of_scope = must_alloc((s->count + 1) * sizeof(*w.of_scope));
	memset(w.of_scope, 0xff, (s->count + 1) * sizeof(*w.of_scope));
	add_inputs(&w);
	add_around(&w);
	view_add_nodes(&w);
	add_outputs(&w);
	add_exits(&w);
	viewing_nets(&w);
	sketch_index(&v->sketch);
	if (focus.node || focus.scope)
		view_narrow(v, focus);
	map_release(&w.outer);
	map_release(&w.many);
	map_release(&w.joint);
	map_release(&w.exits);
	free(w.of_scope);
}

void view_release(struct view *v)
{
	vec_release(&v->items);
	vec_release(&v->nets);
	vec_release(&v->values);
	vec_release(&v->ends);
	vec_release(&v->exits);
	sketch_release(&v->sketch);
	free(v->of_node);
	free(v->of_output);
	*v = (struct view){0};
}

uint32_t view_find(const struct view *v, uint32_t node)
{
	const struct node *n = &v->scopes->model->nodes.at[node];

	return n->graph == v->scopes->graph ? v->of_node[n->index] : SKETCH_NONE;
}

uint32_t view_scope(const struct view *v, uint32_t item)
{
	const struct view_item *at = &v->items.at[item];

	if (at->kind == VIEW_SCOPE)
		return at->id;
	return at->kind == VIEW_NODE ? v->scopes->of_node[v->scopes->model->nodes.at[at->id].index]
				     : 0;
}

static bool view_function_of(const struct model *m, const struct node *n, uint32_t *out_graph)
{
	for (size_t i = 0; i < m->functions.len; i++) {
		const struct function *f = &m->functions.at[i];

		if (f->name == n->op && f->domain == n->domain && f->overload == n->overload) {
			*out_graph = f->graph;
			return true;
		}
	}
	return false;
}

bool view_inside(const struct model *m, uint32_t node, uint32_t nth, uint32_t *out_graph)
{
	const struct node *n = &m->nodes.at[node];

	for (uint32_t i = 0; i < n->attr_count; i++) {
		const struct attr *a = &n->attrs[i];
		uint32_t count = a->kind == ATTR_GRAPH ? 1 : a->kind == ATTR_GRAPHS ? a->count : 0;

		if (nth < count) {
			*out_graph = a->kind == ATTR_GRAPH ? a->graph : a->graphs[nth];
			return true;
		}
		nth -= count;
	}
	return nth == 0 && view_function_of(m, n, out_graph);
}
