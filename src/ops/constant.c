#include <inttypes.h>

#include "ir/graph.h"
#include "ir/tensor.h"
#include "ir/type.h"
#include "ops/grid.h"
#include "ops/info.h"
#include "ops/rule.h"
#include "ops/rules.h"
#include "sym/float.h"
#include "sym/sym.h"

static void out_constant(struct rule *r, int32_t elem, uint32_t rank, const int64_t *sizes)
{
	struct sym *dims;

	if (rank > RULE_MAX_RANK) {
		rule_out_rank(r, 0, elem, rank);
		return;
	}
	dims = rule_dims(r, rank);
	for (uint32_t i = 0; i < rank; i++) {
		dims[i] = rule_int(r, sizes[i]);
		if (!check_size(r, dims[i], "a size of the constant"))
			dims[i] = SYM_UNKNOWN;
	}
	rule_out(r, 0, elem, rank, dims);
}

static void out_tensor(struct rule *r, const struct attr *a)
{
	const struct tensor *t = &r->model->tensors.at[a->tensor];

	if (a->tensor == 0) {
		rule_error(r, "the constant has no value");
		return;
	}
	if (t->rank_lost) {
		rule_error(r, "the rank of the constant is too large");
		rule_out_unranked(r, 0, t->elem);
		return;
	}
	out_constant(r, t->elem, t->rank, t->dims);
	/* Read on demand. */
	if (r->out_count)
		r->out[0].tensor = a->tensor;
}

static void out_sparse(struct rule *r, const struct attr *a)
{
	const struct sparse *s = a->sparses;

	if (!s)
		rule_error(r, "the constant has no value");
	else
		out_constant(r, r->model->tensors.at[s->values].elem, s->rank, s->dims);
}

/* A scalar has rank 0, a list rank 1. */
static void out_numbers(struct rule *r, int32_t elem, bool list, const struct sym *at,
			uint32_t count)
{
	struct sym *dims = rule_dims(r, 1);

	dims[0] = rule_int(r, count);
	rule_out(r, 0, elem, list, dims);
	rule_out_contents(r, 0, (struct contents){.at = at, .count = count, .rank = list});
}

/* A list whose elements are not in memory; it has count 0 when its length is unknown. */
static void out_length(struct rule *r, int32_t elem, const struct attr *a)
{
	RULE_OUT(r, 0, elem, a->count || a->list.count == 0 ? rule_int(r, a->count) : SYM_UNKNOWN);
}

static void out_ints(struct rule *r, const struct attr *a)
{
	const int64_t *ints = &a->i;
	bool list = a->kind == ATTR_INTS;
	uint32_t count = 1;
	struct sym *at;

	if (list &&
	    (!rule_attr_ints(r, "value_ints", &ints, &count) || count > RULE_MAX_CONSTANTS)) {
		out_length(r, ELEM_INT64, a);
		return;
	}
	at = rule_values(r, count);
	for (uint32_t i = 0; i < count; i++)
		at[i] = rule_int(r, ints[i]);
	out_numbers(r, ELEM_INT64, list, at, count);
}

static void out_floats(struct rule *r, const struct attr *a)
{
	const float *floats = &a->f;
	bool list = a->kind == ATTR_FLOATS;
	uint32_t count = 1;
	struct sym *at;

	if (list &&
	    (!rule_attr_floats(r, "value_floats", &floats, &count) || count > RULE_MAX_VALUES)) {
		out_length(r, ELEM_FLOAT32, a);
		return;
	}
	at = rule_values(r, count);
	for (uint32_t i = 0; i < count; i++)
		at[i] = sym_float(r->pool, SYM_F32, (double)floats[i]);
	out_numbers(r, ELEM_FLOAT32, list, at, count);
}

static void out_string(struct rule *r, const struct attr *a)
{
	(void)a;
	rule_out_scalar(r, 0, ELEM_STRING);
}

static void out_strings(struct rule *r, const struct attr *a)
{
	out_length(r, ELEM_STRING, a);
}

/* The attributes, exactly one of which must be given. */
static const struct form {
	const char *name;
	enum attr_kind kind;
	void (*out)(struct rule *r, const struct attr *a);
} constant_forms[] = {
	{"value", ATTR_TENSOR, out_tensor},        {"sparse_value", ATTR_SPARSE, out_sparse},
	{"value_int", ATTR_INT, out_ints},         {"value_ints", ATTR_INTS, out_ints},
	{"value_float", ATTR_FLOAT, out_floats},   {"value_floats", ATTR_FLOATS, out_floats},
	{"value_string", ATTR_STRING, out_string}, {"value_strings", ATTR_STRINGS, out_strings},
};

void rule_constant(struct rule *r)
{
	const struct form *found = NULL;

	for (size_t i = 0; i < ARRAY_LEN(constant_forms); i++) {
		if (!rule_attr(r, constant_forms[i].name))
			continue;
		if (found)
			rule_error(r, "both %s and %s are given", found->name,
				   constant_forms[i].name);
		found = &constant_forms[i];
	}
	if (!found)
		rule_error(r, "the constant has no value");
	else if (rule_attr(r, found->name)->kind != found->kind)
		rule_error(r, "attribute %s has the wrong type", found->name);
	else
		found->out(r, rule_attr(r, found->name));
}

/* ---- ConstantOfShape ---- */

/* The one-element tensor to fill with; 0 for the default, a float32 0. */
static uint32_t fill_tensor(struct rule *r, int32_t *elem)
{
	const struct attr *a = rule_attr(r, "value");
	const struct tensor *t;
	uint64_t count;

	*elem = ELEM_FLOAT32;
	if (!a)
		return 0;
	if (a->kind != ATTR_TENSOR || a->tensor == 0) {
		rule_error(r, "value is not a tensor");
		*elem = ELEM_UNDEFINED;
		return 0;
	}
	t = &r->model->tensors.at[a->tensor];
	*elem = t->elem;
	if (t->rank_lost || !tensor_elements(t, &count) || count != 1)
		rule_error(r, "value must have one element");
	return a->tensor;
}

static void fill_contents(struct rule *r, uint32_t tensor)
{
	struct sym *at, fill = sym_float(r->pool, SYM_F32, 0);
	struct grid to;

	if (!grid_for(r, 0, RULE_MAX_VALUES, &to))
		return;
	if (tensor) {
		struct contents c = r->host->constant(r->host->context, tensor);

		if (!c.at || c.count != 1)
			return;
		fill = c.at[0];
	}
	at = rule_values(r, to.rows * to.columns);
	for (uint32_t i = 0; i < to.rows * to.columns; i++)
		at[i] = fill;
	grid_keep(r, 0, &to, at);
}

void rule_constant_of_shape(struct rule *r)
{
	struct list shape = {0};
	int64_t rank;
	int32_t elem;
	uint32_t tensor = fill_tensor(r, &elem);

	rule_out_unranked(r, 0, elem);
	if (!check_int64(r, 0) || !rule_check_rank(r, 0, 1, 1))
		return;
	if (sym_value(r->pool, rule_dim(r, 0, 0), &rank) && rank > RULE_MAX_RANK)
		rule_error(r, "the shape has %" PRId64 " entries; the maximum rank is %d", rank,
			   RULE_MAX_RANK);
	shape = list_get(r, NULL, 0, 0);
	list_out(r, 0, elem, &shape);
	fill_contents(r, tensor);
}
