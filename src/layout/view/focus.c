#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/vec.h"
#include "ir/graph.h"
#include "layout/scope/scope.h"
#include "layout/sketch.h"
#include "layout/view/internal.h"

enum way {
	WAY_UP = 1 << 0,
	WAY_DOWN = 1 << 1
};

/* Items by their distance in nets; UINT32_MAX is unreachable. */
struct reach {
	const struct sketch *s; /* borrowed */
	uint32_t *far;          /* owned */
	VEC(uint32_t) queue;
};

static void focus_meet(struct reach *r, uint32_t item, uint32_t far)
{
	if (r->far[item] != UINT32_MAX)
		return;
	r->far[item] = far;
	vec_push(&r->queue, item);
}

static void find_reach(struct reach *r, const struct sketch *s, uint32_t from, unsigned ways,
		       uint32_t hops)
{
	r->s = s;
	r->far = must_alloc((s->items.len + 1) * sizeof(*r->far));
	memset(r->far, 0xff, (s->items.len + 1) * sizeof(*r->far));
	focus_meet(r, from, 0);
	for (size_t q = 0; q < r->queue.len; q++) {
		uint32_t item = r->queue.at[q], far = r->far[item] + 1;

		if (far > hops)
			break;
		for (uint32_t k = s->in_at[item]; ways & WAY_UP && k < s->in_at[item + 1]; k++)
			focus_meet(r, s->nets.at[s->in[k]].from, far);
		for (uint32_t k = s->out_at[item]; ways & WAY_DOWN && k < s->out_at[item + 1];
		     k++) {
			const struct sketch_net *net = &s->nets.at[s->out[k]];

			for (uint32_t i = 0; i < net->count; i++)
				focus_meet(r, s->readers.at[net->first + i], far);
		}
	}
}

static void focus_release(struct reach *r)
{
	free(r->far);
	vec_release(&r->queue);
}

/* Keeps what is on a path from one to the other. */
static void keep_between(const struct sketch *s, uint32_t from, uint32_t to, bool *keep)
{
	struct reach down = {0}, up = {0};

	find_reach(&down, s, from, WAY_DOWN, UINT32_MAX - 1);
	find_reach(&up, s, to, WAY_UP, UINT32_MAX - 1);
	for (size_t i = 0; i < s->items.len; i++)
		keep[i] |= down.far[i] != UINT32_MAX && up.far[i] != UINT32_MAX;
	focus_release(&down);
	focus_release(&up);
}

static void keep_near(const struct sketch *s, uint32_t from, uint32_t hops, bool *keep)
{
	struct reach near = {0};

	find_reach(&near, s, from, WAY_UP | WAY_DOWN, hops);
	for (size_t i = 0; i < s->items.len; i++)
		keep[i] = near.far[i] != UINT32_MAX;
	focus_release(&near);
}

static void copy_values(struct view *to, const struct view *from, uint32_t n)
{
	struct view_net net = {(uint32_t)to->values.len, from->nets.at[n].count};

	vec_push(&to->nets, net);
	for (uint32_t i = 0; i < net.count; i++)
		vec_push(&to->values, from->values.at[from->nets.at[n].first + i]);
}

static void copy_net(struct view *to, const struct view *from, uint32_t n, const uint32_t *item)
{
	const struct sketch_net *net = &from->sketch.nets.at[n];
	bool any = false;

	for (uint32_t i = 0; i < net->count; i++) {
		uint32_t reader = item[from->sketch.readers.at[net->first + i]];

		if (item[net->from] == SKETCH_NONE || reader == SKETCH_NONE) {
			if (item[net->from] != SKETCH_NONE)
				to->items.at[item[net->from]].cut = true;
			if (reader != SKETCH_NONE)
				to->items.at[reader].cut = true;
			continue;
		}
		if (!any) {
			(void)sketch_net(&to->sketch, item[net->from], net->label);
			copy_values(to, from, n);
		}
		any = true;
		sketch_reader(&to->sketch, reader);
	}
}

/* Rebuilds the view from the kept items, in the same order. */
static void keep_only(struct view *v, const bool *keep)
{
	struct view small = {.scopes = v->scopes, .of_node = v->of_node, .of_output = v->of_output};
	const struct graph *g = &v->scopes->model->graphs.at[v->scopes->graph];
	uint32_t *item = must_alloc((v->items.len + 1) * sizeof(*item));

	v->of_node = v->of_output = NULL;
	for (size_t i = 0; i < v->items.len; i++) {
		item[i] = keep[i] ? sketch_item(&small.sketch, 0, 0) : SKETCH_NONE;
		if (!keep[i])
			continue;
		vec_push(&small.items, v->items.at[i]);
		vec_last(&small.sketch.items)->aside = v->sketch.items.at[i].aside;
	}
	for (size_t i = 0; i < g->nodes.len; i++) {
		if (small.of_node[i] != SKETCH_NONE)
			small.of_node[i] = item[small.of_node[i]];
	}
	for (size_t i = 0; i < g->outputs.len; i++) {
		if (small.of_output[i] != SKETCH_NONE)
			small.of_output[i] = item[small.of_output[i]];
	}
	for (size_t i = 0; i < v->ends.len; i++) {
		struct view_end end = v->ends.at[i];

		if (keep[end.item])
			vec_push(&small.ends, ((struct view_end){item[end.item], end.value}));
	}
	for (size_t i = 0; i < v->exits.len; i++) {
		struct view_end end = v->exits.at[i];

		if (keep[end.item])
			vec_push(&small.exits, ((struct view_end){item[end.item], end.value}));
	}
	for (uint32_t n = 0; n < v->sketch.nets.len; n++)
		copy_net(&small, v, n, item);
	sketch_index(&small.sketch);
	free(item);
	view_release(v);
	*v = small;
}

static void keep_scope(const struct view *v, uint32_t scope, bool *keep)
{
	const struct sketch *k = &v->sketch;
	bool *inside = must_alloc(v->items.len + 1);

	for (uint32_t i = 0; i < v->items.len; i++)
		keep[i] = inside[i] = scope_has(v->scopes, scope, view_scope(v, i));
	for (size_t n = 0; n < k->nets.len; n++) {
		const struct sketch_net *net = &k->nets.at[n];

		for (uint32_t i = net->first; i < net->first + net->count; i++) {
			keep[k->readers.at[i]] |= inside[net->from];
			keep[net->from] |= inside[k->readers.at[i]];
		}
	}
	free(inside);
}

void view_narrow(struct view *v, struct view_focus focus)
{
	uint32_t from = focus.node ? view_find(v, focus.node) : SKETCH_NONE;
	uint32_t to = focus.other ? view_find(v, focus.other) : SKETCH_NONE;
	bool *keep;

	if (from == SKETCH_NONE && !focus.scope)
		return;
	keep = must_alloc(v->items.len + 1);
	memset(keep, 0, v->items.len + 1);
	if (from == SKETCH_NONE) {
		keep_scope(v, focus.scope, keep);
	} else if (to == SKETCH_NONE) {
		keep_near(&v->sketch, from, focus.hops, keep);
	} else {
		keep_between(&v->sketch, from, to, keep);
		keep_between(&v->sketch, to, from, keep);
		keep[from] = keep[to] = true;
	}
	keep_only(v, keep);
	free(keep);
}
