#include "ir/graph.h"

#include <inttypes.h>

#include "base/arena.h"
#include "base/intern.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/utf8.h"
#include "ir/type.h"

struct sv model_name(const struct model *m, uint32_t name)
{
	return intern_text(&m->names, name);
}

struct sv model_cut_name(const struct model *m, uint32_t name)
{
	enum {
		LONGEST = 200
	};
	struct sv text = model_name(m, name);

	return utf8_cut(text, LONGEST);
}

uint32_t node_called(const struct model *m, const struct node *n)
{
	if (n->name)
		return n->name;
	for (uint32_t i = 0; i < n->output_count; i++) {
		if (n->outputs[i])
			return m->values.at[n->outputs[i]].name;
	}
	return 0;
}

static uint32_t model_find_here(const struct model *m, uint32_t graph, uint32_t name)
{
	uint32_t *value = name ? map_find(&m->by_name, (uint64_t)graph << 32 | name) : NULL;

	return value && !(m->values.at[*value].flags & VALUE_DEAD) ? *value : 0;
}

uint32_t model_find(const struct model *m, uint32_t graph, struct sv name)
{
	return model_find_here(m, graph, intern_find(&m->names, name));
}

uint32_t model_resolve(const struct model *m, uint32_t graph, uint32_t name)
{
	for (;;) {
		uint32_t value = model_find_here(m, graph, name);
		enum graph_kind kind = m->graphs.at[graph].kind;

		/* A training graph can use names of the main graph, its parent 0. */
		if (value || (kind != GRAPH_BODY && kind != GRAPH_TRAINING))
			return value;
		graph = m->graphs.at[graph].parent;
	}
}

const struct reader *model_readers(const struct model *m, uint32_t value, uint32_t *count)
{
	const struct value *v = &m->values.at[value];

	*count = v->readers_count;
	return m->readers.at + v->readers_at;
}

struct sv node_label(const struct model *m, uint32_t node)
{
	const struct node *n = &m->nodes.at[node];
	uint32_t called = node_called(m, n);

	return model_name(m, called ? called : n->op);
}

const struct attr *node_attr(const struct model *m, const struct node *n, const char *name)
{
	for (uint32_t i = 0; i < n->attr_count; i++) {
		if (sv_is(model_name(m, n->attrs[i].name), name))
			return &n->attrs[i];
	}
	return NULL;
}

int32_t attr_list_elem(const struct attr *a)
{
	static const int32_t elems[ATTR_KIND_COUNT] = {
		[ATTR_FLOATS] = ELEM_FLOAT32,
		[ATTR_INTS] = ELEM_INT64,
		[ATTR_STRINGS] = ELEM_STRING,
		/* the rest has no elements */
	};

	return elems[a->kind];
}

bool domain_is_standard(struct sv domain)
{
	return domain.len == 0 || sv_is(domain, "ai.onnx");
}

static int64_t opset_in(const struct model *m, const struct opset *sets, uint32_t count,
			struct sv domain)
{
	for (uint32_t i = 0; i < count; i++) {
		struct sv have = model_name(m, sets[i].domain);

		if (sv_eq(have, domain) || (domain_is_standard(have) && domain_is_standard(domain)))
			return sets[i].version;
	}
	return 0;
}

int64_t model_opset(const struct model *m, uint32_t graph, struct sv domain)
{
	const struct graph *g = &m->graphs.at[graph];

	while (g->kind == GRAPH_BODY)
		g = &m->graphs.at[g->parent];
	if (g->kind == GRAPH_FUNCTION) {
		const struct function *f = &m->functions.at[g->slot];

		return opset_in(m, f->opsets, f->opset_count, domain);
	}
	return opset_in(m, m->opsets, m->opset_count, domain);
}

static void function_path(struct str *s, const struct model *m, const struct function *f)
{
	str_add(s, model_cut_name(m, f->domain));
	str_text(s, "::");
	str_add(s, model_cut_name(m, f->name));
	str_text(s, "::");
	str_add(s, model_cut_name(m, f->overload));
}

void graph_path(struct str *s, const struct model *m, uint32_t graph)
{
	enum {
		LONGEST_PATH = 1000
	};
	const struct graph *g = &m->graphs.at[graph];
	const struct node *owner;

	switch (g->kind) {
	case GRAPH_MAIN:
	case GRAPH_KIND_COUNT:
		return;
	case GRAPH_FUNCTION:
		function_path(s, m, &m->functions.at[g->slot]);
		return;
	case GRAPH_TRAINING:
		str_format(s, "training.%" PRIu32 ".", g->slot);
		str_add(s, model_cut_name(m, g->role));
		return;
	case GRAPH_BODY:
		break;
	}
	/* The scanner limits the nesting. */
	graph_path(s, m, g->parent);
	if (s->len > LONGEST_PATH)
		return; /* long enough, and every tensor in it would repeat it */
	if (s->len)
		str_char(s, '/');
	owner = &m->nodes.at[g->owner];
	str_format(s, "%" PRIu32 ".", owner->index);
	str_add(s, model_cut_name(m, g->role));
	if (g->slot)
		str_format(s, ".%" PRIu32, g->slot);
}

void graph_in_words(struct str *s, const struct model *m, uint32_t graph)
{
	enum {
		LONGEST_PLACE = 300
	};
	const struct graph *g = &m->graphs.at[graph];
	const struct node *owner = &m->nodes.at[g->owner];
	struct sv role = model_cut_name(m, g->role);

	if (g->kind != GRAPH_BODY) {
		graph_path(s, m, graph);
		return;
	}
	str_text(s, "the ");
	for (size_t i = 0; i < role.len; i++)
		str_char(s, role.at[i] == '_' ? ' ' : role.at[i]);
	if (g->slot)
		str_format(s, " %" PRIu32, g->slot);
	str_text(s, " of ");
	if (node_called(m, owner)) {
		str_add(s, model_cut_name(m, node_called(m, owner)));
	} else {
		str_add(s, model_cut_name(m, owner->op));
		str_format(s, " %" PRIu32, owner->index);
	}
	if (m->graphs.at[g->parent].kind == GRAPH_MAIN || s->len > LONGEST_PLACE)
		return;
	str_text(s, " in ");
	graph_in_words(s, m, g->parent);
}

static void model_add_name(struct str *s, const struct model *m, uint32_t name)
{
	str_char(s, '\'');
	str_add_shown(s, model_cut_name(m, name));
	str_char(s, '\'');
}

static void model_add_node(struct str *s, const struct model *m, uint32_t node)
{
	const struct node *n = &m->nodes.at[node];

	str_add_shown(s, model_cut_name(m, n->op));
	str_char(s, ' ');
	if (n->name)
		model_add_name(s, m, n->name);
	else
		str_format(s, "node %" PRIu32, n->index);
}

void flaw_print(struct str *s, const struct model *m, const struct flaw *f)
{
	switch (f->kind) {
	case FLAW_CYCLE:
		model_add_node(s, m, f->node);
		str_text(s, " depends on its own output: the graph has a cycle");
		break;
	case FLAW_DUPLICATE:
		model_add_name(s, m, m->values.at[f->value].name);
		str_text(s, " is defined twice");
		if (f->node) {
			str_text(s, ", the second time by ");
			model_add_node(s, m, f->node);
		}
		break;
	case FLAW_MISSING:
		if (f->node)
			model_add_node(s, m, f->node);
		else
			str_text(s, "the graph's output");
		str_text(s, " reads ");
		model_add_name(s, m, m->values.at[f->value].name);
		str_text(s, ", which is not defined");
		break;
	case FLAW_KIND_COUNT:
		break;
	}
	if (f->graph) {
		struct str path = {0};

		graph_path(&path, m, f->graph);
		str_text(s, " (in ");
		str_add_shown(s, str_sv(&path));
		str_char(s, ')');
		str_release(&path);
	}
}

void model_release(struct model *m)
{
	for (size_t i = 0; i < m->graphs.len; i++) {
		struct graph *g = &m->graphs.at[i];

		vec_release(&g->nodes);
		vec_release(&g->inputs);
		vec_release(&g->outputs);
		vec_release(&g->initializers);
		vec_release(&g->sparses);
		vec_release(&g->claims);
		vec_release(&g->order);
	}
	vec_release(&m->graphs);
	vec_release(&m->nodes);
	vec_release(&m->values);
	vec_release(&m->tensors);
	vec_release(&m->claims);
	vec_release(&m->functions);
	vec_release(&m->trainings);
	vec_release(&m->devices);
	vec_release(&m->flaws);
	vec_release(&m->readers);
	map_release(&m->by_name);
	intern_release(&m->names);
	arena_release(&m->arena);
	*m = (struct model){0};
}
