#include "edit/diff/compare.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/bug.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/sv.h"
#include "base/vec.h"
#include "edit/diff/internal.h"
#include "ir/graph.h"

/* ---- graphs ---- */

static void compare_graph(struct comparison *c, struct graph_pair g)
{
	const struct graph *a = &c->a.m->graphs.at[g.a], *b = &c->b.m->graphs.at[g.b];

	c->graph = g.a;
	compare_slots(c, g, DIFFERENCE_INPUT);
	match_graphs(c, g.a, g.b);
	compare_slots(c, g, DIFFERENCE_OUTPUT);
	compare_texts(c, DIFFERENCE_GRAPH, model_name(c->a.m, a->name), "name",
		      model_name(c->a.m, a->name), model_name(c->b.m, b->name));
	compare_texts(c, DIFFERENCE_GRAPH, model_name(c->a.m, a->name), "doc", a->doc, b->doc);
	compare_pairs(c, DIFFERENCE_GRAPH, model_name(c->a.m, a->name), a->metadata,
		      a->metadata_count, b->metadata, b->metadata_count);
	compare_annotations(c, g);
	compare_nodes(c, g);
}

/* ---- a comparison ---- */

static void side_init(struct comparison *c, struct side *s, const struct infer *in)
{
	size_t nodes = in->model->nodes.len, values = in->model->values.len;

	s->in = in;
	s->m = in->model;
	s->nodes = arena_array(&c->scratch, nodes, uint32_t);
	s->values = arena_array(&c->scratch, values, uint32_t);
	s->graphs = arena_array(&c->scratch, in->model->graphs.len, uint32_t);
	s->up = arena_array(&c->scratch, values, uint64_t);
	s->node_up = arena_array(&c->scratch, nodes, uint64_t);
	s->node_down = arena_array(&c->scratch, nodes, uint64_t);
	s->symbols = arena_array(&c->scratch, in->pool.symbols.len, uint64_t);
	s->name_tokens = arena_array(&c->scratch, intern_count(&in->model->names), uint64_t);
}

/* A's names are their own tokens; names that only B has come after them. */
static void translate_names(struct comparison *c)
{
	uint32_t a_count = intern_count(&c->a.m->names), b_count = intern_count(&c->b.m->names);

	for (uint32_t i = 0; i < a_count; i++)
		c->a.name_tokens[i] = i;
	for (uint32_t i = 1; i < b_count; i++) {
		uint32_t found = intern_find(&c->a.m->names, model_name(c->b.m, i));

		c->b.name_tokens[i] = found ? found : (uint64_t)a_count + i;
	}
}

static void comparison_run(struct comparison *c, const struct infer *before,
			   const struct infer *after)
{
	side_init(c, &c->a, before);
	side_init(c, &c->b, after);
	c->next = arena_array(&c->scratch, before->model->nodes.len, uint32_t);
	c->paths = arena_array(&c->scratch, before->model->graphs.len, struct sv);
	translate_names(c);
	compare_heads(c);
	compare_devices(c);
	match_bodies(c, 0, 0);
	compare_functions(c);
	compare_trainings(c);
	for (size_t i = 0; i < c->pairs.len; i++)
		compare_graph(c, c->pairs.at[i]);
	c->graph = 0;
}

static void comparison_release(struct comparison *c)
{
	map_release(&c->a.expressions);
	map_release(&c->b.expressions);
	vec_release(&c->a.hashes);
	vec_release(&c->b.hashes);
	vec_release(&c->pairs);
	map_release(&c->files);
	vec_release(&c->uses);
	arena_release(&c->scratch);
}

void compare_models(struct differences *out, const struct infer *before, const struct infer *after,
		    struct compare_options options)
{
	struct comparison c = {.options = options, .seed = hash_seed(), .out = out};

	*out = (struct differences){0};
	comparison_run(&c, before, after);
	compare_symbols(&c);
	compare_shapes(&c);
	compare_names(&c);
	comparison_release(&c);
}

/* ---- pairs alone ---- */

void pairing_init(struct pairing *p, const struct infer *before, const struct infer *after,
		  struct compare_options options)
{
	struct comparison *c = must_alloc(sizeof(*c));

	*p = (struct pairing){.comparison = c};
	*c = (struct comparison){.options = options, .seed = hash_seed(), .out = &p->differences};
	c->options.unread = true;
	comparison_run(c, before, after);
	p->nodes = c->a.nodes;
	p->values = c->a.values;
}

bool pairing_equal(struct pairing *p, uint32_t before, uint32_t after, bool *out, struct err *err)
{
	struct comparison *c = p->comparison;

	return tensors_equal(c, &c->a.m->tensors.at[before], &c->b.m->tensors.at[after], out, err);
}

void pairing_release(struct pairing *p)
{
	if (!p->comparison)
		return;
	comparison_release(p->comparison);
	differences_release(&p->differences);
	free(p->comparison);
	*p = (struct pairing){0};
}
