/*
 * Operators in the colour of their kind: the same in every pane.
 */
#include <assert.h>

#include "ir/graph.h"
#include "ops/property.h"
#include "ui/canvas.h"
#include "ui/screen.h"

static_assert((int)STYLE_KIND_CONSTANT - (int)STYLE_KIND_PRODUCT ==
		      (int)OP_KIND_CONSTANT - (int)OP_KIND_PRODUCT,
	      "a role for each kind, in the same order");
static_assert(OP_KIND_CONSTANT + 1 == OP_KIND_COUNT, "a role for each kind");

enum style kind_style(enum op_kind kind)
{
	if (kind == OP_KIND_NONE)
		return STYLE_TEXT;
	return (enum style)((int)STYLE_KIND_PRODUCT + (int)kind - (int)OP_KIND_PRODUCT);
}

enum style node_style(const struct screen *s, uint32_t node)
{
	const struct model *m = s->subject.model;

	return kind_style(op_kind(m, &m->nodes.at[node]));
}
