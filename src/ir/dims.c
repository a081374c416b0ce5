#include "ir/dims.h"

#include "base/map.h"
#include "base/vec.h"
#include "ir/type.h"

static void each_in_type(const struct type *t, visit_dim *visit, void *context)
{
	for (; t; t = t->inner) {
		for (uint32_t i = 0; i < t->rank; i++)
			visit(context, &t->dims[i]);
	}
}

static void each_in_attrs(const struct attr *attrs, uint32_t count, visit_dim *visit, void *context)
{
	for (uint32_t i = 0; i < count; i++) {
		if (attrs[i].ref || (attrs[i].kind != ATTR_TYPE && attrs[i].kind != ATTR_TYPES))
			continue;
		for (uint32_t j = 0; j < attrs[i].count; j++)
			each_in_type(&attrs[i].types[j], visit, context);
	}
}

static void each_in_node(const struct node *n, visit_dim *visit, void *context)
{
	each_in_attrs(n->attrs, n->attr_count, visit, context);
	for (uint32_t i = 0; i < n->sharding_count; i++) {
		for (uint32_t j = 0; j < n->shardings[i].count; j++)
			visit(context, &n->shardings[i].dims[j].dim);
	}
}

void model_each_dim(const struct model *m, visit_dim *visit, void *context)
{
	for (size_t i = 1; i < m->claims.len; i++)
		each_in_type(&m->claims.at[i].type, visit, context);
	for (size_t i = 1; i < m->nodes.len; i++)
		each_in_node(&m->nodes.at[i], visit, context);
	for (size_t i = 0; i < m->functions.len; i++)
		each_in_attrs(m->functions.at[i].defaults, m->functions.at[i].default_count, visit,
			      context);
}

struct counting {
	struct map places;
	struct symbol_counts *out; /* borrowed */
};

static void count_dim(void *context, const struct dim *dim)
{
	struct counting *c = context;
	uint32_t *place;

	if (dim->kind != DIM_PARAM || dim->param == 0)
		return;
	place = map_at(&c->places, dim->param);
	if (*place == 0) {
		vec_add(c->out)->name = dim->param;
		*place = (uint32_t)c->out->len;
	}
	c->out->at[*place - 1].count++;
}

void model_symbols(const struct model *m, struct symbol_counts *out)
{
	struct counting c = {.out = out};

	model_each_dim(m, count_dim, &c);
	map_release(&c.places);
}
