#include "report/counts.h"

#include <stdlib.h>

#include "base/intern.h"
#include "base/map.h"
#include "base/num.h"
#include "base/sv.h"
#include "base/vec.h"
#include "ir/graph.h"
#include "ir/tensor.h"

/* ---- operators ---- */

/* With its names, since qsort has no context. */
struct named_count {
	struct op_count count;
	struct sv op, domain;
};

static int counts_by_count(const void *left, const void *right)
{
	const struct named_count *a = left, *b = right;
	int order = sv_compare(a->op, b->op);

	if (a->count.count != b->count.count)
		return a->count.count > b->count.count ? -1 : 1;
	return order ? order : sv_compare(a->domain, b->domain);
}

struct counting {
	VEC(struct named_count) counts;
	struct map places; /* operator and domain -> index in counts, plus 1 */
};

static void counts_add_node(struct counting *c, const struct model *m, const struct node *n)
{
	uint32_t *place = map_at(&c->places, (uint64_t)n->domain << 32 | n->op);

	if (*place == 0) {
		vec_push(&c->counts, ((struct named_count){{n->domain, n->op, 0},
							   model_name(m, n->op),
							   model_name(m, n->domain)}));
		*place = (uint32_t)c->counts.len;
	}
	c->counts.at[*place - 1].count.count++;
}

static void counts_finish(struct counting *c, struct op_counts *out)
{
	map_release(&c->places);
	if (c->counts.len)
		qsort(c->counts.at, c->counts.len, sizeof(*c->counts.at), counts_by_count);
	vec_clear(out);
	for (size_t i = 0; i < c->counts.len; i++)
		vec_push(out, c->counts.at[i].count);
	vec_release(&c->counts);
}

void op_counts_make(struct op_counts *out, const struct model *m)
{
	struct counting c = {0};

	for (size_t i = 1; i < m->nodes.len; i++) {
		if (!m->nodes.at[i].dead)
			counts_add_node(&c, m, &m->nodes.at[i]);
	}
	counts_finish(&c, out);
}

void op_counts_of(struct op_counts *out, const struct model *m, const uint32_t *nodes,
		  size_t node_count)
{
	struct counting c = {0};

	for (size_t i = 0; i < node_count; i++)
		counts_add_node(&c, m, &m->nodes.at[nodes[i]]);
	counts_finish(&c, out);
}

/* ---- weights ---- */

static void counts_add_bytes(uint64_t *sum, uint64_t bytes)
{
	if (!num_add(*sum, bytes, sum))
		*sum = UINT64_MAX;
}

static void counts_add_tensor(struct weight_counts *w, const struct tensor *t)
{
	if (t->external) {
		w->external_count++;
		counts_add_bytes(&w->external_bytes, tensor_stored_bytes(t));
		intern_add(&w->files, t->external->location);
	} else {
		w->inline_count++;
		counts_add_bytes(&w->inline_bytes, tensor_stored_bytes(t));
	}
}

void weight_counts_make(struct weight_counts *out, const struct model *m)
{
	*out = (struct weight_counts){0};
	for (size_t i = 0; i < m->graphs.len; i++) {
		const struct graph *g = &m->graphs.at[i];

		for (size_t j = 0; j < g->initializers.len; j++)
			counts_add_tensor(out, &m->tensors.at[g->initializers.at[j]]);
		for (size_t j = 0; j < g->sparses.len; j++)
			counts_add_tensor(out, &m->tensors.at[g->sparses.at[j].values]);
	}
}

void weight_counts_release(struct weight_counts *w)
{
	intern_release(&w->files);
}

bool weight_elements(const struct model *m, uint64_t *out)
{
	uint64_t sum = 0, elements;

	for (size_t i = 0; i < m->graphs.len; i++) {
		const struct graph *g = &m->graphs.at[i];

		for (size_t j = 0; j < g->initializers.len + g->sparses.len; j++) {
			uint32_t tensor = j < g->initializers.len
						  ? g->initializers.at[j]
						  : g->sparses.at[j - g->initializers.len].values;

			if (!tensor_elements(&m->tensors.at[tensor], &elements) ||
			    !num_add(sum, elements, &sum))
				return false;
		}
	}
	*out = sum;
	return true;
}
