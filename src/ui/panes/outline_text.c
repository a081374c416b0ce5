/*
 * The texts of an outline row, left and right.
 */
#include <inttypes.h>

#include "base/num.h"
#include "base/str.h"
#include "base/sv.h"
#include "ir/graph.h"
#include "ir/tensor.h"
#include "ir/type.h"
#include "layout/scope/scope.h"
#include "layout/scope/title.h"
#include "ops/info.h"
#include "ui/graph/graph.h"
#include "ui/panes/outline.h"
#include "ui/panes/outline_tree.h"
#include "ui/screen.h"

enum {
	LONGEST_NAME = 800 /* bytes; the rest is ignored */
};

uint64_t weight_bytes(const struct tensor *t)
{
	uint64_t stored = tensor_stored_bytes(t), count, bits;

	if (stored || !tensor_elements(t, &count) ||
	    !num_mul(count, elem_info(t->elem)->bits, &bits))
		return stored;
	return bits / 8 + (bits % 8 > 0);
}

/* Names may be huge, and rows are drawn often. */
static struct sv outline_text_cut(struct sv name)
{
	name.len = MIN(name.len, (size_t)LONGEST_NAME);
	return name;
}

/* Of a tensor's name the end is shown. */
static struct sv cut_start(struct sv name)
{
	return name.len > LONGEST_NAME ? sv_skip(name, name.len - LONGEST_NAME) : name;
}

/* The part of a name after its scope. */
static struct sv outline_text_last_part(struct sv name)
{
	name = cut_start(name);
	for (size_t i = name.len; i > 0; i--) {
		if (name.at[i - 1] == '/' && i < name.len)
			return sv_skip(name, i);
	}
	return name;
}

bool outline_computed(const struct screen *s, const struct tree *t, const struct item *i,
		      struct info *out)
{
	return i->kind == ITEM_SCOPE &&
	       fold_computed(s, &t->branches.at[i->graph].scopes, i->id, out);
}

/* The number of nodes is at the right edge. */
static void add_scope(struct screen *s, const struct tree *t, const struct item *i, struct str *out)
{
	const struct scopes *scopes = &t->branches.at[i->graph].scopes;
	enum scope_kind kind = scopes->at[i->id].kind;

	fold_title(s, scopes, i->id, out);
	if (kind != SCOPE_REPEAT && kind != SCOPE_FAN)
		return;
	str_char(out, ' ');
	scope_title_more(scopes, i->id, out);
}

/* The part of its name after the scope; conv1/Conv if the node also represents its scope. */
static void outline_text_add_node(const struct tree *t, const struct item *i, struct str *out)
{
	const struct item *around = &t->items.at[i->parent];
	const struct scopes *scopes = &t->branches.at[i->graph].scopes;
	const struct node *n = &t->model->nodes.at[i->id];
	uint32_t scope = scopes->of_node[n->index];
	bool in_scope = around->kind == ITEM_SCOPE || around->kind == ITEM_CONSTANTS;

	if (scope != (in_scope ? around->id : 0) && scopes->at[scope].kind == SCOPE_NAME) {
		str_add(out, outline_text_cut(scopes->at[scope].name));
		str_char(out, '/');
	}
	str_add(out, outline_text_last_part(node_label(t->model, i->id)));
}

static void outline_text_add_graph(const struct model *m, uint32_t graph, struct str *out)
{
	const struct graph *g = &m->graphs.at[graph];

	switch (g->kind) {
	case GRAPH_MAIN:
		str_add(out, g->name ? outline_text_cut(model_name(m, g->name)) : SV("model"));
		break;
	case GRAPH_BODY:
		str_add(out, outline_text_cut(model_name(m, g->role)));
		break;
	case GRAPH_FUNCTION:
		str_add(out, outline_text_cut(model_name(m, m->functions.at[g->slot].name)));
		str_text(out, m->functions.at[g->slot].overload ? ":" : "");
		str_add(out, outline_text_cut(model_name(m, m->functions.at[g->slot].overload)));
		break;
	case GRAPH_TRAINING:
		str_add(out, outline_text_cut(model_name(m, g->role)));
		break;
	case GRAPH_KIND_COUNT:
		break;
	}
}

static void outline_text_add_like(const struct tree *t, uint32_t first, struct str *out)
{
	const struct like *like = tree_like_from(t, first);

	if (like)
		str_add(out, outline_text_cut(str_sv(&like->label)));
}

void outline_label(struct screen *s, const struct tree *t, const struct item *i, struct str *out)
{
	static const char *const names[ITEM_KIND_COUNT] = {
		[ITEM_INPUTS] = "Inputs",     [ITEM_OUTPUTS] = "Outputs",
		[ITEM_WEIGHTS] = "Weights",   [ITEM_FUNCTIONS] = "Functions",
		[ITEM_TRAINING] = "Training", [ITEM_CONSTANTS] = "constants",
		/* the rest has a name of its own */
	};
	const struct model *m = t->model;

	if (i->kind == ITEM_SCOPE)
		add_scope(s, t, i, out);
	else if (i->kind == ITEM_GRAPH)
		outline_text_add_graph(m, i->graph, out);
	else if (i->kind == ITEM_NODE)
		outline_text_add_node(t, i, out);
	else if (i->kind == ITEM_LIKE)
		outline_text_add_like(t, i->id, out);
	else if (i->kind == ITEM_VALUE)
		str_add(out, cut_start(model_name(m, m->values.at[i->id].name)));
	else if (i->kind == ITEM_TENSOR)
		str_add(out, cut_start(model_name(m, m->tensors.at[i->id].name)));
	else
		str_text(out, names[i->kind]);
}

/* ---- the right side ---- */

static bool same_beginning(struct sv a, struct sv b)
{
	for (size_t i = 0; i < MIN(a.len, b.len); i++) {
		if ((a.at[i] | 0x20) != (b.at[i] | 0x20))
			return false;
	}
	return a.len >= b.len;
}

static uint64_t outline_text_add_bytes(uint64_t sum, const struct tensor *t)
{
	return num_add(sum, weight_bytes(t), &sum) ? sum : UINT64_MAX;
}

/* Saturates at UINT64_MAX. */
static uint64_t outline_text_bytes(const struct model *m, uint32_t graph)
{
	const struct graph *g = &m->graphs.at[graph];
	uint64_t bytes = 0;

	for (size_t i = 0; i < g->initializers.len; i++)
		bytes = outline_text_add_bytes(bytes, &m->tensors.at[g->initializers.at[i]]);
	for (size_t i = 0; i < g->sparses.len; i++)
		bytes = outline_text_add_bytes(bytes, &m->tensors.at[g->sparses.at[i].values]);
	return bytes;
}

static void right_weights(const struct tree *t, const struct item *i, struct str *out)
{
	const struct graph *g = &t->model->graphs.at[i->graph];

	str_count(out, g->initializers.len + g->sparses.len);
	str_text(out, ", ");
	str_size(out, outline_text_bytes(t->model, i->graph));
}

static uint32_t count_constants(const struct branch *b, uint32_t scope)
{
	return b->start[scope + 1] - b->start[scope] - b->scopes.at[scope].own_count;
}

static void right_graph(const struct tree *t, const struct item *i, struct str *out)
{
	str_count(out, t->model->graphs.at[i->graph].nodes.len);
}

static void right_scope(const struct tree *t, const struct item *i, struct str *out)
{
	str_count(out, t->branches.at[i->graph].scopes.at[i->id].node_count);
}

/* The operator, unless it is in the name. */
static void right_node(const struct tree *t, const struct item *i, struct str *out)
{
	struct sv op = model_name(t->model, t->model->nodes.at[i->id].op);

	if (!same_beginning(outline_text_last_part(node_label(t->model, i->id)), op))
		str_add(out, outline_text_cut(op));
}

static void right_constants(const struct tree *t, const struct item *i, struct str *out)
{
	str_count(out, count_constants(&t->branches.at[i->graph], i->id));
}

static void right_inputs(const struct tree *t, const struct item *i, struct str *out)
{
	if (!i->open)
		str_count(out, t->model->graphs.at[i->graph].inputs.len);
}

static void right_outputs(const struct tree *t, const struct item *i, struct str *out)
{
	if (!i->open)
		str_count(out, t->model->graphs.at[i->graph].outputs.len);
}

static void right_functions(const struct tree *t, const struct item *i, struct str *out)
{
	(void)i;
	str_count(out, t->model->functions.len);
}

static void right_tensor(const struct tree *t, const struct item *i, struct str *out)
{
	const struct tensor *tensor = &t->model->tensors.at[i->id];

	for (uint32_t k = 0; k < MIN(tensor->rank, 8); k++)
		str_format(out, "%s%" PRId64, k ? ", " : "[", tensor->dims[k]);
	str_text(out, tensor->rank ? "]" : "[]");
}

void outline_right(const struct tree *t, const struct item *i, struct str *out)
{
	static void (*const tellers[ITEM_KIND_COUNT])(const struct tree *t, const struct item *i,
						      struct str *out) = {
		[ITEM_GRAPH] = right_graph,     [ITEM_SCOPE] = right_scope,
		[ITEM_NODE] = right_node,       [ITEM_CONSTANTS] = right_constants,
		[ITEM_INPUTS] = right_inputs,   [ITEM_OUTPUTS] = right_outputs,
		[ITEM_WEIGHTS] = right_weights, [ITEM_FUNCTIONS] = right_functions,
		[ITEM_TENSOR] = right_tensor,
		/* the rest has nothing to tell */
	};

	if (tellers[i->kind])
		tellers[i->kind](t, i, out);
}
