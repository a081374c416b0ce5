#include "infer/judging.h"

#include "base/hash.h"
#include "base/map.h"
#include "base/str.h"
#include "base/sv.h"
#include "base/vec.h"
#include "infer/condition.h"
#include "infer/internal.h"
#include "infer/join.h"
#include "infer/limits.h"
#include "infer/sizes.h"
#include "infer/trial.h"
#include "ir/graph.h"
#include "ir/type.h"
#include "ops/info.h"
#include "ops/need.h"
#include "sym/eval.h"
#include "sym/function.h"
#include "sym/marks.h"
#include "sym/sym.h"
#include "sym/text.h"

/* ---- what depends on it ---- */

static bool judging_is_symbol(const void *context, uint32_t symbol)
{
	const struct judging *j = context;

	return symbol == j->symbol;
}

static bool judging_mentions(struct judging *j, struct sym s)
{
	return sym_marked(&j->mentions, &j->in->pool, s);
}

static uint32_t count_dependents(struct judging *j)
{
	uint32_t count = 0;

	for (size_t v = 1; v < j->in->model->values.len; v++) {
		const struct info *info = &j->in->infos[v];

		for (uint32_t i = 0; info->ranked && i < info->rank; i++)
			count += judging_mentions(j, info->dims[i]);
	}
	return count;
}

static bool info_mentions(struct judging *j, const struct info *info)
{
	for (uint32_t i = 0; info->ranked && i < info->rank; i++) {
		if (judging_mentions(j, info->dims[i]))
			return true;
	}
	for (uint32_t i = 0; info->contents.at && i < info->contents.count; i++) {
		if (judging_mentions(j, info->contents.at[i]))
			return true;
	}
	return false;
}

/* Does something read a shape that is not known, so that its needs are not known either? */
static bool is_unknown_and_read(const struct infer *in, uint32_t value)
{
	const struct info *info = &in->infos[value];
	bool known = info->kind != TYPE_NONE && info->kind != TYPE_TENSOR;

	if (known || !value || in->model->values.at[value].readers_count == 0)
		return false;
	known = info->ranked && in->sources[value] != SOURCE_CLAIM;
	for (uint32_t i = 0; known && i < info->rank; i++)
		known = !sym_is_unknown(info->dims[i]);
	return !known;
}

static bool has_unknown_output(const struct infer *in, uint32_t node)
{
	const struct node *n = &in->model->nodes.at[node];

	for (uint32_t i = 0; i < n->output_count; i++) {
		if (is_unknown_and_read(in, n->outputs[i]))
			return true;
	}
	return false;
}

/* Has inference come to the node? */
static bool was_inferred(const struct infer *in, uint32_t node)
{
	const struct node *n = &in->model->nodes.at[node];

	for (uint32_t i = 0; i < n->output_count; i++) {
		if (n->outputs[i] && in->sources[n->outputs[i]] != SOURCE_NONE)
			return true;
	}
	return false;
}

/* Is it in the branch that a decided If does not take?  Then its outputs are known without it. */
static bool never_runs(const struct infer *in, uint32_t node)
{
	const struct model *m = in->model;

	while (!was_inferred(in, node)) {
		const struct graph *g = &m->graphs.at[m->nodes.at[node].graph];

		if (g->kind != GRAPH_BODY)
			return false;
		node = g->owner;
		if (was_inferred(in, node))
			return !has_unknown_output(in, node);
	}
	return false;
}

static bool is_blind(const struct infer *in, uint32_t node)
{
	return has_unknown_output(in, node) && !never_runs(in, node);
}

/* A body may capture a value, which is then no input of its node; its outputs tell. */
void blind_find(struct blind *out, const struct infer *in)
{
	const struct model *m = in->model;

	for (uint32_t i = 1; i < m->nodes.len; i++) {
		for (uint32_t k = 0; is_blind(in, i) && k < m->nodes.at[i].input_count; k++)
			vec_push(out, ((struct blind_place){i, m->nodes.at[i].inputs[k]}));
	}
	for (size_t i = 1; i < m->graphs.len; i++) {
		const struct graph *g = &m->graphs.at[i];

		for (size_t k = 0;
		     g->kind == GRAPH_BODY && is_blind(in, g->owner) && k < g->outputs.len; k++)
			vec_push(out, ((struct blind_place){g->owner, g->outputs.at[k]}));
	}
}

/* The node behind which nothing is known, and which the symbol reaches; 0 for none. */
static uint32_t goes_into_unknown(struct judging *j)
{
	const struct blind *b = j->blind;

	for (size_t i = 0; i < b->len; i++) {
		if (info_mentions(j, &j->in->infos[b->at[i].value]))
			return b->at[i].node;
	}
	return 0;
}

/* The node that reads it, directly or not, and fails at every size; 0 for none. */
static uint32_t goes_into_failure(struct judging *j)
{
	for (size_t i = 0; i < j->in->facts.len; i++) {
		const struct fact *f = &j->in->facts.at[i];

		if (f->kind == FACT_NEVER && !f->branch &&
		    (judging_mentions(j, f->a) || judging_mentions(j, f->b)))
			return f->node;
	}
	return 0;
}

/* ---- ties ---- */

/* Whether something ties it to a symbol that it was not tied to before. */
static void link_symbol(void *context, uint32_t symbol)
{
	struct judging *j = context;

	if (symbol != j->symbol && !(*map_at(&j->linked, symbol))++)
		j->is_new_link = true;
}

static bool is_new_link(struct judging *j, struct sym a, struct sym b)
{
	j->is_new_link = false;
	sym_each_symbol(&j->in->pool, a, link_symbol, j);
	sym_each_symbol(&j->in->pool, b, link_symbol, j);
	return j->is_new_link;
}

/* From now on the other symbol is this axis, so that later needs say only what is new. */
static void note_equal(struct judging *j, struct sym other)
{
	uint32_t symbol;

	if (!sym_symbol_id(&j->in->pool, other, &symbol))
		return;
	sym_replace(&j->equal, symbol, j->self);
	j->has_equal = true;
}

static struct sym with_equal(struct judging *j, struct sym s)
{
	return j->has_equal ? sym_substitute(&j->in->pool, &j->equal, s) : s;
}

static void ties_clear(struct judging *j)
{
	map_release(&j->linked);
	sym_subst_release(&j->equal);
	j->has_equal = false;
}

/* A data-dependent size is worse than another axis: no caller knows it beforehand. */
static void axes_tie(struct judging *j, const struct fact *f, struct sym other)
{
	enum verdict verdict = infer_is_of_data(j->in, other) ? VERDICT_DATA : VERDICT_TIED;
	struct str text = {0};

	if (j->axis.verdict != VERDICT_FREE &&
	    (j->axis.verdict != VERDICT_TIED || verdict == VERDICT_TIED))
		return;
	j->axis.verdict = verdict;
	j->axis.node = f->node;
	(void)is_new_link(j, j->self, other);
	if (f->kind == FACT_EQUAL)
		note_equal(j, other);
	sym_print(&j->in->pool, other, &text);
	j->axis.tied = infer_keep_text(&j->out->arena, str_c(&text));
	str_release(&text);
}

/* Are conditions no longer listed? */
static bool is_full(const struct judging *j)
{
	enum {
		MAX_BYTES = 1 << 22 /* of all axes */
	};

	return j->out->text_bytes > MAX_BYTES || !j->in->steps_left;
}

static void judging_print_need(struct judging *j, enum fact_kind kind, struct sym a, struct sym b,
			       struct str *out)
{
	if (!is_full(j))
		need_print(j->in, kind, a, b, out);
	else
		str_text(out, " ");
}

/* Releases the text. */
static void add_condition(struct judging *j, struct str *text)
{
	enum {
		BYTE = 8 /* steps */
	};
	uint32_t *place;

	(void)work_take(j->in, BYTE * text->len);
	if (text->len && is_full(j)) {
		str_clear(text);
		str_text(text, "more than can be listed");
	}
	place = map_at(&j->told, hash_bytes(str_sv(text), 0));
	if (text->len && !(*place && sv_is(str_sv(text), j->bounds.at[*place - 1]))) {
		vec_push(&j->bounds, infer_keep_text(&j->out->arena, str_c(text)));
		*place = *place ? *place : (uint32_t)j->bounds.len;
		j->out->text_bytes += text->len;
	}
	str_release(text);
}

static void keep_conditions(struct judging *j)
{
	const char **kept = arena_array(&j->out->arena, j->bounds.len, const char *);

	for (size_t i = 0; i < j->bounds.len; i++)
		kept[i] = j->bounds.at[i];
	j->axis.bounds = kept;
	j->axis.bound_count = (uint32_t)j->bounds.len;
}

static void tie_by_condition(struct judging *j, const struct fact *f, struct sym a, struct sym b)
{
	struct str text = {0};

	if (j->axis.verdict == VERDICT_FREE) {
		j->axis.verdict = VERDICT_TIED;
		j->axis.node = f->node;
		j->axis.constant = fact_constant(j->in, f);
	}
	judging_print_need(j, f->kind, a, b, &text);
	add_condition(j, &text);
}

/* Is it worth another condition?  Not if the axis has few sizes or follows data. */
static bool may_tie(const struct judging *j)
{
	return j->axis.verdict == VERDICT_FREE || j->axis.verdict == VERDICT_TIED;
}

/*
 * A broadcast dim may also be 1, which hardly counts as free.  Later needs follow from the
 * first one, layer by layer, unless they bring in one more axis.
 */
static void tie_by_broadcast(struct judging *j, const struct fact *f, const struct condition *c)
{
	struct sym a = with_equal(j, f->a), b = with_equal(j, f->b);
	bool ours_is_a = judging_mentions(j, a);
	struct sym ours = ours_is_a ? a : b, other = ours_is_a ? b : a;

	if (!may_tie(j) || sym_same(a, b) || (j->axis.verdict == VERDICT_TIED && c->of_data))
		return;
	if (j->axis.verdict == VERDICT_FREE && f->kind == FACT_PAIR && sym_same(ours, j->self) &&
	    !judging_mentions(j, other))
		axes_tie(j, f, other);
	else if (!is_new_link(j, a, b) && j->axis.verdict == VERDICT_TIED && f->kind == FACT_PAIR)
		return;
	tie_by_condition(j, f, ours, other);
}

/* What the equation says about the symbol; *out is what it must equal, if that is one thing. */
static enum equation_effect effect_of(struct judging *j, const struct condition *c, struct sym *out)
{
	struct trial within = limits_trial(j->limits);

	*out = SYM_UNKNOWN;
	if (!judging_mentions(j, c->rest))
		return EQUATION_HOLDS;
	if (condition_solve(j->in, c, j->symbol, out))
		return EQUATION_RESTRICTS;
	return equation_effect(j->in, c->rest, j->symbol, &within);
}

static bool is_alone(const struct judging *j, struct sym side, struct sym other)
{
	uint32_t symbol;

	return sym_symbol_id(&j->in->pool, side, &symbol) && symbol != j->symbol &&
	       !sym_mentions(&j->in->pool, other, symbol);
}

/* Is the equation what another axis must equal?  Then that one says it. */
static bool is_of_another(const struct judging *j, const struct condition *c)
{
	return is_alone(j, c->a, c->b) || is_alone(j, c->b, c->a);
}

/* A condition on several sizes, of which this is one. */
static void tie_to_others(struct judging *j, const struct fact *f, const struct condition *c)
{
	struct str text = {0};
	struct sym a = with_equal(j, c->a), b = with_equal(j, c->b), other;
	enum equation_effect effect;

	if (sym_same(a, b))
		return;
	effect = effect_of(j, c, &other);
	if (j->axis.verdict == VERDICT_TIED && sym_is_unknown(other) && is_of_another(j, c)) {
		(void)is_new_link(j, a, b);
		return;
	}
	if (effect == EQUATION_BOUNDS) {
		judging_print_need(j, f->kind, a, b, &text);
		add_condition(j, &text);
	}
	if (effect != EQUATION_RESTRICTS)
		return;
	if (sym_is_unknown(other) && c->of_data)
		other = judging_mentions(j, c->a) ? c->b : c->a;
	if (!sym_is_unknown(other) && (j->axis.verdict != VERDICT_TIED || c->of_data)) {
		axes_tie(j, f, other);
		return;
	}
	(void)is_new_link(j, a, b);
	if (sym_is_unknown(other)) {
		tie_by_condition(j, f, a, b);
	} else {
		tie_by_condition(j, f, j->self, with_equal(j, other));
		note_equal(j, other);
	}
}

/* A bound on several sizes; a bound on this one alone is among the limits. */
static void bound_by_others(struct judging *j, const struct fact *f, const struct condition *c)
{
	struct sym test = sym_test_le(&j->in->pool, f->a, f->b);
	struct str text = {0};

	if (c->of_data || !bound_is_one(j->in, test) || !judging_mentions(j, test))
		return;
	bound_print(j->in, test, &text);
	add_condition(j, &text);
}

static void judge_several(struct judging *j, const struct fact *f, const struct condition *c)
{
	struct str text = {0};

	switch (f->kind) {
	case FACT_EQUAL:
		tie_to_others(j, f, c);
		break;
	case FACT_SOFT:
	case FACT_PAIR:
		tie_by_broadcast(j, f, c);
		break;
	case FACT_DIVISIBLE:
		judging_print_need(j, f->kind, c->a, c->b, &text);
		if (judging_mentions(j, c->a) || judging_mentions(j, c->b))
			add_condition(j, &text);
		else
			str_release(&text);
		break;
	case FACT_BOUND:
		bound_by_others(j, f, c);
		break;
	case FACT_NEVER: /* an error whatever the size */
	case FACT_KIND_COUNT:
		break;
	}
}

/* Few sizes are left: from lo to hi. */
static void pin_axis(struct judging *j, const struct fact *f, const struct size_set *sizes)
{
	struct axis *axis = &j->axis;

	if (axis->verdict == VERDICT_PINNED)
		return;
	axis->verdict = j->is_number && fact_is_weight(j->in, f) ? VERDICT_FIXED : VERDICT_PINNED;
	axis->size = sizes->lo;
	axis->size_max = sizes->hi;
	axis->node = f->node;
	axis->constant = fact_constant(j->in, f);
}

static void pin_by_need(struct judging *j, const struct fact *f, const struct condition *c)
{
	struct str text = {0};

	pin_axis(j, f, &c->sizes);
	if (!limits_allow_zero(j->limits, j->in, c->factor))
		return;
	need_print(j->in, FACT_BOUND, sym_int(&j->in->pool, 1), c->factor, &text);
	add_condition(j, &text);
}

static void judge_sizes(struct judging *j, const struct fact *f, const struct condition *c)
{
	if (c->symbol != j->symbol || !condition_pins(c, f->kind) || sizes_are_none(&c->sizes))
		return;
	if (f->kind == FACT_EQUAL || !limits_allow_one(j->limits, j->in, c, f->a))
		pin_by_need(j, f, c);
	else if (may_tie(j))
		tie_by_condition(j, f, f->a, f->b);
}

/* Releases the text, which may be empty. */
static void add_branch_condition(struct judging *j, uint32_t branch, struct str *text)
{
	if (text->len) {
		str_text(text, " if ");
		graph_in_words(text, j->in->model, branch);
		str_text(text, " runs");
	}
	add_condition(j, text);
}

static void print_own_name(const struct judging *j, struct str *out)
{
	bool plain = sym_is_identifier(sym_name(&j->in->pool, j->symbol));

	str_text(out, plain ? "" : "`");
	str_add(out, sym_name(&j->in->pool, j->symbol));
	str_text(out, plain ? "" : "`");
}

static void print_own_limits(const struct judging *j, const struct size_set *sizes, struct str *out)
{
	struct str name = {0};

	print_own_name(j, &name);
	sizes_print_limits(sizes, str_sv(&name), out);
	str_release(&name);
}

/* What all needs of each branch together say about it. */
static void add_branch_limits(struct judging *j)
{
	if (!work_take(j->in, j->limits->of_branches.len + 1))
		return;
	for (size_t i = 0; i < j->limits->of_branches.len; i++) {
		const struct limit *limit = &j->limits->of_branches.at[i];
		struct str name = {0}, multiple = {0}, sizes = {0};

		if (limit->symbol != j->symbol)
			continue;
		print_own_name(j, &name);
		sizes_print_multiple(&limit->sizes, str_sv(&name), false, &multiple);
		print_own_limits(j, &limit->sizes, &sizes);
		add_branch_condition(j, limit->branch, &multiple);
		add_branch_condition(j, limit->branch, &sizes);
		str_release(&name);
	}
}

/* What only one branch of an If needs is no verdict. */
static void judge_branch(struct judging *j, const struct fact *f, const struct condition *c)
{
	struct str text = {0};
	struct sym ignored;
	bool sizes = c->kind == CONDITION_SIZES;

	if (c->of_data || (sizes && (c->symbol != j->symbol || !condition_pins(c, f->kind))) ||
	    (c->kind == CONDITION_SEVERAL && c->equal &&
	     effect_of(j, c, &ignored) == EQUATION_HOLDS))
		return;
	if (sizes && f->kind == FACT_EQUAL && !sizes_are_none(&c->sizes))
		print_own_limits(j, &c->sizes, &text);
	else
		judging_print_need(j, f->kind, c->a, c->b, &text);
	add_branch_condition(j, f->branch, &text);
}

/* One need that mentions the symbol; the worst verdict counts. */
static void judge_need(struct judging *j, const struct fact *f)
{
	/* A copy: condition_of may move it. */
	struct condition c = *condition_of(j->in, f);

	if (c.kind == CONDITION_NONE)
		return;
	if (f->branch)
		judge_branch(j, f, &c);
	else if (c.kind == CONDITION_SIZES)
		judge_sizes(j, f, &c);
	else if (!limits_imply(j->limits, j->in, f->kind, c.a, c.b))
		judge_several(j, f, &c);
}

/* ---- limits ---- */

/* The sizes that a pin leaves are within the limits, which then say nothing new. */
static bool limits_meet_pin(struct judging *j, const struct size_set *sizes)
{
	struct axis *axis = &j->axis;
	bool pinned = axis->verdict == VERDICT_PINNED || axis->verdict == VERDICT_FIXED;

	if (!pinned || sizes->lo > axis->size_max || sizes->hi < axis->size)
		return false;
	axis->size = MAX(axis->size, sizes->lo);
	axis->size_max = MIN(axis->size_max, sizes->hi);
	return true;
}

/* What all needs together say about it. */
static void add_limits(struct judging *j)
{
	const struct limit *limit = limit_of(j->limits, j->symbol);
	struct str name = {0}, text = {0}, more = {0};

	if (!limit)
		return;
	print_own_name(j, &name);
	if (limit->sizes.lo == limit->sizes.hi && limit->bound && j->axis.verdict == VERDICT_FREE)
		pin_axis(j, &j->in->facts.at[limit->bound - 1], &limit->sizes);
	sizes_print_multiple(&limit->sizes, str_sv(&name), false, &text);
	add_condition(j, &text);
	if (!limits_meet_pin(j, &limit->sizes))
		sizes_print_limits(&limit->sizes, str_sv(&name), &more);
	add_condition(j, &more);
	str_release(&name);
}

/* Several needs may leave few sizes each, and fewer together. */
static void meet_pins(struct judging *j)
{
	const struct limit *limit = limit_of(j->limits, j->symbol);
	struct axis *axis = &j->axis;

	if ((axis->verdict != VERDICT_PINNED && axis->verdict != VERDICT_FIXED) || !limit ||
	    !limit->pin || limit->pin_lo > axis->size_max || limit->pin_hi < axis->size)
		return;
	axis->size = MAX(axis->size, limit->pin_lo);
	axis->size_max = MIN(axis->size_max, limit->pin_hi);
}

/* Assumptions about several sizes, behind results. */
static void axes_add_assumptions(struct judging *j)
{
	for (size_t i = 0; i < j->in->assumptions.len; i++) {
		struct sym c = j->in->assumptions.at[i].condition;
		struct str text = {0};
		uint32_t ignored;

		if (j->in->assumptions.at[i].branch || !judging_mentions(j, c) ||
		    sym_one_symbol(&j->in->pool, c, &ignored) || bound_is_ordinary(j->in, c) ||
		    !bound_is_one(j->in, c) || infer_is_of_data(j->in, c))
			continue;
		bound_print(j->in, c, &text);
		add_condition(j, &text);
	}
}

/* ---- verdicts ---- */

/* Steps to look through everything for a symbol. */
static uint64_t work_of_axis(const struct infer *in)
{
	return in->pool.node_count + in->facts.len + 2 * in->model->values.len +
	       in->assumptions.len;
}

/* No need stops it: does it run at all, as far as is known? */
static void judge_beyond_needs(struct judging *j)
{
	uint32_t node;

	if (j->axis.verdict != VERDICT_FREE)
		return;
	node = goes_into_failure(j);
	j->axis.fails = node != 0;
	if (!node)
		node = goes_into_unknown(j);
	if (!node)
		return;
	j->axis.verdict = VERDICT_UNKNOWN;
	j->axis.node = node;
}

static void judge_needs(struct judging *j)
{
	struct infer *in = j->in;

	for (size_t i = 0; i < j->limits->facts.len && in->steps_left; i++) {
		const struct fact *f = &in->facts.at[j->limits->facts.at[i]];

		if (!judging_mentions(j, f->a) && !judging_mentions(j, f->b))
			continue;
		(void)work_take(in, work_of_need(in, f));
		judge_need(j, f);
	}
	meet_pins(j);
	add_limits(j);
	add_branch_limits(j);
	axes_add_assumptions(j);
	judge_beyond_needs(j);
	j->axis.dependents = count_dependents(j);
}

static void note_join(struct judging *j)
{
	const struct model *m = j->in->model;
	const struct claim *c = &m->claims.at[m->values.at[j->axis.input].first_claim];
	struct str text = {0};
	struct join join;

	if (!join_of_symbol(j->in, j->symbol, j->is_number ? c->type.dims[j->axis.axis].value : 1,
			    &join))
		return;
	sym_print(&j->in->pool, join.into, &text);
	j->axis.part_of = infer_keep_text(&j->out->arena, str_c(&text));
	j->axis.node = join.node;
	j->axis.constant = join.target;
	str_release(&text);
}

void axes_judge(struct judging *j, uint32_t value, uint32_t number)
{
	struct infer *in = j->in;

	j->axis = (struct axis){.input = value, .axis = number};
	ties_clear(j);
	map_release(&j->told);
	vec_clear(&j->bounds);
	j->self = in->infos[value].dims[number];
	if (!sym_symbol_id(&in->pool, j->self, &j->symbol))
		return;
	sym_marks_clear(&j->mentions);
	j->mentions.test = judging_is_symbol;
	j->mentions.context = j;
	if (work_take(in, work_of_axis(in)))
		judge_needs(j);
	if (j->axis.verdict == VERDICT_FREE && (!in->steps_left || in->refused || in->dropped)) {
		j->axis.verdict = VERDICT_UNKNOWN;
		j->axis.node = in->refused;
	}
	if (j->axis.verdict == VERDICT_FREE)
		note_join(j);
	keep_conditions(j);
	vec_push(&j->out->list, j->axis);
}

void judging_release(struct judging *j)
{
	ties_clear(j);
	map_release(&j->told);
	vec_release(&j->bounds);
	sym_marks_release(&j->mentions);
}
