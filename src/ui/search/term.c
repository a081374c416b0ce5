#include "ui/search/term.h"

#include <string.h>

#include "base/str.h"
#include "base/sv.h"
#include "infer/infer.h"
#include "ir/graph.h"
#include "ir/type.h"
#include "ops/info.h"
#include "sym/eval.h"
#include "sym/sym.h"
#include "sym/text.h"
#include "ui/overlays/chooser.h"

enum {
	LONGEST_NAME = 1000 /* bytes; the rest is ignored */
};

enum {
	ANSWER_YES = 1,
	ANSWER_NO = 2
};

/* ---- names ---- */

static bool holds_exactly(struct sv text, struct sv part)
{
	for (size_t i = 0; i + part.len <= text.len; i++) {
		if (memcmp(text.at + i, part.at, part.len) == 0)
			return true;
	}
	return false;
}

bool term_fits_text(const struct term *t, struct sv text)
{
	text.len = MIN(text.len, (size_t)LONGEST_NAME);
	if (t->has_pattern)
		return pattern_fits(&t->pattern, text);
	return t->exact ? holds_exactly(text, str_sv(&t->text))
			: text_holds(text, str_sv(&t->text));
}

bool term_fits_name(struct term *t, const struct model *m, uint32_t name)
{
	uint8_t *known = &t->known[name];

	if (*known == 0)
		*known = name && term_fits_text(t, model_name(m, name)) ? ANSWER_YES : ANSWER_NO;
	return *known == ANSWER_YES;
}

bool fits_names(struct term *t, const struct searched *in, uint32_t node)
{
	const struct model *m = in->screen->subject.model;
	const struct node *n = &m->nodes.at[node];

	if (term_fits_name(t, m, n->name) || term_fits_name(t, m, n->op))
		return true;
	for (uint32_t i = 0; i < n->output_count; i++) {
		if (term_fits_name(t, m, m->values.at[n->outputs[i]].name))
			return true;
	}
	for (uint32_t i = 0; i < n->input_count; i++) {
		const struct value *v = &m->values.at[n->inputs[i]];

		if (!v->producer && term_fits_name(t, m, v->name))
			return true;
	}
	return false;
}

bool fits_called(struct term *t, const struct searched *in, uint32_t node)
{
	const struct model *m = in->screen->subject.model;
	const struct node *n = &m->nodes.at[node];

	return term_fits_name(t, m, node_called(m, n)) || term_fits_name(t, m, n->op);
}

/* ---- filters ---- */

static char term_fold(const struct term *t, char c)
{
	return t->exact || c < 'A' || c > 'Z' ? c : (char)(c + 32);
}

/* `*` matches anything; backtracks to the last star only, so it is quadratic at worst. */
static bool glob_fits(const struct term *t, struct sv text)
{
	struct sv glob = str_sv(&t->text);
	size_t g = 0, i = 0, star = SIZE_MAX, from = 0;

	text.len = MIN(text.len, (size_t)LONGEST_NAME);
	while (i < text.len) {
		if (g < glob.len && glob.at[g] == '*') {
			star = g++;
			from = i;
		} else if (g < glob.len && term_fold(t, glob.at[g]) == term_fold(t, text.at[i])) {
			g++;
			i++;
		} else if (star != SIZE_MAX) {
			g = star + 1;
			i = ++from;
		} else {
			return false;
		}
	}
	while (g < glob.len && glob.at[g] == '*')
		g++;
	return g == glob.len;
}

bool fits_op(struct term *t, const struct searched *in, uint32_t node)
{
	const struct model *m = in->screen->subject.model;

	return glob_fits(t, model_name(m, m->nodes.at[node].op));
}

/* /encoder contains /encoder/layer.0/Add, but not /encoder2/Add. */
bool fits_scope(struct term *t, const struct searched *in, uint32_t node)
{
	const struct model *m = in->screen->subject.model;
	struct sv name = model_name(m, m->nodes.at[node].name), scope = str_sv(&t->text);

	while (name.len && name.at[0] == '/')
		name = sv_skip(name, 1);
	while (scope.len && scope.at[0] == '/')
		scope = sv_skip(scope, 1);
	while (scope.len && scope.at[scope.len - 1] == '/')
		scope.len--;
	return sv_starts(name, scope) &&
	       (scope.len == 0 || name.len == scope.len || name.at[scope.len] == '/');
}

/* The inferred type of an output; NULL if it has none. */
static const struct info *output_info(const struct searched *in, const struct node *n, uint32_t i)
{
	const struct infer *infer = in->screen->subject.infer;

	return n->outputs[i] && n->outputs[i] < infer->value_count ? &infer->infos[n->outputs[i]]
								   : NULL;
}

static bool dim_fits(const struct term *t, const struct sym_pool *pool, struct sym dim)
{
	int64_t number;

	if (t->dim == DIM_IS_UNKNOWN)
		return sym_is_unknown(dim);
	if (t->dim == DIM_IS_NUMBER)
		return sym_value(pool, dim, &number) && number == t->number;
	return sym_mentions(pool, dim, t->symbol);
}

bool fits_dim(struct term *t, const struct searched *in, uint32_t node)
{
	const struct node *n = &in->screen->subject.model->nodes.at[node];

	for (uint32_t i = 0; i < n->output_count; i++) {
		const struct info *info = output_info(in, n, i);

		for (uint32_t j = 0; info && info->ranked && j < info->rank; j++) {
			if (dim_fits(t, &in->screen->subject.infer->pool, info->dims[j]))
				return true;
		}
	}
	return false;
}

/* batch x 12 x seq x 64, without the spaces. */
bool fits_shape(struct term *t, const struct searched *in, uint32_t node)
{
	const struct node *n = &in->screen->subject.model->nodes.at[node];
	bool fits = false;

	for (uint32_t i = 0; i < n->output_count && !fits; i++) {
		const struct info *info = output_info(in, n, i);
		struct str text = {0};

		if (!info || !info->ranked)
			continue;
		for (uint32_t j = 0; j < info->rank && text.len < LONGEST_NAME; j++) {
			str_text(&text, j ? "x" : "");
			sym_print(&in->screen->subject.infer->pool, info->dims[j], &text);
		}
		fits = glob_fits(t, str_sv(&text));
		str_release(&text);
	}
	return fits;
}

bool fits_unknown(struct term *t, const struct searched *in, uint32_t node)
{
	const struct node *n = &in->screen->subject.model->nodes.at[node];
	struct term any = {.dim = DIM_IS_UNKNOWN};

	(void)t;
	for (uint32_t i = 0; i < n->output_count; i++) {
		const struct info *info = output_info(in, n, i);

		if (info && (!info->kind || (info->kind == TYPE_TENSOR && !info->ranked)))
			return true;
	}
	return fits_dim(&any, in, node);
}

bool fits_changed(struct term *t, const struct searched *in, uint32_t node)
{
	(void)t;
	return node_changed(in->screen, node);
}

bool fits_problem(struct term *t, const struct searched *in, uint32_t node)
{
	(void)t;
	return in->has_problem[node];
}
