#include "layout/view/shown.h"

#include "ir/graph.h"
#include "layout/scope/scope.h"
#include "layout/sketch.h"

enum {
	NET_VALUES = 64 /* of a line that are looked at */
};

static uint32_t shown_first_output(const struct node *n)
{
	for (uint32_t i = 0; i < n->output_count; i++) {
		if (n->outputs[i])
			return n->outputs[i];
	}
	return 0;
}

/* Does anything but outputs of the graph read it? */
static bool leads_on(const struct view *v, const struct sketch_net *net)
{
	for (uint32_t i = 0; i < net->count; i++) {
		uint32_t reader = v->sketch.readers.at[net->first + i];

		if (v->items.at[reader].kind != VIEW_OUTPUT)
			return true;
	}
	return false;
}

/*
 * The last produced value that leaves a folded scope: usually its result.  What only outputs of
 * the graph read, as the keys and values of a cache, comes second; so do shapes.  What changed
 * comes first.
 */
static uint32_t shown_last_leaving(const struct view *v, uint32_t item,
				   const struct shown_shapes *shapes)
{
	const struct model *m = v->scopes->model;
	const struct sketch *k = &v->sketch;
	uint64_t best_rank = 0;
	uint32_t best = 0;

	for (uint32_t i = k->out_at[item]; i < k->out_at[item + 1]; i++) {
		const struct view_net *n = &v->nets.at[k->out[i]];
		uint64_t on = (uint64_t)leads_on(v, &k->nets.at[k->out[i]]) << 33;

		for (uint32_t at = n->first; at < n->first + MIN(n->count, NET_VALUES); at++) {
			uint32_t value = v->values.at[at];
			uint64_t wide = (uint64_t)shapes->is_wide(shapes->context, value) << 32;
			uint64_t changed = shapes->is_changed &&
					   shapes->is_changed(shapes->context, value);
			uint64_t rank = changed << 34 | on | wide |
					m->nodes.at[m->values.at[value].producer].index;

			if (best && rank < best_rank)
				continue;
			best = value;
			best_rank = rank;
		}
	}
	return best;
}

/* The first output of a fan; 0 if what is read of it has other shapes. */
static uint32_t shown_of_fan(const struct view *v, uint32_t item, uint32_t first,
			     const struct shown_shapes *shapes)
{
	const struct sketch *k = &v->sketch;
	uint32_t value = shown_first_output(&v->scopes->model->nodes.at[first]);

	for (uint32_t i = k->out_at[item]; i < k->out_at[item + 1]; i++) {
		const struct view_net *n = &v->nets.at[k->out[i]];

		for (uint32_t at = n->first; at < n->first + MIN(n->count, NET_VALUES); at++) {
			if (!shapes->are_same(shapes->context, value, v->values.at[at]))
				return 0;
		}
	}
	return value;
}

uint32_t view_shown(const struct view *v, uint32_t item, const struct shown_shapes *shapes)
{
	const struct view_item *at = &v->items.at[item];
	const struct model *m = v->scopes->model;
	const struct scope *scope;

	if (at->kind == VIEW_NODE)
		return shown_first_output(&m->nodes.at[at->id]);
	if (at->kind != VIEW_SCOPE)
		return at->id;
	scope = &v->scopes->at[at->id];
	if (scope->kind == SCOPE_SHAPES || scope->kind == SCOPE_GROUP)
		return shown_first_output(&m->nodes.at[scope->node]);
	if (scope->kind == SCOPE_FAN)
		return shown_of_fan(v, item, scope->node, shapes);
	return shown_last_leaving(v, item, shapes);
}
