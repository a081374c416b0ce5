#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/str.h"
#include "export/dot/internal.h"
#include "export/paper/ink.h"
#include "export/paper/paper.h"

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
static void set_caption(struct dot *d, Agraph_t *cluster, uint32_t scope, const struct bounds *b)
{
	int32_t room = b ? b->right - b->left - 2 * CAPTION_SIDE : INT32_MAX, width;
	struct str name = {0};

	str_clear(&d->text);
	width = ink_name(&name, d->sheet->scopes.at[scope].name, room);
	dot_add_escaped(&d->text, str_sv(&name));
	dot_set(d, cluster, DOT_GRAPH_LABEL, str_c(&d->text));
	if (b) {
		str_clear(&d->text);
		ink_point(&d->text, b->left + CAPTION_SIDE + width / 2, b->top - CAPTION / 2);
		dot_set(d, cluster, DOT_GRAPH_LABEL_POS, str_c(&d->text));
	}
	str_release(&name);
}

static Agraph_t *add_cluster(Agraph_t *parent, uint32_t scope, uint32_t part)
{
	char name[40];

	(void)snprintf(name, sizeof(name),
		       part ? "cluster_%" PRIu32 "_%" PRIu32 : "cluster_%" PRIu32, scope, part);
	return agsubg(parent, name, 1);
}

/* One cluster per frame; frames of one scope are numbered. */
static void add_frames(struct dot *d)
{
	const struct frames *f = &d->paper.frames;
	Agraph_t **clusters = must_alloc((f->at.len + 1) * sizeof(Agraph_t *));
	uint32_t *parts = must_alloc(((size_t)d->sheet->scopes.count + 1) * sizeof(*parts));

	memset(parts, 0, ((size_t)d->sheet->scopes.count + 1) * sizeof(*parts));
	clusters[0] = d->graph;
	for (uint32_t i = 1; i < f->at.len; i++) {
		const struct frame *frame = &f->at.at[i];
		struct bounds b;

		clusters[i] = clusters[frame->parent];
		if (!frame->scope)
			continue;
		b = paper_frame(&d->paper, i);
		clusters[i] = add_cluster(clusters[frame->parent], frame->scope,
					  parts[frame->scope]++);
		set_bounds(d, clusters[i], b);
		set_caption(d, clusters[i], frame->scope, &b);
	}
	for (uint32_t i = 0; i < d->sheet->view.items.len; i++) {
		if (f->of_item[i])
			(void)agsubnode(clusters[f->of_item[i]], d->nodes[i], 1);
	}
	set_bounds(d, d->graph, paper_frame(&d->paper, 0));
	free(clusters);
	free(parts);
}

/* Recursion is bounded: scopes nest a few dozen deep at most. */
static Agraph_t *scope_cluster(struct dot *d, Agraph_t **clusters, uint32_t scope)
{
	if (scope && !clusters[scope]) {
		uint32_t above = frame_scope_above(&d->sheet->scopes, scope);

		clusters[scope] = add_cluster(scope_cluster(d, clusters, above), scope, 0);
		set_caption(d, clusters[scope], scope, NULL);
	}
	return scope ? clusters[scope] : d->graph;
}

/* One cluster per scope, for an engine that keeps clusters together itself. */
static void dot_clusters_add_scopes(struct dot *d)
{
	size_t count = (size_t)d->sheet->scopes.count + 1;
	Agraph_t **clusters = must_alloc(count * sizeof(Agraph_t *));

	for (size_t i = 0; i < count; i++)
		clusters[i] = NULL;
	for (uint32_t i = 0; i < d->sheet->view.items.len; i++) {
		Agraph_t *cluster = scope_cluster(d, clusters, frame_scope(d->sheet, i));

		if (cluster != d->graph)
			(void)agsubnode(cluster, d->nodes[i], 1);
	}
	free(clusters);
}

/* How many things the writer looks for in a cluster, which is inside another or in the drawing. */
static uint64_t looks_for(const struct dot *d, uint32_t frame)
{
	const struct frames *f = &d->paper.frames;
	uint32_t parent = f->at.at[frame].parent;

	while (parent && !f->at.at[parent].scope)
		parent = f->at.at[parent].parent;
	return parent ? f->at.at[parent].count
		      : d->sheet->view.items.len + d->sheet->picture.link_count;
}

static bool can_be_written(struct dot *d)
{
	const struct frames *f = &d->paper.frames;
	uint64_t looks = 0;
	uint32_t count = 0;

	for (uint32_t i = 1; i < f->at.len; i++) {
		if (!f->at.at[i].scope)
			continue;
		count++;
		looks += looks_for(d, i);
	}
	d->sheet->unframed = looks > MOST_LOOKS ? count : 0;
	return !d->sheet->unframed;
}

void dot_clusters(struct dot *d)
{
	if (!can_be_written(d))
		set_bounds(d, d->graph, paper_frame(&d->paper, 0));
	else if (d->placed)
		add_frames(d);
	else
		dot_clusters_add_scopes(d);
}
