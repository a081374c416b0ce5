#include "ops/ops.h"

#include "base/intern.h"
#include "base/map.h"
#include "base/sv.h"
#include "ir/graph.h"
#include "ops/internal.h"
#include "ops/property.h"
#include "ops/rules.h"

static const struct op op_rows[] = {
#define OP(domain, name, since, properties, min, max, rule, argument) \
	{domain, #name, since, properties, min, max, rule_##rule, argument},
#include "ops/ops.def"
#undef OP
};

static bool same_operator(const struct op *a, const struct op *b)
{
	return sv_is(sv_of(a->domain), b->domain) && sv_is(sv_of(a->name), b->name);
}

/* Names that do not occur in the model are left out of the index. */
void op_index_init(struct op_index *index, const struct model *m)
{
	*index = (struct op_index){0};
	for (uint32_t i = 0; i < ARRAY_LEN(op_rows); i++) {
		uint32_t name = intern_find(&m->names, sv_of(op_rows[i].name));
		uint32_t domain = intern_find(&m->names, sv_of(op_rows[i].domain));

		if (name == 0 || (op_rows[i].domain[0] && domain == 0) ||
		    (i && same_operator(&op_rows[i - 1], &op_rows[i])))
			continue;
		*map_at(&index->rows, (uint64_t)domain << 32 | name) = i + 1;
	}
}

const struct op *op_find(const struct op_index *index, const struct model *m, const struct node *n,
			 int64_t version)
{
	uint32_t domain = domain_is_standard(model_name(m, n->domain)) ? 0 : n->domain;
	const uint32_t *place = map_find(&index->rows, (uint64_t)domain << 32 | n->op);
	uint32_t row;

	if (!place)
		return NULL;
	row = *place - 1;
	while (row + 1 < ARRAY_LEN(op_rows) && same_operator(&op_rows[row], &op_rows[row + 1]) &&
	       op_rows[row + 1].since <= version)
		row++;
	return &op_rows[row];
}

void op_run(const struct op *op, struct rule *r)
{
	r->argument = op->argument;
	op->rule(r);
}

void op_index_release(struct op_index *index)
{
	map_release(&index->rows);
}
