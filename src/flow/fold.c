#include "flow/fold.h"

#include <stdlib.h>

#include "base/bug.h"
#include "base/intern.h"
#include "base/sv.h"
#include "base/vec.h"
#include "flow/kernel/kernel.h"
#include "ir/graph.h"
#include "ir/tensor.h"
#include "ir/type.h"
#include "ops/info.h"
#include "ops/ops.h"
#include "ops/property.h"
#include "sym/sym.h"

enum fold_state {
	FOLD_VARIES,   /* not constant */
	FOLD_CONSTANT, /* not computed yet */
	FOLD_WAITS,    /* for its node's inputs */
	FOLD_DONE,
	FOLD_STATE_COUNT
};

static void fold_keep(struct folder *f, uint32_t value, const struct array *a);

/* ---- what is constant ---- */

static bool fold_is_tensor(const struct folder *f, uint32_t value)
{
	const struct info *info = &f->in->infos[value];

	return info->kind == TYPE_TENSOR || info->kind == TYPE_NONE;
}

/* Is the operator a function of its inputs and attributes alone? */
static bool node_is_function(const struct folder *f, const struct node *n)
{
	const struct model *m = f->model;

	if (!domain_is_standard(model_name(m, n->domain)) || map_find(&f->excluded, n->op) ||
	    !op_find(&f->in->ops, m, n, model_opset(m, n->graph, SV(""))))
		return false;
	for (uint32_t i = 0; i < n->attr_count; i++) {
		const struct attr *a = &n->attrs[i];

		if (a->ref || a->kind == ATTR_GRAPH || a->kind == ATTR_GRAPHS)
			return false;
	}
	return true;
}

static bool node_is_constant(const struct folder *f, const struct node *n)
{
	for (uint32_t i = 0; i < n->input_count; i++) {
		if (n->inputs[i] && f->states[n->inputs[i]] == FOLD_VARIES)
			return false;
	}
	for (uint32_t i = 0; i < n->output_count; i++) {
		if (n->outputs[i] && !fold_is_tensor(f, n->outputs[i]))
			return false;
	}
	return node_is_function(f, n);
}

static void find_initializers(struct folder *f)
{
	const struct model *m = f->model;

	for (uint32_t v = 1; v < f->value_count; v++) {
		const struct value *value = &m->values.at[v];
		bool given = value->graph != 0 && value->flags & VALUE_INPUT;

		if ((value->tensor || value->sparse) && !given && !value_is_default(m, v) &&
		    !(value->flags & (VALUE_DUPLICATE | VALUE_DEAD)))
			f->states[v] = FOLD_CONSTANT;
	}
}

/* A size that inference knows: its elements are there already. */
static void keep_known(struct folder *f, uint32_t value)
{
	const struct info *info = &f->in->infos[value];
	const struct contents *c = &info->contents;
	unsigned char *bytes;
	struct array a = {.elem = info->elem, .rank = c->rank, .count = c->count};
	int64_t *dims, number;

	if (!f->sizes || !c->at || c->rank > 1 || info->elem != ELEM_INT64)
		return;
	bytes = arena_alloc(&f->arena, c->count * sizeof(int64_t) + 1);
	dims = arena_array(&f->arena, 1, int64_t);
	dims[0] = c->count;
	for (uint32_t i = 0; i < c->count; i++) {
		if (!sym_value(&f->in->pool, c->at[i], &number))
			return;
		for (unsigned b = 0; b < sizeof(int64_t); b++)
			bytes[i * sizeof(int64_t) + b] = (unsigned char)((uint64_t)number >>
									 (8 * b));
	}
	a.dims = dims;
	a.bytes = bytes;
	fold_keep(f, value, &a);
}

/* Producers come first in the order of a graph; what is in a cycle never becomes constant. */
static void find_constant_nodes(struct folder *f, const struct graph *g)
{
	for (size_t i = 0; i < g->order.len; i++) {
		const struct node *n = &f->model->nodes.at[g->order.at[i]];
		bool constant = !n->dead && node_is_constant(f, n);

		for (uint32_t k = 0; k < n->output_count && !n->dead && !constant; k++) {
			uint32_t v = n->outputs[k];

			if (v && v < f->value_count)
				keep_known(f, v);
		}
		if (!constant)
			continue;
		for (uint32_t k = 0; k < n->output_count; k++) {
			uint32_t v = n->outputs[k];

			if (v && v < f->value_count &&
			    f->model->values.at[v].producer == g->order.at[i])
				f->states[v] = FOLD_CONSTANT;
		}
	}
}

static void folder_begin(struct folder *f, const struct infer *in, bool sizes)
{
	const struct model *m = in->model;

	*f = (struct folder){.model = m, .in = in, .value_count = in->value_count, .sizes = sizes};
	f->states = calloc(MAX(f->value_count, 1), sizeof(*f->states));
	f->arrays = calloc(MAX(f->value_count, 1), sizeof(*f->arrays));
	BUG_ON(!f->states || !f->arrays);
	for (uint32_t i = 0; kernel_row(i); i++) {
		uint32_t name = intern_find(&m->names, sv_of(kernel_row(i)->name));

		if (name)
			*map_at(kernel_row(i)->run ? &f->kernels : &f->excluded, name) = i + 1;
	}
	/* A function of the model replaces the operator of its name. */
	for (size_t i = 0; i < m->functions.len; i++) {
		if (domain_is_standard(model_name(m, m->functions.at[i].domain)))
			*map_at(&f->excluded, m->functions.at[i].name) = 1;
	}
	find_initializers(f);
	for (size_t i = 0; i < m->graphs.len; i++) {
		if (m->graphs.at[i].kind != GRAPH_TRAINING)
			find_constant_nodes(f, &m->graphs.at[i]);
	}
}

void folder_init(struct folder *f, const struct infer *in)
{
	folder_begin(f, in, false);
}

void folder_init_at_sizes(struct folder *f, const struct infer *in)
{
	folder_begin(f, in, true);
}

void folder_release(struct folder *f)
{
	arena_release(&f->arena);
	map_release(&f->kernels);
	map_release(&f->excluded);
	free(f->states);
	free(f->arrays);
	*f = (struct folder){0};
}

bool fold_is_constant(const struct folder *f, uint32_t value)
{
	return value < f->value_count && f->states[value] != FOLD_VARIES;
}

/* ---- elements ---- */

bool fold_node(struct folder *f, uint32_t node, const struct array *const *inputs,
	       struct array *out)
{
	const struct node *n = &f->model->nodes.at[node];
	const uint32_t *place = map_find(&f->kernels, n->op);
	const struct kernel *row = place ? kernel_row(*place - 1) : NULL;
	struct kernel_call k = {
		.arena = &f->arena,
		.budget = &f->budget,
		.model = f->model,
		.node = n,
		.version = model_opset(f->model, n->graph, SV("")),
		.argument = row ? row->argument : 0,
		.in = inputs,
		.in_count = n->input_count,
		.out = out,
		.out_count = n->output_count,
	};

	if (!row || !node_is_function(f, n) || n->input_count > row->max_inputs ||
	    n->output_count == 0)
		return false;
	for (uint32_t i = 0; i < row->min_inputs; i++) {
		if (!kernel_in(&k, i))
			return false;
	}
	for (uint32_t i = 0; i < n->input_count; i++) {
		if (inputs[i] && inputs[i]->rank > ARRAY_MAX_RANK)
			return false;
	}
	return row->run(&k);
}

/* Does the array contradict what inference says about the value? */
static bool fold_contradicts(const struct folder *f, uint32_t value, const struct array *a)
{
	const struct info *info = &f->in->infos[value];
	int64_t size;

	if (info->kind != TYPE_TENSOR)
		return false;
	if ((info->elem && info->elem != a->elem) || (info->ranked && info->rank != a->rank))
		return true;
	for (uint32_t i = 0; info->ranked && i < info->rank; i++) {
		if (sym_value(&f->in->pool, info->dims[i], &size) && size != a->dims[i])
			return true;
	}
	return false;
}

static void fold_keep(struct folder *f, uint32_t value, const struct array *a)
{
	struct array *kept;

	f->states[value] = FOLD_DONE;
	if (!a || !a->bytes || fold_contradicts(f, value, a))
		return;
	kept = arena_new(&f->arena, struct array);
	*kept = *a;
	f->arrays[value] = kept;
}

static void fold_initializer(struct folder *f, uint32_t value)
{
	uint32_t tensor = f->model->values.at[value].tensor;
	const struct tensor *t = &f->model->tensors.at[tensor];
	struct array a;
	uint64_t count;

	f->states[value] = FOLD_DONE;
	if (!tensor || t->rank_lost || !array_count(t->dims, t->rank, &count) ||
	    !budget_elements(&f->budget, count))
		return;
	if (array_read(f->model, tensor, &f->arena, &a))
		fold_keep(f, value, &a);
}

static void fold_producer(struct folder *f, uint32_t node)
{
	const struct node *n = &f->model->nodes.at[node];
	const struct array **in = must_alloc(((size_t)n->input_count + 1) *
					     sizeof(const struct array *));
	struct array *out = calloc((size_t)n->output_count + 1, sizeof(*out));
	bool ok = true;

	BUG_ON(!out);
	for (uint32_t i = 0; i < n->input_count; i++) {
		in[i] = n->inputs[i] ? f->arrays[n->inputs[i]] : NULL;
		ok = ok && (in[i] || !n->inputs[i]);
	}
	ok = ok && fold_node(f, node, in, out);
	for (uint32_t i = 0; i < n->output_count; i++) {
		uint32_t v = n->outputs[i];

		if (v && f->states[v] != FOLD_VARIES && f->model->values.at[v].producer == node)
			fold_keep(f, v, ok ? &out[i] : NULL);
	}
	free(in);
	free(out);
}

const struct array *fold_value(struct folder *f, uint32_t value)
{
	VEC(uint32_t) stack = {0};

	if (!fold_is_constant(f, value))
		return NULL;
	vec_push(&stack, value);
	while (stack.len) {
		uint32_t v = *vec_last(&stack);
		uint32_t node = f->model->values.at[v].producer;
		const struct node *n = &f->model->nodes.at[node];

		if (f->states[v] == FOLD_CONSTANT && node) {
			f->states[v] = FOLD_WAITS;
			for (uint32_t i = 0; i < n->input_count; i++) {
				if (n->inputs[i] && f->states[n->inputs[i]] == FOLD_CONSTANT)
					vec_push(&stack, n->inputs[i]);
			}
			continue;
		}
		vec_pop(&stack);
		if (f->states[v] == FOLD_CONSTANT)
			fold_initializer(f, v);
		else if (f->states[v] == FOLD_WAITS)
			fold_producer(f, node);
	}
	vec_release(&stack);
	return f->arrays[value];
}
