/*
 * Sequences of tensors: each element has its own axes.
 */
#include "base/arena.h"
#include "flow/cause.h"
#include "flow/rules.h"
#include "flow/visit.h"

enum {
	MAX_ITEMS = 256
};

static bool put_items(struct visit *v, const struct track *items, uint32_t count)
{
	v->pass->tracks[v->node->outputs[0]] = (struct track){
		.known = true, .is_sequence = true, .items = items, .item_count = count};
	return true;
}

/* A position as the model writes it, from 0 up to `end`; false, refused, when it is none. */
static bool read_position(struct visit *v, uint32_t port, uint32_t end, uint32_t *out)
{
	const int64_t *numbers;
	uint32_t count;
	int64_t position;

	if (!visit_numbers(v, port, &numbers, &count) || count != 1)
		return flow_refuse(v, CAUSE_DATA, "its position depends on data");
	position = numbers[0] < 0 ? numbers[0] + v->in[0].item_count : numbers[0];
	if (position < 0 || position > end)
		return flow_refuse(v, CAUSE_BROKEN, "its position is out of range");
	*out = (uint32_t)position;
	return true;
}

bool flow_sequence_insert(struct visit *v)
{
	const struct track *s = &v->in[0];
	struct track *items;
	uint32_t at = s->item_count;

	if (!s->is_sequence || v->in[1].is_sequence || s->item_count == MAX_ITEMS)
		return flow_refuse(v, CAUSE_OPERATOR, "the elements of a sequence are not known");
	if (visit_has(v, 2) && !read_position(v, 2, s->item_count, &at))
		return false;
	items = arena_array(&v->pass->arena, s->item_count + 1, struct track);
	for (uint32_t i = 0; i < s->item_count; i++)
		items[i + (i >= at)] = s->items[i];
	items[at] = v->in[1];
	items[at].constant = false;
	return put_items(v, items, s->item_count + 1);
}

bool flow_sequence_construct(struct visit *v)
{
	struct track *items = arena_array(&v->pass->arena, v->node->input_count, struct track);

	for (uint32_t i = 0; i < v->node->input_count; i++) {
		if (!visit_has(v, i) || v->in[i].is_sequence)
			return flow_refuse(v, CAUSE_OPERATOR,
					   "the elements of a sequence are not known");
		items[i] = v->in[i];
		items[i].constant = false;
	}
	return put_items(v, items, v->node->input_count);
}

bool flow_sequence_at(struct visit *v)
{
	const struct track *s = &v->in[0];
	uint32_t at = 0;

	if (!s->is_sequence || !s->item_count)
		return flow_refuse(v, CAUSE_OPERATOR, "the elements of a sequence are not known");
	return read_position(v, 1, s->item_count - 1, &at) &&
	       visit_put_as(v, 0, s->items[at].axes, s->items[at].rank);
}

bool flow_sequence_length(struct visit *v)
{
	return visit_put_as(v, 0, NULL, 0);
}
