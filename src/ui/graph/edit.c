/*
 * The command that `e` starts, with the current value filled in.
 */
#include <inttypes.h>

#include "base/str.h"
#include "base/words.h"
#include "infer/infer.h"
#include "ir/graph.h"
#include "ir/type.h"
#include "ops/info.h"
#include "sym/eval.h"
#include "sym/sym.h"
#include "ui/graph/internal.h"
#include "ui/screen.h"

/* The declared type of a value, if it has axes. */
static const struct type *graph_edit_declared(const struct model *m, uint32_t value)
{
	uint32_t claim = m->values.at[value].first_claim;

	for (; claim; claim = m->claims.at[claim].next) {
		const struct type *t = &m->claims.at[claim].type;

		if (t->has_shape && t->rank)
			return t;
	}
	return NULL;
}

static void write_line(const struct model *m, uint32_t value, const struct type *t, uint32_t axis,
		       struct str *line)
{
	uint32_t graph = m->values.at[value].graph;
	struct str word = {0};

	if (graph) {
		graph_path(&word, m, graph);
		str_char(&word, '/');
	}
	str_add(&word, model_name(m, m->values.at[value].name));
	str_format(&word, ":%" PRIu32 "=", axis);
	if (t->dims[axis].kind == DIM_VALUE)
		str_format(&word, "%" PRId64, t->dims[axis].value);
	else if (t->dims[axis].kind == DIM_PARAM && model_name(m, t->dims[axis].param).len)
		str_add(&word, model_name(m, t->dims[axis].param));
	else
		str_char(&word, '?');
	str_text(line, "set");
	words_quote(line, str_sv(&word));
	str_release(&word);
}

static bool edit_value(const struct model *m, uint32_t value, struct str *line)
{
	const struct type *t = value ? graph_edit_declared(m, value) : NULL;
	uint32_t axis = 0;

	if (!t)
		return false;
	while (axis < t->rank && t->dims[axis].kind != DIM_PARAM)
		axis++;
	write_line(m, value, t, axis < t->rank ? axis : 0, line);
	return true;
}

struct sought {
	uint32_t symbol;
	bool found;
};

static void graph_edit_seek(void *context, uint32_t id)
{
	struct sought *sought = context;

	sought->found |= id == sought->symbol;
}

static bool shape_has(const struct infer *in, const struct info *info, uint32_t symbol)
{
	struct sought sought = {.symbol = symbol};

	for (uint32_t i = 0; info->ranked && i < info->rank; i++)
		sym_each_symbol(&in->pool, info->dims[i], graph_edit_seek, &sought);
	return sought.found;
}

/* The first input axis whose symbol occurs in the shape. */
static bool edit_source(const struct infer *in, uint32_t value, struct str *line)
{
	const struct model *m = in->model;

	for (size_t i = 0; i < m->graphs.at[0].inputs.len; i++) {
		uint32_t input = m->graphs.at[0].inputs.at[i], symbol;
		const struct info *info = &in->infos[input];
		const struct type *t = graph_edit_declared(m, input);

		for (uint32_t j = 0; t && info->ranked && j < MIN(info->rank, t->rank); j++) {
			if (sym_symbol_id(&in->pool, info->dims[j], &symbol) &&
			    shape_has(in, &in->infos[value], symbol)) {
				write_line(m, input, t, j, line);
				return true;
			}
		}
	}
	return false;
}

bool graph_edit(struct pane *p, struct str *line)
{
	const struct screen *s = p->screen;
	const struct model *m = s->subject.model;
	uint32_t value = s->value;

	if (s->node) {
		const struct node *n = &m->nodes.at[s->node];

		value = n->output_count ? n->outputs[0] : 0;
	}
	return value && (edit_value(m, value, line) || edit_source(s->subject.infer, value, line));
}
