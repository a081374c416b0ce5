/*
 * Which outline rows contain problems or changes.
 */
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "infer/infer.h"
#include "ir/graph.h"
#include "ui/canvas.h"
#include "ui/panes/outline.h"
#include "ui/panes/outline_tree.h"
#include "ui/screen.h"

/* Marks the node, its scopes, and the nodes whose bodies contain it. */
static void outline_marks_mark(struct marks *k, const struct tree *t, uint32_t node, uint8_t bits)
{
	const struct model *m = t->model;

	while (node && node < k->len && !m->nodes.at[node].dead) {
		const struct node *n = &m->nodes.at[node];
		const struct branch *b = &t->branches.at[n->graph];
		const struct graph *g = &m->graphs.at[n->graph];

		k->at[node] |= bits;
		if (b->ready) {
			uint32_t scope = b->scopes.of_node[n->index];

			/* A marked scope's parents are marked already. */
			for (; (b->marks[scope] & bits) != bits; scope = b->scopes.at[scope].parent)
				b->marks[scope] |= bits;
		}
		node = g->kind == GRAPH_BODY ? g->owner : 0;
	}
}

void marks_make(struct marks *k, const struct screen *s, const struct tree *t)
{
	const struct model *m = s->subject.model;
	const struct infer *in = s->subject.infer;

	free(k->at);
	k->len = m->nodes.len;
	k->at = must_alloc(k->len + 1);
	memset(k->at, 0, k->len + 1);
	for (size_t i = 0; i < t->branches.len; i++) {
		const struct branch *b = &t->branches.at[i];

		if (b->ready)
			memset(b->marks, 0, b->scopes.count);
	}
	for (size_t i = 0; i < in->findings.len; i++) {
		enum style style = level_style(in->findings.at[i].level);

		if (style != STYLE_INFO)
			outline_marks_mark(k, t, in->findings.at[i].node,
					   style == STYLE_CONFLICT ? MARK_CONFLICT : MARK_WARNING);
	}
	for (size_t v = 1; s->subject.changed && v < MIN(s->subject.changed_len, m->values.len);
	     v++) {
		if (s->subject.changed[v])
			outline_marks_mark(k, t, m->values.at[v].producer, MARK_CHANGED);
	}
	k->ready = t->ready_count;
}

/* A problem of the tensor itself: a wrong claim. */
static uint8_t value_marks(const struct screen *s, uint32_t value)
{
	const struct infer *in = s->subject.infer;
	uint8_t marks = value_changed(s, value) ? MARK_CHANGED : 0;

	for (size_t i = 0; i < in->findings.len; i++) {
		enum style style = level_style(in->findings.at[i].level);

		if (in->findings.at[i].value == value && style != STYLE_INFO)
			marks |= style == STYLE_CONFLICT ? MARK_CONFLICT : MARK_WARNING;
	}
	return marks;
}

/* Of those that are alike: a problem of one is seen. */
static uint8_t like_marks(const struct screen *s, const struct tree *t, uint32_t first)
{
	const struct graph *g = &t->model->graphs.at[0];
	uint8_t marks = 0;

	for (size_t i = 0; i < g->inputs.len + g->outputs.len; i++) {
		bool output = i >= g->inputs.len;
		size_t at = output ? i - g->inputs.len : i;
		const struct like *like = tree_like_of(t, output, at);

		if (like && like->first == first)
			marks |= value_marks(s, output ? g->outputs.at[at] : g->inputs.at[at]);
	}
	return marks;
}

uint8_t marks_of(const struct marks *k, const struct screen *s, const struct tree *t,
		 const struct item *i)
{
	switch (i->kind) {
	case ITEM_NODE:
		return k->at[i->id];
	case ITEM_SCOPE:
		return t->branches.at[i->graph].marks[i->id];
	case ITEM_GRAPH:
		return i->graph && t->branches.at[i->graph].ready
			       ? t->branches.at[i->graph].marks[0]
			       : 0;
	case ITEM_VALUE:
		return value_marks(s, i->id);
	case ITEM_LIKE:
		return like_marks(s, t, i->id);
	case ITEM_ROOT:
	case ITEM_CONSTANTS:
	case ITEM_INPUTS:
	case ITEM_OUTPUTS:
	case ITEM_WEIGHTS:
	case ITEM_FUNCTIONS:
	case ITEM_TRAINING:
	case ITEM_TENSOR:
	case ITEM_KIND_COUNT:
		break;
	}
	return 0;
}

void marks_release(struct marks *k)
{
	free(k->at);
	*k = (struct marks){0};
}
