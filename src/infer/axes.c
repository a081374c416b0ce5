#include "infer/axes.h"

#include <string.h>

#include "base/vec.h"
#include "infer/finding.h"
#include "infer/internal.h"
#include "ir/graph.h"
#include "ir/type.h"
#include "ops/info.h"
#include "ops/need.h"
#include "ops/property.h"
#include "sym/eval.h"
#include "sym/sym.h"
#include "sym/text.h"

const char *verdict_name(enum verdict verdict)
{
	static const char *const names[VERDICT_COUNT] = {
		[VERDICT_FREE] = "free",           [VERDICT_PINNED] = "pinned",
		[VERDICT_FIXED] = "fixed",         [VERDICT_TIED] = "tied",
		[VERDICT_DATA] = "data-dependent", [VERDICT_UNKNOWN] = "unknown",
	};

	return names[verdict];
}

uint32_t node_constant(const struct infer *in, uint32_t node)
{
	const struct node *n = &in->model->nodes.at[node];

	for (uint32_t i = n->input_count; i-- > 0;) {
		if (n->inputs[i] && value_is_constant(in->model, n->inputs[i]))
			return n->inputs[i];
	}
	return 0;
}

/* ---- judging one axis ---- */

static uint32_t count_dependents(const struct infer *in, uint32_t symbol)
{
	uint32_t count = 0;

	for (size_t v = 1; v < in->model->values.len; v++) {
		const struct info *info = &in->infos[v];

		for (uint32_t i = 0; info->ranked && i < info->rank; i++)
			count += sym_mentions(&in->pool, info->dims[i], symbol);
	}
	return count;
}

/* Is a dim with the symbol an input of an unknown operator? */
static bool goes_into_unknown(const struct infer *in, uint32_t symbol)
{
	for (size_t i = 0; i < in->findings.len; i++) {
		const struct finding *f = &in->findings.at[i];
		const struct node *n = &in->model->nodes.at[f->node];

		if (f->level != LEVEL_UNSUPPORTED)
			continue;
		for (uint32_t j = 0; j < n->input_count; j++) {
			const struct info *info = &in->infos[n->inputs[j]];

			for (uint32_t k = 0; info->ranked && k < info->rank; k++) {
				if (sym_mentions(&in->pool, info->dims[k], symbol))
					return true;
			}
		}
	}
	return false;
}

/* A data-dependent size is worse than another axis: no caller knows it beforehand. */
static void axes_tie(struct axes *out, const struct infer *in, const struct fact *f,
		     struct sym other, struct axis *axis)
{
	enum verdict verdict = infer_is_of_data(in, other) ? VERDICT_DATA : VERDICT_TIED;
	struct str text = {0};

	if (axis->verdict != VERDICT_FREE &&
	    (axis->verdict != VERDICT_TIED || verdict == VERDICT_TIED))
		return;
	axis->verdict = verdict;
	axis->node = f->node;
	sym_print(&in->pool, other, &text);
	axis->tied = infer_keep_text(&out->arena, str_c(&text));
	str_release(&text);
}

static void add_condition(struct axes *out, struct str *text, struct axis *axis)
{
	uint32_t known = 0;

	while (known < axis->bound_count && strcmp(axis->bounds[known], str_c(text)) != 0)
		known++;
	if (known == axis->bound_count && known < AXIS_MAX_BOUNDS)
		axis->bounds[axis->bound_count++] = infer_keep_text(&out->arena, str_c(text));
	str_release(text);
}

/* batch*seq = 15 fixes no size but is not free either.  n = 2*floor(n/2), n alone, is. */
static void tie_by_equation(struct axes *out, struct infer *in, const struct fact *f,
			    struct sym self, struct axis *axis)
{
	bool alone = sym_same(f->a, self) || sym_same(f->b, self);
	struct str text = {0};

	if (axis->verdict == VERDICT_FREE && !alone) {
		axis->verdict = VERDICT_TIED;
		axis->node = f->node;
		axis->constant = node_constant(in, f->node);
	}
	equation_print(in, f, &text);
	add_condition(out, &text, axis);
}

/*
 * A broadcast dim may also be 1, which hardly counts as free.  Later needs follow from the
 * first one, layer by layer, so only the first is reported.
 */
static void tie_by_broadcast(struct axes *out, struct infer *in, const struct fact *f,
			     uint32_t symbol, struct sym self, struct axis *axis)
{
	bool ours_is_a = sym_mentions(&in->pool, f->a, symbol);
	struct sym ours = ours_is_a ? f->a : f->b, other = ours_is_a ? f->b : f->a;
	struct str text = {0};

	if (axis->verdict != VERDICT_FREE || sym_mentions(&in->pool, other, symbol))
		return;
	if (f->kind == FACT_PAIR && sym_same(ours, self)) {
		axes_tie(out, in, f, other, axis);
		return;
	}
	axis->verdict = VERDICT_TIED;
	axis->node = f->node;
	axis->constant = node_constant(in, f->node);
	sym_print(&in->pool, ours, &text);
	str_text(&text, f->kind == FACT_PAIR ? " = " : " = 1 or ");
	sym_print(&in->pool, other, &text);
	str_text(&text, f->kind == FACT_PAIR ? " or one is 1" : "");
	add_condition(out, &text, axis);
}

static void need_multiple(struct axes *out, struct infer *in, const struct fact *f,
			  struct axis *axis)
{
	struct str text = {0};

	sym_print(&in->pool, f->a, &text);
	str_text(&text, " a multiple of ");
	sym_print(&in->pool, f->b, &text);
	add_condition(out, &text, axis);
}

static void axes_judge_equal(struct axes *out, struct infer *in, const struct fact *f,
			     uint32_t symbol, struct sym self, struct axis *axis)
{
	struct sym difference = sym_sub(&in->pool, f->a, f->b);
	uint32_t which;
	int64_t a, b;

	if (sym_is_linear(&in->pool, difference, &which, &a, &b) && which == symbol && b % a == 0 &&
	    -(b / a) >= 0) {
		if (axis->verdict == VERDICT_PINNED)
			return;
		axis->verdict = fact_is_weight(in, f) ? VERDICT_FIXED : VERDICT_PINNED;
		axis->size = -(b / a);
		axis->node = f->node;
		axis->constant = node_constant(in, f->node);
	} else if ((sym_same(f->a, self) && !sym_mentions(&in->pool, f->b, symbol)) ||
		   (sym_same(f->b, self) && !sym_mentions(&in->pool, f->a, symbol))) {
		axes_tie(out, in, f, sym_same(f->a, self) ? f->b : f->a, axis);
	} else if (equation_restricts(in, f)) {
		tie_by_equation(out, in, f, self, axis);
	}
}

/* One need that mentions the symbol; the worst verdict counts. */
static void judge_need(struct axes *out, struct infer *in, const struct fact *f, uint32_t symbol,
		       struct sym self, struct axis *axis)
{
	switch (f->kind) {
	case FACT_EQUAL:
		axes_judge_equal(out, in, f, symbol, self, axis);
		break;
	case FACT_SOFT:
	case FACT_PAIR:
		tie_by_broadcast(out, in, f, symbol, self, axis);
		break;
	case FACT_DIVISIBLE:
		need_multiple(out, in, f, axis);
		break;
	case FACT_BOUND: /* see axes_find_bounds */
	case FACT_NEVER: /* an error whatever the size */
	case FACT_KIND_COUNT:
		break;
	}
}

/* ---- bounds ---- */

static void add_bound(struct axes *out, struct infer *in, struct sym condition, uint32_t symbol,
		      struct axis *axis)
{
	struct str text = {0};

	if (axis->bound_count == AXIS_MAX_BOUNDS || !bound_is_one(in, condition) ||
	    !sym_mentions(&in->pool, condition, symbol) || infer_is_of_data(in, condition))
		return;
	bound_print(in, condition, &text);
	add_condition(out, &text, axis);
}

/* Needs of nodes first, then the assumptions behind their results. */
static void axes_find_bounds(struct axes *out, struct infer *in, uint32_t symbol, struct axis *axis)
{
	for (size_t i = 0; i < in->facts.len; i++) {
		const struct fact *f = &in->facts.at[i];

		if (f->kind == FACT_BOUND && bound_tells(in, f))
			add_bound(out, in, sym_test_le(&in->pool, f->a, f->b), symbol, axis);
	}
	for (size_t i = 0; i < in->assumptions.len; i++) {
		struct sym c = in->assumptions.at[i].condition;

		if (sym_mentions(&in->pool, c, symbol) && !bound_is_ordinary(in, c))
			add_bound(out, in, c, symbol, axis);
	}
}

/* ---- verdicts ---- */

static void axes_judge(struct axes *out, struct infer *in, uint32_t value, uint32_t number)
{
	struct axis axis = {.input = value, .axis = number};
	struct sym self = in->infos[value].dims[number];
	uint32_t symbol;

	if (!sym_symbol_id(&in->pool, self, &symbol))
		return;
	for (size_t i = 0; i < in->facts.len; i++) {
		const struct fact *f = &in->facts.at[i];

		/* Only the first broadcast is reported: see tie_by_broadcast. */
		if ((f->kind == FACT_PAIR || f->kind == FACT_SOFT) && axis.verdict != VERDICT_FREE)
			continue;
		if (sym_mentions(&in->pool, f->a, symbol) || sym_mentions(&in->pool, f->b, symbol))
			judge_need(out, in, f, symbol, self, &axis);
	}
	if (axis.verdict == VERDICT_FREE && goes_into_unknown(in, symbol))
		axis.verdict = VERDICT_UNKNOWN;
	axis.dependents = count_dependents(in, symbol);
	axes_find_bounds(out, in, symbol, &axis);
	vec_push(&out->list, axis);
}

/* ---- all axes ---- */

/* An axis with a number in the file becomes a symbol only in a run of its own. */
static void try_number(struct axes *out, const struct model *m, uint32_t value, uint32_t axis)
{
	struct infer in;

	infer_run(&in, m,
		  (struct infer_options){.fresh = true, .freed = value, .freed_axis = axis});
	axes_judge(out, &in, value, axis);
	infer_release(&in);
}

void axes_find(struct axes *out, const struct model *m)
{
	const struct graph *g = &m->graphs.at[0];
	struct infer in;

	*out = (struct axes){0};
	infer_run(&in, m, (struct infer_options){.fresh = true});
	for (size_t i = 0; i < g->claims.len; i++) {
		const struct claim *c = &m->claims.at[g->claims.at[i]];

		/* An input with a default value is a constant. */
		if (c->kind != CLAIM_INPUT || !c->value || m->values.at[c->value].tensor)
			continue;
		for (uint32_t j = 0; in.infos[c->value].ranked && j < c->type.rank; j++) {
			if (c->type.dims[j].kind == DIM_VALUE && c->type.dims[j].value >= 0)
				try_number(out, m, c->value, j);
			else
				axes_judge(out, &in, c->value, j);
		}
	}
	infer_release(&in);
}

void axes_release(struct axes *axes)
{
	arena_release(&axes->arena);
	vec_release(&axes->list);
}
