/*
 * The dim cursor: the dim of the selected box that keys act on.
 */
#include "infer/infer.h"
#include "ops/info.h"
#include "sym/sym.h"
#include "ui/dims.h"
#include "ui/follow.h"
#include "ui/graph/internal.h"
#include "ui/screen.h"

/* The value whose dims the selected box shows; 0 for none. */
static uint32_t graph_dims_value(const struct screen *s, const struct graph_state *g)
{
	struct info computed;
	uint32_t value;

	if (!g->now || !g->now->has_view || g->now->item >= g->now->view.items.len ||
	    label_computed(s, g->now, g->now->item, &computed))
		return 0;
	value = label_value(s, g->now, g->now->item);
	return value < s->subject.infer->value_count && s->subject.infer->infos[value].ranked &&
			       s->subject.infer->infos[value].rank
		       ? value
		       : 0;
}

/* Until the user points elsewhere: the first size that is not a number. */
static uint32_t graph_dims_first(const struct infer *in, const struct info *info)
{
	for (uint32_t i = 0; i < info->rank; i++) {
		int64_t number;

		if (!sym_value(&in->pool, info->dims[i], &number))
			return i;
	}
	return 0;
}

bool graph_dim(struct pane *p, struct dim_at *out)
{
	const struct screen *s = p->screen;
	const struct graph_state *g = p->state;
	uint32_t value = graph_dims_value(s, g), rank;

	if (!value)
		return false;
	rank = s->subject.infer->infos[value].rank;
	out->value = value;
	out->axis = g->pointed.value == value && g->pointed.axis < rank
			    ? g->pointed.axis
			    : graph_dims_first(s->subject.infer, &s->subject.infer->infos[value]);
	return true;
}

void graph_point(struct pane *p, struct dim_at at)
{
	struct graph_state *g = p->state;

	g->pointed = at;
}

/* Past the last one it starts again. */
bool graph_step_dim(struct pane *p, int step)
{
	const struct screen *s = p->screen;
	struct graph_state *g = p->state;
	struct dim_at at;
	uint32_t rank;

	if (!graph_dim(p, &at))
		return false;
	rank = s->subject.infer->infos[at.value].rank;
	at.axis = (at.axis + rank + (uint32_t)step) % rank;
	graph_point(p, at);
	g->walked = true;
	return true;
}

/* ---- Enter ---- */

/* After the last symbol of the dim, the box opens. */
bool graph_dim_symbol(struct pane *p, uint32_t *out)
{
	const struct screen *s = p->screen;
	const struct graph_state *g = p->state;
	struct dim_at at;

	return g->walked && graph_dim(p, &at) &&
	       follow_next(&s->follow, s->subject.infer,
			   s->subject.infer->infos[at.value].dims[at.axis], out);
}
