#include <inttypes.h>
#include <stdio.h>

#include "base/utf8.h"
#include "export/doting.h"

enum {
	MARGIN = 4,  /* points around what is in a cluster */
	CAPTION = 14 /* above it, for its name */
};

static const struct bounds nothing = {INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN};

static struct bounds joined(struct bounds a, struct bounds b)
{
	return (struct bounds){MIN(a.left, b.left), MIN(a.bottom, b.bottom), MAX(a.right, b.right),
			       MAX(a.top, b.top)};
}

static uint32_t scope_of(const struct dot *d, uint32_t item)
{
	const struct view_item *at = &d->sheet->view.items.at[item];
	const struct scopes *s = &d->sheet->scopes;

	if (at->kind == VIEW_SCOPE)
		return s->at[at->id].parent;
	return at->kind == VIEW_NODE ? s->of_node[s->model->nodes.at[at->id].index] : 0;
}

/* Scopes lie in each other some tens deep at most. */
static Agraph_t *cluster_of(struct dot *d, uint32_t scope)
{
	char name[32];

	if (scope == 0)
		return d->graph;
	if (d->clusters[scope])
		return d->clusters[scope];
	(void)snprintf(name, sizeof(name), "cluster_%" PRIu32, scope);
	d->clusters[scope] = agsubg(cluster_of(d, d->sheet->scopes.at[scope].parent), name, 1);
	return d->clusters[scope];
}

static void set_bounds(struct dot *d, Agraph_t *cluster, struct bounds b)
{
	str_clear(&d->text);
	str_format(&d->text, "%" PRId32 ",%" PRId32 ",%" PRId32 ",%" PRId32, b.left, b.bottom,
		   b.right, b.top);
	dot_set(cluster, "bb", str_c(&d->text));
}

static void set_caption(struct dot *d, uint32_t scope)
{
	const struct bounds *b = &d->boxes[scope];
	struct str name = {0};

	str_add_shown(&name, d->sheet->scopes.at[scope].name);
	str_clear(&d->text);
	dot_add_escaped(&d->text, str_sv(&name));
	dot_set(d->clusters[scope], "label", str_c(&d->text));
	str_clear(&d->text);
	str_format(&d->text, "%" PRId32 ",%" PRId32, (b->left + b->right) / 2,
		   b->top - CAPTION / 2);
	dot_set(d->clusters[scope], "lp", str_c(&d->text));
	str_release(&name);
}

/* What is inside, then around it a margin: so that boxes in boxes do not touch. */
static void close_box(struct dot *d, uint32_t scope)
{
	const struct scopes *s = &d->sheet->scopes;
	struct bounds *b = &d->boxes[scope];

	for (uint32_t child = s->at[scope].first_child; child; child = s->at[child].next) {
		if (!d->clusters[child])
			continue;
		close_box(d, child);
		*b = joined(*b, d->boxes[child]);
	}
	if (scope == 0)
		return;
	*b = (struct bounds){b->left - MARGIN, b->bottom - MARGIN, b->right + MARGIN,
			     b->top + MARGIN + CAPTION};
	set_bounds(d, d->clusters[scope], *b);
	set_caption(d, scope);
}

void dot_clusters(struct dot *d)
{
	const struct picture *p = &d->sheet->picture;

	for (uint32_t i = 0; i < d->sheet->scopes.count; i++)
		d->boxes[i] = nothing;
	d->boxes[0] = (struct bounds){0, 0, p->width * CELL_WIDTH, p->height * CELL_HEIGHT};
	for (uint32_t i = 0; i < d->sheet->view.items.len; i++) {
		uint32_t scope = scope_of(d, i);

		d->boxes[scope] = joined(d->boxes[scope], dot_rect(d, i));
		if (scope)
			(void)agsubnode(cluster_of(d, scope), d->nodes[i], 1);
	}
	close_box(d, 0);
	set_bounds(d, d->graph, d->boxes[0]);
}
