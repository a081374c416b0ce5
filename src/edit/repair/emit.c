#include "edit/repair/emit.h"

#include "base/str.h"
#include "base/sv.h"
#include "edit/change.h"
#include "ir/graph.h"
#include "ir/type.h"
#include "ops/info.h"
#include "sym/sym.h"

enum {
	MAX_SIZES = 64 /* entries of one shape */
};

void emitter_init(struct emitter *e, struct document *d, struct change_log *log, uint32_t reader)
{
	const struct model *m = &d->wire.model;
	const struct node *n = &m->nodes.at[reader];
	uint32_t name = n->name;

	if (name == 0 && n->output_count)
		name = m->values.at[n->outputs[0]].name;
	*e = (struct emitter){.document = d, .log = log, .reader = reader};
	str_add(&e->name, model_cut_name(m, name ? name : n->op));
}

void emitter_release(struct emitter *e)
{
	str_release(&e->name);
}

int64_t emit_version(const struct emitter *e)
{
	const struct model *m = &e->document->wire.model;

	return model_opset(m, m->nodes.at[e->reader].graph, SV(""));
}

uint32_t emit_node(struct emitter *e, const char *op, const uint32_t *inputs, uint32_t count,
		   const struct attr *attrs, uint32_t attr_count)
{
	struct model *m = &e->document->wire.model;
	struct str name = {0};
	struct new_node n = {
		.op = op,
		.inputs = inputs,
		.input_count = count,
		.output_count = 1,
		.attrs = attrs,
		.attr_count = attr_count,
	};
	uint32_t node;

	str_format(&name, "%s/%s", str_c(&e->name), op);
	n.name = str_sv(&name);
	node = change_insert(e->log, m, e->reader, &n);
	str_release(&name);
	return m->nodes.at[node].outputs[0];
}

static uint32_t emit_constant(struct emitter *e, const int64_t *numbers, uint32_t count,
			      bool scalar)
{
	struct str name = {0};
	uint32_t value;

	str_format(&name, "%s/Constant", str_c(&e->name));
	value = change_insert_constant(e->log, &e->document->wire.model, e->reader, str_sv(&name),
				       numbers, count, scalar);
	str_release(&name);
	return value;
}

uint32_t emit_ints(struct emitter *e, const int64_t *numbers, uint32_t count)
{
	return emit_constant(e, numbers, count, false);
}

/* ---- sources of sizes ---- */

static bool has_dim(const struct document *d, uint32_t value, struct sym size, uint32_t *out_axis)
{
	const struct info *info = &d->infer.infos[value];

	if (value >= d->infer.value_count || info->kind != TYPE_TENSOR || !info->ranked)
		return false;
	for (uint32_t i = 0; i < info->rank; i++) {
		if (sym_same(info->dims[i], size)) {
			*out_axis = i;
			return true;
		}
	}
	return false;
}

/* Searches inputs of the reader's graph and of the enclosing graphs, within a function. */
static uint32_t input_with(const struct emitter *e, struct sym size, uint32_t *out_axis)
{
	const struct model *m = &e->document->wire.model;
	uint32_t graph = m->nodes.at[e->reader].graph;

	for (;;) {
		const struct graph *g = &m->graphs.at[graph];

		for (size_t i = 0; i < g->inputs.len; i++) {
			if (g->inputs.at[i] &&
			    has_dim(e->document, g->inputs.at[i], size, out_axis))
				return g->inputs.at[i];
		}
		if (g->kind != GRAPH_BODY)
			return 0;
		graph = g->parent;
	}
}

uint32_t emit_anchor(const struct emitter *e, struct sym size, uint32_t *out_axis)
{
	const struct model *m = &e->document->wire.model;
	const struct node *n = &m->nodes.at[e->reader];

	for (uint32_t i = 0; i < n->input_count; i++) {
		if (n->inputs[i] && has_dim(e->document, n->inputs[i], size, out_axis))
			return n->inputs[i];
	}
	return input_with(e, size, out_axis);
}

static uint32_t emit_dim_of(struct emitter *e, uint32_t value, uint32_t axis, bool scalar)
{
	int64_t index = axis;
	uint32_t inputs[2] = {emit_node(e, "Shape", &value, 1, NULL, 0)};

	inputs[1] = emit_constant(e, &index, 1, scalar);
	return emit_node(e, "Gather", inputs, 2, NULL, 0);
}

/* ---- arithmetic ---- */

static uint32_t emit_pair(struct emitter *e, const char *op, uint32_t a, uint32_t b)
{
	uint32_t inputs[2] = {a, b};

	return a && b ? emit_node(e, op, inputs, 2, NULL, 0) : 0;
}

static uint32_t emit_number(struct emitter *e, int64_t number, bool scalar)
{
	return emit_constant(e, &number, 1, scalar);
}

static uint32_t emit_product(struct emitter *e, struct sym s, bool scalar)
{
	const struct sym_pool *pool = &e->document->infer.pool;
	uint32_t value = 0;

	for (size_t i = 0; i < sym_part_count(pool, s); i++) {
		struct sym_part part = sym_part(pool, s, i);

		for (int64_t power = 0; power < part.number; power++) {
			uint32_t factor = emit_size(e, part.s, scalar);

			if (!factor)
				return 0;
			value = value ? emit_pair(e, "Mul", value, factor) : factor;
		}
	}
	return value;
}

/* Sums the terms times their coefficients. */
static uint32_t emit_sum(struct emitter *e, struct sym s, bool scalar)
{
	const struct sym_pool *pool = &e->document->infer.pool;
	uint32_t value = 0;
	int64_t constant = 0;

	for (size_t i = 0; i < sym_part_count(pool, s); i++) {
		struct sym_part part = sym_part(pool, s, i);
		uint32_t term;

		if (sym_is(part.s, 1)) {
			constant = part.number;
			continue;
		}
		term = emit_size(e, part.s, scalar);
		if (part.number != 1)
			term = emit_pair(e, "Mul", term, emit_number(e, part.number, scalar));
		if (!term)
			return 0;
		value = value ? emit_pair(e, "Add", value, term) : term;
	}
	return constant ? emit_pair(e, "Add", value, emit_number(e, constant, scalar)) : value;
}

static uint32_t emit_folded(struct emitter *e, const char *op, struct sym s, bool scalar)
{
	const struct sym_pool *pool = &e->document->infer.pool;
	uint32_t value = 0;

	for (size_t i = 0; i < sym_part_count(pool, s); i++) {
		uint32_t operand = emit_size(e, sym_part(pool, s, i).s, scalar);

		if (!operand)
			return 0;
		value = value ? emit_pair(e, op, value, operand) : operand;
	}
	return value;
}

/* Div rounds toward zero, which is down only if nothing is negative. */
static uint32_t emit_quotient(struct emitter *e, struct sym s, bool scalar)
{
	const struct sym_pool *pool = &e->document->infer.pool;
	struct sym up = sym_part(pool, s, 0).s;

	if (sym_range(pool, up).lo < 0)
		return 0;
	return emit_folded(e, "Div", s, scalar);
}

uint32_t emit_size(struct emitter *e, struct sym size, bool scalar)
{
	const struct sym_pool *pool = &e->document->infer.pool;
	uint32_t axis = 0, anchor;
	int64_t number;

	if (sym_value(pool, size, &number))
		return emit_number(e, number, scalar);
	anchor = emit_anchor(e, size, &axis);
	if (anchor)
		return emit_dim_of(e, anchor, axis, scalar);
	switch (sym_kind(pool, size)) {
	case SYM_KIND_PRODUCT:
		return emit_product(e, size, scalar);
	case SYM_KIND_SUM:
		return emit_sum(e, size, scalar);
	case SYM_KIND_FLOOR:
		return emit_quotient(e, size, scalar);
	case SYM_KIND_MAX:
		return emit_version(e) >= 12 ? emit_folded(e, "Max", size, scalar) : 0;
	case SYM_KIND_MIN:
		return emit_version(e) >= 12 ? emit_folded(e, "Min", size, scalar) : 0;
	default: /* other kinds take more than a few nodes */
		return 0;
	}
}

/* Adjacent constants are one piece. */
uint32_t emit_sizes(struct emitter *e, const struct sym *sizes, uint32_t count)
{
	const struct sym_pool *pool = &e->document->infer.pool;
	struct attr axis = attr_of_int(&e->document->wire.model, "axis", 0);
	uint32_t pieces[MAX_SIZES], piece_count = 0;
	int64_t numbers[MAX_SIZES];

	if (count > MAX_SIZES)
		return 0;
	for (uint32_t i = 0; i < count;) {
		uint32_t run = 0;

		while (i + run < count && sym_value(pool, sizes[i + run], &numbers[run]))
			run++;
		pieces[piece_count] = run ? emit_ints(e, numbers, run)
					  : emit_size(e, sizes[i], false);
		if (!pieces[piece_count++])
			return 0;
		i += run ? run : 1;
	}
	return piece_count == 1 ? pieces[0] : emit_node(e, "Concat", pieces, piece_count, &axis, 1);
}
