/*
 * Every graph of real models: its drawing can be traced, folded and unfolded at random; the same
 * folding gives the same drawing.  Arguments: models.
 */
#include <string.h>
#include <time.h>

#include "base/bug.h"
#include "base/hash.h"
#include "ir/build.h"
#include "layout/lanes.h"
#include "layout/view/view.h"
#include "tests/layout/trace.h"
#include "tests/paths.h"
#include "tests/tap.h"
#include "wire/wire.h"

enum {
	MAX_CELLS = 40000000, /* property.c checks windows of larger ones */
	MAX_GRAPHS = 40,
	MAX_WALKED = 300, /* items: the time grows with their square */
	STEPS = 6
};

static struct paths paths;

/* Fixed, so that failures are reproducible. */
static uint32_t state = 4711;

static uint32_t dice(uint32_t sides)
{
	state = state * 1664525 + 1013904223;
	return (state >> 8) % sides;
}

static void set_sizes(struct sketch *s)
{
	for (size_t i = 0; i < s->items.len; i++) {
		s->items.at[i].width = 9 + 2 * (uint32_t)(i % 5);
		s->items.at[i].height = 3;
	}
	for (size_t i = 0; i < s->nets.len; i++)
		s->nets.at[i].label = 12;
}

/* A hash of the drawing. */
static uint64_t print_of(const struct picture *p)
{
	uint64_t hash = 1;

	for (uint32_t i = 0; i < p->item_count; i++) {
		struct rect r = picture_rect(p, i);

		hash = hash_u64((uint64_t)(uint32_t)r.x << 32 | (uint32_t)r.y, hash);
		hash = hash_u64((uint64_t)(uint32_t)r.width << 32 | (uint32_t)r.height, hash);
	}
	for (uint32_t i = 0; i < p->stroke_count; i++) {
		const struct stroke *s = &p->strokes[i];

		hash = hash_u64((uint64_t)(uint32_t)s->x0 << 32 | (uint32_t)s->y0, hash);
		hash = hash_u64((uint64_t)(uint32_t)s->x1 << 32 | (uint32_t)s->y1, hash);
	}
	return hash;
}

/* Every edge between nodes of the view is in its sketch. */
static bool view_is_whole(const struct view *v)
{
	const struct model *m = v->scopes->model;
	const struct graph *g = &m->graphs.at[v->scopes->graph];

	for (uint32_t i = 0; i < g->nodes.len; i++) {
		const struct node *n = &m->nodes.at[g->nodes.at[i]];
		uint32_t to = view_find(v, g->nodes.at[i]);

		for (uint32_t k = 0; k < n->input_count && to != SKETCH_NONE; k++) {
			const struct value *value = &m->values.at[n->inputs[k]];
			uint32_t from = value->producer ? view_find(v, value->producer)
							: SKETCH_NONE;
			bool found = from == SKETCH_NONE || from == to;

			if (value->producer && scope_is_constant(m, &m->nodes.at[value->producer]))
				found = true;
			for (uint32_t j = v->sketch.in_at[to];
			     j < v->sketch.in_at[to + 1] && !found; j++)
				found = v->sketch.nets.at[v->sketch.in[j]].from == from;
			if (!found)
				return false;
		}
	}
	return true;
}

static bool lanes_are_whole(const struct sketch *s)
{
	struct lanes l;
	bool ok;

	lanes_make(&l, s, 0);
	ok = trace_lanes(s, &l);
	lanes_release(&l);
	return ok;
}

/* Does a line lead from one item to another, through layers that it crosses? */
static bool is_drawn_to(const struct picture *p, uint32_t spot, uint32_t to)
{
	const struct spot *s = &p->spots[spot];

	for (uint32_t i = 0; i < s->down_count; i++) {
		uint32_t next = p->down[s->first_down + i].spot;

		if (next == to || (p->spots[next].kind == SPOT_LINE && is_drawn_to(p, next, to)))
			return true;
	}
	return false;
}

/* From one item to the next, `to`, the cursor leaves out no reader that is nearer. */
static bool step_is_near(const struct sketch *s, const struct picture *p, uint32_t from,
			 uint32_t to)
{
	bool any = false;

	for (uint32_t i = 0; i < p->item_count; i++) {
		bool nearer = p->spots[i].layer < p->spots[to].layer;

		if (!is_drawn_to(p, from, i))
			continue;
		any = true;
		/* Along the straight line, past what is secondary. */
		if (nearer && s->items.at[i].aside <= s->items.at[to].aside &&
		    !(p->spots[from].spine && p->spots[to].spine))
			return false;
	}
	return !any || is_drawn_to(p, from, to);
}

/* The cursor goes from each input to the end of the drawing, and back up from there. */
static bool can_be_walked(const struct view *v, const struct picture *p)
{
	for (uint32_t i = 0; i < p->item_count; i++) {
		uint32_t at = i, next;

		if (v->items.at[i].kind != VIEW_INPUT)
			continue;
		while ((next = picture_step(p, at, STEP_DOWN)) != at) {
			if (p->spots[next].layer <= p->spots[at].layer ||
			    !step_is_near(&v->sketch, p, at, next))
				return false;
			at = next;
		}
	}
	return true;
}

/* The cursor visits all of the straight line, down and up. */
static bool spine_can_be_walked(const struct picture *p)
{
	uint32_t above = SKETCH_NONE;

	for (uint32_t i = 0; i < p->layer_count; i++) {
		for (uint32_t k = 0; k < p->layers[i].count; k++) {
			uint32_t at = p->row[p->layers[i].first + k];

			if (!p->spots[at].spine || p->spots[at].kind != SPOT_ITEM)
				continue;
			if (above != SKETCH_NONE && is_drawn_to(p, above, at) &&
			    (picture_step(p, above, STEP_DOWN) != at ||
			     picture_step(p, at, STEP_UP) != above))
				return false;
			above = at;
		}
	}
	return true;
}

/* Lays out the current folding; returns its hash. */
static uint64_t check_view(const struct scopes *scopes, const char *path)
{
	struct view v = {0};
	struct picture p;
	uint64_t print;

	view_make(&v, scopes, (struct view_focus){0});
	CHECK_THAT(view_is_whole(&v), "%s: an edge is missing", path);
	set_sizes(&v.sketch);
	picture_make(&p, &v.sketch, 0);
	print = print_of(&p);
	if ((int64_t)p.width * p.height < MAX_CELLS)
		CHECK_THAT(trace_check(&v.sketch, &p), "%s", path);
	CHECK_THAT(v.items.len > MAX_WALKED || can_be_walked(&v, &p), "%s: steps", path);
	CHECK_THAT(spine_can_be_walked(&p), "%s: steps along the straight line", path);
	CHECK_THAT(lanes_are_whole(&v.sketch), "%s: lanes", path);
	picture_release(&p);
	view_release(&v);
	return print;
}

static void check_focus(const struct scopes *scopes, const struct model *m, const char *path)
{
	const struct graph *g = &m->graphs.at[scopes->graph];
	struct view all = {0}, near = {0};
	struct picture p;

	if (!g->nodes.len)
		return;
	view_make(&all, scopes, (struct view_focus){0});
	view_make(&near, scopes,
		  (struct view_focus){.node = g->nodes.at[dice((uint32_t)g->nodes.len)],
				      .hops = 1 + dice(3)});
	CHECK_THAT(near.items.len <= all.items.len, "%s", path);
	set_sizes(&near.sketch);
	picture_make(&p, &near.sketch, 0);
	CHECK_THAT(trace_check(&near.sketch, &p), "%s: focus", path);
	picture_release(&p);
	view_release(&near);
	view_release(&all);
}

/* A new tree folded like the old one equals it. */
static void check_refold(const struct scopes *old, const char *path)
{
	struct scopes again;

	scopes_find(&again, old->model, old->graph);
	scopes_fold_like(&again, old);
	CHECK(again.count == old->count);
	for (uint32_t i = 0; i < again.count && i < old->count; i++)
		CHECK_THAT(again.at[i].folded == old->at[i].folded, "%s: scope %u", path, i);
	scopes_release(&again);
}

static void check_graph(const struct model *m, uint32_t graph, const char *path)
{
	struct scopes scopes;
	uint64_t first;
	bool *before;

	scopes_find(&scopes, m, graph);
	before = must_alloc(scopes.count + 1);
	first = check_view(&scopes, path);
	for (uint32_t i = 0; i < scopes.count; i++)
		before[i] = scopes.at[i].folded;
	for (int step = 0; step < STEPS && scopes.count > 1; step++) {
		for (uint32_t i = 1; i < scopes.count; i++)
			scopes.at[i].folded = step ? dice(4) == 0 : false;
		(void)check_view(&scopes, path);
		check_focus(&scopes, m, path);
		check_refold(&scopes, path);
	}
	for (uint32_t i = 0; i < scopes.count; i++)
		scopes.at[i].folded = before[i];
	CHECK_THAT(check_view(&scopes, path) == first, "%s: another drawing", path);
	free(before);
	scopes_release(&scopes);
}

TEST(models)
{
	for (size_t i = 0; i < paths.len; i++) {
		struct wire w;
		struct err err;

		if (!wire_open(&w, paths.at[i], &err))
			continue;
		for (uint32_t g = 0; g < w.model.graphs.len && g < MAX_GRAPHS; g++)
			check_graph(&w.model, g, paths.at[i]);
		wire_release(&w);
	}
}

/* Bodies and functions are found from their nodes. */
TEST(insides)
{
	for (size_t i = 0; i < paths.len; i++) {
		struct wire w;
		struct err err;
		uint32_t found = 0, bodies = 0;

		if (!wire_open(&w, paths.at[i], &err))
			continue;
		for (uint32_t n = 1; n < w.model.nodes.len; n++) {
			uint32_t graph;

			for (uint32_t nth = 0; view_inside(&w.model, n, nth, &graph); nth++)
				found += w.model.graphs.at[graph].kind == GRAPH_BODY;
		}
		for (size_t g = 0; g < w.model.graphs.len; g++)
			bodies += w.model.graphs.at[g].kind == GRAPH_BODY;
		CHECK_THAT(found == bodies, "%s: %u of %u", paths.at[i], found, bodies);
		wire_release(&w);
	}
}

/* ---- unrealistic models ---- */

typedef void name_node(uint32_t i, struct str *out);

static void deep_name(uint32_t i, struct str *out)
{
	for (uint32_t k = 0; k < 40; k++)
		str_format(out, "/%u.%u", i, k);
	str_text(out, "/Add");
}

static void wide_name(uint32_t i, struct str *out)
{
	str_format(out, "/%u/Add", i / 2);
}

static void shared_name(uint32_t i, struct str *out)
{
	for (uint32_t k = 0; k < 32; k++)
		str_format(out, "/%u", i >> (k / 2) & 1);
	str_text(out, "/Add");
}

static void no_name(uint32_t i, struct str *out)
{
	(void)i;
	(void)out;
}

/* A chain in which each node also reads an earlier one; operators alternate. */
static void build(struct model *m, uint32_t count, uint32_t ops, name_node *name)
{
	struct str text = {0};

	model_init(m);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t id = node_new(m, 0);
		struct node n = m->nodes.at[id];

		str_clear(&text);
		name(i, &text);
		n.name = model_intern(m, str_sv(&text));
		str_clear(&text);
		str_format(&text, "Op%u", ops ? i % ops : dice(20));
		n.op = model_intern(m, str_sv(&text));
		n.inputs = arena_array(&m->arena, 2, uint32_t);
		n.outputs = arena_array(&m->arena, 1, uint32_t);
		for (uint32_t k = 0; k < 2 && i; k++) {
			str_clear(&text);
			str_format(&text, "v%u", k ? i / 2 : i - 1);
			n.inputs[n.input_count++] = model_intern(m, str_sv(&text));
		}
		str_clear(&text);
		str_format(&text, "v%u", i);
		n.outputs[0] = value_define(m, 0, model_intern(m, str_sv(&text)), id, 0, 0);
		n.output_count = 1;
		m->nodes.at[id] = n;
	}
	model_connect(m);
	str_release(&text);
}

static void check_hostile(const char *what, uint32_t count, uint32_t ops, name_node *name)
{
	struct scopes scopes;
	struct view v = {0};
	struct picture p;
	struct model m;
	clock_t start;
	double ms;

	build(&m, count, ops, name);
	start = clock();
	scopes_find(&scopes, &m, 0);
	view_make(&v, &scopes, (struct view_focus){0});
	set_sizes(&v.sketch);
	picture_make(&p, &v.sketch, 0);
	ms = (double)(clock() - start) * 1000 / CLOCKS_PER_SEC;
	printf("# %s: %.0f ms, %u scopes, %zu items\n", what, ms, scopes.count, v.items.len);
	CHECK_THAT(ms < 20000, "%s takes %.0f ms", what, ms);
	CHECK(scopes.count <= 4 * count + 100);
	picture_release(&p);
	view_release(&v);
	scopes_release(&scopes);
	model_release(&m);
}

TEST(hostile_models)
{
	check_hostile("deep paths", 20000, 7, deep_name);
	check_hostile("paths in common", 50000, 7, shared_name);
	check_hostile("very many small scopes", 100000, 7, wide_name);
	check_hostile("no names, all alike", 100000, 1, no_name);
	check_hostile("no names, by turns", 100000, 50, no_name);
	check_hostile("no names, at random", 100000, 0, no_name);
}

int main(int count, char **words)
{
	static const struct tap_test tests[] = {T(models), T(insides), T(hostile_models)};

	int code;

	paths_add_words(&paths, count, words, ".onnx");
	code = tap_main(tests, (int)ARRAY_LEN(tests));
	paths_release(&paths);
	return code;
}
