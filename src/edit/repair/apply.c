#include "edit/repair/apply.h"

#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/str.h"
#include "base/sv.h"
#include "edit/change.h"
#include "flow/array.h"
#include "flow/plan.h"
#include "ir/build.h"
#include "ir/graph.h"
#include "ir/type.h"
#include "ops/property.h"

static void *must_zero(size_t count, size_t size)
{
	void *at = must_alloc(count * size);

	memset(at, 0, count * size);
	return at;
}

struct applying {
	const struct plan *plan;
	struct model *model;
	struct change_log *log;
	uint32_t *values; /* owned; by node of the plan: its value, 0 until it is made */
	bool *used;       /* owned; by node of the plan */
	uint32_t *shared; /* owned; by node of the plan: its readers */
	bool *placed;     /* owned; by input of the plan: changed in place */
};

static void mark_used(struct applying *a, plan_ref ref)
{
	if (ref & PLAN_MADE)
		a->used[ref & ~PLAN_MADE] = true;
}

/* Inputs come before their readers, so one walk back finds all. */
static void find_used(struct applying *a)
{
	const struct plan *p = a->plan;

	for (size_t i = 0; i < p->inputs.len; i++) {
		if (!a->placed[i])
			mark_used(a, p->inputs.at[i].ref);
	}
	for (size_t i = p->nodes.len; i-- > 0;) {
		for (uint32_t k = 0; a->used[i] && k < p->nodes.at[i].input_count; k++)
			mark_used(a, p->nodes.at[i].inputs[k]);
	}
}

/* How often each made node is read. */
static void count_uses(struct applying *a)
{
	const struct plan *p = a->plan;

	for (size_t i = 0; i < p->inputs.len; i++) {
		if (p->inputs.at[i].ref & PLAN_MADE)
			a->shared[p->inputs.at[i].ref & ~PLAN_MADE]++;
	}
	for (size_t i = 0; i < p->nodes.len; i++) {
		for (uint32_t k = 0; k < p->nodes.at[i].input_count; k++) {
			if (p->nodes.at[i].inputs[k] & PLAN_MADE)
				a->shared[p->nodes.at[i].inputs[k] & ~PLAN_MADE]++;
		}
	}
}

/* The element type of an initializer or of a Constant node; 0 for none. */
static int32_t constant_elem(const struct model *m, uint32_t value)
{
	uint32_t tensor = value_constant(m, value);

	return tensor && value_is_constant(m, value) ? m->tensors.at[tensor].elem : ELEM_UNDEFINED;
}

static uint32_t value_of(const struct applying *a, plan_ref ref)
{
	return ref & PLAN_MADE ? a->values[ref & ~PLAN_MADE] : ref;
}

/* Named after the node that it is made for. */
static void made_name(const struct applying *a, const struct plan_node *made, struct str *out)
{
	const struct node *n = &a->model->nodes.at[made->before];
	uint32_t name = n->name;

	if (!name && n->output_count)
		name = a->model->values.at[n->outputs[0]].name;
	str_add(out, model_cut_name(a->model, name ? name : n->op));
	str_format(out, "/%s", made->op);
}

static uint32_t make_constant(struct applying *a, const struct plan_node *made, struct sv name)
{
	const struct array *array = &made->array;
	struct tensor_parts parts = {
		.elem = array->elem,
		.rank = array->rank,
		.dims = array->dims,
		.bytes = array->bytes,
		.len = array->count * array_width(array->elem),
	};

	return change_insert_tensor(a->log, a->model, made->before, name, &parts);
}

static uint32_t make_node(struct applying *a, const struct plan_node *made, struct sv name)
{
	uint32_t *inputs = must_alloc((made->input_count + 1) * sizeof(*inputs));
	struct attr attrs[PLAN_MAX_ATTRS];
	struct new_node wanted = {.op = made->op,
				  .name = name,
				  .inputs = inputs,
				  .input_count = made->input_count,
				  .output_count = 1,
				  .attrs = attrs,
				  .attr_count = made->attr_count};
	uint32_t node;

	for (uint32_t i = 0; i < made->input_count; i++)
		inputs[i] = value_of(a, made->inputs[i]);
	for (uint32_t i = 0; i < made->attr_count; i++)
		attrs[i] = attr_of_int(a->model, made->attrs[i].name, made->attrs[i].value);
	node = change_insert(a->log, a->model, made->before, &wanted);
	free(inputs);
	return a->model->nodes.at[node].outputs[0];
}

static void make_used(struct applying *a)
{
	for (size_t i = 0; i < a->plan->nodes.len; i++) {
		const struct plan_node *made = &a->plan->nodes.at[i];
		struct str name = {0};

		if (!a->used[i])
			continue;
		made_name(a, made, &name);
		a->values[i] = made->is_constant ? make_constant(a, made, str_sv(&name))
						 : make_node(a, made, str_sv(&name));
		str_release(&name);
	}
}

/* A list of numbers that nothing else reads is changed where it is. */
static bool change_in_place(struct applying *a, const struct plan_input *in)
{
	const struct plan_node *made = in->ref & PLAN_MADE
					       ? &a->plan->nodes.at[in->ref & ~PLAN_MADE]
					       : NULL;
	uint32_t old = a->model->nodes.at[in->node].inputs[in->port], readers;
	const struct array *array;
	int64_t *numbers;
	bool ok = true;

	if (!made || !made->is_constant || a->shared[in->ref & ~PLAN_MADE] != 1)
		return false;
	array = &made->array;
	(void)model_readers(a->model, old, &readers);
	if (readers != 1 || array->elem != ELEM_INT64 || array->rank != 1 ||
	    a->model->values.at[old].flags & VALUE_OUTPUT ||
	    constant_elem(a->model, old) != ELEM_INT64)
		return false;
	numbers = must_alloc((array->count + 1) * sizeof(*numbers));
	for (uint64_t i = 0; ok && i < array->count; i++)
		ok = array_int(array, i, &numbers[i]);
	ok = ok && change_constant(a->log, a->model, old, numbers, (uint32_t)array->count);
	free(numbers);
	return ok;
}

void plan_apply(const struct plan *p, struct model *m, struct change_log *log)
{
	struct applying a = {.plan = p, .model = m, .log = log};

	a.values = must_zero(p->nodes.len + 1, sizeof(*a.values));
	a.used = must_zero(p->nodes.len + 1, sizeof(*a.used));
	a.shared = must_zero(p->nodes.len + 1, sizeof(*a.shared));
	a.placed = must_zero(p->inputs.len + 1, sizeof(*a.placed));
	model_index(m);
	count_uses(&a);
	for (size_t i = 0; i < p->inputs.len; i++)
		a.placed[i] = change_in_place(&a, &p->inputs.at[i]);
	find_used(&a);
	make_used(&a);
	for (size_t i = 0; i < p->inputs.len; i++) {
		if (!a.placed[i])
			change_input(log, m, p->inputs.at[i].node, p->inputs.at[i].port,
				     value_of(&a, p->inputs.at[i].ref));
	}
	for (size_t i = 0; i < p->lists.len; i++) {
		const struct plan_numbers *l = &p->lists.at[i];
		struct attr attr = attr_of_ints(m, l->attr, l->numbers, l->count);

		change_attr(log, m, l->node, &attr);
	}
	for (size_t i = 0; i < p->removals.len; i++)
		change_attr_remove(log, m, p->removals.at[i].node, p->removals.at[i].attr);
	free(a.values);
	free(a.used);
	free(a.shared);
	free(a.placed);
}
