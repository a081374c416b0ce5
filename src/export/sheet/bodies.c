/*
 * Bodies of If, Loop and Scan, drawn inside the boxes of their nodes.
 *
 * A body is a sheet of its own, laid out first: its node's box is then as large as the drawing of
 * it.  So a body's boxes are together, whatever is around them.  Depth and number are bounded; of
 * one node either all bodies are drawn or none.
 */
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/sv.h"
#include "base/vec.h"
#include "export/paper/paper.h"
#include "export/sheet/internal.h"
#include "ir/graph.h"
#include "layout/scope/scope.h"
#include "layout/sketch.h"
#include "layout/view/view.h"

enum {
	BODIES_DEEPEST = 3, /* inside one another */
	BODIES_A_NODE = 16,
	BODIES_ITEMS = SCOPE_MAX_VISIBLE, /* in all bodies of a drawing that folds ... */
	BODIES_WHOLE = 20000,             /* ... and of one that is whole */
	BODIES_WIDEST = 20000,            /* cells across: what a layout has room for */
	/* Each body that captures a value looks at all its readers, those in other bodies too. */
	BODIES_READERS = 1 << 24
};

/* What may still be drawn. */
struct bodies_room {
	const struct sheet_request *request; /* borrowed */
	size_t items;
	uint64_t readers;
};

static void bodies_open(struct sheet *s, struct bodies_room *r, int deep);

/* ---- which graphs ---- */

/* An attribute that should hold a graph may have none: then it is graph 0. */
static uint32_t bodies_in(const struct attr *a)
{
	return a->kind == ATTR_GRAPH ? a->graph != 0 : a->kind == ATTR_GRAPHS ? a->count : 0;
}

static uint32_t bodies_count(const struct node *n)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < n->attr_count; i++)
		count += bodies_in(&n->attrs[i]);
	return count;
}

/* ---- one body ---- */

static bool bodies_can_read(const struct model *m, uint32_t graph, struct bodies_room *r)
{
	struct view_values read = {0};
	uint64_t readers = 0;

	view_reads(&read, m, graph);
	for (size_t i = 0; i < read.len; i++) {
		const struct value *v = &m->values.at[read.at[i]];

		readers += v->graph != graph && !v->tensor ? v->readers_count : 0;
	}
	vec_release(&read);
	if (readers > r->readers)
		return false;
	r->readers -= readers;
	return true;
}

static void bodies_free(struct sheet *s)
{
	sheet_release(s);
	free(s);
}

/* NULL when there is no room for it. */
static struct sheet *bodies_make(const struct sheet *around, uint32_t graph, struct bodies_room *r,
				 int deep)
{
	struct sheet *s;

	if (!r->items || !bodies_can_read(around->in->model, graph, r))
		return NULL;
	s = must_alloc(sizeof(*s));
	*s = (struct sheet){.in = around->in, .hues = around->hues, .names = around->names};
	sheet_fold(s, r->request, graph);
	view_make(&s->view, &s->scopes, (struct view_focus){0});
	if (s->view.items.len > r->items)
		goto none;
	r->items -= s->view.items.len;
	sheet_measure(s);
	bodies_open(s, r, deep + 1);
	if (sheet_lay_out(s) && MAX(s->picture.width, s->picture.height) <= BODIES_WIDEST)
		return s;
none:
	bodies_free(s);
	return NULL;
}

static void bodies_measure(struct sheet_body *b)
{
	struct paper p;

	paper_make(&p, b->sheet, 1);
	b->width = p.width;
	b->height = p.height;
	paper_release(&p);
}

/* ---- the bodies of a node ---- */

static void bodies_drop(struct sheet *s, size_t count)
{
	while (s->bodies.len > count) {
		bodies_free(vec_last(&s->bodies)->sheet);
		vec_pop(&s->bodies);
	}
}

static bool bodies_add(struct sheet *s, uint32_t item, const struct attr *a, struct bodies_room *r,
		       int deep)
{
	uint32_t columns = s->view.sketch.items.at[item].width / 2 * 2 + 1;

	for (uint32_t i = 0; i < bodies_in(a); i++) {
		uint32_t graph = a->kind == ATTR_GRAPH ? a->graph : a->graphs[i];
		struct sheet_body b = {.item = item, .columns = columns};

		if (!graph)
			continue;
		b.sheet = bodies_make(s, graph, r, deep);
		if (!b.sheet)
			return false;
		if (!b.sheet->view.items.len) {
			bodies_free(b.sheet);
			continue;
		}
		bodies_measure(&b);
		vec_push(&s->bodies, b);
	}
	return true;
}

static bool bodies_open_node(struct sheet *s, uint32_t item, const struct node *n,
			     struct bodies_room *r, int deep)
{
	struct sketch_item *box = &s->view.sketch.items.at[item];
	size_t first = s->bodies.len, items = r->items;
	bool ok = deep < BODIES_DEEPEST && bodies_count(n) <= BODIES_A_NODE;

	for (uint32_t i = 0; ok && i < n->attr_count; i++)
		ok = bodies_add(s, item, &n->attrs[i], r, deep);
	if (!ok) {
		bodies_drop(s, first);
		r->items = items;
		return false;
	}
	/* Empty ones have no frame. */
	if (s->bodies.len == first)
		return true;
	s->body_of[item] = (uint32_t)first + 1;
	paper_size_node(s, item, &box->width, &box->height);
	return true;
}

static void bodies_open(struct sheet *s, struct bodies_room *r, int deep)
{
	const struct model *m = s->in->model;

	/* Most models have no bodies. */
	if (m->graphs.len < 2)
		return;
	for (uint32_t i = 0; i < s->view.items.len; i++) {
		const struct view_item *at = &s->view.items.at[i];
		const struct node *n = &m->nodes.at[at->kind == VIEW_NODE ? at->id : 0];
		uint32_t count = at->kind == VIEW_NODE ? bodies_count(n) : 0;

		if (!count)
			continue;
		if (!s->body_of) {
			s->body_of = must_alloc(s->view.items.len * sizeof(*s->body_of));
			memset(s->body_of, 0, s->view.items.len * sizeof(*s->body_of));
		}
		if (!bodies_open_node(s, i, n, r, deep))
			s->left_out += count;
	}
}

/* ---- the whole ---- */

void sheet_open_bodies(struct sheet *s, const struct sheet_request *r)
{
	size_t nodes = s->in->model->graphs.at[s->scopes.graph].nodes.len;
	bool whole = r->whole || (nodes < r->small && !r->scope.len && !r->focus.len);
	struct bodies_room room = {r, whole ? BODIES_WHOLE : BODIES_ITEMS, BODIES_READERS};

	bodies_open(s, &room, 0);
}

void sheet_close_bodies(struct sheet *s)
{
	for (size_t i = 0; i < s->bodies.len; i++)
		bodies_free(s->bodies.at[i].sheet);
	vec_release(&s->bodies);
	free(s->body_of);
	s->body_of = NULL;
}

uint32_t sheet_bodies(const struct sheet *s, uint32_t item)
{
	uint32_t first = s->body_of ? s->body_of[item] : 0, at = first;

	while (at && at <= s->bodies.len && s->bodies.at[at - 1].item == item)
		at++;
	return at - first;
}

struct sv sheet_caption(const struct sheet *body)
{
	const struct model *m = body->in->model;

	return model_cut_name(m, m->graphs.at[body->scopes.graph].role);
}

size_t sheet_left_out(const struct sheet *s)
{
	size_t count = s->left_out;

	for (size_t i = 0; i < s->bodies.len; i++)
		count += sheet_left_out(s->bodies.at[i].sheet);
	return count;
}

size_t sheet_boxes(const struct sheet *s)
{
	size_t count = s->view.items.len;

	for (size_t i = 0; i < s->bodies.len; i++)
		count += sheet_boxes(s->bodies.at[i].sheet);
	return count;
}

size_t sheet_lines(const struct sheet *s)
{
	size_t count = s->picture.link_count;

	for (size_t i = 0; i < s->bodies.len; i++)
		count += sheet_lines(s->bodies.at[i].sheet);
	return count;
}
