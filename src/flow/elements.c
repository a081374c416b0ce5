#include "flow/elements.h"

#include "base/arena.h"
#include "flow/array.h"
#include "flow/axis.h"
#include "flow/fold.h"
#include "ir/graph.h"
#include "ir/type.h"
#include "ops/property.h"
#include "sym/sym.h"

enum {
	ELEMENTS_MAX = 1 << 14,
	ELEMENTS_DEPTH = 24
};

static const struct sym *elements_of(struct pass *p, uint32_t value, uint32_t depth);

/* How many it has; 0 when an axis is free, or when they are too many. */
static uint32_t element_count(const struct track *t)
{
	uint64_t count = 1;

	for (uint32_t k = 0; k < t->rank; k++) {
		int64_t size = axis_old(t->axes[k]);

		if (axis_symbols(t->axes[k]) || size < 1 || size > ELEMENTS_MAX)
			return 0;
		count *= (uint64_t)size;
		if (count > ELEMENTS_MAX)
			return 0;
	}
	return t->known ? (uint32_t)count : 0;
}

static const struct sym *constant_elements(struct pass *p, uint32_t value, uint32_t count)
{
	const struct array *a = fold_value(p->folder, value);
	struct sym *out;

	if (!a || a->count != count)
		return NULL;
	out = arena_array(&p->arena, count, struct sym);
	for (uint32_t i = 0; i < count; i++) {
		int64_t number;

		if (!array_int(a, i, &number))
			return NULL;
		out[i] = sym_int(&p->in->pool, number);
	}
	return out;
}

/* The element of an operand that is broadcast to the result's element i. */
static uint32_t operand_place(const struct track *result, const struct track *operand, uint32_t i)
{
	uint32_t place = 0, stride = 1;

	for (uint32_t k = result->rank; k-- > 0;) {
		uint32_t size = (uint32_t)axis_old(result->axes[k]), at = i % size;
		int64_t own = (int64_t)k - ((int64_t)result->rank - operand->rank);

		i /= size;
		if (own < 0)
			continue;
		if (axis_old(operand->axes[own]) != 1)
			place += at * stride;
		stride *= (uint32_t)axis_old(operand->axes[own]);
	}
	return place;
}

static struct sym combine_elements(struct pass *p, enum op_sign sign, struct sym a, struct sym b)
{
	switch (sign) {
	case OP_SIGN_PLUS:
		return sym_add(&p->in->pool, a, b);
	case OP_SIGN_MINUS:
		return sym_sub(&p->in->pool, a, b);
	case OP_SIGN_TIMES:
		return sym_mul(&p->in->pool, a, b);
	default:
		return SYM_UNKNOWN;
	}
}

static const struct sym *sum_elements(struct pass *p, const struct node *n, uint32_t value,
				      uint32_t count, uint32_t depth)
{
	enum op_sign sign = op_sign(p->in->model, n);
	const struct track *t = &p->tracks[value];
	const struct sym *a, *b;
	struct sym *out;

	if (n->input_count != 2 ||
	    (sign != OP_SIGN_PLUS && sign != OP_SIGN_MINUS && sign != OP_SIGN_TIMES))
		return NULL;
	a = elements_of(p, n->inputs[0], depth);
	b = a ? elements_of(p, n->inputs[1], depth) : NULL;
	if (!b)
		return NULL;
	out = arena_array(&p->arena, count, struct sym);
	for (uint32_t i = 0; i < count; i++) {
		out[i] = combine_elements(p, sign, a[operand_place(t, &p->tracks[n->inputs[0]], i)],
					  b[operand_place(t, &p->tracks[n->inputs[1]], i)]);
		if (sym_is_unknown(out[i]))
			return NULL;
	}
	return out;
}

static const struct sym *spread_elements(struct pass *p, const struct node *n, uint32_t value,
					 uint32_t count, uint32_t depth)
{
	const struct sym *from = elements_of(p, n->inputs[0], depth);
	struct sym *out;

	if (!from)
		return NULL;
	out = arena_array(&p->arena, count, struct sym);
	for (uint32_t i = 0; i < count; i++)
		out[i] = from[operand_place(&p->tracks[value], &p->tracks[n->inputs[0]], i)];
	return out;
}

static const struct sym *computed_elements(struct pass *p, const struct node *n, uint32_t value,
					   uint32_t count, uint32_t depth)
{
	switch (op_flow(p->in->model, n)) {
	case OP_FLOW_ELEMENTWISE:
	case OP_FLOW_SCALED:
		return sum_elements(p, n, value, count, depth);
	case OP_FLOW_EXPAND:
		return spread_elements(p, n, value, count, depth);
	case OP_FLOW_RESHAPE:
	case OP_FLOW_FLATTEN:
	case OP_FLOW_SQUEEZE:
	case OP_FLOW_UNSQUEEZE:
		return elements_of(p, n->inputs[0], depth);
	default:
		return NULL;
	}
}

static bool is_integer(const struct pass *p, uint32_t value)
{
	int32_t elem = p->in->infos[value].elem;

	return elem == ELEM_INT64 || elem == ELEM_INT32;
}

static const struct sym *elements_of(struct pass *p, uint32_t value, uint32_t depth)
{
	const struct track *t = &p->tracks[value];
	uint32_t count = element_count(t), producer;

	if (!value || !count || !depth || !is_integer(p, value))
		return NULL;
	if (t->constant)
		return constant_elements(p, value, count);
	if (t->contents.at)
		return t->contents.count == count ? t->contents.at : NULL;
	producer = p->in->model->values.at[value].producer;
	if (!producer || p->in->model->nodes.at[producer].input_count == 0)
		return NULL;
	return computed_elements(p, &p->in->model->nodes.at[producer], value, count, depth - 1);
}

const struct sym *flow_elements(struct pass *p, uint32_t value, uint32_t *out_count)
{
	*out_count = element_count(&p->tracks[value]);
	return elements_of(p, value, ELEMENTS_DEPTH);
}
