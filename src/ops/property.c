#include "ops/property.h"

#include <assert.h>
#include <string.h>

#include "base/sv.h"
#include "ops/internal.h"

static_assert(OP_LOOPS < 1 << SHAPES_AT, "flags fit into their byte");
static_assert(OP_SHAPES_COUNT <= PROPERTY_MASK + 1 && OP_SIGN_COUNT <= PROPERTY_MASK + 1 &&
		      OP_SIZES_COUNT <= PROPERTY_MASK + 1 && OP_COST_COUNT <= PROPERTY_MASK + 1 &&
		      OP_FLOW_COUNT <= FLOW_MASK + 1 && OP_KIND_COUNT <= PROPERTY_MASK + 1,
	      "each enum fits into its bits");

static bool in_domain(const struct model *m, const struct node *n, const char *domain)
{
	struct sv of_node = model_name(m, n->domain);

	return *domain ? sv_is(of_node, domain) : domain_is_standard(of_node);
}

/*
 * Layout asks about every node.  Compiled once for each property, with only the rows that
 * have it: a comparison or two for most, and no index that somebody must build and keep.
 */
static inline __attribute__((always_inline)) uint64_t
property_of(const struct model *m, const struct node *n, uint64_t property)
{
	struct sv op = model_name(m, n->op);

#define OP(domain, name, since, properties, ...)                                     \
	if ((properties)&property && op.len == sizeof(#name) - 1 &&                  \
	    memcmp(op.at, #name, sizeof(#name) - 1) == 0 && in_domain(m, n, domain)) \
		return (properties)&property;
#include "ops/ops.def"
#undef OP
	return 0;
}

bool op_has_weights(const struct model *m, const struct node *n)
{
	return property_of(m, n, OP_WEIGHTS);
}

bool op_is_constant(const struct model *m, const struct node *n)
{
	return property_of(m, n, OP_CONSTANT);
}

bool op_copies(const struct model *m, const struct node *n)
{
	return property_of(m, n, OP_COPIES);
}

bool op_picks(const struct model *m, const struct node *n)
{
	return property_of(m, n, OP_PICKS);
}

bool op_recurs(const struct model *m, const struct node *n)
{
	return property_of(m, n, OP_RECURS);
}

bool op_loops(const struct model *m, const struct node *n)
{
	return property_of(m, n, OP_LOOPS);
}

enum op_shapes op_shapes(const struct model *m, const struct node *n)
{
	return (enum op_shapes)(property_of(m, n, PROPERTY_MASK << SHAPES_AT) >> SHAPES_AT);
}

enum op_sign op_sign(const struct model *m, const struct node *n)
{
	return (enum op_sign)(property_of(m, n, PROPERTY_MASK << SIGN_AT) >> SIGN_AT);
}

enum op_sizes op_sizes(const struct model *m, const struct node *n)
{
	return (enum op_sizes)(property_of(m, n, PROPERTY_MASK << SIZES_AT) >> SIZES_AT);
}

enum op_flow op_flow(const struct model *m, const struct node *n)
{
	return (enum op_flow)(property_of(m, n, FLOW_MASK << FLOW_AT) >> FLOW_AT);
}

enum op_cost op_cost(const struct model *m, const struct node *n)
{
	return (enum op_cost)(property_of(m, n, PROPERTY_MASK << COST_AT) >> COST_AT);
}

enum op_kind op_kind(const struct model *m, const struct node *n)
{
	return (enum op_kind)(property_of(m, n, (uint64_t)PROPERTY_MASK << KIND_AT) >> KIND_AT);
}

bool value_is_default(const struct model *m, uint32_t value)
{
	enum {
		IR_OF_DEFAULTS = 4
	};
	const struct value *v = &m->values.at[value];

	return (v->tensor || v->sparse) && v->graph == 0 && v->flags & VALUE_INPUT &&
	       m->ir_version >= IR_OF_DEFAULTS;
}

bool value_is_constant(const struct model *m, uint32_t value)
{
	const struct value *v = &m->values.at[value];

	return (v->tensor && !value_is_default(m, value)) ||
	       (v->producer && op_is_constant(m, &m->nodes.at[v->producer]));
}

uint32_t value_constant(const struct model *m, uint32_t value)
{
	const struct value *v = &m->values.at[value];
	const struct node *n = &m->nodes.at[v->producer];
	const struct attr *a;

	if (v->tensor || !v->producer || !op_is_constant(m, n))
		return v->tensor;
	a = node_attr(m, n, "value");
	return a && a->kind == ATTR_TENSOR && !a->ref ? a->tensor : 0;
}
