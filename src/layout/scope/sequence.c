/*
 * The nodes in no scope but the base, in the order of the dataflow, and how many tensors are
 * between them. Sizes, and what all of a model reads, would blur that: shape arithmetic does not
 * count.
 */
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/map.h"
#include "ir/element.h"
#include "ir/graph.h"
#include "ir/hash.h"
#include "ir/tensor.h"
#include "ir/type.h"
#include "layout/scope/blocks.h"
#include "layout/scope/internal.h"
#include "layout/scope/scope.h"
#include "ops/property.h"

enum {
	MOST_STRIDES = 8,
	NEAR = 24, /* nodes to a reader that is part of the same */
	/* A tensor that so many read, the last of them so far away, is a mask, say. */
	READ_BY_ALL = 4,
	FAR = 64
};

static const struct node *sequence_node_at(const struct sequence *q, uint32_t i)
{
	const struct folding *f = q->f;

	return &f->s->model->nodes.at[f->graph->nodes.at[q->index[i]]];
}

/* Is it in the sequence: itself, or for shape arithmetic or a fan? */
static bool stands_in(const struct folding *f, const struct node *n)
{
	uint32_t scope = f->s->of_node[n->index];
	const struct scope *at = &f->scopes.at[scope];

	if (at->kind == SCOPE_SHAPES || at->kind == SCOPE_FAN)
		return at->parent == f->base && f->graph->nodes.at[n->index] == at->node;
	return scope == f->base && !scope_is_constant(f->s->model, n);
}

/* Is one of a few whole numbers more than 1?  Takes over the reader. */
static bool strides_read(struct tensor_reader *r)
{
	struct scalar at[MOST_STRIDES];
	struct err err = {0};
	bool found = false;
	size_t got;

	if (tensor_reader_next(r, at, MOST_STRIDES, &got, &err)) {
		for (size_t i = 0; i < got; i++)
			found |= at[i].class == ELEM_CLASS_SIGNED && at[i].i > 1;
	}
	tensor_reader_release(r);
	return found;
}

static bool has_strides(const struct model *m, const struct node *n)
{
	const struct attr *a = node_attr(m, n, "strides");
	struct tensor_reader r;

	if (!a || a->kind != ATTR_INTS || a->count > MOST_STRIDES || !data_in_memory(&a->list))
		return false;
	tensor_reader_list(&r, &m->bytes, &a->list, ELEM_INT64);
	return strides_read(&r);
}

/* As where a Swin merges patches. */
static bool has_steps(const struct model *m, const struct node *n)
{
	uint32_t tensor = n->input_count > 4 ? value_constant(m, n->inputs[4]) : 0;
	const struct tensor *t = &m->tensors.at[tensor];
	struct tensor_reader r;
	struct err err = {0};
	uint64_t elements;

	return tensor && tensor_elements(t, &elements) && elements <= MOST_STRIDES &&
	       data_in_memory(&t->data) && tensor_reader_init(&r, &m->bytes, t, &err) &&
	       strides_read(&r);
}

static bool is_resizing(const struct model *m, const struct node *n)
{
	switch (op_flow(m, n)) {
	case OP_FLOW_CONV:
	case OP_FLOW_POOL:
		return has_strides(m, n);
	case OP_FLOW_SLICE:
		return has_steps(m, n);
	case OP_FLOW_GLOBAL_POOL:
	case OP_FLOW_RESIZE:
	case OP_FLOW_DEPTH_TO_SPACE:
	case OP_FLOW_SPACE_TO_DEPTH:
		return true;
	default:
		return false;
	}
}

/* Pooling; not a mean, which a normalisation begins with. */
static bool is_leading(const struct model *m, const struct node *n)
{
	enum op_kind kind = op_kind(m, n);
	enum op_flow flow = op_flow(m, n);

	return kind == OP_KIND_PRODUCT || kind == OP_KIND_CONTROL || flow == OP_FLOW_POOL ||
	       flow == OP_FLOW_GLOBAL_POOL;
}

static uint8_t traits_of(const struct model *m, const struct node *n, bool aside)
{
	enum op_kind kind = op_kind(m, n);
	uint8_t traits = is_resizing(m, n) ? BLOCK_RESIZES : 0;

	if (aside || op_shapes(m, n) == OP_SHAPES_START)
		return BLOCK_ASIDE;
	if (is_leading(m, n))
		traits |= BLOCK_LEADS;
	if (kind == OP_KIND_LAYOUT || kind == OP_KIND_MOVE)
		traits |= BLOCK_PREPARES;
	return traits;
}

static uint64_t mark_of(const struct model *m, const struct node *n)
{
	uint64_t mark = hash_u64((uint64_t)n->op << 32 | n->domain, n->input_count);

	for (uint32_t i = 0; i < n->attr_count; i++)
		mark = attr_hash(m, &n->attrs[i], false, hash_u64(n->attrs[i].name, mark));
	return mark;
}

static void sequence_fill(struct sequence *q)
{
	const struct folding *f = q->f;
	const struct model *m = f->s->model;
	bool begins = false;

	for (size_t i = 0; i < f->graph->order.len; i++) {
		const struct node *n = &m->nodes.at[f->graph->order.at[i]];
		const struct scope *own = &f->scopes.at[f->s->of_node[n->index]];

		if (!stands_in(f, n)) {
			if (own->kind == SCOPE_FAN && own->parent == f->base) {
				q->at[n->index] = q->at[m->nodes.at[own->node].index];
				q->nodes[q->at[n->index] - 1]++;
			}
			begins |= own->kind == SCOPE_NAME && f->s->of_node[n->index] != f->base;
			continue;
		}
		q->nodes[q->count] = 1;
		q->traits[q->count] = traits_of(m, n, own->kind == SCOPE_SHAPES);
		q->traits[q->count] |= begins ? BLOCK_BEGINS : 0;
		begins = false;
		q->mark[q->count] = mark_of(m, n);
		q->index[q->count++] = n->index;
		q->at[n->index] = q->count;
	}
}

/* How tensors are read. */
struct reads {
	uint32_t first, last; /* positions */
	uint32_t count;
};

static void sequence_add_reads(const struct sequence *q, uint32_t value, struct reads *out)
{
	const struct model *m = q->f->s->model;
	uint32_t count;
	const struct reader *r = model_readers(m, value, &count);

	for (uint32_t i = 0; i < count; i++) {
		const struct node *reader = &m->nodes.at[r[i].node];
		bool here = r[i].node && reader->graph == q->f->s->graph;
		uint32_t at = here ? q->at[reader->index] : 0;

		if (!at || q->traits[at - 1] & BLOCK_ASIDE)
			continue;
		out->first = MIN(out->first, at - 1);
		out->last = MAX(out->last, at - 1);
		out->count++;
	}
}

static void count_across(struct sequence *q, const struct reads *r)
{
	if (r->count >= READ_BY_ALL && r->last > r->first + FAR)
		return;
	q->across[r->first + 1]++;
	q->across[r->last + 1]--;
}

/* Is the input of a squeeze-and-excitation, say, read again soon, beside it? */
static bool is_read_again(const struct sequence *q, uint32_t i, const uint32_t *last)
{
	const struct model *m = q->f->s->model;
	const struct node *n = sequence_node_at(q, i);

	for (uint32_t k = 0; k < n->input_count; k++) {
		uint32_t maker = m->values.at[n->inputs[k]].producer, at;

		if (!maker || m->nodes.at[maker].graph != q->f->s->graph)
			continue;
		at = q->at[m->nodes.at[maker].index];
		if (at && last[at - 1] > i && last[at - 1] <= i + NEAR)
			return true;
	}
	return false;
}

/* Is it made outside the sequence: an input, or in a scope? */
static bool sequence_is_outer(const struct sequence *q, uint32_t value)
{
	const struct model *m = q->f->s->model;
	const struct value *v = &m->values.at[value];
	const struct node *n = &m->nodes.at[v->producer];

	if (!value || v->tensor || v->sparse)
		return false;
	return !v->producer || n->graph != q->f->s->graph ||
	       (!q->at[n->index] && !scope_is_constant(m, n));
}

static void count_outer(struct sequence *q)
{
	struct map counted = {0};

	for (uint32_t i = 0; i < q->count; i++) {
		const struct node *n = sequence_node_at(q, i);

		for (uint32_t k = 0; k < n->input_count; k++) {
			struct reads reads = {.first = UINT32_MAX};
			uint32_t *known;

			if (!sequence_is_outer(q, n->inputs[k]))
				continue;
			known = map_at(&counted, n->inputs[k]);
			if ((*known)++)
				continue;
			sequence_add_reads(q, n->inputs[k], &reads);
			if (reads.count)
				count_across(q, &reads);
		}
	}
	map_release(&counted);
}

static void sequence_count(struct sequence *q)
{
	uint32_t *last = must_alloc((q->count + 1) * sizeof(*last));

	for (uint32_t i = 0; i < q->count; i++) {
		const struct node *n = sequence_node_at(q, i);
		struct reads reads = {.first = i, .last = i};

		for (uint32_t k = 0; k < n->output_count; k++)
			sequence_add_reads(q, n->outputs[k], &reads);
		last[i] = reads.last;
		if (!(q->traits[i] & BLOCK_ASIDE))
			count_across(q, &reads);
	}
	count_outer(q);
	for (uint32_t i = 1; i <= q->count; i++)
		q->across[i] += q->across[i - 1];
	for (uint32_t i = 0; i < q->count; i++) {
		if (q->traits[i] & BLOCK_RESIZES && is_read_again(q, i, last))
			q->traits[i] &= (uint8_t)~BLOCK_RESIZES;
	}
	free(last);
}

void sequence_make(struct sequence *q, struct folding *f)
{
	size_t nodes = f->graph->nodes.len + 2;

	*q = (struct sequence){.f = f};
	q->index = must_alloc(nodes * sizeof(*q->index));
	q->at = must_alloc(nodes * sizeof(*q->at));
	q->across = must_alloc(nodes * sizeof(*q->across));
	q->nodes = must_alloc(nodes * sizeof(*q->nodes));
	q->traits = must_alloc(nodes);
	q->mark = must_alloc(nodes * sizeof(*q->mark));
	memset(q->at, 0, nodes * sizeof(*q->at));
	memset(q->across, 0, nodes * sizeof(*q->across));
	sequence_fill(q);
	sequence_count(q);
}

void sequence_release(struct sequence *q)
{
	free(q->index);
	free(q->at);
	free(q->across);
	free(q->nodes);
	free(q->traits);
	free(q->mark);
}
