#include "edit/change.h"

#include <string.h>

#include "base/arena.h"
#include "base/bug.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "ir/build.h"
#include "ir/graph.h"
#include "ir/tensor.h"
#include "ir/type.h"
#include "ops/property.h"

/* An empty array may be NULL, which memcpy does not allow. */
static void change_copy(void *to, const void *from, size_t size)
{
	if (size)
		memcpy(to, from, size);
}

static struct change *change_add(struct change_log *log, enum change_kind kind, uint32_t id)
{
	struct change *c = vec_add(&log->list);

	c->kind = kind;
	c->id = id;
	log->structural |= kind != CHANGE_DIM && kind != CHANGE_CLAIM;
	return c;
}

/* ---- apply and revert ---- */

static void set_parts(struct node *n, const struct node_parts *p)
{
	n->inputs = p->inputs;
	n->attrs = p->attrs;
	n->input_count = p->input_count;
	n->attr_count = p->attr_count;
}

static void list_node(struct model *m, const struct change *c, bool there)
{
	if (there)
		node_list(m, c->id, c->index);
	else
		node_unlist(m, c->id);
}

static void change_perform(const struct change *c, struct model *m, bool forward)
{
	switch (c->kind) {
	case CHANGE_DIM:
		*c->dim = forward ? c->dim_after : c->dim_before;
		break;
	case CHANGE_CLAIM:
		m->claims.at[c->id].type = forward ? c->type_after : c->type_before;
		break;
	case CHANGE_NODE:
		set_parts(&m->nodes.at[c->id], forward ? &c->parts_after : &c->parts_before);
		break;
	case CHANGE_TENSOR:
		m->tensors.at[c->id] = forward ? c->tensor_after : c->tensor_before;
		break;
	case CHANGE_INSERT:
		list_node(m, c, forward);
		break;
	case CHANGE_REMOVE:
		list_node(m, c, !forward);
		break;
	case CHANGE_DROP:
		if (forward)
			(void)initializer_unlist(m, c->id);
		else
			initializer_list(m, c->id, c->index);
		break;
	case CHANGE_KIND_COUNT:
		break;
	}
}

void changes_revert(struct change_log *log, struct model *m)
{
	for (size_t i = log->list.len; i-- > 0;)
		change_perform(&log->list.at[i], m, false);
}

void changes_revert_to(struct change_log *log, struct model *m, size_t mark)
{
	while (log->list.len > mark) {
		change_perform(vec_last(&log->list), m, false);
		vec_pop(&log->list);
	}
}

void changes_replay(struct change_log *log, struct model *m)
{
	for (size_t i = 0; i < log->list.len; i++)
		change_perform(&log->list.at[i], m, true);
}

void changes_settle(const struct change_log *log, struct model *m)
{
	if (log->structural)
		model_index(m);
}

void changes_release(struct change_log *log)
{
	vec_release(&log->list);
}

/* ---- claims ---- */

bool dim_same(const struct dim *a, const struct dim *b)
{
	return a->kind == b->kind && (a->kind != DIM_VALUE || a->value == b->value) &&
	       (a->kind != DIM_PARAM || a->param == b->param);
}

bool type_same(const struct type *a, const struct type *b)
{
	return a->kind == b->kind && a->has_shape == b->has_shape && a->dims == b->dims &&
	       a->inner == b->inner;
}

void change_dim(struct change_log *log, struct dim *dim, struct dim to)
{
	struct change *c;

	if (dim_same(dim, &to))
		return;
	to.denotation = dim->denotation;
	to.origin = dim->origin;
	c = change_add(log, CHANGE_DIM, 0);
	c->dim = dim;
	c->dim_before = *dim;
	c->dim_after = to;
	*dim = to;
}

void change_claim_type(struct change_log *log, struct model *m, uint32_t claim, struct type to)
{
	struct change *c = change_add(log, CHANGE_CLAIM, claim);

	c->type_before = m->claims.at[claim].type;
	c->type_after = to;
	m->claims.at[claim].type = to;
}

/* ---- nodes ---- */

static struct node_parts parts_of(const struct node *n)
{
	return (struct node_parts){n->inputs, n->attrs, n->input_count, n->attr_count};
}

static void change_parts(struct change_log *log, struct model *m, uint32_t node,
			 struct node_parts to)
{
	struct change *c = change_add(log, CHANGE_NODE, node);

	c->parts_before = parts_of(&m->nodes.at[node]);
	c->parts_after = to;
	set_parts(&m->nodes.at[node], &to);
}

void change_input(struct change_log *log, struct model *m, uint32_t node, uint32_t port,
		  uint32_t value)
{
	struct node_parts to = parts_of(&m->nodes.at[node]);
	uint32_t *inputs = arena_array(&m->arena, MAX(to.input_count, port + 1), uint32_t);

	change_copy(inputs, to.inputs, to.input_count * sizeof(*inputs));
	inputs[port] = value;
	to.inputs = inputs;
	to.input_count = MAX(to.input_count, port + 1);
	/* Trailing absent inputs are dropped. */
	while (to.input_count && inputs[to.input_count - 1] == 0)
		to.input_count--;
	change_parts(log, m, node, to);
}

static uint32_t attr_place(const struct node_parts *p, uint32_t name)
{
	uint32_t i = 0;

	while (i < p->attr_count && p->attrs[i].name != name)
		i++;
	return i;
}

void change_attr(struct change_log *log, struct model *m, uint32_t node, const struct attr *to)
{
	struct node_parts p = parts_of(&m->nodes.at[node]);
	uint32_t place = attr_place(&p, to->name);
	struct attr *attrs = arena_array(&m->arena, p.attr_count + 1, struct attr);
	uint32_t origin = place < p.attr_count ? p.attrs[place].origin : 0;

	change_copy(attrs, p.attrs, p.attr_count * sizeof(*attrs));
	attrs[place] = *to;
	attrs[place].origin = origin;
	p.attrs = attrs;
	p.attr_count = MAX(p.attr_count, place + 1);
	change_parts(log, m, node, p);
}

void change_attr_remove(struct change_log *log, struct model *m, uint32_t node, const char *name)
{
	struct node_parts p = parts_of(&m->nodes.at[node]);
	uint32_t place = attr_place(&p, model_intern(m, sv_of(name)));
	struct attr *attrs;

	if (place == p.attr_count)
		return;
	attrs = arena_array(&m->arena, p.attr_count, struct attr);
	change_copy(attrs, p.attrs, place * sizeof(*attrs));
	change_copy(attrs + place, p.attrs + place + 1,
		    (p.attr_count - place - 1) * sizeof(*attrs));
	p.attrs = attrs;
	p.attr_count--;
	change_parts(log, m, node, p);
}

/* ---- data in memory ---- */

static struct data data_of(struct model *m, const void *bytes, size_t len, enum chunk_coding coding)
{
	struct chunk *chunk = arena_new(&m->arena, struct chunk);
	struct sv copy = arena_copy(&m->arena, (struct sv){bytes, len});

	*chunk = (struct chunk){
		.place = CHUNK_MEMORY, .coding = coding, .memory = copy.at, .len = len};
	return (struct data){.chunks = chunk, .count = 1};
}

/* Little-endian elements of 4 or 8 bytes. */
static struct data raw_ints(struct model *m, const int64_t *numbers, uint32_t count, unsigned size)
{
	struct str bytes = {0};
	struct data d;

	for (uint32_t i = 0; i < count; i++) {
		for (unsigned byte = 0; byte < size; byte++)
			str_char(&bytes, (char)((uint64_t)numbers[i] >> (8 * byte)));
	}
	d = data_of(m, str_c(&bytes), bytes.len, CODING_RAW);
	str_release(&bytes);
	return d;
}

struct attr attr_of_int(struct model *m, const char *name, int64_t value)
{
	return (struct attr){
		.name = model_intern(m, sv_of(name)), .kind = ATTR_INT, .count = 1, .i = value};
}

struct attr attr_of_ints(struct model *m, const char *name, const int64_t *values, uint32_t count)
{
	struct attr a = {.name = model_intern(m, sv_of(name)), .kind = ATTR_INTS, .count = count};

	a.list = data_of(m, values, count * sizeof(*values), CODING_WORDS);
	a.list.field = ELEM_FIELD_INT64;
	return a;
}

static uint32_t int_tensor(struct model *m, const int64_t *numbers, uint32_t count, bool scalar)
{
	uint32_t id = tensor_new(m);
	int64_t *dims = arena_array(&m->arena, 1, int64_t);
	struct tensor t = {.elem = ELEM_INT64, .rank = !scalar, .dims = dims};

	dims[0] = count;
	t.data = raw_ints(m, numbers, count, sizeof(*numbers));
	m->tensors.at[id] = t;
	return id;
}

/* ---- constants ---- */

static void change_tensor(struct change_log *log, struct model *m, uint32_t tensor,
			  const int64_t *numbers, uint32_t count)
{
	struct tensor to = m->tensors.at[tensor];
	unsigned size = to.elem == ELEM_INT32 ? 4 : 8;
	struct change *c = change_add(log, CHANGE_TENSOR, tensor);

	c->tensor_before = to;
	to.external = NULL;
	to.data = raw_ints(m, numbers, count, size);
	if (to.rank == 1 && to.dims[0] != (int64_t)count) {
		to.dims = arena_array(&m->arena, 1, int64_t);
		to.dims[0] = count;
	}
	c->tensor_after = to;
	m->tensors.at[tensor] = to;
}

static bool is_int_tensor(const struct model *m, uint32_t tensor)
{
	const struct tensor *t = &m->tensors.at[tensor];

	return tensor && !t->rank_lost && t->rank <= 1 &&
	       (t->elem == ELEM_INT64 || t->elem == ELEM_INT32);
}

bool change_constant(struct change_log *log, struct model *m, uint32_t value,
		     const int64_t *numbers, uint32_t count)
{
	uint32_t tensor = m->values.at[value].tensor, node = m->values.at[value].producer;
	const struct node *n = &m->nodes.at[node];
	const struct attr *a;
	struct attr list;

	if (tensor || !node || !op_is_constant(m, n)) {
		if (!is_int_tensor(m, tensor))
			return false;
		change_tensor(log, m, tensor, numbers, count);
		return true;
	}
	a = node_attr(m, n, "value");
	if (a && a->kind == ATTR_TENSOR && !a->ref && is_int_tensor(m, a->tensor)) {
		change_tensor(log, m, a->tensor, numbers, count);
		return true;
	}
	a = node_attr(m, n, "value_ints");
	if (!a || a->ref)
		return false;
	list = attr_of_ints(m, "value_ints", numbers, count);
	change_attr(log, m, node, &list);
	return true;
}

/* ---- insert and remove nodes ---- */

/* A name that is free in every graph, so that it neither hides another nor is hidden. */
static uint32_t free_name(struct model *m, struct sv wanted)
{
	struct str name = {0};
	uint32_t id, number = 0;
	bool taken = true;

	str_add(&name, wanted);
	do {
		id = intern_find(&m->names, str_sv(&name));
		taken = false;
		for (uint32_t g = 0; id && !taken && g < m->graphs.len; g++) {
			uint32_t *value = map_find(&m->by_name, (uint64_t)g << 32 | id);

			taken = value && *value && !(m->values.at[*value].flags & VALUE_DEAD);
		}
		if (taken) {
			str_clear(&name);
			str_add(&name, wanted);
			str_format(&name, "_%u", ++number);
		}
	} while (taken);
	id = model_intern(m, str_sv(&name));
	str_release(&name);
	return id;
}

static void define_outputs(struct model *m, uint32_t node, const struct new_node *wanted)
{
	uint32_t graph = m->nodes.at[node].graph;
	uint32_t *outputs = arena_array(&m->arena, wanted->output_count, uint32_t);

	for (uint32_t i = 0; i < wanted->output_count; i++)
		outputs[i] = value_define(m, graph, free_name(m, wanted->name), node, i, 0);
	m->nodes.at[node].outputs = outputs;
	m->nodes.at[node].output_count = wanted->output_count;
	m->nodes.at[node].name = m->values.at[outputs[0]].name;
}

uint32_t change_insert(struct change_log *log, struct model *m, uint32_t before,
		       const struct new_node *wanted)
{
	uint32_t graph = m->nodes.at[before].graph;
	uint32_t id = node_new(m, graph);
	struct node *n = &m->nodes.at[id];
	struct change *c;

	BUG_ON(wanted->output_count == 0);
	n->op = model_intern(m, sv_of(wanted->op));
	n->inputs = arena_array(&m->arena, wanted->input_count, uint32_t);
	change_copy(n->inputs, wanted->inputs, wanted->input_count * sizeof(*n->inputs));
	n->input_count = wanted->input_count;
	n->attrs = arena_array(&m->arena, wanted->attr_count, struct attr);
	change_copy(n->attrs, wanted->attrs, wanted->attr_count * sizeof(*n->attrs));
	n->attr_count = wanted->attr_count;
	define_outputs(m, id, wanted);
	/* node_new appends; move it right before its reader. */
	node_unlist(m, id);
	c = change_add(log, CHANGE_INSERT, id);
	c->index = m->nodes.at[before].index;
	node_list(m, id, c->index);
	return id;
}

static uint32_t insert_constant(struct change_log *log, struct model *m, uint32_t before,
				struct sv name, uint32_t tensor)
{
	struct attr value = {.name = model_intern(m, SV("value")),
			     .kind = ATTR_TENSOR,
			     .count = 1,
			     .tensor = tensor};
	struct new_node n = {.op = "Constant",
			     .name = name,
			     .output_count = 1,
			     .attrs = &value,
			     .attr_count = 1};
	uint32_t node = change_insert(log, m, before, &n);

	return m->nodes.at[node].outputs[0];
}

uint32_t change_insert_constant(struct change_log *log, struct model *m, uint32_t before,
				struct sv name, const int64_t *numbers, uint32_t count, bool scalar)
{
	return insert_constant(log, m, before, name, int_tensor(m, numbers, count, scalar));
}

uint32_t change_insert_tensor(struct change_log *log, struct model *m, uint32_t before,
			      struct sv name, const struct tensor_parts *parts)
{
	uint32_t id = tensor_new(m);
	int64_t *dims = arena_array(&m->arena, parts->rank, int64_t);
	struct tensor t = {.elem = parts->elem, .rank = parts->rank, .dims = dims};

	change_copy(dims, parts->dims, parts->rank * sizeof(*dims));
	t.data = data_of(m, parts->bytes, parts->len, CODING_RAW);
	m->tensors.at[id] = t;
	return insert_constant(log, m, before, name, id);
}

static bool change_is_read(const struct model *m, uint32_t value)
{
	uint32_t count;

	(void)model_readers(m, value, &count);
	return count != 0;
}

static void drop_claims(struct change_log *log, struct model *m, uint32_t value)
{
	for (uint32_t c = m->values.at[value].first_claim; c; c = m->claims.at[c].next)
		change_claim_type(log, m, c, (struct type){0});
}

void change_drop_unread(struct change_log *log, struct model *m, uint32_t value)
{
	const struct value *v = &m->values.at[value];
	const struct node *n = &m->nodes.at[v->producer];
	struct change *c;

	if (change_is_read(m, value) || v->flags & (VALUE_INPUT | VALUE_OUTPUT | VALUE_DEAD))
		return;
	if (v->tensor) {
		c = change_add(log, CHANGE_DROP, value);
		c->index = initializer_unlist(m, value);
	} else if (v->producer && n->output_count == 1 && op_is_constant(m, n)) {
		c = change_add(log, CHANGE_REMOVE, v->producer);
		c->index = n->index;
		node_unlist(m, v->producer);
	} else {
		return;
	}
	drop_claims(log, m, value);
}
