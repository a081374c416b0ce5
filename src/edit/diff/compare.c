#include "edit/diff/compare.h"

#include "base/arena.h"
#include "base/hash.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "edit/diff/internal.h"
#include "ir/graph.h"
#include "ir/tensor.h"

/* ---- reporting ---- */

void compare_cut(struct str *s)
{
	if (s->len <= COMPARE_TEXT)
		return;
	s->len = COMPARE_TEXT;
	/* Not in the middle of a character. */
	while (s->len > COMPARE_TEXT - 4 && ((unsigned char)s->at[s->len] & 0xc0) == 0x80)
		s->len--;
	s->at[s->len] = '\0';
	str_text(s, "…");
}

static struct sv compare_kept(struct comparison *c, struct sv text)
{
	struct str s = {0};
	struct sv out;

	str_add(&s, (struct sv){text.at, MIN(text.len, (size_t)COMPARE_TEXT + 1)});
	compare_cut(&s);
	out = arena_copy(&c->out->arena, str_sv(&s));
	str_release(&s);
	return out;
}

static struct sv path_here(struct comparison *c)
{
	struct sv *path = &c->paths[c->graph];
	struct str s = {0};

	if (!path->len && c->graph) {
		graph_path(&s, c->a.m, c->graph);
		*path = arena_copy(&c->out->arena, str_sv(&s));
		str_release(&s);
	}
	return *path;
}

void compare_tell(struct comparison *c, struct telling t)
{
	struct difference d = {
		.kind = t.kind, .has_before = t.before != NULL, .has_after = t.after != NULL};

	c->out->count++;
	if (++c->out->counts[t.kind] > COMPARE_MAX)
		return;
	d.graph = path_here(c);
	d.name = compare_kept(c, t.name);
	d.what = compare_kept(c, sv_of(t.what));
	if (t.before)
		d.before = compare_kept(c, str_sv(t.before));
	if (t.after)
		d.after = compare_kept(c, str_sv(t.after));
	vec_push(&c->out->lists[t.kind], d);
}

void compare_texts(struct comparison *c, enum difference_kind kind, struct sv name,
		   const char *what, struct sv before, struct sv after)
{
	struct str from = {0}, to = {0};

	if (sv_eq(before, after))
		return;
	str_add(&from, before);
	str_add(&to, after);
	compare_tell(c, (struct telling){kind, name, what, before.len ? &from : NULL,
					 after.len ? &to : NULL});
	str_release(&from);
	str_release(&to);
}

static void tell_entry(struct comparison *c, enum difference_kind kind, struct sv name,
		       struct sv key, const struct pair *a, const struct pair *b)
{
	struct str what = {0}, before = {0}, after = {0};

	if (a && b && a->value_len == b->value_len && sv_eq(a->value, b->value))
		return;
	str_text(&what, "metadata ");
	str_add(&what, key);
	if (a)
		str_add(&before, a->value);
	if (b)
		str_add(&after, b->value);
	compare_tell(c, (struct telling){kind, name, str_c(&what), a ? &before : NULL,
					 b ? &after : NULL});
	str_release(&what);
	str_release(&before);
	str_release(&after);
}

void compare_pairs(struct comparison *c, enum difference_kind kind, struct sv name,
		   const struct pair *a, uint32_t a_count, const struct pair *b, uint32_t b_count)
{
	struct map places = {0};

	for (uint32_t i = b_count; i-- > 0;)
		*map_at(&places, c->b.name_tokens[b[i].key]) = i + 1;
	for (uint32_t i = 0; i < a_count; i++) {
		uint32_t *place = map_find(&places, c->a.name_tokens[a[i].key]);

		if (place && !*place)
			continue; /* a duplicate key */
		tell_entry(c, kind, name, model_name(c->a.m, a[i].key), &a[i],
			   place ? &b[*place - 1] : NULL);
		*map_at(&places, c->a.name_tokens[a[i].key]) = 0;
	}
	for (uint32_t i = 0; i < b_count; i++) {
		if (*map_find(&places, c->b.name_tokens[b[i].key]) == i + 1)
			tell_entry(c, kind, name, model_name(c->b.m, b[i].key), NULL, &b[i]);
	}
	map_release(&places);
}

/* ---- graphs ---- */

void match_bodies(struct comparison *c, uint32_t a, uint32_t b)
{
	/* An attribute without a graph has graph 0, which is already paired. */
	if (c->a.graphs[a] || c->b.graphs[b])
		return;
	*vec_add(&c->pairs) = (struct graph_pair){a, b};
	c->a.graphs[a] = b + 1;
	c->b.graphs[b] = a + 1;
}

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

void compare_models(struct differences *out, const struct infer *before, const struct infer *after,
		    struct compare_options options)
{
	struct comparison c = {.options = options, .seed = hash_seed(), .out = out};

	*out = (struct differences){0};
	side_init(&c, &c.a, before);
	side_init(&c, &c.b, after);
	c.next = arena_array(&c.scratch, before->model->nodes.len, uint32_t);
	c.paths = arena_array(&c.scratch, before->model->graphs.len, struct sv);
	translate_names(&c);
	compare_heads(&c);
	compare_devices(&c);
	match_bodies(&c, 0, 0);
	compare_functions(&c);
	compare_trainings(&c);
	for (size_t i = 0; i < c.pairs.len; i++)
		compare_graph(&c, c.pairs.at[i]);
	c.graph = 0;
	compare_symbols(&c);
	compare_shapes(&c);
	compare_names(&c);
	map_release(&c.a.expressions);
	map_release(&c.b.expressions);
	vec_release(&c.a.hashes);
	vec_release(&c.b.hashes);
	vec_release(&c.pairs);
	map_release(&c.files);
	vec_release(&c.uses);
	arena_release(&c.scratch);
}

void differences_release(struct differences *d)
{
	for (size_t i = 0; i < DIFFERENCE_KIND_COUNT; i++)
		vec_release(&d->lists[i]);
	arena_release(&d->arena);
}

#define KIND(id, name, heading) [DIFFERENCE_##id] = {name, heading},
static const struct {
	const char *name, *heading;
} compare_kinds[DIFFERENCE_KIND_COUNT] = {DIFFERENCE_KINDS(KIND)};
#undef KIND

const char *difference_kind_name(enum difference_kind kind)
{
	return compare_kinds[kind].name;
}

const char *difference_kind_heading(enum difference_kind kind)
{
	return compare_kinds[kind].heading;
}
