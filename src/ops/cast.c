/* Same shape, another element type. */
#include "base/sv.h"
#include "ir/graph.h"
#include "ir/type.h"
#include "ops/arith.h"
#include "ops/elementwise.h"
#include "ops/rule.h"
#include "ops/rules.h"

/* Version 1 of Cast names the type as a string. */
static const struct {
	const char *name;
	int32_t elem;
} old_names[] = {
	{"FLOAT", ELEM_FLOAT32},   {"UINT8", ELEM_UINT8},    {"INT8", ELEM_INT8},
	{"UINT16", ELEM_UINT16},   {"INT16", ELEM_INT16},    {"INT32", ELEM_INT32},
	{"INT64", ELEM_INT64},     {"STRING", ELEM_STRING},  {"BOOL", ELEM_BOOL},
	{"FLOAT16", ELEM_FLOAT16}, {"DOUBLE", ELEM_FLOAT64}, {"UINT32", ELEM_UINT32},
	{"UINT64", ELEM_UINT64},
};

static int32_t named_elem(struct rule *r, struct sv name)
{
	for (size_t i = 0; i < ARRAY_LEN(old_names); i++) {
		if (sv_is(name, old_names[i].name))
			return old_names[i].elem;
	}
	rule_error(r, "attribute to is not an element type");
	return ELEM_UNDEFINED;
}

static int32_t cast_target(struct rule *r)
{
	const struct attr *a = rule_attr(r, "to");

	if (a && a->kind == ATTR_STRING && r->version < 6)
		return named_elem(r, a->text);
	if (!node_attr(r->model, r->node, "to"))
		rule_error(r, "attribute to is missing");
	return elementwise_attr_elem(r, "to", ELEM_UNDEFINED);
}

static void cast_to(struct rule *r, int32_t to)
{
	int32_t from = elementwise_elem(r, 0, 1);

	if (elem_info(to)->class == ELEM_CLASS_COMPLEX) {
		rule_error(r, "cannot cast to %s", elem_info(to)->name);
		to = ELEM_UNDEFINED;
	}
	rule_out_shape_of(r, 0, 0, to);
	/* Indices fit either integer type. */
	if (to != ELEM_UNDEFINED)
		arith_values(r, from, ARITH_CAST);
	if ((from == ELEM_INT64 || from == ELEM_INT32) && (to == ELEM_INT64 || to == ELEM_INT32))
		rule_out_same_bounds(r, 0, 0);
}

void rule_cast(struct rule *r)
{
	cast_to(r, cast_target(r));
}

/* Only the type of the second input matters, not its contents. */
void rule_cast_like(struct rule *r)
{
	int32_t to = elementwise_elem(r, 1, 2);
	uint32_t in_count = r->in_count;

	r->in_count = MIN(in_count, 1);
	cast_to(r, to);
	r->in_count = in_count;
}

void rule_bit_cast(struct rule *r)
{
	int32_t from = elementwise_elem(r, 0, 1), to = cast_target(r);

	if (elem_info(to)->class == ELEM_CLASS_STRING ||
	    elem_info(from)->class == ELEM_CLASS_STRING)
		rule_error(r, "cannot reinterpret strings as another type");
	else if (from && to && elem_info(from)->bits != elem_info(to)->bits)
		rule_error(r, "%s has %u bits, but %s has %u", elem_info(from)->name,
			   elem_info(from)->bits, elem_info(to)->name, elem_info(to)->bits);
	rule_out_shape_of(r, 0, 0, to);
	if (from && from == to)
		arith_values(r, from, ARITH_CAST);
}

/* Random numbers: of the type of the attribute, else of the input's. */
void rule_like(struct rule *r)
{
	int32_t elem = elementwise_elem(r, 0, 1);

	rule_out_shape_of(r, 0, 0, elementwise_attr_elem(r, "dtype", elem));
}

void rule_eye_like(struct rule *r)
{
	rule_like(r);
	rule_check_rank(r, 0, 2, 2);
}
