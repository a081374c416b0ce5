/*
 * Shape arithmetic: what is computed from Shape alone.  Going backwards, a node joins its
 * readers when all of them are in one piece; otherwise it ends a new piece.  So a piece has
 * one result, and folding it never makes a cycle.
 */
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/vec.h"
#include "ir/graph.h"
#include "ir/tensor.h"
#include "layout/scope/internal.h"
#include "ops/property.h"

enum {
	MAX_ELEMENTS = 64
};

struct piecing {
	struct folding *f;     /* borrowed */
	const struct model *m; /* borrowed */
	bool *is_shape;        /* by node index */
	uint32_t *piece;       /* by node index: the index of the piece's last node, plus 1 */
	uint32_t *size;        /* by index of the last node */
};

static uint32_t *pieces_zeros(size_t count)
{
	uint32_t *at = must_alloc((count + 2) * sizeof(*at));

	memset(at, 0, (count + 2) * sizeof(*at));
	return at;
}

/* Constants count as part of the arithmetic unless they are tables: a mask, an embedding. */
static bool is_small_constant(const struct piecing *p, const struct value *v)
{
	const struct node *n = &p->m->nodes.at[v->producer];
	uint32_t tensor = v->tensor;
	uint64_t elements;

	if (!tensor && v->producer && scope_is_constant(p->m, n)) {
		const struct attr *a = node_attr(p->m, n, "value");

		if (!a || a->kind != ATTR_TENSOR)
			return n->input_count == 0;
		tensor = a->tensor;
	}
	return tensor && tensor_elements(&p->m->tensors.at[tensor], &elements) &&
	       elements <= MAX_ELEMENTS;
}

/* Is the value a shape, a small constant, or absent? */
static bool is_shape_value(const struct piecing *p, uint32_t value, bool *any)
{
	const struct value *v = &p->m->values.at[value];
	const struct node *n = &p->m->nodes.at[v->producer];

	if (!value || is_small_constant(p, v))
		return true;
	if (!v->producer || n->graph != p->f->s->graph || !p->is_shape[n->index])
		return false;
	return *any = true;
}

/* Is the value the shape of a value that is a shape itself? */
static bool is_shape_of_shape(const struct piecing *p, uint32_t value)
{
	const struct node *n = &p->m->nodes.at[p->m->values.at[value].producer];
	bool any = false;

	return n->graph == p->f->s->graph && op_shapes(p->m, n) == OP_SHAPES_START &&
	       n->input_count == 1 && is_shape_value(p, n->inputs[0], &any) && any;
}

static bool computes_shape(const struct piecing *p, const struct node *n)
{
	bool any = false;

	switch (op_shapes(p->m, n)) {
	case OP_SHAPES_START:
		return true;
	case OP_SHAPES_KEEP:
		for (uint32_t i = 0; i < n->input_count; i++) {
			if (!is_shape_value(p, n->inputs[i], &any))
				return false;
		}
		return any;
	case OP_SHAPES_FILL:
		return n->input_count == 1 && is_shape_of_shape(p, n->inputs[0]);
	case OP_SHAPES_NONE:
	case OP_SHAPES_COUNT:
		break;
	}
	return false;
}

/* The piece that contains all readers, if they are in the same scope; else 0. */
static uint32_t piece_of_readers(const struct piecing *p, const struct node *n)
{
	const uint32_t *of_node = p->f->s->of_node;
	uint32_t piece = 0, count;

	for (uint32_t i = 0; i < n->output_count; i++) {
		const struct reader *r = model_readers(p->m, n->outputs[i], &count);

		for (uint32_t k = 0; k < count; k++) {
			const struct node *reader = &p->m->nodes.at[r[k].node];
			uint32_t other;

			if (!r[k].node || r[k].graph != p->f->s->graph ||
			    !p->is_shape[reader->index] ||
			    of_node[reader->index] != of_node[n->index])
				return 0;
			other = p->piece[reader->index];
			if (!other || (piece && piece != other))
				return 0;
			piece = other;
		}
	}
	return piece;
}

static void find_pieces(struct piecing *p)
{
	const struct graph *g = p->f->graph;

	for (size_t i = 0; i < g->order.len; i++) {
		const struct node *n = &p->m->nodes.at[g->order.at[i]];

		p->is_shape[n->index] = computes_shape(p, n);
	}
	for (size_t i = g->order.len; i-- > 0;) {
		const struct node *n = &p->m->nodes.at[g->order.at[i]];
		uint32_t piece;

		if (!p->is_shape[n->index])
			continue;
		piece = piece_of_readers(p, n);
		p->piece[n->index] = piece ? piece : n->index + 1;
		p->size[p->piece[n->index]]++;
	}
}

/* A single node needs no scope. */
static void make_scopes(struct piecing *p)
{
	struct folding *f = p->f;
	uint32_t *made = pieces_zeros(f->graph->nodes.len);

	for (uint32_t i = 0; i < f->graph->nodes.len; i++) {
		uint32_t last = p->piece[i];

		if (!last || p->size[last] < 2)
			continue;
		if (!made[last]) {
			made[last] = (uint32_t)f->scopes.len;
			vec_push(&f->scopes,
				 ((struct scope){.kind = SCOPE_SHAPES,
						 .parent = f->s->of_node[i],
						 .node = f->graph->nodes.at[last - 1]}));
		}
		f->s->of_node[i] = made[last];
	}
	free(made);
}

void folding_shapes(struct folding *f)
{
	size_t count = f->graph->nodes.len;
	struct piecing p = {.f = f, .m = f->s->model};

	p.is_shape = must_alloc(count + 1);
	memset(p.is_shape, 0, count + 1);
	p.piece = pieces_zeros(count);
	p.size = pieces_zeros(count);
	find_pieces(&p);
	make_scopes(&p);
	free(p.is_shape);
	free(p.piece);
	free(p.size);
}
