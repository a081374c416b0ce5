#include "ops/elementwise.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/map.h"
#include "ir/graph.h"
#include "ir/type.h"
#include "ops/arith.h"
#include "ops/info.h"
#include "ops/rules.h"
#include "sym/sym.h"

/* ---- in common ---- */

static void elementwise_check_tensor(struct rule *r, uint32_t input)
{
	enum type_kind kind = rule_has(r, input) ? r->in[input].kind : TYPE_NONE;

	/* Nodes read a sparse initializer as an ordinary tensor. */
	if (kind != TYPE_NONE && kind != TYPE_TENSOR && kind != TYPE_SPARSE)
		rule_error(r, "input %" PRIu32 " is a %s, but a tensor is needed", input,
			   type_kind_name(kind));
}

int32_t elementwise_elem(struct rule *r, uint32_t first, uint32_t end)
{
	int32_t elem = ELEM_UNDEFINED;
	uint32_t from = first;

	for (uint32_t i = first; i < end; i++) {
		int32_t own = rule_elem(r, i);

		elementwise_check_tensor(r, i);
		if (own == ELEM_UNDEFINED || own == elem)
			continue;
		if (elem != ELEM_UNDEFINED) {
			rule_error(r,
				   "inputs %" PRIu32 " and %" PRIu32
				   " have different element types: %s and %s",
				   from, i, elem_info(elem)->name, elem_info(own)->name);
			return elem;
		}
		elem = own;
		from = i;
	}
	return elem;
}

int32_t elementwise_attr_elem(struct rule *r, const char *name, int32_t otherwise)
{
	const struct attr *a = rule_attr(r, name);

	/* The caller did not set the attribute that this one refers to. */
	if (!a)
		return node_attr(r->model, r->node, name) ? ELEM_UNDEFINED : otherwise;
	if (a->kind != ATTR_INT || a->i <= 0 || a->i > INT32_MAX ||
	    elem_info((int32_t)a->i)->class == ELEM_CLASS_NONE) {
		rule_error(r, "attribute %s is not an element type", name);
		return ELEM_UNDEFINED;
	}
	return (int32_t)a->i;
}

/* ---- dims of output 0 ---- */

/* They may be shared with an input: *own is a copy, made when needed. */
static void set_dim(struct rule *r, uint32_t axis, struct sym dim, struct sym **own)
{
	struct info *out = &r->out[0];

	if (sym_same(out->dims[axis], dim))
		return;
	if (!*own) {
		*own = rule_dims(r, out->rank);
		memcpy(*own, out->dims, out->rank * sizeof(**own));
		out->dims = *own;
	}
	(*own)[axis] = dim;
}

struct sym elementwise_equal(struct rule *r, struct sym a, struct sym b, const char *why)
{
	struct sym better = rule_equal(r, a, b, why);
	int64_t ignored;

	return sym_value(r->pool, a, &ignored) ? a : better;
}

void elementwise_unify(struct rule *r, uint32_t axis, struct sym dim, const char *why)
{
	struct sym *own = NULL;

	if (r->out_count && r->out[0].ranked && axis < r->out[0].rank)
		set_dim(r, axis, elementwise_equal(r, r->out[0].dims[axis], dim, why), &own);
}

void elementwise_cover(struct rule *r, uint32_t input, uint32_t axis)
{
	int64_t number;

	if (r->out_count == 0 || !r->out[0].ranked || !rule_ranked(r, input))
		return;
	if (r->in[input].rank > r->out[0].rank || axis > r->out[0].rank - r->in[input].rank) {
		rule_error(r,
			   "input %" PRIu32 " of rank %" PRIu32
			   " cannot be broadcast to rank %" PRIu32,
			   input, r->in[input].rank, r->out[0].rank);
		return;
	}
	/* A symbol may be 1, whatever it is broadcast to. */
	for (uint32_t i = 0; i < r->in[input].rank; i++) {
		struct sym dim = r->in[input].dims[i];

		if (sym_value(r->pool, dim, &number) && number != 1)
			elementwise_unify(r, axis + i, dim, "broadcast sizes");
		else
			(void)rule_cover(r, dim, r->out[0].dims[axis + i], "");
	}
}

void elementwise_cover_last(struct rule *r, uint32_t input)
{
	uint32_t rank = r->out_count ? r->out[0].rank : 0;
	uint32_t own = rule_ranked(r, input) ? r->in[input].rank : 0;

	elementwise_cover(r, input, own < rank ? rank - own : 0);
}

/* ---- three ways to one shape ---- */

static bool elementwise_all_ranked(const struct rule *r, uint32_t *out_largest)
{
	uint32_t largest = 0;

	for (uint32_t i = 0; i < r->in_count; i++) {
		if (!rule_ranked(r, i))
			return false;
		if (r->in[i].rank > r->in[largest].rank)
			largest = i;
	}
	*out_largest = largest;
	return r->in_count > 0;
}

enum {
	FEW_INPUTS = 8 /* compared with the result so far, each */
};

/*
 * Has the axis of the result this dim already?  Then it fits, and changes nothing: sizes that are
 * broadcast are 1 or equal.  Many inputs have few different sizes, or repeat each other.
 */
static bool is_spread(const struct rule *r, struct map *seen, uint32_t axis, struct sym dim)
{
	if (r->in_count <= FEW_INPUTS || dim.w >> 40)
		return false;
	return (*map_at(seen, (uint64_t)axis << 40 | dim.w))++ != 0;
}

/* As NumPy does it. */
static void elementwise_spread(struct rule *r, int32_t elem)
{
	struct sym *own = NULL;
	struct map seen = {0}; /* axis << 40 | dim */
	uint32_t largest;

	rule_out_unranked(r, 0, elem);
	if (r->out_count == 0 || !elementwise_all_ranked(r, &largest))
		return;
	rule_out_shape_of(r, 0, largest, elem);
	for (uint32_t i = 0; i < r->in_count && r->out[0].ranked; i++) {
		const struct info *in = &r->in[i], *out = &r->out[0];
		uint32_t before = out->rank - in->rank;

		if (in->dims == out->dims)
			continue;
		for (uint32_t k = 0; k < in->rank; k++) {
			if (!is_spread(r, &seen, before + k, in->dims[k]))
				set_dim(r, before + k,
					rule_broadcast_dim(r, out->dims[before + k], in->dims[k]),
					&own);
		}
	}
	map_release(&seen);
}

/* All inputs have the same shape. */
static void elementwise_unite(struct rule *r, int32_t elem)
{
	uint32_t first = 0;

	while (first < r->in_count && !rule_ranked(r, first))
		first++;
	rule_out_shape_of(r, 0, first, elem);
	for (uint32_t i = first + 1; i < r->in_count; i++) {
		if (!rule_ranked(r, i))
			continue;
		if (r->in[i].rank != r->in[first].rank) {
			rule_error(r,
				   "inputs %" PRIu32 " and %" PRIu32 " have the ranks %" PRIu32
				   " and %" PRIu32 ", but need the same shape",
				   first, i, r->in[first].rank, r->in[i].rank);
			continue;
		}
		for (uint32_t k = 0; k < r->in[i].rank; k++)
			elementwise_unify(r, k, r->in[i].dims[k], "sizes of equal shapes");
	}
}

/* Before version 7: the second input is broadcast to the first, from `axis` on, if requested. */
static void lay_over(struct rule *r, int32_t elem)
{
	int64_t axis = rule_attr_int(r, "axis", 0);
	uint32_t at;

	if (!rule_attr_int(r, "broadcast", 0)) {
		elementwise_unite(r, elem);
		return;
	}
	rule_out_shape_of(r, 0, 0, elem);
	if (!rule_attr(r, "axis"))
		elementwise_cover_last(r, 1);
	else if (rule_ranked(r, 0) && rule_axis(r, axis, r->in[0].rank, &at))
		elementwise_cover(r, 1, at);
}

/* ---- the rules ---- */

static_assert(ARITH_OP_COUNT <= ELEMENTWISE_OP + 1, "operations fit into their bits");

void rule_elementwise(struct rule *r)
{
	enum arith_op op = (enum arith_op)(r->argument & ELEMENTWISE_OP);
	int32_t elem = elementwise_elem(r, 0, r->in_count);
	int32_t out = r->argument & ELEMENTWISE_BOOL ? ELEM_BOOL : elem;

	if (r->argument & ELEMENTWISE_LIMITED)
		lay_over(r, out);
	else if (r->argument & ELEMENTWISE_ONE_SHAPE)
		elementwise_unite(r, out);
	else
		elementwise_spread(r, out);
	/* With an axis, the second input may not be aligned at the last dim. */
	if (!(r->argument & ELEMENTWISE_LIMITED) || !rule_attr(r, "axis"))
		arith_values(r, elem, op);
	if (r->in_count == 2 && elem == ELEM_INT64)
		arith_bounds(r, op);
}

void rule_same_shape(struct rule *r)
{
	rule_out_shape_of(r, 0, 0, rule_elem_argument(r));
}

/* Keeps contents; also for sequences and optionals. */
void rule_identity(struct rule *r)
{
	if (r->out_count && rule_has(r, 0))
		r->out[0] = r->in[0];
}

/* The bounds are scalars; runtimes also take vectors of one element. */
void rule_clip(struct rule *r)
{
	int32_t elem = elementwise_elem(r, 0, 3);

	rule_out_shape_of(r, 0, 0, elem);
	for (uint32_t i = 1; i < 3; i++) {
		if (rule_check_rank(r, i, 0, 1) && rule_ranked(r, i) && r->in[i].rank == 1)
			rule_equal(r, rule_dim(r, i, 0), rule_int(r, 1),
				   "a bound must have one element");
	}
	arith_values(r, elem, ARITH_CLIP);
}

void rule_mod(struct rule *r)
{
	enum {
		FLOATS_SINCE = 28 /* with either sign: before, only fmod 1 is defined for floats */
	};

	rule_elementwise(r);
	if (r->version < FLOATS_SINCE && elem_info(rule_elem(r, 0))->class == ELEM_CLASS_FLOAT &&
	    !rule_attr_int(r, "fmod", node_attr(r->model, r->node, "fmod") != NULL))
		rule_error(r, "attribute fmod must be 1 for floats");
}

/* Since version 12 the exponent may have another type. */
void rule_pow(struct rule *r)
{
	int32_t elem = r->version < 12 ? elementwise_elem(r, 0, 2) : rule_elem(r, 0);

	elementwise_spread(r, elem);
	arith_values(r, elem, ARITH_POW);
}

void rule_prelu(struct rule *r)
{
	rule_out_shape_of(r, 0, 0, elementwise_elem(r, 0, 2));
	elementwise_cover_last(r, 1);
}

/* One slope, or one per channel. */
void rule_prelu_limited(struct rule *r)
{
	rule_out_shape_of(r, 0, 0, elementwise_elem(r, 0, 2));
	if (rule_ranked(r, 0) && r->in[0].rank > 1 && rule_ranked(r, 1) && r->in[1].rank == 1)
		elementwise_cover(r, 1, 1);
}

/* The selected elements may be known where the others are not. */
void rule_where(struct rule *r)
{
	int32_t elem = elementwise_elem(r, 1, 3);

	if (rule_elem(r, 0) != ELEM_UNDEFINED && rule_elem(r, 0) != ELEM_BOOL)
		rule_error(r, "the condition has the element type %s, but bool is needed",
			   elem_info(rule_elem(r, 0))->name);
	elementwise_spread(r, elem);
	if (rule_has(r, 0) && (r->in[0].contents.at || r->in[0].tensor))
		arith_values_partly(r, elem, ARITH_WHERE);
}
