#include "ui/dims.h"

#include <inttypes.h>

#include "base/str.h"
#include "base/utf8.h"
#include "base/words.h"
#include "infer/explain.h"
#include "infer/infer.h"
#include "infer/why.h"
#include "ir/graph.h"
#include "ir/type.h"
#include "ops/info.h"
#include "sym/eval.h"
#include "sym/sym.h"
#include "sym/text.h"

/* ---- what is declared ---- */

/* The declared type of a value, if it has axes. */
static const struct type *dims_declared(const struct model *m, uint32_t value)
{
	for (uint32_t c = m->values.at[value].first_claim; c; c = m->claims.at[c].next) {
		const struct type *t = &m->claims.at[c].type;

		if (t->has_shape && t->rank)
			return t;
	}
	return NULL;
}

static bool dims_is_declared(const struct model *m, struct dim_at at)
{
	const struct type *t = at.value ? dims_declared(m, at.value) : NULL;

	return t && at.axis < t->rank;
}

static bool dims_is_input(const struct model *m, uint32_t value)
{
	return m->values.at[value].graph == 0 && m->values.at[value].flags & VALUE_INPUT;
}

void dim_declared_text(const struct model *m, struct dim_at at, struct str *out)
{
	const struct type *t = dims_declared(m, at.value);
	const struct dim *dim = t && at.axis < t->rank ? &t->dims[at.axis] : NULL;

	if (dim && dim->kind == DIM_VALUE)
		str_format(out, "%" PRId64, dim->value);
	else if (dim && dim->kind == DIM_PARAM && model_name(m, dim->param).len)
		str_add(out, model_name(m, dim->param));
	else
		str_char(out, '?');
}

void dim_print_place(const struct model *m, struct dim_at at, struct str *out)
{
	uint32_t graph = m->values.at[at.value].graph;

	if (graph) {
		graph_path(out, m, graph);
		str_char(out, '/');
	}
	str_add(out, model_name(m, m->values.at[at.value].name));
	str_format(out, ":%" PRIu32, at.axis);
}

static void dims_write_line(const struct model *m, struct dim_at at, struct str *line)
{
	struct str word = {0};

	dim_print_place(m, at, &word);
	str_char(&word, '=');
	dim_declared_text(m, at, &word);
	str_text(line, "set");
	words_quote(line, str_sv(&word));
	str_release(&word);
}

bool dim_beside(const struct model *m, struct dim_at at, int step, struct dim_at *out)
{
	const struct graph *g = &m->graphs.at[0];
	bool passed = false;

	for (size_t k = 0; k < g->inputs.len; k++) {
		uint32_t input = g->inputs.at[step > 0 ? k : g->inputs.len - 1 - k];
		const struct type *t = dims_declared(m, input);

		for (uint32_t i = 0; t && i < t->rank; i++) {
			struct dim_at here = {input, step > 0 ? i : t->rank - 1 - i};

			if (passed) {
				*out = here;
				return true;
			}
			passed = here.value == at.value && here.axis == at.axis;
		}
	}
	return false;
}

/* ---- where a dim comes from ---- */

struct dims_sought {
	uint32_t symbol;
	bool found;
};

static void dims_seek(void *context, uint32_t id)
{
	struct dims_sought *sought = context;

	sought->found |= id == sought->symbol;
}

/* The first input axis whose symbol the dim mentions. */
static bool dims_symbol_source(const struct infer *in, struct sym dim, struct dim_at *out)
{
	const struct model *m = in->model;

	for (size_t i = 0; i < m->graphs.at[0].inputs.len; i++) {
		uint32_t input = m->graphs.at[0].inputs.at[i];
		const struct info *info = &in->infos[input];

		for (uint32_t k = 0; info->ranked && k < info->rank; k++) {
			struct dims_sought sought = {0};

			if (!sym_symbol_id(&in->pool, info->dims[k], &sought.symbol) ||
			    !dims_is_declared(m, (struct dim_at){input, k}))
				continue;
			sym_each_symbol(&in->pool, dim, dims_seek, &sought);
			if (sought.found) {
				*out = (struct dim_at){input, k};
				return true;
			}
		}
	}
	return false;
}

/* A number comes from an input if explaining it leads there, and nothing else makes it. */
static bool dims_number_source(struct infer *in, struct dim_at at, struct dim_at *out)
{
	struct explanation e;
	bool found = false, other = false;

	explanation_init(&e);
	explain_place(in, (struct why){.value = at.value, .index = at.axis}, &e);
	for (size_t i = 0; i < e.steps.len; i++) {
		const struct step *step = &e.steps.at[i];
		struct dim_at here = {step->what.value, step->what.index};

		if (step->origin != STEP_INPUT)
			continue;
		other |= found || step->what.element;
		found |= !step->what.element && dims_is_input(in->model, here.value) &&
			 dims_is_declared(in->model, here);
		*out = here;
	}
	explanation_release(&e);
	return found && !other;
}

static bool dims_source(struct infer *in, struct dim_at at, struct dim_at *out)
{
	const struct info *info = &in->infos[at.value];
	struct sym dim = info->ranked && at.axis < info->rank ? info->dims[at.axis] : SYM_UNKNOWN;

	if (sym_is_unknown(dim))
		return false;
	return dims_symbol_source(in, dim, out) || dims_number_source(in, at, out);
}

static void dims_note_source(const struct infer *in, struct dim_at at, struct dim_at source,
			     struct str *note)
{
	struct sym dim = in->infos[at.value].dims[at.axis];
	struct sym there = in->infos[source.value].dims[source.axis];
	struct str text = {0};

	if (sym_same(dim, there)) {
		str_text(&text, "this is ");
		dim_print_place(in->model, source, &text);
		str_text(&text, "; editing it there");
	} else {
		sym_say(&in->pool, dim, &text);
		str_text(&text, " is made of ");
		dim_print_place(in->model, source, &text);
		str_text(&text, "; editing that");
	}
	str_add_shown(note, str_sv(&text));
	str_release(&text);
}

/* A size that no input makes. */
static void dims_note_nothing(const struct infer *in, struct dim_at at, struct str *note)
{
	const struct info *info = &in->infos[at.value];
	struct sym dim = info->ranked && at.axis < info->rank ? info->dims[at.axis] : SYM_UNKNOWN;
	struct str text = {0};

	if (sym_is_unknown(dim)) {
		str_text(&text, "this size is unknown, and the file declares no shape here");
	} else {
		sym_say(&in->pool, dim, &text);
		str_text(&text, " is not a size of an input: x explains it");
	}
	str_add_shown(note, str_sv(&text));
	str_release(&text);
}

bool dim_edit_line(struct infer *in, struct dim_at at, struct str *line, struct str *note)
{
	const struct info *info = &in->infos[at.value];
	struct dim_at source;
	bool known = info->ranked && at.axis < info->rank && !sym_is_unknown(info->dims[at.axis]);
	uint32_t symbol;

	if (dims_is_input(in->model, at.value) && dims_is_declared(in->model, at)) {
		dims_write_line(in->model, at, line);
		return true;
	}
	if (dims_source(in, at, &source)) {
		dims_note_source(in, at, source, note);
		dims_write_line(in->model, source, line);
		return true;
	}
	/* A claim fills in what inference does not know; a number of the graph stays. */
	if (dims_is_declared(in->model, at) &&
	    (!known || sym_symbol_id(&in->pool, info->dims[at.axis], &symbol))) {
		dims_write_line(in->model, at, line);
		return true;
	}
	dims_note_nothing(in, at, note);
	return false;
}
