/*
 * Differences in the nodes and constants of two graphs whose nodes are paired.
 */
#include <inttypes.h>

#include "base/str.h"
#include "base/sv.h"
#include "edit/diff/internal.h"
#include "ir/graph.h"
#include "ir/hash.h"
#include "ir/tensor.h"
#include "ir/text.h"

static void nodes_diff_add_values(struct str *s, const struct side *side, const uint32_t *values,
				  uint32_t count)
{
	for (uint32_t i = 0; i < count && s->len <= COMPARE_TEXT; i++) {
		str_text(s, i ? ", " : "");
		str_add(s, model_cut_name(side->m, side->m->values.at[values[i]].name));
	}
}

static void add_op(struct str *s, const struct side *side, const struct node *n)
{
	if (!domain_is_standard(model_name(side->m, n->domain))) {
		str_add(s, model_cut_name(side->m, n->domain));
		str_text(s, "::");
	}
	str_add(s, model_cut_name(side->m, n->op));
	if (n->overload) {
		str_text(s, "::");
		str_add(s, model_cut_name(side->m, n->overload));
	}
}

/* Relu(x) -> y */
static void tell_node(struct comparison *c, const struct side *s, const struct node *n)
{
	struct str text = {0};
	bool first = s == &c->a;

	add_op(&text, s, n);
	str_char(&text, '(');
	nodes_diff_add_values(&text, s, n->inputs, n->input_count);
	str_text(&text, ") -> ");
	nodes_diff_add_values(&text, s, n->outputs, n->output_count);
	compare_tell(c, (struct telling){DIFFERENCE_NODE, compare_node_name(s, n), "",
					 first ? &text : NULL, first ? NULL : &text});
	str_release(&text);
}

/* ---- constants ---- */

/* Constants with equal contents count as the same. */
static bool same_constant(const struct comparison *c, uint32_t a, uint32_t b)
{
	const struct tensor *x = a ? constant_of(&c->a, a) : NULL;
	const struct tensor *y = b ? constant_of(&c->b, b) : NULL;

	return x && y && !x->external && !y->external && tensor_stored_bytes(x) <= 4096 &&
	       tensor_hash(x, c->seed) == tensor_hash(y, c->seed);
}

static void tell_constant(struct comparison *c, const struct side *s, uint32_t value)
{
	const struct value *v = &s->m->values.at[value];
	struct str text = {0};
	bool first = s == &c->a;

	if (v->tensor)
		tensor_print_type(&text, &s->m->tensors.at[v->tensor], false);
	else
		str_text(&text, "sparse");
	compare_tell(c, (struct telling){DIFFERENCE_CONSTANT, model_name(s->m, v->name), "",
					 first ? &text : NULL, first ? NULL : &text});
	str_release(&text);
}

/* A pair of values of which at least one is an initializer. */
static void compare_constant(struct comparison *c, uint32_t a, uint32_t b)
{
	const struct tensor *x = constant_of(&c->a, a), *y = constant_of(&c->b, b);
	const struct value *v = &c->a.m->values.at[a], *w = &c->b.m->values.at[b];
	struct sv name = model_name(c->a.m, v->name);

	compare_texts(c, DIFFERENCE_CONSTANT, name, "name", name, model_name(c->b.m, w->name));
	if (x && y)
		compare_tensors(c, DIFFERENCE_CONSTANT, name, "", x, y);
	else if (v->sparse && w->sparse)
		compare_sparse(c, DIFFERENCE_CONSTANT, name, "",
			       &c->a.m->graphs.at[v->graph].sparses.at[v->sparse - 1],
			       &c->b.m->graphs.at[w->graph].sparses.at[w->sparse - 1]);
	else if (v->tensor || v->sparse)
		tell_constant(c, &c->a, a);
	else
		tell_constant(c, &c->b, b);
}

static uint32_t nodes_diff_initializer(const struct side *s, const struct graph *g, uint32_t graph,
				       size_t i)
{
	size_t dense = g->initializers.len;
	uint32_t tensor = i < dense ? g->initializers.at[i] : g->sparses.at[i - dense].values;

	return model_find(s->m, graph, model_name(s->m, s->m->tensors.at[tensor].name));
}

static void compare_constants(struct comparison *c, struct graph_pair g)
{
	const struct graph *a = &c->a.m->graphs.at[g.a], *b = &c->b.m->graphs.at[g.b];

	for (size_t i = 0; i < a->initializers.len + a->sparses.len; i++) {
		uint32_t value = nodes_diff_initializer(&c->a, a, g.a, i);

		if (value && c->a.values[value])
			compare_constant(c, value, c->a.values[value]);
		else if (value)
			tell_constant(c, &c->a, value);
	}
	for (size_t i = 0; i < b->initializers.len + b->sparses.len; i++) {
		uint32_t value = nodes_diff_initializer(&c->b, b, g.b, i);
		uint32_t partner = value ? c->b.values[value] : 0;
		const struct value *v = &c->a.m->values.at[partner];

		if (value && !partner)
			tell_constant(c, &c->b, value);
		else if (partner && !v->tensor && !v->sparse)
			compare_constant(c, partner, value);
	}
}

/* ---- nodes ---- */

static void compare_inputs(struct comparison *c, struct sv name, const struct node *a,
			   const struct node *b)
{
	for (uint32_t i = 0; i < MAX(a->input_count, b->input_count); i++) {
		uint32_t x = i < a->input_count ? a->inputs[i] : 0;
		uint32_t y = i < b->input_count ? b->inputs[i] : 0;
		struct str what = {0}, before = {0}, after = {0};

		if ((!x && !y) || values_paired(c, x, y) || same_constant(c, x, y))
			continue;
		str_format(&what, "input %" PRIu32, i);
		nodes_diff_add_values(&before, &c->a, &x, 1);
		nodes_diff_add_values(&after, &c->b, &y, 1);
		compare_tell(c, (struct telling){DIFFERENCE_NODE, name, str_c(&what),
						 x ? &before : NULL, y ? &after : NULL});
		str_release(&what);
		str_release(&before);
		str_release(&after);
	}
}

static void compare_outputs(struct comparison *c, struct sv name, const struct node *a,
			    const struct node *b)
{
	for (uint32_t i = 0; i < MAX(a->output_count, b->output_count); i++) {
		uint32_t x = i < a->output_count ? a->outputs[i] : 0;
		uint32_t y = i < b->output_count ? b->outputs[i] : 0;
		struct str what = {0};

		str_format(&what, "output %" PRIu32, i);
		if (!values_paired(c, x, y))
			compare_texts(c, DIFFERENCE_NODE, name, str_c(&what),
				      model_name(c->a.m, c->a.m->values.at[x].name),
				      model_name(c->b.m, c->b.m->values.at[y].name));
		str_release(&what);
	}
}

static void compare_node(struct comparison *c, const struct node *a, const struct node *b)
{
	struct sv name = compare_node_name(&c->a, a);
	struct str before = {0}, after = {0};

	add_op(&before, &c->a, a);
	add_op(&after, &c->b, b);
	compare_texts(c, DIFFERENCE_NODE, name, "op", str_sv(&before), str_sv(&after));
	compare_inputs(c, name, a, b);
	compare_outputs(c, name, a, b);
	compare_attrs(c, a, b);
	compare_shardings(c, name, a, b);
	compare_texts(c, DIFFERENCE_NODE, name, "doc", a->doc, b->doc);
	compare_pairs(c, DIFFERENCE_NODE, name, a->metadata, a->metadata_count, b->metadata,
		      b->metadata_count);
	str_release(&before);
	str_release(&after);
}

void compare_nodes(struct comparison *c, struct graph_pair g)
{
	const struct graph *a = &c->a.m->graphs.at[g.a], *b = &c->b.m->graphs.at[g.b];

	for (size_t i = 0; i < a->nodes.len; i++) {
		if (!c->a.nodes[a->nodes.at[i]])
			tell_node(c, &c->a, &c->a.m->nodes.at[a->nodes.at[i]]);
	}
	for (size_t i = 0; i < b->nodes.len; i++) {
		if (!c->b.nodes[b->nodes.at[i]])
			tell_node(c, &c->b, &c->b.m->nodes.at[b->nodes.at[i]]);
	}
	for (size_t i = 0; i < a->nodes.len; i++) {
		uint32_t partner = c->a.nodes[a->nodes.at[i]];

		if (partner)
			compare_node(c, &c->a.m->nodes.at[a->nodes.at[i]],
				     &c->b.m->nodes.at[partner]);
	}
	compare_constants(c, g);
}

/* Names of one pair of nodes, and of their outputs. */
static void compare_called(struct comparison *c, const struct node *a, const struct node *b)
{
	compare_texts(c, DIFFERENCE_NODE, compare_node_name(&c->a, a), "name",
		      model_name(c->a.m, a->name), model_name(c->b.m, b->name));
	for (uint32_t i = 0; i < MIN(a->output_count, b->output_count); i++) {
		const struct value *v = &c->a.m->values.at[a->outputs[i]];
		const struct value *w = &c->b.m->values.at[b->outputs[i]];
		struct sv name = model_name(c->a.m, v->name);

		/* Graph outputs are reported elsewhere. */
		if (values_paired(c, a->outputs[i], b->outputs[i]) &&
		    !(v->flags & w->flags & VALUE_OUTPUT))
			compare_texts(c, DIFFERENCE_TENSOR, name, "name", name,
				      model_name(c->b.m, w->name));
	}
}

void compare_names(struct comparison *c)
{
	for (uint32_t i = 1; i < c->a.m->nodes.len; i++) {
		const struct node *n = &c->a.m->nodes.at[i];

		c->graph = n->graph;
		if (c->a.nodes[i])
			compare_called(c, n, &c->b.m->nodes.at[c->a.nodes[i]]);
	}
}
