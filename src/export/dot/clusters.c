#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/str.h"
#include "export/dot/internal.h"
#include "export/paper/ink.h"
#include "export/paper/paper.h"
#include "layout/frames.h"

/*
 * cgraph's writer looks for each box and line of a graph in all clusters right inside it: 50 s for
 * 30,000 boxes in as many scopes.  So many looks take 0.4 s.
 */
enum {
	MOST_LOOKS = 1 << 23
};

static void set_bounds(struct dot *d, Agraph_t *cluster, struct bounds b)
{
	str_clear(&d->text);
	ink_point(&d->text, b.left, b.bottom);
	str_char(&d->text, ',');
	ink_point(&d->text, b.right, b.top);
	dot_set(d, cluster, DOT_GRAPH_BB, str_c(&d->text));
}

/* At the left, clear of edges; no wider than the frame. */
static void set_caption(struct dot *d, Agraph_t *cluster, struct sv text, const struct bounds *b)
{
	int32_t room = b ? b->right - b->left - 2 * CAPTION_SIDE : INT32_MAX, width;
	struct str name = {0};

	str_clear(&d->text);
	width = ink_name(&name, text, room);
	dot_add_escaped(&d->text, str_sv(&name));
	dot_set(d, cluster, DOT_GRAPH_LABEL, str_c(&d->text));
	if (b && text.len) {
		str_clear(&d->text);
		ink_point(&d->text, b->left + CAPTION_SIDE + width / 2, b->top - CAPTION / 2);
		dot_set(d, cluster, DOT_GRAPH_LABEL_POS, str_c(&d->text));
	}
	str_release(&name);
}

/*
 * cluster_7 is scope 7, cluster_7_1 its second frame.  In a body, names begin with the number of
 * its first item: cluster_in20_7.
 */
static Agraph_t *add_scope(const struct dot *d, Agraph_t *parent, uint32_t scope, uint32_t part)
{
	char name[64], body[24] = "", second[24] = "";

	if (d->sheet != d->whole)
		(void)snprintf(body, sizeof(body), "in%" PRIu32 "_", d->sheet->first_item);
	if (part)
		(void)snprintf(second, sizeof(second), "_%" PRIu32, part);
	(void)snprintf(name, sizeof(name), "cluster_%s%" PRIu32 "%s", body, scope, second);
	return agsubg(parent, name, 1);
}

/* cluster_item5 is the node of item 5 and its bodies; cluster_body20 the body that begins with
 * item 20. */
static Agraph_t *add_body(struct dot *d, Agraph_t *parent, const char *what, uint32_t item,
			  struct sv caption, struct bounds b)
{
	Agraph_t *cluster;
	char name[40];

	(void)snprintf(name, sizeof(name), "cluster_%s%" PRIu32, what, item);
	cluster = agsubg(parent, name, 1);
	if (d->placed)
		set_bounds(d, cluster, b);
	set_caption(d, cluster, caption, d->placed ? &b : NULL);
	return cluster;
}

/* ---- scopes ---- */

/* One cluster per frame; frames of one scope are numbered. */
static Agraph_t **add_frames(struct dot *d, Agraph_t *around)
{
	const struct frames *f = &d->paper->frames;
	Agraph_t **clusters = must_alloc((f->at.len + 1) * sizeof(Agraph_t *));
	uint32_t *parts = must_alloc(((size_t)d->sheet->scopes.count + 1) * sizeof(*parts));

	memset(parts, 0, ((size_t)d->sheet->scopes.count + 1) * sizeof(*parts));
	clusters[0] = around;
	for (uint32_t i = 1; i < f->at.len; i++) {
		const struct frame *frame = &f->at.at[i];
		struct bounds b;

		clusters[i] = clusters[frame->parent];
		if (!frame->scope)
			continue;
		b = paper_frame(d->paper, i);
		clusters[i] = add_scope(d, clusters[frame->parent], frame->scope,
					parts[frame->scope]++);
		set_bounds(d, clusters[i], b);
		set_caption(d, clusters[i], d->sheet->scopes.at[frame->scope].name, &b);
	}
	free(parts);
	return clusters;
}

/* Recursion is bounded: scopes nest a few dozen deep at most. */
static Agraph_t *scope_cluster(struct dot *d, Agraph_t **clusters, uint32_t scope)
{
	if (scope && !clusters[scope]) {
		uint32_t above = frame_scope_above(&d->sheet->scopes, scope);

		clusters[scope] = add_scope(d, scope_cluster(d, clusters, above), scope, 0);
		set_caption(d, clusters[scope], d->sheet->scopes.at[scope].name, NULL);
	}
	return clusters[scope];
}

/* One cluster per scope, for an engine that keeps clusters together itself. */
static Agraph_t **add_scopes(struct dot *d, Agraph_t *around)
{
	size_t count = (size_t)d->sheet->scopes.count + 1;
	Agraph_t **clusters = must_alloc(count * sizeof(Agraph_t *));

	memset(clusters, 0, count * sizeof(Agraph_t *));
	clusters[0] = around;
	for (uint32_t i = 0; i < d->sheet->view.items.len; i++)
		(void)scope_cluster(d, clusters, frame_scope(&d->sheet->view, i));
	return clusters;
}

/* ---- sheets ---- */

static void add_sheet(struct dot *d, struct paper *p, Agraph_t *around);

/* The cluster of a node with its bodies; `first` is the first of them. */
static void add_node_cluster(struct dot *d, struct paper *p, uint32_t first, Agraph_t *around)
{
	struct sheet *s = p->sheet;
	uint32_t item = s->bodies.at[first].item, count = sheet_bodies(s, item);
	bool alone = count == 1;
	struct sv caption = alone ? sheet_caption(s->bodies.at[first].sheet) : (struct sv){0};
	Agraph_t *outer = add_body(d, around, "item", s->first_item + item, caption,
				   paper_outline(p, item));

	(void)agsubnode(outer, *dot_node(d, item), 1);
	for (uint32_t i = first; i < first + count; i++) {
		struct sheet *body = s->bodies.at[i].sheet;
		Agraph_t *inner = outer;

		if (!alone)
			inner = add_body(d, outer, "body", body->first_item, sheet_caption(body),
					 paper_body(p, i));
		add_sheet(d, &p->bodies[i], inner);
		d->sheet = s;
		d->paper = p;
	}
}

static void add_sheet(struct dot *d, struct paper *p, Agraph_t *around)
{
	Agraph_t **clusters;

	d->sheet = p->sheet;
	d->paper = p;
	clusters = d->placed ? add_frames(d, around) : add_scopes(d, around);
	for (uint32_t i = 0; i < p->sheet->view.items.len; i++) {
		Agraph_t *in = clusters[d->placed ? p->frames.of_item[i]
						  : frame_scope(&p->sheet->view, i)];

		if (p->sheet->body_of && p->sheet->body_of[i])
			add_node_cluster(d, p, p->sheet->body_of[i] - 1, in);
		else if (in != d->graph)
			(void)agsubnode(in, *dot_node(d, i), 1);
	}
	free(clusters);
}

/* ---- how many ---- */

/* Clusters, and how many things the writer looks for in those that contain them. */
struct looks {
	uint64_t looks;
	uint32_t clusters;
};

static void count_cluster(struct looks *l, uint64_t around)
{
	l->clusters++;
	l->looks += around;
}

static void count_sheet(struct looks *l, const struct paper *p, uint64_t around)
{
	const struct frames *f = &p->frames;
	const struct sheet *s = p->sheet;

	for (uint32_t i = 1; i < f->at.len; i++) {
		uint32_t parent = f->at.at[i].parent;

		while (parent && !f->at.at[parent].scope)
			parent = f->at.at[parent].parent;
		/* With bodies, a frame has more than its items: at most all that is around. */
		if (f->at.at[i].scope)
			count_cluster(l,
				      parent && !s->bodies.len ? f->at.at[parent].count : around);
	}
	for (uint32_t i = 0, end; i < s->bodies.len; i = end) {
		uint64_t boxes = 1;

		end = i + sheet_bodies(s, s->bodies.at[i].item);
		for (uint32_t k = i; k < end; k++)
			boxes += sheet_boxes(s->bodies.at[k].sheet);
		count_cluster(l, around);
		for (uint32_t k = i; k < end; k++) {
			if (end > i + 1)
				count_cluster(l, boxes);
			count_sheet(l, &p->bodies[k], boxes);
		}
	}
}

static bool can_be_written(const struct dot *d)
{
	struct looks l = {0};

	count_sheet(&l, d->papers, sheet_boxes(d->whole) + sheet_lines(d->whole));
	d->whole->unframed = l.looks > MOST_LOOKS ? l.clusters : 0;
	return !d->whole->unframed;
}

void dot_clusters(struct dot *d)
{
	if (can_be_written(d))
		add_sheet(d, d->papers, d->graph);
	if (d->placed)
		set_bounds(d, d->graph, paper_frame(d->papers, 0));
}
