#include "app/cli_summary.h"

#include <stdlib.h>

#include "base/intern.h"
#include "base/map.h"
#include "base/sv.h"
#include "base/vec.h"
#include "ir/graph.h"
#include "ir/tensor.h"
#include "ir/type.h"

static const struct model *summary_sorting; /* qsort has no context; only for by_count */

static int summary_by_count(const void *left, const void *right)
{
	const struct op_count *a = left, *b = right;
	int order;

	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	order = sv_compare(model_name(summary_sorting, a->op), model_name(summary_sorting, b->op));
	return order ? order
		     : sv_compare(model_name(summary_sorting, a->domain),
				  model_name(summary_sorting, b->domain));
}

static void count_ops(struct summary *s, const struct model *m)
{
	struct map places = {0};

	for (size_t i = 1; i < m->nodes.len; i++) {
		const struct node *n = &m->nodes.at[i];
		uint32_t *place = map_at(&places, (uint64_t)n->domain << 32 | n->op);

		if (*place == 0) {
			*vec_add(&s->ops) = (struct op_count){n->domain, n->op, 0};
			*place = (uint32_t)s->ops.len;
		}
		s->ops.at[*place - 1].count++;
	}
	map_release(&places);
	summary_sorting = m;
	if (s->ops.len)
		qsort(s->ops.at, s->ops.len, sizeof(*s->ops.at), summary_by_count);
	summary_sorting = NULL;
}

static void count_tensor(struct weight_counts *w, const struct tensor *t)
{
	if (t->external) {
		w->external_count++;
		w->external_bytes += tensor_stored_bytes(t);
		intern_add(&w->files, t->external->location);
	} else {
		w->inline_count++;
		w->inline_bytes += tensor_stored_bytes(t);
	}
}

static void count_weights(struct weight_counts *w, const struct model *m)
{
	for (size_t i = 0; i < m->graphs.len; i++) {
		const struct graph *g = &m->graphs.at[i];

		for (size_t j = 0; j < g->initializers.len; j++)
			count_tensor(w, &m->tensors.at[g->initializers.at[j]]);
		for (size_t j = 0; j < g->sparses.len; j++)
			count_tensor(w, &m->tensors.at[g->sparses.at[j].values]);
	}
}

void summary_init(struct summary *s, const struct model *m)
{
	*s = (struct summary){.nodes = m->nodes.len - 1};
	for (size_t i = 0; i < m->graphs.len; i++)
		s->bodies += m->graphs.at[i].kind == GRAPH_BODY;
	count_ops(s, m);
	count_weights(&s->weights, m);
	model_symbols(m, &s->symbols);
	for (size_t i = 0; i < s->symbols.len; i++)
		*map_at(&s->symbol_places, s->symbols.at[i].name) = (uint32_t)i + 1;
}

int summary_symbol(const struct summary *s, const struct dim *d)
{
	const uint32_t *place;

	if (d->kind != DIM_PARAM || d->param == 0)
		return -1;
	place = map_find(&s->symbol_places, d->param);
	return place ? (int)*place - 1 : -1;
}

void summary_release(struct summary *s)
{
	vec_release(&s->ops);
	vec_release(&s->symbols);
	map_release(&s->symbol_places);
	intern_release(&s->weights.files);
}
