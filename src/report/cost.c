#include "report/cost.h"

#include "base/num.h"
#include "base/str.h"
#include "ir/graph.h"
#include "ir/type.h"
#include "ops/info.h"
#include "ops/property.h"
#include "sym/sym.h"

/* A node and its sizes; a missing size is unknown. */
struct costing {
	struct infer *in; /* borrowed */
	const struct node *node;
};

static const struct info *cost_input(const struct costing *c, uint32_t i)
{
	static const struct info none;

	return i < c->node->input_count ? &c->in->infos[c->node->inputs[i]] : &none;
}

static const struct info *cost_output(const struct costing *c)
{
	return &c->in->infos[c->node->output_count ? c->node->outputs[0] : 0];
}

/* A dim; negative axes count from the end. */
static struct sym cost_dim(const struct info *info, int axis)
{
	int at = axis < 0 ? axis + (int)info->rank : axis;

	return info->ranked && at >= 0 && at < (int)info->rank ? info->dims[at] : SYM_UNKNOWN;
}

static struct sym cost_times(const struct costing *c, struct sym a, struct sym b)
{
	if (sym_is_unknown(a) || sym_is_unknown(b))
		return SYM_UNKNOWN;
	return sym_mul(&c->in->pool, a, b);
}

static struct sym cost_elements(const struct costing *c, const struct info *info, uint32_t from)
{
	struct sym product = sym_int(&c->in->pool, 1);

	if (!info->ranked || info->rank < from)
		return SYM_UNKNOWN;
	for (uint32_t i = from; i < info->rank; i++)
		product = cost_times(c, product, info->dims[i]);
	return product;
}

static struct sym cost_twice(const struct costing *c, struct sym a)
{
	return cost_times(c, sym_int(&c->in->pool, 2), a);
}

/* ---- formulas ---- */

static struct sym cost_matmul(const struct costing *c)
{
	return cost_twice(c, cost_times(c, cost_elements(c, cost_output(c), 0),
					cost_dim(cost_input(c, 0), -1)));
}

static int64_t int_attr(const struct costing *c, const char *name)
{
	const struct attr *a = node_attr(c->in->model, c->node, name);

	return a && a->kind == ATTR_INT ? a->i : 0;
}

static struct sym fused_matmul(const struct costing *c)
{
	int inner = int_attr(c, "transA") ? -2 : -1;

	return cost_twice(c, cost_times(c, cost_elements(c, cost_output(c), 0),
					cost_dim(cost_input(c, 0), inner)));
}

static struct sym matmul_nbits(const struct costing *c)
{
	struct sym columns = sym_int(&c->in->pool, int_attr(c, "N"));

	return cost_twice(c, cost_times(c, cost_elements(c, cost_input(c, 0), 0), columns));
}

/* Each output element is a sum over the kernel and the channels of its group. */
static struct sym conv_with(const struct costing *c, uint32_t weight)
{
	return cost_twice(c, cost_times(c, cost_elements(c, cost_output(c), 0),
					cost_elements(c, cost_input(c, weight), 1)));
}

static struct sym cost_conv(const struct costing *c)
{
	return conv_with(c, 1);
}

static struct sym quantized_conv(const struct costing *c)
{
	return conv_with(c, 3);
}

/* Each input element is spread over the kernel and the channels of its group. */
static struct sym conv_transpose(const struct costing *c)
{
	return cost_twice(c, cost_times(c, cost_elements(c, cost_input(c, 0), 0),
					cost_elements(c, cost_input(c, 1), 1)));
}

/* Scores and weighted values: for each query and key the width of both. */
static struct sym cost_attention(const struct costing *c)
{
	const struct info *q = cost_input(c, 0), *k = cost_input(c, 1), *y = cost_output(c);
	struct sym widths;

	/* With a past there are more keys than in the input. */
	if (!q->ranked || !k->ranked || !y->ranked || cost_input(c, 4)->kind)
		return SYM_UNKNOWN;
	widths = sym_add(&c->in->pool, cost_elements(c, q, 0), cost_elements(c, y, 0));
	return cost_twice(c, cost_times(c, widths, cost_dim(k, -2)));
}

/* In each step all gates read the input and the state. */
static struct sym cost_recurrent(const struct costing *c)
{
	const struct info *x = cost_input(c, 0), *w = cost_input(c, 1), *r = cost_input(c, 2);
	struct sym steps = cost_times(c, cost_dim(x, 0), cost_dim(x, 1));
	struct sym gates = cost_times(c, cost_dim(w, 0), cost_dim(w, 1));

	if (sym_is_unknown(cost_dim(w, 2)) || sym_is_unknown(cost_dim(r, 2)))
		return SYM_UNKNOWN;
	return cost_twice(c, cost_times(c, cost_times(c, steps, gates),
					sym_add(&c->in->pool, cost_dim(w, 2), cost_dim(r, 2))));
}

typedef struct sym cost_formula(const struct costing *c);

struct sym cost_operations(struct infer *in, uint32_t node)
{
	static cost_formula *const formulas[OP_COST_COUNT] = {
		[OP_COST_NONE] = NULL,
		[OP_COST_MATMUL] = cost_matmul,
		[OP_COST_GEMM] = fused_matmul,
		[OP_COST_MATMUL_NBITS] = matmul_nbits,
		[OP_COST_CONV] = cost_conv,
		[OP_COST_QUANTIZED_CONV] = quantized_conv,
		[OP_COST_CONV_TRANSPOSE] = conv_transpose,
		[OP_COST_ATTENTION] = cost_attention,
		[OP_COST_RECURRENT] = cost_recurrent,
	};
	struct costing c = {in, &in->model->nodes.at[node]};
	cost_formula *formula = formulas[op_cost(in->model, c.node)];

	return formula ? formula(&c) : SYM_UNKNOWN;
}

struct sym cost_bytes(struct infer *in, const struct info *info)
{
	struct costing c = {in, NULL};
	unsigned bits = elem_info(info->elem)->bits;
	struct sym count = info->kind == TYPE_TENSOR ? cost_elements(&c, info, 0) : SYM_UNKNOWN;

	if (bits == 0 || sym_is_unknown(count))
		return SYM_UNKNOWN;
	if (bits % 8 == 0)
		return sym_mul_int(&in->pool, count, bits / 8);
	return sym_ceil_div(&in->pool, sym_mul_int(&in->pool, count, bits), sym_int(&in->pool, 8));
}

struct sym cost_outputs(struct infer *in, uint32_t node)
{
	enum {
		MAX_OUTPUTS = 100
	};
	const struct node *n = &in->model->nodes.at[node];
	struct sym sum = sym_int(&in->pool, 0);

	for (uint32_t i = 0; i < MIN(n->output_count, (uint32_t)MAX_OUTPUTS); i++) {
		struct sym bytes = sym_int(&in->pool, 0);

		if (n->outputs[i])
			bytes = cost_bytes(in, &in->infos[n->outputs[i]]);
		if (sym_is_unknown(bytes))
			return bytes;
		sum = sym_add(&in->pool, sum, bytes);
	}
	return sum;
}

/* ---- as text ---- */

void amount_print(struct str *out, int64_t amount)
{
	static const char *const units[] = {"", "k", "M", "G", "T", "P", "E"};
	double size = (double)amount;
	size_t unit = 0;

	while (size >= 1000 && unit + 1 < ARRAY_LEN(units)) {
		size /= 1000;
		unit++;
	}
	str_format(out, unit ? "%.3g %s" : "%.0f %s", size, units[unit]);
}

static void amount_number(struct record *r, int64_t number, enum cost_unit unit)
{
	struct str *out = record_print(r, NULL);

	if (unit == COST_BYTES && number >= 0)
		str_size(out, (uint64_t)number);
	else
		amount_print(out, number);
	if (unit == COST_FLOP)
		str_text(out, "FLOP");
	record_printed(r, LINK_NONE, 0);
}

/* The greatest number that divides a formula, and what is left; false if that is small. */
static bool amount_factor(struct sym_pool *p, struct sym amount, int64_t *out, struct sym *rest)
{
	enum {
		LEAST = 1024 /* below it there is no unit */
	};
	uint64_t factor = 0;

	for (size_t i = 0; i < sym_part_count(p, amount) && sym_kind(p, amount) == SYM_KIND_SUM;
	     i++) {
		struct sym_part part = sym_part(p, amount, i);

		if (part.number < 0)
			return false;
		factor = num_gcd(factor, (uint64_t)part.number);
	}
	*out = (int64_t)factor;
	return factor >= LEAST && sym_divide(p, amount, sym_int(p, *out), rest);
}

void amount_record(struct record *r, struct infer *in, struct sym amount, enum cost_unit unit)
{
	int64_t number = 0;
	struct sym rest;
	bool known = sym_value(&in->pool, amount, &number);
	bool scaled = !known && amount_factor(&in->pool, amount, &number, &rest);
	bool sum = scaled && sym_kind(&in->pool, rest) == SYM_KIND_SUM &&
		   sym_part_count(&in->pool, rest) > 1;

	record_clear(r, &in->pool);
	if (known || scaled)
		record_hide(r);
	record_dim(r, "amount", amount);
	record_show(r);
	record_tone(r, TONE_NUMBER);
	if (known || scaled)
		amount_number(r, number, unit);
	record_tone(r, TONE_FAINT);
	if (scaled) {
		record_say(r, sum ? "\u00b7(" : "\u00b7");
		record_dim(r, NULL, rest);
		record_say(r, sum ? ")" : "");
	} else if (!known) {
		record_say(r, unit == COST_BYTES ? " B" : " FLOP");
	}
}
